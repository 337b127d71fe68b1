package states

import (
	"bytes"
	"context"

	"laundromat/internal/digest"
	"laundromat/internal/linesort"
	"laundromat/rdf/clean"
)

// LineWriter takes the lines of an output, without their ends.
type LineWriter interface {
	// Line adds a line, which is valid until Line returns.
	Line([]byte) error
	Close() error // completes the output
	Abort()       // leaves no output; a no-op after Close
}

// linesWriter is a LineWriter that takes many lines at once, as linesort.Sorter.WriteLines gives them.
type linesWriter interface {
	Lines(text []byte, ends, shared []int, release func()) error
}

// eachLine makes a linesWriter of a LineWriter.
type eachLine struct{ LineWriter }

func (w eachLine) Lines(text []byte, ends, _ []int, release func()) error {
	defer release()
	from := 0
	for _, end := range ends {
		if err := w.Line(text[from : end-1]); err != nil {
			return err
		}
		from = end
	}
	return nil
}

// textWriter is a LineWriter that needs no look at each line.
type textWriter interface {
	// Text takes whole lines with their ends, which are valid until it returns.
	Text([]byte) error
}

// Sorted is a Target that sorts the lines of all documents together and writes
// each once, when all are in.
type Sorted struct {
	// Watch sees the lines as they are written, as linesort.Sorter.WriteLines gives them; it may be nil.
	Watch func(text []byte, ends, shared []int)

	sorter    *linesort.Sorter
	open      func() (LineWriter, error)
	documents []sorted // there may be a million
}

// sorted is what is held of a document until the lines are written.
type sorted struct {
	key        string
	statements *digest.Statements // nil if nobody asks for them
}

// NewSorted makes a Sorted whose output is opened only when there is something to
// write.
func NewSorted(sort linesort.Options, open func() (LineWriter, error)) *Sorted {
	return &Sorted{sorter: linesort.New(sort), open: open}
}

// Immediate is false: lines are held back until Finish.
func (s *Sorted) Immediate() bool { return false }

// Joins is true.
func (s *Sorted) Joins() bool { return true }

// Document begins a document.
func (s *Sorted) Document(string, func() (string, error)) (DocumentTarget, error) {
	s.documents = append(s.documents, sorted{})
	return &sortedDocument{of: s, number: len(s.documents) - 1}, nil
}

type sortedDocument struct {
	of     *Sorted
	number int
}

func (d *sortedDocument) Lines(text []byte, _ int) error { return d.of.sorter.AddLines(d.number, text) }

func (d *sortedDocument) Void() { d.of.sorter.Discard(d.number) }

func (d *sortedDocument) Done(_ context.Context, key string, statements *digest.Statements) error {
	d.of.documents[d.number] = sorted{key, statements}
	return nil
}

// Finish sorts, writes, and counts for each document how many of its lines were duplicates.
func (s *Sorted) Finish(ctx context.Context) (digest.Statements, error) {
	out, err := s.open()
	if err != nil {
		return digest.Statements{}, err
	}
	defer out.Abort()
	key := func(document int) string { return s.documents[document].key }
	var stats linesort.Stats
	if many, ok := out.(linesWriter); ok || s.Watch != nil {
		if !ok {
			many = eachLine{out}
		}
		stats, err = s.sorter.WriteLines(ctx, key, func(text []byte, ends, shared []int, release func()) error {
			if s.Watch != nil {
				s.Watch(text, ends, shared)
			}
			return many.Lines(text, ends, shared, release)
		})
	} else {
		stats, err = s.sorter.Write(ctx, key, out.Line)
	}
	if err != nil {
		return digest.Statements{}, err
	}
	if err := out.Close(); err != nil {
		return digest.Statements{}, err
	}
	for n, d := range s.documents {
		if d.statements != nil && n < len(stats.PerDocument) {
			d.statements.Duplicates = stats.PerDocument[n]
			d.statements.Written -= stats.PerDocument[n]
		}
	}
	return digest.Statements{Duplicates: stats.Duplicates, Written: stats.Lines}, nil
}

