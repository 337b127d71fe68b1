package archive

import (
	"strings"
	"testing"
)

// Each instruction of LZO1X, by hand.
func TestInstructionsOfLzo(t *testing.T) {
	const end = "\x11\x00\x00"
	abcd := strings.Repeat("abcd", 5000)
	x := strings.Repeat("0123456789abcdef", 20)
	for name, c := range map[string]struct{ packed, plain string }{
		"nothing":                    {end, ""},
		"320 literals":               {"\x00\x00\x2F" + x + end, x},
		"5 literals, not so told":    {"\x02hello" + end, "hello"},
		"3 bytes from 4 back":        {"\x15abcd" + "\x4C\x00" + end, "abcd" + "abc"},
		"4 bytes from 1 back":        {"\x15abcd" + "\x60\x00" + end, "abcd" + "dddd"},
		"5 bytes from 9 back":        {"\x1Aabcdefghi" + "\x80\x01" + end, "abcdefghi" + "abcde"},
		"8 bytes from 4, 2 behind":   {"\x15abcd" + "\xEE\x00yz" + end, "abcd" + "abcdabcd" + "yz"},
		"33 bytes from 4":            {"\x15abcd" + "\x3F\x0C\x00" + end, "abcd" + abcd[:33]},
		"388 bytes from 4":           {"\x15abcd" + "\x20\x00\x64\x0C\x00" + end, "abcd" + abcd[:388]},
		"2 bytes from 2, behind one": {"\x15abcd" + "\x61\x00y" + "\x04\x00" + end, "abcd" + "dddd" + "y" + "dy"},
		"3 bytes from 2,049, behind four": {"\x15abcd" + "\x20" + strings.Repeat("\x00", 9) + "\x01\x0C\x00" + "\x01wxyz" + "\x00\x00" +
			end,
			"abcd" + abcd[:2329] + "wxyz" + "abc"},
		"3 bytes from 16,385": {"\x15abcd" + "\x20" + strings.Repeat("\x00", 64) + "\x93\x0C\x00" + "\x11\x04\x00" + end, "abcd" +
			abcd[:16_500] + "dab"},
	} {
		got, whole := unpackLzo(nil, []byte(c.packed), len(c.plain))
		if string(got) != c.plain || !whole {
			t.Errorf("%s: %.60q (%d bytes), want %.60q (%d); whole %v", name, got, len(got), c.plain, len(c.plain), whole)
		}
		for n := range len(c.packed) {
			if part, whole := unpackLzo(nil, []byte(c.packed[:n]), len(c.plain)); whole || !strings.HasPrefix(c.plain, string(part)) {
				t.Errorf("%s, cut at %d: %.60q, whole %v", name, n, part, whole)
			}
		}
	}
	for name, packed := range map[string]string{
		"from where nothing is":       "\x15abcd" + "\x60\x01" + end,
		"more than there is room for": "\x15abcd" + "\x3F\x0C\x00" + end,
		"bytes behind the end":        "\x15abcd" + end + "x",
		"a length without end":        "\x15abcd" + "\x20" + strings.Repeat("\x00", 100),
	} {
		if got, whole := unpackLzo(nil, []byte(packed), 16); whole || len(got) > 16 {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func FuzzLzo(f *testing.F) {
	f.Add([]byte("\x15abcd\x20\x00\x64\x0C\x00\x01wxyz\x00\x00\x11\x00\x00"), uint16(400))
	f.Fuzz(func(t *testing.T, packed []byte, size uint16) {
		got, whole := unpackLzo([]byte("before"), packed, int(size)+6)
		if len(got) > int(size)+6 || string(got[:6]) != "before" {
			t.Fatalf("%d bytes, asked for %d", len(got), size)
		}
		if _, again := unpackLzo(nil, append(packed, 0), int(size)); whole && again {
			t.Fatal("a byte behind the end is none")
		}
	})
}
