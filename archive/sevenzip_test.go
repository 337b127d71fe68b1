package archive_test

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz/lzma"

	"laundromat/archive"
	"laundromat/internal/fault"
)

// solidSevenZipOf is a 7z whose entries are packed in one stream, by a coder that is
// given as the directory writes it: flags, identifier, properties.
func solidSevenZipOf(coder, packed string, members ...member) string {
	var head bytes.Buffer
	n := byte(len(members))
	le := binary.LittleEndian
	number := func(v int) { sevenNumber(&head, v) }
	all := 0
	for _, m := range members {
		all += len(m.body)
	}
	head.Write([]byte{1, 4, 6, 0, 1, 9}) // header, streams, pack info: at 0, one, its size
	number(len(packed))
	head.Write([]byte{0, 7, 11, 1, 0, 1}) // end; unpack info: one folder, one coder
	head.WriteString(coder)
	head.WriteByte(12)
	number(all)
	head.Write([]byte{0, 8, 13, n, 9}) // end; files in the folder, their sizes but the last
	for _, m := range members[:n-1] {
		number(len(m.body))
	}
	head.Write([]byte{10, 1})
	for _, m := range members {
		head.Write(le.AppendUint32(nil, crc32.ChecksumIEEE([]byte(m.body))))
	}
	head.Write([]byte{0, 0, 5, n, 17}) // end; end; files; names
	return sevenZipFile(&head, packed, members)
}

const lzma2Coder = "\x21\x21\x01\x18" // a window of 16 MiB

// lzma2Of packs texts in one stream of LZMA2, each so that it needs nothing before it.
func lzma2Of(t testing.TB, texts ...string) string {
	t.Helper()
	var b bytes.Buffer
	for _, text := range texts {
		w, err := lzma.Writer2Config{DictCap: 1 << 20}.NewWriter2(&b)
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(w, text)
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		b.Truncate(b.Len() - 1) // the end mark
	}
	return b.String() + "\x00"
}

// cutAtLines cuts a text into so many pieces of whole lines.
func cutAtLines(text string, n int) (pieces []string) {
	all := text
	for i := 1; i < n; i++ {
		at := len(all)*i/n - (len(all) - len(text))
		at += strings.IndexByte(text[at:], '\n') + 1
		pieces = append(pieces, text[:at])
		text = text[at:]
	}
	return append(pieces, text)
}

// fromOriginal says whether every whole line of text is one of the original.
func fromOriginal(text, original string) bool {
	known := map[string]bool{}
	for line := range strings.Lines(original) {
		known[line] = true
	}
	for line := range strings.Lines(text) {
		if strings.HasSuffix(line, " .\n") && !known[line] {
			return false
		}
	}
	return true
}

func TestDamageInASolidSevenZipCostsUpToTheNextFreshChunk(t *testing.T) {
	text := lines(1 << 20)
	texts, thirds := cutAtLines(text, 8), cutAtLines(text, 3)
	members := []member{{"a", thirds[0]}, {"b", thirds[1]}, {"c", thirds[2]}}
	packed := lzma2Of(t, texts...)
	whole := solidSevenZipOf(lzma2Coder, packed, members...)
	if got := readAll(t, whole, "", archive.Limits{}); got.err != nil || got.codes() != "" || len(got.entries) != 3 ||
		got.entries[1] != members[1] {
		t.Fatalf("whole: %d entries, notices %v, error %v", len(got.entries), got.notices, got.err)
	}
	hurt := func(at int) string {
		return whole[:32+at] + strings.Repeat("\xAA", 64) + whole[32+at+64:]
	}
	for at := 200; at < len(packed)-200; at += len(packed) / 15 {
		got := readAll(t, hurt(at), "", archive.Limits{})
		came := 0
		for _, e := range got.entries {
			came += len(e.body)
			if !fromOriginal(e.body, text) {
				t.Errorf("damage at %d: entry %q holds lines that nobody wrote", at, e.name)
			}
		}
		least := len(text) * 7 / 8 // what one damaged eighth leaves
		if at > len(packed)*7/8 {
			least = len(text) * 3 / 4 // after the last fresh chunk is nothing
		}
		if got.err != nil || came < least-8<<10 || !strings.Contains(got.codes(), string(fault.ArchiveCorrupt)) {
			t.Errorf("damage at %d: %d of %d bytes came, notices %v, error %v", at, came, len(text), got.notices, got.err)
		}
	}
}

