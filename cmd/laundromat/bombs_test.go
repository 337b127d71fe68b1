//go:build !race

package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/mholt/archives"

	"laundromat/internal/fault"
	"laundromat/states/inputs"
)

// packedAgain packs the same text so many times, one stream after another, where the
// format knows that.
func packedAgain(t *testing.T, by archives.Compressor, text string, times int) string {
	t.Helper()
	var b bytes.Buffer
	w, err := by.OpenWriter(&b)
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(w, text)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return strings.Repeat(b.String(), times)
}

// Of each bomb a gigabyte comes, of statements that are as good as any. What is not stopped is washed
// to its end, and takes its time.
func TestAGigabyteFromSomeKilobytesIsStoppedInEachVerb(t *testing.T) {
	folder := t.TempDir()
	line := `<http://example.org/a> <http://example.org/p> "the same again and again" .` + "\n"
	text := strings.Repeat(line, 4<<20/len(line))
	bombs := map[string]string{
		"lz4":    packedAgain(t, archives.Lz4{}, packedAgain(t, archives.Lz4{}, text, 256), 1),
		"gz":     packedAgain(t, archives.Gz{}, packedAgain(t, archives.Gz{}, text, 256), 1),
		"xz":     packedAgain(t, archives.Xz{}, text, 256),
		"lz":     packedAgain(t, archives.Lzip{}, text, 256),
		"zst":    packedAgain(t, archives.Zstd{}, text, 256),
		"br":     packedAgain(t, archives.Brotli{}, strings.Repeat(text, 32), 1), // it has no streams after each other
		"bz2":    packedAgain(t, archives.Gz{}, packedAgain(t, archives.Bz2{CompressionLevel: 9}, text, 256), 1),
		"zip.gz": packedAgain(t, archives.Gz{}, zipWith(t, "a.nt", text, 256), 1),
	}
	var all []string
	for kind, bomb := range bombs {
		if testing.Short() && kind != "gz" && kind != "zst" {
			continue
		}
		path := filepath.Join(folder, "bomb.nt."+kind)
		if err := os.WriteFile(path, []byte(bomb), 0o600); err != nil {
			t.Fatal(err)
		}
		if len(bomb) > 700_000 {
			t.Errorf("%s: the bomb itself has %d bytes", kind, len(bomb))
		}
		all = append(all, path)
		for _, verb := range [][]string{{"wash", "-o", os.DevNull}, {"check"}} {
			if verb[0] == "check" && kind != "gz" && kind != "xz" {
				continue // it reads as wash does
			}
			command := process(t, t.TempDir(), append(verb, path)...)
			var said bytes.Buffer
			command.Stdout, command.Stderr = &said, &said
			start := time.Now()
			held, err := watched(t, command, "VmHWM:")
			code, spent := exitCodeOf(t, err), time.Since(start)
			t.Logf("%s %s, %d bytes: %d MB held", verb[0], kind, len(bomb), held/1e6)
			if code != 1 || !strings.Contains(said.String(), string(fault.LimitArchiveRatio)) || held > 128<<20 || spent > 2*time.Minute {
				t.Errorf("%s %s: exit %d in %v with %d bytes held: %.500s", verb[0], kind, code, spent, held, said.String())
			}
		}
	}
	good := filepath.Join(folder, "good.nt")
	if err := os.WriteFile(good, []byte(line), 0o600); err != nil {
		t.Fatal(err)
	}
	data := filepath.Join(folder, "data")
	for _, path := range append(all, good) {
		output(t, "seed", "add", "--init", "--data", data, inputs.FileIRI(path))
	}
	command := process(t, t.TempDir(), "serve", "--data", data, "--until-idle", "-q", "--listen", "127.0.0.1:0", "--allow-file")
	start := time.Now()
	held, err := watched(t, command, "VmHWM:")
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("the daemon: %d MB held", held/1e6)
	if spent := time.Since(start); held > 1<<30 || spent > 5*time.Minute {
		t.Errorf("the daemon took %v and held %d bytes", spent, held)
	}
	if stored := bytesIn(t, data); stored > 64<<20 {
		t.Errorf("the daemon's folder has %d bytes", stored)
	}
	washed, stopped := outcomesIn(t, data, good, fault.LimitArchiveRatio)
	if washed != 1 || stopped < len(all) {
		t.Errorf("%d bombs of %d were stopped, %d of 1 good file was washed", stopped, len(all), washed)
	}
}

