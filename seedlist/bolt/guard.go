package bolt

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"laundromat/seedlist"
)

// bbolt reads its file through a memory map, and panics where a page is not what it must be.
// Where the file ends too early, the processor faults. Both are trouble of the file, and become
// errors here, at the boundary of the package. A panic of any other origin goes on: it is ours.

// pageMet is the place of a page that the library met.
const pageMet = "a page"

// guarded calls work, and returns what the file is found to be damaged by in it as a
// [*seedlist.Damage].
func guarded(list string, work func() error) (err error) {
	was := debug.SetPanicOnFault(true)
	defer debug.SetPanicOnFault(was)
	defer func() {
		if cause := recover(); cause != nil {
			why, isOfFile := faultOfFile(cause)
			if !isOfFile {
				panic(cause)
			}
			err = &seedlist.Damage{List: list, Place: pageMet, Why: why}
		}
	}()
	return work()
}

// faultOfFile says what a panic says of the file; false if it says nothing of it. It is called
// by the deferred function that recovered.
func faultOfFile(cause any) (why string, is bool) {
	var fault interface{ Addr() uintptr }
	if err, ok := cause.(error); ok && errors.As(err, &fault) {
		return "can't be read: the file ends before it, or leads out of it", true
	}
	if !panickedIn("go.etcd.io/bbolt") {
		return "", false
	}
	text, _, _ := strings.Cut(fmt.Sprint(cause), "\n")
	return "is not what it must be (" + strings.TrimPrefix(text, "assertion failed: ") + ")", true
}

// panickedIn says that the function that panicked is of a package, or of one below it.
func panickedIn(path string) bool {
	calls := make([]uintptr, 64)
	frames := runtime.CallersFrames(calls[:runtime.Callers(2, calls)])
	for isBelow := false; ; {
		frame, more := frames.Next()
		switch {
		case frame.Function == "runtime.gopanic":
			isBelow = true
		case isBelow && !strings.HasPrefix(frame.Function, "runtime."):
			return strings.HasPrefix(frame.Function, path)
		}
		if !more {
			return false
		}
	}
}
