package archive_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/klauspost/compress/zip"
	"github.com/mholt/archives"

	"laundromat/archive"
	"laundromat/internal/fault"
)

var two = []member{{"a/one.nt", lines(3000)}, {"two.ttl", "<s> <p> <o> ."}}

var packedBefore sync.Map // text to what everyFilter made of it

// everyFilter packs the same data in each way.
func everyFilter(t testing.TB, data string) map[string]string {
	if known, ok := packedBefore.Load(data); ok {
		return maps.Clone(known.(map[string]string))
	}
	all := map[string]string{
		"gzip":   gz(t, data),
		"bzip2":  pack(t, archives.Bz2{}, data),
		"xz":     pack(t, archives.Xz{}, data),
		"zstd":   pack(t, archives.Zstd{}, data),
		"lz4":    pack(t, archives.Lz4{}, data),
		"lzip":   pack(t, archives.Lzip{}, data),
		"lzma":   lzmaAlone(t, data),
		"snappy": pack(t, archives.Sz{}, data),
		"brotli": pack(t, archives.Brotli{}, data),
	}
	packedBefore.Store(data, all)
	return maps.Clone(all)
}

// everyContainer packs two in each way.
func everyContainer(t testing.TB) map[string]string {
	return map[string]string{
		"zip": zipOf(t, zip.Deflate, two...),
		"tar": tarOf(t, two...),
		"7z":  sevenZipOf(two...),
		"rar": rarOf(0, two...),
	}
}

func TestFiltersArePeeledByContentAlone(t *testing.T) {
	text := lines(200_000)
	for name, packed := range everyFilter(t, text) {
		file := "wrong.zip"
		if name == "brotli" {
			file = "data.NT.BR"
		}
		got := readAll(t, packed, file, archive.Limits{})
		if got.filters != name || got.format != "" || got.leaf != text || got.err != nil || got.codes() != "" {
			t.Errorf("%s: filters %q, format %q, %d bytes of %d, error %v, notices %v", name, got.filters, got.format, len(got.leaf),
				len(text), got.err, got.notices)
		}
	}
}

func TestContainersGiveTheirEntries(t *testing.T) {
	for name, packed := range everyContainer(t) {
		for _, wrapped := range []string{"", "gzip"} {
			data := packed
			if wrapped != "" {
				data = gz(t, packed)
			}
			got := readAll(t, data, "data", archive.Limits{})
			if got.format != name || got.filters != wrapped || !slices.Equal(got.entries, two) || got.err != nil || got.codes() != "" {
				t.Errorf("%s in %q: format %q, filters %q, %d entries, error %v, notices %v", name, wrapped, got.format, got.filters,
					len(got.entries), got.err, got.notices)
			}
			if name == "tar" || name == "zip" {
				if !got.times[0].Equal(day) {
					t.Errorf("%s: time %v, want %v", name, got.times[0], day)
				}
			}
			if !slices.Equal(got.sizes, []int64{int64(len(two[0].body)), int64(len(two[1].body))}) {
				t.Errorf("%s: sizes %v", name, got.sizes)
			}
		}
	}
}

func TestEveryMethodOfZipIsRead(t *testing.T) {
	for _, method := range []uint16{zip.Store, zip.Deflate, archives.ZipMethodBzip2, archives.ZipMethodZstd} {
		got := readAll(t, zipOf(t, method, two...), "", archive.Limits{})
		if !slices.Equal(got.entries, two) || got.codes() != "" {
			t.Errorf("method %d: %d entries, notices %v", method, len(got.entries), got.notices)
		}
	}
	alone := lzmaAlone(t, two[0].body)
	for method, packed := range map[uint16]string{
		95: pack(t, archives.Xz{}, two[0].body),
		14: "\x09\x14\x05\x00" + alone[:5] + alone[13:],
	} {
		got := readAll(t, packedZipOf(t, method, 1<<1, member{"a", two[0].body}, packed), "", archive.Limits{})
		if len(got.entries) != 1 || got.entries[0].body != two[0].body || got.codes() != "" {
			t.Errorf("method %d: %d entries, notices %v", method, len(got.entries), got.notices)
		}
	}
	got := readAll(t, rawZipOf(t, 0, 97, two...), "", archive.Limits{})
	if len(got.entries) != 0 || got.codes() != "drop archive/unsupported 1, drop archive/unsupported 1" {
		t.Errorf("method 97: %d entries, notices %v", len(got.entries), got.notices)
	}
}

