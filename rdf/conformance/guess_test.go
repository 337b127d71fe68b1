package conformance_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"laundromat/bench/corpus"
	"laundromat/internal/fault"
	"laundromat/rdf/format"
	"laundromat/rdf/rdftest"
)

// A guess is right if reading in the guessed format gives the statements, and loses as
// many, as reading in the true one. A page is of the format HTML; one that is told to be
// no RDF is right if it holds no statements.

// readAs returns what a document says in a format.
func readAs(t *testing.T, f format.Format, in []byte, opt format.Options, guessed bool) (c rdftest.Collector) {
	t.Helper()
	opt.Guessed = guessed
	if _, err := format.Parse(context.Background(), f, bytes.NewReader(in), opt, &c); err != nil {
		c.Notice(fault.Notice{Code: fault.SyntaxUnreadable, Severity: fault.Drop, Lost: 1, Message: err.Error()})
	}
	return c
}

// guessedRight says that the guess without any hint is right, and what it was.
func guessedRight(t *testing.T, of format.Format, in []byte, opt format.Options) (bool, string) {
	t.Helper()
	g := format.Guess(in, true, "", "")
	if g.Format == of {
		return true, string(of)
	}
	opt.ContentType, opt.Name = "", ""
	want := readAs(t, of, in, opt, false)
	if g.Format == "" {
		return len(want.Quads) == 0 && want.Lost() == 0, "no RDF, but " + g.NotRDF
	}
	got := readAs(t, g.Format, in, opt, true)
	return len(got.Quads) == len(want.Quads) && got.Lost() == want.Lost() && rdftest.Isomorphic(got.Quads, want.Quads), string(g.Format)
}

func TestSuitesAreReadAsWhatTheyAreWithoutHint(t *testing.T) {
	right, all := 0, 0
	for _, s := range suites(t) {
		ofSuite, inSuite := 0, 0
		for _, c := range s.tests {
			if c.kind == negative {
				continue
			}
			of := c.format
			if of == format.RDFa && !strings.HasSuffix(s.name, " svg") && !strings.HasSuffix(s.name, " xml") {
				of = format.HTML
			}
			inSuite++
			ok, found := guessedRight(t, of, c.in, c.opt)
			if ok {
				ofSuite++
			} else {
				t.Logf("%s, %s: %s", s.name, c.name, found)
			}
		}
		t.Logf("%s: %d of %d", s.name, ofSuite, inSuite)
		right += ofSuite
		all += inSuite
	}
	t.Logf("all: %d of %d (%.2f %%)", right, all, 100*float64(right)/float64(all))
	if right*1000 < all*995 {
		t.Errorf("only %d of %d are read as what they are", right, all)
	}
}

// The documents are those of the benchmarks, in the manner of DBpedia.
func TestGeneratedDocumentsAreReadAsWhatTheyAre(t *testing.T) {
	names := map[corpus.Format]format.Format{
		corpus.NTriples: format.NTriples, corpus.NQuads: format.NQuads, corpus.Turtle: format.Turtle,
		corpus.TriG: format.TriG, corpus.RDFXML: format.RDFXML, corpus.JSONLD: format.JSONLD,
	}
	right, all := 0, 0
	for how, of := range names {
		for family, statements := range []int{80, 250, 1000, 3000, 7000} {
			var text bytes.Buffer
			if err := corpus.Write(&text, how, family, statements); err != nil {
				t.Fatal(err)
			}
			// The guess is made of the beginning, as when a document is washed.
			for _, looked := range []int{64 << 10, 256 << 10} {
				in := text.Bytes()[:min(looked, text.Len())]
				g := format.Guess(in, len(in) == text.Len(), "", "")
				all++
				if g.Format == of {
					right++
				} else {
					t.Logf("%s of %d bytes: %s %s", of, text.Len(), g.Format, g.NotRDF)
				}
			}
		}
	}
	t.Logf("%d of %d", right, all)
	if right*1000 < all*995 {
		t.Errorf("only %d of %d are told to be what they are", right, all)
	}
}
