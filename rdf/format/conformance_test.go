package format_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"laundromat/rdf"
	"laundromat/rdf/format"
	"laundromat/rdf/rdftest"
)

// read returns what a document says in a format; ok is false if anything is lost.
func read(t testing.TB, f format.Format, in []byte, base string, guessed bool) (c rdftest.Collector, proved format.Format) {
	t.Helper()
	proved, err := format.Parse(context.Background(), f, bytes.NewReader(in), format.Options{Input: rdf.Input{Base: base}, Guessed: guessed}, &c)
	if err != nil {
		t.Fatalf("reading as %s: %v", f, err)
	}
	return c, proved
}

// Of the documents of the conformance suites, and without any hint, nearly all are
// read as what they are: in the guessed format they give the same statements.
func TestConformanceDocumentsAreToldApart(t *testing.T) {
	for _, suite := range []struct {
		folder string
		format format.Format
	}{
		{"rdf-n-triples", format.NTriples}, {"rdf-n-quads", format.NQuads}, {"rdf-turtle", format.Turtle}, {"rdf-trig", format.TriG}, {"rdf-xml", format.RDFXML},
	} {
		t.Run(suite.folder, func(t *testing.T) {
			right, all := 0, 0
			for _, e := range rdftest.Manifest(t, rdftest.Shared(t, "conformance", "w3c-rdf-tests", "rdf11", suite.folder, "manifest.ttl")) {
				if strings.Contains(e.Type, "Negative") {
					continue
				}
				in, err := os.ReadFile(e.Action)
				if err != nil {
					t.Fatal(err)
				}
				all++
				g := format.Guess(in, true, "", "")
				if g.Format == "" {
					t.Logf("%s: not RDF, but %s", e.Name, g.NotRDF)
					continue
				}
				if g.Format == suite.format {
					right++
					continue
				}
				want, _ := read(t, suite.format, in, e.Base, false)
				got, _ := read(t, g.Format, in, e.Base, true)
				if got.Lost() == want.Lost() && len(got.Quads) == len(want.Quads) && rdftest.Isomorphic(got.Quads, want.Quads) {
					right++
				} else {
					t.Logf("%s: guessed %s", e.Name, g.Format)
				}
			}
			t.Logf("right: %d of %d", right, all)
			if right*100 < all*98 {
				t.Errorf("only %d of %d are read as what they are", right, all)
			}
		})
	}
}

func TestConformanceDocumentsOfJSONLDAreToldApart(t *testing.T) {
	root := rdftest.Shared(t, "conformance", "json-ld-api", "tests")
	raw, err := os.ReadFile(filepath.Join(root, "toRdf-manifest.jsonld"))
	if err != nil {
		t.Fatal(err)
	}
	var manifest struct {
		Sequence []struct {
			Name   string
			Type   []string `json:"@type"`
			Input  string
			Expect string
		}
	}
	if err := json.Unmarshal(raw, &manifest); err != nil {
		t.Fatal(err)
	}
	right, all := 0, 0
	for _, e := range manifest.Sequence {
		if strings.Contains(strings.Join(e.Type, " "), "Negative") {
			continue
		}
		in, err := os.ReadFile(filepath.Join(root, e.Input))
		if err != nil {
			t.Fatal(err)
		}
		all++
		g := format.Guess(in, true, "", "")
		var expected []byte
		if e.Expect != "" {
			expected, _ = os.ReadFile(filepath.Join(root, e.Expect))
		}
		if g.Format == format.JSONLD || e.Expect != "" && len(bytes.TrimSpace(expected)) == 0 {
			right++
		} else {
			t.Logf("%s: %s %s", e.Input, g.Format, g.NotRDF)
		}
	}
	t.Logf("right: %d of %d", right, all)
	if right*100 < all*98 {
		t.Errorf("only %d of %d are told to be JSON-LD", right, all)
	}
}

func TestConformanceDocumentsOfRDFaAreToldApart(t *testing.T) {
	for _, host := range []string{"html4", "html5", "html5-invalid", "xhtml1", "xhtml5", "xhtml5-invalid", "svg", "xml"} {
		t.Run(host, func(t *testing.T) {
			root := rdftest.Shared(t, "conformance", "rdfa", "test-suite", "test-cases", "rdfa1.1", host)
			files, _ := filepath.Glob(filepath.Join(root, "*"))
			right, all := 0, 0
			for _, file := range files {
				ext := filepath.Ext(file)
				if ext == ".ttl" || ext == ".sparql" {
					continue
				}
				in, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				turtle, err := os.ReadFile(strings.TrimSuffix(file, ext) + ".ttl")
				if err != nil {
					continue
				}
				all++
				want, _ := read(t, format.Turtle, turtle, "http://rdfa.info/", false)
				g := format.Guess(in, true, "", "")
				is := format.HTML
				if host == "svg" || host == "xml" {
					is = format.RDFa
				}
				if g.Format == is || g.Format == "" && len(want.Quads) == 0 {
					right++
				} else {
					t.Logf("%s: %s %s", filepath.Base(file), g.Format, g.NotRDF)
				}
			}
			t.Logf("right: %d of %d", right, all)
			if right*1000 < all*995 {
				t.Errorf("only %d of %d are told to be pages with data", right, all)
			}
		})
	}
}
