package clean_test

import (
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"

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
		{"\xE9", ""},      // alone
		{"1\xE9", ""},     // beside a digit
		{"a\x80", ""},     // the euro sign is no letter
		{"a\x81", ""},     // no character at all
		{"a\xE9\x80", ""}, // a run with both
		{"caf\xC3", ""},   // half of a character
		{"MANH\xC3", ""},  // half of one, or a letter: nobody can tell
		{"caf\xE2", ""},   // a third of a quotation mark
		{"ESPA\xD1A", "ESPAÑA"},
		{"kl\xD6n", ""},     // a capital behind a small letter
		{"K\x9Aln", "Kšln"}, // as good a letter as others, where nothing else is known
		{"it\x92s", "it’s"},
		{"l\x92\xE9cole", "l’école"},
		{"the boys\x92 room", ""}, // a quotation mark, or an apostrophe
		{"\x92s", ""},
		{"a\xBA", ""},          // a letter by name only
		{"na\xEF\u00FCve", ""}, // beside a letter in UTF-8
		{"“\xC9cole”", "“École”"},
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

// Bytes are read as what they are in the encodings that the document as a whole speaks
// for, and only where these agree.
func TestStrayBytesAreReadOnlyOneWay(t *testing.T) {
	encodings := map[string]clean.SingleByte{
		"1250": {Name: "windows-1250", Decode: charmap.Windows1250.DecodeByte},
		"1251": {Name: "windows-1251", Decode: charmap.Windows1251.DecodeByte},
		"1252": {Name: "windows-1252", Decode: charmap.Windows1252.DecodeByte},
		"8859": {Name: "iso-8859-1", Decode: charmap.ISO8859_1.DecodeByte},
	}
	for _, c := range []struct{ names, in, want string }{
		{"1250", "Dvo\xF8\xE1k", "Dvořák"},
		{"1252 1250", "Dvo\xF8\xE1k", ""},
		{"1252 1250", "Nov\xE1k", "Novák"},
		{"1250 1252 8859", "Nov\xE1k", "Novák"},
		{"1251", "\xCC\xEE\xF1\xEA\xE2\xE0", "Москва"},
		{"1251", "x\xCC\xEE\xF1\xEA\xE2\xE0", ""}, // no word is in two scripts
		{"1251", "Garc\xEDa", ""},
		{"1251", "\xCC\xEE", ""},
		{"1251", "2 \xE8\xFE\xED\xFF", "2 июня"},
		{"8859", "it\x92s", ""},
	} {
		var options clean.Options
		for _, name := range strings.Fields(c.names) {
			options.Strays = append(options.Strays, encodings[name])
		}
		w := wash(t, options, of(text(c.in, "")))
		if c.want == "" && w.found() != "drop encoding/invalid-bytes" || c.want != "" && (len(w.lines) != 1 || object(w.lines[0]) != `"`+c.want+`"`) {
			t.Errorf("%q in %s: got %q, %s", c.in, c.names, w.lines, w.found())
		}
		if c.want != "" && !strings.HasSuffix(w.notices[0].Message, options.Strays[0].Name) {
			t.Errorf("%q: %s", c.in, w.notices[0].Message)
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
