package outfile

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
)

// TestAShortDiskIsToldAndLeavesNoOutput: the error says where, and how much was missing; the file of
// before is still there.
func TestAShortDiskIsToldAndLeavesNoOutput(t *testing.T) {
	for _, name := range []string{"out.nq", "out.nq.gz"} {
		dir := t.TempDir()
		at := filepath.Join(dir, name)
		if err := os.WriteFile(at, []byte("of an earlier run"), 0o600); err != nil {
			t.Fatal(err)
		}
		whole, err := Create(at)
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
		lines := Options{Level: 1, Workers: 2}.zipped(whole)
		if name == "out.nq" {
			lines = Options{}.lines(whole, whole, whole.Abort)
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
		if left, _ := os.ReadDir(dir); err != nil || !bytes.Equal(text, []byte("of an earlier run")) || len(left) != 1 {
			t.Errorf("left: %q, %v", left, err)
		}
	}
}
