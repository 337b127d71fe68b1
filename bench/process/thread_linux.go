package process

import (
	"syscall"
	"time"
)

// rusageThread asks for what the thread took (RUSAGE_THREAD of getrusage(2)).
const rusageThread = 1

// Thread is the processor time that the thread has taken so far: a goroutine that is locked to it measures itself
// by it, whatever else is at work. It is 0 where that is not known.
func Thread() time.Duration {
	var usage syscall.Rusage
	if syscall.Getrusage(rusageThread, &usage) != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
