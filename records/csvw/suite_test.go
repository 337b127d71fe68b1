package csvw_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/clean"
	"laundromat/rdf/rdftest"
	"laundromat/rdf/ttl"
	"laundromat/records/csvw"
)

// suiteBase is where the suite of W3C is.
const suiteBase = "http://www.w3.org/2013/csvw/tests/"

// suiteEntry is a test of a manifest.
type suiteEntry struct {
	ID, Type, Name, Action, Result, HTTPLink string
	Option                                   struct {
		NoProv, Minimal bool
		Metadata        string
	}
}

func suiteEntries(t *testing.T, manifest string) (dir string, entries []suiteEntry) {
	t.Helper()
	dir = rdftest.Shared(t, "conformance", "csvw", "tests")
	text, err := os.ReadFile(filepath.Join(dir, manifest))
	if err != nil {
		t.Fatal(err)
	}
	var whole struct{ Entries []suiteEntry }
	if err := json.Unmarshal(text, &whole); err != nil {
		t.Fatal(err)
	}
	return dir, whole.Entries
}

// suiteLoader opens the files of the suite as its site serves them.
func suiteLoader(dir string) func(context.Context, string, string) (*csvw.Resource, error) {
	return func(_ context.Context, url, _ string) (*csvw.Resource, error) {
		if url == "http://www.w3.org/.well-known/csvm" {
			return &csvw.Resource{URL: url,
				Text: strings.NewReader("{+url}-metadata.json\ncsv-metadata.json\n{+url}.json\ncsvm.json\n")}, nil
		}
		name, found := strings.CutPrefix(url, suiteBase)
		name, _, _ = strings.Cut(name, "?")
		file, err := os.Open(filepath.Join(dir, filepath.FromSlash(name)))
		if !found || err != nil {
			return nil, csvw.ErrNotFound
		}
		return &csvw.Resource{URL: url, Text: file}, nil
	}
}

// run makes the statements of a test.
func (e *suiteEntry) run(t *testing.T, dir string) (*rdftest.Collector, []fault.Notice, error) {
	var notices []fault.Notice
	load := suiteLoader(dir)
	opt := csvw.Options{Standard: !e.Option.Minimal, Load: load, Temp: t.TempDir(),
		Notice: func(n fault.Notice) { notices = append(notices, n) }}
	if e.Option.Metadata != "" {
		opt.Overriding = suiteBase + e.Option.Metadata
	}
	c := csvw.New(opt)
	in, err := load(t.Context(), suiteBase+e.Action, "")
	if err != nil {
		t.Fatal(err)
	}
	if e.HTTPLink != "" {
		in.Links = []string{e.HTTPLink}
	}
	got := &rdftest.Collector{}
	if strings.HasSuffix(e.Action, ".json") {
		err = c.Metadata(t.Context(), in, got)
	} else {
		err = c.Table(t.Context(), in, got)
	}
	return got, notices, err
}

// isFault says that a finding makes a table invalid.
func isFault(code fault.Code) bool {
	switch code {
	case fault.CSVWCell, fault.CSVWRequired, fault.CSVWPrimaryKey, fault.CSVWForeignKey, fault.CSVWColumns,
		fault.CSVWRowWidth, fault.CSVWQuotes:
		return true
	}
	return false
}

func TestTheSuiteToRDFPasses(t *testing.T) {
	dir, entries := suiteEntries(t, "manifest-rdf.jsonld")
	passed := 0
	for _, e := range entries {
		if t.Run(e.ID, func(t *testing.T) {
			got, notices, err := e.run(t, dir)
			if e.Type == "csvt:NegativeRdfTest" {
				if err == nil {
					t.Errorf("%s: it is read without an error", e.Name)
				}
				return
			}
			if err != nil {
				t.Fatalf("%s: %v", e.Name, err)
			}
			if e.Type == "csvt:ToRdfTestWithWarnings" && !hasWarning(notices) {
				t.Errorf("%s: there is no warning", e.Name)
			}
			want := &rdftest.Collector{}
			file, err := os.Open(filepath.Join(dir, e.Result))
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			if _, err := ttl.Read(t.Context(), file, rdf.Input{Base: suiteBase + e.Result}, ttl.Options{Syntax: ttl.Turtle},
				want); err != nil {
				t.Fatal(err)
			}
			if !rdftest.Isomorphic(cleaned(t, got.Quads), cleaned(t, want.Quads)) {
				t.Errorf("%s: the statements are\n%s\nbut wanted are\n%s", e.Name, strings.Join(got.Lines(), "\n"),
					strings.Join(want.Lines(), "\n"))
			}
		}) {
			passed++
		}
	}
	t.Logf("%d of %d pass", passed, len(entries))
	if len(entries) != 270 {
		t.Errorf("there are %d tests", len(entries))
	}
}

func hasWarning(notices []fault.Notice) bool {
	for _, n := range notices {
		if n.Severity >= fault.Warning {
			return true
		}
	}
	return false
}

// cleaned passes statements through the chain, which must keep them all.
func cleaned(t *testing.T, quads []rdf.Quad) []rdf.Quad {
	t.Helper()
	lines := &strings.Builder{}
	first, tally := clean.Chain(clean.Options{HasAnonymous: true, KeepBlankNodes: true}, clean.EachLine(func(line []byte) error {
		lines.Write(line)
		lines.WriteByte('\n')
		return nil
	}), nil)
	for i := range quads {
		q := quads[i]
		if err := first.Quad(&q); err != nil {
			t.Fatal(err)
		}
	}
	tally.Close()
	if tally.Dropped > 0 {
		t.Errorf("%d statements are dropped", tally.Dropped)
	}
	again := &rdftest.Collector{}
	if _, err := ttl.Read(t.Context(), strings.NewReader(lines.String()), rdf.Input{}, ttl.Options{Syntax: ttl.NQuads}, again); err != nil {
		t.Fatal(err)
	}
	return again.Quads
}

func TestTheSuiteOfValidationPasses(t *testing.T) {
	dir, entries := suiteEntries(t, "manifest-validation.jsonld")
	passed := 0
	for _, e := range entries {
		if t.Run(e.ID, func(t *testing.T) {
			_, notices, err := e.run(t, dir)
			var sink *rdf.SinkError
			if errors.As(err, &sink) {
				t.Fatal(err)
			}
			invalid := err != nil
			for _, n := range notices {
				invalid = invalid || isFault(n.Code)
			}
			switch e.Type {
			case "csvt:NegativeValidationTest":
				if !invalid {
					t.Errorf("%s: no fault is found", e.Name)
				}
			case "csvt:PositiveValidationTest", "csvt:WarningValidationTest":
				if invalid {
					t.Errorf("%s: a fault is found: %v %+v", e.Name, err, notices)
				}
				if e.Type == "csvt:WarningValidationTest" && !hasWarning(notices) {
					t.Errorf("%s: there is no warning", e.Name)
				}
			default:
				t.Errorf("unknown type %s", e.Type)
			}
		}) {
			passed++
		}
	}
	t.Logf("%d of %d pass", passed, len(entries))
	if len(entries) != 282 {
		t.Errorf("there are %d tests", len(entries))
	}
}
