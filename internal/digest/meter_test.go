package digest_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"laundromat/internal/digest"
)

func measure(pieces ...string) digest.Text {
	var m digest.Meter
	for _, p := range pieces {
		if n, err := m.Write([]byte(p)); n != len(p) || err != nil {
			panic("a Meter takes all")
		}
	}
	return m.Text()
}

func TestLinesAndLineEndsAreCounted(t *testing.T) {
	for text, want := range map[string]digest.Text{
		"":                   {Newline: digest.None},
		"a":                  {Newline: digest.None, NumberOfBytes: 1, NumberOfChars: 1, NumberOfLines: 1},
		"\n":                 {Newline: digest.LF, NumberOfBytes: 1, NumberOfChars: 1, NumberOfLines: 1},
		"a\n":                {Newline: digest.LF, NumberOfBytes: 2, NumberOfChars: 2, NumberOfLines: 1},
		"a\nb":               {Newline: digest.LF, NumberOfBytes: 3, NumberOfChars: 3, NumberOfLines: 2},
		"a\r\nb\r\n":         {Newline: digest.CRLF, NumberOfBytes: 6, NumberOfChars: 6, NumberOfLines: 2},
		"a\rb\r":             {Newline: digest.CR, NumberOfBytes: 4, NumberOfChars: 4, NumberOfLines: 2},
		"a\rb":               {Newline: digest.CR, NumberOfBytes: 3, NumberOfChars: 3, NumberOfLines: 2},
		"\r\r\n":             {Newline: digest.Mixed, NumberOfBytes: 3, NumberOfChars: 3, NumberOfLines: 2},
		"\n\r":               {Newline: digest.Mixed, NumberOfBytes: 2, NumberOfChars: 2, NumberOfLines: 2},
		"a\nb\r\n":           {Newline: digest.Mixed, NumberOfBytes: 5, NumberOfChars: 5, NumberOfLines: 2},
		"é日𠀋\u2028\u0085":    {Newline: digest.None, NumberOfBytes: 14, NumberOfChars: 5, NumberOfLines: 1},
		"abcdefghé\nijklmn日": {Newline: digest.LF, NumberOfBytes: 20, NumberOfChars: 17, NumberOfLines: 2},
	} {
		if got := measure(text); got != want {
			t.Errorf("%q: got %+v, want %+v", text, got, want)
		}
	}
}

func FuzzMeasureOfThePiecesIsThatOfTheWhole(f *testing.F) {
	f.Add("a\r\nb\nc\rd é日𠀋 abcdefghijklmnop\r", 3, 9)
	f.Add("\r\r\n\n\r", 1, 2)
	f.Fuzz(func(t *testing.T, text string, i, j int) {
		text = strings.ToValidUTF8(text, "?")
		whole := measure(text)
		if got := whole.NumberOfChars; got != int64(utf8.RuneCountInString(text)) {
			t.Fatalf("%q has %d characters, not %d", text, utf8.RuneCountInString(text), got)
		}
		lines := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
		want := strings.Count(lines, "\n")
		if lines != "" && !strings.HasSuffix(lines, "\n") {
			want++
		}
		if whole.NumberOfLines != int64(want) {
			t.Fatalf("%q has %d lines, not %d", text, want, whole.NumberOfLines)
		}
		if i < 0 || j < i || j > len(text) {
			return
		}
		if got := measure(text[:i], "", text[i:j], text[j:]); got != whole {
			t.Fatalf("%q cut at %d and %d: %+v, not %+v", text, i, j, got, whole)
		}
	})
}

func TestHashesAreOfAllBytes(t *testing.T) {
	h := digest.NewHasher()
	h.Write([]byte("a"))
	h.Write([]byte("bc"))
	want := digest.Content{MD5: "900150983cd24fb0d6963f7d28e17f72", NumberOfBytes: 3,
		SHA256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"}
	if got := h.Content(); got != want {
		t.Errorf("got %+v", got)
	}
}

func BenchmarkMeter(b *testing.B) {
	for name, line := range map[string]string{
		"ascii": "<http://example.org/s> <http://example.org/p> \"object\" .\n",
		"crlf":  "<http://example.org/s> <http://example.org/p> \"object\" .\r\n",
		"mixed": "<http://example.org/s> <http://example.org/p> \"Österreich 日本語\" .\n",
	} {
		b.Run(name, func(b *testing.B) {
			text := []byte(strings.Repeat(line, 65536/len(line)))
			b.SetBytes(int64(len(text)))
			var m digest.Meter
			for b.Loop() {
				m.Write(text)
			}
		})
	}
}
