// Package states holds the pure stages of a wash: guessing, proving, parsing, and the whole wash of
// an input.
//
// Each is a function of one document, without a store and without seeds. Washer calls them
// one after another, for the commands wash and check. Package states/daemon calls the same
// functions for the seeds of a list.
package states

import (
	"context"
	"io"

	"laundromat/internal/fault"
)

// Document is one stream of bytes that may hold RDF (a leaf: not an archive), and
// what is known of it before it is read.
type Document struct {
	// Name is what people see of it: URI-or-FILE!/entry!/entry.
	Name string
	// Open gives a fresh stream of the document's bytes, after its filters. It is
	// called once for each time that the document is read.
	Open func(context.Context) (io.ReadCloser, error)
	// Size is the length of that stream in bytes; -1 if it is not known.
	Size int64
	// ContentType is what a server said of it; "" if none did.
	ContentType string
	// Links are the values of the Link headers of its reply.
	Links []string
	// Status is that of the reply of HTTP which a crawler stored with it; 0 if none was.
	Status int
	// FileName is its name for the sake of the extension: the path of its URI, the
	// file's name or the entry's.
	FileName string
	// Base is the IRI that relative ones are resolved against; BaseIsFile says that
	// it is only the file's place on this machine.
	Base       string
	BaseIsFile bool
}

// Given is what the user says of every document, which no guess overrules.
type Given struct {
	Format      string // a name, media type or extension; "" to guess
	Encoding    string // "" to guess
	ContentType string // in the place of the server's
}

// Bytes opens the document; the error's kind says whose trouble it is. The caller closes it.
func (d *Document) Bytes(ctx context.Context) (io.ReadCloser, error) {
	r, err := d.Open(ctx)
	if err != nil {
		if fault.KindOf(err) == fault.Unknown {
			err = &fault.Error{Op: "states.open", Kind: fault.Data, Code: fault.ArchiveCorrupt, Err: err}
		}
		return nil, err
	}
	return r, nil
}
