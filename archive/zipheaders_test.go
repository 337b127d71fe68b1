package archive_test

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/klauspost/compress/zip"

	"laundromat/archive"
)

// packedZip writes entries with their lengths before them, packed by deflate.
func packedZip(t testing.TB, members ...member) string {
	var out, dir []byte
	le := binary.LittleEndian
	for _, m := range members {
		one := packedZipOf(t, zip.Deflate, 0, m, deflateOf(t, m.body))
		end := strings.Index(one, "PK\x01\x02")
		row := []byte(one[end:strings.Index(one, "PK\x05\x06")])
		le.PutUint32(row[42:], uint32(len(out)))
		out, dir = append(out, one[:end]...), append(dir, row...)
	}
	last := append([]byte("PK\x05\x06\x00\x00\x00\x00"), byte(len(members)), 0, byte(len(members)), 0)
	last = le.AppendUint32(last, uint32(len(dir)))
	last = le.AppendUint32(last, uint32(len(out)))
	return string(out) + string(dir) + string(last) + "\x00\x00"
}

// The two headers of an entry differ in a field: the other entries and this one come whole.
func TestTheHeaderOfAZipThatIsRightIsBelieved(t *testing.T) {
	three := []member{{"a.nt", lines(5000)}, {"b.nt", lines(7000)}, {"c.nt", lines(5000)}}
	for form, whole := range map[string]string{"deflate": packedZip(t, three...), "stored": rawZipOf(t, 0, zip.Store, three...),
		"streamed": zipOf(t, zip.Deflate, three...)} {
		local := strings.Index(whole[10:], "PK\x03\x04") + 10
		dir := strings.Index(whole, "PK\x01\x02")
		dir += strings.Index(whole[dir+10:], "PK\x01\x02") + 10
		set := func(at int, bytes ...byte) func(string) string {
			return func(s string) string { return s[:at] + string(bytes) + s[at+len(bytes):] }
		}
		for _, c := range []struct {
			name   string
			change func(string) string
			told   string // of the second entry; "" is nothing
		}{
			{"nothing", set(0), ""},
			{"the directory's method, another", set(dir+10, 8-whole[dir+10]), "warning archive/bad-field 0"},
			{"the directory's method, unknown", set(dir+10, 98), "warning archive/bad-field 0"},
			{"the directory's packed size, zero", set(dir+20, 0, 0, 0, 0), "warning archive/bad-field 0"},
			{"the directory's packed size, short", set(dir+20, 9, 1, 0, 0), "warning archive/bad-field 0"},
			{"the directory's packed size, huge", set(dir+20, 0, 0, 0, 0x70), "warning archive/bad-field 0"},
			{"the directory's size, zero", set(dir+24, 0, 0, 0, 0), "warning archive/bad-field 0"},
			{"the directory's size, too large", set(dir+24, 9, 9, 9, 0), "warning archive/bad-field 0"},
			{"the directory's sizes, zero", set(dir+20, 0, 0, 0, 0, 0, 0, 0, 0), "warning archive/bad-field 0"},
			{"the directory's checksum", set(dir+16, 1, 2, 3, 4), "warning archive/bad-field 0"},
			{"the directory's place", set(dir+42, 1, 0, 0, 0), "warning archive/bad-field 0"},
			{"the directory's place, beyond the end", set(dir+42, 0, 0, 0, 0x7F), "warning archive/bad-field 0"},
			{"the directory's place, that of the first", set(dir+42, 0, 0, 0, 0), "warning archive/bad-field 0"},
			{"the directory says encrypted", set(dir+8, whole[dir+8]|1), "warning archive/bad-field 0"},
			{"the local mark", set(local, 'X', 'Y', 'Z', 'Z'), "warning archive/bad-field 0"},
			{"the local method, another", set(local+8, 8-whole[local+8]), ""},
			{"the local method, unknown", set(local+8, 77), ""},
			{"the local sizes, zero", set(local+18, 0, 0, 0, 0, 0, 0, 0, 0), ""},
			{"the local sizes, huge", set(local+18, 1, 1, 1, 1, 1, 1, 1, 1), ""},
			{"the local checksum", set(local+14, 1, 2, 3, 4), ""},
			{"the local header says encrypted", set(local+6, whole[local+6]|1), ""},
			{"the local header says that lengths follow", set(local+6, whole[local+6]|8), ""},
		} {
			if form == "streamed" && c.name == "the directory's checksum" {
				continue // the header before the data has none
			}
			got := readAll(t, c.change(whole), "", archive.Limits{})
			if got.err != nil || len(got.entries) != 3 || got.entries[0] != three[0] || got.entries[1] != three[1] ||
				got.entries[2] != three[2] || got.codes() != c.told {
				t.Errorf("%s, %s: %d entries, notices %v, error %v", form, c.name, len(got.entries), got.notices, got.err)
			}
		}
	}
}

// An entry that neither header tells right is lost alone, as before.
func TestAnEntryOfAZipThatNeitherHeaderTellsRightCostsItself(t *testing.T) {
	three := []member{{"a.nt", lines(5000)}, {"b.nt", lines(7000)}, {"c.nt", lines(5000)}}
	whole := packedZip(t, three...)
	local := strings.Index(whole[10:], "PK\x03\x04") + 10
	dir := strings.Index(whole, "PK\x01\x02")
	dir += strings.Index(whole[dir+10:], "PK\x01\x02") + 10
	both := whole[:local+8] + "\x07" + whole[local+9:dir+10] + "\x0A" + whole[dir+11:]
	got := readAll(t, both, "", archive.Limits{})
	if len(got.entries) != 2 || got.entries[1] != three[2] || got.codes() != "drop archive/unsupported 1" {
		t.Errorf("%d entries, notices %v, error %v", len(got.entries), got.notices, got.err)
	}
}
