package archive_test

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/zip"

	"laundromat/archive"
)

func BenchmarkFilters(b *testing.B) {
	text := lines(8 << 20)
	for name, packed := range everyFilter(b, text) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				o, err := archive.Open(context.Background(), strings.NewReader(packed), "x.br", archive.Limits{}, nil)
				if err != nil {
					b.Fatal(err)
				}
				r, err := o.Reader(context.Background())
				if err != nil {
					b.Fatal(err)
				}
				if n, err := io.Copy(io.Discard, r); err != nil || n != int64(len(text)) {
					b.Fatal(n, err)
				}
				r.Close()
			}
		})
	}
}

func BenchmarkSmallEntries(b *testing.B) {
	many := make([]member, 10_000)
	for i := range many {
		many[i] = member{fmt.Sprintf("d/%d.nt", i), "<s> <p> <o> .\n"}
	}
	for name, data := range map[string]string{"zip": zipOf(b, zip.Deflate, many...), "tar": tarOf(b, many...)} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				o, err := archive.Open(context.Background(), strings.NewReader(data), "", archive.Limits{}, nil)
				if err != nil {
					b.Fatal(err)
				}
				n := 0
				if err := o.Entries(context.Background(), func(e archive.Entry, r io.Reader) error {
					n++
					_, err := io.Copy(io.Discard, r)
					return err
				}); err != nil || n != len(many) {
					b.Fatal(n, err)
				}
			}
		})
	}
}
