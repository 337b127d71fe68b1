package daemon_test

import (
	"fmt"
	"syscall"
)

// mountSmall makes folder a disk of so many bytes; only a privileged user may.
func mountSmall(folder string, bytes int) error {
	return syscall.Mount("tmpfs", folder, "tmpfs", 0, fmt.Sprintf("size=%d", bytes))
}

func unmount(folder string) error { return syscall.Unmount(folder, syscall.MNT_DETACH) }
