package archive_test

import (
	"archive/tar"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"strings"
	"testing"
	"time"

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
		out, err = io.Copy(&b, steady{t, r})
		return b.String(), out, err
	}
	err = o.Entries(ctx, func(e archive.Entry, r io.Reader) error {
		b.WriteString(e.Shown() + "\n")
		n, err := io.Copy(&b, steady{t, r})
		out += n
		return err
	})
	return b.String(), out, err
}

// steady holds that each read brings a byte or an error. Decoders get some patience for that,
// readers of entries none.
type steady struct {
	t testing.TB
	r io.Reader
}

func (s steady) Read(p []byte) (int, error) {
	for range 100 {
		if n, err := s.r.Read(p); n > 0 || err != nil || len(p) == 0 {
			return n, err
		}
	}
	s.t.Fatal("neither a byte nor an error, a hundred times")
	return 0, io.ErrNoProgress
}

// longestReading is how long a reading of a small input may take, on a machine that is busy.
const longestReading = 20 * time.Second

// FuzzOpen is for everything that is read: filters, containers, and what lies in each other.
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
	for _, data := range cancelledWork(f) {
		f.Add([]byte(data[:min(len(data), 3000)]), "")
	}
	for _, coders := range []string{"\x21\x03\x01\x00", "\x21\x03\x01\xFF", "\x01\x04", "\x01\x08", "\x03\x04\x01\x08", "\x03\x04\x02\x02",
		"\x01\x06"} {
		containers = append(containers, solidSevenZipOf(coders, small[0].body, small[0]))
	}
	containers = append(containers, rarParts(small[0], small[0], small[1])[0], "MZ"+sevenZipOf(small...))
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
	w.WriteHeader(&tar.Header{Name: strings.Repeat("long/", 60) + "é", Size: 0, PAXRecords: map[string]string{"comment": "c"},
		Format: tar.FormatPAX})
	w.WriteHeader(&tar.Header{Name: "l", Typeflag: tar.TypeSymlink, Linkname: "x"})
	w.Close()
	f.Add(special.Bytes(), "")
	f.Fuzz(func(t *testing.T, data []byte, name string) { holdLaws(t, data, name) })
}

// holdLaws reads data twice: whatever it is, the limits hold, the errors are theirs, and both
// readings are the same.
func holdLaws(t *testing.T, data []byte, name string) {
	if len(data) > 1<<17 {
		return
	}
	begun := time.Now()
	first, out, err := story(t, string(data), name)
	if took := time.Since(begun); took > longestReading {
		t.Errorf("the reading took %v", took)
	}
	if out > 1<<20+64<<10 {
		t.Errorf("%d bytes came out of a limit of 1 MiB", out)
	}
	if err != nil && fault.KindOf(err) != fault.Limit && !errors.Is(err, archive.ErrNothing) {
		t.Errorf("error %v of kind %v: the data alone makes no other than limits, or nothing", err, fault.KindOf(err))
	}
	if again, _, _ := story(t, string(data), name); again != first {
		t.Errorf("two readings differ:\n%.500q\n%.500q", first, again)
	}
}

// What follows reaches after checksums, which chance does not get right.

func FuzzSevenZip(f *testing.F) {
	small := []member{{"a/one.nt", lines(300)}, {"b", "x"}}
	for _, whole := range []string{sevenZipOf(small...), solidSevenZipOf(lzma2Coder, lzma2Of(f, small[0].body, "x"), small...),
		solidSevenZipOf("\x03\x04\x01\x09", "\x03\x00", small...)} {
		at := 32 + binary.LittleEndian.Uint64([]byte(whole[12:]))
		f.Add([]byte(whole[32:at]), []byte(whole[at:]))
	}
	f.Fuzz(func(t *testing.T, packed, directory []byte) {
		le := binary.LittleEndian
		start := le.AppendUint64(nil, uint64(len(packed)))
		start = le.AppendUint64(start, uint64(len(directory)))
		start = le.AppendUint32(start, crc32.ChecksumIEEE(directory))
		data := le.AppendUint32([]byte("7z\xBC\xAF\x27\x1C\x00\x04"), crc32.ChecksumIEEE(start))
		data = append(append(append(data, start...), packed...), directory...)
		holdLaws(t, data, "")
	})
}

func FuzzSevenZipWithoutDirectory(f *testing.F) {
	text := lines(3000)
	packed := lzma2Of(f, text, text[:500])
	f.Add([]byte(packed))
	f.Add([]byte(packed[:len(packed)-300] + "\xAA\xAA" + packed[len(packed)-298:]))
	f.Add([]byte(text[:300]))
	f.Add([]byte(gz(f, "x")))
	f.Add([]byte(deflateOf(f, text) + deflateOf(f, "x") + packed))
	f.Fuzz(func(t *testing.T, packed []byte) {
		holdLaws(t, append(append([]byte("7z\xBC\xAF\x27\x1C\x00\x04"), make([]byte, 24)...), packed...), "")
	})
}

