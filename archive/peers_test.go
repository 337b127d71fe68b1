package archive_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"laundromat/archive"
	"laundromat/internal/fault"
)

var update = flag.Bool("update", false, "write the table of docs/containers.md")

// samples are files made by other programs, whole and damaged. Each has a name and the
// commands that make "out" of a.nt, b.nt, c.nt and all.nt, which is the three in one.
var samples = []struct{ name, make string }{
	{"gzip", "gzip -c all.nt > out"},
	{"gzip, three members", "(gzip -c a.nt; gzip -c b.nt; gzip -c c.nt) > out"},
	{"gzip, three members, the second damaged", "(gzip -c a.nt; gzip -c b.nt; gzip -c c.nt) > f; hurt f"},
	{"gzip, cut", "gzip -c all.nt > f; cut f"},
	{"bzip2, three streams", "(bzip2 -c a.nt; bzip2 -c b.nt; bzip2 -c c.nt) > out"},
	{"bzip2, seven blocks, one damaged", "bzip2 -1 -c all.nt > f; hurt f"},
	{"bzip2, seven blocks, cut", "bzip2 -1 -c all.nt > f; cut f"},
	{"xz, three streams", "(xz -c a.nt; xz -c b.nt; xz -c c.nt) > out"},
	{"xz, seven blocks, one damaged", "xz -T1 --block-size=100000 -c all.nt > f; hurt f"},
	{"xz, seven blocks, cut", "xz -T1 --block-size=100000 -c all.nt > f; cut f"},
	{"xz, bytes after it", "xz -c all.nt > out; echo '<html>' >> out"},
	{"zstd, three frames, one damaged", "(zstd -q -c a.nt; zstd -q -c b.nt; zstd -q -c c.nt) > f; hurt f"},
	{"zstd, bytes after it", "zstd -q -c all.nt > out; echo '<html>' >> out"},
	{"lz4, three frames", "(lz4 -q -c a.nt; lz4 -q -c b.nt; lz4 -q -c c.nt) > out"},
	{"zstd, three frames", "(zstd -q -c a.nt; zstd -q -c b.nt; zstd -q -c c.nt) > out"},
	{"lz4, blocks of 64 kB, one damaged", "lz4 -q -B4 -c all.nt > f; hurt f"},
	{"lz4, cut", "lz4 -q -c all.nt > f; cut f"},
	{"lzip, three members", "(lzip -c a.nt; lzip -c b.nt; lzip -c c.nt) > out"},
	{"lzip, three members, one damaged", "(lzip -c a.nt; lzip -c b.nt; lzip -c c.nt) > f; hurt f"},
	{"LZMA alone, three streams", "(xz --format=lzma -c a.nt; xz --format=lzma -c b.nt; xz --format=lzma -c c.nt) > out"},
	{"compress (.Z)", "compress -c all.nt > out"},
	{"compress (.Z), three streams", "(compress -c a.nt; compress -c b.nt; compress -c c.nt) > out"},
	{"uuencode", "uuencode all.nt all.nt > out"},
	{"uuencode, base64", "uuencode -m all.nt all.nt > out"},
	{"zip", "zip -q out.zip a.nt b.nt c.nt"},
	{"zip, cut", "zip -q f a.nt b.nt c.nt; cut f.zip"},
	{"zip, one entry damaged", "zip -q f a.nt b.nt c.nt; hurt f.zip"},
	{"zip, packed from a pipe", "cat all.nt | zip -q out.zip -"},
	{"zip, after a program", "zip -q f a.nt b.nt c.nt; (echo '#!/bin/sh'; cat f.zip) > out"},
	{"zip, two in one file", "zip -q f a.nt; zip -q g b.nt c.nt; cat f.zip g.zip > out"},
	{"zip, Deflate64", "7z a -bd -tzip -mm=Deflate64 out.zip a.nt b.nt c.nt"},
	{"zip, LZMA", "7z a -bd -tzip -mm=LZMA out.zip a.nt b.nt c.nt"},
	{"zip, PPMd", "7z a -bd -tzip -mm=PPMd out.zip a.nt b.nt c.nt"},
	{"zip, encrypted", "zip -q -P secret out.zip a.nt b.nt c.nt"},
	{"tar", "tar cf out a.nt b.nt c.nt"},
	{"tar, a header damaged", "tar cf f a.nt b.nt c.nt; (head -c 214016 f; printf XXXX; tail -c +214021 f) > out"},
	{"tar, two in one file", "tar cf f a.nt; tar cf g b.nt c.nt; cat f g > out"},
	{"tar.gz, cut", "tar --mtime=@0 --owner=0 --group=0 -czf f a.nt b.nt c.nt; cut f"},
	{"7z", "7z a -bd out.7z a.nt b.nt c.nt"},
	{"7z, one of three streams damaged", "7z a -bd -ms=off f.7z a.nt b.nt c.nt; hurt f.7z"},
	{"7z, blocks of 128 kB, one damaged", "7z a -bd -mmt=2 -m0=lzma2:d=64k:c=128k f.7z all.nt; hurt f.7z"},
	{"7z, blocks of 128 kB, one damaged, cut", "7z a -bd -mmt=2 -m0=lzma2:d=64k:c=128k f.7z all.nt; hurt f.7z 30; mv out g; cut g"},
	{"7z, one stream damaged", "7z a -bd f.7z a.nt b.nt c.nt; hurt f.7z 80"},
	{"7z, Deflate64", "7z a -bd -m0=Deflate64 out.7z a.nt b.nt c.nt"},
	{"7z, cut", "7z a -bd f.7z a.nt b.nt c.nt; cut f.7z"},
	{"7z, three streams, cut", "7z a -bd -ms=off f.7z a.nt b.nt c.nt; cut f.7z"},
	{"7z, only copied, cut", "7z a -bd -mx0 f.7z a.nt b.nt c.nt; cut f.7z"},
	{"7z, BZip2, cut", "7z a -bd -m0=BZip2 f.7z a.nt b.nt c.nt; cut f.7z"},
	{"7z, BZip2 in blocks of 100 kB, cut", "7z a -bd -m0=BZip2:d=100k f.7z a.nt b.nt c.nt; cut f.7z"},
	{"7z, Deflate, cut", "7z a -bd -m0=Deflate f.7z a.nt b.nt c.nt; cut f.7z"},
	{"7z, Deflate, three streams, cut", "7z a -bd -ms=off -m0=Deflate f.7z a.nt b.nt c.nt; cut f.7z"},
	{"7z, Deflate64, cut", "7z a -bd -m0=Deflate64 f.7z a.nt b.nt c.nt; cut f.7z"},
	{"7z, PPMd, cut", "7z a -bd -m0=PPMd f.7z a.nt b.nt c.nt; cut f.7z"},
	{"7z, LZMA, cut", "7z a -bd -m0=LZMA f.7z a.nt b.nt c.nt; cut f.7z"},
	{"7z, two in one file", "7z a -bd f.7z a.nt; 7z a -bd g.7z b.nt c.nt; cat f.7z g.7z > out"},
	{"7z, encrypted", "7z a -bd -psecret out.7z a.nt b.nt c.nt"},
	{"cpio, newc", "ls *.nt | grep -v all | cpio --quiet -o -H newc > out"},
	{"cpio, odc", "ls *.nt | grep -v all | cpio --quiet -o -H odc > out"},
	{"cpio, cut", "ls *.nt | grep -v all | cpio --quiet -o -H newc > f; cut f"},
	{"cpio, two in one file", "echo a.nt | cpio --quiet -o -H newc > f; ls b.nt c.nt | cpio --quiet -o -H newc > g; cat f g > out"},
	{"ar, two in one file", "ar rc f a.nt; ar rc g b.nt c.nt; cat f g > out"},
	{"ar", "ar rc out a.nt b.nt c.nt"},
	{"iso9660, plain", "genisoimage -quiet -o out a.nt b.nt c.nt"},
	{"iso9660, Rock Ridge and Joliet", "genisoimage -quiet -R -J -o out a.nt b.nt c.nt"},
	{"WARC (resources)", "bsdtar -cf out --format=warc a.nt b.nt c.nt"},
	{"iso9660, cut", "genisoimage -quiet -R -o f a.nt b.nt c.nt; cut f"},
	{"WARC, two in one file", "bsdtar -cf f --format=warc a.nt; bsdtar -cf g --format=warc b.nt c.nt; cat f g > out"},
	{"xar", "bsdtar -cf out --format=xar a.nt b.nt c.nt"},
	{"xar, bzip2", "bsdtar -cf out --format=xar --options xar:compression=bzip2 a.nt b.nt c.nt"},
	{"xar, xz", "bsdtar -cf out --format=xar --options xar:compression=xz a.nt b.nt c.nt"},
	{"xar, LZMA", "bsdtar -cf out --format=xar --options xar:compression=lzma a.nt b.nt c.nt"},
	{"xar, one of three files damaged", "bsdtar -cf f --format=xar a.nt b.nt c.nt; hurt f"},
	{"xar, cut", "bsdtar -cf f --format=xar a.nt b.nt c.nt; cut f"},
	{"cabinet, only copied", "gcab -c out a.nt b.nt c.nt"},
	{"cabinet, MSZIP", "gcab -c -z out a.nt b.nt c.nt"},
	{"cabinet, MSZIP, one block damaged", "gcab -c -z f a.nt b.nt c.nt; hurt f"},
	{"cabinet, MSZIP, cut", "gcab -c -z f a.nt b.nt c.nt; cut f"},
	{"cabinet, only copied, cut", "gcab -c f a.nt b.nt c.nt; cut f"},
	{"cabinet, two in one file", "gcab -c f a.nt; gcab -c -z g b.nt c.nt; cat f g > out"},
	{"lzop, at its fastest", "lzop -q -1 -c all.nt > out"},
	{"lzop, at its best, with CRC-32", "lzop -q -9 --crc32 -c all.nt > out"},
	{"lzop, three files", "(lzop -q -c a.nt; lzop -q -c b.nt; lzop -q -c c.nt) > out"},
	{"lzop, three blocks, one damaged", "lzop -q -c all.nt > f; hurt f"},
	{"lzop, cut", "lzop -q -c all.nt > f; cut f"},
	{"arj", "arj a out.arj a.nt b.nt c.nt"},
}

