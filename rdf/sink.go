package rdf

import (
	"errors"

	"laundromat/internal/fault"
)

// Sink is what statements and findings flow into.
//
// A reader calls both methods from one goroutine, in document order. The quad and its terms are valid
// only until Quad returns; a sink that keeps them copies them. A sink may change the quad, also in
// place, before it passes it on. So a reader must not rely on a quad or on the bytes of its terms
// after the call. A sink must not write into those bytes (it points the term at its own).
//
// An error from Quad ends the reading; the reader returns it as a *SinkError.
type Sink interface {
	// Quad takes a statement, which is valid until Quad returns.
	Quad(*Quad) error
	// Notice takes a finding. One Notice with Severity Drop is given for each
	// statement that is lost (Lost 1), next to notices for its further faults (Lost 0).
	Notice(fault.Notice)
}

// LineSink is a Sink to which a reader of lines can give many at once. Those that are clean already come as
// they are, others as a judge made them.
type LineSink interface {
	Sink
	// Judge returns a judge of statements, which is used from one goroutine. Those of several calls
	// are used at once, also at the same time as the sink. nil means that there is none.
	Judge() LineJudge
	// Lines takes n statements that were found Sound in place of calls of Quad: their canonical lines, each
	// with its line end. The text is valid until Lines returns.
	Lines(text []byte, n int) error
	// Cleaned takes what a judge made of statements, in place of calls of Quad. It is valid until
	// Cleaned returns.
	Cleaned(*CleanedLines) error
}

// GatheringSink is a Sink that passes statements on together, where a reader says that only such come that may wait.
type GatheringSink interface {
	Sink
	// Gather says that statements may wait up to the next call of Release. The reader gives no notice before.
	Gather()
	// Release passes on what waits. An error of it ends the reading as one of Quad does.
	Release() error
}

// LineJudge judges statements apart from its sink.
type LineJudge interface {
	// Judge says what the sink would make of a statement. spelled says that the text has it on a line
	// that is canonical. The statement may be changed.
	Judge(q *Quad, spelled bool, to *CleanedLines) Verdict
}

// Verdict is what a LineJudge says of a statement.
type Verdict uint8

const (
	// Unjudged statements must be given to the sink.
	Unjudged Verdict = iota
	// Sound says that the line in the text is all that the sink would make of it. There is no finding and no change.
	Sound
	// Cleaned says that all that the sink would make of it was added to the CleanedLines.
	Cleaned
)

// CleanedLines are what became of statements: lines, and notices in order.
type CleanedLines struct {
	Text            []byte // lines with their ends
	Lines, Repaired int    // how many, and how many of these are of statements that were mended
	Keyed           bool   // there is a place for a key in them
	Notices         []fault.Notice
	// Place is called before a notice may come of a statement. It fills in the places of its terms.
	Place func(*Quad)
}

// SinkError says that not the document but what its statements flow into failed:
// the disk, most often.
type SinkError struct{ Err error }

// Error is the message of the cause.
func (e *SinkError) Error() string { return e.Err.Error() }

// Unwrap is the cause, which the sink returned.
func (e *SinkError) Unwrap() error { return e.Err }

// Blame says whose fault an error of a reader is. It is that of the sink (fault.Local or what its
// error says), or of the source of the text (the kind that its error carries). Else it is the
// document's (fault.Data).
func Blame(err error) fault.Kind {
	kind := fault.KindOf(err)
	var sink *SinkError
	switch {
	case kind != fault.Unknown:
		return kind
	case errors.As(err, &sink):
		return fault.Local
	default:
		return fault.Data
	}
}

// Input is what every reader is given.
type Input struct {
	// Base is the absolute IRI that relative ones are resolved against until the
	// document sets its own; "" if there is none.
	Base string
	// BaseIsFile says that Base is only the place of the file on this machine: the
	// first relative IRI resolved against it gives one warning iri/relative.
	BaseIsFile bool
	// BaseUsed, if it is not nil, is set to true once anything is made with Base, or may have been.
	// Where it stays false, any other Base that is not "" gives the same statements and findings.
	BaseUsed *bool
	// Around, if it is not nil, is what the document in XML says that the text is a part of.
	// Readers of other than XML do not look at it.
	Around *Around
	// Prefix, if it is not nil, is told each prefix that the document itself declares, and the IRI that it
	// stands for. It is called on the goroutine of the reader; both are valid until it returns.
	Prefix func(name, iri []byte)
	// Edits asks for the edits of repairs, as far as readers know them ([fault.Notice.Edits]).
	Edits bool
}

// DeclarePrefix tells of a prefix that the document declares.
func (in *Input) DeclarePrefix(name, iri []byte) {
	if in.Prefix != nil {
		in.Prefix(name, iri)
	}
}

// UseBase notes that something is made with Base.
func (in *Input) UseBase() {
	if in.BaseUsed != nil {
		*in.BaseUsed = true
	}
}