// bytesIn is the size of all files of a folder.
func bytesIn(t *testing.T, folder string) (n int64) {
	for _, name := range filesIn(t, folder) {
		if info, err := os.Stat(filepath.Join(folder, name)); err == nil {
			n += info.Size()
		}
	}
	return n
}

// outcomesIn counts the seeds of the good file that were washed to one statement, and the seeds that
// a limit stopped.
func outcomesIn(t *testing.T, data, good string, limit fault.Code) (washed, stopped int) {
	for _, seed := range seedsOf(t, data) {
		switch {
		case seed.Error != nil && seed.Error.Code == limit:
			stopped++
		case seed.URI == inputs.FileIRI(good) && seed.Statements != nil && seed.Statements.Written == 1:
			washed++
		}
	}
	return washed, stopped
}

// itself is a gzip member that unpacks to itself, with its true checksum: a test
// checks that. It is built after R. Cox, Zip Files All The Way Down.
const itself = "1f8b08080000000000ff73656c6600001400ebff1f8b08080000000000ff73656c6600001400ebff428821c400001400ebff428821c400001400ebff428821c4" +
	"00001400ebff428821c400001400ebff428821c400000000ffff0300c01a30ff78000000428821c400000000ffff0300c01a30ff78000000"

// layersOfZips is a zip of 16 zips of 16 zips … of one text, as 42.zip is made.
func layersOfZips(t *testing.T, text string, layers int) string {
	inner := zipWith(t, "a.nt", text, 1)
	for range layers {
		inner = zipWith(t, ".zip", inner, 16)
	}
	return inner
}

