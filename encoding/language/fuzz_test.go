package language_test

import (
	"testing"

	"laundromat/encoding/language"
)

// A cost is never negative, and no word ends the weighing, whatever it is.
func FuzzCosts(f *testing.F) {
	for _, text := range []string{"", "Straße", "東京", "\u0301", "\U0010FFFF", "กรุงเทพ"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		word := wordOf(text)
		for _, l := range language.All() {
			if l.Cost(word) < 0 || language.ClassCost(l.Script, language.Edge, word, language.Edge) < 0 {
				t.Errorf("%s: %q: a negative cost", l.Name, text)
			}
		}
	})
}
