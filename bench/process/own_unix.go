//go:build unix

package process

import (
	"syscall"
	"time"
)

// Own is the processor time that the benchmark itself has taken so far; 0 where that is
// not known.
func Own() time.Duration {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
