package fault_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"laundromat/internal/fault"
)

func TestExcerptIsOnePrintableLine(t *testing.T) {
	for in, want := range map[string]string{
		"":                         "",
		"plain text":               "plain text",
		"a\tb":                     "a b",
		"a\nb\r":                   `a\nb\r`,
		"a\xFFb":                   `a\xFFb`,
		"\x00\u200B":               `\u0000\u200B`,
		"\U000E0001":               `\U000E0001`,
		"é日𠀋":                      "é日𠀋",
		strings.Repeat("a", 120):   strings.Repeat("a", 120),
		strings.Repeat("a", 121):   strings.Repeat("a", 117) + "…",
		strings.Repeat("é", 60):    strings.Repeat("é", 60),
		strings.Repeat("é", 61):    strings.Repeat("é", 58) + "…",
		strings.Repeat("\x00", 30): strings.Repeat(`\u0000`, 19) + "…",
	} {
		if got := fault.Excerpt([]byte(in)); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func FuzzExcerptIsOnePrintableLine(f *testing.F) {
	f.Add([]byte("a\xFF\x00é\n" + strings.Repeat("日", 60)))
	f.Fuzz(func(t *testing.T, text []byte) {
		got := fault.Excerpt(text)
		if len(got) > fault.MaxExcerpt || !utf8.ValidString(got) {
			t.Fatalf("%q: %q has %d bytes", text, got, len(got))
		}
		for _, r := range got {
			if !unicode.IsPrint(r) {
				t.Fatalf("%q: %q holds %U", text, got, r)
			}
		}
	})
}