func TestTextIsNotTakenForAnArchive(t *testing.T) {
	for _, text := range []string{
		"", "B", "BZh91 is a bus line.\n", "BZh", "PK is a country code", "LZIP is a format", "Rar! it said", "7z and more",
		"]\x00\x00 odd", "\x1F\x8B", "\x1F\x8B\x09 nothing here", "*M*\x18", strings.Repeat("0", 1024), strings.Repeat(" ", 1024),
		lines(2000), "%PDF-1.4\n%\xE2\xE3\xCF\xD3\n", "\x00\x00\x00\x00", string(make([]byte, 10241)),
	} {
		for _, name := range []string{"a.gz", "a.zip", "a.tar", "a.br", ""} {
			got := readAll(t, text, name, archive.Limits{})
			if got.filters != "" || got.format != "" || got.leaf != text || got.err != nil {
				t.Errorf("%.20q as %q: filters %q, format %q, error %v", text, name, got.filters, got.format, got.err)
			}
		}
	}
}

// TestUuencodedDataIsFoundInAMail takes what is after the header of a mail, and leaves text that
// only speaks of it alone.
func TestUuencodedDataIsFoundInAMail(t *testing.T) {
	const coded = "begin 644 hello\n%:&5L;&\\*\n`\nend\n" // uuencode of "hello"
	header := "From a@example.org Mon Jan  1 00:00:00 1996\nSubject: data\n\nSee below.\n\n"
	for _, c := range []struct{ text, filters, leaf, codes string }{
		{coded, "uuencode", "hello", ""},
		{header + coded, "uuencode", "hello", "warning archive/leading-bytes 0"},
		{"X-Mailer: none\n\n" + coded + "bye\n", "uuencode", "hello", "warning archive/leading-bytes 0, warning archive/trailing-bytes 0"},
		{"See below.\n\n" + coded, "", "See below.\n\n" + coded, ""},
		{header + "begin 644 hello\nend\n", "", header + "begin 644 hello\nend\n", ""},
	} {
		got := readAll(t, c.text, "", archive.Limits{})
		if got.filters != c.filters || got.leaf != c.leaf || got.codes() != c.codes || got.err != nil {
			t.Errorf("%q: filters %q, %q, notices %s, %v", c.text, got.filters, got.leaf, got.codes(), got.err)
		}
	}
}

func TestConcatenatedStreamsAreOne(t *testing.T) {
	a, b := everyFilter(t, "first\n"), everyFilter(t, "second\n")
	for _, name := range []string{"gzip", "bzip2", "xz", "zstd", "lz4", "lzip", "snappy"} {
		got := readAll(t, a[name]+b[name], "", archive.Limits{})
		if got.leaf != "first\nsecond\n" || got.codes() != "" {
			t.Errorf("%s: %q, notices %v", name, got.leaf, got.notices)
		}
	}
	got := readAll(t, a["gzip"]+"\x00\x00\x00"+b["gzip"]+"\x00", "", archive.Limits{})
	if got.leaf != "first\nsecond\n" || got.codes() != "" {
		t.Errorf("padded gzip: %q, notices %v", got.leaf, got.notices)
	}
	skippable := "\x50\x2A\x4D\x18\x03\x00\x00\x00abc"
	if got := readAll(t, skippable+a["zstd"], "", archive.Limits{}); got.leaf != "first\n" || got.filters != "zstd" {
		t.Errorf("zstd after a skippable frame: %q of %q, %v", got.leaf, got.filters, got.notices)
	}
}

