package ttl_test

import (
	"slices"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf/ttl"
)

// TestADirectiveWithoutItsDotCostsNoStatement puts statements right behind directives, on the same line.
func TestADirectiveWithoutItsDotCostsNoStatement(t *testing.T) {
	const next = "\n<http://e/n> <http://e/p> 'next' ."
	for _, text := range []string{
		"@prefix e: <http://e/> <http://e/s> e:p e:o .",
		"@prefix e: <http://e/> e:s e:p e:o .",
		"@prefix e: <http://e/> _:s e:p e:o .",
		"@prefix e: <http://e/> [] e:p e:o .",
		"@prefix e: <http://e/> [ e:p e:o ] .",
		"@prefix e: <http://e/>\te:s e:p e:o .",
		"@prefix e: <http://e/> e:s e:p e:o ; e:q 1 .",
		"@prefix e: <http://e/> e:s a e:o .",
		"@prefix e: <http://e/> e:s e:p 'x'@en , 2 .",
		"@base <http://e/> <s> <p> <o> .",
		"@base <http://e/> <s> a <o> , <p> .",
		"@prefix e: <http://e/> @prefix f: <http://f/> . e:s e:p f:o .",
		"@prefix e: <http://e/> PREFIX f: <http://f/> e:s e:p f:o .",
		"@version \"1.2\" <http://e/s> <http://e/p> 1 .",
	} {
		got, _ := read(t, strings.NewReader(text+next), ttl.Options{Syntax: ttl.Turtle})
		sound, _ := read(t, strings.NewReader(dotted(text)+next), ttl.Options{Syntax: ttl.Turtle})
		if len(sound.Notices) > 0 {
			t.Fatalf("%s is not sound: %v", dotted(text), sound.Notices)
		}
		if !slices.Equal(got.Lines(), sound.Lines()) || got.Lost() != 0 || len(got.Notices) != 1 ||
			got.Notices[0].Code != fault.SyntaxMissingDot {
			t.Errorf("%s\n%s\n%v", text, strings.Join(got.Lines(), "\n"), got.Notices)
		}
	}
}

// dotted puts a dot behind the first directive of a text.
func dotted(text string) string {
	if before, after, is := strings.Cut(text, "\" "); is {
		return before + "\" . " + after
	}
	return strings.Replace(text, ">", "> .", 1)
}

// TestAnIRIInQuotationMarksIsDeclared writes the IRI of a directive as a string.
func TestAnIRIInQuotationMarksIsDeclared(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"@base \"http://e/d/\" .\n<s> <http://e/p> <o> .", "<http://e/d/s> <http://e/p> <http://e/d/o> ."},
		{"@base 'http://e/d/' .\n<s> <http://e/p> <o> .", "<http://e/d/s> <http://e/p> <http://e/d/o> ."},
		{"BASE \"http://e/d/\"\n<s> <http://e/p> <o> .", "<http://e/d/s> <http://e/p> <http://e/d/o> ."},
		{"@base \"d/\" .\n<s> <http://e/p> <o> .", "<http://base.example/dir/d/s> <http://e/p> <http://base.example/dir/d/o> ."},
		{"@base <http://f/> .\n@base \"http://e/d/\" .\n<s> <http://e/p> <o> .", "<http://e/d/s> <http://e/p> <http://e/d/o> ."},
		{"@base\n\"http://e/d/\"\n.\n<s> <http://e/p> <o> .", "<http://e/d/s> <http://e/p> <http://e/d/o> ."},
		{"@prefix e: \"http://e/d/\" .\ne:s <http://e/p> e:o .", "<http://e/d/s> <http://e/p> <http://e/d/o> ."},
		{"@prefix e: 'http://e/d/' .\ne:s <http://e/p> e:o .", "<http://e/d/s> <http://e/p> <http://e/d/o> ."},
		{"@prefix : \"http://e/d#\".\n:s <http://e/p> :o .", "<http://e/d#s> <http://e/p> <http://e/d#o> ."},
		{"PREFIX e: \"http://e/d/\"\ne:s <http://e/p> e:o .", "<http://e/d/s> <http://e/p> <http://e/d/o> ."},
	} {
		for _, syntax := range []ttl.Syntax{ttl.Turtle, ttl.TriG} {
			got, _ := read(t, strings.NewReader(test.text), ttl.Options{Syntax: syntax})
			if lines := got.Lines(); len(lines) != 1 || lines[0] != test.want || got.Lost() != 0 || !got.Quads[0].Repaired {
				t.Errorf("%s\n%s\n%v", test.text, strings.Join(lines, "\n"), got.Notices)
			}
			if n := got.Notices; len(n) != 1 || n[0].Code != fault.SyntaxDirective || n[0].Severity != fault.Repair {
				t.Errorf("%s: %v", test.text, n)
			}
		}
	}
}

