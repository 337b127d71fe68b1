package format

import (
	"bytes"
	"strings"

	"laundromat/internal/pattern"
)

// magics are the first bytes of what is often found after links to data.
var magics = []struct{ begins, is string }{
	{"\x89PNG\r\n", "PNG"},
	{"\uFFFDPNG\r\n", "PNG"}, // as it looks after decoding
	{"\xFF\xD8\xFF", "JPEG"},
	{"GIF87a", "GIF"},
	{"GIF89a", "GIF"},
	{"%PDF-", "PDF"},
	{"PK\x03\x04", "ZIP"},
	{"PK\x05\x06", "ZIP"},
	{"\x1F\x8B", "gzip"},
	{"BZh", "bzip2"},
	{"\xFD7zXZ", "xz"},
	{"\x28\xB5\x2F\xFD", "Zstandard"},
	{"7z\xBC\xAF\x27\x1C", "7z"},
	{"Rar!\x1A\x07", "RAR"},
	{"$HDT", "HDT"},
	{"SQLite format 3\x00", "SQLite"},
	{"\xD0\xCF\x11\xE0", "Microsoft Office"},
	{"PAR1", "Parquet"},
	{"{\\rtf", "RTF"},
	{"%!PS", "PostScript"},
	{"\x7FELF", "program"},
	{"WARC/", "WARC"},
	{"!<thin>\n", "thin ar archive"}, // names of files, and not the files
	{"\x1E{", "JSON text sequence"},  // RFC 7464
	{"\x1E[", "JSON text sequence"},
}

func magic(in []byte) string {
	for _, m := range magics {
		if bytes.HasPrefix(in, []byte(m.begins)) {
			return m.is
		}
	}
	if len(in) > 12 && bytes.HasPrefix(in, []byte("RIFF")) && bytes.Equal(in[8:12], []byte("WEBP")) {
		return "WebP"
	}
	return ""
}

// lookOntology names languages, of ontologies above all, whose prefixes and IRIs look
// like those of Turtle.
func lookOntology(in []byte) verdict {
	if bytes.HasPrefix(in, []byte("#!")) {
		if script := shebang.FindSubmatch(in); script != nil { // what it writes may be Turtle
			return verdict{not: scriptNames[string(script[1])], certain: 0.9}
		}
	}
	for len(in) > 0 && in[0] == '#' { // comments are before either
		_, in, _ = bytes.Cut(in, []byte("\n"))
		in = bytes.TrimLeft(in, " \t\r\n")
	}
	has := func(prefix string) bool { return bytes.HasPrefix(in, []byte(prefix)) }
	near := in[:min(len(in), 16<<10)]
	switch {
	case virtuosoError.Match(in): // which shows the query
		return verdict{not: "error of Virtuoso", certain: 0.9}
	case has("BEGIN:VCARD"):
		return verdict{not: "vCard", certain: 0.9}
	case has("BEGIN:VCALENDAR"):
		return verdict{not: "calendar", certain: 0.9}
	case has("format-version:"), has("[Term]"):
		return verdict{not: "OBO", certain: 0.9}
	case has("Prefix("), has("Ontology("):
		return verdict{not: "OWL functional syntax", certain: 0.9}
	case has("Prefix: "), has("Namespace: "), has("Ontology: "), has("Ontology:\n"), has("Ontology:\r"):
		return verdict{not: "OWL Manchester syntax", certain: 0.9}
	case resultsHeader.Match(in):
		return verdict{not: "SPARQL results in TSV", certain: 0.9}
	case latex.Match(in):
		return verdict{not: "LaTeX", certain: 0.9}
	case asciiDoc.Match(in):
		return verdict{not: "AsciiDoc", certain: 0.8}
	case hasLine(near, "@facts") || hasLine(near, "@rules"): // of DLGP, after prefixes like those of Turtle
		return verdict{not: "Prolog or Datalog", certain: 0.8}
	case cypher.Match(in):
		return verdict{not: "Cypher", certain: 0.9}
	case hasArrow(near) && ruleLine.Match(near):
		return verdict{not: "Jena rules", certain: 0.8}
	case hasLine(near, "shape") && shapeLine.Match(near):
		return verdict{not: "SHACL compact syntax", certain: 0.8}
	}
	return verdict{}
}

var (
	// The variables of a table of results, above rows that are terms as N-Triples writes them.
	resultsHeader = pattern.New(`\A\?\w+(?:\t\?\w+)+[ \t]*\r?\n`)
	cypher        = pattern.New(`\A\s*(?:CREATE|MERGE|MATCH)\s*\(\s*\w*\s*(?::\s*\w|\))`)
	shebang       = pattern.New(`\A#!\s*/\S*?(?:/env\s+(?:-S\s+)?|/)(sh|bash|dash|ksh|zsh|python|perl|ruby|node)[\d.]*(?:\s|\z)`)
	virtuosoError = pattern.New(`\AVirtuoso [0-9A-Z]+ Error `)
	latex         = pattern.New(`\A(?:%[^\n]*\n|\s)*\\(?:document(?:class|style)|begin\{|usepackage|(?:sub)*section|input\{)`)
	asciiDoc      = pattern.New(`\A= \S[^\n]*\n(?s:.*)\n\[source\b`)
	ruleLine      = pattern.New(`(?m)^\s*\[\s*\w+\s*:\s*\([^\n]*(?:->|<-)`)
	shapeLine     = pattern.New(`(?m)^shape(?:Class)?\s+[\w.-]*:[\w.-]*\s*(?:->[^{\n]*)?\{`)
	fence         = pattern.New("(?m)^(?:```|~~~)")
)

