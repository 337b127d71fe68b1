// Package fault holds the two words for trouble, which are never mixed:
//
//   - an [Error] means that the work of a stage stopped; it has a [Kind], and the
//     kind alone decides what becomes of the seed;
//   - a [Notice] is a finding in the data; it has a [Code] and a [Pos], it is
//     counted, and the work goes on.
//
// It also holds the one table of all codes, which explains each to a publisher.
package fault

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"
)

// Error says that the work of a stage stopped. It is made where the kind is
// known; above that place plain wrapping with %w is enough.
type Error struct {
	Op   string // the operation, as package.Function
	Kind Kind
	Code Code
	Err  error // the cause; its text is the message people read

	// After is how long to wait before another try; 0 if nothing says. The remote side asked for
	// that (Retry-After), or the turn of its host comes then.
	After time.Duration
	// Stack is the stack of a panic; only set with Kind Bug.
	Stack string
}

// Error is the message of the cause, or the code where there is none.
func (e *Error) Error() string {
	switch {
	case e.Err == nil:
		return string(e.Code)
	default:
		return e.Err.Error()
	}
}

// Unwrap is the cause; nil if there is none.
func (e *Error) Unwrap() error { return e.Err }

// New makes an Error whose message is formatted like fmt.Errorf, %w included.
func New(op string, kind Kind, code Code, format string, args ...any) *Error {
	return &Error{Op: op, Kind: kind, Code: code, Err: fmt.Errorf(format, args...)}
}

// Kind says whose trouble an Error is. Kinds are stored in records by name:
// names may be added, never changed.
type Kind uint8

// The kinds, and what becomes of a seed whose work ended so.
const (
	Unknown Kind = iota // of a stored name that this version does not know
	Remote              // the other side, for now: retried with back-off
	Refused             // the other side, for good: failed at once
	Data                // the document: failed
	Limit               // a limit of ours that the document reached: failed
	Local               // our disk, memory, descriptors: given back, costs no try
	Stopped             // we were asked to stop: given back
	Bug                 // a panic: failed, with the stack
)

var kindNames = [...]string{"unknown", "remote", "refused", "data", "limit", "local", "stopped", "bug"}

// String is the name by which the kind is stored.
func (k Kind) String() string { return kindNames[k] }

// MarshalText writes the stored name.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads the stored name; a name it does not know becomes Unknown.
func (k *Kind) UnmarshalText(text []byte) error {
	*k = Unknown
	for i, name := range kindNames {
		if name == string(text) {
			*k = Kind(i)
		}
	}
	return nil
}

// localErrnos are what an operating system says when the trouble is this machine's.
var localErrnos = []syscall.Errno{
	syscall.ENOSPC, syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM,
	syscall.EIO, syscall.EROFS, syscall.EACCES, syscall.EPERM, syscall.EPIPE,
}

// KindOf finds the kind of err: that of the outermost Error in its chain. Without one it is Stopped
// for a cancelled context, Local for what the operating system refused, else Unknown.
func KindOf(err error) Kind {
	if err == nil {
		return Unknown
	}
	var e *Error
	if errors.As(err, &e) && e.Kind != Unknown {
		return e.Kind
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return Stopped
	}
	for _, errno := range localErrnos {
		if errors.Is(err, errno) {
			return Local
		}
	}
	var pathError *os.PathError
	if errors.As(err, &pathError) {
		return Local
	}
	return Unknown
}

// CodeOf finds the code of the outermost Error in err's chain; "" if there is none.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}
