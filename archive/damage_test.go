package archive_test

import (
	"archive/tar"
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zip"
	"github.com/mholt/archives"

	"laundromat/archive"
)

// flip changes one byte.
func flip(data string, at int) string {
	b := []byte(data)
	b[at] ^= 0x5A
	return string(b)
}

func TestTruncatedStreamKeepsWhatCame(t *testing.T) {
	text := lines(1_500_000)
	for name, packed := range everyFilter(t, text) {
		got := readAll(t, packed[:len(packed)*2/3], "a.br", archive.Limits{})
		if got.err != nil || got.codes() != "drop archive/truncated 1" {
			t.Errorf("%s: error %v, notices %v", name, got.err, got.notices)
		}
		least := len(text) / 5
		if name == "lz4" {
			least = 0 // its blocks have 4 MiB, and half a block gives nothing
		}
		if len(got.leaf) < least || !strings.HasPrefix(text, got.leaf) {
			t.Errorf("%s: %d bytes of %d came", name, len(got.leaf), len(text))
		}
	}
}

// TestTheNoticeOfADamageCountsTheBytesThatCame cuts streams of several sizes at several places: small ones come out
// of some decoders in one piece, together with the error.
func TestTheNoticeOfADamageCountsTheBytesThatCame(t *testing.T) {
	for _, size := range []int{100, 4000, 100_000, 600_000} {
		for name, packed := range everyFilter(t, lines(size)) {
			for i := 1; i < 8; i++ {
				got := readAll(t, packed[:len(packed)*i/8], "", archive.Limits{})
				for _, n := range got.notices {
					_, said, found := strings.Cut(n.Message, " data ends early at byte ")
					if !found {
						continue
					}
					if want := fmt.Sprintf(", after %d bytes had come out of it", len(got.leaf)); !strings.Contains(said, want) {
						t.Errorf("%s of %d lines, %d eighths of it: %q, but%s", name, size, i, n.Message, want)
					}
				}
			}
		}
	}
}

// TestTwoMembersWithDamageBetweenAreNotJoined breaks the end of a first member, a small one and one of several blocks.
// What is left of it, and the next member, have the mark of a gap between them.
func TestTwoMembersWithDamageBetweenAreNotJoined(t *testing.T) {
	for _, size := range []int{2000, 600_000} {
		for _, name := range []string{"xz", "zstd", "lz4", "lzip", "gzip"} {
			first, second := everyFilter(t, lines(size))[name], everyFilter(t, "second\n")[name]
			got := readAll(t, first[:len(first)-60]+second, "", archive.Limits{})
			before, found := strings.CutSuffix(got.leaf, "second\n")
			isNothingLeft := name == "zstd" && size == 2000 // it is one block, and half a block gives nothing
			switch {
			case !found:
				t.Errorf("%s of %d bytes: the second member was not found; notices %v", name, size, got.notices)
			case (len(before) == 0) != isNothingLeft:
				t.Errorf("%s of %d bytes: %d bytes come before the second member; notices %v", name, size, len(before), got.notices)
			case !isNothingLeft && !strings.HasSuffix(before, "\n\x00\x00\n"):
				t.Errorf("%s of %d bytes: %q ends what came before the second member; notices %v", name, size,
					before[max(0, len(before)-40):], got.notices)
			}
		}
	}
}

func TestCorruptStreamKeepsWhatCameBefore(t *testing.T) {
	text := lines(1_500_000)
	for name, packed := range everyFilter(t, text) {
		broken := packed[:len(packed)/2] + strings.Repeat("\xFF\x00\xAA", 60) + packed[len(packed)/2+180:]
		got := readAll(t, broken, "a.br", archive.Limits{})
		if got.err != nil || len(got.notices) != 1 || got.notices[0].Lost != 1 && got.notices[0].Severity.String() == "drop" {
			t.Errorf("%s: error %v, notices %v", name, got.err, got.notices)
		}
		if len(got.leaf) < len(text)/5 || !strings.HasPrefix(text, got.leaf[:len(text)/5]) {
			t.Errorf("%s: %d bytes of %d came", name, len(got.leaf), len(text))
		}
	}
}

