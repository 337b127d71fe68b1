package states

import (
	"context"
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"io"

	"laundromat/archive"
	"laundromat/internal/fault"
	"laundromat/report"
)

// Washer washes inputs one after another, without a store. It unarchives, guesses and parses each
// document with the functions that the daemon uses, and gives the lines to a Target.
type Washer struct {
	Settings
	Given  Given
	Target Target
	// Each is given every document, container and failed input when it is done; nil if nobody asks.
	Each func(*report.Document)
	// Progress is given how far the document at work is read; nil if nobody asks.
	Progress func(name string, bytes, size, statements, notices int64)
	// Samples is how many notices of each code a document's report holds.
	Samples int
	// Quoted says that the samples of reports are given the text around them, for
	// which each document is read once more.
	Quoted bool
	// Diffs is given the repairs of each document, as edits of its source; nil if nobody asks.
	// Documents that have any are read again for them.
	Diffs *Diffs
	// Unlisted says that nobody asks for a report again once Each had it. It is not completed with
	// the duplicates that are found later, and not held for that.
	Unlisted bool
	// Unmeasured says that nobody asks for the hashes of documents: a report's Content
	// then has their lengths alone.
	Unmeasured bool
}

// Input is one thing to wash.
type Input struct {
	Name        string // as people know it: the FILE or URL as given, "-" for standard input
	FileName    string // its name for the sake of the extension
	Source      archive.Source
	ContentType string
	Links       []string // the values of the Link headers of the reply
	// Status is that of the reply of HTTP which a crawler stored with it; 0 if none was.
	Status int
	// Codings are those of the content that a server named, in the order in which they were applied.
	Codings    []string
	Base       string
	BaseIsFile bool
	// Key is the KEY of the input's blank nodes; "" for the MD5 of its bytes after its filters.
	Key string
	// Notices were found before, in fetching it.
	Notices []fault.Notice
}

// Several says that more than one document may come. Where they flow into one output, labels of
// blank nodes that are kept carry their document's KEY. It is called before the first Wash; a
// container calls it by itself.
func (w *Washer) Several() { w.Clean.JoinedDocuments = w.Target.Joins() }

// SpoolMemory is how many bytes of an archive's entry are held in memory; a longer
// one is held in a temporary file.
const SpoolMemory = 1 << 20

// Wash washes one input and all documents in it. An error means that the run must
// stop: the target failed, or ctx ended. What was wrong with a document, or an
// input as a whole, goes to Each.
func (w *Washer) Wash(ctx context.Context, in Input) error {
	return w.walk().input(ctx, in, w.Limits)
}

// walk is the way of the Washer through an input.
func (w *Washer) walk() *walk {
	return &walk{
		temp: w.Temp, samples: w.Samples, keyed: true, document: w.washDocument, several: w.Several, each: w.each,
		account: func(d *report.Document, found *Findings) { d.Statements = found.Statements(0, 0) },
	}
}

func (w *Washer) settle(ctx context.Context, found *Findings, stage string, err error) error {
	return w.walk().settle(ctx, found, stage, err)
}

func (w *Washer) each(d *report.Document) {
	if w.Each != nil {
		w.Each(d)
	}
}

// keyOf is the MD5 of what open opens, after its filters. With an error it is that of
// what came before.
func keyOf(ctx context.Context, open func(context.Context) (io.ReadCloser, error)) (string, error) {
	r, err := open(ctx)
	if err != nil {
		return "", err
	}
	defer r.Close()
	hash := md5.New()
	if _, err = io.Copy(hash, WithContext(ctx, r)); err != nil {
		err = fmt.Errorf("read for its key: %w", err)
	}
	return hex.EncodeToString(hash.Sum(nil)), err
}
