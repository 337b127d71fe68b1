//go:build !unix

package process

import "time"

// Own is the processor time that the benchmark itself has taken so far; 0 where that is
// not known.
func Own() time.Duration { return 0 }
