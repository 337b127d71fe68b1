package clean_test

import (
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/clean"
)

func TestOutputWithoutGraphsLosesTheirStatementsAloud(t *testing.T) {
	var lines []string
	var notices []fault.Notice
	first, tally := clean.Chain(clean.Options{Output: clean.Output{Name: "N-Triples", NoGraphs: true}},
		clean.EachLine(func(line []byte) error {
			lines = append(lines, string(line))
			return nil
		}),

		func(n fault.Notice) { notices = append(notices, n) })

	iri := func(text string) rdf.Term {
		return rdf.Term{Kind: rdf.IRI, Value: []byte("http://example.org/" + text)}
	}
	for _, graph := range []rdf.Term{{}, iri("g"), {Kind: rdf.BlankNode, Value: []byte("g")}} {
		if err := first.Quad(&rdf.Quad{Subject: iri("s"), Predicate: iri("p"), Object: iri("o"), Graph: graph}); err != nil {
			t.Fatal(err)
		}
	}
	tally.Close()
	if len(lines) != 1 || tally.Read != 3 || tally.Kept != 1 || tally.Dropped != 2 {
		t.Errorf("%d lines, %+v", len(lines), *tally)
	}
	if len(notices) != 2 || notices[0].Code != fault.FormatNamedGraph || notices[0].Lost != 1 {
		t.Errorf("notices: %+v", notices)
	}
	if len(notices) == 2 && (notices[0].Excerpt != "http://example.org/g" || notices[1].Excerpt != "_:g") {
		t.Errorf("the graphs are shown as %q and %q", notices[0].Excerpt, notices[1].Excerpt)
	}
}

func TestOutputWithoutTripleTermsLosesThemAloud(t *testing.T) {
	for _, o := range []rdf.Term{nested(iri("http://e/o"), 1), nested(text("x", ""), 3)} {
		w := wash(t, clean.Options{Output: clean.Output{Name: "JSON-LD", NoTripleTerms: true}}, of(o), of(iri("http://e/o")))
		if len(w.lines) != 1 || w.found() != "drop format/triple-term" || w.tally.Dropped != 1 || w.tally.Kept != 1 ||
			w.notices[0].Lost != 1 {
			t.Errorf("%q, %s, %+v", w.lines, w.found(), w.tally)
		}
		if w := wash(t, clean.Options{}, of(o)); len(w.lines) != 1 {
			t.Errorf("%q, %s", w.lines, w.found())
		}
	}
}