func TestWrongChecksumOfAMemberCostsNothing(t *testing.T) {
	for name, at := range map[string]int{"gzip": 8, "lzip": 20} {
		a, b := everyFilter(t, "first\n")[name], everyFilter(t, "second\n")[name]
		got := readAll(t, flip(a, len(a)-at)+b, "", archive.Limits{})
		if got.leaf != "first\nsecond\n" || got.codes() != "warning archive/checksum 0" {
			t.Errorf("%s: %q, notices %v", name, got.leaf, got.notices)
		}
	}
}

// A decoder of deflate seldom notices damage before the checksum after the member: what
// it gives is other text, and much of that looks right. So the notice names all of the member.
func TestNoDamageOfAGzipIsSilent(t *testing.T) {
	first, text := lines(2000), lines(200_000)
	head := gz(t, first)
	packed := gz(t, text)
	random := rand.New(rand.NewPCG(1, 2))
	trials, late := 0, 0
	for range 100 {
		hurt := []byte(packed)
		at := 10 + random.IntN(len(hurt)-18)
		if random.IntN(2) == 0 {
			hurt[at] ^= 1 << random.IntN(8)
		} else {
			for i := range min(64, len(hurt)-8-at) {
				hurt[at+i] = byte(random.Uint32())
			}
		}
		got := readAll(t, head+string(hurt), "", archive.Limits{})
		trials++
		if len(got.notices) == 0 || !strings.HasPrefix(got.leaf, first) {
			t.Fatalf("damage at %d: %d bytes, notices %v", at, len(got.leaf), got.notices)
		}
		told := got.notices[0].Message
		if strings.Contains(told, "checksum") {
			late++
		}
		if came := len(got.leaf) - len(first); came > 0 &&
			!strings.Contains(told, fmt.Sprintf("unpacked bytes %d to %d ", len(first), len(got.leaf))) &&
			!strings.Contains(told, "ends early") {
			t.Errorf("damage at %d: %d bytes: %s", at, came, told)
		}
	}
	t.Logf("%d of %d damaged members gave no sign before their checksum", late, trials)
}

func TestBytesAfterTheEndAreOnlyNoted(t *testing.T) {
	for name, packed := range everyFilter(t, "data\n") {
		if name == "brotli" || name == "lzma" || name == "snappy" {
			continue // have no end of their own, or nothing that shows what is garbage
		}
		got := readAll(t, packed+"<html>Fatal error: out of memory</html>", "", archive.Limits{})
		if got.leaf != "data\n" || got.codes() != "warning archive/trailing-bytes 0" {
			t.Errorf("%s: %q, notices %v", name, got.leaf, got.notices)
		}
	}
	got := readAll(t, tarOf(t, two...)+"<html>", "", archive.Limits{})
	if !slices.Equal(got.entries, two) || got.codes() != "warning archive/trailing-bytes 0" {
		t.Errorf("tar: %d entries, notices %v", len(got.entries), got.notices)
	}
}

func TestDamagedTarCostsOnlyItself(t *testing.T) {
	three := []member{{"a", lines(5000)}, {"b", lines(5000)}, {"c", lines(5000)}}
	whole := tarOf(t, three...)
	size := len(whole) / 3 / 512 * 512
	for _, c := range []struct {
		name, data string
		entries    []string
		codes      string
	}{
		{"cut in a body", whole[:size+2000], []string{"a", "b"}, "drop archive/truncated 1"},
		{"cut in a header", whole[:size+700-512], []string{"a"}, "drop archive/truncated 1"},
		{"broken header", flip(whole, 512+5120+10), []string{"a", "c"}, "drop archive/corrupt 1"},
		{"cut in gzip", gz(t, whole)[:900], []string{"a"}, "drop archive/truncated 1, drop archive/truncated 0"},
	} {
		got := readAll(t, c.data, "", archive.Limits{})
		var names []string
		for _, e := range got.entries {
			names = append(names, e.name)
		}
		if !slices.Equal(names, c.entries) || got.codes() != c.codes || got.err != nil {
			t.Errorf("%s: entries %q, notices %v, error %v", c.name, names, got.notices, got.err)
		}
	}
}

