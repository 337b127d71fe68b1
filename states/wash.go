package states

import (
	"context"
	"crypto/md5"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"laundromat/archive"
	"laundromat/encoding"
	"laundromat/internal/content"
	"laundromat/internal/fault"
	"laundromat/internal/report"
	"laundromat/internal/rfc3986"
	"laundromat/rdf/clean"
)

// Washer washes inputs one after another, without a store: it unarchives, guesses
// and parses each document with the functions that the daemon uses, and gives
// what comes of it to a Target.
type Washer struct {
	Settings
	Given  Given
	Target Target
	// Each is given every document, container and failed input when it is done; nil if nobody asks.
	Each func(*report.Document)
	// Progress is told of the document at work; nil if nobody asks.
	Progress func(name string, bytes, size, statements, notices int64)
	// Samples is how many notices of each code a document's report holds.
	Samples int
	// Quoted says that the samples of reports are given the text around them, for
	// which each document is read once more.
	Quoted bool
	// Diffs is given the repairs of each document, as edits of its source, for which the
	// documents that have any are read again; nil if nobody asks.
	Diffs *Diffs
	// Unlisted says that nobody asks for a report again once Each had it: it is not completed
	// with the duplicates that are found later, and not held for that.
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
	// Codings are those of the content that a server named, in the order in which they were applied.
	Codings    []string
	Base       string
	BaseIsFile bool
	// Key is the KEY of the input's blank nodes; "" for the MD5 of its bytes after its filters.
	Key string
	// Notices were found before, in fetching it.
	Notices []fault.Notice
}

// Several says that more than one document may come: where they flow into one
// output, labels of blank nodes that are kept carry their document's KEY. It is
// called before the first Wash; a container calls it by itself.
func (w *Washer) Several() { w.Clean.JoinedDocuments = w.Target.Joins() }

// SpoolMemory is how many bytes of an archive's entry are held in memory; a longer
// one is held in a temporary file.
const SpoolMemory = 1 << 20

// Wash washes one input and all documents in it. An error means that the run must
// stop: the target failed, or ctx ended. What was wrong with a document, or an
// input as a whole, goes to Each.
func (w *Washer) Wash(ctx context.Context, in Input) error {
	return w.walk(ctx, in, w.Limits)
}

func (w *Washer) walk(ctx context.Context, in Input, limits archive.Limits) error {
	found := NewFindings(func() *report.Collector { return report.NewCollector(in.Name, w.Samples) })
	for _, n := range in.Notices {
		found.Layer(n)
	}
	var opened *archive.Opened
	err := Safely(func() (err error) {
		opened, err = archive.OpenCoded(ctx, in.Source, in.FileName, in.Codings, limits, found.Layer)
		return err
	})
	if err != nil {
		return w.settle(ctx, found, "unarchiving", err)
	}
	defer opened.Close()
	if opened.Format == "" {
		return w.washDocument(ctx, in, opened, found)
	}
	found.ReadOnce()
	w.Several()
	if in.Key == "" {
		in.Key, err = keyOf(ctx, opened.Reader)
		if err != nil && fault.KindOf(err) != fault.Limit { // which the entries reach again, and that tells it
			return w.settle(ctx, found, "unarchiving", err)
		}
	}
	inner := opened.Inside()
	var stop error
	empty := true
	err = Safely(func() error {
		return opened.Entries(ctx, func(entry archive.Entry, r io.Reader) error {
			empty = false
			stop = w.washEntry(ctx, in, entry, r, inner)
			return stop
		})
	})
	if stop != nil && fault.CodeOf(stop) != fault.LimitArchiveRatio {
		return stop
	}
	if empty && err == nil && found.Collector.Count() == 0 {
		found.Layer(fault.Notice{Code: fault.FormatEmpty, Severity: fault.Note, Message: "no files in the archive"})
	}
	return w.settle(ctx, found, "unarchiving", err)
}

func (w *Washer) washEntry(ctx context.Context, in Input, entry archive.Entry, r io.Reader, limits archive.Limits) error {
	name := in.Name + "!/" + rfc3986.MaskUserinfo(entry.Shown())
	spooled, err := archive.Spool(ctx, r, w.Temp, SpoolMemory)
	if fault.CodeOf(err) == fault.LimitArchiveRatio {
		return err // the archive tells it, and whether it goes on
	}
	if err != nil {
		found := NewFindings(func() *report.Collector { return report.NewCollector(name, w.Samples) })
		return w.settle(ctx, found, "unarchiving", blamed(err))
	}
	defer spooled.Close()
	child := Input{
		Name:     name,
		FileName: entry.Name,
		Source:   spooled,
		Base:     in.Base, BaseIsFile: in.BaseIsFile,
		ContentType: entry.ContentType,
		Key:         content.EntryKey(in.Key, entry.Name, entry.Number),
	}
	if entry.URI != "" {
		child.FileName, child.Base, child.BaseIsFile = FileNameIn(entry.URI), entry.URI, false
	}
	return w.walk(ctx, child, limits)
}