// Close removes temporary files.
func (s *Sorted) Close() error { return s.sorter.Close() }

// Unsorted is a Target that writes lines in document order as they come.
type Unsorted struct {
	open    func() (LineWriter, error)
	out     LineWriter
	written int64
	buffer  []byte
}

// NewUnsorted makes an Unsorted whose output is opened with its first document.
func NewUnsorted(open func() (LineWriter, error)) *Unsorted {
	return &Unsorted{open: open}
}

// Immediate is true.
func (u *Unsorted) Immediate() bool { return true }

// Joins is true.
func (u *Unsorted) Joins() bool { return true }

// Document begins a document.
func (u *Unsorted) Document(_ string, key func() (string, error)) (DocumentTarget, error) {
	return &unsortedDocument{of: u, findKey: key}, u.ready()
}

func (u *Unsorted) ready() (err error) {
	if u.out == nil {
		u.out, err = u.open()
	}
	return err
}

type unsortedDocument struct {
	of      *Unsorted
	findKey func() (string, error)
	key     string // "" until a line needs it
}

func (d *unsortedDocument) Lines(text []byte, n int) (err error) {
	if bytes.IndexByte(text, clean.Key) >= 0 {
		if d.key == "" {
			if d.key, err = d.findKey(); err != nil {
				return err
			}
		}
		d.of.buffer = clean.AppendWithKey(d.of.buffer[:0], text, d.key)
		text = d.of.buffer
	}
	d.of.written += int64(n)
	if whole, ok := d.of.out.(textWriter); ok {
		return whole.Text(text)
	}
	return clean.EachLine(d.of.out.Line)(text, n)
}

func (d *unsortedDocument) Void() {}

func (d *unsortedDocument) Done(context.Context, string, *digest.Statements) error { return nil }

// Finish completes the output.
func (u *Unsorted) Finish(context.Context) (digest.Statements, error) {
	if err := u.ready(); err != nil {
		return digest.Statements{}, err
	}
	return digest.Statements{Written: u.written}, u.out.Close()
}

// Close gives up an output that is not finished.
func (u *Unsorted) Close() error {
	if u.out != nil {
		u.out.Abort()
	}
	return nil
}

// Separate is a Target that gives each document an output, and a Target, of its own.
type Separate struct {
	// Make makes the target of the document of that name.
	Make func(name string) Target
	// Unsorted says that these are immediate; all are of one kind.
	Unsorted bool

	at   Target
	sums digest.Statements
}

// Immediate is that of the targets it makes.
func (s *Separate) Immediate() bool { return s.Unsorted }

// Joins is false.
func (s *Separate) Joins() bool { return false }

// Document begins a document and its output.
func (s *Separate) Document(name string, key func() (string, error)) (DocumentTarget, error) {
	if s.at != nil {
		s.at.Close()
	}
	s.at = s.Make(name)
	to, err := s.at.Document(name, key)
	return &separateDocument{DocumentTarget: to, of: s}, err
}

type separateDocument struct {
	DocumentTarget
	of *Separate
}

func (d *separateDocument) Done(ctx context.Context, key string, statements *digest.Statements) error {
	if err := d.DocumentTarget.Done(ctx, key, statements); err != nil {
		return err
	}
	sums, err := d.of.at.Finish(ctx)
	if err != nil {
		return err
	}
	d.of.sums.Duplicates += sums.Duplicates
	d.of.sums.Written += sums.Written
	err = d.of.at.Close()
	d.of.at = nil
	return err
}

// Finish returns the sums; the outputs are written already.
func (s *Separate) Finish(context.Context) (digest.Statements, error) { return s.sums, nil }

// Close closes the target at work.
func (s *Separate) Close() error {
	if s.at == nil {
		return nil
	}
	err := s.at.Close()
	s.at = nil
	return err
}
