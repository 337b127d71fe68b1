package views

import (
	"errors"
	"io/fs"
	"os"
	"strings"
)

// The file is not synced. What a process wrote is safe from its own death, but not from that of the
// machine. While it is open, a note beside it says since which start of the machine.

func notePath(path string) string { return path + ".open" }

// bootFile says which start of the machine this is, on Linux.
const bootFile = "/proc/sys/kernel/random/boot_id"

// thisBoot is "" where that is not known.
func thisBoot() string {
	text, err := os.ReadFile(bootFile)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}

// dropUnsound removes the file if the machine may have gone down while it was open.
func dropUnsound(path string) error {
	note, err := os.ReadFile(notePath(path))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if boot := thisBoot(); err == nil && boot != "" && string(note) == boot {
		return nil
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// markOpen makes the note. It must be on the disk before the file changes.
func markOpen(path string) error {
	file, err := os.Create(notePath(path))
	if err != nil {
		return err
	}
	_, err = file.WriteString(thisBoot())
	return errors.Join(err, file.Sync(), file.Close())
}

// markClosed removes the note: the file was synced.
func markClosed(path string) error { return os.Remove(notePath(path)) }
