package encoding_test

import (
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"laundromat/encoding"
)

// lost is what is reported of a text that comes in pieces; "" for nothing.
func lost(t testing.TB, text string, pieces func(io.Reader) io.Reader) string {
	t.Helper()
	l, d := &encoding.Lost{}, doubled(t, text, pieces)
	if _, err := io.CopyBuffer(struct{ io.Writer }{l}, pieces(strings.NewReader(text)), make([]byte, 37)); err != nil {
		t.Fatal(err)
	}
	l.Close()
	notices := l.Notices(d.Outside())
	if len(notices) == 0 {
		return ""
	}
	return notices[0].Message
}

// inASCII writes a text as a program does that knows no letters but those of ASCII.
func inASCII(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= 0x80 {
			return '?'
		}
		return r
	}, text)
}

// A document whose letters were lost is known as such, in most languages; as it was, nothing
// is reported of it.
func TestDocumentsWhoseLettersAreLost(t *testing.T) {
	silent := map[string]bool{"Japanese": true, "quotation marks": true} // hardly a word between spaces
	for name, labels := range languages {
		if strings.Contains(name, "one ") {
			continue
		}
		text := document(labels)
		if got := lost(t, text, plainly); got != "" {
			t.Errorf("%s: %s", name, got)
		}
		if got := lost(t, inASCII(text), plainly); got == "" && !silent[name] {
			t.Errorf("%s: nothing is told of %q", name, inASCII(text))
		}
	}
}

func TestShareOfLostLetters(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"words", `"M?nchen" "D?sseldorf" "K?ln und M?nchen" "Bonn"`, "100 % of the letters outside ASCII (4 of 4) are lost"},
		{"a few came through", `"M?nchen" "D?sseldorf" "K?ln und M?nchen" "Zürich"`, "80 % of the letters outside ASCII (4 of 5) are lost"},
		{"most came through", `"M?nchen" "D?sseldorf" "K?ln" "Zürich, Bâle, Genève, Neuchâtel"`, ""},
		{"two words", `"M?nchen" "M?nchen" "D?sseldorf" "D?sseldorf"`, ""},
		{"words of question marks", `"????? ??????, ????????"`, "100 % of the letters outside ASCII (19 of 19) are lost"},
		{"what is not known", `"???" "???" "??" "???"`, ""},
		{"questions", `"Who? What? Why? How?" "Really??" "Where?I asked"`, ""},
		{"addresses", `<http://e/search?query=x> <page?title> <http://e/index?lang=de> <list?sort=up> "http://e/a?bcd" "/path?query" "a=b?cdef&g"`,
			""},
		{"addresses in words", `see http://e/page?query, e/some?thing (or x/other?thing)`, ""},
		{"variables", `"SELECT ?name ?title WHERE { ?x ?p ?name }"`, ""},
		{"patterns", `"colou?r" "https?://" "[a-z]?bcd" "x.?yyy" "colou?r"`, ""},
	} {
		for _, pieces := range []func(io.Reader) io.Reader{plainly, iotest.OneByteReader, iotest.HalfReader} {
			if got := lost(t, c.text, pieces); !strings.HasPrefix(got, c.want) || got != "" && c.want == "" {
				t.Errorf("%s: %q, want %q", c.name, got, c.want)
			}
		}
	}
}

// However the text comes in pieces, what is reported is the same.
func FuzzLostLettersInPieces(f *testing.F) {
	for _, text := range []string{"a?bc", "?????? ??? ??", "\"M?nchen\" \"D?sseldorf\" K?ln?", strings.Repeat("?", 200),
		strings.Repeat("a", 63) + "?b ", strings.Repeat("ab?c", 40)} {
		f.Add(text, 3)
	}
	f.Fuzz(func(t *testing.T, text string, size int) {
		text = strings.Repeat(text+" ", 3)
		whole := lost(t, text, plainly)
		in := &encoding.Lost{}
		for rest := text; rest != ""; {
			n := min(max(1, size&0xFF), len(rest))
			in.Write([]byte(rest[:n]))
			rest = rest[n:]
		}
		in.Close()
		got := ""
		if notices := in.Notices(doubled(t, text, plainly).Outside()); len(notices) > 0 {
			got = notices[0].Message
		}
		if got != whole {
			t.Errorf("in pieces of %d: %q, whole: %q", size, got, whole)
		}
	})
}
