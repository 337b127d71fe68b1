package digest_test

import (
	"testing"

	"laundromat/internal/digest"
)

// TestTextIsCountedOnlyWhereItIsText splits each input at every byte: where it is
// cut must not matter.
func TestTextIsCountedOnlyWhereItIsText(t *testing.T) {
	for _, row := range []struct {
		name, in string
		newline  digest.Newline
		chars    int64
		lines    int64
		text     bool
	}{
		{"empty", "", digest.None, 0, 0, true},
		{"unfinished line", "abc", digest.None, 3, 1, true},
		{"LF", "a\nb\n", digest.LF, 4, 2, true},
		{"CRLF", "a\r\nb\r\n", digest.CRLF, 6, 2, true},
		{"CR", "a\rb\r", digest.CR, 4, 2, true},
		{"mixed", "a\r\nb\rc\nd", digest.Mixed, 8, 4, true},
		{"two to four bytes", "äö€😀\n", digest.LF, 5, 1, true},
		{"Latin-1", "M\xfcller\n", "", 0, 0, false},
		{"NUL", "a\x00b", "", 0, 0, false},
		{"ends inside a character", "a\xe2\x82", "", 0, 0, false},
		{"surrogate", "\xed\xa0\x80", "", 0, 0, false},
		{"overlong", "\xc0\xaf", "", 0, 0, false},
		{"two starts in a row", "\xe2\xe2\x82\xac", "", 0, 0, false},
	} {
		for cut := 0; cut <= len(row.in); cut++ {
			m := digest.NewMeasure()
			m.Write([]byte(row.in[:cut]))
			m.Write([]byte(row.in[cut:]))
			c := m.Content()
			if (c.NumberOfChars != nil) != row.text {
				t.Fatalf("%s, cut at %d: text %v, want %v", row.name, cut, c.NumberOfChars != nil, row.text)
			}
			if c.NumberOfBytes != int64(len(row.in)) {
				t.Errorf("%s: %d bytes", row.name, c.NumberOfBytes)
			}
			if row.text && (c.Newline != row.newline || *c.NumberOfChars != row.chars || *c.NumberOfLines != row.lines) {
				t.Errorf("%s, cut at %d: %s, %d characters, %d lines", row.name, cut, c.Newline, *c.NumberOfChars, *c.NumberOfLines)
			}
		}
	}
}
