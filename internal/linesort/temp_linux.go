package linesort

import (
	"bytes"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// createTemp makes a file without a name, so that nothing is left of it however the
// process ends.
func createTemp(dir string) (tempFile, error) {
	fd, err := unix.Open(dir, unix.O_TMPFILE|unix.O_RDWR|unix.O_CLOEXEC, 0o600)
	if err == nil {
		return os.NewFile(uintptr(fd), dir+"/(sort)"), nil
	}
	// Not every file system can; the trouble of one that could is reported below.
	file, err := os.CreateTemp(dir, tempPattern)
	if err != nil {
		return nil, err
	}
	if err := os.Remove(file.Name()); err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

// discard gives the whole blocks of a stretch back to the file system. It is only
// a courtesy: where it fails, the space is free when the file is closed.
func discard(file *os.File, offset, length int64) {
	const block = 4096
	end := (offset + length) / block * block
	start := (offset + block - 1) / block * block
	if end > start {
		unix.Fallocate(int(file.Fd()), unix.FALLOC_FL_PUNCH_HOLE|unix.FALLOC_FL_KEEP_SIZE, start, end-start)
	}
}

// writeParts writes parts one after the other to a file, from offset at on, and returns how much of them was written.
// They may become shorter.
func writeParts(file tempFile, parts [][]byte, at int64) (written int64, err error) {
	f, ok := file.(*os.File)
	if !ok {
		n, err := file.WriteAt(bytes.Join(parts, nil), at)
		return int64(n), err
	}
	for len(parts) > 0 {
		n, err := unix.Pwritev(int(f.Fd()), parts[:min(len(parts), mostParts)], at+written)
		switch {
		case err == unix.EINTR:
			continue
		case err == nil && n == 0:
			err = io.ErrShortWrite
		}
		if err != nil {
			return written, &os.PathError{Op: "write", Path: f.Name(), Err: err}
		}
		for written += int64(n); len(parts) > 0 && n >= len(parts[0]); parts = parts[1:] {
			n -= len(parts[0])
		}
		if n > 0 {
			parts[0] = parts[0][n:]
		}
	}
	return written, nil
}

// mostParts is how many parts Linux takes at once (UIO_MAXIOV).
const mostParts = 1024
