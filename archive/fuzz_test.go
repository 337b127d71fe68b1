package archive_test

import (
	"archive/tar"
	"bytes"
	"context"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/zip"
	"github.com/mholt/archives"

	"laundromat/archive"
	"laundromat/internal/fault"
)

// story is all that a reading gave, for two readings to be compared.
func story(t testing.TB, data, name string) (told string, out int64, err error) {
	ctx := context.Background()
	var b strings.Builder
	limits := archive.Limits{Bytes: 1 << 20, Entries: 100}
	o, err := archive.Open(ctx, strings.NewReader(data), name, limits, func(n fault.Notice) {
		if n.Code == "" || n.Message == "" || n.Severity == 0 || n.Severity != fault.Drop && n.Lost != 0 || n.Lost > 1 {
			t.Errorf("notice %+v", n)
		}
		if _, known := fault.Explain(n.Code); !known {
			t.Errorf("code %s has no row", n.Code)
		}
		b.WriteString(string(n.Code) + "\n")
	})
	if err != nil {
		return b.String(), 0, err
	}
	defer o.Close()
	b.WriteString(strings.Join(o.Filters, " ") + "/" + o.Format + "\n")
	if o.Format == "" {
		r, err := o.Reader(ctx)
		if err != nil {
			return b.String(), 0, err
		}
		defer r.Close()
		out, err = io.Copy(&b, r)
		return b.String(), out, err
	}
	err = o.Entries(ctx, func(e archive.Entry, r io.Reader) error {
		b.WriteString(e.Shown() + "\n")
		n, err := io.Copy(&b, r)
		out += n
		return err
	})
	return b.String(), out, err
}

func FuzzOpen(f *testing.F) {
	small := []member{{"a/one.nt", lines(300)}, {"b", "x"}}
	for _, packed := range everyFilter(f, lines(600)) {
		f.Add([]byte(packed), "x")
		f.Add([]byte(packed[:len(packed)*2/3]), "x.br")
	}
	containers := []string{
		zipOf(f, zip.Deflate, small...), zipOf(f, zip.Store, small...), zipOf(f, archives.ZipMethodZstd, small...),
		rawZipOf(f, 0, zip.Store, small...), tarOf(f, small...), sevenZipOf(small...), rarOf(0, small...),
		packedZipOf(f, 14, 0, small[0], "\x09\x14\x05\x00"+lzmaAlone(f, small[0].body)[:5]+lzmaAlone(f, small[0].body)[13:]),
	}
	containers = append(containers, cpioOf(small...), arOf(member{"one.nt", "x\n"}), warcOf(crawled...), pageLinesOf(crawled...),
		"http://a/\n<html>x\nhttp://a/\nhttp://b/\n<html>\nhttp://b/\n",
		"begin 644 a\n#86)C\n`\nend\n", "begin-base64 644 a\nYWJj\n====\n", "\x1F\x9D\x90a\xC4\x8C\x01", quine())
	for _, packed := range containers {
		f.Add([]byte(packed), "")
		f.Add([]byte(packed[:len(packed)*2/3]), "")
		f.Add([]byte(gz(f, packed)), "")
	}
	f.Add([]byte(tarHead(f, 1<<40)), "")
	var special bytes.Buffer
	w := tar.NewWriter(&special)
	w.WriteHeader(&tar.Header{Name: strings.Repeat("long/", 60) + "é", Size: 0, PAXRecords: map[string]string{"comment": "c"}, Format: tar.FormatPAX})
	w.WriteHeader(&tar.Header{Name: "l", Typeflag: tar.TypeSymlink, Linkname: "x"})
	w.Close()
	f.Add(special.Bytes(), "")
	f.Fuzz(func(t *testing.T, data []byte, name string) {
		if len(data) > 1<<16 {
			return
		}
		first, out, err := story(t, string(data), name)
		if out > 1<<20+64<<10 {
			t.Errorf("%d bytes came out of a limit of 1 MiB", out)
		}
		if err != nil && fault.KindOf(err) != fault.Limit {
			t.Errorf("error %v of kind %v: the data alone makes no other than limits", err, fault.KindOf(err))
		}
		if again, _, _ := story(t, string(data), name); again != first {
			t.Errorf("two readings differ:\n%.500q\n%.500q", first, again)
		}
	})
}
