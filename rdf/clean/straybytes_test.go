package clean_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/clean"
)

// latin reads the bytes of é, è and É, as a judge does to whom these alone are plain.
func latin(text []byte) (meant []byte, encoding string) {
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		if r == utf8.RuneError && size == 1 {
			if r = rune(text[0]); r != 'é' && r != 'è' && r != 'É' {
				return nil, ""
			}
		}
		meant = utf8.AppendRune(meant, r)
		text = text[size:]
	}
	return meant, "windows-1252"
}

// Bytes that are not UTF-8 are read where somebody knows what they are; the notice says as
// what. Else the statement is lost.
func TestStrayBytes(t *testing.T) {
	for _, c := range []struct {
		in, want string // want "" if lost
		options  clean.Options
	}{
		{"caf\xE9", "café", clean.Options{ReadStray: latin}},
		{"un caf\xE9", "un café", clean.Options{ReadStray: latin}},
		{"caf\xC3", "", clean.Options{ReadStray: latin}},
		{"caf\xE9", "", clean.Options{}},
		{"caf\xE9", "", clean.Options{ReadStray: latin, Strict: true}},
	} {
		w := wash(t, c.options, of(text(c.in, "")))
		switch {
		case c.want != "":
			if len(w.lines) != 1 || object(w.lines[0]) != `"`+c.want+`"` || w.found() != "repair encoding/mixed-bytes" || !strings.HasSuffix(w.notices[0].Message, "windows-1252") {
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
			if w := wash(t, clean.Options{ReadStray: latin}, quad(terms...)); w.found() != c.want {
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
