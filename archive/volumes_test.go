package archive_test

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zip"

	"laundromat/archive"
)

func TestPartsOfAnArchiveAreFoundByTheirNames(t *testing.T) {
	for _, c := range []struct{ name, beside, parts, whole string }{
		{"a.7z.001", "a.7z.001 a.7z.002 a.7z.003", "a.7z.001 a.7z.002 a.7z.003", "a.7z"},
		{"a.7z.002", "a.7z.001 a.7z.002 a.7z.003", "a.7z.001 a.7z.002 a.7z.003", "a.7z"},
		{"a.7z.001", "a.7z.001", "", ""},
		{"a.7z.001", "a.7z.001 a.7z.003", "", ""},
		{"a.7z.003", "a.7z.001 a.7z.003", "", ""},
		{"A.ZIP.001", "A.ZIP.001 A.ZIP.002", "A.ZIP.001 A.ZIP.002", "A.ZIP"},
		{"d/a.tar.gz.001", "d/a.tar.gz.001 d/a.tar.gz.002", "d/a.tar.gz.001 d/a.tar.gz.002", "d/a.tar.gz"},
		{"a.zip", "a.z01 a.z02 a.zip", "a.z01 a.z02 a.zip", "a.zip"},
		{"a.z01", "a.z01 a.z02 a.zip", "a.z01 a.z02 a.zip", "a.zip"},
		{"a.zip", "a.zip b.z01", "", ""},
		{"a.part1.rar", "a.part1.rar a.part2.rar", "a.part1.rar a.part2.rar", "a"},
		{"a.part02.rar", "a.part01.rar a.part02.rar", "a.part01.rar a.part02.rar", "a"},
		{"a.rar", "a.rar a.r00 a.r01", "a.rar a.r00 a.r01", "a.rar"},
		{"a.r01", "a.rar a.r00 a.r01", "a.rar a.r00 a.r01", "a.rar"},
		{"a.rar", "a.rar", "", ""},
		{"data.nt.001", "data.nt.001 data.nt.002", "", ""},
		{"report.2024.001", "report.2024.001 report.2024.002", "", ""},
	} {
		exists := func(name string) bool { return slices.Contains(strings.Fields(c.beside), name) }
		parts, whole := archive.Parts(c.name, exists)
		if strings.Join(parts, " ") != c.parts || whole != c.whole {
			t.Errorf("%s beside %s: %q, whole %q", c.name, c.beside, parts, whole)
		}
	}
}

// inParts cuts bytes into parts of so many.
func inParts(data string, size int) (parts []string) {
	for len(data) > size {
		parts = append(parts, data[:size])
		data = data[size:]
	}
	return append(parts, data)
}

// rarParts writes a rar of version 4 in two parts, with the second of three files in both.
func rarParts(members ...member) []string {
	le := binary.LittleEndian
	block := func(kind byte, flags uint16, fields []byte) string {
		b := append([]byte{kind}, le.AppendUint16(nil, flags)...)
		b = le.AppendUint16(b, uint16(len(fields)+7))
		b = append(b, fields...)
		return string(append(le.AppendUint16(nil, uint16(crc32.ChecksumIEEE(b))), b...))
	}
	file := func(m member, body string, flags uint16) string {
		f := le.AppendUint32(nil, uint32(len(body)))
		f = le.AppendUint32(f, uint32(len(m.body)))
		f = append(f, 3)
		sum := crc32.ChecksumIEEE([]byte(body))
		if flags&2 == 0 {
			sum = crc32.ChecksumIEEE([]byte(m.body))
		}
		f = le.AppendUint32(f, sum)
		f = append(le.AppendUint32(f, 0x45536000), 20, 0x30)
		f = le.AppendUint16(f, uint16(len(m.name)))
		f = append(le.AppendUint32(f, 0o100644), m.name...)
		return block(0x74, 0x8000|flags, f) + body
	}
	head := "Rar!\x1A\x07\x00" + block(0x73, 0x11, make([]byte, 6))
	half := len(members[1].body) / 2
	return []string{
		head + file(members[0], members[0].body, 0) + file(members[1], members[1].body[:half], 2) + block(0x7B, 0x4001, nil),
		head + file(members[1], members[1].body[half:], 1) + file(members[2], members[2].body, 0) + block(0x7B, 0x4000, nil),
	}
}

