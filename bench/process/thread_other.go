//go:build !linux

package process

import "time"

// Thread is the processor time that the thread has taken so far: a goroutine that is locked to it measures itself
// by it, whatever else is at work. It is 0 where that is not known.
func Thread() time.Duration { return 0 }
