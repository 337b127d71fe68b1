package encoding

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

// The words and the standard library agree on what is UTF-8. Each lead byte is tried with each second byte, whole,
// cut and followed by others, at each place in a word.
func TestWordsKnowUTF8(t *testing.T) {
	check := func(text []byte) {
		t.Helper()
		if got, want := validUTF8(text), utf8.Valid(text); got != want {
			t.Fatalf("% X: %v, want %v", text, got, want)
		}
	}
	for place := range 9 {
		for lead := 0x80; lead < 0x100; lead++ {
			for second := 0x70; second < 0xD0; second++ {
				for _, rest := range []string{"", "\x80", "\xBF\x80", "\x80\xBF\x80", "x", "\xC2\x80", "\x80\xE0\xA0\x80",
					"\x80\x80\xED\x9F\xBF"} {
					text := append(bytes.Repeat([]byte("a"), place), byte(lead), byte(second))
					text = append(text, rest...)
					check(text)
					check(append(text, "aaaaaaaaa"...))
				}
			}
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"a", "plain words", "é", "я", "の", "한", "ก", "อ", "😀", "\U0010FFFF", "\uD7FF", "\uE000", "\u0800",
		strings.Repeat("long ", 12)}
	for range 20_000 {
		var text []byte
		for range random.IntN(30) {
			text = append(text, pieces[random.IntN(len(pieces))]...)
		}
		check(text)
		if len(text) > 0 {
			text[random.IntN(len(text))] = byte(random.IntN(256))
			check(text)
			check(text[random.IntN(len(text)):])
		}
	}
}

func FuzzWordsKnowUTF8(f *testing.F) {
	f.Add([]byte("aaaaaaa\xE0\xA0\x80\xED\xA0\x80\xF4\x90\x80\x80"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if got, want := validUTF8(text), utf8.Valid(text); got != want {
			t.Fatalf("% X: %v, want %v", text, got, want)
		}
	})
}

func BenchmarkValidUTF8(b *testing.B) {
	for name, text := range map[string]string{
		"ASCII":    strings.Repeat("a town in the north of the county ", 4000),
		"European": strings.Repeat("größte Stadt und où être, a town in the north ", 3000),
		"Russian":  strings.Repeat("населённый пункт в Орловской области ", 2000),
		"Chinese":  strings.Repeat("中国江苏省的一个镇", 5000),
		"Hindi":    strings.Repeat("भारत का एक गाँव ", 3000),
	} {
		for by, valid := range map[string]func([]byte) bool{"words": validUTF8, "library": utf8.Valid} {
			b.Run(name+"/"+by, func(b *testing.B) {
				text := []byte(text)
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					if !valid(text) {
						b.Fatal("not valid")
					}
				}
			})
		}
	}
}
