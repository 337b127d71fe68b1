package report_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/report"
)

// faultyDocument has so many drops and repairs.
func faultyDocument(name string, drops, repairs int) *report.Document {
	c := report.NewCollector(name, 20)
	for i := range drops {
		c.Notice(notice(fault.SyntaxUnclosedString, fault.Drop, int64(i+1)))
	}
	for i := range repairs {
		c.Notice(notice(fault.IRISpace, fault.Repair, int64(i+1)))
	}
	return c.Document()
}

// A run of many documents ends with a table of them, the worst first, whether they are listed or only counted.
func TestTheWorstDocumentsAreNamedFirst(t *testing.T) {
	var listed, counted report.Report
	documents := []*report.Document{
		faultyDocument("sound.nt", 0, 0), faultyDocument("changed.nt", 0, 9), faultyDocument("lossy.nt", 2, 0),
	}
	for i := range 30 {
		documents = append(documents, faultyDocument(fmt.Sprintf("small%02d.nt", i), 0, 1))
	}
	documents = append(documents, faultyDocument("worst.nt", 3, 1))
	for _, d := range documents {
		listed.Documents = append(listed.Documents, *d)
		counted.Count(d)
	}
	want := `drop  repair  warning  document
   3       1        0  worst.nt
   2       0        0  lossy.nt
   0       9        0  changed.nt
   0       1        0  small00.nt
`
	for name, r := range map[string]*report.Report{"listed": &listed, "counted": &counted} {
		var text strings.Builder
		if err := report.WriteVerdict(&text, r, false); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(text.String(), want) || strings.Contains(text.String(), "sound.nt") ||
			!strings.Contains(text.String(), "small16.nt\nand 13 more documents with findings\n") {
			t.Errorf("%s: the verdict is\n%s", name, text.String())
		}
	}
	var one strings.Builder
	if err := report.WriteVerdict(&one, &report.Report{Documents: []report.Document{*documents[0], *documents[2]}}, false); err != nil ||
		strings.Contains(one.String(), "  document\n") {
		t.Errorf("one document with findings has a table by document: %s, %v", one.String(), err)
	}
}

// A page has the worst documents first and those without findings last, and of each code twenty samples in all.
func TestAPageShowsTheWorstFirst(t *testing.T) {
	var r report.Report
	for _, d := range []*report.Document{faultyDocument("sound.nt", 0, 0), faultyDocument("b.nt", 1, 15), faultyDocument("a.nt", 2, 15)} {
		d.Format = "N-Triples"
		r.Documents = append(r.Documents, *d)
	}
	var page strings.Builder
	if err := report.WriteHTML(&page, &r); err != nil {
		t.Fatal(err)
	}
	text := page.String()
	places := []int{
		strings.Index(text, `<a href="#d0">a.nt</a>`), strings.Index(text, `<a href="#d1">b.nt</a>`),
		strings.Index(text, `<h2 id="d0">a.nt</h2>`),
		strings.Index(text, `<h2 id="d1">b.nt</h2>`), strings.Index(text, "<li>sound.nt"),
	}
	for i, place := range places {
		if place < 0 || i > 0 && place < places[i-1] {
			t.Fatalf("the page has its parts at %d:\n%s", places, text)
		}
	}
	if samples := strings.Count(text, `<p class="message">`); samples != 20+3 {
		t.Errorf("%d samples are shown, want 20 of one code and 3 of the other", samples)
	}
	if shown := regexp.MustCompile(`and (\d+) more of this kind`).FindAllStringSubmatch(text, -1); len(shown) != 1 || shown[0][1] != "10" {
		t.Errorf("not shown are said to be %q", shown)
	}
	info, _ := fault.Explain(fault.IRISpace)
	if n := strings.Count(text, info.Mend); n != 1 {
		t.Errorf("a code is explained %d times", n)
	}
}
