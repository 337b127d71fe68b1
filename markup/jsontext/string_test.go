package jsontext_test

import (
	"encoding/json"
	"testing"
	"unicode/utf8"

	"laundromat/markup/jsontext"
)

func TestEscapesAreDecoded(t *testing.T) {
	for _, c := range []struct {
		raw, want  string
		apostrophe bool
		bad        int
	}{
		{``, "", false, -1},
		{`a\"\\\/\b\f\n\r\t`, "a\"\\/\b\f\n\r\t", false, -1},
		{`\u00e9\u00E9`, "éé", false, -1},
		{`\uD83D\uDE00`, "😀", false, -1},
		{`\uD83Dx`, "\xED\xA0\xBDx", false, -1},
		{`\uDE00\uD83D`, "\xED\xB8\x80\xED\xA0\xBD", false, -1},
		{`it\'s`, "it's", true, -1},
		{`ab\x`, "", false, 2},
		{`a\`, "", false, 1},
		{`\u12`, "", false, 0},
		{`\u12g4`, "", false, 0},
	} {
		got, apostrophe, bad := jsontext.AppendUnescaped(nil, []byte(c.raw))
		if string(got) != c.want || apostrophe != c.apostrophe || bad != c.bad {
			t.Errorf("%s: %q, %v, %d", c.raw, got, apostrophe, bad)
		}
	}
}

// FuzzAppendUnescapedIsThatOfEncodingJSON compares with the standard library, where a
// string is one for both.
func FuzzAppendUnescapedIsThatOfEncodingJSON(f *testing.F) {
	f.Add(`a\u00e9\n\uD83D\uDE00`)
	f.Fuzz(func(t *testing.T, raw string) {
		var want string
		if json.Unmarshal([]byte(`"`+raw+`"`), &want) != nil {
			return
		}
		got, apostrophe, bad := jsontext.AppendUnescaped(nil, []byte(raw))
		if apostrophe || bad >= 0 {
			t.Fatalf("%q: %v, %d", raw, apostrophe, bad)
		}
		// The library writes U+FFFD for what is no UTF-8.
		if utf8.Valid(got) && string(got) != want {
			t.Errorf("%q: %q, not %q", raw, got, want)
		}
	})
}