// splitZip writes a zip in parts: places are counted from the beginning of a part.
func splitZip(t testing.TB, members ...member) []string {
	whole := rawZipOf(t, 0, zip.Store, members...)
	dir := strings.Index(whole, "PK\x01\x02")
	parts := inParts("PK\x07\x08"+whole[:dir], 4000)
	last := []byte(whole[dir:])
	le := binary.LittleEndian
	for at := 0; string(last[at:at+4]) == "PK\x01\x02"; at += 46 + int(le.Uint16(last[at+28:])) + int(le.Uint16(last[at+30:])) {
		place := int(le.Uint32(last[at+42:])) + 4
		le.PutUint16(last[at+34:], uint16(place/4000))
		le.PutUint32(last[at+42:], uint32(place%4000))
	}
	end := strings.Index(string(last), "PK\x05\x06")
	le.PutUint16(last[end+4:], uint16(len(parts)))
	le.PutUint16(last[end+6:], uint16(len(parts)))
	le.PutUint32(last[end+16:], 0)
	return append(parts, string(last))
}

func TestPartsSideBySideAreReadAsOne(t *testing.T) {
	three := []member{{"a.nt", lines(5000)}, {"b.nt", lines(7000)}, {"c.nt", lines(3000)}}
	for name, parts := range map[string][]string{
		"7z":                    inParts(solidSevenZipOf(lzma2Coder, lzma2Of(t, three[0].body+three[1].body+three[2].body), three...), 700),
		"7z, of bytes":          inParts(sevenZipOf(two...), 1),
		"zip, cut":              inParts(zipOf(t, zip.Deflate, three...), 500),
		"zip, in parts":         splitZip(t, three...),
		"tar":                   inParts(tarOf(t, three...), 1000),
		"tar.gz":                inParts(gz(t, tarOf(t, three...)), 1000),
		"rar":                   rarParts(three...),
		"tar, the last is zero": append(inParts(tarOf(t, three...), 1000), ""),
	} {
		var sources []archive.Source
		for _, part := range parts {
			sources = append(sources, strings.NewReader(part))
		}
		got := readSource(t, archive.Join(sources...), "", archive.Limits{})
		want := three
		if name == "7z, of bytes" {
			want = two
		}
		if !slices.Equal(got.entries, want) || got.codes() != "" || got.err != nil {
			t.Errorf("%s in %d parts: %d entries, notices %v, error %v", name, len(parts), len(got.entries), got.notices, got.err)
		}
	}
}

func TestAPartAloneIsTold(t *testing.T) {
	three := []member{{"a.nt", lines(5000)}, {"b.nt", lines(7000)}, {"c.nt", lines(3000)}}
	seven := inParts(sevenZipOf(three...), 6000)
	zips, rars := splitZip(t, three...), rarParts(three...)
	five := rar5("\x01\x00\x03\x01", "\x02\x02\x05\x00\x05\x20\x00\x01\x01f")
	for i, c := range []struct{ data, name, part string }{
		{seven[0], "a.7z.001", "part 1 "}, {seven[1], "a.7z.002", "part 2 "}, {seven[2], "a.7z.003", "part 3 "},
		{"<http://a> <http://b> <http://c> .\n", "a.tar.002", "part 2 "},
		{zips[0], "a.z01", "part 1 "}, {zips[1], "a.z02", "part 2 "}, {zips[len(zips)-1], "a.zip", fmt.Sprintf("part %d ", len(zips))},
		{zips[len(zips)-1], "", fmt.Sprintf("part %d ", len(zips))},
		{zipOf(t, zip.Deflate, three...)[:1500], "a.zip.001", "part 1 "}, {zipOf(t, zip.Deflate, three...)[1500:2500], "a.zip.002",
			"part 2 "},
		{rars[0], "a.part1.rar", "part 1 "}, {rars[1], "a.part2.rar", "part 2 "}, {rars[0], "a.rar", "one part "},
		{rars[1], "a.r00", "part 2 "},
		{five, "", "part 2 "},
	} {
		got := readAll(t, c.data, c.name, archive.Limits{})
		if got.err != nil || len(got.entries) != 0 || got.leaf != "" || got.codes() != "drop archive/part 1" ||
			!strings.Contains(got.notices[0].Message, c.part) {
			t.Errorf("%d, %s: format %q, %d entries, notices %v, error %v", i, c.name, got.format, len(got.entries), got.notices, got.err)
		}
	}
	for name, data := range map[string]string{"a.7z.001": sevenZipOf(two...), "a.zip.001": zipOf(t, zip.Deflate, two...),
		"a.tar.002": tarOf(t, two...), "a.7z.002": sevenZipOf(two...)} {
		if got := readAll(t, data, name, archive.Limits{}); len(got.entries) != 2 || got.codes() != "" {
			t.Errorf("%s, which is whole: %d entries, notices %v", name, len(got.entries), got.notices)
		}
	}
	if got := readAll(t, "<http://a> <http://b> <http://c> .\n", "a.r02", archive.Limits{}); got.leaf == "" || got.codes() != "" {
		t.Errorf("a text by that name: %+v", got)
	}
}

