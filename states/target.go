package states

import (
	"context"

	"laundromat/internal/digest"
)

// Target is where the clean lines of a wash go.
type Target interface {
	// Immediate says that lines leave at once: they can't be taken back, and the KEY
	// of their blank nodes must be known before the first.
	Immediate() bool
	// Joins says that all documents flow into one output.
	Joins() bool
	// Document begins a document; key finds its KEY, before Done gives it, for targets that are
	// immediate. The documents come one after another.
	Document(name string, key func() (string, error)) (DocumentTarget, error)
	// Finish writes what is still held back, and completes the statements' counts.
	Finish(ctx context.Context) (digest.Statements, error)
	// Close removes what is temporary; it may be called at any time, and again.
	Close() error
}

// DocumentTarget takes the lines of one document.
type DocumentTarget interface {
	// Lines takes text of n lines, each with its line end, in which clean.Key is in the place of
	// the KEY. It is valid until Lines returns.
	Lines(text []byte, n int) error
	// Void takes back all lines; an immediate target can't.
	Void()
	// Done ends the document. Its duplicates are known by Finish at the latest, which sets
	// statements.Duplicates and subtracts them from statements.Written. If nobody asks for them,
	// statements may be nil. If no line holds the key, it is "".
	Done(ctx context.Context, key string, statements *digest.Statements) error
}

// targetError says that the target failed, not the document.
type targetError struct{ err error }

func (e *targetError) Error() string { return e.err.Error() }
func (e *targetError) Unwrap() error { return e.err }