func (w *Washer) washDocument(ctx context.Context, in Input, opened *archive.Opened, found *Findings) error {
	d := Document{
		Name:        in.Name,
		FileName:    opened.InnerName(in.FileName),
		Open:        opened.Reader,
		Size:        in.Source.Size(),
		ContentType: in.ContentType,
		Base:        in.Base,
		BaseIsFile:  in.BaseIsFile,
	}
	if len(opened.Filters) > 0 {
		d.Size = -1
		d.ReadAhead(found)
	}
	var guessed Guessed
	err := Safely(func() (err error) {
		guessed, err = Guess(ctx, d, w.Given)
		return err
	})
	if err != nil {
		return w.settle(ctx, found, "guessing", err)
	}

	opt := ParseOptions{Settings: w.Settings}
	if w.Unmeasured {
		opt.Hashes = ForKey
		if in.Key != "" || w.Target.Immediate() {
			opt.Hashes = ForNothing
		}
	}
	key := in.Key
	if w.Target.Immediate() {
		var md5 string
		err := Safely(func() (err error) {
			guessed, md5, err = Prove(ctx, d, guessed, opt)
			return err
		})
		if err != nil {
			return w.settle(ctx, found, "parsing", err)
		}
		if key == "" {
			key = md5
		}
	}
	findKey := func() (_ string, err error) {
		if key == "" {
			key, err = keyOf(ctx, d.Open)
		}
		return key, err
	}
	var target DocumentTarget
	diffing := w.newDiffing()
	defer diffing.close()
	out := Output{Begin: func() (_ clean.Lines, _ func(fault.Notice), err error) {
		if target != nil {
			target.Void()
		}
		if target, err = w.Target.Document(in.Name, findKey); err != nil {
			return nil, nil, &targetError{err}
		}
		line, notice := diffing.begin(func(text []byte, n int) error {
			if err := target.Lines(text, n); err != nil {
				return &targetError{err}
			}
			return nil
		}, found.Again().Notice)
		return line, notice, nil
	}}
	if w.Progress != nil {
		out.Progress = func(bytes, statements int64) { w.Progress(in.Name, bytes, d.Size, statements, found.Collector.Count()) }
	}
	var parsed Reading
	err = Safely(func() (err error) {
		parsed, err = Parse(ctx, d, guessed, opt, out)
		return err
	})
	if err == nil {
		err = Safely(func() error { return diffing.write(ctx, d, guessed, parsed, opt) })
	}
	if err == nil {
		return w.finish(ctx, in, d, found, target, parsed, findKey)
	}
	if target != nil && !w.Target.Immediate() {
		target.Void()
	}
	return w.settle(ctx, found, "parsing", err)
}

// finish hands a document that was read whole to the target and to Each.
func (w *Washer) finish(ctx context.Context, in Input, d Document, found *Findings, target DocumentTarget, parsed Reading, findKey func() (string, error)) (err error) {
	key := in.Key
	if key == "" {
		key = parsed.Bytes.MD5
	}
	if key == "" && parsed.Statements.Keyed {
		if key, err = findKey(); err != nil {
			return w.settle(ctx, found, "parsing", err)
		}
	}
	bytes := content.Content{NumberOfBytes: in.Source.Size()}
	if !w.Unmeasured {
		if bytes, err = contentOf(ctx, in.Source, d.Size >= 0, parsed); err != nil {
			return w.settle(ctx, found, "parsing", err)
		}
	}
	document := found.Collector.Document()
	document.Format = string(parsed.Format)
	document.Encoding = parsed.Encoding.Name
	document.Base = d.Base
	document.Content = &bytes
	document.Text = &parsed.Text
	if w.Quoted {
		if err := quote(ctx, &d, parsed, document); err != nil {
			return w.settle(ctx, found, "parsing", err)
		}
	}
	document.Statements = found.Statements(parsed.Statements.Kept, parsed.Statements.Repaired)
	document.Sources = parsed.PageSources(document.Statements.Read)
	if !parsed.Statements.Keyed {
		key = ""
	}
	statements := &document.Statements
	if w.Unlisted {
		statements = nil
	}
	if err := target.Done(ctx, key, statements); err != nil {
		return &targetError{err}
	}
	w.each(document)
	return nil
}

// quote reads a document again for the text around its samples.
func quote(ctx context.Context, d *Document, parsed Reading, document *report.Document) error {
	if len(document.Samples) == 0 {
		return nil
	}
	raw, err := d.Bytes(ctx)
	if err != nil {
		return err
	}
	defer raw.Close()
	text, err := encoding.NewReader(WithContext(ctx, raw), parsed.Encoding.Name, encoding.Options{Tolerate: true, Undouble: parsed.Encoding.Doubled})
	if err != nil {
		return err
	}
	return blamed(document.Quote(text))
}

// settle reports a document, or a container, that ended with err (nil for a
// container that was read whole). It returns an error only if the run must stop.
func (w *Washer) settle(ctx context.Context, found *Findings, stage string, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var sink *targetError
	if errors.As(err, &sink) {
		return err
	}
	document := found.Collector.Document()
	if err == nil && len(document.Notices) == 0 {
		return nil
	}
	document.Statements = found.Statements(0, 0)
	if err != nil {
		document.Error = &report.DocumentError{
			Stage: stage, Kind: fault.KindOf(err).String(), Code: fault.CodeOf(err), Message: err.Error(),
		}
	}
	w.each(document)
	return nil
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

// contentOf measures the bytes of src as they came, which were read already if they
// are plain, without filters; the counts of text are added where src is the text
// itself.
func contentOf(ctx context.Context, src archive.Source, plain bool, parsed Reading) (content.Content, error) {
	measured := parsed.Bytes
	if !plain {
		hasher := content.NewHasher()
		if _, err := io.Copy(hasher, WithContext(ctx, io.NewSectionReader(src, 0, src.Size()))); err != nil {
			return content.Content{}, err
		}
		measured = hasher.Content()
	}
	if measured.MD5 == parsed.Bytes.MD5 && parsed.Text.NumberOfBytes == measured.NumberOfBytes {
		measured.Newline = parsed.Text.Newline
		measured.NumberOfChars = &parsed.Text.NumberOfChars
		measured.NumberOfLines = &parsed.Text.NumberOfLines
	}
	return measured, nil
}
