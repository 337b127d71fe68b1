package clean_test

import (
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/clean"
	"laundromat/rdf/rdftest"
)

// Bytes that are not UTF-8 are read where somebody knows what they are; the notice says as
// what. Else the statement is lost.
func TestStrayBytes(t *testing.T) {
	for _, c := range []struct {
		in, want string // want "" if lost
		options  clean.Options
	}{
		{"caf\xE9", "café", clean.Options{ReadStray: rdftest.ReadLatin}},
		{"un caf\xE9", "un café", clean.Options{ReadStray: rdftest.ReadLatin}},
		{"caf\xC3", "", clean.Options{ReadStray: rdftest.ReadLatin}},
		{"caf\xE9", "", clean.Options{}},
		{"caf\xE9", "", clean.Options{ReadStray: rdftest.ReadLatin, Strict: true}},
	} {
		w := wash(t, c.options, of(text(c.in, "")))
		switch {
		case c.want != "":
			if len(w.lines) != 1 || object(w.lines[0]) != `"`+c.want+`"` || w.found() != "repair encoding/mixed-bytes" ||
				!strings.HasSuffix(w.notices[0].Message, "windows-1252") {
				t.Errorf("%q: got %q, %s", c.in, w.lines, w.found())
			}
		case len(w.lines) > 0 || w.tally.Dropped != 1 || w.notices[0].Severity != fault.Drop:
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
			if w := wash(t, clean.Options{ReadStray: rdftest.ReadLatin}, quad(terms...)); w.found() != c.want {
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
