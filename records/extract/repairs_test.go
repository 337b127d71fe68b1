package extract_test

import (
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/records/extract"
)

// Every example of the table of repairs becomes what it says, with that repair and no other.
func TestExamplesOfRepairs(t *testing.T) {
	for _, mended := range fault.RecordRepairs() {
		group, _, _ := strings.Cut(string(mended.Code), "/")
		for _, e := range mended.Examples {
			if group != "table" && group != "record" {
				continue
			}
			k := read(t, "a", e.Before, extract.Options{Source: &extract.Source{Format: e.Format}})
			if got := strings.Join(k.records, "\n") + "\n"; got != e.After {
				t.Errorf("%s\n%q\ngot  %q\nwant %q", mended.Code, e.Before, got, e.After)
			}
			repairs := 0
			for _, notice := range k.notices {
				if strings.HasPrefix(notice, "repair ") {
					repairs++
					if !strings.Contains(notice, strings.TrimPrefix(string(mended.Code), "table/")) {
						t.Errorf("%s: %s", mended.Code, notice)
					}
				}
			}
			if repairs == 0 {
				t.Errorf("%s: %q is not told", mended.Code, e.Before)
			}
		}
	}
}
