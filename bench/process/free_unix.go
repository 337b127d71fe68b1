//go:build linux || darwin || freebsd

package process

import "golang.org/x/sys/unix"

// Free is how many bytes the file system of a folder has left; -1 where that is not known.
func Free(folder string) int64 {
	var fs unix.Statfs_t
	if unix.Statfs(folder, &fs) != nil {
		return -1
	}
	return int64(fs.Bavail) * int64(fs.Bsize)
}
