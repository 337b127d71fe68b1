package extract

import (
	"bufio"
	"bytes"
	"io"
	"path"
	"slices"
	"strings"

	"laundromat/internal/pattern"
)

// formats is every format that can be read.
func formats() []format {
	return []format{
		{"csv", []string{"csv", "txt", "psv", "ssv", "dat"}, []string{"text/csv", "application/csv", "text/plain"}, false, readCSV},
		{"tsv", []string{"tsv", "tab"}, []string{"text/tab-separated-values"}, false, readTSV},
		{"xlsx", []string{"xlsx", "xlsm", "xltx", "xltm"}, []string{"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
			"application/vnd.openxmlformats-officedocument.spreadsheetml.template", "application/vnd.ms-excel.sheet.macroenabled.12"}, true,
			readXLSX},
		{"ods", []string{"ods", "ots", "sxc"}, []string{"application/vnd.oasis.opendocument.spreadsheet",
			"application/vnd.oasis.opendocument.spreadsheet-template"}, true, readODS},
		{"fods", []string{"fods"}, []string{"application/vnd.oasis.opendocument.spreadsheet-flat-xml"}, false, readFlatODS},
		{"spreadsheetml", nil, nil, false, readSheetML},
		{"yaml", []string{"yaml", "yml"}, []string{"application/yaml", "application/x-yaml", "text/yaml"}, false, readYAML},
		{"xml", []string{"xml", "rss", "atom", "kml", "gpx"}, []string{"application/xml", "text/xml"}, false, readXML},
		{"html", []string{"html", "htm", "xhtml"}, []string{"text/html", "application/xhtml+xml"}, false, readHTML},
		{"json", []string{"json", "geojson"}, []string{"application/json", "text/json"}, false, readJSON},
		{"jsonl", []string{"jsonl", "ndjson", "jsonlines", "ldjson"}, []string{"application/jsonl", "application/x-ndjson",
			"application/jsonlines"}, false, readJSONLines},
	}
}

func formatNamed(name string) *format {
	for _, f := range formats() {
		if f.name == name {
			return &f
		}
	}
	return nil
}

// Names are the names of all formats.
func Names() []string { return formatNames() }

func formatNames() (names []string) {
	for _, f := range formats() {
		names = append(names, f.name)
	}
	return names
}

// headBytes is how much of a document is looked at to detect its format.
const headBytes = 4 << 10

// peek shows the beginning of the document, which is read again from there.
func (d *Document) peek() ([]byte, error) {
	if d.Text == nil && d.Raw != nil {
		d.Text = io.NewSectionReader(d.Raw, 0, d.Size)
	}
	r := bufio.NewReaderSize(d.Text, headBytes)
	d.Text = r
	head, err := r.Peek(headBytes)
	if err == io.EOF {
		err = nil
	}
	return head, err
}

// Knows says that the extension of a name, or a media type, is that of a format.
func Knows(name, mediaType string) bool {
	extension, media := said(name, mediaType)
	return slices.ContainsFunc(formats(), func(f format) bool {
		return extension != "" && extension != "txt" && extension != "dat" && slices.Contains(f.extensions, extension) ||
			media != "text/plain" && slices.Contains(f.mediaTypes, media)
	})
}

func isZip(head []byte) bool { return bytes.HasPrefix(head, []byte("PK\x03\x04")) }

// ReadsBytes says that a format is read from the bytes of a document, and not from its text.
func ReadsBytes(name string) bool {
	f := formatNamed(name)
	return f != nil && f.raw
}

// Detect says which format a text is in, and why. It goes by the signature of its first bytes, its
// name's extension or its media type, or else by how its first lines look. Without evidence it is
// csv.
func Detect(name, mediaType string, head []byte) (format, evidence string) {
	text := bytes.TrimSpace(bytes.TrimPrefix(head, []byte("\uFEFF")))
	start := strings.ToLower(string(text[:min(len(text), 200)]))
	extension, media := said(name, mediaType)
	if strings.HasPrefix(start, "<") {
		if format, evidence := sheetXML(text); format != "" {
			return format, evidence
		}
	}
	switch {
	case isZip(head):
		return "xlsx", "it begins as a zip archive does, which XLSX is"
	case strings.HasPrefix(start, "<!doctype html") || strings.HasPrefix(start, "<html") || strings.HasPrefix(start, "<table"):
		return "html", "it begins with a tag of HTML"
	case strings.HasPrefix(start, "<?xml") && !strings.Contains(strings.ToLower(string(text)), "<html"):
		return "xml", "it begins with an XML declaration"
	}
	if named, evidence := byName(extension, media); named != "" {
		return named, evidence
	}
	return detectByLines(text)
}

// said are the extension of a name, and a media type without its parameters.
func said(name, mediaType string) (extension, media string) {
	media, _, _ = strings.Cut(strings.ToLower(mediaType), ";")
	return strings.ToLower(strings.TrimPrefix(path.Ext(name), ".")), strings.TrimSpace(media)
}

// ByName is the format that the extension of a name says, or else a media type; "" if neither says one.
func ByName(name, mediaType string) string {
	format, _ := byName(said(name, mediaType))
	return format
}

func byName(extension, media string) (format, evidence string) {
	for _, f := range formats() {
		if extension != "" && slices.Contains(f.extensions, extension) && extension != "txt" && extension != "dat" {
			return f.name, "its name ends in ." + extension
		}
	}
	for _, f := range formats() {
		if media != "" && media != "text/plain" && slices.Contains(f.mediaTypes, media) {
			return f.name, "its media type is " + media
		}
	}
	switch {
	case strings.HasSuffix(media, "+json"):
		return "json", "its media type is " + media
	case strings.HasSuffix(media, "+xml"):
		return "xml", "its media type is " + media
	}
	return "", ""
}

var (
	yamlLine = pattern.New(`^(?:---(?:\s|$)|%YAML|- +\S|-$|[A-Za-z_][\w .-]*:(?:\s|$))`)
	jsonLine = pattern.New(`^(?:\{\s*(?:"|'|\}|[A-Za-z_]\w*\s*:|$)|\[\s*(?:[\[{"'\d\]-]|$))`)
)

// allYAML says that the first lines all look like YAML, or belong to one that does.
func allYAML(text []byte) bool {
	n := 0
	for line := range bytes.Lines(text) {
		if n++; n > 20 {
			break
		}
		line = bytes.TrimRight(line, "\r\n")
		if len(line) == 0 || line[0] == ' ' || line[0] == '#' || line[0] == '-' || line[0] == ']' || line[0] == '}' {
			continue
		}
		if !yamlLine.Match(line) {
			return false
		}
	}
	return true
}

func detectByLines(text []byte) (format, evidence string) {
	first, rest, _ := bytes.Cut(text, []byte{'\n'})
	second, _, _ := bytes.Cut(rest, []byte{'\n'})
	first, second = bytes.TrimSpace(first), bytes.TrimSpace(second)
	switch {
	case len(text) > 0 && text[0] == '<':
		return "xml", "it begins with a tag"
	case jsonLine.Match(first) && bytes.HasSuffix(first, []byte{'}'}) && bytes.HasPrefix(second, []byte{'{'}):
		return "jsonl", "each line begins as an object of JSON does"
	case jsonLine.Match(first):
		return "json", "it begins as JSON does"
	case yamlLine.Match(first) && allYAML(text):
		return "yaml", "its first lines look like YAML"
	}
	return "csv", "nothing says that it is another format"
}
