package report_test

import (
	"fmt"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/report"
)

func TestFindingsOfARunAreCappedByCode(t *testing.T) {
	for _, c := range []struct {
		name                   string
		most, documents, each  int
		samples                int // that a document keeps
		severities             []fault.Severity
		shown, told, othersOne int // lines with a finding, lines with a count, and the count of the first
	}{
		{"one of each", 20, 3, 1, 20, nil, 3, 0, 0},
		{"as many as are shown", 20, 20, 1, 20, nil, 20, 0, 0},
		{"one more", 20, 21, 1, 20, nil, 20, 1, 1},
		{"very many", 20, 5000, 1, 20, nil, 20, 1, 1},
		{"several in each", 20, 8, 3, 20, nil, 20, 1, 1},
		{"one document with many", 20, 1, 50, 20, nil, 20, 1, 30},
		{"many documents with many", 20, 50, 50, 20, nil, 20, 1, 30},
		{"fewer are asked for", 2, 50, 1, 2, nil, 2, 1, 1},
		{"one is asked for", 1, 3, 2, 1, nil, 1, 1, 1},
		{"more are asked for", 100, 60, 1, 100, nil, 60, 0, 0},
		{"nothing is asked for", 0, 21, 1, 20, nil, 20, 1, 1},
		{"two severities of a code", 20, 30, 2, 20, []fault.Severity{fault.Repair, fault.Drop}, 20, 2, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			showing := report.Showing{Most: c.most}
			whole := report.Report{SamplesEach: c.most}
			var shown strings.Builder
			for i := range c.documents {
				collector := report.NewCollector(fmt.Sprintf("a.tar!/%d", i), c.samples)
				for j := range c.each {
					severity := fault.Warning
					if c.severities != nil {
						severity = c.severities[j%len(c.severities)]
					}
					collector.Notice(notice("iri/space", severity, int64(j+1)))
				}
				d := collector.Document()
				if err := showing.Write(&shown, d, false); err != nil {
					t.Fatal(err)
				}
				whole.Documents = append(whole.Documents, *d)
			}
			told := strings.Count(shown.String(), "more of this kind, not shown")
			if lines := strings.Count(shown.String(), "\n"); lines != c.shown+c.told || told != c.told {
				t.Errorf("%d lines, %d with a count, want %d and %d", lines, told, c.shown+c.told, c.told)
			}
			if c.told > 0 && !strings.Contains(shown.String(), fmt.Sprintf("and %d more of this kind", c.othersOne)) {
				t.Errorf("not told of %d others: %s", c.othersOne, shown.String())
			}
			var text strings.Builder
			if err := report.WriteText(&text, &whole, false); err != nil || !strings.HasPrefix(text.String(), shown.String()+"code ") {
				t.Errorf("the report as text has other findings, %v", err)
			}
			count := 0
			for line := range strings.Lines(strings.TrimPrefix(text.String(), shown.String())) {
				var severity string
				var n int
				if m, _ := fmt.Sscanf(line, "iri/space %s %d", &severity, &n); m == 2 {
					count += n
				}
			}
			if count != c.documents*c.each {
				t.Errorf("the table counts %d, want %d", count, c.documents*c.each)
			}
		})
	}
}

func TestEachCodeHasItsOwnShare(t *testing.T) {
	var showing report.Showing
	var shown strings.Builder
	for i := range 100 {
		collector := report.NewCollector(fmt.Sprintf("a.tar!/%d", i), 0)
		collector.Notice(notice("iri/space", fault.Warning, 1))
		if i > 50 {
			collector.Notice(notice("iri/empty", fault.Drop, 2))
		}
		showing.Write(&shown, collector.Document(), false)
	}
	for code, first := range map[string]string{"iri/space": "a.tar!/0:1:1: ", "iri/empty": "a.tar!/51:2:1: "} {
		if strings.Count(shown.String(), code+": m") != 20 || !strings.Contains(shown.String(), first) {
			t.Errorf("of %s: %s", code, shown.String())
		}
	}
}