// heldBack is the sample of which libarchive gives more. What came out of a damaged chunk
// shortly before the fault was noticed may be made by the damage, so it is not handed out.
const heldBack = "7z, one stream damaged"

const shellHelp = `
set -e
cut() { head -c $(( $(wc -c < $1) * 6 / 10 )) $1 > out; }
hurt() { at=$(( $(wc -c < $1) * ${2:-50} / 100 )); (head -c $at $1; head -c 64 /dev/zero | tr '\0' '\252'; tail -c +$((at + 65)) $1) > out; }
`

// TestOthersFilesAreReadAsWellAsLibarchiveReads counts how many of the 9,000 lines of each
// sample come out, and writes the table. We are compared with bsdtar, or with bsdcat for
// what is no archive. No line that was not written may come out of a sample that is whole.
func TestOthersFilesAreReadAsWellAsLibarchiveReads(t *testing.T) {
	for _, tool := range []string{"bsdtar", "bsdcat", "zip", "7z"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not installed", tool)
		}
	}
	lines := map[string]bool{}
	all := ""
	files := map[string]string{}
	for _, name := range []string{"a", "b", "c"} {
		var b strings.Builder
		for i := range 3000 {
			fmt.Fprintf(&b, "<http://example.org/%s/%d> <http://example.org/p%d> \"%x value\" .\n", name, i*7919%10007, i%13,
				i*2654435761&0xFFFFFFFF)
		}
		files[name+".nt"] = b.String()
		all += b.String()
	}
	files["all.nt"] = all
	for line := range strings.Lines(all) {
		lines[line] = true
	}
	var table strings.Builder
	fmt.Fprintf(&table, "| sample | lines of 9,000 | what is reported | libarchive |\n|---|--:|---|--:|\n")
	for _, s := range samples {
		folder := t.TempDir()
		for name, text := range files {
			if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		build := exec.Command("sh", "-c", shellHelp+s.make)
		build.Dir = folder
		if said, err := build.CombinedOutput(); err != nil {
			t.Logf("%s: not made: %v: %.200s", s.name, err, said)
			continue
		}
		made, _ := filepath.Glob(filepath.Join(folder, "out*"))
		if len(made) == 0 {
			t.Errorf("%s: made nothing", s.name)
			continue
		}
		format, ours, wrong, told := linesOf(t, made[0], lines)
		theirs := 0
		programs := [][]string{{"bsdtar", "-xOf"}}
		if format == "" {
			programs = append(programs, []string{"bsdcat"})
		}
		for _, program := range programs {
			ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
			peer := exec.CommandContext(ctx, program[0], append(program[1:], made[0])...)
			out, _ := peer.Output()
			cancel()
			theirs = max(theirs, countLines(out, lines))
		}
		known := strings.Contains(told, string(fault.ArchiveUnsupported)) || s.name == heldBack
		if ours < theirs && !known {
			t.Errorf("%s: %d lines, libarchive has %d; %s", s.name, ours, theirs, told)
		}
		if wrong > 0 && told == "" {
			t.Errorf("%s: %d lines that nobody wrote, and nothing is reported", s.name, wrong)
		}
		if ours < 9000 && told == "" {
			t.Errorf("%s: %d lines, and nothing is reported", s.name, ours)
		}
		fmt.Fprintf(&table, "| %s | %d | %s | %d |\n", s.name, ours, told, theirs)
	}
	if !*update {
		return
	}
	const page, begin = "../docs/containers.md", "<!-- table -->\n"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, _ := strings.Cut(string(text), begin)
	_, tail, _ := strings.Cut(rest, begin)
	if err := os.WriteFile(page, []byte(head+begin+table.String()+begin+tail), 0o644); err != nil {
		t.Fatal(err)
	}
}