func TestSevenZipWithoutItsDirectoryGivesItsStreams(t *testing.T) {
	text := lines(600_000)
	packed := lzma2Of(t, text)
	var zst bytes.Buffer
	w, _ := zstd.NewWriter(&zst)
	io.WriteString(w, text)
	w.Close()
	one := member{"a", text}
	deflated := deflateOf(t, text)
	for name, c := range map[string]struct {
		data  string
		least int // bytes that come out
		codes string
	}{
		"LZMA2, cut": {solidSevenZipOf(lzma2Coder, packed, one)[:32+len(packed)/2], len(text) * 2 / 5,
			"drop archive/truncated 1, drop archive/truncated 1"},
		"LZMA2, directory damaged": {flip(solidSevenZipOf(lzma2Coder, packed, one), 32+len(packed)+9), len(text), "drop archive/corrupt 1"},
		"LZMA2, head damaged":      {flip(solidSevenZipOf(lzma2Coder, packed, one), 15), len(text), "drop archive/corrupt 1"},
		"deflate, cut": {solidSevenZipOf("\x03\x04\x01\x08", deflated, one)[:32+len(deflated)/2], len(text) * 2 / 5,
			"drop archive/truncated 1, drop archive/truncated 1"},
		"copied text, cut": {solidSevenZipOf("\x01\x00", text, one)[:32+300_000], 300_000, "drop archive/truncated 1"},
		"copied gzip, cut": {solidSevenZipOf("\x01\x00", gz(t, text), member{"a.gz", gz(t, text)})[:32+30_000], 30_000,
			"drop archive/truncated 1"},
		"unknown, cut": {solidSevenZipOf("\x04\x04\xF7\x11\x06", "\x00"+strings.Repeat("\xC1\x07", 500), one)[:500], 0,
			"drop archive/truncated 1, warning archive/corrupt 0"},
		"head alone": {solidSevenZipOf(lzma2Coder, packed, one)[:32], 0, "drop archive/truncated 1"},
	} {
		got := readAll(t, c.data, "", archive.Limits{})
		came := ""
		for _, e := range got.entries {
			came += e.body
			if e.name != "" {
				t.Errorf("%s: an entry has the name %q", name, e.name)
			}
		}
		if got.err != nil || len(came) < c.least || got.codes() != c.codes {
			t.Errorf("%s: %d bytes, notices %v, error %v", name, len(came), got.notices, got.err)
		}
		if !strings.HasPrefix(came, "\x1F\x8B") && !strings.HasPrefix(text, came[:min(len(came), len(text))]) {
			t.Errorf("%s: other bytes than were packed", name)
		}
	}
	if got := readAll(t, solidSevenZipOf("\x04\x04\xF7\x11\x01", zst.String(), one), "", archive.Limits{}); len(got.entries) != 1 ||
		got.entries[0] != one || got.codes() != "" {
		t.Errorf("zstd: %d entries, notices %v, error %v", len(got.entries), got.notices, got.err)
	}
}

// deflateOf is a stream of deflate without anything around it.
func deflateOf(t testing.TB, text string) string {
	member := gz(t, text)
	return member[10 : len(member)-8]
}

// Where a stream of deflate ends, the next begins, of whatever kind.
func TestStreamsOfDeflateInASevenZipWithoutItsDirectoryAreToldApart(t *testing.T) {
	texts := []string{lines(40_000), "a short one, of less than one page\n", lines(80_000)[30_000:]}
	packed := ""
	for _, text := range texts {
		packed += deflateOf(t, text)
	}
	packed += lzma2Of(t, texts[0])
	whole := solidSevenZipOf("\x03\x04\x01\x08", packed, member{"a", "x"})
	got := readAll(t, whole[:32+len(packed)], "", archive.Limits{})
	if len(got.entries) != 4 || got.codes() != "drop archive/truncated 1" {
		t.Fatalf("%d entries, notices %v", len(got.entries), got.notices)
	}
	for i, text := range append(texts, texts[0]) {
		if got.entries[i].body != text {
			t.Errorf("stream %d: %d bytes, want %d", i, len(got.entries[i].body), len(text))
		}
	}
}

func TestMethodsOfSevenZipThatCantBeReadAreNamed(t *testing.T) {
	for coder, name := range map[string]string{
		"\x04\x04\xF7\x11\x06": "LIZARD (method 04F71106)",
		"\x01\x0B":             "RISCV (method 0B)",
		"\x03\x7F\x01\x02":     "the method 7F0102",
	} {
		got := readAll(t, solidSevenZipOf(coder, "xyz", two...), "", archive.Limits{})
		if len(got.entries) != 0 || len(got.notices) != 2 || !strings.Contains(got.notices[0].Message, name) ||
			got.notices[0].Code != fault.ArchiveUnsupported {
			t.Errorf("%s: %d entries, notices %v, error %v", name, len(got.entries), got.notices, got.err)
		}
	}
}

func TestLongWayBehindDamageIsNotUnpackedAgainAndAgain(t *testing.T) {
	text := lines(2 << 20)
	members := make([]member, 0, 100)
	for i := range 100 {
		members = append(members, member{"e", text[i*len(text)/100 : (i+1)*len(text)/100]})
	}
	var b bytes.Buffer
	w, _ := lzma.WriterConfig{SizeInHeader: true, Size: int64(len(text))}.NewWriter(&b)
	io.WriteString(w, text)
	w.Close()
	packed := b.String()
	whole := solidSevenZipOf("\x23\x03\x01\x01\x05"+packed[:5], packed[13:], members...)
	at := 32 + len(packed)*3/10
	got := readAll(t, whole[:at]+strings.Repeat("\xAA", 64)+whole[at+64:], "", archive.Limits{})
	if got.err != nil || len(got.entries) < 25 || len(got.entries) == 100 && got.codes() == "" {
		t.Errorf("%d entries, error %v", len(got.entries), got.err)
	}
}

