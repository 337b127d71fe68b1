package ttl_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf/ttl"
)

// slip is one fault as people make it in a document of sound statements. Kept are the statements that must be read of
// the text, without its subject <http://e/a>; may, those that may be read too. Nothing else may be. Meant is how many
// statements were meant: each is read or told as lost, so that the count of the document is right.
type slip struct {
	name  string
	text  string
	kept  []string
	may   []string
	meant int
}

var everydaySlips = []slip{
	{"a comma before the dot", `ex:a ex:p ex:b, ex:c, .`, []string{"p b", "p c"}, nil, 2},
	{"a comma before a semicolon", `ex:a ex:p ex:b, ; ex:q ex:c .`, []string{"p b", "q c"}, nil, 2},
	{"a comma before a dot on the next line", "ex:a ex:p ex:b ,\n  ex:c ,\n.", []string{"p b", "p c"}, nil, 2},
	{"a comma for a semicolon", `ex:a ex:p "x" , ex:q ex:c .`, []string{`p "x"`}, []string{"q c"}, 2},
	{"a comma for a semicolon, on lines", "ex:a ex:p \"x\" ,\n  ex:q ex:c ;\n  ex:r ex:d .", []string{`p "x"`, "r d"}, []string{"q c"}, 3},
	{"two commas", `ex:a ex:p ex:b ,, ex:c .`, []string{"p b", "p c"}, nil, 2},
	{"a comma before the object", `ex:a ex:p , ex:b ; ex:q ex:c .`, []string{"p b", "q c"}, nil, 2},
	{"no object", `ex:a ex:p ; ex:q ex:c .`, []string{"q c"}, nil, 2},
	{"no object at the end", `ex:a ex:q ex:c ; ex:p .`, []string{"q c"}, nil, 2},
	{"a quotation within a string", `ex:a ex:p "He said "hi" to me" ; ex:q ex:c .`, []string{"q c"}, nil, 2},
	{"a quotation of two words within a string", `ex:a ex:p "He said "hi there" to me" ; ex:q ex:c .`, []string{"q c"}, nil, 2},
	{"a quotation at the end of a string", `ex:a ex:p "He said "hi"" ; ex:q ex:c .`, nil, []string{"q c"}, 2},
	{"a quotation at the start of a string", `ex:a ex:p ""Hi", he said" ; ex:q ex:c .`, nil, []string{"q c"}, 2},
	{"a quotation in a string with a language", `ex:a ex:p "The "best" one"@en ; ex:q ex:c .`, []string{"q c"}, nil, 2},
	{"a quotation on a line of its own", "ex:a ex:r ex:d ;\n  ex:p \"He said \"hi\" to me\" ;\n  ex:q ex:c .", []string{"r d", "q c"}, nil,
		3},
	{"an apostrophe in a string", "ex:a ex:p 'It's me' ;\n  ex:q ex:c .", []string{"q c"}, nil, 2},
	{"inches in a string", "ex:a ex:p \"5\" wide\" ;\n  ex:q ex:c .", []string{"q c"}, nil, 2},
	{"a string that is not closed", "ex:a ex:p \"x ;\n  ex:q ex:c .", []string{"q c"}, nil, 2},
	{"a string that is not opened", "ex:a ex:p x\" ;\n  ex:q ex:c .", []string{"q c"}, nil, 2},
	{"a line break in a string", "ex:a ex:p \"one\ntwo\" ;\n  ex:q ex:c .", []string{"q c"}, []string{`p "one\ntwo"`}, 2},
	{"a semicolon is missing on a line", `ex:a ex:p "x" ex:q ex:c ; ex:r ex:d .`, []string{"r d"}, []string{`p "x"`, "q c"}, 3},
	{"a semicolon is missing at a line's end", "ex:a ex:p \"x\"\n  ex:q ex:c ;\n  ex:r ex:d .", []string{`p "x"`, "r d"}, []string{"q c"},
		3},
	{"a semicolon is missing behind a name", "ex:a ex:p ex:b\n  ex:q ex:c ;\n  ex:r ex:d .", []string{"r d"}, []string{"p b", "q c"}, 3},
	{"a comma is missing", `ex:a ex:p "x" "y" ; ex:q ex:c .`, []string{"q c"}, []string{`p "x"`, `p "y"`}, 2},
	{"a bare address", `ex:a ex:p http://www.example.org/page ; ex:q ex:c .`, []string{"p http://www.example.org/page", "q c"}, nil, 2},
	{"a bare address with a fragment", "ex:a ex:p http://www.example.org/page#top ;\n  ex:q ex:c .",
		[]string{"p http://www.example.org/page#top", "q c"}, nil, 2},
	{"a bare word", `ex:a ex:p ISBN-123 ; ex:q ex:c .`, []string{"q c"}, nil, 2},
	{"two bare words", `ex:a ex:p two words ; ex:q ex:c .`, []string{"q c"}, nil, 2},
	{"a bare date", `ex:a ex:p 2001-02-03 ; ex:q ex:c .`, []string{"q c"}, nil, 2},
	{"a number with a unit", `ex:a ex:p 5kg ; ex:q ex:c .`, []string{"q c"}, nil, 2},
	{"a decimal comma", `ex:a ex:p 3,5 ; ex:q ex:c .`, []string{"q c"}, []string{"p 3", "p 5"}, 3},
	{"a bare time", `ex:a ex:p 12:30:00 ; ex:q ex:c .`, []string{"q c"}, nil, 2},
	{"True in capitals", `ex:a ex:p True ; ex:q ex:c .`, []string{"q c"}, []string{"p true"}, 2},
	{"a tag without letters", `ex:a ex:p "x"@ ; ex:q ex:c .`, []string{"q c"}, nil, 2},
	{"no datatype", `ex:a ex:p "x"^^ ; ex:q ex:c .`, []string{"q c"}, nil, 2},
	{"one caret", `ex:a ex:p "x"^ex:d ; ex:q ex:c .`, []string{"q c"}, []string{`p "x"^^d`}, 2},
	{"a language and a datatype", `ex:a ex:p "x"@en^^ex:d ; ex:q ex:c .`, []string{"q c"}, nil, 2},
	{"a space in an IRI", `ex:a ex:p <http://e/b c> ; ex:q ex:c .`, []string{"p b%20c", "q c"}, nil, 2},
	{"an IRI that is not closed", "ex:a ex:p <http://e/b ;\n  ex:q ex:c .", []string{"q c"}, nil, 2},
	{"a path of Windows", `ex:a ex:p "C:\data\users" ; ex:q ex:c .`, []string{`p "C:\\data\\users"`, "q c"}, nil, 2},
	{"a path of Windows with legal and broken escapes", `ex:a ex:p "C:\new\users\x" ; ex:q ex:c .`, []string{"q c"},
		[]string{`p "C:\\new\\users\\x"`}, 2},
	{"a semicolon behind the subject", `ex:a ; ex:q ex:c .`, nil, []string{"q c"}, 1},
	{"two dots", `ex:a ex:q ex:c ..`, []string{"q c"}, nil, 1},
	{"two dots, apart", `ex:a ex:q ex:c . .`, []string{"q c"}, nil, 1},
	{"no dot", `ex:a ex:q ex:c`, []string{"q c"}, nil, 1},
	{"a semicolon for the dot", `ex:a ex:p "x" ; ex:q ex:c ;`, []string{`p "x"`, "q c"}, nil, 2},
	{"a comma for the dot", `ex:a ex:p "x" ; ex:q "y" ,`, []string{`p "x"`, `q "y"`}, nil, 2},
	{"a colon for the dot", `ex:a ex:p "x" ; ex:q "y" :`, []string{`p "x"`}, []string{`q "y"`}, 2},
	{"a literal as predicate", `ex:a "p" ex:b ; ex:q ex:c .`, []string{"q c"}, nil, 2},
	{"a label as predicate", `ex:a _:p ex:b ; ex:q ex:c .`, []string{"q c"}, nil, 2},
	{"a term too many", `ex:a ex:p ex:b ex:d ; ex:q ex:c .`, []string{"q c"}, nil, 2},
	{"a prefix that is not declared", `ex:a ex:p bad:b ; ex:q ex:c .`, []string{"q c"}, nil, 2},
	{"a predicate that is not declared", `ex:a bad:p ex:b , "y" ; ex:q ex:c .`, []string{"q c"}, nil, 3},
	{"a mail address as a name", `ex:a ex:p ex:ann@example.org ; ex:q ex:c .`, []string{"q c"}, nil, 2},
	{"a sign in a name", `ex:a ex:p ex:AC/DC ; ex:q ex:c .`, []string{"q c"}, nil, 2},
	{"brackets in a name", `ex:a ex:p ex:Foo_(bar) ; ex:q ex:c .`, []string{"q c"}, nil, 2},
	{"a sign in the name of a predicate", `ex:a ex:p/r ex:b , "y" ; ex:q ex:c .`, []string{"q c"}, nil, 3},
	{"a space in a name", `ex:a ex:p ex:New York ; ex:q ex:c .`, []string{"q c"}, nil, 2},
	{"commas in a list", `ex:a ex:p ( ex:b , ex:c ) ; ex:q ex:c .`, []string{"q c"}, []string{"p _:", "_: first b", "_: rest _:",
		"_: first c", "_: rest nil"}, 6},
	{"a dot in a bracket", `ex:a ex:p [ ex:r ex:b . ] ; ex:q ex:c .`, []string{"q c"}, []string{"p _:", "_: r b"}, 3},
	{"a bracket that is not closed", "ex:a ex:q ex:c ;\n  ex:p [ ex:r ex:b .", []string{"q c"}, []string{"p _:", "_: r b"}, 3},
	{"a bracket too many", `ex:a ex:p ex:b ] ; ex:q ex:c .`, nil, []string{"p b", "q c"}, 2},
	{"a name with #", `ex:a ex:q ex:c ; ex:p ex:b#c .`, []string{"q c"}, nil, 2},
	{"Python's True and None", `ex:a ex:p None ; ex:q ex:c .`, []string{"q c"}, nil, 2},
	{"typographic quotation marks", `ex:a ex:p “x” ; ex:q ex:c .`, []string{"q c"}, []string{`p "x"`}, 2},
	{"backquotes", "ex:a ex:p `x` ; ex:q ex:c .", []string{"q c"}, nil, 2},
	{"an equals sign for the predicate", `ex:a = ex:b ; ex:q ex:c .`, []string{"q c"}, []string{"http://www.w3.org/2002/07/owl#sameAs b"},
		2},
	{"an arrow", `ex:a ex:p -> ex:b ; ex:q ex:c .`, []string{"q c"}, []string{"p b"}, 2},
	{"a colon behind the predicate", `ex:a ex:p: ex:b ; ex:q ex:c .`, []string{"q c"}, []string{"p: b"}, 2},
	{"the subject's brackets in part", `ex:a> ex:p ex:b ; ex:q ex:c .`, nil, []string{"p b", "q c"}, 2},
}

