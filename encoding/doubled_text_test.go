package encoding_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"laundromat/encoding"
)

// A text that is held whole is judged by all of its characters. A short one must be sure.
func TestShortTextsAreReadBackOnlyIfSure(t *testing.T) {
	for text, want := range map[string]string{
		"cafã© ole":                      "café ole",
		"CafÃ© ole":                      "Café ole",
		"â€œso":                          "“so",
		"le mot â«neigeâ»":               "le mot «neige»",
		"grã¶ãŸe ã¼ber":                  "größe über",
		"ð\u009f\u0098\u0080":            "😀",
		"a\u00a0b":                       "",
		"irmã\u00a0dela":                 "", // a no-break space may follow a word
		"maçã\u00a0e":                    "",
		"voilâ»":                         "",
		"vovó e vovô":                    "",
		"dnã² e ã³":                      "",
		"matúš kukan":                    "", // Czech
		"JOÃO":                           "",
		"São Paulo tem ação":             "",
		"plain":                          "",
		"":                               "",
		"The word cafã© in good English": "", // a capital was never made small
		"cafã© und Ärger":                "",
		"kafã© naïve":                    "", // another is sound
		"one*NL*cafã©*NL*two":            "one*NL*café*NL*two",
	} {
		got := ""
		if encoding.IsDouble([]byte(text)) {
			got = encoding.Undouble(text).Text
		}
		if got != want {
			t.Errorf("%q: %q, not %q", text, got, want)
		}
	}
}

// Offsets move with the text that is read back: each character is found where it is then.
func FuzzOffsetsMoveWithTheText(f *testing.F) {
	for _, text := range []string{"", "a", "João não", "日本語 and 😀!", "größe", "x\u00a0y", "é"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) {
			return
		}
		wrong := readAs1252(text)
		back := encoding.Undouble(wrong)
		if back.Text != text { // not all characters come through: ß as a small letter
			if len(back.Text) > len(wrong) || back.Offset(len(wrong)) != len(back.Text) {
				t.Errorf("%q: %d bytes, the end at %d", text, len(back.Text), back.Offset(len(wrong)))
			}
			return
		}
		for at := range text {
			if got := back.Offset(len(readAs1252(text[:at]))); got != at {
				t.Errorf("%q: %d is at %d", text, at, got)
			}
		}
		if got := back.Offset(len(wrong)); got != len(text) {
			t.Errorf("%q: the end is at %d", text, got)
		}
		if strings.ToValidUTF8(back.Text, "") != back.Text {
			t.Errorf("%q isn't UTF-8", back.Text)
		}
	})
}
