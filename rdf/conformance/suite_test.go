package conformance_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/clean"
	"laundromat/rdf/format"
	"laundromat/rdf/jsonld"
	"laundromat/rdf/rdftest"
)

// A suite is a row of the table.
type suite struct {
	name  string
	floor int // the least share that must pass, in percent
	tests []conformanceTest
}

type conformanceTest struct {
	iri    string // by the manifest
	name   string
	format format.Format
	in     []byte
	opt    format.Options

	kind kind
	want []byte // of evaluation: the expected statements; of canonical: the bytes
	// wanted is how want is written.
	wanted format.Format
}

type kind int

const (
	evaluation      kind = iota // says exactly the expected statements, and nothing is repaired or lost
	positive                    // nothing is repaired or lost
	negative                    // something is lost when repairs are not made
	statements                  // says exactly the expected statements; what else is in the document may be at fault
	accepted                    // is read to its end
	canonical                   // is written as the expected bytes
	withoutFOAFName             // says nothing of foaf:name
	withDuration                // says that something has the duration of test 0280
)

// suites lists all tests. It skips where the suites are not.
func suites(t *testing.T) (all []suite) {
	for _, s := range []struct {
		name, folder  string
		format, wants format.Format
		floor         int
	}{
		{"N-Triples 1.1", "rdf11/rdf-n-triples", format.NTriples, "", 100},
		{"N-Quads 1.1", "rdf11/rdf-n-quads", format.NQuads, "", 100},
		{"Turtle 1.1", "rdf11/rdf-turtle", format.Turtle, format.NTriples, 100},
		{"TriG 1.1", "rdf11/rdf-trig", format.TriG, format.NQuads, 100},
		{"RDF/XML 1.1", "rdf11/rdf-xml", format.RDFXML, format.NTriples, 95},
		{"N-Triples 1.2", "rdf12/rdf-n-triples/syntax", format.NTriples, "", 100},
		{"N-Quads 1.2", "rdf12/rdf-n-quads/syntax", format.NQuads, "", 100},
		{"Turtle 1.2 syntax", "rdf12/rdf-turtle/syntax", format.Turtle, "", 100},
		{"Turtle 1.2", "rdf12/rdf-turtle/eval", format.Turtle, format.NTriples, 100},
		{"TriG 1.2 syntax", "rdf12/rdf-trig/syntax", format.TriG, "", 100},
		{"TriG 1.2", "rdf12/rdf-trig/eval", format.TriG, format.NQuads, 100},
		{"RDF/XML 1.2", "rdf12/rdf-xml/eval", format.RDFXML, format.NTriples, 95},
	} {
		all = append(all, suite{s.name, s.floor, w3c(t, s.format, s.wants, s.folder)})
	}
	all = append(all,
		suite{"RDF/XML 1.1, withdrawn", 100, withdrawn(t, format.RDFXML, format.NTriples, "rdf11/rdf-xml")},
		suite{"Canonical N-Triples 1.2", 100, written(t, format.NTriples, "rdf-n-triples")},
		suite{"Canonical N-Quads 1.2", 100, written(t, format.NQuads, "rdf-n-quads")},
		suite{"JSON-LD 1.1 toRdf", 100, jsonLD(t)},
		suite{"JSON-LD 1.1 in HTML, toRdf", 100, jsonLDInHTML(t)})
	for _, host := range []struct{ folder, contentType string }{
		{"html4", "text/html"}, {"html5", "text/html"}, {"html5-invalid", "text/html"},
		{"xhtml1", "application/xhtml+xml"}, {"xhtml5", "application/xhtml+xml"}, {"xhtml5-invalid", "application/xhtml+xml"},
		{"svg", "image/svg+xml"}, {"xml", "application/xml"},
	} {
		all = append(all, suite{"RDFa 1.1 in " + host.folder, 80, rdfa(t, host.folder, host.contentType)})
	}
	return all
}

