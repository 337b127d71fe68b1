package archive_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/klauspost/compress/zip"
	"github.com/mholt/archives"
	"github.com/ulikunitz/xz/lzma"

	"laundromat/archive"
	"laundromat/internal/fault"
)

// member is an entry as tests write and read it.
type member struct{ name, body string }

// lines is text of about n bytes, which compresses as data does.
func lines(n int) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, "<http://example.org/%d> <http://example.org/p%d> \"%x\" .\n", i*7919%10007, i%13, i*2654435761)
	}
	return b.String()
}

func pack(t testing.TB, c archives.Compressor, data string) string {
	t.Helper()
	var b bytes.Buffer
	w, err := c.OpenWriter(&b)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(w, data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func gz(t testing.TB, data string) string { return pack(t, archives.Gz{}, data) }

func lzmaAlone(t testing.TB, data string) string {
	t.Helper()
	var b bytes.Buffer
	w, err := lzma.NewWriter(&b)
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(w, data)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

var day = time.Date(2014, 10, 19, 12, 30, 0, 0, time.UTC)

func tarOf(t testing.TB, members ...member) string {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, m := range members {
		h := &tar.Header{Name: m.name, Mode: 0o644, Size: int64(len(m.body)), ModTime: day}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		io.WriteString(w, m.body)
	}
	w.Close()
	return b.String()
}

// zipOf writes entries by streaming: their lengths are only after them.
func zipOf(t testing.TB, method uint16, members ...member) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, m := range members {
		f, err := w.CreateHeader(&zip.FileHeader{Name: m.name, Method: method, Modified: day})
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(f, m.body)
	}
	w.Close()
	return b.String()
}

// rawZipOf writes stored entries whose lengths are before them.
func rawZipOf(t testing.TB, flags, method uint16, members ...member) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, m := range members {
		f, err := w.CreateRaw(&zip.FileHeader{Name: m.name, Flags: flags, Method: method, Modified: day,
			CRC32:            crc32.ChecksumIEEE([]byte(m.body)),
			CompressedSize64: uint64(len(m.body)), UncompressedSize64: uint64(len(m.body))})
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(f, m.body)
	}
	w.Close()
	return b.String()
}

// packedZipOf writes one entry that was packed elsewhere.
func packedZipOf(t testing.TB, method, flags uint16, m member, packed string) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	f, err := w.CreateRaw(&zip.FileHeader{Name: m.name, Flags: flags, Method: method, CRC32: crc32.ChecksumIEEE([]byte(m.body)),
		CompressedSize64: uint64(len(packed)), UncompressedSize64: uint64(len(m.body))})
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(f, packed)
	w.Close()
	return b.String()
}

// sevenZipOf writes a 7z whose entries are copied, each in a folder of its own.
func sevenZipOf(members ...member) string {
	var data, head bytes.Buffer
	n := byte(len(members))
	le := binary.LittleEndian
	number := func(v int) { sevenNumber(&head, v) }
	head.Write([]byte{1, 4, 6, 0, n, 9}) // header, streams, pack info at 0, sizes
	for _, m := range members {
		number(len(m.body))
		data.WriteString(m.body)
	}
	head.Write([]byte{0, 7, 11, n, 0}) // unpack info, folders
	for range members {
		head.Write([]byte{1, 1, 0}) // one coder with an id of one byte: copy
	}
	head.WriteByte(12)
	for _, m := range members {
		number(len(m.body))
	}
	head.Write([]byte{10, 1}) // all checksums
	for _, m := range members {
		head.Write(le.AppendUint32(nil, crc32.ChecksumIEEE([]byte(m.body))))
	}
	head.Write([]byte{0, 8, 0, 0, 5, n, 17}) // end of unpack info; streams as the folders; files; names
	return sevenZipFile(&head, data.String(), members)
}

// sevenNumber writes a number of up to 28 bits, as a 7z has them.
func sevenNumber(head *bytes.Buffer, v int) {
	head.WriteByte(0xE0 | byte(v>>24))
	head.Write([]byte{byte(v), byte(v >> 8), byte(v >> 16)})
}

// sevenZipFile ends a directory that lacks nothing but the names, and writes the whole file.
func sevenZipFile(head *bytes.Buffer, packed string, members []member) string {
	le := binary.LittleEndian
	var names bytes.Buffer
	names.WriteByte(0)
	for _, m := range members {
		for _, r := range m.name + "\x00" {
			names.Write([]byte{byte(r), byte(r >> 8)})
		}
	}
	sevenNumber(head, names.Len())
	head.Write(names.Bytes())
	head.Write([]byte{0, 0})
	start := le.AppendUint64(nil, uint64(len(packed)))
	start = le.AppendUint64(start, uint64(head.Len()))
	start = le.AppendUint32(start, crc32.ChecksumIEEE(head.Bytes()))
	out := append([]byte("7z\xBC\xAF\x27\x1C\x00\x04"), le.AppendUint32(nil, crc32.ChecksumIEEE(start))...)
	return string(out) + string(start) + packed + head.String()
}

