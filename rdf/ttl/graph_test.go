package ttl_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"laundromat/rdf/ttl"
)

// graphRecoveries say what becomes of faults around the braces of graphs, and of those that came to light with them.
var graphRecoveries = []recovery{
	{"missing dot before the last statement of a graph, which has none", ttl.TriG,
		"@prefix : <a:> .\n:g { :s :p :a\n:t :p :b }\n:h { :s :p \"x\" ; :q \"y\"@en\n_:t :p \"b\"^^:c }\n:i { :s :p :a }",
		[]string{"a:s a:p a:a a:g*", "a:t a:p a:b a:g", `a:s a:p "x" a:h`, `a:s a:q "y"@en a:h*`, `_:t a:p "b"^^a:c a:h`,
			"a:s a:p a:a a:i"},
		[]string{"repair syntax/missing-dot 2:14 0", "repair syntax/missing-dot 4:27 0"}},
	{"graph whose label is lost", ttl.TriG, "@prefix : <a:> .\nbad:g { :s :p :o . :s :q :r } :h { :s :p :o }",
		[]string{"a:s a:p a:o a:h"},
		[]string{"drop syntax/undeclared-prefix 2:1 1", "drop syntax/undeclared-prefix 2:9 1", "drop syntax/undeclared-prefix 2:20 1"}},
	{"graph that is not closed", ttl.TriG, "@prefix : <a:> .\nGRAPH :g { :s :p :o .\nGRAPH :h { :s :p :o }",
		[]string{"a:s a:p a:o a:g", "a:s a:p a:o a:h"}, []string{"repair syntax/stray-punctuation 3:1 0"}},
	{"two braces and no dot", ttl.TriG, "@prefix : <a:> .\n:g { :s :p :o } }\n:h { :s :p :o }",
		[]string{"a:s a:p a:o a:g", "a:s a:p a:o a:h"}, []string{"repair syntax/stray-punctuation 2:17 0"}},
	{"graph that is not closed before one that is not opened", ttl.TriG, "@prefix : <a:> .\nGRAPH :g { :s :p :o .\nGRAPH :h :s :p :o }",
		[]string{"a:s a:p a:o a:g"}, []string{"drop syntax/unexpected-token 3:1 1", "drop syntax/unexpected-token 3:16 1"}},
	{"fault in a graph stays in it", ttl.TriG, "@prefix : <a:> .\n:g { :s :p \"open . :s :q :r }\n:h { :s :p :o }",
		[]string{"a:s a:p a:o a:h"}, []string{"drop syntax/unclosed-string 2:12 1"}},
	{"JSON within a graph", ttl.TriG, "@prefix : <a:> .\n:g { :s :p :o .\n{\"a\": {\"b\": 1}}\n:t :p :o }\n:s :p :o .",
		[]string{"a:s a:p a:o a:g", "a:t a:p a:o a:g*", "a:s a:p a:o"}, []string{"drop syntax/unexpected-token 3:1 1",
			"repair syntax/stray-punctuation 4:1 0"}},
	{"a { that begins no graph within one", ttl.TriG,
		"@prefix : <a:> .\n:g { :s :p { :o .\n:t :p :o . :u :p :o }\n:h { :s :p :o .\n{ :t :p :o }",
		[]string{"a:t a:p a:o a:g*", "a:u a:p a:o a:g*", "a:s a:p a:o a:h", "a:t a:p a:o a:h*"},
		[]string{"drop syntax/unexpected-token 2:12 1", "repair syntax/stray-punctuation 3:1 0", "repair syntax/stray-punctuation 5:1 0",
			"repair syntax/stray-punctuation 5:3 0"}},
	{"graph that is not closed, where statements stand outside of graphs", ttl.TriG,
		"@prefix : <a:> .\n:a :p :o .\n:g {\n:s :p :o .\n:t :p :o .\n:u :p :o .\n:h { :s :p :o }",
		[]string{"a:a a:p a:o", "a:s a:p a:o a:g", "a:s a:p a:o a:h"},
		[]string{"drop syntax/unclosed-graph 5:1 0", "drop syntax/unclosed-graph 5:1 1", "drop syntax/unclosed-graph 6:1 1",
			"repair syntax/stray-punctuation 7:1 0"}},
	{"graph that is not closed, as the indent shows", ttl.TriG,
		"@prefix : <a:> .\n:a :p :o .\n:g {\n  :s :p :o .\n  :t :p :o .\n:h { :s :p :o }",
		[]string{"a:a a:p a:o", "a:s a:p a:o a:g", "a:t a:p a:o a:g", "a:s a:p a:o a:h"}, []string{"drop syntax/unclosed-graph 6:1 0",
			"repair syntax/stray-punctuation 6:1 0"}},
	{"graph that is not closed, where all stand in graphs", ttl.TriG, "@prefix : <a:> .\n:g {\n:s :p :o .\n:t :p :o .\n:h { :s :p :o }",
		[]string{"a:s a:p a:o a:g", "a:t a:p a:o a:g*", "a:s a:p a:o a:h"}, []string{"repair syntax/stray-punctuation 4:1 0",
			"repair syntax/stray-punctuation 5:1 0"}},
	{"a dot between a label and its graph", ttl.TriG, "@prefix : <a:> .\n:g . { :s :p :o }\nGRAPH :h . { :s :p :o }",
		[]string{"a:s a:p a:o a:g", "a:s a:p a:o a:h"}, []string{"repair syntax/stray-punctuation 2:4 0",
			"repair syntax/stray-punctuation 3:10 0"}},
	{"a graph that is closed twice, with statements between", ttl.TriG,
		"@prefix : <a:> .\n:g { :s :p :o . } :t :p :o . }\n:h { :s :p :o }\n:u :p :o .",
		[]string{"a:s a:p a:o a:g", "a:s a:p a:o a:h", "a:u a:p a:o"}, []string{"drop syntax/stray-punctuation 2:25 1",
			"repair syntax/stray-punctuation 2:30 0"}},
	{"a { within a statement of a graph", ttl.TriG, "@prefix : <a:> .\n:g {\n  :s :p :o .\n  :t { 1 :o .\n  :u :p :o . }\n:h { :s :p :o }",
		[]string{"a:s a:p a:o a:g", "a:u a:p a:o a:g", "a:s a:p a:o a:h"}, []string{"drop syntax/unexpected-token 4:6 1",
			"drop syntax/misplaced-term 4:8 0"}},
	{"a { behind a predicate, before what begins no statement", ttl.TriG,
		"@prefix : <a:> .\nGRAPH :g {\n  :s :p :o ;\n    <a:q> {\"\"one two.\n three\"\"\"@en .\n  :u :p :o .\n  :v :p :o .\n}\n",
		[]string{"a:s a:p a:o a:g", "a:u a:p a:o a:g", "a:v a:p a:o a:g"}, []string{"drop syntax/unexpected-token 4:5 1"}},
	{"the { of the first graph of all is broken", ttl.TriG,
		"@prefix : <a:> .\n:s :p :o .\n:g )\n  :t :p :o .\n  :u :p :o . }\n:h { :s :p :o }",
		[]string{"a:s a:p a:o", "a:t a:p a:o a:g", "a:u a:p a:o a:g", "a:s a:p a:o a:h"},
		[]string{"drop syntax/unexpected-token 3:4 1", "repair syntax/stray-punctuation 4:3 0"}},
	{"a string without an end that holds the { of a graph", ttl.TriG,
		"@prefix : <a:> .\n:g { :s :p :o . }\n:h \" {\n  :t :p :o .\n  :u :p :o . }\n:i { :s :p :o }",
		[]string{"a:s a:p a:o a:g", "a:s a:p a:o a:i"},
		[]string{"repair syntax/stray-punctuation 3:1 0", "drop syntax/unclosed-string 3:4 1", "drop syntax/unexpected-token 4:6 0",
			"drop syntax/unclosed-string 5:3 1"}},
	{"stray { in a statement, before a semicolon", ttl.TriG,
		"@prefix : <a:> .\n:g { :s :p :o }\n:a :p [ :q 1 ] { ;\n  :r :s .\n:b :p 2 { , 3 .\n:h { :s :p :o }",
		[]string{"a:s a:p a:o a:g", `_:0-1 a:q "1"^^xsd:integer`, "a:a a:r a:s", `a:b a:p "3"^^xsd:integer`, "a:s a:p a:o a:h"},
		[]string{"drop syntax/unexpected-token 3:16 1", "drop syntax/unexpected-token 5:9 1"}},
	{"stray } in a statement behind a graph", ttl.TriG, "@prefix : <a:> .\n:g { :s :p :o }\n:a :p 1 .\n:b :p 2 } ; :q 3 .\n:h { :s :p :o }",
		[]string{"a:s a:p a:o a:g", `a:a a:p "1"^^xsd:integer`, `a:b a:q "3"^^xsd:integer`, "a:s a:p a:o a:h"},
		[]string{"drop syntax/unexpected-token 4:9 1"}},
	{"graph that is not closed, before one without its {", ttl.TriG,
		"@prefix : <a:> .\n:f {\n:s :p :o .\n  :t :p :o .\n}\n:g {\n:s :p :o .\n  :t :p :o .\n\n:h\n_:u :p :o .\n  :v :p :o .\n}\n:i { :s :p :o }",
		[]string{"a:s a:p a:o a:f", "a:t a:p a:o a:f", "a:s a:p a:o a:g", "a:t a:p a:o a:g", "_:u a:p a:o a:g", "a:v a:p a:o a:g",
			"a:s a:p a:o a:i"}, []string{"drop syntax/unexpected-token 10:1 1"}},
	{"stray { behind a dot, before the first graph", ttl.TriG, "@prefix : <a:> .\n:a :p 1 . {\n:b :p 2 .\n:g { :s :p :o }",
		[]string{`a:a a:p "1"^^xsd:integer`, `a:b a:p "2"^^xsd:integer`, "a:s a:p a:o a:g"},
		[]string{"repair syntax/stray-punctuation 4:1 0"}},
	{"} for the ] of a node at fault, behind a graph", ttl.TriG,
		"@prefix : <a:> .\n:g { :s :p :o }\n:b :p 1 , [ :p 1 , [ _:x ;\n  :p 2 } .\n:c :p 1 .\n:h { :s :p :o }",
		[]string{"a:s a:p a:o a:g", `a:b a:p "1"^^xsd:integer`, `_:0-1 a:p "1"^^xsd:integer`, `a:c a:p "1"^^xsd:integer`,
			"a:s a:p a:o a:h"},
		[]string{"drop syntax/unexpected-token 3:20 1", "drop syntax/unexpected-token 4:8 1", "drop syntax/unclosed-bracket 3:1 1"}},
	{"{ for the [ of a node in a graph, and no } for it", ttl.TriG,
		"@prefix : <a:> .\n:a :p 1 ; :q 2 .\n:g { :s :p 1 . :r :q 1 . :t :q { :p :x ; :q 4 ], 4 ; :q 1 . :v :p :o .\n}\n:w :p :o . :h { :s :p :o }",
		[]string{`a:a a:p "1"^^xsd:integer`, `a:a a:q "2"^^xsd:integer`, `a:s a:p "1"^^xsd:integer a:g`, "a:w a:p a:o", "a:s a:p a:o a:h"},
		[]string{"drop syntax/unclosed-graph 3:16 0", "drop syntax/unclosed-graph 3:16 1", "drop syntax/unexpected-token 3:32 1",
			"drop syntax/unclosed-graph 3:32 1", "drop syntax/unclosed-graph 3:32 1", "drop syntax/unclosed-graph 3:26 1",
			"drop syntax/unclosed-graph 3:26 1", "drop syntax/unclosed-graph 3:61 1"}},
	{"label at fault, with its { at the end of the line, and a fault in its first statement", ttl.TriG,
		"@prefix : <a:> .\n:g {\n  :s :p :o .\n  :s :q 1 .\n}\nnope:h {\n:t a :C ;\n  :p 1 , [ :q :u :v ) ; :r 2 ] .\n}\n:w :p :o .\n",
		[]string{"a:s a:p a:o a:g", `a:s a:q "1"^^xsd:integer a:g`, "a:w a:p a:o"},
		[]string{"drop syntax/undeclared-prefix 6:1 1", "drop syntax/undeclared-prefix 7:1 1", "drop syntax/undeclared-prefix 7:1 1",
			"drop syntax/unexpected-token 8:15 1", "drop syntax/unexpected-token 8:15 1", "drop syntax/unexpected-token 8:18 1",
			"drop syntax/unexpected-token 8:15 0", "drop syntax/undeclared-prefix 8:10 1", "drop syntax/undeclared-prefix 7:1 1"}},
	{"} in the broken statement behind a } that stands alone on its line", ttl.TriG,
		"@prefix : <a:> .\n:f{\n:r :p 1 .\n}:g{\n:s :p 1 .\n:t :p 1 .\n}\n<a:xa :C;:p[a :D;:q 1]} .\n:h{\n:u :p 1 .\n}\n",
		[]string{`a:r a:p "1"^^xsd:integer a:f`, `a:s a:p "1"^^xsd:integer a:g`, `a:t a:p "1"^^xsd:integer a:g`,
			`a:u a:p "1"^^xsd:integer a:h`},
		[]string{"drop syntax/unclosed-iri 8:1 1", "drop syntax/incomplete-statement 8:9 0", "drop syntax/incomplete-statement 8:15 1",
			"drop syntax/incomplete-statement 8:21 1", "drop syntax/unexpected-token 8:23 1"}},
	{"end within a graph", ttl.TriG, "@prefix : <a:> .\n:g { :s :p :o .", []string{"a:s a:p a:o a:g"},
		[]string{"repair syntax/stray-punctuation 2:16 0"}},
}

