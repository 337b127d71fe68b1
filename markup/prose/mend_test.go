package prose_test

import (
	"bytes"
	"testing"
	"unicode/utf8"

	"laundromat/markup/prose"
)

func TestMisreadTextIsReadBack(t *testing.T) {
	for _, test := range []struct{ text, meant, page string }{
		{"MÃ¼nchen", "München", "windows-1252"},
		{"MÃƒÂ¼nchen, KÃƒÂ¶ln", "München, Köln", "windows-1252, twice"},
		{"ÐŸÑ€Ð¸Ð²ÐµÑ‚", "Привет", "windows-1252"},
		{"РџСЂРёРІРµС‚", "Привет", "windows-1251"},
		{"caf├й cr├иme", "café crème", "code page 866"},
		{"bibliotheÌ\u0080que, caf\u00c3\u00a9", "bibliothe\u0300que, café", "iso-8859-15"},
		{"caf√© cr√®me", "café crème", "mac-roman"},
		{"æ\u009d±äº¬", "東京", "windows-1252"},
		// Sound text, or no way back.
		{"München", "", ""},
		{"SÃO PAULO", "", ""},
		{"a Â b", "", ""},
		{"München, KÃ¶ln", "", ""},
		{"Привет", "", ""},
		{"", "", ""},
		{"ascii", "", ""},
	} {
		meant, page := prose.Mend([]byte(test.text))
		if string(meant) != test.meant || page != test.page {
			t.Errorf("%q: %q, %q; want %q, %q", test.text, meant, page, test.meant, test.page)
		}
	}
}

// Reading what is meant in the page that is named gives the text as it was, whatever it is.
func FuzzMendingCanBeUndone(f *testing.F) {
	for _, text := range []string{"MÃ¼nchen", "MÃƒÂ¼nchen, KÃƒÂ¶ln", "ÐŸÑ€Ð¸Ð²ÐµÑ‚", "РџСЂРёРІРµС‚", "caf├й", "æ\u009d±äº¬", "\xFF\xC3"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		meant, page := prose.Mend([]byte(text))
		if page == "" {
			if meant != nil {
				t.Errorf("%q: %q of no page", text, meant)
			}
			return
		}
		if back, ok := prose.Misread(meant, page); !ok || !bytes.Equal(back, []byte(text)) || !utf8.Valid(meant) {
			t.Errorf("%q: %q of %s gives %q", text, meant, page, back)
		}
		if prose.IsSound([]byte(text)) {
			t.Errorf("%q is sound at a glance, and is mended", text)
		}
	})
}
