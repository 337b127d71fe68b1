package report_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"testing/iotest"

	"laundromat/internal/fault"
	"laundromat/report"
)

// A passage is the line of the finding with those around it, wherever in the text it is and
// whatever ends the lines.
func TestPassageIsTheLineAndItsNeighbours(t *testing.T) {
	for _, ending := range []string{"\n", "\r\n", "\r"} {
		var text bytes.Buffer
		var at []int64
		const lines = 9000
		for n := 1; n <= lines; n++ {
			fmt.Fprintf(&text, "line %d says ", n)
			at = append(at, int64(text.Len()))
			fmt.Fprintf(&text, "<mark %d> and more", n)
			if n < lines {
				text.WriteString(ending)
			}
		}
		d := &report.Document{}
		for _, n := range []int64{lines, 1, 2, 4000, 4001, lines - 1, 1} {
			d.Samples = append(d.Samples, report.Sample{Notice: fault.Notice{Pos: fault.Pos{Line: n, Column: 1, Offset: at[n-1]}}})
		}
		d.Samples = append(d.Samples, report.Sample{}) // of the document as a whole
		if err := d.Quote(iotest.OneByteReader(&text)); err != nil {
			t.Fatal(err)
		}
		for _, s := range d.Samples {
			if s.Line == 0 {
				if s.Passage != nil {
					t.Errorf("a finding without a line has a passage: %+v", s.Passage)
				}
				continue
			}
			want := &report.Passage{}
			for n := max(s.Line-1, 1); n <= min(s.Line+1, lines); n++ {
				before, marked := fmt.Sprintf("line %d says ", n), fmt.Sprintf("<mark %d>", n)
				if n == s.Line {
					want.Lines = append(want.Lines, report.PassageLine{Number: n, Before: before, Marked: marked, After: " and more"})
				} else {
					want.Lines = append(want.Lines, report.PassageLine{Number: n, Before: before + marked + " and more"})
				}
			}
			if got := fmt.Sprintf("%+v", s.Passage); got != fmt.Sprintf("%+v", want) {
				t.Errorf("%q: line %d: got %s, want %+v", ending, s.Line, got, want)
			}
		}
	}
}

// Of a long line only what is near the finding is shown, with a mark where it is cut. What can't be
// printed is shown by its number.
func TestPassageIsShort(t *testing.T) {
	text := strings.Repeat("x", 1<<20) + "\x00\xFF here" + strings.Repeat("y", 1<<20)
	d := &report.Document{Samples: []report.Sample{{Notice: fault.Notice{Pos: fault.Pos{Line: 1, Column: 1<<20 + 1, Offset: 1 << 20}}}}}
	if err := d.Quote(strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	p := d.Samples[0].Passage
	if len(p.Lines) != 1 {
		t.Fatalf("%d lines", len(p.Lines))
	}
	line := p.Lines[0]
	if want := "…" + strings.Repeat("x", 60); line.Before != want {
		t.Errorf("before: %q", line.Before)
	}
	if line.Marked != `\u0000\xFF` {
		t.Errorf("marked: %q", line.Marked)
	}
	if want := " here" + strings.Repeat("y", 115) + "…"; line.After != want {
		t.Errorf("after: %q", line.After)
	}
}

// The mark is the IRI, the string or the word that the finding begins.
func TestMarkIsTheTermThatTheFindingBegins(t *testing.T) {
	for text, want := range map[string]string{
		`<a b> .`:         `<a b>`,
		`"it \" is"@en .`: `"it \" is"`,
		`ex:name, 1`:      `ex:name`,
		`; a`:             `;`,
		`<never closed`:   `<never`,
		`"never closed`:   `"never`,
		`ü`:               `ü`,
		``:                ``,
	} {
		d := &report.Document{Samples: []report.Sample{{Notice: fault.Notice{Pos: fault.Pos{Line: 1, Column: 1}}}}}
		if err := d.Quote(strings.NewReader(text)); err != nil {
			t.Fatal(err)
		}
		if line := d.Samples[0].Passage.Lines[0]; line.Marked != want || line.Marked+line.After != text {
			t.Errorf("%s: marked %q, after it %q", text, line.Marked, line.After)
		}
	}
}

// Whatever a document holds, a page shows it as text.
func TestPageEscapesWhatItShows(t *testing.T) {
	c := report.NewCollector("<script>alert(1)</script>.nt", 0)
	c.Notice(fault.Notice{Code: fault.IRISpace, Severity: fault.Repair, Message: "<b>", Excerpt: "<script>",
		Pos: fault.Pos{Line: 1, Column: 1}})
	d := c.Document()
	if err := d.Quote(strings.NewReader("<script>alert(2)</script>")); err != nil {
		t.Fatal(err)
	}
	var page bytes.Buffer
	if err := report.WriteHTML(&page, &report.Report{Documents: []report.Document{*d}}); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(page.String(), "<script") || strings.Contains(page.String(), "<b>") {
		t.Errorf("the page holds elements of the document:\n%s", page.String())
	}
	for _, want := range []string{"<mark>&lt;script&gt;</mark>alert(2)", "&lt;script&gt;alert(1)"} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the page does not hold %s", want)
		}
	}
}

// In a passage as it is, what can't be printed and what is no character stay what they were.
func TestPassageAsItIsChangesNothing(t *testing.T) {
	const line = "a\tb\x01\u202e\xff<c d> e"
	samples := []report.Sample{{Notice: fault.Notice{Pos: fault.Pos{Line: 2, Column: 8, Offset: 2 + int64(strings.Index(line, "<"))}}}}
	if err := report.QuoteAsIs(samples, strings.NewReader("x\n"+line+"\ny")); err != nil {
		t.Fatal(err)
	}
	want := report.PassageLine{Number: 2, Before: "a\tb\x01\u202e\xff", Marked: "<c d>", After: " e"}
	if got := samples[0].Passage; got == nil || len(got.Lines) != 3 || got.Lines[1] != want {
		t.Errorf("%+v", got)
	}
}
