package storage

import "fmt"

// Misuse says that what was asked for does not go together with the folder, or with itself.
type Misuse struct{ err error }

func (m *Misuse) Error() string { return m.err.Error() }
func (m *Misuse) Unwrap() error { return m.err }

func misuse(format string, args ...any) error { return &Misuse{fmt.Errorf(format, args...)} }

// AtWorkError says that a daemon works in the folder.
type AtWorkError struct{ err error }

func (a *AtWorkError) Error() string { return a.err.Error() }
func (a *AtWorkError) Unwrap() error { return a.err }
