package main

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
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
