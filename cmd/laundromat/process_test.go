package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/seedlist"
)

// process is a command that runs the program in a process of its own, with a
// folder for temporary files of its own.
func process(t testing.TB, temp string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(self, args...)
	command.Env = append(os.Environ(), beProgram+"=1", "TMPDIR="+temp, "NO_COLOR=1", "LAUNDROMAT_DATA=")
	return command
}

// output runs the program to its end and returns what it wrote to stdout; it must
// exit with 0.
func output(t testing.TB, args ...string) string {
	t.Helper()
	command := process(t, t.TempDir(), args...)
	var out, messages bytes.Buffer
	command.Stdout, command.Stderr = &out, &messages
	if err := command.Run(); err != nil {
		t.Fatalf("laundromat %s: %v\n%s%s", strings.Join(args, " "), err, out.String(), messages.String())
	}
	return out.String()
}

// exitCodeOf is the exit code in what Wait returned; -1 if a signal ended the process.
func exitCodeOf(t testing.TB, err error) int {
	t.Helper()
	var ended *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &ended):
		return ended.ExitCode()
	default:
		t.Fatal(err)
		return 0
	}
}

// seedsOf are all records of a store.
func seedsOf(t testing.TB, data string) []seedlist.Seed {
	t.Helper()
	return decodeLines[seedlist.Seed](t, output(t, "seed", "list", "--json", "--data", data))
}

// noticesOf are all notices of a seed, as "code line".
func noticesOfSeed(t testing.TB, data string, seed seedlist.Seed) []fault.Notice {
	t.Helper()
	return decodeLines[fault.Notice](t, output(t, "get", "--notices", seed.Hash, "--data", data))
}

func decodeLines[T any](t testing.TB, text string) (values []T) {
	t.Helper()
	decoder := json.NewDecoder(strings.NewReader(text))
	for {
		var value T
		err := decoder.Decode(&value)
		if errors.Is(err, io.EOF) {
			return values
		}
		if err != nil {
			t.Fatal(err)
		}
		values = append(values, value)
	}
}

// stateOf is what a run leaves: the records without times and fences, and the files by name and
// bytes. It must not depend on when the run was, or how often it was disturbed.
func stateOf(t testing.TB, data string) map[string]string {
	t.Helper()
	state := map[string]string{}
	for _, record := range decodeLines[map[string]any](t, output(t, "seed", "list", "--json", "--data", data)) {
		for _, key := range []string{"added", "due", "retrieved", "processed", "broken", "mended", "fence"} {
			delete(record, key)
		}
		if history, ok := record["history"].([]any); ok {
			for _, version := range history {
				delete(version.(map[string]any), "retrieved")
				delete(version.(map[string]any), "seen")
				delete(version.(map[string]any), "washed")
			}
		}
		if replies, ok := record["http"].([]any); ok {
			for _, reply := range replies {
				delete(reply.(map[string]any), "time")
				delete(reply.(map[string]any), "walltime")
				if headers, ok := reply.(map[string]any)["headers"].(map[string]any); ok {
					delete(headers, "date")
				}
			}
		}
		text, err := json.Marshal(record)
		if err != nil {
			t.Fatal(err)
		}
		state["record "+record["hash"].(string)] = string(text)
	}
	for _, name := range filesIn(t, filepath.Join(data, "blobs")) {
		body, err := os.ReadFile(filepath.Join(data, "blobs", name))
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(body)
		state["file "+name] = hex.EncodeToString(sum[:])
	}
	return state
}

// filesIn are the files below a folder, at any depth; a folder that is not there has none.
func filesIn(t testing.TB, folder string) (names []string) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(folder, path)
		names = append(names, name)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(names)
	return names
}
