//go:build unix

package socket

import (
	"errors"
	"syscall"
)

// isRefused says that nobody listens at a socket that is there.
func isRefused(err error) bool { return errors.Is(err, syscall.ECONNREFUSED) }