func TestTruncatedZipIsReadFromItsFront(t *testing.T) {
	three := []member{{"a", lines(5000)}, {"dir/b", lines(5000)}, {"c", lines(5000)}}
	for name, whole := range map[string]string{
		"deflate": zipOf(t, zip.Deflate, three...),
		"stored":  zipOf(t, zip.Store, three...),
		"bzip2":   zipOf(t, archives.ZipMethodBzip2, three...),
		"raw":     rawZipOf(t, 0, zip.Store, three...),
	} {
		directory := strings.Index(whole, "PK\x01\x02")
		for _, c := range []struct {
			name  string
			data  string
			whole int
			codes string
		}{
			{"no directory", whole[:directory], 3, "drop archive/truncated 1"},
			{"half a directory", whole[:directory+70], 3, "drop archive/truncated 1"},
			{"no end record", whole[:len(whole)-22], 3, "drop archive/truncated 1"},
			{"cut in c", whole[:directory-400], 2, "drop archive/truncated 1, drop archive/truncated 1"},
			{"corrupt directory", flip(whole, directory+1), 3, "drop archive/truncated 1"},
			{"corrupt second record", flip(whole, strings.Index(whole[directory+4:], "PK\x01\x02")+directory+5), 3,
				"drop archive/corrupt 1"},
		} {
			got := readAll(t, c.data, "", archive.Limits{})
			if got.err != nil || got.codes() != c.codes || len(got.entries) < c.whole ||
				!slices.Equal(got.entries[:c.whole], three[:c.whole]) {
				var names []string
				for _, e := range got.entries {
					names = append(names, e.name)
				}
				t.Errorf("%s, %s: entries %q, notices %v, error %v", name, c.name, names, got.notices, got.err)
			}
		}
	}
}

func TestDamagedEntryOfAZipCostsOnlyItself(t *testing.T) {
	three := []member{{"a", lines(5000)}, {"b", lines(5000)}, {"c", lines(5000)}}
	whole := zipOf(t, zip.Deflate, three...)
	second := strings.Index(whole[10:], "PK\x03\x04") + 10
	got := readAll(t, whole[:second+500]+strings.Repeat("\xFF", 300)+whole[second+800:], "", archive.Limits{})
	if len(got.entries) != 3 || got.entries[0] != three[0] || got.entries[2] != three[2] || len(got.notices) != 1 {
		t.Errorf("damaged body: %d entries, notices %v", len(got.entries), got.notices)
	}
	got = readAll(t, flip(whole, second), "", archive.Limits{})
	if !slices.Equal(got.entries, three) || got.codes() != "warning archive/bad-field 0" {
		t.Errorf("damaged header: %d entries, notices %v", len(got.entries), got.notices)
	}
	stored := rawZipOf(t, 0, zip.Store, three...)
	got = readAll(t, flip(stored, second+100), "", archive.Limits{})
	if len(got.entries) != 3 || got.codes() != "warning archive/checksum 0" {
		t.Errorf("wrong checksum: %d entries, notices %v", len(got.entries), got.notices)
	}
}

func TestAZipInAZipIsNotReadAsIts(t *testing.T) {
	inner := zipOf(t, zip.Store, member{"inner", "x"})
	whole := rawZipOf(t, 0, zip.Store, member{"first", lines(300)}, member{"inner.zip", inner})
	got := readAll(t, whole[:strings.LastIndex(whole, "PK\x01\x02")-0], "", archive.Limits{})
	if len(got.entries) < 2 || got.entries[0].name != "first" || got.entries[1].name != "inner.zip" {
		t.Errorf("entries %v", got.entries)
	}
}

func TestEncryptedEntriesAreTold(t *testing.T) {
	got := readAll(t, rawZipOf(t, 1, zip.Store, two...), "", archive.Limits{})
	if len(got.entries) != 0 || got.codes() != "drop archive/encrypted 1, drop archive/encrypted 1" {
		t.Errorf("zip: %d entries, notices %v", len(got.entries), got.notices)
	}
	got = readAll(t, rarOf(4, two...), "", archive.Limits{})
	if len(got.entries) != 0 || !strings.HasPrefix(got.codes(), "drop archive/encrypted 1") {
		t.Errorf("rar: %d entries, notices %v, error %v", len(got.entries), got.notices, got.err)
	}
}

