package states_test

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"laundromat/archive"
	"laundromat/internal/digest"
	"laundromat/internal/fault"
	"laundromat/internal/linesort"
	"laundromat/rdf/format"
	"laundromat/report"
	"laundromat/states"
)

// washResult is what a wash made of one input.
type washResult struct {
	lines     []string
	documents []*report.Document
	totals    digest.Statements
}

// washing says how an input is washResult, and where that differs from the usual.
type washing struct {
	settings states.Settings // Temp is a folder for each wash if ""
	given    states.Given
	unsorted bool
	separate bool
	sort     linesort.Options
}

// memoryLines is an output in memory.
type memoryLines struct{ lines *[]string }

func (m memoryLines) Line(line []byte) error { *m.lines = append(*m.lines, string(line)); return nil }
func (memoryLines) Close() error             { return nil }
func (memoryLines) Abort()                   {}

// wash washes bytes as a file of that name.
func wash(t *testing.T, how washing, name string, in []byte) (w washResult) {
	t.Helper()
	ctx := context.Background()
	open := func() (states.LineWriter, error) { return memoryLines{&w.lines}, nil }
	one := func() states.Target {
		if how.unsorted {
			return states.NewUnsorted(open)
		}
		return states.NewSorted(how.sort, open)
	}
	target := one()
	if how.separate {
		target = &states.Separate{Make: func(string) states.Target { return one() }}
	}
	defer target.Close()
	if how.settings.Temp == "" {
		how.settings.Temp = t.TempDir()
	}
	washer := &states.Washer{
		Settings: how.settings, Given: how.given, Target: target, Samples: 1 << 20,
		Each: func(d *report.Document) { w.documents = append(w.documents, d) },
	}
	err := washer.Wash(ctx, states.Input{
		Name: name, FileName: name, Source: bytes.NewReader(in), Base: "file:///dirty/" + name, BaseIsFile: true,
	})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	sums, err := target.Finish(ctx)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	for _, d := range w.documents {
		w.totals.Add(d.Statements)
	}
	w.totals.Duplicates, w.totals.Written = sums.Duplicates, sums.Written
	return w
}

// zipped packs entries, given as name, text, name, text.
func zipped(t *testing.T, entries ...string) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for i := 0; i < len(entries); i += 2 {
		entry, err := w.Create(entries[i])
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprint(entry, entries[i+1])
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestEntryThatGrowsWithoutMeasureEndsItselfAndTheRunIsReported(t *testing.T) {
	triple := "<http://a/s> <http://a/p> <http://a/o> .\n"
	in := zipped(t, "a.nt", triple, "b.nt", strings.Repeat(triple, 1<<16), "c.nt", triple)
	w := wash(t, washing{settings: states.Settings{Limits: archive.Limits{Bytes: 1 << 20}}}, "x.zip", in)
	var names []string
	for _, d := range w.documents {
		name := d.Name
		if d.Error != nil {
			name += " " + string(d.Error.Code)
		}
		names = append(names, name)
	}
	want := []string{"x.zip!/a.nt", "x.zip!/b.nt " + string(fault.LimitArchiveBytes), "x.zip " + string(fault.LimitArchiveBytes)}
	if !slices.Equal(names, want) || len(w.lines) != 1 {
		t.Errorf("%q, %d lines; want %q", names, len(w.lines), want)
	}
}

func TestEntryThatFindsNoRoomIsLocalTroubleWithACode(t *testing.T) {
	in := zipped(t, "a.nt", strings.Repeat("#", 2<<20), "b.nt", "<http://a/s> <http://a/p> <http://a/o> .\n")
	w := wash(t, washing{settings: states.Settings{Settings: format.Settings{Temp: "/nowhere at all"}}}, "x.zip", in)
	if len(w.documents) != 2 || w.documents[0].Error == nil || w.documents[0].Error.Code != fault.LocalDisk ||
		w.documents[0].Error.Kind != fault.Local.String() || len(w.lines) != 1 {
		t.Errorf("%+v, %q", w.documents, w.lines)
	}
}

func TestLinesThatTurnOutToBeTurtleAreWrittenOnce(t *testing.T) {
	in := "_:0-1 <http://a/p> <http://a/o> .\n@prefix a: <http://a/> .\na:s a:p [] .\n"
	for _, unsorted := range []bool{false, true} {
		how := washing{unsorted: unsorted}
		how.settings.Clean.KeepBlankNodes = true
		w := wash(t, how, "x.dat", []byte(in))
		want := []string{"<http://a/s> <http://a/p> _:0-1 .", "_:00-1 <http://a/p> <http://a/o> ."}
		slices.Sort(w.lines)
		if !slices.Equal(w.lines, want) || w.totals.Written != 2 {
			t.Errorf("unsorted %t: %q, %+v", unsorted, w.lines, w.totals)
		}
	}
}

func TestPageThatBeginsWithLongStylesIsReadToItsData(t *testing.T) {
	in := "<html><head><style>" + strings.Repeat("p {}\n", 100_000) + "</style></head><body property='http://a/p'>x</body></html>"
	if w := wash(t, washing{}, "x.html", []byte(in)); len(w.lines) != 1 {
		t.Errorf("%q: %+v", w.lines, w.documents[0].Error)
	}
}
