package encoding_test

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"laundromat/encoding"
)

// readAs reads UTF-8 as windows-1252, with C1 controls where that has no character.
func readAs1252(text string) string {
	var b strings.Builder
	for i := range len(text) {
		r := charmap.Windows1252.DecodeByte(text[i])
		if r == utf8.RuneError {
			r = rune(text[i])
		}
		b.WriteRune(r)
	}
	return b.String()
}

func doubled(t testing.TB, text string, pieces func(io.Reader) io.Reader) *encoding.Doubled {
	t.Helper()
	d := &encoding.Doubled{}
	if _, err := io.CopyBuffer(struct{ io.Writer }{d}, pieces(strings.NewReader(text)), make([]byte, 37)); err != nil {
		t.Fatal(err)
	}
	d.Close()
	return d
}

func undoubled(t testing.TB, text string, times int, pieces func(io.Reader) io.Reader) string {
	t.Helper()
	r, err := encoding.NewReader(pieces(strings.NewReader(text)), "utf-8", encoding.Options{Undouble: times, Tolerate: true})
	if err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(got)
}

func plainly(r io.Reader) io.Reader { return r }

// A document that was encoded twice is recognised in every language, and is read back as it
// was. So it is after it was written in small letters. A sound one is left alone.
func TestDocumentsThatWereEncodedTwice(t *testing.T) {
	for name, labels := range languages {
		if strings.Contains(name, "one ") || name == "quotation marks" {
			continue
		}
		text := document(labels)
		for _, pieces := range []func(io.Reader) io.Reader{plainly, iotest.OneByteReader} {
			if d := doubled(t, text, pieces); d.Whole() || len(d.Notices()) > 0 {
				t.Errorf("%s: sound text is said to be double: %v", name, d.Notices())
			}
			wrong := readAs1252(text)
			if d := doubled(t, wrong, pieces); !d.Whole() || len(d.Notices()) != 1 || !strings.Contains(d.Notices()[0].Message, "100 %") {
				t.Errorf("%s: not found: %v", name, d.Notices())
			}
			if got := undoubled(t, wrong, 1, pieces); got != text {
				t.Errorf("%s: %q, not %q", name, got, text)
			}
			if got := undoubled(t, readAs1252(wrong), 2, pieces); got != text {
				t.Errorf("%s, twice: %q, not %q", name, got, text)
			}
		}
	}
	text := strings.ToLower(document(languages["German"]))
	lowered := strings.ToLower(readAs1252(text))
	if d := doubled(t, lowered, plainly); !d.Whole() || !strings.Contains(d.Notices()[0].Message, "small letters") {
		t.Errorf("small letters: %v", d.Notices())
	}
	if got := undoubled(t, lowered, 1, plainly); got != text {
		t.Errorf("%q, not %q", got, text)
	}
}

// The notice gives the share; a document of which a part is double is not read back.
func TestShareOfDoubleText(t *testing.T) {
	half := strings.Repeat("\"é\" \"Ã©\" ", 50)
	d := doubled(t, half, plainly)
	if d.Whole() || len(d.Notices()) != 1 ||
		!strings.HasPrefix(d.Notices()[0].Message, "50 % of the characters outside ASCII (50 of 100)") {
		t.Errorf("%v", d.Notices())
	}
	if d := doubled(t, "\"Ã©\" \"Ã©\"", plainly); d.Whole() || d.Notices() != nil {
		t.Errorf("two are too few: %v", d.Notices())
	}
	c, notice := doubled(t, strings.Repeat("Ã© ", 9), plainly).Undone(encoding.Choice{Name: "utf-8"})
	if c.Doubled != 1 || len(c.Evidence) != 1 ||
		c.Evidence[0] != (encoding.Evidence{From: "double-encoded", Value: "windows-1252", Confidence: 1}) ||
		!strings.Contains(notice.Message, "read back") {
		t.Errorf("%+v, %v", c, notice)
	}
}

// However the text comes in pieces, the count and what is read back are the same; no
// text grows by it, and ASCII passes.
func FuzzDoubleTextInPieces(f *testing.F) {
	for _, text := range []string{"a", "Ã¼", "ã¼", "â€™", "ÐŸÑ€Ð¸Ð²ÐµÑ‚", "\xC3", "Ã\xC3\xFF", strings.Repeat("Ã", 40)} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		one, whole := doubled(t, text, iotest.OneByteReader), doubled(t, text, plainly)
		if a, b := one.Notices(), whole.Notices(); len(a) != len(b) || len(a) == 1 && a[0].Message != b[0].Message {
			t.Errorf("%q: %v, not %v", text, a, b)
		}
		got := undoubled(t, text, 1, iotest.OneByteReader)
		if want := undoubled(t, text, 1, plainly); got != want || len(got) > len(text) {
			t.Errorf("%q: %q, not %q", text, got, want)
		}
		if utf8.ValidString(text) != utf8.ValidString(got) {
			t.Errorf("%q: %q", text, got)
		}
		if isASCII := !bytes.ContainsFunc([]byte(text), func(r rune) bool { return r >= 0x80 }); isASCII && got != text {
			t.Errorf("%q: %q", text, got)
		}
	})
}