func TestAnArchiveBehindAProgramIsRead(t *testing.T) {
	seven, rar, five := sevenZipOf(two...), rarOf(0, two...), rar5("\x01\x00\x00", "\x02\x02\x05\x00\x05\x20\x00\x01\x01f")+"hello"+
		rar5("\x05\x00\x00")[8:]
	stub := "MZ" + strings.Repeat("\x00\x01program Rar!\x1A\x07\x00 7z\xBC\xAF\x27\x1C and more", 200)
	for i, c := range []struct {
		data   string
		format string
		n      int
	}{
		{stub + seven, "7z", 2}, {"\x7FELF" + stub + seven, "7z", 2}, {"#!/bin/sh\n" + stub + seven, "7z", 2}, {"MZ" + seven, "7z", 2},
		{"MZ" + strings.Repeat("x", 5<<20) + seven, "7z", 2}, {stub + seven + seven, "7z", 4},
		{stub + rar, "rar", 2}, {"\x7FELF" + stub + rar, "rar", 2}, {"MZ" + strings.Repeat("\xCC", 3<<20) + rar, "rar", 2},
		{stub + five, "rar", 1}, {"#!/bin/sh\nexit\n" + five, "rar", 1},
		{stub, "", 0}, {"MZ" + seven[:20], "", 0},
	} {
		got := readAll(t, c.data, "setup.exe", archive.Limits{})
		want := "note archive/leading-bytes 0"
		if c.n == 0 {
			want = ""
		}
		if got.format != c.format || len(got.entries) != c.n || got.codes() != want || got.err != nil {
			t.Errorf("%d: format %q, %d entries, notices %v, error %v", i, got.format, len(got.entries), got.notices, got.err)
		}
	}
}

func TestLinksOfARarOfVersion5AreLinks(t *testing.T) {
	main, end := "\x01\x00\x00", "\x05\x00\x00"
	file := "\x02\x02\x05\x00\x05\x20\x00\x01\x01f"
	for kind, name := range map[byte]string{1: "symbolic", 2: "symbolic of Windows", 3: "junction", 4: "hard", 5: "copy"} {
		record := "\x05" + string([]byte{kind}) + "\x00\x01f" // kind, flags, name
		extra := string([]byte{byte(len(record))}) + record
		link := "\x02\x03" + string([]byte{byte(len(extra))}) + "\x00" + "\x00\x05\x20\x00\x01\x01g" + extra
		got := readAll(t, rar5(main, file)+"hello"+rar5(link, file)[8:]+"hello"+rar5(end)[8:], "", archive.Limits{})
		if !slices.Equal(got.entries, []member{{"f", "hello"}, {"f", "hello"}}) || got.codes() != "warning archive/link 0" {
			t.Errorf("%s: %v, notices %v", name, got.entries, got.notices)
		}
	}
}
