package clean_test

import (
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/clean"
)

func TestStrayBytes(t *testing.T) {
	for _, c := range []struct{ in, want string }{ // want "" if lost
		{"caf\xE9", "café"},
		{"\xC9cole", "École"},
		{"na\xEFve \xFCber stra\xDFe", "naïve über straße"},
		{"\xE9t\xE9", "été"},
		{"No\xEB\xEBl", "Noëël"},
		{"é \xE9t", "é ét"},
		{"\xE9", ""},           // alone
		{"1\xE9", ""},          // beside a digit
		{"a\x80", ""},          // the euro sign is no letter
		{"a\x81", ""},          // no character at all
		{"a\xE9\x80", ""},      // a run with both
		{"caf\xC3", "cafÃ"},    // half of a character: a letter, by the rule
		{"\xE2\x82", ""},       // half of the euro sign
		{"日\xE6\x97", ""},      // half of a character among others
		{"x \xF0\x9F\x98", ""}, // three quarters of one
	} {
		w := wash(t, clean.Options{}, of(text(c.in, "")))
		if c.want == "" {
			if w.found() != "drop encoding/invalid-bytes" || w.tally.Dropped != 1 {
				t.Errorf("%q: got %q, %s", c.in, w.lines, w.found())
			}
		} else if len(w.lines) != 1 || object(w.lines[0]) != `"`+c.want+`"` || w.found() != "repair encoding/mixed-bytes" {
			t.Errorf("%q: got %q, %s", c.in, w.lines, w.found())
		}
	}
}

func TestStrayBytesAreSeenInEveryTerm(t *testing.T) {
	good, bad, mendable := "http://e/x", "http://e/\xFF", "http://e/caf\xE9"
	for i := range 4 {
		for _, c := range []struct{ value, want string }{
			{bad, "drop encoding/invalid-bytes"}, {mendable, "repair encoding/mixed-bytes"},
		} {
			terms := []rdf.Term{iri(good), iri(good), iri(good), iri(good)}
			terms[i] = iri(c.value)
			if w := wash(t, clean.Options{}, quad(terms...)); w.found() != c.want {
				t.Errorf("term %d: got %s", i, w.found())
			}
		}
	}
	for _, o := range []rdf.Term{text("x", bad), tagged("x", "e\xFF")} {
		if w := wash(t, clean.Options{}, of(o)); w.found() != "drop encoding/invalid-bytes" {
			t.Errorf("got %s", w.found())
		}
	}
	w := wash(t, clean.Options{}, quad(iri(mendable), iri(bad), iri(bad)))
	if w.tally.Dropped != 1 || w.tally.Read != 1 || w.notices[0].Severity != fault.Drop {
		t.Errorf("%s, tally %+v", w.found(), w.tally)
	}
}
