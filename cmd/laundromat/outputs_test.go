package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"laundromat/internal/disk"
	"laundromat/internal/files"
	"laundromat/states"
)

// TestAShortDiskIsToldAndLeavesNoOutput: where, how much was missing; what stood there
// before stands there still.
func TestAShortDiskIsToldAndLeavesNoOutput(t *testing.T) {
	for _, name := range []string{"out.nq", "out.nq.gz"} {
		dir := t.TempDir()
		at := filepath.Join(dir, name)
		if err := os.WriteFile(at, []byte("of an earlier run"), 0o600); err != nil {
			t.Fatal(err)
		}
		whole, err := newWholeFile(at)
		if err != nil {
			t.Fatal(err)
		}
		const has = 2 << 20
		whole.room = disk.NewRoom(dir, func(offset, length int64) error {
			if offset+length > has {
				return syscall.ENOSPC
			}
			return nil
		})
		var lines states.LineWriter = &gzipLines{CleanWriter: files.NewCleanWriter(whole, files.CleanOptions{Level: 1, Workers: 2, Unmeasured: true}), file: whole}
		if name == "out.nq" {
			lines = outputOptions{}.plain(whole)
		}
		for i := 0; err == nil && i < 1_000_000; i++ {
			err = lines.Line(fmt.Appendf(nil, "<http://example.org/%d> <p> \"%x\" .", i, i*7919*7919))
		}
		if err == nil {
			err = lines.Close()
		} else {
			lines.Abort()
		}
		if !errors.Is(err, syscall.ENOSPC) {
			t.Fatalf("%s: %v", name, err)
		}
		for _, part := range []string{"write " + at, " bytes more than the ", " that are written there have no room in " + dir} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%q does not say %q", err, part)
			}
		}
		text, err := os.ReadFile(at)
		if left := filesIn(t, dir); err != nil || !bytes.Equal(text, []byte("of an earlier run")) || len(left) != 1 {
			t.Errorf("left: %q, %v", left, err)
		}
	}
}
