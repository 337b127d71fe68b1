//go:build !lean

package dump_test

import (
	"archive/zip"
	"bytes"
	"database/sql"
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

const killedRows = 3000

// TestMain is the child that is killed too: it writes files over and over.
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
	}
	return sink.Close()
}

// A run that is killed at any moment leaves files that are whole, or none of that name.
func TestARunThatIsKilledLeavesNoHalfTable(t *testing.T) {
	dir := t.TempDir()
	r := rand.New(rand.NewPCG(1, 5))
	seen := 0
	for range 30 {
		var trouble bytes.Buffer
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), "LAUNDROMAT_DUMP_CHILD="+dir)
		child.Stderr = &trouble
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(20+r.IntN(500)) * time.Millisecond)
		child.Process.Kill()
		child.Wait()
		if trouble.Len() > 0 {
			t.Fatal(trouble.String())
		}
		seen += wholeFiles(t, dir)
		removeHalfOfThem(t, r, dir)
	}
	if seen < 30 {
		t.Errorf("only %d files were there to be looked at", seen)
	}
	t.Logf("%d files were whole", seen)
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
