//go:build !lean

package dump_test

import (
	"archive/zip"
	"bytes"
	"database/sql"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"laundromat/records"
	"laundromat/records/dump"
)

const (
	killedRows = 3000
	rowsOfMark = 100
	// marksOfRun are those of the rows, and one when all files have their names.
	marksOfRun = killedRows/rowsOfMark + 1
)

// TestMain is the child that is killed too: it writes files over and over, and marks its progress on
// standard output.
func TestMain(m *testing.M) {
	dir := os.Getenv("LAUNDROMAT_DUMP_CHILD")
	if dir == "" {
		os.Exit(m.Run())
	}
	for {
		if err := writeAll(dir); err != nil {
			os.Stderr.WriteString(err.Error())
			os.Exit(1)
		}
		os.Stdout.WriteString(".")
	}
}

func writeAll(dir string) error {
	opt := dump.Options{Package: filepath.Join(dir, "datapackage.json")}
	for _, format := range dump.Formats() {
		opt.Files = append(opt.Files, dump.File{Format: format, Path: filepath.Join(dir, "r."+format)})
	}
	sink, err := dump.Open(opt)
	if err != nil {
		return err
	}
	for i := range killedRows {
		r := rec("n", i, "t", strings.Repeat("x", i%50))
		r.Keep("n", records.TextOf("before"), "rule")
		if err := sink.Record(r); err != nil {
			return err
		}
		if (i+1)%rowsOfMark == 0 {
			os.Stdout.WriteString(".")
		}
	}
	return sink.Close()
}

// A run that is killed at any moment leaves files that are whole, or none of that name. Moments are
// counted in marks of the child, so that a slow machine is killed at the same ones.
func TestARunThatIsKilledLeavesNoHalfTable(t *testing.T) {
	const wantInRows, wantInClose, mostKills = 10, 10, 300
	dir := t.TempDir()
	r := rand.New(rand.NewPCG(1, 5))
	closing := killAfter(t, dir, marksOfRun, 0).closing
	wantAll(t, dir)
	inRows, inClose, kills := 0, 0, 0
	for ; (inRows < wantInRows || inClose < wantInClose) && kills < mostKills; kills++ {
		removeHalfOfThem(t, r, dir)
		marks, delay := 1+r.IntN(2*marksOfRun), time.Duration(0)
		if kills%2 == 0 { // while the files are completed and take their names
			marks, delay = marksOfRun-1, time.Duration(r.Int64N(int64(closing)+1))
		}
		d := killAfter(t, dir, marks, delay)
		switch d.marks % marksOfRun {
		case marksOfRun - 1:
			inClose++
		default:
			inRows++
		}
		if d.marks >= marksOfRun {
			wantAll(t, dir)
		} else {
			wholeFiles(t, dir)
		}
	}
	if inRows < wantInRows || inClose < wantInClose {
		t.Errorf("of %d kills %d came among the rows and %d in Close", kills, inRows, inClose)
	}
	t.Logf("%d kills came among the rows, %d in Close", inRows, inClose)
}

// death is how a child was killed: after how many marks, and how long its first Close took, if it ended.
type death struct {
	marks   int
	closing time.Duration
}

// killAfter starts a child and kills it when it has made some marks, and a while has passed.
func killAfter(t *testing.T, dir string, marks int, delay time.Duration) (d death) {
	t.Helper()
	var trouble bytes.Buffer
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), "LAUNDROMAT_DUMP_CHILD="+dir)
	child.Stderr = &trouble
	progress, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	var closed time.Time // when Close began
	for one := make([]byte, 1); d.marks < marks; {
		if _, err := io.ReadFull(progress, one); err != nil {
			break
		}
		switch d.marks++; d.marks {
		case marksOfRun - 1:
			closed = time.Now()
		case marksOfRun:
			d.closing = time.Since(closed)
		}
	}
	time.Sleep(delay)
	child.Process.Kill()
	late, _ := io.ReadAll(progress)
	child.Wait()
	if trouble.Len() > 0 {
		t.Fatal(trouble.String())
	}
	d.marks += len(late)
	if d.marks < marks {
		t.Fatalf("the child ended by itself after %d marks", d.marks)
	}
	return d
}

// wantAll holds for a folder in which a run came to its end: each file is there, and whole.
func wantAll(t *testing.T, dir string) {
	t.Helper()
	if seen := wholeFiles(t, dir); seen != len(dump.Formats()) {
		t.Fatalf("a run came to its end, and %d files are there, want %d", seen, len(dump.Formats()))
	}
}

// removeHalfOfThem lets the next child begin with a folder in which some files are missing.
func removeHalfOfThem(t *testing.T, r *rand.Rand, dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if r.IntN(2) == 0 || e.Name()[0] == '.' {
			os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}

// wholeFiles counts the files that have their names; each must be whole.
func wholeFiles(t *testing.T, dir string) (seen int) {
	t.Helper()
	for _, format := range dump.Formats() {
		path := filepath.Join(dir, "r."+format)
		if _, err := os.Stat(path); err != nil {
			continue
		}
		seen++
		rows := -1
		switch format {
		case "json", "yaml", "xml", "html":
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			got := readAgain(t, format, string(text))
			rows = len(got.all)
		case "jsonl", "csv", "tsv":
			var got tally
			if _, err := dump.Undo(path, dump.UndoOptions{Was: filepath.Join(dir, "none")}, &got); err != nil {
				t.Fatal(err)
			}
			rows = len(got.all)
		case "parquet":
			f, err := os.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			info, _ := f.Stat()
			p, err := parquet.OpenFile(f, info.Size())
			if err != nil {
				t.Fatal(err)
			}
			rows = int(p.NumRows())
			f.Close()
		case "sqlite":
			db, err := sql.Open("sqlite", path)
			if err != nil {
				t.Fatal(err)
			}
			if err := db.QueryRow("SELECT count(*) FROM records").Scan(&rows); err != nil {
				t.Fatal(err)
			}
			db.Close()
		case "xlsx":
			z, err := zip.OpenReader(path)
			if err != nil {
				t.Fatal(err)
			}
			z.Close()
			rows = killedRows
		}
		if rows != killedRows {
			t.Fatalf("%s has %d rows, want %d", path, rows, killedRows)
		}
	}
	return seen
}
