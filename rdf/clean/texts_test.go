package clean_test

import (
	"testing"

	"laundromat/rdf"
	"laundromat/rdf/clean"
)

func TestDoubtfulTextsAreToldAndKept(t *testing.T) {
	for value, want := range map[string]string{
		"MÃ¼nchen":     "warning literal/mojibake",
		"a\uFFFDb":     "warning literal/replacement-character",
		"a\x01b":       "warning literal/control-character",
		"a\uE001b":     "warning literal/private-use",
		"a &amp; b":    "warning literal/html-entity",
		"<b>a</b>":     "warning literal/html-tag",
		" a":           "warning literal/white-space",
		"e\u0301":      "warning literal/not-nfc",
		"A good text.": "", "": "", "München": "", "a\nb": "",
	} {
		for _, term := range []rdf.Term{text(value, ""), tagged(value, "en")} {
			w := wash(t, clean.Options{}, of(term))
			if w.found() != want || w.tally.Kept != 1 || w.lines[0] != line(of(term)) {
				t.Errorf("%q: got %q, %s; want %s", value, w.lines, w.found(), want)
			}
			if strict := wash(t, clean.Options{Strict: true}, of(term)); strict.tally.Kept != 1 {
				t.Errorf("%q: strict drops warnings", value)
			}
		}
		if w := wash(t, clean.Options{}, of(text(value, "http://example.org/type"))); w.found() != "" && value != "a\uFFFDb" {
			t.Errorf("%q: the text of another datatype is judged: %s", value, w.found())
		}
	}
	if w := wash(t, clean.Options{}, of(tagged("M?nchen", "de"))); w.found() != "warning literal/question-marks" {
		t.Errorf("got %s", w.found())
	}
	if w := wash(t, clean.Options{}, of(tagged("????", "RU"))); w.found() != "note language/case, warning literal/question-marks" {
		t.Errorf("got %s", w.found())
	}
}
