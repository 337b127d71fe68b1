package states_test

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/internal/linesort"
	"laundromat/rdf/clean"
	"laundromat/rdf/format"
	"laundromat/report"
	"laundromat/states"
)

// diffOf washes a document and returns the diff of its repairs.
func diffOf(t *testing.T, of, text string) (diff string, diffs *states.Diffs, document *report.Document) {
	t.Helper()
	var out bytes.Buffer
	diffs = &states.Diffs{To: &out}
	target := states.NewSorted(linesort.Options{}, func() (states.LineWriter, error) { return memoryLines{new([]string)}, nil })
	defer target.Close()
	washer := &states.Washer{
		Given: states.Given{Format: of, Encoding: "utf-8"}, Target: target, Diffs: diffs,
		Settings: states.Settings{Settings: format.Settings{Temp: t.TempDir()}, Clean: clean.Options{Genid: "http://g"}},
		Each:     func(d *report.Document) { document = d },
	}
	in := states.Input{Name: "doc", FileName: "doc", Source: strings.NewReader(text), Base: "http://e/doc"}
	if err := washer.Wash(context.Background(), in); err != nil {
		t.Fatal(err)
	}
	return out.String(), diffs, document
}

// Every edit of the examples is proved: none is refuted where it is the only one.
func TestNoEditOfAnExampleIsRefuted(t *testing.T) {
	for _, kind := range fault.Repairs() {
		for _, e := range kind.Examples {
			diff, diffs, document := diffOf(t, e.Format, e.Before)
			if diffs.Repairs != 1 || strings.Contains(diff, "written so") || (diffs.Written == 1) == strings.Contains(diff, "# not here") {
				t.Errorf("%s %s: %d of %d repairs, %v\n%s", kind.Code, e.Format, diffs.Written, diffs.Repairs, document.Notices, diff)
			}
		}
	}
}

// Of two commas that separate nothing, each edit takes the same one. That is found out, and costs no other edit.
func TestRefutedEditsAreTakenBackAlone(t *testing.T) {
	const text = "{\"@id\":\"http://e/s\",\"http://e/p\":[1,,],\"http://e/q\":\"a\tb\"}\n"
	diff, diffs, _ := diffOf(t, "JSON-LD", text)
	if diffs.Repairs != 3 || diffs.Written != 1 ||
		!strings.Contains(diff,
			"# doc: 1 of 3 repairs\n# not here: 2 × syntax/json-comma: written so, the document would say another thing\n") ||
		!strings.Contains(diff, `+{"@id":"http://e/s","http://e/p":[1,,],"http://e/q":"a\tb"}`) {
		t.Errorf("%d of %d repairs\n%s", diffs.Written, diffs.Repairs, diff)
	}
}

// A failing disk under the diff ends the run, and is not the document's fault.
func TestDiffThatCantBeWrittenIsNotTheDocumentsFault(t *testing.T) {
	target := states.NewSorted(linesort.Options{}, func() (states.LineWriter, error) { return memoryLines{new([]string)}, nil })
	defer target.Close()
	washer := &states.Washer{Settings: states.Settings{Settings: format.Settings{Temp: t.TempDir()}}, Target: target,
		Diffs: &states.Diffs{To: fullDisk{}}, Each: func(d *report.Document) { t.Errorf("told: %+v", d.Error) }}
	in := states.Input{Name: "a.nt", FileName: "a.nt", Source: strings.NewReader("<http://e/s> <http://e/p> <http://e/a b> .\n")}
	if err := washer.Wash(context.Background(), in); err == nil {
		t.Error("the run goes on")
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, io.ErrShortWrite }