// TestAnEverydaySlipCostsWhatItTouchesAndCountsOnce puts each slip between sound statements, which are all read. What
// was meant is read or told as lost, and counted so.
func TestAnEverydaySlipCostsWhatItTouchesAndCountsOnce(t *testing.T) {
	for _, row := range everydaySlips {
		t.Run(row.name, func(t *testing.T) {
			text := "@prefix ex: <http://e/> .\n" + soundBefore + row.text + "\n" + soundBehind
			judgeSlip(t, row, text, ttl.Turtle, "")
		})
		t.Run(row.name+", in a graph", func(t *testing.T) {
			indent := func(text string) string { return "  " + strings.ReplaceAll(text, "\n", "\n  ") }
			text := "@prefix ex: <http://e/> .\nex:f {\n" + indent(soundBefore) + "\n}\nex:g {\n" + indent(soundBefore) + "\n" +
				indent(row.text) + "\n" +
				indent(soundBehind) + "\n}\nex:h {\n" + indent(soundBefore) + "\n}\n"
			judgeSlip(t, row, text, ttl.TriG, "<http://e/g>")
		})
	}
}

var soundBefore, soundBehind = soundStatements(0), soundStatements(5)

// soundStatements are five subjects with four statements each.
func soundStatements(from int) string {
	var text strings.Builder
	for i := range 5 {
		fmt.Fprintf(&text, "ex:s%d ex:p ex:o , \"v %d\" ;\n  ex:q ex:c ;\n  ex:r ex:d .\n", from+i, i)
	}
	return text.String()
}

