package jsonld_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/internal/rfc3986"
	"laundromat/rdf"
	"laundromat/rdf/jsonld"
	"laundromat/rdf/rdftest"
	"laundromat/rdf/ttl"
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
		if reason := verdict(t, folder, manifest.Base, &test); reason != "" {
			t.Errorf("%s (%s): %s", test.ID, test.Input, reason)
			continue
		}
		passed++
	}
	t.Logf("%d of %d tests pass", passed, run)
	if run < 456 {
		t.Errorf("the suite has %d tests, which is fewer than it had", run)
	}
}

// toldOtherwise lists the negative tests whose fault is not told by the name that the
// suite has for it, and why.
var toldOtherwise = map[string]string{
	"#tc032": "of a scoped context, the faulty term is told and lost",
	"#tc033": "of a scoped context, the faulty term is told and lost",
	"#te123": "package clean judges IRIs",
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
	opt := jsonld.Options{Contexts: map[string]string{base: folder}}
	opt.Mode = jsonld.Mode(strings.TrimPrefix(test.Option.Mode, "json-ld-"))
	opt.Direction = jsonld.Direction(test.Option.Direction)
	if test.Option.Expand != "" {
		opt.ExpandContext = base + test.Option.Expand
	}
	var got rdftest.Collector
	err = jsonld.Read(context.Background(), strings.NewReader(string(in)), rdf.Input{Base: iri}, opt, &got)
	if err != nil {
		return err.Error()
	}
	if test.Error != "" {
		if got.Worst() < fault.Repair && len(lawful(got.Quads)) == len(got.Quads) {
			return "no fault found, but expected: " + test.Error
		}
		named := slices.ContainsFunc(got.Notices, func(n fault.Notice) bool { return strings.Contains(n.Message, test.Error) })
		if _, otherwise := toldOtherwise[test.ID]; named == otherwise {
			return fmt.Sprintf("%s: %v", test.Error, got.Notices)
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
	if test.Option.Generalised {
		quads, out = generalised(got.Quads), blankPredicate.ReplaceAll(out, []byte("$1 <"+generalisedName+"$2> "))
	}
	var want rdftest.Collector
	if _, err := ttl.Read(context.Background(), strings.NewReader(string(out)), rdf.Input{}, ttl.Options{Syntax: ttl.NQuads},
		&want); err != nil {
		t.Fatal(err)
	}
	if len(want.Notices) > 0 {
		return "the expected result isn't an N-Quads: " + want.Notices[0].Message
	}
	if !rdftest.Isomorphic(quads, want.Quads) {
		collector := rdftest.Collector{Quads: quads}
		return "got\n" + strings.Join(collector.Lines(), "\n") + "\nwant\n" + string(out)
	}
	return ""
}

// Generalised RDF has blank nodes as predicates, which no reader of N-Quads lets through. Such a
// predicate is shown by an IRI that holds its label.
const generalisedName = "x-blank:"

var blankPredicate = regexp.MustCompile(`(?m)^(\S+) _:(\S+) `)

func generalised(quads []rdf.Quad) []rdf.Quad {
	for i := range quads {
		if p := &quads[i].Predicate; p.Kind == rdf.BlankNode {
			*p = rdf.Term{Kind: rdf.IRI, Value: append([]byte(generalisedName), p.Value...)}
		}
	}
	return quads
}

// lawful leaves out what package clean does not let through.
func lawful(quads []rdf.Quad) (kept []rdf.Quad) {
	for _, q := range quads {
		sound := q.Predicate.Kind == rdf.IRI
		for _, t := range []*rdf.Term{&q.Subject, &q.Predicate, &q.Object, &q.Graph} {
			if t.Kind == rdf.IRI {
				sound = sound && rfc3986.IsAbsolute(t.Value) && !strings.ContainsAny(string(t.Value), " <>") &&
					strings.Count(string(t.Value), "#") < 2
			}
			sound = sound && !strings.Contains(string(t.Language), " ") && !strings.Contains(string(t.Datatype), " ")
		}
		if sound {
			kept = append(kept, q)
		}
	}
	return kept
}
