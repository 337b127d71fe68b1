package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"laundromat/rdf/rdftest"
)

// TestArchivesOfOthersAreReadWhole washes each archive as its folder's README says: nothing else
// comes out than what is expected, and the run ends.
func TestArchivesOfOthersAreReadWhole(t *testing.T) {
	dir := rdftest.Shared(t, "cases", "archives")
	expected, err := filepath.Glob(filepath.Join(dir, "*.expect.nq"))
	if err != nil || len(expected) == 0 {
		t.Fatalf("%d cases, error %v", len(expected), err)
	}
	for _, file := range expected {
		name := strings.TrimSuffix(filepath.Base(file), ".expect.nq")
		t.Run(name, func(t *testing.T) {
			inputs, _ := filepath.Glob(filepath.Join(dir, name+".*"))
			var input string
			for _, i := range inputs {
				if i != file {
					input = i
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			out := filepath.Join(t.TempDir(), "out.nq")
			command := process(t, t.TempDir(), "wash", "-q", "-o", out, "--literals", "keep", input)
			if err := command.Start(); err != nil {
				t.Fatal(err)
			}
			code := waitFor(t, command, longestStop)
			got, err := os.ReadFile(out)
			if err != nil || string(got) != string(want) || code != exitOK && code != exitDropped {
				t.Errorf("exit code %d, error %v, %d lines, want %d", code, err, strings.Count(string(got), "\n"),
					strings.Count(string(want), "\n"))
			}
		})
	}
}
