package ttl_test

import (
	"bytes"
	"context"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/rdftest"
	"laundromat/rdf/ttl"
)

func readFile(t *testing.T, path, base string, opt ttl.Options) *rdftest.Collector {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var c rdftest.Collector
	if _, err := ttl.Read(context.Background(), bytes.NewReader(text), rdf.Input{Base: base}, opt, &c); err != nil {
		t.Fatal(err)
	}
	return &c
}

// TestConformance runs the W3C suites of RDF 1.1 and of what RDF 1.2 adds. A correct document gives no
// notice of a fault, a wrong one gives at least one.
func TestConformance(t *testing.T) {
	for _, suite := range []struct {
		folder         string
		syntax, result ttl.Syntax
		tests          int
	}{
		{"rdf11/rdf-n-triples", ttl.NTriples, ttl.NTriples, 70},
		{"rdf11/rdf-n-quads", ttl.NQuads, ttl.NQuads, 87},
		{"rdf11/rdf-turtle", ttl.Turtle, ttl.NTriples, 313},
		{"rdf11/rdf-trig", ttl.TriG, ttl.NQuads, 356},
		{"rdf12/rdf-n-triples/syntax", ttl.NTriples, ttl.NTriples, 29},
		{"rdf12/rdf-n-quads/syntax", ttl.NQuads, ttl.NQuads, 27},
		{"rdf12/rdf-turtle/syntax", ttl.Turtle, ttl.NTriples, 74},
		{"rdf12/rdf-turtle/eval", ttl.Turtle, ttl.NTriples, 29},
		{"rdf12/rdf-trig/syntax", ttl.TriG, ttl.NQuads, 35},
		{"rdf12/rdf-trig/eval", ttl.TriG, ttl.NQuads, 25},
	} {
		t.Run(suite.folder, func(t *testing.T) {
			entries := rdftest.Manifest(t, rdftest.Shared(t, "conformance", "w3c-rdf-tests", filepath.FromSlash(suite.folder),
				"manifest.ttl"))
			if len(entries) != suite.tests {
				t.Errorf("%d tests, want %d", len(entries), suite.tests)
			}
			for _, e := range entries {
				t.Run(e.Name, func(t *testing.T) {
					c := readFile(t, e.Action, e.Base, ttl.Options{Syntax: suite.syntax})
					if strings.Contains(e.Type, "Negative") {
						if leftToClean[filepath.Base(e.Action)] {
							return
						}
						if c.Worst() < fault.Repair {
							t.Errorf("no fault found; quads:\n%s", strings.Join(c.Lines(), "\n"))
						}
						return
					}
					if c.Worst() >= fault.Repair {
						t.Errorf("notices on a document that is right: %+v", c.Notices)
					}
					if e.Result == "" {
						return
					}
					want := readFile(t, e.Result, e.Base, ttl.Options{Syntax: suite.result})
					if want.Worst() >= fault.Repair {
						t.Errorf("notices on the expected result: %+v", want.Notices)
					}
					if !rdftest.Isomorphic(c.Quads, want.Quads) {
						t.Errorf("got:\n%s\nwant:\n%s", strings.Join(c.Lines(), "\n"), strings.Join(want.Lines(), "\n"))
					}
				})
			}
		})
	}
}

// leftToClean are documents whose literals have the form of the grammar, and are at
// fault only by what they mean: package clean warns of them.
var leftToClean = map[string]bool{
	"ntriples-langdir-bad-3.nt": true, // rdf:langString without a language
	"ntriples-langdir-bad-4.nt": true, // a language that BCP 47 does not know the form of
	"ntriples-langdir-bad-5.nt": true, // rdf:dirLangString without a language
}

// TestLawsOnConformanceData reads every document of the suites in every syntax of
// the family, and so holds the laws on many kinds of broken text.
func TestLawsOnConformanceData(t *testing.T) {
	root := rdftest.Shared(t, "conformance", "w3c-rdf-tests")
	random := rand.New(rand.NewPCG(3, 4))
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || testing.Short() {
			return err
		}
		switch filepath.Ext(path) {
		case ".nt", ".nq", ".ttl", ".trig", ".n3":
		default:
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil || len(text) > 20000 {
			return err
		}
		opt := ttl.Options{Syntax: ttl.Syntax(random.IntN(4)), MayHandOver: random.IntN(2) == 0}
		checkLaws(t, text, opt, 1+random.IntN(100))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