// Each limit has its own code in the notice. What else is to be washed is washed, with the memory and
// the disk that the outermost file may cost.
func TestNestedBombsAreStoppedByTheLimitThatTheyReach(t *testing.T) {
	member, err := hex.DecodeString(itself)
	if err != nil {
		t.Fatal(err)
	}
	unzipped, err := gzip.NewReader(bytes.NewReader(member))
	if err != nil {
		t.Fatal(err)
	}
	if same, err := io.ReadAll(unzipped); err != nil || !bytes.Equal(same, member) {
		t.Fatalf("the member unpacks to %x, %v", same, err)
	}
	line := `<http://example.org/a> <http://example.org/p> "the same again and again" .` + "\n"
	folder := t.TempDir()
	bombs := []struct {
		name, data string
		flags      []string
		code       fault.Code
	}{
		{"itself.gz", string(member), nil, fault.LimitArchiveDepth},
		{"zeros.zip", layersOfZips(t, strings.Repeat("\x00", 16<<20), 5), nil, fault.LimitArchiveRatio}, // 16 TiB
		{"text.zip", layersOfZips(t, strings.Repeat(line, 4<<20/len(line)), 2), []string{"--max-depth", "2"}, fault.LimitArchiveDepth},
		{"files.zip", layersOfZips(t, line, 3), []string{"--max-entries", "100"}, fault.LimitArchiveEntries},
		{"bytes.zip", layersOfZips(t, strings.Repeat(line, 4<<20/len(line)), 1), []string{"--max-bytes", "3M"}, fault.LimitArchiveBytes},
	}
	good := filepath.Join(folder, "good.nt")
	if err := os.WriteFile(good, []byte(line), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, bomb := range bombs {
		path := filepath.Join(folder, bomb.name)
		if err := os.WriteFile(path, []byte(bomb.data), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, verb := range [][]string{{"wash", "-o", filepath.Join(folder, "out.nq")}, {"check"}} {
			command := process(t, t.TempDir(), append(append(verb, bomb.flags...), path, good)...)
			var said bytes.Buffer
			command.Stdout, command.Stderr = &said, &said
			held, err := watched(t, command, "VmHWM:")
			if code := exitCodeOf(t, err); code != 1 || !strings.Contains(said.String(), string(bomb.code)) || held > 128<<20 {
				t.Errorf("%s %s: exit %d with %d bytes held: %.500s", verb[0], bomb.name, code, held, said.String())
			}
			if verb[0] == "wash" {
				if out, err := os.ReadFile(filepath.Join(folder, "out.nq")); err != nil || string(out) != line {
					t.Errorf("%s: washed %.200q, %v", bomb.name, out, err)
				}
			}
		}
	}
	for _, bomb := range bombs {
		data := filepath.Join(folder, bomb.name+".data")
		output(t, "seed", "add", "--init", "--data", data, inputs.FileIRI(filepath.Join(folder, bomb.name)), inputs.FileIRI(good))
		if bomb.name == "zeros.zip" { // each of the 4,369 zips is a seed, as it should be: fewer will do
			bomb.flags = []string{"--max-entries", "600"}
			bomb.code = fault.LimitArchiveEntries
		}
		command := process(t, t.TempDir(), append([]string{"serve", "--data", data, "--until-idle", "-q", "--listen", "127.0.0.1:0",
			"--allow-file"}, bomb.flags...)...)
		held, err := watched(t, command, "VmHWM:")
		if err != nil {
			t.Fatal(err)
		}
		stored := bytesIn(t, data)
		washed, stopped := outcomesIn(t, data, good, bomb.code)
		t.Logf("the daemon, %s: %d MB held, %d MB stored", bomb.name, held/1e6, stored/1e6)
		if washed != 1 || stopped == 0 || held > 300<<20 || stored > 100<<20 {
			t.Errorf("the daemon, %s: %d stopped, %d of 1 good file washed, %d bytes held, %d stored", bomb.name, stopped, washed, held,
				stored)
		}
	}
}

// zipWith is a zip of so many entries of the same text.
func zipWith(t *testing.T, name, text string, times int) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := range times {
		entry, err := w.Create(fmt.Sprint(i, name))
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(entry, text)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// entriesTar writes a tar.gz of so many entries.
func entriesTar(t *testing.T, path string, n int, text func(i int) string) {
	t.Helper()
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	zipped, _ := gzip.NewWriterLevel(file, gzip.BestSpeed)
	w := tar.NewWriter(zipped)
	for i := range n {
		body := text(i)
		w.WriteHeader(&tar.Header{Name: fmt.Sprint("e/", i), Size: int64(len(body)), Mode: 0o644})
		io.WriteString(w, body)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := zipped.Close(); err != nil {
		t.Fatal(err)
	}
}

// What an entry costs for good is a few hundred bytes, whatever became of it.
func TestEntriesByTheThousandCostLittleMemoryEach(t *testing.T) {
	// So many that a megabyte, in which the collector says what it found alive, is little for each.
	few, many := 1_000, 11_000
	wash, check := []string{"wash", "-o", os.DevNull}, []string{"check"}
	for name, c := range map[string]struct {
		text func(i int) string
		code int
		verb []string
	}{
		"sound":       {func(i int) string { return fmt.Sprintf("<http://e.org/%d> <http://e.org/p> \"%[1]d\" .\n", i) }, 0, wash},
		"blank nodes": {func(i int) string { return fmt.Sprintf("_:b <http://e.org/p> \"%d\" .\n", i) }, 0, check},
		"faulty": {func(i int) string {
			return fmt.Sprintf("<http://e.org/%d> <http://e.org/p> \"%[1]d\" .\n<a b> nonsense\n", i)
		}, 3, wash},
		"no RDF": {func(i int) string { return fmt.Sprintf("This is page %d, and it isn't data at all.\n", i) }, 7, check},
	} {
		held := func(n int) int64 {
			path := filepath.Join(t.TempDir(), "many.tar.gz")
			entriesTar(t, path, n, c.text)
			held, code := liveHeap(t, append(c.verb, path)...)
			if code != c.code {
				t.Errorf("%s, %s: exit %d", name, c.verb[0], code)
			}
			return held
		}
		one, other := held(few), held(many)
		each := (other - one) / int64(many-few)
		t.Logf("%s, %s: %d bytes for each entry", name, c.verb[0], each)
		if each > 500 {
			t.Errorf("%s, %s: %d bytes are held for %d entries, %d for %d: %d for each", name, c.verb[0], one, few, other, many, each)
		}
	}
}
