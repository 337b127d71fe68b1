package encoding_test

import (
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"laundromat/encoding"
)

// The encodings that x/text lacks are read as iconv of the GNU C library writes them,
// from which these bytes are.
func TestEncodingsWithTablesOfTheirOwn(t *testing.T) {
	for _, test := range []struct{ name, text, raw string }{
		{"x-mac-ce", "Žluťoučký kůň – Łódź", "\xEBlu\xE9ou\x8Bk\xF9 k\xF3\xCB \xD0 \xFC\x97d\x90"},
		{"viscii", "Việt Nam, ẲẴẪỶỸỴ", "Vi\xAEt Nam, \x02\x05\x06\x14\x19\x1E"},
		{"koi8-ru", "Київ, ґанок, ў", "\xEB\xC9\xA7\xD7, \xAD\xC1\xCE\xCF\xCB, \xAE"},
		{"koi8-t", "Ҷумҳурии Тоҷикистон", "\x8E\xD5\xCD\x8A\xD5\xD2\xC9\xC9 \xF4\xCF\x8D\xC9\xCB\xC9\xD3\xD4\xCF\xCE"},
		{"ptcp154", "Қазақстан Үкіметі", "\x8D\xE0\xE7\xE0\x9D\xF1\xF2\xE0\xED \x87\xEA\xB3\xEC\xE5\xF2\xB3"},
		{"kz-1048", "Қазақстан Үкіметі", "\x8D\xE0\xE7\xE0\x9D\xF1\xF2\xE0\xED \xAF\xEA\xB3\xEC\xE5\xF2\xB3"},
		{"armscii-8", "Երեւան", "\xBA\xF1\xBB\xF5\xB3\xDD"},
		{"georgian-ps", "თბილისი", "\xC8\xC1\xC9\xCB\xC9\xD3\xC9"},
		{"ibm857", "İstanbul şehri ığ", "\x98stanbul \x9Fehri \x8D\xA7"},
		{"ibm861", "Þjóðminjasafn Ýr", "\x8Dj\xA2\x8Cminjasafn \x97r"},
		{"ibm869", "Θεσσαλονίκη", "\xAC\xDE\xEC\xEC\xD6\xE5\xE9\xE7\x9F\xE4\xE1"},
		{"euc-tw", "國立臺灣大學，乂乜凵 a",
			"\xD9\xCF\xC7\xA1\xEA\xD7\xFD\xA4\xC4\xCB\xF0\xD0\xA1\xA2\x8E\xA2\xA1\xA1\x8E\xA2\xA1\xA2\x8E\xA2\xA1\xA3 a"},
		{"iso-2022-kr", "국립 a 중앙\n도서관", "\x1B$)C\x0E1983\x0F a \x0EA_>S\x0F\x0A\x0E55<-0|\x0F"},
		{"iso-2022-cn", "中国 a 國立臺\n中国乂乜", "\x1B$)A\x0EVP9z\x0F a \x1B$)G\x0EYOG!jW\x0F\x0A\x1B$)A\x0EVP9z\x1B$*H\x1BN!!X?\x0F"},
	} {
		for _, pieces := range []func(io.Reader) io.Reader{iotest.OneByteReader, func(r io.Reader) io.Reader { return r }} {
			r, err := encoding.NewReader(pieces(strings.NewReader(test.raw)), test.name, encoding.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got, err := io.ReadAll(r); err != nil || string(got) != test.text || r.Bad() != 0 {
				t.Errorf("%s: %q, %d bad, %v; want %q", test.name, got, r.Bad(), err, test.text)
			}
		}
		encode, ok := encoding.NewEncoder(test.name)
		if stateful := strings.HasPrefix(test.name, "iso-2022"); ok == stateful {
			t.Errorf("%s: encoder %v", test.name, ok)
		} else if ok {
			if raw, err := encode(nil, []byte(test.text)); err != nil || string(raw) != test.raw {
				t.Errorf("%s: written as %q, %v; want %q", test.name, raw, err, test.raw)
			}
			if _, err := encode(nil, []byte("\u2603")); err == nil {
				t.Errorf("%s has no snowman", test.name)
			}
		}
	}
}

// Bytes that stand for no character are counted, each by itself, and end nothing.
func TestFaultsInThoseEncodingsAreTold(t *testing.T) {
	for _, test := range []struct {
		name, raw, want string
		bad             int64
	}{
		{"euc-tw", "a\x8E\xA3\xA1\xA1b\xFFc\xC4", "a\uFFFD嗧\uFFFDb\uFFFDc\uFFFD", 4},
		{"koi8-t", "\x88", "\uFFFD", 1},
		{"iso-2022-kr", "\x1B$)C\x0E0!\x7E\x7E\x0F\x80a", "가\uFFFD\uFFFDa", 2},
		{"iso-2022-kr", "\x0E0!\x0F", "\uFFFD", 1},
		{"iso-2022-cn", "\x1B$)A\x0EVP\nVP", "中\nVP", 0},
		{"iso-2022-cn", "\x1BN!!", "\uFFFD", 1},
	} {
		r, err := encoding.NewReader(strings.NewReader(test.raw), test.name, encoding.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(r); err != nil || string(got) != test.want || r.Bad() != test.bad {
			t.Errorf("%s: %q: %q, %d bad, %v; want %q, %d", test.name, test.raw, got, r.Bad(), err, test.want, test.bad)
		}
	}
}