// TestRelativeIRIsHangOnNoOtherBase breaks the directive that names the base, and asks that none before it is used.
func TestRelativeIRIsHangOnNoOtherBase(t *testing.T) {
	const rest = "\n<s> <http://e/p> <http://e/o> .\n<http://e/s> <http://e/p> 'whole' .\n<http://e/s> <http://e/p> <o> ."
	for _, directive := range []string{
		"@base \"http://e/a b/\" .", "@base \"\"\"http://e/\"\"\" .", "@base \"http://e/\\u0041\" .", "@base \"\" .", "@base .",
		"@base 5 .",
		"@base _:b .", "@base http://e/x, .", "@base true .", "@base <http://e/, .", "@base '' .", "BASE 'a b'", "@base e:x .",
	} {
		for _, before := range []string{"", "@base <http://before/> .\n"} {
			got, _ := read(t, strings.NewReader(before+directive+rest), ttl.Options{Syntax: ttl.Turtle})
			lines := strings.Join(got.Lines(), "\n")
			without := 0
			for _, n := range got.Notices {
				if n.Code == fault.IRINoBase && n.Severity == fault.Drop {
					without++
				}
			}
			if lines != `<http://e/s> <http://e/p> "whole" .` || without != 2 || got.Lost() != 3 {
				t.Errorf("%s%s\n%s\n%v", before, directive, lines, got.Notices)
			}
		}
		got, _ := read(t, strings.NewReader(directive+"\n@base <http://after/> .\n<s> <http://e/p> <o> ."), ttl.Options{Syntax: ttl.Turtle})
		if lines := got.Lines(); len(lines) != 1 || lines[0] != "<http://after/s> <http://e/p> <http://after/o> ." {
			t.Errorf("%s: a base behind it is not obeyed: %v, %v", directive, lines, got.Notices)
		}
	}
}

// Directives that name a base, and what relative IRIs mean behind each: "" where they are lost.
var brokenBases = []struct{ directive, base string }{
	{"@base \"http://n.example/\" .", "http://n.example/"},
	{"@base 'http://n.example/d/' .", "http://n.example/d/"},
	{"@base http://n.example/ .", "http://n.example/"},
	{"@base <http://n.example/ .", "http://n.example/"},
	{"@base http://n.example/> .", "http://n.example/"},
	{"@base <http://n.example/>", "http://n.example/"},
	{"@base <http://n.example/ >.", "http://n.example/"},
	{"@base <http://n.example/>;", "http://n.example/"},
	{"@base <http://n.example/>,", "http://n.example/"},
	{"@BASE <http://n.example/> .", "http://n.example/"},
	{"BASE \"http://n.example/\"", "http://n.example/"},
	{"BASE http://n.example/", "http://n.example/"},
	{"BASE <http://n.example/", "http://n.example/"},
	{"base http://n.example/>", "http://n.example/"},
	{"BASE <http://n.example/> .", "http://n.example/"},
	{"@base <http://n.example/#> @prefix q: <http://q/> .", "http://n.example/"},
	{"@base <http://n.example/.", ""},
	{"@base http://n.example/.", ""},
	{"@base <http://n.example/, .", ""},
	{"@base <http://n.example/ http://m.example/ .", ""},
	{"@base <<http://n.example/>> .", ""},
	{"@base <\"http://n.example/\"> .", ""},
	{"@base (http://n.example/) .", ""},
	{"@base «http://n.example/» .", ""},
	{"@base \"\"http://n.example/\"\" .", ""},
	{"@base \"http://n.example/ and more\" .", ""},
	{"@base \"\" .", ""},
	{"@base n.example .", ""},
	{"@base :n .", ""},
	{"@base .", ""},
}

// A @base of which only the marks are wrong is obeyed. Behind another one relative IRIs are lost: the base before is
// not meant, wherever the directive stands.
func TestABrokenBaseIsObeyedOrItsIRIsAreLost(t *testing.T) {
	for _, test := range brokenBases {
		for _, before := range []string{"", "<http://e/a> <http://e/p> 1 .\n", "@base <http://old.example/> .\n<a> <http://e/p> 1 .\n"} {
			for _, syntax := range []ttl.Syntax{ttl.Turtle, ttl.TriG} {
				statement, graph := "<s> <http://e/p> 2 .\n<http://e/last> <http://e/p> 3 .\n", ""
				if syntax == ttl.TriG {
					statement, graph = "<http://e/g> {\n  <s> <http://e/p> 2 .\n}\n<http://e/last> <http://e/p> 3 .\n", " <http://e/g>"
				}
				text := before + test.directive + "\n" + statement
				c, _ := read(t, strings.NewReader(text), ttl.Options{Syntax: syntax})
				const two = " <http://e/p> \"2\"^^<http://www.w3.org/2001/XMLSchema#integer>"
				want := "<" + test.base + "s>" + two + graph + " ."
				read := slices.ContainsFunc(c.Lines(), func(line string) bool { return strings.Contains(line, two) })
				noBase := slices.ContainsFunc(c.Notices, func(n fault.Notice) bool { return n.Code == fault.IRINoBase })
				switch isRead := slices.Contains(c.Lines(), want); {
				case test.base != "" && (!isRead || c.Lost() != 0 || c.Worst() < fault.Repair):
					t.Errorf("%v: it is not obeyed\n%s\n%s\n%s", syntax, text, strings.Join(c.Lines(), "\n"), strings.Join(c.Told(), "\n"))
				case test.base == "" && (read || !noBase || c.Lost() != 2):
					t.Errorf("%v: %d are lost, not the directive and what needs it\n%s\n%s\n%s", syntax, c.Lost(), text,
						strings.Join(c.Lines(), "\n"), strings.Join(c.Told(), "\n"))
				case !strings.Contains(strings.Join(c.Lines(), "\n"), "<http://e/last>"):
					t.Errorf("%v: the last statement is lost\n%s\n%s", syntax, text, strings.Join(c.Told(), "\n"))
				}
			}
		}
	}
}
