package archive_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zip"

	"laundromat/archive"
)

const emptySevenZip = "7z\xBC\xAF\x27\x1C\x00\x04\x8D\x9B\xD5\x0F" +
	"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"

// emptyArchives are archives of nothing, by their format and a word.
func emptyArchives(t testing.TB) map[string]string {
	warcinfo := "WARC/1.0\r\nWARC-Type: warcinfo\r\nWARC-Date: 2014-10-19T12:30:00Z\r\nContent-Type: application/warc-fields\r\nContent-Length: 8\r\n\r\na: b\r\n\r\n\r\n\r\n\r\n"
	odc := "0707070000000000000000000000000000000000010000000000000000000001300000000000TRAILER!!!\x00"
	all := map[string]string{
		"zip":                zipOf(t, zip.Deflate),
		"zip, with comment":  "PK\x05\x06" + strings.Repeat("\x00", 16) + "\x05\x00hello",
		"tar":                strings.Repeat("\x00", 1024),
		"tar, a whole block": strings.Repeat("\x00", 10240),
		"7z":                 emptySevenZip,
		"7z, a directory":    withDirectory(sevenZipOf(member{}), func(string) string { return "\x01\x00" }),
		"7z, no files":       withDirectory(sevenZipOf(member{}), func(string) string { return "\x01\x05\x00\x00\x00" }),
		"7z, only properties": withDirectory(sevenZipOf(member{}), func(string) string {
			return "\x01\x02" + property(0x21, "abc") + "\x00\x00"
		}),
		"7z, padded and packed": packedDirectory(withDirectory(sevenZipOf(member{}),
			func(string) string { return "\x01\x02\x00\x00" })),
		"rar":                           rarOf(0),
		"rar, 5":                        rar5("\x01\x00\x00", "\x05\x00\x00"),
		"ar":                            "!<arch>\n",
		"cpio, newc":                    cpioOf(),
		"cpio, newc, padded":            cpioOf() + strings.Repeat("\x00", 512-len(cpioOf())),
		"cpio, with checksums":          strings.Replace(cpioOf(), "070701", "070702", 1),
		"cpio, odc":                     odc,
		"cpio, binary":                  binaryCpio(false, 0),
		"cpio, binary, the other order": binaryCpio(true, 0),
		"xar":                           xarOf(),
		"cab":                           cabinetOf(cabinetOptions{}),
		"warc":                          warcinfo,
	}
	return all
}

// binaryCpio is a cpio archive of the old binary form, in either order of bytes.
func binaryCpio(isBig bool, seconds int64, members ...member) string {
	var b bytes.Buffer
	word := func(v int) {
		if isBig {
			b.Write([]byte{byte(v >> 8), byte(v)})
		} else {
			b.Write([]byte{byte(v), byte(v >> 8)})
		}
	}
	long := func(v int) { word(v >> 16); word(v & 0xFFFF) }
	for i, m := range append(members, member{"TRAILER!!!", ""}) {
		mode := 0o100644
		if i == len(members) {
			mode, seconds = 0, 0
		}
		for _, v := range []int{0o070707, 1, i + 1, mode, 0, 0, 1, 0} {
			word(v)
		}
		long(int(seconds))
		word(len(m.name) + 1)
		long(len(m.body))
		b.WriteString(m.name + "\x00")
		if b.Len()%2 != 0 {
			b.WriteByte(0)
		}
		b.WriteString(m.body)
		if b.Len()%2 != 0 {
			b.WriteByte(0)
		}
	}
	return b.String()
}

func TestAnEmptyArchiveIsEmpty(t *testing.T) {
	for name, data := range emptyArchives(t) {
		format, _, _ := strings.Cut(name, ",")
		for _, c := range []struct{ file, data string }{{"d." + format, data}, {"d." + format + ".gz", gz(t, data)}} {
			got := readAll(t, c.data, c.file, archive.Limits{})
			if got.format != format || len(got.entries) > 0 || got.err != nil || got.codes() != "" {
				t.Errorf("%s as %s: format %q, %d entries, error %v, notices %v", name, c.file, got.format, len(got.entries), got.err,
					got.notices)
			}
		}
	}
	// Where a tar has nothing but zero bytes, only its name says that it is one.
	for _, name := range []string{"d.tgz", "d.nt"} {
		got := readAll(t, gz(t, strings.Repeat("\x00", 1024)), name, archive.Limits{})
		if want := map[string]string{"d.tgz": "tar"}[name]; got.format != want || got.codes() != "" {
			t.Errorf("%s: format %q, notices %v", name, got.format, got.notices)
		}
	}
	// cut, damaged
	for _, data := range []string{emptySevenZip[:31], emptySevenZip[:12] + "\x01" + emptySevenZip[13:]} {
		if got := readAll(t, data, "", archive.Limits{}); got.codes() == "" {
			t.Errorf("%d bytes: nothing is told", len(data))
		}
	}
}

