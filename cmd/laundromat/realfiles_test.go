//go:build !race

package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"laundromat/internal/digest"
	"laundromat/rdf/rdftest"
	"laundromat/report"
)

// realFile is a file that somebody publishes, and what other programs count in it.
type realFile struct {
	path, base string
	agree      string // "all-ok" and "some-ok": those without an error say the same number
	counts     []string
}

func realFiles(t *testing.T) (files []realFile) {
	f, err := os.Open(rdftest.Shared(t, "real", "index.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	table := csv.NewReader(f)
	table.Comma, table.LazyQuotes = '\t', true
	rows, err := table.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows[1:] {
		files = append(files, realFile{path: row[0], base: row[3], agree: row[4], counts: row[5:9]})
	}
	return files
}

// TestRealFilesHoldWhatOthersCount washes what people publish. Where the programs that
// found no error count the same statements, we count them too, and lose none. In the
// others each statement is accounted for. Of all files at most five statements are lost, since
// the contexts that they name are in the program.
func TestRealFilesHoldWhatOthersCount(t *testing.T) {
	compared, dropped := 0, int64(0)
	for _, f := range realFiles(t) {
		_, exit, found := reported(t, rdftest.Shared(t, "real", f.path), "--base", f.base)
		if len(found.Documents) != 1 {
			t.Errorf("%s: %d documents, exit code %d", f.path, len(found.Documents), exit)
			continue
		}
		d := found.Documents[0]
		s := d.Statements
		dropped += s.Dropped
		if s.Read != s.Kept+s.Repaired+s.Dropped || s.Written != s.Kept+s.Repaired-s.Duplicates {
			t.Errorf("%s: %+v: the sums are wrong", f.path, s)
		}
		if f.agree != "all-ok" && f.agree != "some-ok" {
			continue
		}
		compared++
		// The other programs read pages for RDFa alone.
		if d.Format == "HTML" {
			s = digest.Statements{Read: d.Sources["RDFa"]}
		}
		if want, agreed := f.agreed(t); !agreed || s.Read != want || s.Dropped > 0 {
			t.Errorf("%s: %d statements read, %d dropped; others count %v", f.path, s.Read, s.Dropped, f.counts)
		}
	}
	if dropped > 5 {
		t.Errorf("%d statements are dropped", dropped)
	}
	t.Logf("%d files compared", compared)
}

// agreed is the count of statements on which the programs agree that found no error.
func (f *realFile) agreed(t *testing.T) (count int64, agreed bool) {
	count = -1
	for _, text := range f.counts {
		if text == "" || strings.HasSuffix(text, "!") {
			continue
		}
		text, _, _ = strings.Cut(text, "(")
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		if count >= 0 && n != count {
			return 0, false
		}
		count = n
	}
	return count, count >= 0
}

// reported washes a file with a report. It returns the lines, the exit code and the report.
func reported(t *testing.T, file string, args ...string) (lines string, exit int, found report.Report) {
	t.Helper()
	temp := t.TempDir()
	account := filepath.Join(temp, "report.json")
	command := process(t, temp, append([]string{"wash", "-q", "--report", account, file}, args...)...)
	var out bytes.Buffer
	command.Stdout = &out
	exit = exitCodeOf(t, command.Run())
	if err := json.Unmarshal(readFile(t, account), &found); err != nil {
		t.Fatal(err)
	}
	return out.String(), exit, found
}
