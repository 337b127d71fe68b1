package prefix

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestATextIsCutBetweenCharacters(t *testing.T) {
	for _, c := range []struct {
		text string
		most int
		want string
	}{
		{"", 3, ""},
		{"abc", 3, "abc"},
		{"abc", 2, "ab"},
		{"abc", 0, ""},
		{"abc", -1, ""},
		{"aé", 2, "a"},
		{"aé", 3, "aé"},
		{"é", 1, ""},
		{"a\U0001F9FA", 4, "a"},
		{"a\x80\x80", 2, ""},
		{"\xff\xff", 1, "\xff"},
	} {
		if got := Of(c.text, c.most); got != c.want {
			t.Errorf("%q, %d: %q, want %q", c.text, c.most, got, c.want)
		}
		if got := Of([]byte(c.text), c.most); string(got) != c.want {
			t.Errorf("%q as bytes, %d: %q, want %q", c.text, c.most, got, c.want)
		}
	}
}

func FuzzACutTextIsTheLongestOfWholeCharacters(f *testing.F) {
	f.Add("añb\U0001F9FA", 3)
	f.Fuzz(func(t *testing.T, text string, most int) {
		if !utf8.ValidString(text) || most < 0 {
			t.Skip()
		}
		got := Of(text, most)
		rest, ok := strings.CutPrefix(text, got)
		_, next := utf8.DecodeRuneInString(rest)
		if !ok || len(got) > most || !utf8.ValidString(got) || rest != "" && len(got)+next <= most {
			t.Errorf("%q, %d: %q", text, most, got)
		}
	})
}
