package format_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/format"
	"laundromat/rdf/rdftest"
)

// readGuessed reads a text in the format that it seems to be.
func readGuessed(t *testing.T, text, contentType, name string) (*rdftest.Collector, format.Format) {
	t.Helper()
	g := format.Guess([]byte(text[:min(len(text), 160<<10)]), len(text) <= 160<<10, contentType, name)
	g = g.Try(context.Background(), []byte(text[:min(len(text), 160<<10)]), len(text) <= 160<<10)
	if g.Format == "" {
		t.Fatalf("no format, but %s", g.NotRDF)
	}
	var c rdftest.Collector
	reading, err := format.Parse(context.Background(), g.Format, strings.NewReader(text), format.Options{
		Guessed: true, ContentType: contentType, Name: name, Input: rdf.Input{Base: "http://base.example/"},
	}, &c)
	if err != nil {
		t.Fatal(err)
	}
	return &c, reading.Format
}

// quadLines are lines of N-Quads.
func quadLines(from, to int) (lines []string) {
	for i := from; i < to; i++ {
		lines = append(lines, fmt.Sprintf("<http://e/s%d> <http://e/p> \"%d\" <http://e/g> .", i, i))
	}
	return lines
}

// TestLinesOfQuadsAreKeptWhateverStandsBetweenThem puts what only Turtle and TriG have into files of quads.
func TestLinesOfQuadsAreKeptWhateverStandsBetweenThem(t *testing.T) {
	between := map[string]string{
		"@prefix": "@prefix ex: <http://e/> .", "@base": "@base <http://e/> .", "PREFIX": "PREFIX ex: <http://e/>",
		"BASE":     "BASE <http://e/>",
		"@version": `@version "1.2" .`, "a prefix without its dot": "@prefix ex: <http://e/>", "a graph": "<http://e/g> {",
		"a graph and its end":    "<http://e/g> {\n}",
		"a whole graph":          "<http://e/g> { <http://e/x> <http://e/p> 1 . }",
		"many prefixes":          strings.Repeat("@prefix ex: <http://e/> .\n", 12) + "@prefix a: <http://e/> .",
		"a broken prefix":        "@prefix ex <http://e/> .",
		"a quoted triple":        "<< <http://e/s> <http://e/p> <http://e/o> >> <http://e/q> 1 <http://e/g> .",
		"a string over lines":    "<http://e/x> <http://e/p> \"\"\"one\ntwo\"\"\" <http://e/g> .",
		"statements of Turtle":   "<http://e/x> a <http://e/T> ; <http://e/p> 1 , 2 .",
		"brackets":               "[ <http://e/p> 1 ] .",
		"a line without its end": "<http://e/x> <http://e/p> \"one",
	}
	for what, line := range between {
		for _, count := range []int{20, 400} {
			for _, at := range []int{0, 1, count / 2, count} {
				for _, name := range []string{"", "x.nq", "x.ttl", "x.trig", "x.nt"} {
					lines := slices.Concat(quadLines(0, at), []string{line}, quadLines(at, count))
					got, as := readGuessed(t, strings.Join(lines, "\n")+"\n", "", name)
					kept := 0
					for i := range got.Quads {
						if string(got.Quads[i].Graph.Value) == "http://e/g" && !got.Quads[i].Repaired {
							kept++
						}
					}
					told := len(got.Notices) > 0
					if as != format.NQuads || kept < count || !told {
						t.Errorf("%s at line %d of %d in %q: %s, %d kept, told: %v", what, at, count, name, as, kept,
							got.Notices[:min(len(got.Notices), 2)])
					}
				}
			}
		}
	}
}

