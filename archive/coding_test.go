package archive_test

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/klauspost/compress/zip"
	"github.com/klauspost/compress/zstd"
	"github.com/mholt/archives"
	"github.com/pierrec/lz4/v4"
	"github.com/ulikunitz/xz"

	"laundromat/archive"
	"laundromat/internal/fault"
)

// encoded is text in one coding of HTTP, or in what is called so.
func encoded(t testing.TB, coding, text string) string {
	t.Helper()
	var b bytes.Buffer
	var w io.WriteCloser
	var err error
	switch coding {
	case "gzip", "x-gzip":
		w = gzip.NewWriter(&b)
	case "zlib":
		w = zlib.NewWriter(&b)
	case "deflate":
		w, err = flate.NewWriter(&b, 9)
	case "br":
		w, err = archives.Brotli{}.OpenWriter(&b)
	case "zstd":
		w, err = zstd.NewWriter(&b)
	case "xz":
		w, err = xz.NewWriter(&b)
	default:
		return text
	}
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(w, text)
	w.Close()
	return b.String()
}

// decodedAs is what comes of bytes whose reply names codings, with what is found.
func decodedAs(t testing.TB, data, name string, codings ...string) (text, filters string, notices []fault.Notice) {
	t.Helper()
	o, err := archive.OpenCoded(context.Background(), strings.NewReader(data), archive.Said{Name: name, Codings: codings}, archive.Limits{},
		func(n fault.Notice) { notices = append(notices, n) })
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	r, err := o.Reader(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	raw, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw), strings.Join(o.Filters, " "), notices
}

func TestCodingsAreUndoneWhereTheBytesCanBeThem(t *testing.T) {
	text := strings.Repeat("<http://example.org/s> <http://example.org/p> \"o\" .\n", 200)
	deflated := encoded(t, "zlib", text)
	for _, c := range []struct {
		name, data string
		file       string
		codings    string
		want       string
		filters    string
		code       fault.Code // of a notice
	}{
		{"zlib", deflated, "", "deflate", text, "deflate", ""},
		{"bare deflate", encoded(t, "deflate", text), "", "Deflate", text, "deflate", ""},
		{"br", encoded(t, "br", text), "", "br", text, "brotli", ""},
		{"br, and the name says so", encoded(t, "br", text), "x.nt.br", "br", text, "brotli", ""},
		{"br, twice", encoded(t, "br", encoded(t, "br", text)), "x.nt.br", "br, br", text, "brotli brotli", ""},
		{"zstd", encoded(t, "zstd", text), "", "zstd", text, "zstd", ""},
		{"gzip", encoded(t, "gzip", text), "", "gzip", text, "gzip", ""},
		{"x-gzip", encoded(t, "gzip", text), "", "x-gzip", text, "gzip", ""},
		{"layers", encoded(t, "gzip", encoded(t, "br", deflated)), "", "deflate,br ,gzip", text, "gzip brotli deflate", ""},
		{"a file in gzip, coded", encoded(t, "zlib", encoded(t, "gzip", text)), "x.nt.gz", "deflate", text, "deflate gzip", ""},
		{"not applied", text, "", "br", text, "", ""},
		{"deflate not applied", text, "", "deflate", text, "", ""},
		{"the outer not applied", deflated, "", "deflate, br", text, "deflate", ""},
		{"a charset", text, "", "utf-8", text, "", ""},
		{"identity", text, "", "identity", text, "", ""},
		{"nobody knows it", text, "", "sdch", text, "", ""},
		{"not named", deflated, "", "", deflated, "", ""},
		{"empty", "", "", "br", "", "", ""},
		{"short text that could begin zlib", "H,x", "", "deflate", "H,x", "", ""},
		{"an empty zlib", encoded(t, "zlib", ""), "", "deflate", "", "deflate", ""},
		{"zlib cut short", deflated[:len(deflated)-4], "", "deflate", text, "deflate", fault.ArchiveTruncated},
		{"zlib with a wrong sum", deflated[:len(deflated)-4] + "sum?", "", "deflate", text, "deflate", fault.ArchiveChecksum},
	} {
		got, filters, notices := decodedAs(t, c.data, c.file, strings.Split(c.codings, ",")...)
		if got != c.want || filters != c.filters || (c.code != "") != (len(notices) == 1) || c.code != "" && notices[0].Code != c.code {
			t.Errorf("%s: %.30q (%d), filters %q, notices %v", c.name, got, len(got), filters, notices)
		}
	}
}

