package main

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"laundromat/internal/testkit/entities"
)

// TestASignalLeavesNoHalfTable ends the verb while it waits for the rest of standard input, and while
// it reads. Nothing has the name of an output, and nothing temporary stays.
func TestASignalLeavesNoHalfTable(t *testing.T) {
	for _, test := range []struct {
		name   string
		signal os.Signal
		code   int
		rows   int // of a file; 0 for standard input that never ends
	}{
		{"terminated, waiting", syscall.SIGTERM, exitTerminate, 0},
		{"interrupted, waiting", syscall.SIGINT, exitInterrupt, 0},
		{"terminated, reading", syscall.SIGTERM, exitTerminate, 3_000_000},
		{"interrupted, reading", syscall.SIGINT, exitInterrupt, 3_000_000},
	} {
		t.Run(test.name, func(t *testing.T) {
			temp, out := t.TempDir(), t.TempDir()
			input := "-"
			if test.rows > 0 {
				input = filepath.Join(t.TempDir(), "big.csv")
				var text []byte
				for i := range test.rows {
					text = fmt.Appendf(text, "%d,some text,%d\n", i, i*7)
				}
				if err := os.WriteFile(input, text, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			command := process(t, temp, "records", input, "-q", "--as", "jsonl,csv,sqlite", "-o", filepath.Join(out, "table"))
			stdin, err := command.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			defer stdin.Close()
			if err := command.Start(); err != nil {
				t.Fatal(err)
			}
			fmt.Fprint(stdin, "id,name\n1,x\n")
			waitForFiles(t, out)
			command.Process.Signal(test.signal)
			if code := waitFor(t, command, longestStop); code != test.code {
				t.Errorf("exit code %d, want %d", code, test.code)
			}
			holdNoFiles(t, temp)
			holdNoFiles(t, out)
		})
	}
}

// mergedFiles are what records merge and records undo write in the tests that end them, and what they read.
type mergedFiles struct{ folder, temp, table, spec string }

// makeMerged makes a table of persons, so many that its merge takes a while. Everything that is written has a name in
// folder already, with a text that a half table does not have.
func makeMerged(t *testing.T, persons int) mergedFiles {
	t.Helper()
	m := mergedFiles{folder: t.TempDir(), temp: t.TempDir()}
	inputs := t.TempDir()
	m.table, m.spec = filepath.Join(inputs, "persons.csv"), filepath.Join(inputs, "spec.yaml")
	set := entities.Persons(persons, 77, 1)
	var text bytes.Buffer
	out := csv.NewWriter(&text)
	out.WriteAll(append([][]string{set.Header[0]}, set.Rows[0]...))
	for name, data := range map[string][]byte{m.table: text.Bytes(), m.spec: []byte("reconcile: {id: id}\n")} {
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

// filesOfMerge are those that a merge writes.
var filesOfMerge = []string{"merged.jsonl", "pairs.jsonl", "answers.jsonl", "model.json"}

// before is what they hold before: answers are read, and the model is made when there is none.
func (m *mergedFiles) before(t *testing.T) {
	t.Helper()
	os.Remove(filepath.Join(m.folder, "model.json"))
	for _, name := range filesOfMerge[:3] {
		if err := os.WriteFile(filepath.Join(m.folder, name), []byte("{\"a\":\"x\",\"b\":\"y\",\"same\":null}\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// args are those of the merge.
func (m *mergedFiles) args(folder string) []string {
	at := func(i int) string { return filepath.Join(folder, filesOfMerge[i]) }
	return []string{"records", "merge", m.table, "--spec", m.spec, "-q", "-o", at(0), "--pairs", at(1), "--judge", at(2), "--model", at(3)}
}

// holdWhole checks that each file is as it was before, or as a whole run writes it.
func (m *mergedFiles) holdWhole(t *testing.T, when string, whole map[string][]byte) {
	t.Helper()
	for _, name := range filesOfMerge {
		got, err := os.ReadFile(filepath.Join(m.folder, name))
		if errors.Is(err, fs.ErrNotExist) && name == "model.json" {
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", when, err)
			continue
		}
		if string(got) != "{\"a\":\"x\",\"b\":\"y\",\"same\":null}\n" && !bytes.Equal(got, whole[name]) {
			t.Errorf("%s: %s is neither that of before nor a whole one: %d bytes, of %d", when, name, len(got), len(whole[name]))
		}
	}
}

// isWhole says that all files are those of a whole run.
func (m *mergedFiles) isWhole(whole map[string][]byte) bool {
	for _, name := range filesOfMerge {
		got, err := os.ReadFile(filepath.Join(m.folder, name))
		if err != nil || !bytes.Equal(got, whole[name]) {
			return false
		}
	}
	return true
}

// wholeMerge is what a run writes that nothing ends, and how long it takes.
func (m *mergedFiles) wholeMerge(t *testing.T) (map[string][]byte, time.Duration) {
	t.Helper()
	m.before(t)
	begun := time.Now()
	if out, err := process(t, m.temp, m.args(m.folder)...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	took := time.Since(begun)
	whole := map[string][]byte{}
	for _, name := range filesOfMerge {
		whole[name] = readFile(t, filepath.Join(m.folder, name))
	}
	return whole, took
}

// TestAMergeThatEndsLeavesNoHalfTable ends records merge at moments from its begin to its end: by a kill, which leaves
// no time for anything, and by signals, after which nothing temporary may stay either.
func TestAMergeThatEndsLeavesNoHalfTable(t *testing.T) {
	takesLong(t)
	m := makeMerged(t, 1200)
	whole, took := m.wholeMerge(t)
	for _, test := range []struct {
		name   string
		signal os.Signal
		code   int
		runs   int
	}{
		{"killed", syscall.SIGKILL, -1, 9},
		{"interrupted", syscall.SIGINT, exitInterrupt, 5},
		{"terminated", syscall.SIGTERM, exitTerminate, 4},
	} {
		ended := 0
		for i := range test.runs {
			m.before(t)
			temp := t.TempDir()
			command := process(t, temp, m.args(m.folder)...)
			if err := command.Start(); err != nil {
				t.Fatal(err)
			}
			moment := took * time.Duration(i+1) / time.Duration(test.runs)
			time.Sleep(moment)
			command.Process.Signal(test.signal)
			code := exitCodeOf(t, command.Wait())
			when := fmt.Sprintf("%s after %v", test.name, moment)
			switch code {
			case exitOK:
			case test.code:
				ended++
			default:
				// Before, the program may not yet listen; when all is written, it does so no longer.
				if moment > took/3 && !m.isWhole(whole) {
					t.Errorf("%s: exit code %d, want %d", when, code, test.code)
				}
			}
			m.holdWhole(t, when, whole)
			left, err := os.ReadDir(m.folder)
			if err != nil {
				t.Fatal(err)
			}
			for _, entry := range left {
				if slices.Contains(filesOfMerge, entry.Name()) {
					continue
				}
				if test.signal != syscall.SIGKILL {
					t.Errorf("%s: left behind: %s", when, entry.Name())
				}
				os.Remove(filepath.Join(m.folder, entry.Name()))
			}
			if test.signal != syscall.SIGKILL {
				holdNoFiles(t, temp)
			}
		}
		if ended == 0 {
			t.Errorf("%s: no run was ended", test.name)
		}
	}
}

// TestAnUndoThatEndsLeavesNoHalfTable is the same of records undo --merge.
func TestAnUndoThatEndsLeavesNoHalfTable(t *testing.T) {
	m := makeMerged(t, 1200)
	m.wholeMerge(t)
	back := filepath.Join(t.TempDir(), "back.jsonl")
	args := []string{"records", "undo", "--merge", filepath.Join(m.folder, "merged.jsonl"), "-q", "-o", back}
	begun := time.Now()
	if out, err := process(t, m.temp, args...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	took, whole := time.Since(begun), readFile(t, back)
	const old = "{\"id\":\"old\"}\n"
	for i := range 12 {
		signal := []os.Signal{syscall.SIGKILL, syscall.SIGINT}[i%2]
		if err := os.WriteFile(back, []byte(old), 0o600); err != nil {
			t.Fatal(err)
		}
		command := process(t, m.temp, args...)
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		moment := took * time.Duration(i+1) / 12
		time.Sleep(moment)
		command.Process.Signal(signal)
		code := exitCodeOf(t, command.Wait())
		if got := readFile(t, back); string(got) != old && !bytes.Equal(got, whole) {
			t.Errorf("%v after %v, exit code %d: %d bytes, of %d", signal, moment, code, len(got), len(whole))
		}
	}
}

// TestAFullDiskLeavesNoHalfMerge writes the records, and then the pairs, to a device that is full. The run fails, and
// the other files are as they were, or complete.
func TestAFullDiskLeavesNoHalfMerge(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("there is no /dev/full here")
	}
	m := makeMerged(t, 300)
	whole, _ := m.wholeMerge(t)
	for _, name := range filesOfMerge[:2] {
		m.before(t)
		args := append(m.args(m.folder), "--as", "jsonl")
		args[slices.Index(args, filepath.Join(m.folder, name))] = "/dev/full"
		out, err := process(t, m.temp, args...).CombinedOutput()
		if code := exitCodeOf(t, err); code == exitOK {
			t.Errorf("a full %s is no error: %s", name, out)
		}
		m.holdWhole(t, "full "+name, whole)
		holdNoFiles(t, m.temp)
	}
}
