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
	if err != nil || tolerate != (c.Name == "utf-8") || tolerate != (len(c.Strays) > 0) {
		t.Fatalf("%+v, tolerate %v, %v", c, tolerate, err)
	}
	return c
}

func decoded(raw []byte, letter func(byte) rune) string {
	var b strings.Builder
	for len(raw) > 0 {
		r, size := utf8.DecodeRune(raw)
		if r == utf8.RuneError && size == 1 {
			r = letter(raw[0])
		}
		b.WriteRune(r)
		raw = raw[size:]
	}
	return b.String()
}

// A few labels in another encoding are enough to tell which, in a document that is
// UTF-8 otherwise.
func TestStrayBytesAreToldByTheirWords(t *testing.T) {
	right, all := 0, 0
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
			all++
			choice := decide(t, raw, encoding.Hints{})
			if choice.Name != "utf-8" {
				t.Errorf("%s in %s: read as %s", c.language, name, choice.Name)
				continue
			}
			want := document(labels)
			if got := decoded(raw, encoding.SingleByte(choice.Strays[0]))[:len(want)]; got == want {
				right++
			} else {
				t.Logf("%s in %s: %v, %q", c.language, name, choice.Strays, got)
			}
		}
	}
	t.Logf("right: %d of %d", right, all)
	if right*100 < all*90 {
		t.Errorf("only %d of %d are told", right, all)
	}
}