func TestDamagedSevenZipAndRarAreTold(t *testing.T) {
	seven, rar := sevenZipOf(two...), rarOf(0, two...)
	for _, c := range []struct {
		name, data string
		entries    int
		codes      string
	}{
		{"7z cut", seven[:len(seven)-40], 1, "drop archive/truncated 1"},
		{"7z cut in its head", seven[:20], 0, "drop archive/truncated 1"},
		{"7z wrong checksum", flip(seven, 40), 2, "warning archive/checksum 0"},
		{"rar cut", rar[:1000], 1, "drop archive/truncated 1"},
		{"rar cut in its head", rar[:12], 0, "drop archive/truncated 1"},
		{"rar wrong checksum", flip(rar, 200), 2, "warning archive/checksum 0"},
	} {
		got := readAll(t, c.data, "", archive.Limits{})
		if len(got.entries) != c.entries || got.err != nil || !strings.HasPrefix(got.codes(), c.codes) {
			t.Errorf("%s: %d entries, notices %v, error %v", c.name, len(got.entries), got.notices, got.err)
		}
	}
}

func TestLinksAreToldAndDirectoriesPassedOver(t *testing.T) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, h := range []*tar.Header{
		{Name: "d/", Typeflag: tar.TypeDir, Mode: 0o755},
		{Name: "soft", Typeflag: tar.TypeSymlink, Linkname: "/etc/passwd"},
		{Name: "hard", Typeflag: tar.TypeLink, Linkname: "d/f"},
		{Name: "pipe", Typeflag: tar.TypeFifo},
		{Name: "d/f", Typeflag: tar.TypeReg, Size: 1},
	} {
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
	}
	io.WriteString(w, "x")
	w.Close()
	got := readAll(t, b.String(), "", archive.Limits{})
	if !slices.Equal(got.entries, []member{{"d/f", "x"}}) ||
		got.codes() != "warning archive/link 0, warning archive/link 0, warning archive/device 0" {
		t.Errorf("tar: %v, notices %v", got.entries, got.notices)
	}

	b.Reset()
	z := zip.NewWriter(&b)
	z.Create("d/")
	h := &zip.FileHeader{Name: "soft"}
	h.SetMode(0o777 | 1<<27) // fs.ModeSymlink
	f, _ := z.CreateHeader(h)
	io.WriteString(f, "/etc/passwd")
	f, _ = z.Create("d/f")
	io.WriteString(f, "x")
	z.Close()
	got = readAll(t, b.String(), "", archive.Limits{})
	if !slices.Equal(got.entries, []member{{"d/f", "x"}}) || got.codes() != "warning archive/link 0" {
		t.Errorf("zip: %v, notices %v", got.entries, got.notices)
	}
}

func TestUnsafeNamesAreReadWithAWarning(t *testing.T) {
	for name, unsafe := range map[string]bool{
		"a/b.nt": false, "a..b/c": false, "..a": false, "c:": true, "héllo/wörld": false, "\xE4.nt": false,
		"../a": true, "a/../../b": true, "/etc/passwd": true, "C:/x": true, "a\\b": true, "..": true,
	} {
		got := readAll(t, rawZipOf(t, 0, zip.Store, member{name, "x"}), "", archive.Limits{})
		want := ""
		if unsafe {
			want = "warning archive/unsafe-name 0"
		}
		if !slices.Equal(got.entries, []member{{name, "x"}}) || got.codes() != want {
			t.Errorf("%q: %v, notices %v", name, got.entries, got.notices)
		}
	}
}

func TestProgramsThatAreZipsAreReadWithANote(t *testing.T) {
	got := readAll(t, zipOf(t, zip.Deflate, member{"META-INF/MANIFEST.MF", "Manifest-Version: 1.0"}, member{"a.nt", "x"}), "a.jar",
		archive.Limits{})
	if len(got.entries) != 2 || got.codes() != "note archive/package 0" {
		t.Errorf("%d entries, notices %v", len(got.entries), got.notices)
	}
}

