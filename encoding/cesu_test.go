package encoding_test

import (
	"bytes"
	"context"
	"io"
	"testing"

	"laundromat/encoding"
)

// A text of CESU-8 is read as what it means, declared or not; a surrogate alone, and two that are no
// pair, mean nothing.
func TestSurrogatesOfCESU8AreJoined(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"a \xED\xA0\xBD\xED\xB8\x80 é", "a 😀 é"},
		{"\xED\xA0\x80\xED\xB0\x80", "\U00010000"},
		{"\xED\xAF\xBF\xED\xBF\xBF", "\U0010FFFF"},
		{"a \xED\xA0\xBD b", ""},
		{"\xED\xB8\x80\xED\xA0\xBD", ""},
		{"\xED\xA0\xBD\xED\xA0\xBD", ""},
	} {
		raw := []byte("<http://e/s> <http://e/p> \"" + test.text + "\" .\n")
		choice, tolerate, _, err := encoding.Decide(context.Background(), bytes.NewReader(raw), encoding.Choice{Name: "utf-8"},
			encoding.Hints{})
		if err != nil || choice.Name != "utf-8" || !tolerate || choice.Strays == nil {
			t.Fatalf("%q: %+v, %v", test.text, choice, err)
		}
		if meant, name := choice.Strays.Read([]byte(test.text)); string(meant) != test.want || (name == "cesu-8") != (test.want != "") {
			t.Errorf("%q is %q (%s), not %q", test.text, meant, name, test.want)
		}
	}
	if r, err := encoding.NewReader(bytes.NewReader(nil), "CESU-8", encoding.Options{}); err != nil || r.Name() != "utf-8" {
		t.Errorf("CESU-8 is not read: %v", err)
	} else if _, err := io.ReadAll(r); err != nil {
		t.Error(err)
	}
}

// Each label of an encoding is read as what it names, or said not to be.
func TestLabelsOfEncodings(t *testing.T) {
	for label, want := range map[string]string{
		"CP737": "ibm737", "cp775": "ibm775", "CP1125": "ibm1125", "cp864": "ibm864", "IBM500": "ibm500", "cp1148": "ibm01148",
		"cp1140":   "ibm01140",
		"MacRoman": "macintosh", "x-mac-greek": "x-mac-greek", "macturkish": "x-mac-turkish", "maciceland": "x-mac-icelandic",
		"tcvn5712-1": "tcvn", "TCVN": "tcvn", "hp-roman8": "hp-roman8", "johab": "johab", "cp1361": "johab", "big5hkscs": "big5",
		"windows-936": "gb18030", "latin9": "iso-8859-15", "ISO-8859-8-I": "iso-8859-8", "iso-8859-6-e": "iso-8859-6",
		"tis-620":                        "windows-874",
		"iso-8859-1-windows-3.1-latin-1": "windows-1252", "cesu-8": "utf-8", "hz": "hz-gb-2312", "EUC-TW": "euc-tw", "utf-7": "utf-7",
		"UCS-4": "utf-32le",
		"scsu":  "", "bocu-1": "", "utf-ebcdic": "", "iso-2022-jp-2": "", "iso-2022-cn-ext": "", "shift_jisx0213": "", "geostd8": "",
		"nonsense": "", "replacement": "", "iso-8859-12": "",
	} {
		r, err := encoding.NewReader(bytes.NewReader(nil), label, encoding.Options{})
		if got := ""; err == nil {
			if got = r.Name(); got != want {
				t.Errorf("%s is read as %s, not %q", label, got, want)
			}
		} else if want != "" {
			t.Errorf("%s: %v", label, err)
		}
	}
}
