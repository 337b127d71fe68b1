package archive_test

import (
	"bytes"
	"strings"
	"testing"

	"laundromat/archive"
)

// headed is a gzip member whose head has other flags, system and fields.
func headed(t *testing.T, text string, flags, extra, system byte, fields string) string {
	t.Helper()
	packed := gz(t, text)
	if packed[3] != 0 {
		t.Fatal("the head has fields")
	}
	return packed[:3] + string([]byte{flags, 1, 2, 3, 4, extra, system}) + fields + packed[10:]
}

// TestGzipMembersAreThoseOfAnySystem: what RFC 1952 §2.3.1 lets a head say costs nothing. That holds for the
// first member, for those that follow, and for the one that is found behind damage.
func TestGzipMembersAreThoseOfAnySystem(t *testing.T) {
	first, second, third := lines(3000), lines(4000), lines(500)
	for name, c := range map[string]struct {
		flags, extra, system byte
		fields               string
		codes                string
	}{
		"a Mac, by zlib": {0, 0, 19, "", ""}, "14": {0, 0, 14, "", ""}, "100": {0, 0, 100, "", ""}, "200": {0, 0, 200, "", ""},
		"254":     {0, 0, 254, "", ""},
		"unknown": {0, 0, 255, "", ""}, "FAT": {0, 0, 0, "", ""}, "Unix": {0, 0, 3, "", ""}, "NTFS": {0, 0, 11, "", ""},
		"RISC OS":                {0, 0, 13, "", ""},
		"an odd extra flag":      {0, 99, 19, "", ""},
		"a text":                 {1, 0, 19, "", ""},
		"a long name":            {8, 0, 19, strings.Repeat("n", 2000) + "\x00", ""},
		"a long comment":         {16, 0, 3, strings.Repeat("c", 2000) + "\x00", ""},
		"an extra field":         {4, 0, 19, "\x02\x00xy", ""},
		"a wrong sum of a head":  {2, 0, 19, "ab", "warning archive/checksum 0"},
		"that, and all the rest": {31, 1, 77, "\x02\x00xyname\x00comment\x00ab", "warning archive/checksum 0"},
	} {
		one := func(text string) string { return headed(t, text, c.flags, c.extra, c.system, c.fields) }
		all := strings.TrimSuffix(strings.Repeat(c.codes+", ", 3), ", ")
		if c.codes == "" {
			all = ""
		}
		got := readAll(t, one(first)+one(second)+one(third), "x.nt.gz", archive.Limits{})
		if got.leaf != first+second+third || got.filters != "gzip" || got.codes() != all {
			t.Errorf("%s: %d bytes, filters %s, notices %v", name, len(got.leaf), got.filters, got.notices)
		}
		got = readAll(t, one(first)+"\x00\x00\x00"+one(second), "x.nt.gz", archive.Limits{})
		if got.leaf != first+second {
			t.Errorf("%s, zeros between: %d bytes, notices %v", name, len(got.leaf), got.notices)
		}
		broken := []byte(one(second))
		for i := range 20 {
			broken[len(broken)-300+i] ^= 0xA5
		}
		got = readAll(t, one(first)+string(broken)+one(third), "x.nt.gz", archive.Limits{})
		if !strings.HasPrefix(got.leaf, first) || !strings.HasSuffix(got.leaf, third) || len(got.notices) == 0 {
			t.Errorf("%s, damage between: %d bytes, notices %v", name, len(got.leaf), got.notices)
		}
		pages := warcOf(crawled...)
		cut := strings.LastIndex(pages, "WARC/1.0")
		got = readAll(t, one(pages[:cut])+one(pages[cut:]), "x.warc.gz", archive.Limits{})
		if len(got.entries) != len(crawled) || got.entries[1].body != crawled[1].body {
			t.Errorf("%s, pages: %d entries, notices %v", name, len(got.entries), got.notices)
		}
	}
	for _, flags := range []byte{0x20, 0x40, 0x80} { // reserved: they may say that what follows is no deflate
		if got := readAll(t, headed(t, first, flags, 0, 3, ""), "", archive.Limits{}); bytes.Contains([]byte(got.leaf),
			[]byte(first[:50])) {
			t.Errorf("flags %x: read as a member", flags)
		}
	}
}
