//go:build !race

package main

import (
	"archive/tar"
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mholt/archives"
	"github.com/ulikunitz/xz/lzma"
)

// sevenZipWith writes a 7z of one file, packed by LZMA2 so many times after itself. Each
// time begins with an empty window.
func sevenZipWith(t *testing.T, text string, times int) string {
	t.Helper()
	var b bytes.Buffer
	w, err := lzma.Writer2Config{DictCap: 8 << 20}.NewWriter2(&b)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(w, text)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	packed := strings.Repeat(b.String()[:b.Len()-1], times) + "\x00"
	le := binary.LittleEndian
	number := func(n int) string { return "\xF0" + string(le.AppendUint32(nil, uint32(n))) }
	head := "\x01\x04\x06\x00\x01\x09" + number(len(packed)) + "\x00\x07\x0B\x01\x00\x01\x21\x21\x01\x16\x0C" + number(len(text)*times) +
		"\x00\x00\x05\x01\x11\x0B\x00a\x00.\x00n\x00t\x00\x00\x00\x00\x00"
	start := le.AppendUint64(nil, uint64(len(packed)))
	start = le.AppendUint64(start, uint64(len(head)))
	start = le.AppendUint32(start, crc32.ChecksumIEEE([]byte(head)))
	return "7z\xBC\xAF\x27\x1C\x00\x04" + string(le.AppendUint32(nil, crc32.ChecksumIEEE(start))) + string(start) + packed + head
}

// A gigabyte is being unpacked when the signal comes; the program ends within a second.
func TestASignalEndsTheUnpackingOfEachFormat(t *testing.T) {
	line := `<http://example.org/a> <http://example.org/p> "the same again and again" .` + "\n"
	text := strings.Repeat(line, 4<<20/len(line))
	gzipped := packedAgain(t, archives.Gz{}, text, 256)
	inTar := func(name, body string) string {
		var b bytes.Buffer
		w := tar.NewWriter(&b)
		w.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(body))})
		fmt.Fprint(w, body)
		w.Close()
		return b.String()
	}
	packed := map[string]string{
		"gz": gzipped, "bz2": packedAgain(t, archives.Bz2{}, text, 256), "xz": packedAgain(t, archives.Xz{}, text, 256),
		"lz": packedAgain(t, archives.Lzip{}, text, 256), "zst": packedAgain(t, archives.Zstd{}, text, 256),
		"lz4": packedAgain(t, archives.Lz4{}, text, 256), "br": packedAgain(t, archives.Brotli{}, strings.Repeat(text, 128), 1),
		"sz": packedAgain(t, archives.Sz{}, text, 256), "lzma": packedLZMA(t, text, 256),
		"zip": zipWith(t, "a.nt", text, 256), "7z": sevenZipWith(t, text, 256), "tar": inTar("a.nt.gz", gzipped),
		"ar": "!<arch>\n" + fmt.Sprintf("%-16s%-12d%-6d%-6d%-8s%-10d`\n", "a.nt.gz/", 0, 0, 0, "100644", len(gzipped)) + gzipped + strings.Repeat("\n", len(gzipped)%2),
	}
	folder := t.TempDir()
	for kind, data := range packed {
		t.Run(kind, func(t *testing.T) {
			file := filepath.Join(folder, "a.nt."+kind)
			if err := os.WriteFile(file, []byte(data), 0o600); err != nil {
				t.Fatal(err)
			}
			out := t.TempDir()
			command := process(t, t.TempDir(), "wash", "-q", "--max-ratio", "10000000", "-o", filepath.Join(out, "out.nq"), file)
			if err := command.Start(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(250 * time.Millisecond) // it takes some seconds
			command.Process.Signal(syscall.SIGTERM)
			sent := time.Now()
			if code := waitFor(t, command, longestStop); code != exitTerminate {
				t.Errorf("exit code %d, want %d", code, exitTerminate)
			}
			if took := time.Since(sent); took > 2*time.Second { // one, and another for a busy machine
				t.Errorf("it ended %v after the signal", took)
			}
		})
	}
}

func packedLZMA(t *testing.T, text string, times int) string {
	t.Helper()
	var b bytes.Buffer
	w, err := lzma.NewWriter(&b)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(w, text)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return strings.Repeat(b.String(), times)
}