// scriptNames are the languages of programs that run scripts.
var scriptNames = map[string]string{
	"sh": shellScript, "bash": shellScript, "dash": shellScript, "ksh": shellScript, "zsh": shellScript,
	"python": "Python", "perl": "Perl", "ruby": "Ruby", "node": "JavaScript",
}

const shellScript = "shell script"

// hasArrow says that one of the arrows is there that every rule has. An expression takes a hundred
// times as long to find that there is none.
func hasArrow(in []byte) bool {
	return bytes.Contains(in, []byte("->")) || bytes.Contains(in, []byte("<-"))
}

// hasLine says that a line begins so.
func hasLine(in []byte, begins string) bool {
	return bytes.HasPrefix(in, []byte(begins)) || bytes.Contains(in, []byte("\n"+begins))
}

// lookMarkdown recognises a text with blocks of code, which may be of Turtle, where nothing of
// Turtle is before the first.
func lookMarkdown(in []byte) verdict {
	head := in[:min(len(in), 64<<10)]
	if !hasLine(head, "```") && !hasLine(head, "~~~") {
		return verdict{}
	}
	at := fence.FindIndex(head)
	before := bytes.TrimSpace(in[:at[0]])
	if len(before) == 0 { // Turtle that was cut out with its fences
		return verdict{}
	}
	if v := lookTurtle(before, true, ""); v.certain > 0 && !v.empty {
		return verdict{}
	}
	return verdict{not: "Markdown", certain: 0.8}
}

var (
	yamlLine    = pattern.New(`^\s*(?:- )*[\w.$/"'-]+:(?:\s|$)|^\s*- `)
	sectionLine = pattern.New(`^\[{1,2}[\w."' -]+\]{1,2}\s*(?:[#;].*)?$`)
	settingLine = pattern.New(`^[\w."'-]+\s*=`)
)

// settings names files of names and values: YAML, TOML and what is like it. Nearly all of
// the lines that begin at the margin must be such.
func settings(head []byte) string {
	lines, yaml, sections, values := 0, 0, 0, 0
	for line := range bytes.Lines(head) {
		line = bytes.TrimRight(line, "\r\n")
		text := pattern.TextOf(line)
		is := func(p *pattern.Pattern) bool { return p.MayMatch(&text) && p.Match(line) }
		switch {
		case len(bytes.TrimSpace(line)) == 0, line[0] == '#', line[0] == ';', line[0] == ' ', line[0] == '\t':
			continue
		case is(sectionLine):
			sections++
		case is(settingLine):
			values++
		case is(yamlLine):
			yaml++
		}
		lines++
	}
	switch {
	case yaml > 1 && yaml*10 >= lines*9:
		return "YAML"
	case sections > 0 && values > 0 && (sections+values)*10 >= lines*9:
		return "settings (INI or TOML)"
	}
	return ""
}

// lookOther names what is no RDF.
func lookOther(in []byte, whole bool) verdict {
	if !whole {
		if end := bytes.LastIndexByte(in, '\n'); end > 0 {
			in = in[:end]
		}
	}
	head := in[:min(len(in), 32<<10)]
	controls := 0
	for _, b := range head {
		if b < 0x20 && b != '\t' && b != '\n' && b != '\r' && b != '\f' && b != 0x1B {
			controls++
		}
	}
	if controls > 1 && controls*50 > len(head) {
		return verdict{not: "binary data", certain: 0.9}
	}
	first, _, _ := bytes.Cut(head, []byte("\n"))
	line := strings.TrimSpace(string(first))
	if name := describeText(in); name != "" {
		return verdict{not: name, certain: 0.8}
	}
	switch {
	case strings.HasPrefix(line, "%YAML"), line == "---", strings.HasPrefix(line, "openapi:"):
		return verdict{not: "YAML", certain: 0.7}
	}
	if name := settings(head); name != "" {
		return verdict{not: name, certain: 0.7}
	}
	for _, s := range []struct {
		separator byte
		is        string
	}{{'\t', "TSV"}, {',', "CSV"}, {';', "CSV"}, {'|', "CSV"}} {
		if isTable(head, s.separator) {
			return verdict{not: s.is, certain: 0.8}
		}
	}
	return verdict{not: "plain text", certain: 0.7}
}

// isTable says that the lines have the same number of cells, more than one.
func isTable(in []byte, separator byte) bool {
	rows, cells, same := 0, 0, 0
	n, quoted, blankLine := 1, false, true
	end := func() {
		if !blankLine {
			if rows == 0 {
				cells = n
			}
			if n == cells {
				same++
			}
			rows++
		}
		n, blankLine = 1, true
	}
	for _, b := range in {
		switch {
		case b == '"':
			quoted, blankLine = !quoted, false
		case b == '\n' && !quoted:
			end()
		case b == separator && !quoted:
			n++
			blankLine = false
		case b != '\r' && b != ' ':
			blankLine = false
		}
	}
	end()
	if cells < 2 || rows < 2 {
		return false
	}
	return same*10 >= rows*8
}
