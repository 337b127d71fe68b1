package records

import "laundromat/internal/fault"

// Header is what a table says of its columns.
type Header struct {
	// Labels are the texts of the header row, as they are written; blank ones and labels
	// that come twice included.
	Labels []string
	// Names are what the records of the table call the fields of these columns.
	Names []string
	// Places are where the labels begin; empty where that is not known.
	Places []fault.Pos
	// Pos is where the header row begins.
	Pos             fault.Pos
	Document, Table string
}

// HeaderSink is a Sink that wants to know the header of a table. A reader that knows one
// gives it before the first record of the table. A sink between that renames fields gives
// none.
type HeaderSink interface {
	Sink
	// Header takes the header, which is valid until Header returns.
	Header(*Header)
}
