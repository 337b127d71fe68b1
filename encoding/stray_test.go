package encoding_test

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"unicode/utf8"

	"laundromat/encoding"
)

// mixture is a document of which most is UTF-8, and labels are in another encoding.
func mixture(t testing.TB, name string, labels []string) (raw []byte, ok bool) {
	t.Helper()
	raw, ok = encode(t, name, document(labels))
	return append(raw, strings.Repeat("<http://example.org/> rdfs:comment \"Straße, naïve, 東京, Łódź, Москва\" .\n", 40*len(labels))...), ok
}

func decide(t testing.TB, raw []byte, h encoding.Hints) encoding.Choice {
	t.Helper()
	presumed, _ := encoding.Presume(raw, h)
	c, tolerate, _, err := encoding.Decide(context.Background(), bytes.NewReader(raw), presumed, h)
	if err != nil || tolerate != (c.Name == "utf-8") || tolerate != (c.Strays != nil) {
		t.Fatalf("%+v, tolerate %v, %v", c, tolerate, err)
	}
	return c
}

// read is a line of raw as it is read; false if that is not clear.
func read(c encoding.Choice, line []byte) (string, bool) {
	if utf8.Valid(line) {
		return string(line), true
	}
	meant, name := c.Strays.Read(line)
	return string(meant), name != ""
}

// A few labels in another encoding are enough to know which, in a document that is
// UTF-8 otherwise; and what is read is right.
func TestStrayBytesAreToldByTheirWords(t *testing.T) {
	right, wrong, all := 0, 0, 0
	for _, c := range encodings {
		labels := languages[c.language]
		for _, name := range c.in {
			if strings.HasPrefix(name, "utf-") || len(labels) < 4 || encoding.SingleByte(name)('\xE9') == utf8.RuneError {
				continue
			}
			raw, ok := mixture(t, name, labels)
			if !ok || utf8.Valid(raw) {
				continue
			}
			choice := decide(t, raw, encoding.Hints{})
			if choice.Name != "utf-8" {
				t.Errorf("%s in %s: read as %s", c.language, name, choice.Name)
				continue
			}
			for _, label := range labels {
				line, _ := encode(t, name, label)
				all++
				switch got, ok := read(choice, line); {
				case !ok:
					t.Logf("%s in %s: %q is not read", c.language, name, label)
				case got == label:
					right++
				default:
					wrong++
					t.Logf("%s in %s: %q, not %q", c.language, name, got, label)
				}
			}
		}
	}
	t.Logf("right: %d of %d, wrong: %d", right, all, wrong)
	if right*100 < all*93 || wrong*100 > all {
		t.Errorf("only %d of %d are right, and %d are wrong", right, all, wrong)
	}
}

// Texts of several encodings in one document are each read in their own.
func TestDocumentsJoinedOfSeveralEncodings(t *testing.T) {
	sources := []struct{ language, encoding string }{{"Russian", "windows-1251"}, {"French", "windows-1252"}, {"Polish", "iso-8859-2"},
		{"Greek", "iso-8859-7"}}
	var raw []byte
	for _, s := range sources {
		part, ok := mixture(t, s.encoding, languages[s.language])
		if !ok {
			t.Fatal(s)
		}
		raw = append(raw, part...)
	}
	choice := decide(t, raw, encoding.Hints{})
	for _, s := range sources {
		for _, label := range languages[s.language] {
			line, _ := encode(t, s.encoding, label)
			if got, ok := read(choice, line); ok && got != label {
				t.Errorf("%s: %q, not %q", s.encoding, got, label)
			} else if !ok {
				t.Logf("%s: %q is not read", s.encoding, label)
			}
		}
	}
}

// What is clear, and what is not, where hardly anything else is known.
func TestStrayBytesThatArePlain(t *testing.T) {
	sound := strings.Repeat("<http://example.org/> rdfs:comment \"Straße, naïve, 東京, Łódź, Москва\" .\n", 40)
	for _, c := range []struct{ in, want string }{ // want "" if it is lost
		{"Biblioth\xE8que municipale de Besan\xE7on", "Bibliothèque municipale de Besançon"},
		{"\xC9cole sup\xE9rieure", "École supérieure"},
		{"\x93Universit\xE4t Z\xFCrich\x94", "“Universität Zürich”"},
		{"\xD0\xEE\xF1\xF1\xE8\xE9\xF1\xEA\xE0\xFF \xED\xE0\xF6\xE8\xEE\xED\xE0\xEB\xFC\xED\xE0\xFF", "Российская национальная"},
		{"\xE9", ""},                 // alone
		{"caf\xC3", ""},              // half of a character
		{"MANH\xC3", ""},             // half of one, or a letter: nobody can know
		{"don\xE2\x80", ""},          // two thirds of an apostrophe
		{"日\xE6\x97", ""},            // two thirds of a character among others
		{"Моск\xD0", ""},             // half of one
		{"x \xF0\x9F\x98", ""},       // three quarters of one
		{"a\x81b", ""},               // no character in most pages
		{"\x8F\x90\x01\xFE\xD9", ""}, // no text
		{"Dvo\xF8\xE1k", "Dvořák"},
		{"caf\xE9", "café"},
	} {
		raw := []byte(sound + "<http://example.org/> rdfs:label \"" + c.in + "\" .\n" + sound)
		choice := decide(t, raw, encoding.Hints{})
		if got, _ := read(choice, []byte(c.in)); got != c.want {
			t.Errorf("%q: %q, want %q", c.in, got, c.want)
		}
	}
}
