package archive_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"laundromat/archive"
)

// What 7-Zip packs by Deflate64 comes out of zips and 7z. It has copies of all lengths and
// distances up to 64 KiB, and blocks of each kind. Cut, it is never silent.
func TestDeflate64OfAnyTextIsRead(t *testing.T) {
	if _, err := exec.LookPath("7z"); err != nil {
		t.Skip("without 7z")
	}
	r := rand.New(rand.NewPCG(9, 64))
	dir := t.TempDir()
	text := func() string {
		var b strings.Builder
		for b.Len() < 1+r.IntN(400_000) {
			switch r.IntN(6) {
			case 0: // a long run
				b.WriteString(strings.Repeat(string(rune('a'+r.IntN(26))), 1+r.IntN(150_000)))
			case 1: // a copy from far away
				n := b.Len() - min(b.Len(), 1+r.IntN(65_536))
				b.WriteString(b.String()[n:min(b.Len(), n+1+r.IntN(70_000))])
			case 2: // what can't be packed
				for range r.IntN(40_000) {
					b.WriteByte(byte(r.Uint32()))
				}
			default:
				b.WriteString(lines(r.IntN(20_000)))
			}
		}
		return b.String()
	}
	for n := range 12 {
		want := "x" + text()
		file := filepath.Join(dir, "a")
		os.WriteFile(file, []byte(want), 0o600)
		for _, options := range []string{"-tzip -mm=Deflate64", "-m0=Deflate64"} {
			out := filepath.Join(dir, fmt.Sprint("out", n, len(options)))
			args := append([]string{"a", "-bd", fmt.Sprint("-mx", 1+2*r.IntN(4))}, strings.Fields(options)...)
			if said, err := exec.Command("7z", append(args, out, file)...).CombinedOutput(); err != nil {
				t.Fatalf("%v %s", err, said)
			}
			if _, err := os.Stat(out + ".7z"); err == nil {
				out += ".7z"
			} else if _, err := os.Stat(out + ".zip"); err == nil {
				out += ".zip"
			}
			data, _ := os.ReadFile(out)
			got := readAll(t, string(data), "", archive.Limits{})
			if len(got.entries) != 1 || got.entries[0].body != want || got.codes() != "" {
				t.Fatalf("%d, %s: %d entries, notices %v, error %v", n, options, len(got.entries), got.notices, got.err)
			}
			if hurt := readAll(t, string(data[:len(data)/2]), "", archive.Limits{}); hurt.codes() == "" {
				t.Errorf("%d, %s: cut, nothing is told", n, options)
			}
			if at := 100 + r.IntN(len(data)/2+1); at < len(data)-300 {
				if hurt := readAll(t, flip(string(data), at), "", archive.Limits{}); hurt.codes() == "" && hurt.entries[0].body != want {
					t.Errorf("%d, %s: byte %d changed, nothing is told", n, options, at)
				}
			}
		}
	}
}