// rarOf writes a rar of version 1.5 whose entries are stored.
func rarOf(flags uint16, members ...member) string {
	le := binary.LittleEndian
	block := func(kind byte, flags uint16, fields []byte) []byte {
		b := append([]byte{kind}, le.AppendUint16(nil, flags)...)
		b = le.AppendUint16(b, uint16(len(fields)+7))
		b = append(b, fields...)
		return append(le.AppendUint16(nil, uint16(crc32.ChecksumIEEE(b))), b...)
	}
	out := []byte("Rar!\x1A\x07\x00")
	out = append(out, block(0x73, 0, make([]byte, 6))...)
	for _, m := range members {
		f := le.AppendUint32(nil, uint32(len(m.body)))
		f = le.AppendUint32(f, uint32(len(m.body)))
		f = append(f, 3) // Unix
		f = le.AppendUint32(f, crc32.ChecksumIEEE([]byte(m.body)))
		f = le.AppendUint32(f, 0x45536000)
		f = append(f, 20, 0x30) // version, stored
		f = le.AppendUint16(f, uint16(len(m.name)))
		f = le.AppendUint32(f, 0o100644)
		f = append(f, m.name...)
		out = append(out, block(0x74, 0x8000|flags, f)...)
		out = append(out, m.body...)
	}
	out = append(out, block(0x7B, 0x4000, nil)...)
	return string(out)
}

// read is all that opening and reading something gave.
type read struct {
	filters string
	format  string
	leaf    string
	entries []member
	numbers []int
	sizes   []int64
	times   []time.Time
	notices []fault.Notice
	err     error
	nothing bool // it ended with ErrNothing
}

func (r *read) codes() string {
	var codes []string
	for _, n := range r.notices {
		codes = append(codes, fmt.Sprintf("%s %s %d", n.Severity, n.Code, n.Lost))
	}
	return strings.Join(codes, ", ")
}

func readAll(t testing.TB, data, name string, limits archive.Limits) *read {
	t.Helper()
	return readSource(t, strings.NewReader(data), name, limits)
}

// readSource reads all of a source. That nothing could be had is no error of the read: it must have no
// bytes then, and a loss that was told.
func readSource(t testing.TB, src archive.Source, name string, limits archive.Limits) *read {
	t.Helper()
	r := readOnce(t, src, name, limits)
	if r.nothing = errors.Is(r.err, archive.ErrNothing); !r.nothing {
		return r
	}
	r.err = nil
	for _, e := range r.entries {
		r.leaf += e.body
	}
	if r.leaf != "" || !strings.Contains(r.codes(), "drop ") {
		t.Errorf("nothing could be had, they say, and %q came; notices %v", r.leaf, r.notices)
	}
	return r
}

func readOnce(t testing.TB, src archive.Source, name string, limits archive.Limits) *read {
	t.Helper()
	ctx := context.Background()
	limits.Temp = t.TempDir()
	r := &read{}
	o, err := archive.Open(ctx, src, name, limits, func(n fault.Notice) { r.notices = append(r.notices, n) })
	if err != nil {
		r.err = err
		return r
	}
	defer o.Close()
	r.filters, r.format = strings.Join(o.Filters, " "), o.Format
	if o.Format == "" {
		rc, err := o.Reader(ctx)
		if err != nil {
			r.err = err
			return r
		}
		defer rc.Close()
		b, err := io.ReadAll(rc)
		r.leaf, r.err = string(b), err
		return r
	}
	r.err = o.Entries(ctx, func(e archive.Entry, in io.Reader) error {
		b, err := io.ReadAll(in)
		r.entries = append(r.entries, member{e.Name, string(b)})
		r.numbers = append(r.numbers, e.Number)
		r.sizes = append(r.sizes, e.Size)
		r.times = append(r.times, e.ModTime)
		return err
	})
	return r
}

// zeros is a gzip of 80 MiB of zero bytes, more than may come of anything.
func zeros(t testing.TB) string {
	t.Helper()
	return packedZeros()
}

var packedZeros = sync.OnceValue(func() string {
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression)
	block := make([]byte, 1<<20)
	for range 80 {
		w.Write(block)
	}
	w.Close()
	return b.String()
})
