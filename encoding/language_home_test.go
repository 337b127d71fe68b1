package encoding

import (
	"math"
	"testing"

	"laundromat/encoding/language"
)

// The languages named in the table of homes are those that the statistics know, and each
// encoding has one of them at least.
func TestHomesAreOfKnownLanguages(t *testing.T) {
	known := map[string]bool{}
	for _, l := range language.All() {
		known[l.Name] = true
	}
	for name, languages := range homes {
		if _, ok := lookup(name); !ok {
			t.Errorf("%s isn't an encoding that is read", name)
		}
		for _, l := range languages {
			if !known[l] {
				t.Errorf("%s: nothing is known of %s", name, l)
			}
		}
		r, found := readingOf(name), false
		for _, isHome := range r.isHome {
			found = found || isHome
		}
		if !found {
			t.Errorf("%s is at home nowhere", name)
		}
	}
}

// What is the same text in two encodings is as likely in both, except for what the encodings are.
func TestSameTextIsAsLikelyInEachEncoding(t *testing.T) {
	words := [][]byte{[]byte(" Gr\xF6\xDFe "), []byte(" K\xF6ln "), []byte(" Z\xFCrich "), []byte(" C\xF3rdoba "), []byte("\"\xC1lvaro\"")}
	first := math.NaN()
	for _, name := range []string{"windows-1252", "iso-8859-15", "windows-1250", "iso-8859-2", "windows-1254", "iso-8859-9",
		"iso-8859-16"} {
		r := readingOf(name)
		w := r.weigh(words)
		if score := w.score - r.prior; math.IsNaN(first) {
			first = score
		} else if math.Abs(score-first) > 1e-9 {
			t.Errorf("%s: %g, in windows-1252 %g", name, score, first)
		}
		if isWestern := homes[name] == nil; isWestern != (w.away < 1) {
			t.Errorf("%s is away by %g", name, w.away)
		}
	}
}
