//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package bolt

import (
	"os"
	"time"
)

// lockFile leaves the lock to the library, which takes it a moment later.
func lockFile(*os.File, bool, time.Duration) error { return nil }

// abandon closes a file whose memory map stays.
func abandon(file *os.File) error { return file.Close() }