// TestAListOfPredicatesIsANode puts a ( where the [ of a node belongs: nothing of a list is read, and the node is.
func TestAListOfPredicatesIsANode(t *testing.T) {
	var in strings.Builder
	in.WriteString("@prefix : <a:> .\n")
	for i := range 20 {
		fmt.Fprintf(&in, ":s%d :p %d ; :q [ :p 1 ], ( :o 2 ) .\n", i, i)
	}
	sound := in.Len()
	in.WriteString(":x :p 1, ( :p 2 ; :q 3, 4 ], 5 ; :q 6 .\n:y :p 7 .\n")
	before, _ := read(t, strings.NewReader(in.String()[:sound]), ttl.Options{Syntax: ttl.Turtle})
	c, _ := read(t, strings.NewReader(in.String()), ttl.Options{Syntax: ttl.Turtle})
	if want := len(before.Quads) + 7; len(c.Quads) != want || len(before.Notices) != 0 {
		t.Errorf("%d statements, not %d\n%s", len(c.Quads), want, dump(c))
	}
	isOpen(t, "a list of predicates", slices.ContainsFunc(c.Lines()[len(before.Quads):],
		func(line string) bool { return strings.Contains(line, "#first>") }))
}

// TestABraceBehindAPredicateBeginsNoGraph puts a { in place of the [ of a node into documents
// that have shown no graph, after other faults. That costs nothing of what follows, even if TriG
// is only the guess.
func TestABraceBehindAPredicateBeginsNoGraph(t *testing.T) {
	const others = 40
	for _, broken := range []string{
		":b :p :o }, [\n    :q {\n        :p 1 ] ;\n    :p 2 ] .\n",
		":b :q :o ;\n{\"error\": \"timeout\"}\n    :p {\n        :q 1, 2 ;\n        :p 3 ], 4 ;\n    :p 5 .\n",
	} {
		for _, syntax := range []ttl.Syntax{ttl.Turtle, ttl.TriG} {
			var in strings.Builder
			in.WriteString("@prefix : <a:> .\n")
			for i := range 2 * others {
				if i == others {
					in.WriteString(broken)
				}
				fmt.Fprintf(&in, ":s%d :p %d ;\n    :q \"x\", [\n        :p %[2]d ] .\n", i, i)
			}
			c, _ := read(t, strings.NewReader(in.String()), ttl.Options{Syntax: syntax})
			kept := 0
			for _, line := range c.Lines() {
				if strings.HasPrefix(line, "<a:s") {
					kept++
				}
			}
			if want := 2 * others * 3; kept != want {
				t.Errorf("%v: %d of %d statements of others are kept around %q", syntax, kept, want, broken)
			}
		}
	}
}
