package states

import (
	"context"
	"io"

	"laundromat/archive"
	"laundromat/internal/digest"
	"laundromat/internal/fault"
	"laundromat/rdf/clean"
	"laundromat/report"
	"laundromat/states/kind"
)

// documentWash is the wash of one document that is no container.
type documentWash struct {
	washer   *Washer
	in       Input
	document Document
	found    *Findings
	opt      ParseOptions
	guessed  Guessed
	key      string         // the KEY of its blank nodes; "" until it is known
	target   DocumentTarget // of the last reading; nil before the first
	diffing  *diffing       // nil if nobody asks for the repairs
	reading  Reading        // the last
}

// washDocument washes what opened holds, step by step.
func (w *Washer) washDocument(ctx context.Context, in Input, opened *archive.Opened, found *Findings) error {
	d := &documentWash{washer: w, in: in, found: found, key: in.Key, diffing: w.newDiffing()}
	defer d.diffing.close()
	d.describe(opened)
	for _, step := range [...]struct {
		stage string
		do    func(context.Context) error
	}{
		{"guessing", d.guess},
		{"parsing", d.prove},
		{"parsing", d.parse},
		{"parsing", d.writeDiff},
	} {
		if err := Safely(func() error { return step.do(ctx) }); err != nil {
			d.void()
			return w.settle(ctx, found, step.stage, err)
		}
	}
	return d.finish(ctx)
}

// describe says what is known of the document before it is read, and how it is read.
func (d *documentWash) describe(opened *archive.Opened) {
	d.document = Document{
		Name:        d.in.Name,
		FileName:    opened.InnerName(d.in.FileName),
		Open:        opened.Reader,
		Size:        d.in.Source.Size(),
		ContentType: d.in.ContentType,
		Base:        d.in.Base,
		BaseIsFile:  d.in.BaseIsFile,
	}
	if len(opened.Filters) > 0 {
		d.document.Size = -1
		d.document.ReadAhead(d.found)
	}
	d.opt.Settings = d.washer.Settings
	d.opt.Edits = d.diffing != nil
	switch {
	case !d.washer.Unmeasured:
		d.opt.Hashes = ForRecord
	case d.in.Key == "" && !d.washer.Target.Immediate():
		d.opt.Hashes = ForKey
	}
}

// guess presumes encoding and format.
func (d *documentWash) guess(ctx context.Context) (err error) {
	d.guessed, err = Guess(ctx, d.document, d.washer.Given)
	return d.guessed.WithHint(err, d.guessed.Kind.Elsewhere(kind.Statements))
}

// prove settles what the lines depend on, where these leave at once.
func (d *documentWash) prove(ctx context.Context) (err error) {
	if !d.washer.Target.Immediate() {
		return nil
	}
	var md5 string
	d.guessed, md5, err = Prove(ctx, d.document, d.guessed, d.opt)
	if d.key == "" {
		d.key = md5
	}
	return err
}

// parse reads the document into the target.
func (d *documentWash) parse(ctx context.Context) (err error) {
	w := d.washer
	out := Output{Begin: func() (clean.Lines, func(fault.Notice), error) { return d.begin(ctx) }}
	if w.Progress != nil {
		out.Progress = func(bytes, statements int64) {
			w.Progress(d.in.Name, bytes, d.document.Size, statements, d.found.Collector.Count())
		}
	}
	d.reading, err = Parse(ctx, d.document, d.guessed, d.opt, out)
	return err
}

// begin begins a reading: what came of the one before is void.
func (d *documentWash) begin(ctx context.Context) (_ clean.Lines, _ func(fault.Notice), err error) {
	if d.target != nil {
		d.target.Void()
	}
	findKey := func() (string, error) { return d.findKey(ctx) }
	target, err := d.washer.Target.Document(d.in.Name, findKey)
	if d.target = target; err != nil {
		return nil, nil, &targetError{err}
	}
	lines, notice := d.diffing.begin(func(text []byte, n int) error {
		if err := target.Lines(text, n); err != nil {
			return &targetError{err}
		}
		return nil
	}, d.found.Again().Notice)
	return lines, notice, nil
}

// findKey is the KEY of the document's blank nodes, for which it is read if need be.
func (d *documentWash) findKey(ctx context.Context) (_ string, err error) {
	if d.key == "" {
		d.key, err = keyOf(ctx, d.document.Open)
	}
	return d.key, err
}

// writeDiff writes the repairs, if somebody asks for them.
func (d *documentWash) writeDiff(ctx context.Context) error {
	return d.diffing.write(ctx, d.document, d.guessed, d.reading, d.opt)
}

// void takes the lines back of a document that failed, where that can be done.
func (d *documentWash) void() {
	if d.target != nil && !d.washer.Target.Immediate() {
		d.target.Void()
	}
}

// finish hands a document that was read whole to the target and to Each.
func (d *documentWash) finish(ctx context.Context) error {
	w := d.washer
	document, err := d.report(ctx)
	if err == nil {
		err = d.completeKey(ctx)
	}
	if err != nil {
		return w.settle(ctx, d.found, "parsing", err)
	}
	statements := &document.Statements
	if w.Unlisted {
		statements = nil
	}
	if err := d.target.Done(ctx, d.key, statements); err != nil {
		return &targetError{err}
	}
	w.each(document)
	return nil
}

// completeKey finds the KEY if lines hold it, and forgets it if none does.
func (d *documentWash) completeKey(ctx context.Context) (err error) {
	switch {
	case !d.reading.Statements.Keyed:
		d.key = ""
	case d.key == "" && d.reading.Bytes.MD5 != "":
		d.key = d.reading.Bytes.MD5
	default:
		_, err = d.findKey(ctx)
	}
	return err
}

// report is the report of a document that was read whole.
func (d *documentWash) report(ctx context.Context) (_ *report.Document, err error) {
	reading := &d.reading
	bytes := digest.Content{NumberOfBytes: d.in.Source.Size()}
	if !d.washer.Unmeasured {
		if bytes, err = contentOf(ctx, d.in.Source, d.document.Size >= 0, *reading); err != nil {
			return nil, err
		}
	}
	document := d.found.Collector.Document()
	document.Format = string(reading.Format)
	document.Encoding = reading.Encoding.Name
	document.Base = d.document.Base
	document.Content = &bytes
	text := reading.Text // the report may be held longer than all else of the wash
	document.Text = &text
	if d.washer.Quoted {
		if err := d.quote(ctx, document); err != nil {
			return nil, err
		}
	}
	document.Statements = d.found.Statements(reading.Statements.Kept, reading.Statements.Repaired)
	document.Sources = reading.PageSources(document.Statements.Read)
	return document, nil
}

// quote reads the document again for the text around its samples.
func (d *documentWash) quote(ctx context.Context, document *report.Document) error {
	if len(document.Samples) == 0 {
		return nil
	}
	text, err := textOf(ctx, &d.document, d.reading.Encoding)
	if err != nil {
		return err
	}
	defer text.Close()
	return blamed(document.Quote(text))
}

// contentOf measures the bytes of src as they came, which were read already if they are clear,
// without filters. The counts of text are added where src is the text itself.
func contentOf(ctx context.Context, src archive.Source, plain bool, parsed Reading) (digest.Content, error) {
	measured := parsed.Bytes
	if !plain {
		hasher := digest.NewHasher()
		if _, err := io.Copy(hasher, WithContext(ctx, io.NewSectionReader(src, 0, src.Size()))); err != nil {
			return digest.Content{}, err
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
