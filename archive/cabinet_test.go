package archive_test

import (
	"bytes"
	"encoding/binary"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/flate"

	"laundromat/archive"
)

// cabinetOptions are what a cabinet may have in addition to its files.
type cabinetOptions struct {
	method  int // 0: only copied, 1: MSZIP
	alone   bool
	reserve int
	sums    bool
	folder  uint16 // of the last file, if not the one there is
}

// cabinetOf is a cabinet of one folder. Its blocks need the one before as history,
// unless they are alone.
func cabinetOf(o cabinetOptions, members ...member) string {
	le := binary.LittleEndian
	var text string
	var files []byte
	for i, m := range members {
		files = le.AppendUint32(files, uint32(len(m.body)))
		files = le.AppendUint32(files, uint32(len(text)))
		folder := uint16(0)
		if i == len(members)-1 {
			folder = o.folder
		}
		files = le.AppendUint16(files, folder)
		files = append(files, "\x53\x45\xC0\x63\x20\x00"...) // 2014-10-19 12:30:00
		files = append(files, strings.ReplaceAll(m.name, "/", `\`)+"\x00"...)
		text += m.body
	}
	var data []byte
	blocks, history := 0, ""
	for rest := text; len(rest) > 0; blocks++ {
		block := rest[:min(len(rest), 32<<10)]
		rest = rest[len(block):]
		packed := []byte(block)
		if o.method == 1 {
			var b bytes.Buffer
			w, _ := flate.NewWriterDict(&b, 9, []byte(history))
			io.WriteString(w, block)
			w.Close()
			packed = append([]byte("CK"), b.Bytes()...)
		}
		if !o.alone {
			history = block
		}
		head := le.AppendUint16(le.AppendUint16(nil, uint16(len(packed))), uint16(len(block)))
		head = append(head, strings.Repeat("r", o.reserve)...)
		sum := uint32(0)
		if o.sums {
			for _, p := range [][]byte{packed, head} {
				for i := 0; i+4 <= len(p); i += 4 {
					sum ^= le.Uint32(p[i:])
				}
				for i, c := range p[len(p)&^3:] {
					sum ^= uint32(c) << (8 * (len(p)&3 - 1 - i))
				}
			}
		}
		data = append(append(le.AppendUint32(data, sum), head...), packed...)
	}
	flags, more := uint16(0), ""
	if o.reserve > 0 {
		flags, more = 4, "\x05\x00\x03"+string(rune(o.reserve))+"12345"
	}
	first := 36 + len(more)
	at := first + 8 + len(more)/3
	head := append([]byte("MSCF"), 0, 0, 0, 0)
	for _, v := range []int{at + len(files) + len(data), 0, at, 0} {
		head = le.AppendUint32(head, uint32(v))
	}
	head = append(head, 3, 1, 1, 0)
	head = le.AppendUint16(head, uint16(len(members)))
	head = append(le.AppendUint16(head, flags), 0, 0, 0, 0)
	head = append(head, more...)
	head = le.AppendUint32(head, uint32(at+len(files)))
	head = le.AppendUint16(le.AppendUint16(head, uint16(blocks)), uint16(o.method))
	head = append(head, strings.Repeat("f", len(more)/3)...)
	return string(head) + string(files) + string(data)
}

func TestCabinetGivesItsEntries(t *testing.T) {
	two := []member{{"a/one.nt", lines(100_000)}, {"two.ttl", "<s> <p> <o> ."}} // of several blocks
	for _, o := range []cabinetOptions{{}, {sums: true}, {method: 1}, {method: 1, sums: true}, {method: 1, alone: true},
		{method: 1, sums: true, reserve: 5}} {
		whole := cabinetOf(o, two...)
		for _, data := range []string{whole, gz(t, whole)} {
			got := readAll(t, data, "", archive.Limits{})
			if got.format != "cab" || !slices.Equal(got.entries, two) || got.codes() != "" || !got.times[0].Equal(day) ||
				got.sizes[0] != int64(len(two[0].body)) {
				t.Errorf("%+v: format %q, %d entries, times %v, notices %v, error %v", o, got.format, len(got.entries), got.times,
					got.notices, got.err)
			}
		}
		if got := readAll(t, whole+whole, "", archive.Limits{}); !slices.Equal(got.entries, append(slices.Clone(two), two...)) ||
			got.codes() != "" {
			t.Errorf("%+v: two in one file: %d entries, notices %v", o, len(got.entries), got.notices)
		}
		// What the test builds is a cabinet in the eyes of others too.
		if _, err := exec.LookPath("bsdtar"); err == nil {
			path := filepath.Join(t.TempDir(), "a.cab")
			if err := os.WriteFile(path, []byte(whole), 0o600); err != nil {
				t.Fatal(err)
			}
			if out, err := exec.Command("bsdtar", "-xOf", path).Output(); err != nil || string(out) != two[0].body+two[1].body {
				t.Errorf("%+v: bsdtar: %d bytes, %v", o, len(out), err)
			}
		}
	}
}

func TestDamagedCabinetCostsItsBlock(t *testing.T) {
	text := lines(60_000)
	four := []member{{"a", text}, {"b", text}, {"c", ""}, {"d", text}}
	const gap = "\n\x00\x00\n"
	chained, apart := cabinetOptions{method: 1, sums: true}, cabinetOptions{method: 1, sums: true, alone: true}
	stored := cabinetOptions{sums: true}
	all := text + text + text
	for _, c := range []struct {
		name  string
		data  string
		codes string
		from  int // of what is lost of the three texts in one row, and where it ends
		to    int
	}{
		{"stored", flip(cabinetOf(stored, four...), 5*(32<<10)), "drop archive/corrupt 1", 4 * (32 << 10), 5 * (32 << 10)},
		{"stored, a length", hurt(cabinetOf(stored, four...), headOf(cabinetOf(stored, four...), 4)+4, "\xFF\xFF\xFF\xFF"),
			"drop archive/corrupt 1", 4 * (32 << 10), 5 * (32 << 10)},
		{"stored, heads of two blocks", hurt(hurt(cabinetOf(stored, four...), headOf(cabinetOf(stored, four...), 2)+4, "\xFF\xFF"),
			headOf(cabinetOf(stored, four...), 3)+4, "\x00\x00"), "", 2 * (32 << 10), 4 * (32 << 10)},
		{"apart", flip(cabinetOf(apart, four...), headOf(cabinetOf(apart, four...), 1)+99), "", 1 * (32 << 10), 2 * (32 << 10)},
		{"apart, a length", hurt(cabinetOf(apart, four...), headOf(cabinetOf(apart, four...), 1)+4, "\x11\x22"), "", 1 * (32 << 10),
			2 * (32 << 10)},
		{"apart, the last", flip(cabinetOf(apart, four...), len(cabinetOf(apart, four...))-30), "drop archive/corrupt 1",
			len(all) &^ (32<<10 - 1), len(all)},
		{"chained", flip(cabinetOf(chained, four...), headOf(cabinetOf(chained, four...), 5)+99), "", 5 * (32 << 10), len(all)},
	} {
		got := readAll(t, c.data, "", archive.Limits{})
		want := []member{}
		at := 0
		for _, m := range four {
			end := at + len(m.body)
			switch from, to := max(at, c.from), min(end, c.to); {
			case m.body == "" || from >= to:
				want = append(want, m)
			case to-from < len(m.body): // a file of which nothing is left is only reported
				want = append(want, member{m.name, all[at:from] + gap + all[to:end]})
			}
			at = end
		}
		if !slices.Equal(got.entries, want) || got.err != nil || !strings.HasPrefix(got.codes(), "drop archive/corrupt 1") ||
			c.codes != "" && got.codes() != c.codes {
			t.Errorf("%s: notices %v, error %v", c.name, got.notices, got.err)
			for i, e := range got.entries {
				t.Logf("%s: %d bytes, want %d", e.name, len(e.body), len(want[min(i, len(want)-1)].body))
			}
		}
	}
}

// hurt puts other bytes in a place.
func hurt(data string, at int, bytes string) string {
	return data[:at] + bytes + data[at+len(bytes):]
}

// headOf is where a block of a cabinet of one folder begins.
func headOf(cabinet string, block int) int {
	at := int(binary.LittleEndian.Uint32([]byte(cabinet[36:])))
	for range block {
		at += 8 + int(binary.LittleEndian.Uint16([]byte(cabinet[at+4:])))
	}
	return at
}

func TestCutCabinetKeepsWhatCame(t *testing.T) {
	four := []member{{"a", lines(60_000)}, {"b", lines(60_000)}, {"c", lines(60_000)}, {"d", lines(60_000)}}
	for _, o := range []cabinetOptions{{}, {method: 1, sums: true}} {
		whole := cabinetOf(o, four...)
		got := readAll(t, whole[:len(whole)/2], "", archive.Limits{})
		if len(got.entries) < 2 || !slices.Equal(got.entries[:1], four[:1]) || got.err != nil || strings.Contains(got.codes(), "corrupt") ||
			!strings.Contains(got.codes(), "drop archive/truncated 1, ") {
			t.Errorf("%+v: %d entries, notices %v, error %v", o, len(got.entries), got.notices, got.err)
		}
		for i, e := range got.entries {
			if !strings.HasPrefix(four[i].body, e.body) {
				t.Errorf("%+v: %s has what nobody wrote", o, e.name)
			}
		}
		if got := readAll(t, whole[:70], "", archive.Limits{}); len(got.entries) != 0 ||
			got.codes() != "drop archive/truncated 1, drop archive/truncated 1" {
			t.Errorf("%+v: cut in its tables: %d entries, notices %v", o, len(got.entries), got.notices)
		}
		if got := readAll(t, whole+"<html>\n", "", archive.Limits{}); !slices.Equal(got.entries, four) ||
			got.codes() != "warning archive/trailing-bytes 0" {
			t.Errorf("%+v: bytes behind: %d entries, notices %v", o, len(got.entries), got.notices)
		}
	}
}

func TestFilesOfACabinetThatCannotBeReadAreNamed(t *testing.T) {
	for _, c := range []struct {
		data    string
		entries int
		codes   string
	}{
		{cabinetOf(cabinetOptions{method: 3}, two...), 0, "drop archive/unsupported 1, drop archive/unsupported 1"},
		{cabinetOf(cabinetOptions{method: 2}, two...), 0, "drop archive/unsupported 1, drop archive/unsupported 1"},
		{cabinetOf(cabinetOptions{folder: 7}, two...), 1, "drop archive/corrupt 1"},
		{cabinetOf(cabinetOptions{folder: 0xFFFD}, two...), 0, "drop archive/truncated 1, drop archive/truncated 1"},
		{cabinetOf(cabinetOptions{folder: 0xFFFE}, two...), 2, ""},
	} {
		if got := readAll(t, c.data, "", archive.Limits{}); len(got.entries) != c.entries || got.codes() != c.codes || got.err != nil {
			t.Errorf("%d entries, notices %v, error %v; want %s", len(got.entries), got.notices, got.err, c.codes)
		}
	}
}

// FuzzCabinet has checksums that are right as often as not: none is right too.
func FuzzCabinet(f *testing.F) {
	text := lines(2000)
	for _, o := range []cabinetOptions{{}, {method: 1}, {method: 1, sums: true, reserve: 2}, {method: 1, alone: true}, {folder: 0xFFFD},
		{method: 3}} {
		whole := cabinetOf(o, member{"a", text}, member{"b", ""}, member{"c", "x"})
		f.Add([]byte(whole))
		f.Add([]byte(whole[:len(whole)*2/3]))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 8 {
			copy(data, "MSCF\x00\x00\x00\x00")
		}
		holdLaws(t, data, "")
	})
}