// Documents of office programs and electronic books are zips, and yet one thing.
func TestDocumentsThatAreZipsAreLeaves(t *testing.T) {
	for name, c := range map[string]struct {
		data   string
		isLeaf bool
	}{
		"Word": {zipOf(t, zip.Deflate, member{"[Content_Types].xml", "<Types/>"}, member{"_rels/.rels", "<r/>"},
			member{"word/document.xml", "<w/>"}), true},
		"Excel as others write it": {zipOf(t, zip.Deflate, member{"xl/workbook.xml", "<w/>"}, member{"_rels/.rels", "<r/>"},
			member{"[Content_Types].xml", "<Types/>"}), true},
		"OpenDocument": {zipOf(t, zip.Store, member{"mimetype", "application/vnd.oasis.opendocument.spreadsheet"},
			member{"content.xml", "<x/>"}), true},
		"EPUB":                {zipOf(t, zip.Store, member{"mimetype", "application/epub+zip"}, member{"a.xhtml", "<x/>"}), true},
		"a file of that name": {zipOf(t, zip.Deflate, member{"mimetype", "text/turtle"}, member{"a.nt", "x"}), false},
		"another media type":  {zipOf(t, zip.Store, member{"mimetype", "application/zip"}, member{"a.nt", "x"}), false},
		"Excel with backslashes": {zipOf(t, zip.Deflate, member{`xl\workbook.xml`, "<w/>"}, member{`_rels\.rels`, "<r/>"},
			member{"[Content_Types].xml", "<Types/>"}), true},
		"Excel in other letters": {zipOf(t, zip.Deflate, member{"workbook.xml", "<w/>"},
			member{"_Rels/.rels", "<r/>"}, member{"[content_types].xml", "<Types/>"}), true},
		"OpenDocument without its media type in front": {zipOf(t, zip.Deflate, member{"content.xml", "<c/>"},
			member{"META-INF/manifest.xml", "<m/>"}), true},
		"content without a manifest": {zipOf(t, zip.Deflate, member{"content.xml", "<c/>"}, member{"a.xml", "<m/>"}), false},
		"data beside such a part":    {zipOf(t, zip.Deflate, member{"a.nt", "x"}, member{"a.xlsx/[Content_Types].xml", "<Types/>"}), false},
	} {
		for behind, data := range map[string]string{
			"as it is": c.data, "gzip": gz(t, c.data), "gzip, twice": gz(t, gz(t, c.data)), "bzip2": pack(t, archives.Bz2{}, c.data),
			"xz": pack(t, archives.Xz{}, c.data), "zstd": pack(t, archives.Zstd{}, c.data),
		} {
			got := readAll(t, data, "", archive.Limits{})
			if isLeaf := got.leaf == c.data && len(got.entries) == 0; isLeaf != c.isLeaf || isLeaf && len(got.notices) > 0 {
				t.Errorf("%s, %s: %d entries, notices %v", name, behind, len(got.entries), got.notices)
			}
		}
	}
}

// A zip within a filter that is cut short has no directory: it is read from its front, as ever.
func TestAZipWithinAFilterIsUnpackedUnlessItIsADocument(t *testing.T) {
	book := zipOf(t, zip.Deflate, member{"xl/workbook.xml", "<w/>"}, member{"_rels/.rels", "<r/>"}, member{"[Content_Types].xml", "<T/>"})
	plain := zipOf(t, zip.Deflate, member{"a.nt", strings.Repeat("x", 1000)}, member{"b.nt", "y"})
	for name, c := range map[string]struct {
		data    string
		limits  archive.Limits
		entries int
		codes   string
	}{
		"data":                {gz(t, plain), archive.Limits{}, 2, ""},
		"a workbook in a zip": {gz(t, zipOf(t, zip.Store, member{"a.xlsx", book})), archive.Limits{}, 1, ""},
		"just within limits":  {gz(t, plain), archive.Limits{Bytes: 1001}, 2, ""},
	} {
		got := readAll(t, c.data, "a.zip.gz", c.limits)
		if len(got.entries) != c.entries || got.codes() != c.codes || got.err != nil {
			t.Errorf("%s: %d entries, %v, notices %v", name, len(got.entries), got.err, got.notices)
		}
	}
	got := readAll(t, gz(t, plain)[:60], "a.zip.gz", archive.Limits{})
	if got.leaf != "" || len(got.notices) == 0 {
		t.Errorf("cut short: leaf %q, notices %v", got.leaf, got.notices)
	}
}

func TestUnknownPackingIsALeafWithAWarning(t *testing.T) {
	for _, data := range []string{"MSCF\x00\x00\x00\x00....", "LRZI\x00\x06", "hsqs\x01\x00"} {
		got := readAll(t, data, "", archive.Limits{})
		if got.leaf != data || got.codes() != "warning archive/unsupported 0" {
			t.Errorf("%q: leaf %q, notices %v", data, got.leaf, got.notices)
		}
	}
}

