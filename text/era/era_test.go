package era_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"laundromat/encoding"
	"laundromat/rdf/rdftest"
	"laundromat/text/era"
)

func date(t testing.TB, s string) time.Time {
	if s == "" {
		return time.Time{}
	}
	d, err := time.Parse(time.DateOnly, s)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestDaysHaveAPhase(t *testing.T) {
	for day, want := range map[string]string{
		"1999-01-01": "A", "2010-07-13": "A", "2010-07-14": "B", "2010-07-26": "B", "2010-07-27": "C", "2013-04-28": "C",
		"2013-04-29": "D", "2014-05-21": "D", "2014-05-22": "E", "2030-01-01": "E",
	} {
		if got := era.At(date(t, day)).String(); got != want {
			t.Errorf("%s: %s, not %s", day, got, want)
		}
		if got := era.At(date(t, day).Add(24*time.Hour - time.Second)).String(); got != want {
			t.Errorf("%s, at its end: %s, not %s", day, got, want)
		}
	}
}

// The phase is the first from that of the date on that the text allows. Without a date, the text must show it.
func TestTextAndDateGiveThePhase(t *testing.T) {
	for _, c := range []struct{ text, date, want string }{
		{"plain words in small letters", "2009-01-01", "A"},
		{"plain words in small letters", "2010-07-20", "B"},
		{"plain words in small letters", "2012-01-01", "C"},
		{"plain words in small letters", "2014-01-01", "D"},
		{"plain words in small letters", "2020-01-01", "E"},
		{"plain words in small letters", "", ""},
		{"Plain words with a capital", "2009-01-01", "D"},
		{"Plain words with a capital", "", ""},
		{"grã¶ãŸe und ãœbermut", "2009-01-01", "A"},
		{"grã¶ãŸe und ãœbermut", "2016-01-01", "A"}, // no other program made such text
		{"joã£o nã£o come pã£o", "", "A"},
		{"João não come pão", "2009-01-01", "E"},
		{"João não come pão", "", "E"},
		{"joão não come pão", "2009-01-01", "B"},
		{"joão não come pão", "2012-01-01", "E"},
		{"joão não come pão", "", ""},
		{"tôi ?ã ??n hà n?i", "", "B"},
		{"jo?o n?o come p?o", "", "C"},
		{"jo?o n?o come p?o", "2010-07-20", "B"},
		{"jo?o n?o come p?o", "2013-05-01", "D"},
		{"Jo?o n?o come p?o", "", "D"},
		{"Jo?o n?o come p?o", "2015-01-01", "E"},
		{"日本語の文章です", "", "E"},
		{"日本語の文章です", "2009-01-01", "E"},
		{"is it so? yes, it is: see http://example.org/a?b=c", "", ""},
		{"What? Who? \"Why?\"", "", ""},
		{"one*NL*two*NL*three", "2012-01-01", "C"},
		{"Ã¼ber JoÃ£o und sÃ¼ÃŸ", "", ""}, // read back wrongly, but never made small
		{"", "2009-01-01", "A"},
		{"", "", ""},
	} {
		if got := era.Recognise(era.Look(c.text), date(t, c.date)).String(); got != c.want {
			t.Errorf("%q of %q: %q, not %q", c.text, c.date, got, c.want)
		}
	}
}

// A page of many words is of no phase because of one slip.
func TestOneSlipShowsNoPhase(t *testing.T) {
	text := strings.Repeat("many words of a page ", 100) + "wh?t"
	if got := era.Recognise(era.Look(text), time.Time{}); got != 0 {
		t.Errorf("%v", got)
	}
}

func lines(t *testing.T, name string) []string {
	data, err := os.ReadFile(filepath.Join(rdftest.Shared(t, "text"), "era", name))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
}

// Each line of the given texts is of its phase by its date, and what phase A made of it can be read back. No other
// is touched.
func TestGivenLinesAreOfTheirPhase(t *testing.T) {
	dates := map[string]string{"A": "2009-03-04", "B": "2010-07-20", "C": "2011-05-05", "D": "2013-12-01", "E": "2015-01-01"}
	for phase, day := range dates {
		name := phase + ".txt"
		if phase == "B" {
			name = "B.expected.txt"
		}
		right := 0
		all := lines(t, name)
		for _, line := range all {
			seen := era.Look(line)
			if got := era.Recognise(seen, date(t, day)).String(); got == phase {
				right++
			}
			if seen.Double && phase != "A" {
				t.Errorf("%s is said to be double: %q", phase, line)
			}
		}
		if right != len(all) {
			t.Errorf("%s: %d of %d", phase, right, len(all))
		}
	}
	mended := 0
	want := lines(t, "A.expected.txt")
	for i, line := range lines(t, "A.txt") {
		if encoding.IsDouble([]byte(line)) {
			line = encoding.Undouble(line).Text
		}
		if line == want[i] {
			mended++
		} else {
			t.Logf("%q, not %q", line, want[i])
		}
	}
	t.Logf("%d of %d lines of phase A are mended", mended, len(want))
	if mended*1000 < len(want)*988 {
		t.Error("less than 98.8 %")
	}
}

// Real text in its own letters is never read back: each line as it is, and in small letters.
func TestNoSoundTextIsReadBack(t *testing.T) {
	shared := rdftest.Shared(t, "text")
	names, _ := filepath.Glob(filepath.Join(shared, "readability", "*", "expected.html"))
	for _, name := range []string{"ptb/own.tsv", "ptb/texts.tsv", "cldr/quotes.tsv", "era/E.txt", "era/clean.tsv", "era/A.expected.txt"} {
		names = append(names, filepath.Join(shared, name))
	}
	count := 0
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.SplitSeq(string(data), "\n") {
			for _, line := range []string{line, strings.ToLower(line)} {
				count++
				if encoding.IsDouble([]byte(line)) {
					t.Errorf("%s: %.200q", name, line)
				}
			}
		}
	}
	t.Logf("%d lines", count)
}