// linesOf reads all entries of a file, or itself, and counts what came.
func linesOf(t *testing.T, path string, lines map[string]bool) (format string, good, wrong int, told string) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	src := io.NewSectionReader(file, 0, info.Size())
	codes := map[fault.Code]bool{}
	var order []string
	var out bytes.Buffer
	ctx := context.Background()
	var read func(src archive.Source, name string, limits archive.Limits) string
	read = func(src archive.Source, name string, limits archive.Limits) string {
		o, err := archive.Open(ctx, src, name, limits, func(n fault.Notice) {
			if !codes[n.Code] {
				codes[n.Code] = true
				order = append(order, "`"+string(n.Code)+"`")
			}
		})
		if errors.Is(err, archive.ErrNothing) {
			return ""
		}
		if err != nil {
			t.Fatal(err)
		}
		defer o.Close()
		if o.Format == "" {
			r, err := o.Reader(ctx)
			if err != nil {
				t.Fatal(err)
			}
			io.Copy(&out, r)
			r.Close()
			out.WriteByte('\n')
			return ""
		}
		if err := o.Entries(ctx, func(e archive.Entry, r io.Reader) error {
			inner, err := archive.Spool(ctx, r, t.TempDir(), 1<<20)
			if err == nil {
				defer inner.Close()
				read(inner, e.Name, o.Inside())
			}
			return err
		}); err != nil && !errors.Is(err, archive.ErrNothing) {
			t.Fatal(err)
		}
		return o.Format
	}
	format = read(src, path, archive.Limits{Temp: t.TempDir()})
	good = countLines(out.Bytes(), lines)
	for line := range bytes.Lines(out.Bytes()) {
		if len(bytes.TrimSpace(line)) > 0 && !lines[string(line)] {
			wrong++
		}
	}
	return format, good, wrong, strings.Join(order, " ")
}

// countLines counts the lines that were written, each once.
func countLines(text []byte, lines map[string]bool) int {
	seen := map[string]bool{}
	for line := range bytes.Lines(text) {
		if lines[string(line)] {
			seen[string(line)] = true
		}
	}
	return len(seen)
}
