package archive_test

import (
	"encoding/binary"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mholt/archives"
	"github.com/pierrec/lz4/v4"

	"laundromat/archive"
)

// skippable is a frame without data, of one of the sixteen kinds.
func skippable(kind byte, n int) string {
	return string(binary.LittleEndian.AppendUint32([]byte{0x50 | kind, 0x2A, 0x4D, 0x18}, uint32(n))) + strings.Repeat("s", n)
}

// oldLz4 is a text in the old frames of lz4, without an end mark.
func oldLz4(t testing.TB, text string) string {
	t.Helper()
	block := make([]byte, lz4.CompressBlockBound(len(text)))
	n, err := lz4.CompressBlock([]byte(text), block, nil)
	if err != nil {
		t.Fatal(err)
	}
	return "\x02\x21\x4C\x18" + string(binary.LittleEndian.AppendUint32(nil, uint32(n))) + string(block[:n])
}

func TestFramesWithoutDataArePassedOver(t *testing.T) {
	text := lines(30_000)
	z, l, old := pack(t, archives.Zstd{}, text), pack(t, archives.Lz4{}, text), oldLz4(t, text)
	for _, c := range []struct{ name, file, data, filters, leaf, told string }{
		{"before lz4", "", skippable(0, 4) + l, "lz4", text, ""},
		{"before zstd", "", skippable(15, 4) + z, "zstd", text, ""},
		{"before the old lz4", "", skippable(3, 0) + old, "lz4", text, ""},
		{"three before lz4", "", skippable(0, 0) + skippable(7, 1) + skippable(15, 9) + l, "lz4", text, ""},
		{"longer than any buffer, lz4", "", skippable(1, 300_000) + l, "lz4", text, ""},
		{"longer than any buffer, zstd", "", skippable(1, 300_000) + z, "zstd", text, ""},
		{"a thousand", "", strings.Repeat(skippable(2, 3), 1000) + l, "lz4", text, ""},
		{"between and behind lz4", "", l + skippable(4, 5) + l + skippable(5, 70_000), "lz4", text + text, ""},
		{"between and behind zstd", "", z + skippable(4, 5) + z + skippable(5, 70_000), "zstd", text + text, ""},
		{"behind the old lz4", "", old + skippable(4, 5) + old, "lz4", text + text, ""},
		{"both lz4", "", old + l + old, "lz4", text + text + text, ""},
		{"in a gzip", "", gz(t, skippable(0, 4)+l), "gzip lz4", text, ""},
		{"in a gzip, long", "d.lz4.gz", gz(t, skippable(0, 300_000)+l), "gzip lz4", text, ""},
		{"in a gzip, long, zstd", "d.gz", gz(t, skippable(0, 300_000)+z), "gzip zstd", text, ""},
		{"no data at all", "d.lz4", skippable(0, 4) + skippable(1, 0), "lz4", "", ""},
		{"no data at all, zstd", "d.zst", skippable(0, 4), "zstd", "", ""},
		{"no data at all, of either", "", skippable(0, 4), "zstd", "", ""},
		{"cut", "d.zst", skippable(0, 40)[:20], "zstd", "", "drop archive/truncated 1"},
		{"cut in the data", "", (skippable(0, 4) + l)[:len(l)/2], "lz4", "", "drop archive/truncated 1"},
		{"what is none", "", skippable(0, 4) + "<s> <p> <o> .\n", "", skippable(0, 4) + "<s> <p> <o> .\n", ""},
		{"text", "", "P*M and more than eight bytes", "", "P*M and more than eight bytes", ""},
	} {
		got := readAll(t, c.data, c.file, archive.Limits{})
		if c.name == "cut in the data" && strings.HasPrefix(text, got.leaf) {
			got.leaf = ""
		}
		if !got.nothing && got.filters != c.filters || got.leaf != c.leaf || got.codes() != c.told || got.err != nil {
			t.Errorf("%s: filters %q, %d bytes of %d, error %v, notices %v", c.name, got.filters, len(got.leaf), len(c.leaf), got.err,
				got.notices)
		}
	}
}

// Frames with and without data in any order: what the usual programs unpack comes out.
func TestFramesInAnyOrderAreReadAsTheirProgramsDo(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 14))
	var texts, zstds, lz4s [8]string // packed once: their writers take long to make
	for i := range texts {
		texts[i] = lines(r.IntN(5000))
		zstds[i], lz4s[i] = pack(t, archives.Zstd{}, texts[i]), pack(t, archives.Lz4{}, texts[i])
	}
	for n := range 200 {
		program, suffix := "zstd", ".zst"
		if n%2 == 0 {
			program, suffix = "lz4", ".lz4"
		}
		data, want := "", ""
		isOld := false
		for range 1 + r.IntN(6) {
			i := r.IntN(len(texts))
			text := texts[i]
			switch {
			case r.IntN(2) == 0:
				data += skippable(byte(r.IntN(16)), r.IntN(5000))
				continue
			case program == "zstd":
				data += zstds[i]
			case r.IntN(3) == 0 && text != "":
				data += oldLz4(t, text)
				isOld = true
			default:
				data += lz4s[i]
			}
			want += text
		}
		got := readAll(t, data, "d"+suffix, archive.Limits{})
		if got.filters != program || got.leaf != want || got.codes() != "" {
			t.Fatalf("file %d: filters %q, %d bytes of %d, notices %v", n, got.filters, len(got.leaf), len(want), got.notices)
		}
		if _, err := exec.LookPath(program); err != nil || n%10 > 1 || isOld {
			continue // lz4 takes what follows an old frame for its data
		}
		file := filepath.Join(t.TempDir(), "d"+suffix)
		os.WriteFile(file, []byte(data), 0o600)
		if theirs, err := exec.Command(program, "-dc", file).Output(); err != nil || string(theirs) != want {
			t.Errorf("file %d: %s gives %d bytes, we %d (%v)", n, program, len(theirs), len(want), err)
		}
	}
}
