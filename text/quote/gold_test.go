package quote_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"laundromat/rdf/rdftest"
	"laundromat/text/quote"
)

var unescape = strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, "\t", `\r`, "\r")

// found writes quotes as the gold does: start, length and text, in code points.
func found(s string, r *quote.Result) []string {
	var out []string
	for _, q := range r.Quotes {
		out = append(out, fmt.Sprintf("%d+%d %s", utf8.RuneCountInString(s[:q.Start]), utf8.RuneCountInString(s[q.Start:q.End]), q.Text))
	}
	return out
}

func TestQuotesAreThoseOfTheGold(t *testing.T) {
	data, err := os.ReadFile(rdftest.Shared(t, "text", "cldr", "quotes.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	for _, known := range []bool{true, false} {
		all, right, extra, lines, whole := 0, 0, 0, 0, 0
		for line := range strings.SplitSeq(strings.TrimSuffix(string(data), "\n"), "\n") {
			columns := strings.Split(line, "\t")
			s := unescape.Replace(columns[3])
			var gold [][3]any
			if err := json.Unmarshal([]byte(unescape.Replace(columns[4])), &gold); err != nil {
				if err := json.Unmarshal([]byte(columns[4]), &gold); err != nil {
					t.Fatal(err)
				}
			}
			var want []string
			for _, g := range gold {
				want = append(want, fmt.Sprintf("%v+%v %v", g[0], g[1], g[2]))
			}
			language := columns[2]
			if !known {
				language = ""
			}
			got := found(s, quote.Find(s, quote.Options{Language: language}))
			n := 0
			left := map[string]int{}
			for _, g := range got {
				left[g]++
			}
			for _, w := range want {
				if left[w] > 0 {
					left[w]--
					n++
				}
			}
			all, right, extra, lines = all+len(want), right+n, extra+len(got)-n, lines+1
			if n == len(want) && n == len(got) {
				whole++
			} else {
				t.Logf("%s %s %s: %q\n got %q\nwant %q", columns[0], columns[1], language, s, got, want)
			}
			if columns[1] == "negative" && len(got) > 0 {
				t.Errorf("%s has quotes: %q", columns[0], got)
			}
		}
		t.Logf("language known %v: %d of %d quotes, %d that are none; %d of %d texts", known, right, all, extra, whole, lines)
		if share := float64(right) / float64(all); share < 0.98 {
			t.Errorf("%.4f of the quotes were found, want 0.98", share)
		}
	}
}
