//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package bolt

import (
	"errors"
	"os"
	"syscall"
	"time"

	berrors "go.etcd.io/bbolt/errors"
)

// lockFile takes the lock that the library would take, for as long as the file is open. It waits
// as long as that would.
func lockFile(file *os.File, alone bool, wait time.Duration) error {
	how := syscall.LOCK_SH
	if alone {
		how = syscall.LOCK_EX
	}
	for begin := time.Now(); ; time.Sleep(lockPause) {
		err := syscall.Flock(int(file.Fd()), how|syscall.LOCK_NB)
		switch {
		case err == nil:
			return nil
		case errors.Is(err, syscall.EINTR):
		case !errors.Is(err, syscall.EWOULDBLOCK):
			return err
		case time.Since(begin) > wait:
			return berrors.ErrTimeout
		}
	}
}

// abandon unlocks and closes a file whose memory map stays, and with it what was opened.
func abandon(file *os.File) error {
	return errors.Join(syscall.Flock(int(file.Fd()), syscall.LOCK_UN), file.Close())
}