func file(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func w3c(t *testing.T, f, wanted format.Format, folder string) (tests []conformanceTest) {
	for _, e := range rdftest.Manifest(t, rdftest.Shared(t, "conformance", "w3c-rdf-tests", filepath.FromSlash(folder), "manifest.ttl")) {
		test := conformanceTest{iri: e.IRI, name: e.Name, format: f, in: file(t, e.Action), wanted: wanted}
		test.opt.Base = e.Base
		switch {
		case strings.Contains(e.Type, "Negative"):
			test.kind = negative
		case e.Result == "":
			test.kind = positive
		}
		if e.Result != "" && test.kind != negative {
			test.want = file(t, e.Result)
		}
		tests = append(tests, test)
	}
	return tests
}

// written lists the tests of the canonical form.
func written(t *testing.T, f format.Format, folder string) (tests []conformanceTest) {
	for _, e := range rdftest.Manifest(t, rdftest.Shared(t, "conformance", "w3c-rdf-tests", "rdf12", folder, "c14n", "manifest.ttl")) {
		tests = append(tests, conformanceTest{iri: e.IRI, name: e.Name, format: f, in: file(t, e.Action), kind: canonical,
			want: file(t, e.Result)})
	}
	return tests
}

func jsonLD(t *testing.T) (tests []conformanceTest) {
	folder := rdftest.Shared(t, "conformance", "json-ld-api", "tests")
	var manifest struct {
		Base     string `json:"baseIri"`
		Sequence []struct {
			ID     string `json:"@id"`
			Input  string
			Expect string
			Error  string `json:"expectErrorCode"`
			Option struct{ Base, SpecVersion, ProcessingMode, RDFDirection, ExpandContext string }
		}
	}
	if err := json.Unmarshal(file(t, filepath.Join(folder, "toRdf-manifest.jsonld")), &manifest); err != nil {
		t.Fatal(err)
	}
	for _, e := range manifest.Sequence {
		if e.Option.SpecVersion == "json-ld-1.0" {
			continue
		}
		path := filepath.Join(folder, e.Input)
		if _, err := os.Stat(path); err != nil { // one test names a folder of another suite
			path = filepath.Join(folder, "toRdf", filepath.Base(e.Input))
		}
		test := conformanceTest{iri: manifest.Base + "toRdf-manifest" + e.ID, name: strings.TrimPrefix(e.ID, "#"), format: format.JSONLD,
			in: file(t, path), kind: statements, wanted: format.NQuads}
		test.opt.Base = manifest.Base + e.Input
		if e.Option.Base != "" {
			test.opt.Base = e.Option.Base
		}
		test.opt.Contexts = map[string]string{manifest.Base: folder}
		test.opt.JSONLD.Mode = jsonld.Mode(strings.TrimPrefix(e.Option.ProcessingMode, "json-ld-"))
		test.opt.JSONLD.Direction = jsonld.Direction(e.Option.RDFDirection)
		if e.Option.ExpandContext != "" {
			test.opt.JSONLD.ExpandContext = manifest.Base + e.Option.ExpandContext
		}
		switch {
		case e.Error != "":
			test.kind = negative
		case e.Expect == "":
			test.kind = accepted
		default:
			test.want = file(t, filepath.Join(folder, e.Expect))
		}
		tests = append(tests, test)
	}
	return tests
}

// jsonLDInHTML lists the tests of JSON-LD in the scripts of pages that ask for RDF.
func jsonLDInHTML(t *testing.T) (tests []conformanceTest) {
	folder := rdftest.Shared(t, "conformance", "json-ld-api", "tests")
	var manifest struct {
		Base     string `json:"baseIri"`
		Sequence []struct {
			ID     string   `json:"@id"`
			Type   []string `json:"@type"`
			Input  string
			Expect string
			Error  string `json:"expectErrorCode"`
			Option struct {
				Base              string
				ExtractAllScripts *bool
			}
		}
	}
	if err := json.Unmarshal(file(t, filepath.Join(folder, "html-manifest.jsonld")), &manifest); err != nil {
		t.Fatal(err)
	}
	for _, e := range manifest.Sequence {
		if !slices.Contains(e.Type, "jld:ToRDFTest") {
			continue
		}
		name, fragment, _ := strings.Cut(e.Input, "#")
		test := conformanceTest{iri: manifest.Base + "html-manifest" + e.ID, name: strings.TrimPrefix(e.ID, "#"), format: format.HTML,
			in: file(t, filepath.Join(folder, name)), kind: statements, wanted: format.NQuads}
		test.opt.Base = manifest.Base + name
		if e.Option.Base != "" {
			test.opt.Base = e.Option.Base
		}
		test.opt.Scripts.ID = fragment
		if all := e.Option.ExtractAllScripts; all != nil {
			test.opt.Scripts.First, test.opt.Scripts.Joined = !*all, *all
		}
		if e.Error != "" {
			test.kind = negative
		} else {
			test.want = file(t, filepath.Join(folder, e.Expect))
		}
		tests = append(tests, test)
	}
	return tests
}

func rdfa(t *testing.T, host, contentType string) (tests []conformanceTest) {
	files, err := filepath.Glob(filepath.Join(rdftest.Shared(t, "conformance", "rdfa", "test-suite", "test-cases", "rdfa1.1", host),
		"[0-9]*.*ml"))
	if err != nil {
		t.Fatal(err)
	}
	svg, _ := filepath.Glob(filepath.Join(rdftest.Shared(t, "conformance", "rdfa", "test-suite", "test-cases", "rdfa1.1", host),
		"[0-9]*.svg"))
	for _, path := range append(files, svg...) {
		extension := filepath.Ext(path)
		test := conformanceTest{name: strings.TrimSuffix(filepath.Base(path), extension), format: format.RDFa, in: file(t, path),
			kind: statements, wanted: format.Turtle}
		test.opt = format.Options{ContentType: contentType, Name: filepath.Base(path)}
		test.opt.Base = "http://rdfa.info/test-suite/test-cases/rdfa1.1/" + host + "/" + filepath.Base(path)
		test.iri = "http://rdfa.info/test-suite/test-cases/rdfa1.1/" + host + "/manifest#" + test.name
		test.want = file(t, strings.TrimSuffix(path, extension)+".ttl")
		if test.name == "0180" { // the graph that comes with it holds the triple that must not be
			test.kind = withoutFOAFName
		}
		if test.name == "0280" { // that graph has a blank node where the query has any node
			test.kind = withDuration
		}
		tests = append(tests, test)
	}
	return tests
}

// verdict runs a test, and says why it fails; "" if it does not.
func (c *conformanceTest) verdict(t *testing.T) string {
	lines, worst, err := washed(c.format, c.in, c.opt, c.kind == negative || c.format == format.JSONLD)
	if err != nil {
		return err.Error()
	}
	text := []byte(strings.Join(append(lines, ""), "\n"))
	switch c.kind {
	case accepted:
		return ""
	case negative:
		if worst < fault.Drop {
			return "no fault was found"
		}
		return ""
	case canonical:
		if !bytes.Equal(text, c.want) {
			return "other bytes"
		}
		return ""
	case withoutFOAFName:
		if bytes.Contains(text, []byte("<http://xmlns.com/foaf/0.1/name>")) {
			return "a name was found"
		}
		return ""
	case withDuration:
		if !bytes.Contains(text, []byte(` "P2011Y06M28DT00H00M00S"^^<http://www.w3.org/2001/XMLSchema#duration> .`)) {
			return "the duration was not found"
		}
		return ""
	case evaluation, positive:
		if worst >= fault.Repair {
			return "a fault was found"
		}
	}
	if c.kind == positive {
		return ""
	}
	opt := format.Options{}
	opt.Base = c.opt.Base
	// What is wanted is washed too, so that only what is said matters, not how.
	want, _, err := washed(c.wanted, c.want, opt, false)
	if err != nil {
		t.Fatalf("%s: what is wanted: %v", c.name, err)
	}
	if !rdftest.Isomorphic(quads(t, lines), quads(t, want)) {
		return "other statements"
	}
	return ""
}

// washed is what package clean makes of a document: its lines in document order,
// and the severity of the worst finding.
func washed(f format.Format, text []byte, opt format.Options, strict bool) (lines []string, worst fault.Severity, err error) {
	first, tally := clean.Chain(
		clean.Options{KeepBlankNodes: true, HasAnonymous: true, KeepLiterals: true, Strict: strict}, clean.EachLine(

			func(line []byte) error {
				lines = append(lines, string(line))
				return nil
			}),

		func(n fault.Notice) { worst = max(worst, n.Severity) })

	_, err = format.Parse(context.Background(), f, bytes.NewReader(text), opt, first)
	tally.Close()
	return lines, worst, err
}

func quads(t *testing.T, lines []string) []rdf.Quad {
	var c rdftest.Collector
	in := strings.NewReader(strings.Join(append(slices.Clone(lines), ""), "\n"))
	if _, err := format.Parse(context.Background(), format.NQuads, in, format.Options{}, &c); err != nil {
		t.Fatal(err)
	}
	if c.Worst() > fault.Note {
		t.Fatalf("a clean line is at fault: %+v", c.Notices)
	}
	return c.Quads
}