func TestShownNamesAreOneSafeLine(t *testing.T) {
	for _, c := range []struct {
		entry archive.Entry
		want  string
	}{
		{archive.Entry{Name: "a/b c.ttl", Number: 1}, "a/b c.ttl"},
		{archive.Entry{Name: "é\xE9\n\x1B[31m", Number: 2}, `é\xE9\u000A\u001B[31m (2)`},
	} {
		if got := c.entry.Shown(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// lying is a 7z with its directory changed and its checksums made again.
func lying(t testing.TB, whole string, from, to string) string {
	t.Helper()
	b := []byte(strings.Replace(whole, from, to, 1))
	if string(b) == whole {
		t.Fatalf("%q is not in the sample", from)
	}
	le := binary.LittleEndian
	at := 32 + le.Uint64(b[12:])
	le.PutUint64(b[20:], uint64(len(b))-at)
	le.PutUint32(b[28:], crc32.ChecksumIEEE(b[at:]))
	le.PutUint32(b[8:], crc32.ChecksumIEEE(b[12:32]))
	return string(b)
}

func TestSevenZipThatLiesIsNotBelieved(t *testing.T) {
	whole := sevenZipOf(two...)
	for name, c := range map[string]struct{ from, to, codes string }{
		"names instead of a count of files": {"\x00\x00\x05\x02\x11", "\x00\x00\x05\xE8\x11\xE0\x17", "drop archive/corrupt 1"},
		"more files than streams":           {"\x00\x00\x05\x02\x11", "\x00\x00\x05\x03\x11", "drop archive/corrupt 1"},
		"many folders":                      {"\x07\x0B\x02\x00", "\x07\x0B\xC0\xFF\xFF\x00", "drop archive/corrupt 1"},
		"many coders":                       {"\x01\x01\x00\x01", "\xBF\xFF\x01\x00\x01", "drop archive/corrupt 1"},
		"a window of 4 GiB":                 {"\x01\x01\x00\x01", "\x01\x21\x21\x01\x28\x01", "drop archive/corrupt 1"},
		"a coder with many inputs": {"\x01\x01\x00\x01", "\x01\x11\x00\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x7F\x01\x01",
			"drop archive/unsupported 1"},
	} {
		got := readAll(t, lying(t, whole, c.from, c.to), "", archive.Limits{})
		entries := 0
		if c.codes == "drop archive/corrupt 1" {
			entries = 1 // what is packed, without the directory
		}
		if got.err != nil || len(got.entries) != entries || got.codes() != c.codes {
			t.Errorf("%s: %d entries, notices %v, error %v", name, len(got.entries), got.notices, got.err)
		}
	}
}

// rar5 is a rar of version 5 from the contents of its blocks.
func rar5(blocks ...string) string {
	out := "Rar!\x1A\x07\x01\x00"
	for _, b := range blocks {
		header := string([]byte{byte(len(b))}) + b
		out += string(binary.LittleEndian.AppendUint32(nil, crc32.ChecksumIEEE([]byte(header)))) + header
	}
	return out
}

func TestRarThatLiesIsNotBelieved(t *testing.T) {
	main, end := "\x01\x00\x00", "\x05\x00\x00"
	file := "\x02\x02\x05\x00\x05\x20\x00\x01\x01f" // header of 5 stored bytes called f
	sound := rar5(main, file) + "hello" + rar5(end)[8:]
	got := readAll(t, sound, "", archive.Limits{})
	if !slices.Equal(got.entries, []member{{"f", "hello"}}) || got.codes() != "" {
		t.Fatalf("sound: %v, notices %v, error %v", got.entries, got.notices, got.err)
	}
	for name, data := range map[string]string{
		"zeros behind":      rar5(main, file) + "hello" + strings.Repeat("\x00", 100),
		"a long name":       rar5(main, file) + "hello" + rar5("\x02\x00\x00\x00\x20\x00\x01\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x7Ff")[8:],
		"a negative extra":  rar5(main, file) + "hello" + rar5("\x02\x01\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x7F")[8:],
		"a broken checksum": flip(rar5(main, file)+"hello"+rar5(end)[8:], len(sound)-6),
	} {
		got := readAll(t, data, "", archive.Limits{})
		if !slices.Equal(got.entries, []member{{"f", "hello"}}) || got.codes() != "drop archive/corrupt 1" || got.err != nil {
			t.Errorf("%s: %v, notices %v, error %v", name, got.entries, got.notices, got.err)
		}
	}
}
