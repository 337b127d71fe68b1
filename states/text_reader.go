package states

import (
	"bytes"
	"context"
	"errors"
	"io"

	"laundromat/archive"
	"laundromat/encoding"
	"laundromat/internal/digest"
	"laundromat/internal/fault"
	"laundromat/rdf/clean"
	"laundromat/rdf/format"
	"laundromat/records"
	"laundromat/report"
	"laundromat/states/kind"
)

// TextReader goes through inputs as Washer does, archives in archives, and gives the decoded text
// of each document to a function. It is for what reads documents that are no RDF.
type TextReader struct {
	Settings
	Given Given // Encoding and ContentType
	// Look looks at the head of a document's bytes, and refuses what is no text; nil if nobody asks.
	Look func(head []byte) error
	// Read reads a document. What flows from it into a sink that fails is a *records.SinkError,
	// which ends the run; other errors are those of the document.
	Read func(context.Context, *Text) error
	// Each is given every document, container and failed input when it is done.
	Each func(*report.Document)
	// Progress is given how far the document at work is read; nil if nobody asks.
	Progress func(name string, bytes, size, records, notices int64)
	// Samples is how many notices of each code a document's report holds.
	Samples int
	// Measured says that the hashes of documents are asked for.
	Measured bool
	// OfArticles says that documents are read for articles: these are counted, and Read is given empty documents too.
	OfArticles bool
	// ReadsBack says that Read itself reads back a text whose characters are there as several, and tells so.
	ReadsBack bool

	waiting orderedWork
}

// Text is a document whose encoding is known.
type Text struct {
	Document
	// Head is the beginning of its bytes, Decoded that in UTF-8, and Whole says that there is no more.
	Head, Decoded []byte
	Whole         bool
	// Text is the document in UTF-8, to be read once. It is nil where Raw is asked for.
	Text io.Reader
	// Notice takes findings about it.
	Notice func(fault.Notice)
	// Format is what Read found it to be, and Counts are what became of its records. Dropped ones
	// are also counted by the findings.
	Format string
	Counts records.Counts
	// Statements are what became of the statements that were made of its records.
	Statements digest.Statements
	// Articles are what became of its articles, where the reader is for those.
	Articles report.Articles

	work   func() error // see Later
	finish func() error
	reader *TextReader
	in     Input
	opened *archive.Opened
}

// Input reads one input and all documents in it. An error means that the run must stop. Work that is done later may
// still wait for its end: see Wait.
func (t *TextReader) Input(ctx context.Context, in Input) error {
	t.waiting.workers = t.Workers
	return t.walk().input(ctx, in, t.Limits)
}

// Wait waits for all work that is done later, and for its documents to be given to Each.
func (t *TextReader) Wait() error { return t.waiting.drainTo(0) }

// Report gives a document to Each, behind those that came before.
func (t *TextReader) Report(d *report.Document) {
	// An error is that of another document, and is given again by whoever adds work or waits.
	_ = t.waiting.add(nil, func(error) error {
		t.Each(d)
		return nil
	})
}

// Later puts work on a document off, which goes on beside the reading of the next ones. Work is done on some
// goroutine, then finish on that of the reader, in the order of the documents. Neither may use the reader's Text.
// An error of work is that of the document, and finish is not called; one of finish is as one of Read.
// Read must have read the document to its end.
func (x *Text) Later(work, finish func() error) { x.work, x.finish = work, finish }

// Wait waits for what was put off of the documents before.
func (x *Text) Wait() error { return x.reader.Wait() }

// Key is the KEY of the document: as given, else the MD5 of its bytes.
func (x *Text) Key(ctx context.Context) (string, error) {
	if x.in.Key != "" {
		return x.in.Key, nil
	}
	return keyOf(ctx, x.Bytes)
}

