package jsonld_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/jsonld"
	"laundromat/rdf/rdftest"
	"laundromat/rdf/ttl"
)

// missed lists the tests of the toRdf suite that this reader does not pass, and why.
var missed = map[string]string{
	"#tc029": noOldMode, "#te075": noOldMode, "#tep02": noOldMode, "#ter21": noOldMode, "#ter42": noOldMode, "#ttn01": noOldMode,
	"#tdi09": noDirection, "#tdi10": noDirection, "#tdi11": noDirection, "#tdi12": noDirection,
	"#te077": "no context can be given beside the document",
}

const (
	noOldMode   = "JSON-LD 1.0 as a processing mode is not offered"
	noDirection = "not normative: RDF 1.1 has no base direction"
)

type suiteTest struct {
	ID     string   `json:"@id"`
	Type   []string `json:"@type"`
	Input  string   `json:"input"`
	Expect string   `json:"expect"`
	Error  string   `json:"expectErrorCode"`
	Option struct {
		Base        string `json:"base"`
		Version     string `json:"specVersion"`
		Mode        string `json:"processingMode"`
		Expand      string `json:"expandContext"`
		Generalised bool   `json:"produceGeneralizedRdf"`
		Direction   string `json:"rdfDirection"`
	} `json:"option"`
}

func TestConformance(t *testing.T) {
	folder := rdftest.Shared(t, "conformance", "json-ld-api", "tests")
	text, err := os.ReadFile(filepath.Join(folder, "toRdf-manifest.jsonld"))
	if err != nil {
		t.Fatal(err)
	}
	var manifest struct {
		Base     string      `json:"baseIri"`
		Sequence []suiteTest `json:"sequence"`
	}
	if err := json.Unmarshal(text, &manifest); err != nil {
		t.Fatal(err)
	}
	passed, run := 0, 0
	for _, test := range manifest.Sequence {
		if test.Option.Version == "json-ld-1.0" {
			continue
		}
		run++
		reason := verdict(t, folder, manifest.Base, &test)
		why, expected := missed[test.ID]
		switch {
		case reason == "":
			passed++
			if expected {
				t.Errorf("%s passes, but is listed as missed", test.ID)
			}
		case !expected:
			t.Errorf("%s (%s): %s", test.ID, test.Input, reason)
		default:
			t.Logf("%s missed: %s", test.ID, why)
		}
	}
	t.Logf("%d of %d tests pass", passed, run)
	if passed*10 < run*9 {
		t.Errorf("%d of %d tests pass, which is less than 90 %%", passed, run)
	}
}

// verdict runs a test, and says why it fails; "" if it does not.
func verdict(t *testing.T, folder, base string, test *suiteTest) string {
	in, err := os.ReadFile(filepath.Join(folder, test.Input))
	if os.IsNotExist(err) { // one test names a folder of another suite
		in, err = os.ReadFile(filepath.Join(folder, "toRdf", filepath.Base(test.Input)))
	}
	if err != nil {
		t.Fatal(err)
	}
	iri := base + test.Input
	if test.Option.Base != "" {
		iri = test.Option.Base
	}
	var got rdftest.Collector
	err = jsonld.Read(context.Background(), strings.NewReader(string(in)), rdf.Input{Base: iri},
		jsonld.Options{Contexts: map[string]string{base: folder}}, &got)
	if err != nil {
		return err.Error()
	}
	if test.Error != "" {
		if got.Worst() < fault.Repair && len(lawful(got.Quads)) == len(got.Quads) {
			return "no fault found, but expected: " + test.Error
		}
		return ""
	}
	if test.Expect == "" {
		return ""
	}
	out, err := os.ReadFile(filepath.Join(folder, test.Expect))
	if err != nil {
		t.Fatal(err)
	}
	quads := lawful(got.Quads)
	var want rdftest.Collector
	if _, err := ttl.Read(context.Background(), strings.NewReader(string(out)), rdf.Input{}, ttl.Options{Syntax: ttl.NQuads}, &want); err != nil {
		t.Fatal(err)
	}
	if len(want.Notices) > 0 {
		return "the expected result is no N-Quads: " + want.Notices[0].Message
	}
	if !rdftest.Isomorphic(quads, want.Quads) {
		collector := rdftest.Collector{Quads: quads}
		return "got\n" + strings.Join(collector.Lines(), "\n") + "\nwant\n" + string(out)
	}
	return ""
}

// lawful leaves out what package clean does not let through.
func lawful(quads []rdf.Quad) (kept []rdf.Quad) {
	for _, q := range quads {
		sound := q.Predicate.Kind == rdf.IRI
		for _, t := range []*rdf.Term{&q.Subject, &q.Predicate, &q.Object, &q.Graph} {
			if t.Kind == rdf.IRI {
				sound = sound && rdf.IsAbsolute(t.Value) && !strings.ContainsAny(string(t.Value), " <>") && strings.Count(string(t.Value), "#") < 2
			}
			sound = sound && !strings.Contains(string(t.Language), " ") && !strings.Contains(string(t.Datatype), " ")
		}
		if sound {
			kept = append(kept, q)
		}
	}
	return kept
}
