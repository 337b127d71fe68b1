package disk

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestWhatIsNotWrittenIsGivenBack: a file takes on the disk what it takes without all this.
func TestWhatIsNotWrittenIsGivenBack(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "file"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	room := NewRoom(t.TempDir(), func(offset, length int64) error { return Reserve(file, offset, length) })
	switch err := Reserve(file, 0, 1); {
	case errors.Is(err, syscall.EOPNOTSUPP):
		t.Skip("this file system takes no room ahead")
	case err != nil:
		t.Fatal(err)
	}
	text := make([]byte, 100_000)
	if err := room.Need(0, int64(len(text))); err != nil {
		t.Fatal(err)
	}
	if _, err := file.Write(text); err != nil {
		t.Fatal(err)
	}
	blocks := func() int64 {
		info, err := file.Stat()
		if err != nil || info.Size() != int64(len(text)) {
			t.Fatalf("%v, %v", info, err)
		}
		return info.Sys().(*syscall.Stat_t).Blocks * 512
	}
	if blocks() < Step {
		t.Errorf("%d bytes are taken ahead", blocks())
	}
	room.Trim(file, int64(len(text)))
	if blocks() > 2*int64(len(text)) {
		t.Errorf("%d bytes are still taken", blocks())
	}
}
