package encoding_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"laundromat/encoding"
	"laundromat/internal/fault"
)

func readAll(t testing.TB, in []byte, name string, opt encoding.Options) (string, *encoding.Reader, error) {
	t.Helper()
	r, err := encoding.NewReader(bytes.NewReader(in), name, opt)
	if err != nil {
		t.Fatal(err)
	}
	out, err := io.ReadAll(r)
	return string(out), r, err
}

func TestReadingStopsAtTheFirstByteThatIsNotUTF8(t *testing.T) {
	for _, test := range []struct {
		in, want string
		offset   int64 // -1: sound
	}{
		{"", "", -1},
		{"abc", "abc", -1},
		{"\xEF\xBB\xBFabc", "abc", -1},
		{"\xEF\xBB\xBF\xEF\xBB\xBFabc", "\uFEFFabc", -1},
		{"\xEF\xBB", "", 0},
		{"é€𝄞", "é€𝄞", -1},
		{"caf\xE9", "caf", 3},
		{"\xEF\xBB\xBFcaf\xE9", "caf", 6},
		{"é\xC3", "é", 2},
		{"a\xED\xA0\x80b", "a", 1},
		{"a\xC0\x80b", "a", 1},
		{"a\xF4\x90\x80\x80", "a", 1},
		{"\uFFFD", "\uFFFD", -1},
		{strings.Repeat("é", 50000) + "\xFF", strings.Repeat("é", 50000), 100000},
	} {
		for _, small := range []bool{false, true} {
			source := io.Reader(strings.NewReader(test.in))
			if small {
				source = iotest.OneByteReader(source)
			}
			r, err := encoding.NewReader(source, "UTF-8", encoding.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if small {
				source = iotest.OneByteReader(r)
			} else {
				source = r
			}
			got, err := io.ReadAll(source)
			if string(got) != test.want {
				t.Errorf("%.20q: got %.40q, want %.40q", test.in, got, test.want)
			}
			var refuted *encoding.Refuted
			switch {
			case test.offset < 0 && err != nil:
				t.Errorf("%.20q: %v", test.in, err)
			case test.offset >= 0 && (!errors.Is(err, encoding.ErrRefuted) || !errors.As(err, &refuted) || refuted.Offset != test.offset):
				t.Errorf("%.20q: error %v, want one at offset %d", test.in, err, test.offset)
			}
		}
	}
}

func TestToleratedBytesPassUnchangedAndAreCounted(t *testing.T) {
	in := "é caf\xE9 \xE2\x82 x\xFF\xFE"
	got, r, err := readAll(t, []byte(in), "utf-8", encoding.Options{Tolerate: true})
	if err != nil || got != in || r.Stray() != 5 {
		t.Errorf("got %q, %d stray, %v", got, r.Stray(), err)
	}
}

func TestUndecodableBytesAreNeverSilent(t *testing.T) {
	for _, test := range []struct {
		name, in, want string
		places         []fault.Pos
	}{
		{"windows-1252", "a\r\nb\x81c", "a\r\nb\uFFFDc", []fault.Pos{{Line: 2, Column: 2, Offset: 4}}},
		{"iso-8859-7", "\xE1\xD2", "α\uFFFD", []fault.Pos{{Line: 1, Column: 2, Offset: 2}}},
		{"shift_jis", "\x82\xA0\x82", "あ\uFFFD", []fault.Pos{{Line: 1, Column: 2, Offset: 3}}},
		{"euc-kr", "a\xFF\nb\xFF", "a\uFFFD\nb\uFFFD", []fault.Pos{{Line: 1, Column: 2, Offset: 1}, {Line: 2, Column: 2, Offset: 6}}},
		{"utf-16le", "\xFF\xFEa\x00\x00\xD8b\x00c", "a\uFFFDb\uFFFD", []fault.Pos{{Line: 1, Column: 2, Offset: 1},
			{Line: 1, Column: 4, Offset: 5}}},
		{"utf-16be", "\xD8\x34\xDD\x1E\x00a", "𝄞a", nil},
		{"utf-16", "\xFE\xFF\x00a", "a", nil},
		{"utf-32be", "\x00\x00\xFE\xFF\x00\x01\xD1\x1E\x00\x11\x00\x00", "𝄞\uFFFD", []fault.Pos{{Line: 1, Column: 2, Offset: 4}}},
		{"utf-7", "Hi Mom -+Jjo--!+- +2DTdHg-", "Hi Mom -☺-!+ 𝄞", nil},
		{"utf-7", "+/v8-abc", "abc", nil},
		{"gb18030", "\x84\x31\x95\x33a", "a", nil},
		{"iso-2022-jp", "\x1B$B$\"\x1B(Ba", "あa", nil},
		{"hz-gb-2312", "a~{VP~}b", "a中b", nil},
	} {
		var places []fault.Pos
		got, r, err := readAll(t, []byte(test.in), test.name, encoding.Options{Notice: func(n fault.Notice) {
			if n.Code != fault.EncodingUndecodable || n.Severity != fault.Warning || n.Message == "" || !utf8.ValidString(n.Excerpt) {
				t.Errorf("%s: notice %+v", test.name, n)
			}
			places = append(places, n.Pos)
		}})
		if err != nil || got != test.want || r.Bad() != int64(len(test.places)) || len(places) != len(test.places) {
			t.Errorf("%s: got %q, %d bad, places %v, %v", test.name, got, r.Bad(), places, err)
			continue
		}
		for i := range places {
			if places[i] != test.places[i] {
				t.Errorf("%s: notice at %+v, want %+v", test.name, places[i], test.places[i])
			}
		}
	}
}

func TestNamesOfEncodings(t *testing.T) {
	for label, want := range map[string]string{
		"UTF8": "utf-8", " utf-8 ": "utf-8", "US-ASCII": "utf-8", "Latin1": "iso-8859-1", "iso8859-15": "iso-8859-15",
		"ISO_8859-1": "iso-8859-1",
		"cp1252":     "windows-1252", "WINDOWS-1251": "windows-1251", "x-sjis": "shift_jis", "Shift-JIS": "shift_jis", "cp932": "shift_jis",
		"GBK":    "gb18030",
		"gb2312": "gb18030", "ks_c_5601-1987": "euc-kr", "KOI8-R": "koi8-r", "cp866": "ibm866", "IBM850": "ibm850", "mac": "macintosh",
		"TIS-620": "windows-874", "UTF-16": "utf-16le", "utf-16be": "utf-16be", "ucs-2": "utf-16le", "l2": "iso-8859-2",
		"Big5-HKSCS": "big5", "HZ-GB-2312": "hz-gb-2312",
	} {
		r, err := encoding.NewReader(strings.NewReader(""), label, encoding.Options{})
		if err != nil || r.Name() != want {
			t.Errorf("%s: %v, want %s", label, err, want)
			continue
		}
		if again, err := encoding.NewReader(strings.NewReader(""), want, encoding.Options{}); err != nil || again.Name() != want {
			t.Errorf("%s isn't a name of itself", want)
		}
	}
	for _, label := range []string{"", "no-such", "replacement", "iso-2022-cn-ext", "iso-2022-jp-3", "utf-99", "x-user-defined"} {
		_, err := encoding.NewReader(strings.NewReader(""), label, encoding.Options{})
		if fault.KindOf(err) != fault.Data || fault.CodeOf(err) != fault.EncodingUnsupported {
			t.Errorf("%s: %v", label, err)
		}
	}
}

func TestAnErrorOfTheSourceComesBackAsItIs(t *testing.T) {
	broken := errors.New("broken")
	for _, name := range []string{"utf-8", "windows-1251", "utf-16le"} {
		r, _ := encoding.NewReader(io.MultiReader(strings.NewReader("a\x00b\x00"), iotest.ErrReader(broken)), name, encoding.Options{})
		got, err := io.ReadAll(r)
		if err != broken || len(got) == 0 {
			t.Errorf("%s: got %q, %v", name, got, err)
		}
	}
}

// Cutting the source in other pieces changes neither the text nor the counts.
func FuzzReader(f *testing.F) {
	names := []string{"utf-8", "windows-1252", "utf-16le", "utf-32be", "utf-7", "shift_jis", "gb18030", "iso-2022-jp", "big5", "euc-jp",
		"hz-gb-2312"}
	for i, name := range names {
		raw, _ := encode(f, strings.Replace(name, "utf-7", "utf-8", 1), "a b c")
		f.Add(raw, uint8(i))
	}
	f.Add([]byte("a\xE9\r\nb\x82"), uint8(5))
	f.Fuzz(func(t *testing.T, in []byte, which uint8) {
		name := names[int(which)%len(names)]
		for _, tolerate := range []bool{false, true} {
			read := func(source io.Reader) (string, int64, []fault.Pos, error) {
				var places []fault.Pos
				r, err := encoding.NewReader(source, name,
					encoding.Options{Tolerate: tolerate, Notice: func(n fault.Notice) { places = append(places, n.Pos) }})
				if err != nil {
					t.Fatal(err)
				}
				out, err := io.ReadAll(r)
				return string(out), r.Bad() + r.Stray(), places, err
			}
			whole, bad, places, err := read(bytes.NewReader(in))
			pieces, badToo, placesToo, errToo := read(iotest.OneByteReader(bytes.NewReader(in)))
			if whole != pieces || bad != badToo || (err == nil) != (errToo == nil) || len(places) != len(placesToo) {
				t.Fatalf("%s: whole %q %d %v, pieces %q %d %v", name, whole, bad, err, pieces, badToo, errToo)
			}
			for i := range places {
				if places[i] != placesToo[i] {
					t.Fatalf("%s: places %v and %v", name, places, placesToo)
				}
			}
			if name != "utf-8" && !utf8.ValidString(whole) || name == "utf-8" && !tolerate && !utf8.ValidString(whole) {
				t.Fatalf("%s: not UTF-8: %q", name, whole)
			}
		}
	})
}
