package urilist_test

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"
	"testing/iotest"
	"unicode/utf16"

	"laundromat/seedlist/urilist"
)

func utf16Of(text string, order binary.AppendByteOrder, mark bool) []byte {
	var out []byte
	if mark {
		out = order.AppendUint16(out, 0xFEFF)
	}
	for _, unit := range utf16.Encode([]rune(text)) {
		out = order.AppendUint16(out, unit)
	}
	return out
}

// A list of seeds gives its lines, whatever ends them and in whichever form of Unicode.
func TestListsOfSeedsAreReadInEveryFormOfUnicode(t *testing.T) {
	const a, b = "http://e.example/a", "http://e.example/é"
	want := []string{a, b}
	text := "# seeds\n\n" + a + "\n  " + b + "  \n"
	for _, c := range []struct {
		name string
		text []byte
	}{
		{"LF", []byte(text)},
		{"CRLF", []byte("# seeds\r\n\r\n" + a + "\r\n" + b + "\r\n")},
		{"CR alone", []byte("# seeds\r\r" + a + "\r" + b + "\r")},
		{"CR alone, the last line open", []byte(a + "\r" + b)},
		{"line ends of all kinds", []byte(a + "\n\r" + b + "\r\n")},
		{"UTF-8 with its mark", []byte("\xEF\xBB\xBF" + a + "\n" + b)},
		{"UTF-16LE with its mark", utf16Of(text, binary.LittleEndian, true)},
		{"UTF-16BE with its mark", utf16Of(text, binary.BigEndian, true)},
		{"UTF-16LE", utf16Of(text, binary.LittleEndian, false)},
		{"UTF-16BE", utf16Of(text, binary.BigEndian, false)},
		{"UTF-16LE with CR alone", utf16Of(a+"\r"+b, binary.LittleEndian, true)},
		{"UTF-16LE with CRLF", utf16Of(a+"\r\n"+b+"\r\n", binary.LittleEndian, true)},
	} {
		for _, slow := range []bool{false, true} {
			var r = bytes.NewReader(c.text)
			var got []string
			each := func(line string) error { got = append(got, line); return nil }
			err := urilist.Read(r, each)
			if slow {
				got = nil
				r.Reset(c.text)
				err = urilist.Read(iotest.OneByteReader(r), each)
			}
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("%s, byte by byte: %v: %q, %v", c.name, slow, got, err)
			}
		}
	}
	// Bytes in no form of Unicode stay as they are: the line says what is wrong with it.
	var got []string
	if err := urilist.Read(bytes.NewReader([]byte("http://e.example/\xE9\n")),
		func(line string) error { got = append(got, line); return nil }); err != nil || len(got) != 1 || got[0] != "http://e.example/\xE9" {
		t.Errorf("%q, %v", got, err)
	}
}
