package encoding_test

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"

	"laundromat/encoding"
)

func BenchmarkReader(b *testing.B) {
	ascii := strings.Repeat("<http://example.org/subject> <http://example.org/predicate> \"an object\" .\n", 20000)
	for _, bench := range []struct{ name, encoding, text string }{
		{"UTF-8, ASCII", "utf-8", ascii},
		{"UTF-8, Russian", "utf-8", strings.Repeat(document(languages["Russian"]), 2000)},
		{"windows-1251", "windows-1251", strings.Repeat(document(languages["Russian"]), 2000)},
		{"UTF-16", "utf-16le", strings.Repeat(document(languages["Russian"]), 2000)},
		{"Shift_JIS", "shift_jis", strings.Repeat(document(languages["Japanese"]), 2000)},
	} {
		b.Run(bench.name, func(b *testing.B) {
			raw, _ := encode(b, bench.encoding, bench.text)
			b.SetBytes(int64(len(raw)))
			for b.Loop() {
				r, err := encoding.NewReader(bytes.NewReader(raw), bench.encoding, encoding.Options{})
				if err != nil {
					b.Fatal(err)
				}
				if _, err := io.CopyBuffer(io.Discard, struct{ io.Reader }{r}, make([]byte, 64<<10)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkDecide(b *testing.B) {
	raw, _ := encode(b, "windows-1251", strings.Repeat(document(languages["Russian"]), 2000))
	b.SetBytes(int64(len(raw)))
	for b.Loop() {
		if _, _, _, err := encoding.Decide(context.Background(), bytes.NewReader(raw), encoding.Choice{Name: "utf-8"},
			encoding.Hints{}); err != nil {
			b.Fatal(err)
		}
	}
}

// The most frequent cases of a decision: a large document with few letters outside ASCII,
// one with many, and a small one.
func BenchmarkDecideBySize(b *testing.B) {
	ascii := strings.Repeat("<http://example.org/subject> <http://example.org/predicate> \"an object\" .\n", 200)
	french, _ := encode(b, "windows-1252", strings.Repeat(ascii+document(languages["French"]), 600))
	russian, _ := encode(b, "windows-1251", strings.Repeat(document(languages["Russian"]), 20000))
	small, _ := encode(b, "windows-1252", document(languages["French"]))
	for _, bench := range []struct {
		name string
		raw  []byte
	}{{"large, mostly ASCII", french}, {"large, dense", russian}, {"small", small}} {
		b.Run(bench.name, func(b *testing.B) {
			b.SetBytes(int64(len(bench.raw)))
			for b.Loop() {
				if _, _, _, err := encoding.Decide(context.Background(), bytes.NewReader(bench.raw), encoding.Choice{Name: "utf-8"},
					encoding.Hints{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