// TestNamesWithDeclaredPrefixesInQuadsHaveOneMeaning reads N-Quads with prefixes.
func TestNamesWithDeclaredPrefixesInQuadsHaveOneMeaning(t *testing.T) {
	const prefix = "@prefix ex: <http://e/> .\n"
	for _, test := range []struct {
		in         string
		want       string
		lost, told int
	}{
		{prefix + "ex:s ex:p ex:o ex:g .\n", "<http://e/s> <http://e/p> <http://e/o> <http://e/g> .", 0, 2},
		{prefix + "ex:s ex:p \"o\"@en ex:g .\n", "<http://e/s> <http://e/p> \"o\"@en <http://e/g> .", 0, 2},
		{prefix + "ex:s ex:p \"1\"^^ex:d ex:g .\n", "<http://e/s> <http://e/p> \"1\"^^<http://e/d> <http://e/g> .", 0, 2},
		{prefix + "_:s ex:p _:o _:g .\n", "_:s <http://e/p> _:o _:g .", 0, 2},
		{"PREFIX ex: <http://e/>\nex:s ex:p ex:o ex:g .\n", "<http://e/s> <http://e/p> <http://e/o> <http://e/g> .", 0, 2},
		{"@prefix : <http://e/> .\n:s :p :o :g .\n", "<http://e/s> <http://e/p> <http://e/o> <http://e/g> .", 0, 2},
		{prefix + "<http://e/s> <http://e/p> ex:o ex:g .\n", "<http://e/s> <http://e/p> <http://e/o> <http://e/g> .", 0, 2},
		{prefix + "ex:s ex:p un:o ex:g .\n<http://e/s> <http://e/p> \"x\" <http://e/g> .\n",
			"<http://e/s> <http://e/p> \"x\" <http://e/g> .", 1, 2},
		{prefix + "ex:s a ex:T ex:g .\n", "<http://e/s> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://e/T> <http://e/g> .", 0,
			3},
		{prefix + "ex:s ex:p 1 ex:g .\n", "<http://e/s> <http://e/p> \"1\"^^<http://www.w3.org/2001/XMLSchema#integer> <http://e/g> .", 0,
			3},
		{"@base <http://e/> .\n<s> <p> <o> <g> .\n", "<http://e/s> <http://e/p> <http://e/o> <http://e/g> .", 0, 5},
	} {
		got, as := readGuessed(t, test.in, "application/n-quads", "x.nq")
		if lines := strings.Join(got.Lines(), "\n"); lines != test.want || as != format.NQuads || got.Lost() != test.lost ||
			len(got.Notices) != test.told {
			t.Errorf("%s\n%s: %s, %d lost, %d notices: %v", test.in, as, lines, got.Lost(), len(got.Notices), got.Notices)
		}
	}
}

// TestTurtleWithALineOfFourTermsStaysTurtle reads text whose prefixes and other lines say what it is.
func TestTurtleWithALineOfFourTermsStaysTurtle(t *testing.T) {
	for _, in := range []string{
		"@prefix ex: <http://e/> .\nex:a ex:p ex:b ex:c .\nex:d ex:p ex:e .\n",
		"@prefix ex: <http://e/> .\nex:a ex:p 1 ; ex:q 2 .\nex:a ex:p ex:b ex:c .\nex:d ex:p ex:e .\n",
		"<http://e/a> <http://e/p> 1 , 2 .\n<http://e/a> <http://e/p> <http://e/b> <http://e/c> .\n<http://e/a> <http://e/p> 3 ; <http://e/q> 4 .\n",
	} {
		for _, name := range []string{"", "x.ttl", "x.trig"} {
			if _, as := readGuessed(t, in, "", name); as != format.Turtle && as != format.TriG {
				t.Errorf("%s\nis read as %s", in, as)
			}
		}
	}
}

// TestLinesCalledNTriplesAreReadAsSuch reads triples with what N-Triples does not have.
func TestLinesCalledNTriplesAreReadAsSuch(t *testing.T) {
	triples := strings.Repeat("<http://e/s> <http://e/p> \"o\" .\n", 3)
	for _, test := range []struct {
		line string
		code fault.Code
	}{
		{"<http://e/s> <http://e/p> <http://e/o> <http://e/g> .\n", fault.SyntaxGraphInTriples},
		{"<http://e/s> <http://e/p> \"o\" _:g .\n", fault.SyntaxGraphInTriples},
		{"<http://e/s> <http://e/p> 5 .\n", fault.SyntaxTurtleInLine},
		{"<http://e/s> <http://e/p> 5.5 .\n", fault.SyntaxTurtleInLine},
		{"<http://e/s> <http://e/p> true .\n", fault.SyntaxTurtleInLine},
		{"<http://e/s> <http://e/p> 'o' .\n", fault.SyntaxTurtleInLine},
		{"<http://e/s> a <http://e/o> .\n", fault.SyntaxTurtleInLine},
	} {
		for _, in := range []string{test.line + triples, triples + test.line, triples + triples + test.line + triples} {
			for _, called := range [][2]string{{"", "x.nt"}, {"application/n-triples", ""}, {"application/n-triples", "x.nt"}} {
				got, as := readGuessed(t, in, called[0], called[1])
				if as != format.NTriples || len(got.Notices) != 1 || got.Notices[0].Code != test.code || got.Lost() != 0 {
					t.Errorf("%q: %s, %v", in, as, got.Notices)
				}
			}
		}
	}
	if got, as := readGuessed(t, "<http://e/s> <http://e/p> 5 .\n", "", "x.nt"); as != format.NTriples || len(got.Notices) != 1 {
		t.Errorf("one line: %s, %v", as, got.Notices)
	}
}