func TestAnEmptyStreamIsEmpty(t *testing.T) {
	for name, packed := range everyFilter(t, "") {
		if packed == "" {
			continue // snappy's writer writes nothing at all
		}
		file := map[string]string{"brotli": "d.br"}[name]
		got := readAll(t, packed, file, archive.Limits{})
		if len(got.leaf) > 0 || got.err != nil || got.codes() != "" || got.filters != name {
			t.Errorf("%s: filters %q, %q came, error %v, notices %v", name, got.filters, got.leaf, got.err, got.notices)
		}
	}
	for name, data := range map[string]string{
		"bzip2": "BZh9\x17\x72\x45\x38\x50\x90\x00\x00\x00\x00", "compress": "\x1F\x9D\x90",
		"xz":       "\xFD7zXZ\x00\x00\x04\xE6\xD6\xB4\x46\x00\x00\x00\x00\x1C\xDF\x44\x21\x1F\xB6\xF3\x7D\x01\x00\x00\x00\x00\x04YZ",
		"uuencode": "begin 644 d\n`\nend\n",
	} {
		if got := readAll(t, data, "", archive.Limits{}); got.filters != name || got.leaf != "" || got.codes() != "" || got.err != nil {
			t.Errorf("%s: filters %q, %q came, error %v, notices %v", name, got.filters, got.leaf, got.err, got.notices)
		}
	}
}

// Programs pack nothing, empty folders and empty files in any mixture. No file that is
// missing comes out, each that exists does, and nothing is reported.
func TestArchivesOfNothingAndOfEmptyFiles(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 7))
	makers := []struct{ program, format, make string }{
		{"7z", "7z", "7z a -bd out.7z ./in > /dev/null; mv out.7z out"},
		{"7z", "zip", "7z a -bd -tzip out.zip ./in > /dev/null; mv out.zip out"},
		{"bsdtar", "7z", "bsdtar -cf out --format=7zip in"},
		{"bsdtar", "zip", "bsdtar -cf out --format=zip in"},
		{"bsdtar", "tar", "bsdtar -cf out --format=pax in"},
		{"bsdtar", "xar", "bsdtar -cf out --format=xar in"},
		{"bsdtar", "cpio", "bsdtar -cf out --format=odc in"},
		{"tar", "tar", "tar -cf out in"},
		{"cpio", "cpio", "find in | cpio --quiet -o -H newc > out"},
		{"cpio", "cpio", "find in | cpio --quiet -o -H bin > out"},
		{"genisoimage", "iso9660", "genisoimage -quiet -R -o out in"},
	}
	for n := range 44 {
		m := makers[n%len(makers)]
		if _, err := exec.LookPath(m.program); err != nil {
			t.Logf("without %s, its archives are not tried", m.program)
			continue
		}
		dir := t.TempDir()
		os.Mkdir(filepath.Join(dir, "in"), 0o700)
		files := 0
		for i := range r.IntN(6) {
			path := filepath.Join(dir, "in", fmt.Sprint("d", i))
			if r.IntN(2) == 0 {
				os.Mkdir(path, 0o700)
				continue
			}
			os.WriteFile(path, nil, 0o600)
			files++
		}
		c := exec.Command("sh", "-c", m.make)
		c.Dir = dir
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v %s", m.make, err, out)
		}
		data, _ := os.ReadFile(filepath.Join(dir, "out"))
		got := readAll(t, string(data), "", archive.Limits{})
		if got.format != m.format || len(got.entries) != files || got.err != nil || got.codes() != "" {
			t.Errorf("%s: format %q, %d of %d files, error %v, notices %v", m.make, got.format, len(got.entries), files, got.err,
				got.notices)
		}
	}
	// The same of archives that are made here, so that it is tried without those programs.
	for n := range 200 {
		members := make([]member, r.IntN(5))
		for i := range members {
			members[i].name = fmt.Sprint("f", i)
		}
		made := map[string]string{
			"zip": zipOf(t, zip.Store, members...), "tar": tarOf(t, members...), "cpio": cpioOf(members...), "ar": arOf(members...),
			"xar": xarOf(members...),
			"rar": rarOf(0, members...), "cab": cabinetOf(cabinetOptions{}, members...),
		}
		if len(members) > 0 { // with no stream at all, as 7-Zip writes it
			made["7z"] = emptyFilesSevenZip(members)
		}
		for format, data := range made {
			got := readAll(t, data, "d."+format, archive.Limits{})
			if got.format != format || len(got.entries) != len(members) || got.err != nil || got.codes() != "" {
				t.Fatalf("%d, %s: format %q, %d of %d files, error %v, notices %v", n, format, got.format, len(got.entries), len(members),
					got.err, got.notices)
			}
		}
	}
}