// withDirectory changes the directory of a 7z that is not packed, and what says where it is.
func withDirectory(data string, change func(directory string) string) string {
	le := binary.LittleEndian
	at := 32 + le.Uint64([]byte(data[12:20]))
	directory := change(data[at:])
	start := le.AppendUint64(nil, at-32)
	start = le.AppendUint64(start, uint64(len(directory)))
	start = le.AppendUint32(start, crc32.ChecksumIEEE([]byte(directory)))
	return data[:8] + string(le.AppendUint32(nil, crc32.ChecksumIEEE(start))) + string(start) + data[32:at] + directory
}

// packedDirectory packs the directory of a 7z with Copy, as another stream after the data.
func packedDirectory(data string) string {
	le := binary.LittleEndian
	at := int(le.Uint64([]byte(data[12:20])))
	directory := data[32+at:]
	var head bytes.Buffer
	head.Write([]byte{0x17, 6})
	sevenNumber(&head, at)
	head.Write([]byte{1, 9})
	sevenNumber(&head, len(directory))
	head.Write([]byte{0, 7, 11, 1, 0, 1, 1, 0, 12})
	sevenNumber(&head, len(directory))
	head.Write([]byte{10, 1})
	head.Write(le.AppendUint32(nil, crc32.ChecksumIEEE([]byte(directory))))
	head.Write([]byte{0, 0})
	start := le.AppendUint64(nil, uint64(at+len(directory)))
	start = le.AppendUint64(start, uint64(head.Len()))
	start = le.AppendUint32(start, crc32.ChecksumIEEE(head.Bytes()))
	return data[:8] + string(le.AppendUint32(nil, crc32.ChecksumIEEE(start))) + string(start) + data[32:] + head.String()
}

func property(id byte, body string) string { return string([]byte{id, byte(len(body))}) + body }

func TestPropertiesOfASevenZipThatAreNotNeededArePassedOver(t *testing.T) {
	before := func(properties string) func(string) string {
		return func(d string) string { return d[:1] + "\x02" + properties + "\x00" + d[1:] }
	}
	files := func(properties string) func(string) string {
		return func(d string) string { return d[:len(d)-2] + properties + d[len(d)-2:] }
	}
	eight := strings.Repeat("\x00\x00\x00\x00\x00\xE8\xD0\x01", 2)
	for _, c := range []struct {
		name   string
		change func(string) string
	}{
		{"none", func(d string) string { return d }},
		{"properties of the archive, none", before("")},
		{"a property of the archive", before(property(0x21, "abc"))},
		{"three of them", before(property(0x21, "abc") + property(0x22, "") + property(0x7F, strings.Repeat("x", 100)))},
		{"one with a long number", before("\x80\x90\x03xyz")},
		{"padding", files(property(0x19, strings.Repeat("\x00", 7)))},
		{"padding twice, and none", files(property(0x19, "\x00") + property(0x19, "") + property(0x19, "\x00\x00"))},
		{"places", files(property(0x18, "\x01\x00"+eight))},
		{"places of one", files(property(0x18, "\x00\x80\x00"+eight[:8]))},
		{"all times", files(property(0x12, "\x01\x00"+eight) + property(0x13, "\x01\x00"+eight) + property(0x14, "\x01\x00"+eight))},
		{"a time of one", files(property(0x14, "\x00\x40\x00"+eight[:8]))},
		{"attributes", files(property(0x15, "\x01\x00\x20\x00\x00\x00\x20\x00\x00\x00"))},
		{"a comment", files(property(0x16, "\x00h\x00i\x00\x00\x00"))},
		{"what is yet unknown", files(property(0x30, "what"))},
		{"marks of deletion, of none", files(property(0x10, ""))},
		{"all of it", func(d string) string {
			return before(property(0x21, "abc"))(files(property(0x19, "\x00") + property(0x18, "\x01\x00"+eight) + property(0x30, ""))(d))
		}},
	} {
		data := withDirectory(sevenZipOf(two...), c.change)
		for _, d := range []string{data, packedDirectory(data), gz(t, data), data + data} {
			got := readAll(t, d, "", archive.Limits{})
			want := len(two) * (1 + strings.Count(d, data)/2)
			if len(got.entries) != want || got.entries[0] != two[0] || got.entries[1] != two[1] || got.err != nil || got.codes() != "" {
				t.Errorf("%s: %d entries, error %v, notices %v", c.name, len(got.entries), got.err, got.notices)
			}
		}
	}
	data := packedDirectory(sevenZipOf(two...))
	for i := 32 + int(binary.LittleEndian.Uint64([]byte(data[12:20]))) - 40; i > 40; i -= 3001 {
		hurt := data[:i] + string(data[i]^1) + data[i+1:]
		if got := readAll(t, hurt, "", archive.Limits{}); got.codes() == "" {
			t.Errorf("byte %d changed: nothing is told", i)
		}
	}
}