func (t *TextReader) walk() *walk {
	return &walk{
		temp: t.Temp, samples: t.Samples, document: t.document, several: func() {}, each: t.Report,
		keyed:   t.OfArticles,
		account: func(d *report.Document, found *Findings) { t.count(d, found, &Text{}) },
	}
}

// records are the counts of a document: what is lost in transport and layers is lost too.
func (f *Findings) records(c records.Counts) *records.Counts {
	c.Dropped = f.Collector.Lost()
	c.Read, c.Written = c.Kept+c.Repaired+c.Dropped, c.Kept+c.Repaired
	return &c
}

// document reads a document that is no container.
func (t *TextReader) document(ctx context.Context, in Input, opened *archive.Opened, found *Findings) error {
	text := &Text{reader: t, in: in, opened: opened, Notice: func(n fault.Notice) { found.Collector.Notice(n) }, Document: Document{
		Name: in.Name, FileName: opened.InnerName(in.FileName), Open: opened.Reader, Size: in.Source.Size(),
		ContentType: in.ContentType, Links: in.Links, Status: in.Status, Base: in.Base, BaseIsFile: in.BaseIsFile,
	}}
	if t.Given.ContentType != "" {
		text.ContentType = t.Given.ContentType
	}
	if len(opened.Filters) > 0 {
		text.Size = -1
		text.ReadAhead(found)
	}
	var reading Reading
	err := Safely(func() (err error) {
		reading, err = text.read(ctx, found)
		return err
	})
	if err != nil || text.work == nil {
		return t.waiting.add(nil, func(error) error { return t.settle(ctx, text, found, reading, err) })
	}
	return t.waiting.add(text.work, func(err error) error {
		if err == nil {
			err = text.finish()
		}
		return t.settle(ctx, text, found, reading, err)
	})
}

// settle reports a document that is done. An error means that the run must stop.
func (t *TextReader) settle(ctx context.Context, text *Text, found *Findings, reading Reading, err error) error {
	document := found.Collector.Document()
	document.Format, document.Encoding, document.Base = text.Format, reading.Encoding.Name, text.in.Base
	t.count(document, found, text)
	if reading.Bytes.MD5 != "" {
		document.Content = &reading.Bytes
	}
	if err == nil {
		document.Text = &reading.Text
		t.Each(document)
		return nil
	}
	walk := t.walk()
	walk.each = t.Each
	walk.account = func(d *report.Document, _ *Findings) {
		d.Statements = document.Statements
		d.Format, d.Encoding, d.Base, d.Records, d.Articles = document.Format, document.Encoding, document.Base, document.Records,
			document.Articles
	}
	return walk.settle(ctx, found, "parsing", blamedOnSink(err))
}

// count fills in what became of the records or articles of a document.
func (t *TextReader) count(d *report.Document, found *Findings, text *Text) {
	if t.OfArticles {
		d.Articles = &text.Articles
	} else {
		d.Records, d.Statements = found.records(text.Counts), text.Statements
	}
}

// blamedOnSink gives err the kind that blamed finds, unless a sink failed.
func blamedOnSink(err error) error {
	var sink *records.SinkError
	if errors.As(err, &sink) {
		return err
	}
	return blamed(err)
}

// read proves the encoding of a document, and has it read. The encoding is settled before, as
// records that left can't be taken back.
func (x *Text) read(ctx context.Context, found *Findings) (Reading, error) {
	presumed, err := x.presume(ctx)
	if err != nil {
		return Reading{}, err
	}
	if !x.isRaw() {
		if x.reader.Look != nil {
			if err := x.reader.Look(x.Head); err != nil {
				return Reading{}, err
			}
		}
		if presumed, _, err = prove(ctx, x.Document, presumed, ParseOptions{Settings: x.reader.Settings}); err != nil {
			return Reading{}, err
		}
	}
	raw, err := x.Bytes(ctx)
	if err != nil {
		return Reading{}, err
	}
	defer raw.Close()
	hashes := ForNothing
	if x.reader.Measured {
		hashes = ForRecord
	}
	hash := newHashing(hashes, nil)
	defer hash.end()
	watching := &watched{ctx: ctx, from: io.TeeReader(raw, hash), tally: &clean.Tally{}}
	if x.reader.Progress != nil {
		watching.tell = func(bytes, _ int64) {
			x.reader.Progress(x.Name, bytes, x.Size, x.Counts.Read, found.Collector.Count())
		}
	}
	if x.isRaw() {
		err := x.reader.Read(ctx, x)
		if err == nil && x.reader.Measured {
			_, err = io.Copy(io.Discard, watching)
		}
		return Reading{Bytes: hash.content()}, err
	}
	return x.decode(ctx, presumed, watching, hash)
}

