package states

import (
	"fmt"
	"runtime/debug"

	"laundromat/internal/fault"
)

// Safely calls work and turns a panic into an error of kind fault.Bug with its
// stack: one bad document must not stop the wash. Nothing else recovers.
func Safely(work func() error) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = &fault.Error{
				Op: "states.safely", Kind: fault.Bug, Code: fault.BugPanic,
				Err:   fmt.Errorf("a fault of Laundromat itself: %v", cause),
				Stack: string(debug.Stack()),
			}
		}
	}()
	return work()
}
