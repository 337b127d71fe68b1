package format_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"laundromat/rdf"
	"laundromat/rdf/clean"
	"laundromat/rdf/format"
	"laundromat/rdf/rdftest"
	"laundromat/rdf/ttl"
)

// The cases from outside about labels and about texts that name their datatype.
func TestLabelsAndTextsFromOutside(t *testing.T) {
	for name, of := range map[string]format.Format{"13-labels.nt": format.NTriples, "16-langstring.rdf": format.RDFXML} {
		stem, _, _ := strings.Cut(name, ".")
		text, err := os.ReadFile(rdftest.Shared(t, "cases", "rdf", name))
		if err != nil {
			t.Fatal(err)
		}
		right, err := os.ReadFile(rdftest.Shared(t, "cases", "rdf", stem+".expect.nq"))
		if err != nil {
			t.Fatal(err)
		}
		w, err := washLawfully(clean.Options{KeepBlankNodes: true, HasAnonymous: of == format.RDFXML}, of,
			format.Options{Input: rdf.Input{Base: "http://example.org/dir/doc"}}, strings.NewReader(string(text)))
		if err != nil {
			t.Fatal(err)
		}
		got, want := quadsOf(t, strings.Join(w.lines, "\n")+"\n"), quadsOf(t, string(right))
		if !rdftest.Isomorphic(got, want) {
			t.Errorf("%s: got %q, want %s", name, w.lines, right)
		}
	}
}

func quadsOf(t *testing.T, lines string) []rdf.Quad {
	t.Helper()
	var c rdftest.Collector
	if _, err := ttl.Read(context.Background(), strings.NewReader(lines), rdf.Input{}, ttl.Options{Syntax: ttl.NQuads}, &c); err != nil {
		t.Fatal(err)
	}
	return c.Quads
}
