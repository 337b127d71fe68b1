package format_test

import (
	"bytes"
	"strings"
	"testing"

	"laundromat/encoding"
	"laundromat/rdf/format"
)

func TestBinaryFormsOfJSONAreNamed(t *testing.T) {
	long := strings.Repeat("x", 300)
	for _, test := range []struct{ name, in, want string }{
		{"MessagePack, every kind", "\xDE\x00\x06\xA1a\xC0\xA1b\x93\xC2\xC3\xFF\xA1c\xCB\x40\x09\x21\xFB\x54\x44\x2D\x18\xA1d\xDA\x01\x2C" +
			long + "\xA1e\xC4\x02\x01\x80\xA1f\xD6\x01\x00\x00\x00\x05", "MessagePack"},
		{"MessagePack without control characters", "\x81\xA4name\xA5Alice", "MessagePack"},
		{"MessagePack, one after the other", strings.Repeat("\x81\xA2id\x01", 3), "MessagePack"},
		{"MessagePack that lacks its end", "\x82\xA2id\x01\xA4na", ""},
		{"MessagePack with text behind it", "\x81\xA2id\x01 .", ""},
		{"MessagePack, the beginning of more", "\xDD\x00\x0F\x42\x40" + strings.Repeat("\x81\xA2id\xCD\x01\x00", 20_000), "MessagePack"},
		{"CBOR, every kind", "\xA6\x61a\xF6\x61b\x83\xF4\xF5\x20\x61c\xFB\x40\x09\x21\xFB\x54\x44\x2D\x18\x61d\x79\x01\x2C" + long +
			"\x61e\x42\x01\x80\x61f\xC1\x1A\x51\x4B\x67\xB0", "CBOR"},
		{"CBOR without lengths", "\xBF\x61a\x9F\x01\x02\xFF\x61b\x7F\x62xy\x61z\xFF\xFF", "CBOR"},
		{"CBOR that lacks its end", "\xA2\x61a\x01\x61", ""},
		{"CBOR with what it keeps for later", "\xA1\x61a\x1C", ""},
		{"CBOR, deeper than it may be", strings.Repeat("\x81", 1000) + "\x01", ""},
		{"BSON, two documents", strings.Repeat("\x16\x00\x00\x00\x02hello\x00\x06\x00\x00\x00world\x00\x00", 2), "BSON"},
		{"BSON that lacks its end", "\x16\x00\x00\x00\x02hello\x00\x06\x00\x00\x00wor", ""},
		{"zero bytes", strings.Repeat("\x00", 5000), "zero bytes"},
		{"nothing", "", ""},
		{"one letter of another encoding", "\x80", ""},
		{"a word in quotation marks of windows-1252", "\x93ab\x94", ""},
	} {
		if got := format.GuessBytes([]byte(test.in)).NotRDF; got != test.want {
			t.Errorf("%s: %q, not %q", test.name, got, test.want)
		}
	}
}

// What begins with bytes that the binary forms of JSON begin with, too, is still text.
func TestNoTextInAnyEncodingIsBinary(t *testing.T) {
	texts := []string{
		"あいうえお <http://e/s> <http://e/p> \"日本語のテキスト\" .\n", "ひらがな", "テスト", "“Zitat”", "Привет, мир", "Беларусь",
		"中文文件", "한국어", "ไทย", "Ελλάδα", "עברית", "العربية", "Ächz", "École\n", "ťuk", "Việt Nam", "‚a‘",
	}
	names := strings.Fields(
		`shift_jis euc-jp gb18030 big5 euc-kr johab euc-tw windows-1250 windows-1251 windows-1252 windows-1253 windows-1255 windows-1256
		windows-1258 windows-874 macintosh x-mac-cyrillic x-mac-ce ibm437 ibm850 ibm852 ibm866 ibm857 koi8-r iso-8859-1 iso-8859-2 iso-8859-5 iso-8859-7
		viscii tcvn armscii-8 utf-8`)
	made := 0
	for _, name := range names {
		write, ok := encoding.NewEncoder(name)
		if name == "utf-8" {
			write, ok = func(dst, text []byte) ([]byte, error) { return append(dst, text...), nil }, true
		}
		if !ok {
			t.Fatalf("no encoder for %s", name)
		}
		for _, text := range texts {
			for _, s := range []string{text, strings.Repeat(text, 20_000/len(text)), strings.Repeat(text, 300_000/len(text))} {
				raw, err := write(nil, []byte(s))
				if err != nil {
					continue // not of this encoding
				}
				made++
				for _, in := range [][]byte{raw, raw[:min(len(raw), 256<<10)], bytes.TrimRight(raw, "\n")} {
					if got := format.GuessBytes(in).NotRDF; got != "" {
						t.Errorf("%.20q in %s, %d bytes: %s", text, name, len(in), got)
					}
				}
			}
		}
	}
	if made < 200 {
		t.Errorf("only %d texts", made)
	}
}