// judgeSlip reads a text with a slip in a graph, or without one.
func judgeSlip(t *testing.T, row slip, text string, syntax ttl.Syntax, graph string) {
	t.Helper()
	c, _ := read(t, strings.NewReader(text), ttl.Options{Syntax: syntax})
	fail := func(format string, args ...any) {
		t.Errorf(format+"\n%s\n%s", append(args, row.text, dump(c))...)
	}
	kept, sounds := []string{}, 0
	for _, line := range c.Lines() {
		if line = strings.TrimSuffix(line, " ."); strings.HasPrefix(line, "<http://e/s") {
			sounds++
			continue
		}
		if graph != "" && !strings.HasSuffix(line, " "+graph) {
			fail("in another graph: %s", line)
		}
		kept = append(kept, shortened(strings.TrimSuffix(line, " "+graph)))
	}
	if want := 40 + 40*len(graph)/max(len(graph), 1); sounds != want {
		fail("%d of %d sound statements around it", sounds, want)
	}
	for _, want := range row.kept {
		if !slices.Contains(kept, want) {
			fail("lost: %s; kept %q", want, kept)
		}
	}
	for _, line := range kept {
		if !slices.Contains(row.kept, line) && !slices.Contains(row.may, line) {
			fail("nobody wrote %s", line)
		}
	}
	lost := 0
	for _, n := range c.Notices {
		if n.Severity == fault.Drop {
			lost += n.Lost
		}
	}
	if len(kept)+lost != row.meant {
		fail("%d read and %d lost of %d", len(kept), lost, row.meant)
	}
}

var shorter = strings.NewReplacer("<http://e/a> ", "", "<http://e/", "", "<http://www.w3.org/1999/02/22-rdf-syntax-ns#", "", ">", "", "<",
	"",
	`^^<http://www.w3.org/2001/XMLSchema#integer>`, "", `^^<http://www.w3.org/2001/XMLSchema#boolean>`, "")

// shortened is a statement as the table of slips writes it.
func shortened(line string) string {
	line = shorter.Replace(line)
	for _, plain := range []string{`"3"`, `"5"`, `"true"`} {
		line = strings.ReplaceAll(line, plain, strings.Trim(plain, `"`))
	}
	fields := strings.Fields(line)
	for i, f := range fields {
		if strings.HasPrefix(f, "_:") {
			fields[i] = "_:"
			line = strings.Join(fields, " ")
		}
	}
	return line
}
