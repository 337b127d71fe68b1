package disk

import (
	"os"

	"golang.org/x/sys/unix"
)

// Reserve takes room for a stretch of a file, whose size it does not change. What it returns wraps
// ENOSPC only if there is no room.
func Reserve(file *os.File, offset, length int64) error {
	for {
		if err := unix.Fallocate(int(file.Fd()), unix.FALLOC_FL_KEEP_SIZE, offset, length); err != unix.EINTR {
			return err
		}
	}
}

// Free is how many bytes there are left for us where dir lies.
func Free(dir string) (int64, error) {
	var fs unix.Statfs_t
	if err := unix.Statfs(dir, &fs); err != nil {
		return 0, err
	}
	return int64(fs.Bavail) * int64(fs.Bsize), nil
}
