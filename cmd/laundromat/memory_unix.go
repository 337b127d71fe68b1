//go:build unix

package main

import (
	"runtime"
	"syscall"
)

// peakMemory is the most memory that the process held resident, in bytes.
func peakMemory() int64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return usage.Maxrss // in bytes there
	}
	return usage.Maxrss * 1024
}