func FuzzTar(f *testing.F) {
	f.Add([]byte(tarOf(f, member{"a/one.nt", lines(300)}, member{"b", "x"})))
	f.Fuzz(func(t *testing.T, data []byte) {
		for at := 0; at+512 <= len(data) && at < 8*512; at += 512 {
			block := data[at : at+512]
			if string(block[257:262]) != "ustar" {
				continue
			}
			copy(block[148:156], "        ")
			sum := 0
			for _, b := range block {
				sum += int(b)
			}
			copy(block[148:156], fmt.Sprintf("%06o\x00 ", sum))
		}
		holdLaws(t, data, "")
	})
}

func FuzzRar(f *testing.F) {
	f.Add(uint16(0), "a.nt", []byte(lines(100)), "\x01\x00\x00", "\x02\x02\x05\x00\x05\x20\x00\x01\x01f")
	f.Fuzz(func(t *testing.T, flags uint16, name string, body []byte, first, second string) {
		if len(name) > 1000 || len(first) > 100 || len(second) > 100 {
			return
		}
		holdLaws(t, []byte(rarOf(flags, member{name, string(body)}, member{"b", "x"})), "")
		holdLaws(t, []byte(rar5(first, second)+string(body)), "")
	})
}

func FuzzIso(f *testing.F) {
	// The descriptor of a volume and its root: one folder, one file.
	const sector = 2048
	both := func(v uint32) []byte {
		return binary.BigEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, v), v)
	}
	record := func(name string, at, size uint32, flags byte) []byte {
		b := append([]byte{0, 0}, both(at)...)
		b = append(b, both(size)...)
		b = append(b, 114, 1, 1, 0, 0, 0, 0, flags, 0, 0, 1, 0, 0, 1, byte(len(name)))
		b = append(b, name...)
		if len(b)%2 != 0 {
			b = append(b, 0)
		}
		b[0] = byte(len(b))
		return b
	}
	image := make([]byte, 5*sector)
	copy(image, "\x01CD001\x01")
	copy(image[80:], both(21))
	copy(image[128:], "\x00\x08\x08\x00")
	copy(image[156:], record("\x00", 18, sector, 2))
	copy(image[sector:], "\xFFCD001\x01")
	root := append(record("\x00", 18, sector, 2), record("\x01", 18, sector, 2)...)
	copy(image[2*sector:], append(root, record("ONE.NT;1", 19, 100, 0)...))
	copy(image[3*sector:], lines(100))
	f.Add(image)
	if got := readAll(f, string(make([]byte, 16*sector))+string(image), "", archive.Limits{}); got.format != "iso9660" ||
		len(got.entries) != 1 {
		f.Fatalf("the seed isn't an image: %q, %d entries, %v", got.format, len(got.entries), got.notices)
	}
	f.Fuzz(func(t *testing.T, image []byte) { holdLaws(t, append(make([]byte, 16*sector), image...), "") })
}

// FuzzRecords is for the rows of records, which have no checksums: cpio, ar, WARC, lines of
// pages.
func FuzzRecords(f *testing.F) {
	small := []member{{"a/one.nt", lines(200)}, {"b", "x\n"}}
	for _, data := range []string{cpioOf(small...), arOf(member{"one.nt", "x\n"}), warcOf(crawled...), pageLinesOf(crawled...)} {
		f.Add([]byte(data))
		f.Add([]byte(data[:len(data)*2/3] + data))
	}
	f.Fuzz(func(t *testing.T, data []byte) { holdLaws(t, data, "") })
}

func FuzzZip(f *testing.F) {
	small := []member{{"a/one.nt", lines(200)}, {"b", "x\n"}}
	f.Add([]byte(zipOf(f, zip.Deflate, small...)))
	f.Add([]byte(rawZipOf(f, 0, zip.Store, small...) + rawZipOf(f, 0, 98, small...)))
	f.Add([]byte("#!/bin/sh\n" + rawZipOf(f, 0, zip.Store, small...)))
	f.Fuzz(func(t *testing.T, data []byte) { holdLaws(t, data, ".zip") })
}

// FuzzCompress is for streams of compress, one after the other.
func FuzzCompress(f *testing.F) {
	f.Add([]byte("a\xC4\x8C\x01"), []byte("a\xC4\x8C\x01"))
	f.Fuzz(func(t *testing.T, first, second []byte) {
		mark := "\x1F\x9D\x90"
		holdLaws(t, []byte(mark+string(first)+mark+string(second)), "")
	})
}
