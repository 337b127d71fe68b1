//go:build !race

package main

import (
	"archive/tar"
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"os"
	"os/exec"
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
		"ar": "!<arch>\n" + fmt.Sprintf("%-16s%-12d%-6d%-6d%-8s%-10d`\n", "a.nt.gz/", 0, 0, 0, "100644", len(gzipped)) + gzipped +
			strings.Repeat("\n", len(gzipped)%2),
	}
	packed["cpio"] = fmt.Sprintf("070707%012o%06o%024o%011o%06o%011o", 0, 0o100644, 0, 0, len("a.nt.gz")+1, len(gzipped)) + "a.nt.gz\x00" +
		gzipped +
		fmt.Sprintf("070707%042o%011o%06o%011oTRAILER!!!\x00", 0, 0, 11, 0)
	packed["warc"] = fmt.Sprintf(
		"WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://example.org/a.nt.gz\r\nWARC-Date: 2014-10-19T12:30:00Z\r\n"+
			"WARC-Record-ID: <urn:uuid:0>\r\nContent-Type: application/gzip\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", len(gzipped), gzipped)
	for kind, made := range map[string]struct{ command, name, body string }{
		"iso": {"genisoimage -quiet -r -o - a.nt.gz", "a.nt.gz", gzipped},
		"cab": {"gcab -n -c out.cab a.nt.gz >&2 && cat out.cab", "a.nt.gz", gzipped},
		"lzo": {"lzop -c a.nt", "a.nt", text},
		"Z":   {"compress -c a.nt", "a.nt", strings.Repeat(text, 64)},
	} {
		if data := madeBy(t, made.command, made.name, made.body); data != "" {
			packed[kind] = data
		}
	}
	if packed["lzo"] != "" {
		packed["lzo"] = strings.Repeat(packed["lzo"], 256)
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
			awaitOpen(t, command.Process.Pid, file)
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

// madeBy is what a command writes that packs a file; empty where its program is not there.
func madeBy(t *testing.T, command, name, body string) string {
	t.Helper()
	program, _, _ := strings.Cut(command, " ")
	if _, err := exec.LookPath(program); err != nil {
		t.Logf("without %s", program)
		return ""
	}
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, name), []byte(body), 0o600); err != nil {
		t.Fatal(err)
	}
	run := exec.Command("sh", "-c", command)
	run.Dir = folder
	out, err := run.Output()
	if err != nil {
		t.Fatalf("%s: %v", command, err)
	}
	return string(out)
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

// awaitOpen waits until a process has opened a file, and so listens for signals.
func awaitOpen(t *testing.T, process int, file string) {
	t.Helper()
	folder := fmt.Sprintf("/proc/%d/fd", process)
	if _, err := os.Stat(folder); err != nil {
		time.Sleep(250 * time.Millisecond) // without /proc, a guess: the work takes some seconds
		return
	}
	for begun := time.Now(); time.Since(begun) < longestStop; time.Sleep(time.Millisecond) {
		descriptors, _ := os.ReadDir(folder)
		for _, d := range descriptors {
			if name, _ := os.Readlink(filepath.Join(folder, d.Name())); name == file {
				return
			}
		}
	}
	t.Fatal("the file was not opened")
}
