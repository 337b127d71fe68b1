//go:build !unix

package main

import "runtime"

// peakMemory is the memory that the process has from the system, in bytes: the
// nearest figure to a peak that there is here.
func peakMemory() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.Sys)
}