// TestCodingsInAnyLayers: 200 texts in up to four codings, over a wire and in a WARC record.
func TestCodingsInAnyLayers(t *testing.T) {
	random := rand.New(rand.NewPCG(28, 7))
	kinds := []string{"gzip", "zlib", "deflate", "br", "zstd", "identity"}
	for n := range 200 {
		text := strings.Repeat(fmt.Sprintf("<http://example.org/%d> <http://example.org/p> \"%x\" .\n", n, random.Uint64()),
			1+random.IntN(300))
		data := text
		var named []string
		for range random.IntN(5) {
			kind := kinds[random.IntN(len(kinds))]
			data = encoded(t, kind, data)
			named = append(named, strings.Replace(kind, "zlib", "deflate", 1))
		}
		if got, filters, notices := decodedAs(t, data, "x.nt", named...); got != text || len(notices) > 0 {
			t.Errorf("%d: %v: %.40q, filters %q, %v", n, named, got, filters, notices)
		}
		reply := "HTTP/1.1 200 OK\r\nContent-Encoding: " + strings.Join(named, ", ") + "\r\n\r\n" + data
		record := fmt.Sprintf(
			"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://example.org/x.nt\r\nContent-Type: application/http\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n",
			len(reply), reply)
		if got := inRecord(t, record); got != text {
			t.Errorf("%d: %v in a record: %.40q", n, named, got)
		}
	}
}

// inRecord is the document of a WARC record, opened as its entry is.
func inRecord(t testing.TB, record string) (text string) {
	t.Helper()
	o, err := archive.Open(context.Background(), strings.NewReader(record), "x.warc", archive.Limits{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	if err := o.Entries(context.Background(), func(_ archive.Entry, r io.Reader) error {
		raw, err := io.ReadAll(r)
		if err == nil {
			text, _, _ = decodedAs(t, string(raw), "x.nt")
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return text
}

// lz4Of is a text in an lz4 frame.
func lz4Of(t *testing.T, text string) string {
	t.Helper()
	var out bytes.Buffer
	w := lz4.NewWriter(&out)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestWhatHasAnEndOfItsOwnIsWhole: an archive by its directory; a stream, after which another may follow, only
// where the length that was said is that of its text.
func TestWhatHasAnEndOfItsOwnIsWhole(t *testing.T) {
	text := strings.Repeat("<http://example.org/s> <http://example.org/p> \"o\" .\n", 2000)
	n := int64(len(text))
	gz, zst, x := encoded(t, "gzip", text), encoded(t, "zstd", text), encoded(t, "xz", text)
	l4 := lz4Of(t, text)
	// "hello world", a line.
	const bz = "BZh91AY&SYN\xec\xe86\x00\x00\x02Q\x80\x00\x10@\x00\x06D\x90\x80 \x001\x06LA\x01\xa7\xa9\xa5\x80\xbb\x941\xf8\xbb\x92)\xc2\x84\x82wgA\xb0"
	zipped := zipOf(t, zip.Deflate, member{name: "a.nt", body: text})
	for _, c := range []struct {
		name, data string
		said       int64
		whole      bool
	}{
		{"gzip", gz, n, true}, {"gzip, empty", encoded(t, "gzip", ""), 0, true},
		{"zstd", zst, n, true}, {"xz", x, n, true}, {"zip", zipped, -1, true}, {"zip, whatever was said", zipped, 7, true},
		{"gzip, nothing said", gz, -1, false}, {"zstd, nothing said", zst, -1, false}, {"xz, nothing said", x, -1, false},
		{"gzip, more was said", gz, n + 1, false}, {"zstd, more was said", zst, n + 1, false}, {"xz, more was said", x, n + 1, false},
		{"gzip, less was said", gz, n - 1, false}, {"zstd, less was said", zst, n - 1, false}, {"xz, less was said", x, n - 1, false},
		{"lz4", l4, n, true}, {"lz4, more was said", l4, n + 1, false}, {"lz4, less was said", l4, n - 1, false},
		{"lz4, nothing said", l4, -1, false},
		{"bzip2", bz, 12, true}, {"bzip2, more was said", bz, 13, false}, {"bzip2, less was said", bz, 11, false},
		{"bzip2, nothing said", bz, -1, false},
		{"two gzip members", gz + gz, n, false}, {"gzip and more", gz + "x", n, false},
		{"two zstd frames", zst + zst, 2 * n, false}, {"two streams of xz", x + x, 2 * n, false},
		{"gzip, a wrong sum", gz[:len(gz)-8] + "xxxx" + gz[len(gz)-4:], n, false},
		{"text", text, n, false}, {"nothing", "", 0, false}, {"zlib", encoded(t, "zlib", text), n, false},
		{"br", encoded(t, "br", text), n, false},
	} {
		if got := archive.IsWhole(strings.NewReader(c.data), c.said); got != c.whole {
			t.Errorf("%s: %v", c.name, got)
		}
	}
	random := rand.New(rand.NewPCG(28, 3))
	for name, data := range map[string]string{"gzip": gz, "zstd": zst, "xz": x, "lz4": l4, "zip": zipped} {
		for range 200 {
			if at := random.IntN(len(data)); archive.IsWhole(strings.NewReader(data[:at]), n) {
				t.Errorf("%d of %d bytes of %s are whole", at, len(data), name)
			}
		}
	}
}
