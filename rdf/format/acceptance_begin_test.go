package format

import (
	"math/rand"
	"strings"
	"testing"
)

// What begins as no statement can is accepted by neither grammar.
func TestWhatCanNotBeginAStatementIsNotAccepted(t *testing.T) {
	for _, text := range []string{"name,age\nAnn,7\n", "It rained, and stopped.\n", "name\tage\nex:a ex:b ex:c .\n",
		"# a table\nname;age\n1;2\n",
		"word <http://a/b> <http://a/c> .\n", "a,b\n<http://a/> <http://b/> <http://c/> .\n", "x",
		"x { <http://a/> <http://b/> <http://c/> }\n",
		"name , age\n", "Zürich,1\n", "if (a) { b }\n", "SELECT ?a WHERE { ?a ?b ?c }\n"} {
		if mayState([]byte(text)) && !strings.HasPrefix(text, "a,") {
			t.Errorf("%q may begin a statement", text)
		}
		for _, f := range []Format{Turtle, TriG} {
			if r := accepts(f, []byte(text), true, true); r.accepted {
				t.Errorf("%q is accepted as %s", text, f)
			}
		}
	}
	for _, text := range []string{"ex:a ex:b ex:c .", "PREFIX ex: <http://e/>", "prefix ex: <http://e/>", "BASE <http://e/>",
		"base<http://e/>",
		"GRAPH <http://e/> {}", "graph<http://e/> {}", "VERSION \"1.2\"", "<http://a/>", "_:a", "[] a ex:b", "() a ex:b", "{}", "@prefix",
		"\"a\"",
		"# nothing", "", "# one\n\n  # two\n ex:a", ":a :b :c .", "é:a", "1 a :b"} {
		if !mayState([]byte(text)) {
			t.Errorf("%q may begin no statement", text)
		}
	}
}

func TestWhatIsAcceptedMayBeginAStatement(t *testing.T) {
	begins := []string{"", "# c\n", "prefix ex: <http://e/> prefix : <http://f/>\n", "BASE <http://e/> ", "@prefix ex: <http://e/> .\n",
		"\n\n",
		"VERSION \"1.2\"\n", "GRAPH <http://g/> {", "graph<http://g/>{", "{", "<http://g/> {", "word ", "a,b\n", "[", "_:g {"}
	terms := []string{"ex:a", ":b", "<http://a/>", "a", "true", "1", "\"x\"", "_:n", "[]", "()", "b", "is", "ex:a,", "ex:a;", "é:x",
		"abc"}
	ends := []string{" .", " }", ".", "", " .\nex:a ex:b ex:c .", "}\n"}
	random := rand.New(rand.NewSource(1))
	accepted := 0
	for range 20000 {
		text := begins[random.Intn(len(begins))]
		if random.Intn(3) == 0 {
			text += begins[random.Intn(len(begins))]
		}
		for range 2 + random.Intn(3) {
			text += terms[random.Intn(len(terms))] + " "
		}
		text += ends[random.Intn(len(ends))]
		for _, f := range []Format{Turtle, TriG} {
			if !accepts(f, []byte(text), true, true).accepted {
				continue
			}
			if accepted++; !mayState([]byte(text)) {
				t.Errorf("%q is accepted as %s", text, f)
			}
		}
	}
	if accepted < 40 {
		t.Errorf("%d texts are accepted", accepted)
	}
}
