package socket

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// A daemon takes the seed list before it listens. Between the two seeds that were at work are given
// back, and temporary files are swept. Until it listens a file says that it will: so the
// other verbs wait for it, and do not call the list locked.

// StartingFile, in the folder that is served, holds the pid of a daemon that starts.
const StartingFile = "starting"

// Announce says to the other verbs that this process is about to serve dir; end takes that
// back. What a killed process leaves does no harm: only who finds the list held looks for it.
func Announce(dir string) (end func()) {
	path, own := filepath.Join(dir, StartingFile), strconv.Itoa(os.Getpid())
	if os.MkdirAll(dir, 0o700) != nil || os.WriteFile(path, []byte(own+"\n"), 0o600) != nil {
		return func() {} // what is wrong there is said by who needs the folder
	}
	return func() {
		if text, err := os.ReadFile(path); err == nil && strings.TrimSpace(string(text)) == own {
			os.Remove(path)
		}
	}
}

// IsStarting says that a daemon announced that it will serve dir, and does not listen yet.
func IsStarting(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, StartingFile))
	return err == nil
}