// presume looks at the beginning of the document.
func (x *Text) presume(ctx context.Context) (Guessed, error) {
	presumed := Guessed{hints: encoding.Hints{ContentType: x.ContentType, Given: x.reader.Given.Encoding}}
	r, err := x.Bytes(ctx)
	if err != nil {
		return presumed, err
	}
	defer r.Close()
	if x.Head, x.Whole, err = headOf(r); err != nil {
		return presumed, err
	}
	presumed.Encoding, presumed.Notices = encoding.Presume(x.Head, presumed.hints)
	return presumed, nil
}

// decode has the text read, and tells what was found of its encoding.
func (x *Text) decode(ctx context.Context, proved Guessed, raw io.Reader, hash *hashing) (Reading, error) {
	reading := Reading{Encoding: proved.Encoding}
	var err error
	if x.Decoded, err = decodePrefix(x.Head, proved.Encoding.Name); err != nil {
		return reading, err
	}
	for _, n := range proved.Notices {
		x.Notice(n)
	}
	decoding, err := proved.decode(raw, x.Notice)
	if err != nil {
		return reading, err
	}
	x.Text = proved.withoutStrays(decoding.text, x.Notice)
	if x.Whole && len(bytes.TrimSpace(x.Decoded)) == 0 && !x.reader.OfArticles {
		x.Notice(fault.Notice{Code: fault.FormatEmpty, Severity: fault.Note, Message: "no records in the document"})
	} else if err = x.reader.Read(ctx, x); err != nil {
		return reading, err
	}
	// A reader may stop before the end; hashes and counts are of the whole.
	if _, err = io.Copy(io.Discard, x.Text); err != nil {
		return reading, err
	}
	reading.Text = decoding.finish(&proved, x.Notice, x.reader.ReadsBack)
	reading.Bytes = hash.content()
	return reading, nil
}

// Kind is what the document is, by the one guess that decides for all products.
func (x *Text) Kind(ctx context.Context) kind.Kind {
	if found := format.GuessBytes(x.Head); x.Text == nil || found.NotRDF != "" {
		return kind.OfBytes(found, x.Head, x.ContentType, x.FileName)
	}
	found := format.Guess(x.Decoded, x.Whole, x.ContentType, x.FileName).Try(ctx, x.Decoded, x.Whole)
	if found.Empty {
		return ""
	}
	return kind.Of(kind.Look{Found: found, Text: x.Decoded, MediaType: x.ContentType, FileName: x.FileName})
}

// isRaw says that the document is a package of an office program, which is read from its bytes.
func (x *Text) isRaw() bool { return bytes.HasPrefix(x.Head, []byte("PK\x03\x04")) }

// Raw is the bytes of the document; the caller closes it.
func (x *Text) Raw(ctx context.Context) (archive.SpooledSource, error) {
	if len(x.opened.Filters) == 0 {
		return unspooled{x.in.Source}, nil
	}
	r, err := x.Bytes(ctx)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return archive.Spool(ctx, r, x.reader.Temp, SpoolMemory)
}

// unspooled is a source that closes with its input.
type unspooled struct{ archive.Source }

func (unspooled) Close() error { return nil }