// emptyFilesSevenZip is a 7z of empty files alone.
func emptyFilesSevenZip(members []member) string {
	n := len(members)
	bits := string([]byte{byte(0xFF << (8 - n))})
	head := bytes.NewBufferString("\x01\x05" + string([]byte{byte(n)}) + property(0x0E, bits) + property(0x0F, bits) + "\x11")
	return sevenZipFile(head, "", members)
}

// All forms of cpio that programs write, with whatever names and lengths.
func TestEveryFormOfCpioIsRead(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 77))
	forms := []string{"bin", "odc", "newc", "crc", "hpbin", "hpodc"}
	_, err := exec.LookPath("cpio")
	if err != nil {
		t.Log("without cpio, its archives are not tried")
	}
	for n := range 200 {
		var members []member
		for i := range 1 + r.IntN(5) {
			members = append(members, member{strings.Repeat("n", 1+r.IntN(40)) + fmt.Sprint(i), lines(1)[:1+r.IntN(40)] +
				lines(r.IntN(3000))})
		}
		seconds := r.Int64N(1 << 31)
		for _, isBig := range []bool{false, true} {
			got := readAll(t, binaryCpio(isBig, seconds, members...), "", archive.Limits{})
			if got.format != "cpio" || fmt.Sprint(got.entries) != fmt.Sprint(members) || got.times[0].Unix() != seconds ||
				got.codes() != "" || got.err != nil {
				t.Fatalf("%d, binary, %v: %d of %d entries, times %v, want %d, error %v, notices %v", n, isBig, len(got.entries),
					len(members), got.times, seconds, got.err, got.notices)
			}
		}
		if err != nil || n%8 != 0 {
			continue
		}
		dir := t.TempDir()
		var names strings.Builder
		for _, m := range members {
			os.WriteFile(filepath.Join(dir, m.name), []byte(m.body), 0o600)
			names.WriteString(m.name + "\n")
		}
		form := forms[n/8%len(forms)]
		c := exec.Command("cpio", "--quiet", "-o", "-H", form)
		c.Dir, c.Stdin = dir, strings.NewReader(names.String())
		data, failed := c.Output()
		if failed != nil {
			t.Fatal(form, failed)
		}
		for _, packed := range []string{string(data), gz(t, string(data)), string(data) + string(data)} {
			got := readAll(t, packed, "", archive.Limits{})
			want := members
			if len(packed) == 2*len(data) {
				want = append(members[:len(members):len(members)], members...)
			}
			if got.format != "cpio" || fmt.Sprint(got.entries) != fmt.Sprint(want) || got.codes() != "" || got.err != nil {
				t.Errorf("%d, %s: format %q, %d of %d entries, error %v, notices %v", n, form, got.format, len(got.entries), len(want),
					got.err, got.notices)
			}
		}
		back := exec.Command("cpio", "--quiet", "-i", "-t") // a second reader agrees on what was written here
		back.Stdin = strings.NewReader(binaryCpio(n%16 == 0, seconds, members...))
		list, failed := back.Output()
		if failed != nil || string(list) != names.String() {
			t.Errorf("%d: cpio lists %q, want %q (%v)", n, list, names.String(), failed)
		}
	}
}
