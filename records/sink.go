package records

import (
	"errors"

	"laundromat/internal/fault"
)

// Sink is what records and findings flow into.
//
// A reader calls both methods from one goroutine, in document order. The record and its
// slices are valid only until Record returns; a sink that keeps it clones it. Strings may
// be kept. A sink may change the record, also in place, before it passes it on.
//
// The accounts hold for the whole chain. A record read is passed on, or it is lost with one
// Notice of severity Drop and Lost 1. So read = kept + repaired + dropped.
type Sink interface {
	// Record takes a record. An error ends the reading; it speaks of what the record
	// flows into (a disk), never of the document.
	Record(*Record) error
	// Notice takes a finding. One Notice with severity Drop and Lost 1 is given for each
	// record that is lost. Notices for its further faults have Lost 0.
	Notice(fault.Notice)
}

// ErrLost is returned by a sink that did not take a record, of which it has given the one Notice of
// severity Drop and Lost 1. The reading goes on.
var ErrLost = errors.New("the record is lost")

// Flusher is a Sink that holds records back until it knows more, as a check of foreign
// keys does. Flush is called once, at the end of the last document.
type Flusher interface {
	Sink
	// Flush passes on what is held back. An error is that of the sink, as for Record.
	Flush() error
}

// SinkError says that not the document but what its records flow into failed: the disk,
// most often.
type SinkError struct{ Err error }

// Error is the message of the cause.
func (e *SinkError) Error() string { return e.Err.Error() }

// Unwrap is the cause, which the sink returned.
func (e *SinkError) Unwrap() error { return e.Err }

// Counts are the accounts of a document's records, or of a run's:
// Read = Kept + Repaired + Dropped, Written = Kept + Repaired.
type Counts struct {
	Read     int64 `json:"read"`
	Kept     int64 `json:"kept"`
	Repaired int64 `json:"repaired"`
	Dropped  int64 `json:"dropped"`
	Written  int64 `json:"written"`
}

// Add adds the counts of another document.
func (c *Counts) Add(d Counts) {
	c.Read += d.Read
	c.Kept += d.Kept
	c.Repaired += d.Repaired
	c.Dropped += d.Dropped
	c.Written += d.Written
}