func TestLayersAreNamedOutermostFirst(t *testing.T) {
	data := gz(t, pack(t, archives.Bz2{}, pack(t, archives.Brotli{}, tarOf(t, two...))))
	got := readAll(t, data, "x.tar.br.bz2.gz", archive.Limits{})
	if got.filters != "gzip bzip2 brotli" || got.format != "tar" || !slices.Equal(got.entries, two) {
		t.Errorf("filters %q, format %q, %d entries", got.filters, got.format, len(got.entries))
	}
}

func TestReadingAgainGivesTheSameAndNoNoticeTwice(t *testing.T) {
	text := lines(100_000)
	packed := gz(t, text)
	notices := 0
	o, err := archive.Open(context.Background(), strings.NewReader(packed[:len(packed)/2]), "", archive.Limits{},
		func(fault.Notice) { notices++ })
	if err != nil {
		t.Fatal(err)
	}
	var first string
	for i := range 3 {
		r, err := o.Reader(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(r)
		r.Close()
		if i == 0 {
			first = string(b)
		}
		if err != nil || string(b) != first || len(b) == 0 {
			t.Fatalf("reading %d: %d bytes, error %v; the first gave %d", i, len(b), err, len(first))
		}
	}
	if notices != 1 {
		t.Errorf("%d notices, want 1", notices)
	}
}

func TestWalkingAgainGivesTheSameAndNoNoticeTwice(t *testing.T) {
	packed := tarOf(t, member{"../a", "x"}, member{"b", "y"}, member{"/c", "z"})
	notices := 0
	o, err := archive.Open(context.Background(), strings.NewReader(packed), "", archive.Limits{Entries: 3},
		func(fault.Notice) { notices++ })
	if err != nil {
		t.Fatal(err)
	}
	enough := errors.New("enough")
	err = o.Entries(context.Background(), func(e archive.Entry, r io.Reader) error { return enough })
	if err != enough {
		t.Fatalf("error %v, want that of the callback", err)
	}
	for range 3 {
		var names []string
		err := o.Entries(context.Background(), func(e archive.Entry, r io.Reader) error { names = append(names, e.Name); return nil })
		if err != nil || strings.Join(names, " ") != "../a b /c" {
			t.Fatalf("names %q, error %v", names, err)
		}
	}
	if notices != 2 {
		t.Errorf("%d notices, want 2", notices)
	}
}

func TestEntriesOfOneNameAreNumbered(t *testing.T) {
	got := readAll(t, tarOf(t, member{"a", "1"}, member{"b", "2"}, member{"a", "3"}, member{"a", "4"}), "", archive.Limits{})
	if !slices.Equal(got.numbers, []int{1, 1, 2, 3}) {
		t.Errorf("numbers %v", got.numbers)
	}
}

func TestUnreadEntriesDoNotDisturbTheNext(t *testing.T) {
	for name, packed := range everyContainer(t) {
		o, err := archive.Open(context.Background(), strings.NewReader(packed), "", archive.Limits{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		var last string
		err = o.Entries(context.Background(), func(e archive.Entry, r io.Reader) error {
			if e.Name == two[0].name {
				_, err := io.CopyN(io.Discard, r, 10)
				return err
			}
			b, err := io.ReadAll(r)
			last = string(b)
			return err
		})
		if err != nil || last != two[1].body {
			t.Errorf("%s: %q, error %v", name, last, err)
		}
	}
}

// failing is a source that fails from a place on.
type failing struct {
	*strings.Reader
	from int64
	err  error
}

func (f *failing) ReadAt(p []byte, off int64) (int, error) {
	if off+int64(len(p)) > f.from {
		return 0, f.err
	}
	return f.Reader.ReadAt(p, off)
}

func TestTroubleOfTheSourceIsNotTheArchivesFault(t *testing.T) {
	all := everyFilter(t, lines(1_500_000))
	delete(all, "brotli")
	for name, packed := range everyContainer(t) {
		all[name] = packed
		all["gzip "+name] = gz(t, packed)
	}
	all["big tar"] = tarOf(t, member{"a", lines(300_000)}, member{"b", lines(300_000)})
	all["big tar.gz"] = gz(t, all["big tar"])
	all["big zip"] = zipOf(t, zip.Deflate, member{"a", lines(1_000_000)})
	for name, packed := range all {
		for _, part := range []int{0, 3, 9} {
			src := &failing{strings.NewReader(packed), int64(len(packed) * part / 10), syscall.EIO}
			got := readSource(t, src, "", archive.Limits{})
			if !errors.Is(got.err, syscall.EIO) || fault.KindOf(got.err) != fault.Local {
				t.Errorf("%s, failing at %d of 10: error %v (%v)", name, part, got.err, fault.KindOf(got.err))
			}
			for _, n := range got.notices {
				if n.Severity == fault.Drop {
					t.Errorf("%s, failing at %d of 10: %v", name, part, n)
				}
			}
		}
	}
}

func TestCancelledWorkStopsAndIsNobodysFault(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	o, err := archive.Open(ctx, strings.NewReader(tarOf(t, two...)), "", archive.Limits{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	err = o.Entries(ctx, func(archive.Entry, io.Reader) error { cancel(); return nil })
	if fault.KindOf(err) != fault.Stopped {
		t.Errorf("error %v, kind %v", err, fault.KindOf(err))
	}
	if _, err := archive.Open(ctx, strings.NewReader("x"), "", archive.Limits{}, nil); fault.KindOf(err) != fault.Stopped {
		t.Errorf("open: error %v", err)
	}
	if _, err := o.Reader(ctx); fault.KindOf(err) != fault.Stopped {
		t.Errorf("reader: error %v", err)
	}
	if _, err := archive.Spool(ctx, strings.NewReader("x"), "", 10); fault.KindOf(err) != fault.Stopped {
		t.Errorf("spool: error %v", err)
	}
}

func TestSpoolHoldsAStreamInMemoryOrOnDisk(t *testing.T) {
	text := lines(100_000)
	for _, inMemory := range []int64{0, 1, int64(len(text)) - 1, int64(len(text)), 1 << 30} {
		s, err := archive.Spool(context.Background(), strings.NewReader(text), t.TempDir(), inMemory)
		if err != nil {
			t.Fatal(err)
		}
		if s.Size() != int64(len(text)) {
			t.Errorf("in memory %d: size %d, want %d", inMemory, s.Size(), len(text))
		}
		b := make([]byte, len(text))
		if _, err := s.ReadAt(b, 0); err != nil && err != io.EOF || string(b) != text {
			t.Errorf("in memory %d: the text differs, error %v", inMemory, err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	broken := io.MultiReader(strings.NewReader("some"), &failingStream{syscall.ECONNRESET})
	for _, inMemory := range []int64{0, 100} {
		if _, err := archive.Spool(context.Background(), broken, t.TempDir(), inMemory); !errors.Is(err, syscall.ECONNRESET) {
			t.Errorf("error %v, want that of the stream", err)
		}
		broken = io.MultiReader(strings.NewReader("some"), &failingStream{syscall.ECONNRESET})
	}
	if _, err := archive.Spool(context.Background(), strings.NewReader(text), "/nowhere/at/all", 10); fault.KindOf(err) != fault.Local {
		t.Errorf("no folder: error %v", err)
	}
}

type failingStream struct{ err error }

func (f *failingStream) Read([]byte) (int, error) { return 0, f.err }

func TestALeafHasNoEntries(t *testing.T) {
	o, err := archive.Open(context.Background(), bytes.NewReader(nil), "", archive.Limits{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := o.Entries(context.Background(), nil); err == nil {
		t.Error("no error")
	}
}

func TestUnknownTimesAreZero(t *testing.T) {
	got := readAll(t, sevenZipOf(two...), "", archive.Limits{})
	for _, at := range got.times {
		if !at.IsZero() && at.After(time.Date(1601, 1, 2, 0, 0, 0, 0, time.UTC)) {
			t.Errorf("time %v", at)
		}
	}
}
