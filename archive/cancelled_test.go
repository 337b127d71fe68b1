package archive_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zip"

	"laundromat/archive"
	"laundromat/internal/fault"
)

// cancelledWork is one of each kind of packed data. There is so much in it that decoders have
// bytes left to unpack when the work is to end.
func cancelledWork(t testing.TB) map[string]string {
	text := strings.Repeat(lines(20_000), 50)
	one := member{"a.nt", text}
	all := everyFilter(t, text)
	for name, data := range map[string]string{
		"tar": tarOf(t, one), "zip": zipOf(t, zip.Deflate, one), "zip, stored": zipOf(t, zip.Store, one),
		"zip, without directory": zipOf(t, zip.Deflate, one)[:4000],
		"7z":                     sevenZipOf(one), "7z, LZMA2": solidSevenZipOf(lzma2Coder, lzma2Of(t, text), one),
		"7z, Delta":             solidSevenZipOf("\x21\x03\x01\xFF", text, one),
		"7z, without directory": solidSevenZipOf(lzma2Coder, lzma2Of(t, text), one)[:3000],
		"rar":                   rarOf(0, one), "cpio": cpioOf(one), "ar": arOf(one), "warc": warcOf(crawled...), "arc": arcOf(crawled...),
		"lines of pages": pageLinesOf(crawled...),
		"uuencode":       "begin 644 a\n" + strings.Repeat("#86)C\n", 10_000) + "`\nend\n",
	} {
		all[name] = data
	}
	return all
}

// Whatever is being unpacked, the end of the context ends it at the next read.
func TestTheEndOfTheContextEndsEachDecoder(t *testing.T) {
	for name, data := range cancelledWork(t) {
		file := ""
		if name == "brotli" {
			file = "a.br"
		}
		ctx, cancel := context.WithCancel(t.Context())
		o, err := archive.Open(ctx, strings.NewReader(data), file, archive.Limits{}, nil)
		if err != nil {
			t.Fatal(name, err)
		}
		var after int64
		var ended time.Time
		stop := func(r io.Reader) error {
			_, err := io.CopyN(io.Discard, r, 10)
			if err != nil {
				return err
			}
			cancel()
			ended = time.Now()
			n, err := io.Copy(io.Discard, r)
			after += n
			return err
		}
		if o.Format == "" {
			r, _ := o.Reader(ctx)
			err = stop(r)
		} else {
			err = o.Entries(ctx, func(_ archive.Entry, r io.Reader) error { return stop(r) })
		}
		if !errors.Is(err, context.Canceled) || fault.KindOf(err) == fault.Data || after > 128<<10 || time.Since(ended) > time.Second {
			t.Errorf("%s: error %v, %d bytes after the end, %v", name, err, after, time.Since(ended))
		}
		cancel()
		o.Close()
	}
}
