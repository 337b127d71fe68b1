package main

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// forget takes a file out of the page cache, what is not yet written of it first of all
// written (posix_fadvise(2), POSIX_FADV_DONTNEED).
func forget(file *os.File) error {
	return errors.Join(file.Sync(), unix.Fadvise(int(file.Fd()), 0, 0, unix.FADV_DONTNEED))
}
