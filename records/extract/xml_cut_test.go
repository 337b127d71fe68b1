package extract_test

import (
	"slices"
	"strings"
	"testing"

	"laundromat/records/extract"
)

// The record that a document ends in is lost, since its last value may be a part of one. Whole ones stay, and that
// more may be missing is told.
func TestXMLThatIsCutShortSaysSo(t *testing.T) {
	const begin = `<?xml version="1.0"?><r><i><a>1</a><b>2</b></i>`
	for _, c := range []struct {
		end     string
		records int
		told    []string // the severities of record/cut-short
	}{
		{`<i><a>33</a><b>4</b></i></r>`, 2, nil},
		{`<i><a>33</a><b>4</b></i>`, 2, []string{"warning"}},
		{`<i><a>33</a><b>4</b>`, 1, []string{"drop"}},
		{`<i><a>33</a><b>4`, 1, []string{"drop"}},
		{`<i><a>33</a><b k="4`, 1, []string{"drop"}},
	} {
		k := read(t, "a.xml", begin+c.end, extract.Options{})
		var told []string
		for _, n := range k.notices {
			if severity, rest, _ := strings.Cut(n, " "); strings.HasPrefix(rest, "record/cut-short") {
				told = append(told, severity)
			}
		}
		lost := 2 - c.records
		if len(k.records) != c.records || !slices.Equal(told, c.told) || int(k.lost) != lost {
			t.Errorf("%s: %s, %q, lost %d; want %d records, %q", c.end, k.records, k.notices, k.lost, c.records, c.told)
		}
	}
}
