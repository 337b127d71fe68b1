package conformance_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/internal/testkit/corpus"
	"laundromat/rdf/format"
	"laundromat/rdf/rdftest"
)

// A guess is right if reading in the guessed format gives the statements, and loses as
// many, as reading in the true one. A page is of the format HTML; one that is recognised to be
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

// guessedRight says that the guess is right with a media type and a name, or without any hint, and what it was.
func guessedRight(t *testing.T, of format.Format, in []byte, opt format.Options, contentType, name string) (bool, string) {
	t.Helper()
	g := format.Guess(in, true, contentType, name)
	if g.Format == of {
		return true, string(of)
	}
	opt.ContentType, opt.Name = contentType, name
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
			ok, found := guessedRight(t, of, c.in, c.opt, "", "")
			if ok {
				ofSuite++
			} else if reason, known := mistaken[s.name+", "+c.name]; known {
				t.Logf("%s, %s: %s; %s", s.name, c.name, found, reason)
			} else {
				t.Errorf("%s, %s: %s", s.name, c.name, found)
			}
		}
		t.Logf("%s: %d of %d", s.name, ofSuite, inSuite)
		right += ofSuite
		all += inSuite
	}
	t.Logf("all: %d of %d (%.2f %%)", right, all, 100*float64(right)/float64(all))
}

// mistaken are the documents that are taken for something else where no name and no header says what they are.
var mistaken = map[string]string{
	"RDF/XML 1.1, rdf-element-not-mandatory-test001": "nothing in it is of RDF",
	"RDFa 1.1 in svg, 0304":                          "the reader of pages finds more in it",
}

// What a name or a media type says to be N-Triples, N-Quads, Turtle, TriG or RDF/XML is read as that.
func TestSuitesAreReadAsWhatTheyAreUnderTheirNames(t *testing.T) {
	extensions := map[format.Format]string{format.NTriples: "nt", format.NQuads: "nq", format.Turtle: "ttl", format.TriG: "trig",
		format.RDFXML: "rdf"}
	all := 0
	for _, s := range suites(t) {
		for _, c := range s.tests {
			extension, known := extensions[c.format]
			if c.kind == negative || !known {
				continue
			}
			all++
			for _, hints := range [][2]string{{"", "d." + extension}, {c.format.MediaType(), ""},
				{"text/plain", "http://example.org/d." + extension}} {
				if ok, found := guessedRight(t, c.format, c.in, c.opt, hints[0], hints[1]); !ok {
					t.Errorf("%s, %s, as %q: %s", s.name, c.name, hints, found)
				}
			}
		}
	}
	t.Logf("%d documents", all)
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
