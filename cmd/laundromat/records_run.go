package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"time"

	"laundromat/internal/fault"
	"laundromat/rdf/format"
	"laundromat/records"
	"laundromat/records/dump"
	"laundromat/records/extract"
	"laundromat/records/job"
	"laundromat/records/spec"
	"laundromat/report"
	"laundromat/states"
	"laundromat/states/inputs"
)

// recordsRun is one run of records.
type recordsRun struct {
	ui      *ui
	options *recordsOptions
	inputs  *inputs.Opener
	spec    *spec.Spec
	job     *job.Job
	reading *job.Run
	further *inputs.FurtherPages
	// notice takes what is found in writing: for the document at hand, or behind all of them.
	notice func(fault.Notice)

	whole     report.Report
	documents []*report.Document
	unlisted  bool // nobody asks for a list of the documents once their findings are written
	showing   report.Showing
	bar       *bar

	written int64 // records so far
	wanting bool  // something was lost, or a document ended in an error

	output recordsOutput // in place of files; nil for those
	log    *runLog       // nil if nobody asks for one
}

// recordsOutput is what the records of a run flow into.
type recordsOutput interface {
	records.Sink
	Close() error // when all is read
	Abort()       // does nothing behind Close
}

// run reads all inputs, completes the outputs, and says what became of it.
func (r *recordsRun) run(ctx context.Context, files []dump.File, args []string) error {
	start := time.Now()
	debug.SetMemoryLimit(min(r.options.memory*9/10, r.options.memory-programMemory))
	r.bar = r.ui.newBar(r.options.output)
	defer r.bar.stop()
	if err := r.read(ctx, files, args); err != nil {
		return err
	}
	r.bar.stop()
	return conclude(r.ui, &r.options.washOptions, &r.whole, r.documents, start)
}

// read reads all inputs into the outputs, which take their names when all is read.
func (r *recordsRun) read(ctx context.Context, files []dump.File, args []string) (err error) {
	r.whole.Records = &records.Counts{}
	r.notice = func(fault.Notice) {}
	opt := r.options.dumping(r.job, files)
	opt.Notices = func(n fault.Notice) { r.notice(n) }
	opt.Stopped = ctx.Err
	out := r.output
	if out == nil {
		if out, err = dump.Open(opt); err != nil {
			return err
		}
	}
	defer out.Abort()
	if r.reading, err = r.job.Start(out); err != nil {
		return err
	}
	r.tellFindings()
	reader := r.reader()
	for _, arg := range args {
		if err := r.inputs.With(ctx, arg, reader.Input, withAdvice(r.each)); err != nil {
			return written(err)
		}
	}
	r.bar.say("writing")
	behind := report.NewCollector(outputName(files), r.options.samples)
	r.notice = behind.Notice
	if err := r.reading.Close(); err != nil {
		return written(err)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if r.keepsOld(files) {
		behind.Notice(fault.Notice{Code: fault.RecordOutputKept, Severity: fault.Warning,
			Message: "nothing is written, since no record was found; what was there stays (--allow-empty writes it all the same)"})
	} else if err := out.Close(); err != nil {
		return err
	}
	if behind.Count() > 0 {
		d := behind.Document()
		d.Output = true
		r.each(d)
	}
	return nil
}

// keepsOld says that there is nothing worth the name of the outputs: no record came of what was read, and something
// was lost. The outputs of an earlier run are better than none.
func (r *recordsRun) keepsOld(files []dump.File) bool {
	return r.output == nil && files[0].Path != "" && r.written == 0 && r.wanting && !r.options.allowEmpty
}

// written says of an error of the outputs that it is theirs.
func written(err error) error {
	var failed *records.SinkError
	if errors.As(err, &failed) {
		return fmt.Errorf("write the output: %w", failed.Err)
	}
	return err
}

// tellFindings tells what is doubtful in the spec itself.
func (r *recordsRun) tellFindings() {
	if r.ui.quiet {
		return
	}
	for _, f := range r.job.Findings() {
		collector := report.NewCollector(f.File, 0)
		collector.Notice(f.Notice)
		report.WriteFindings(r.ui.err, collector.Document(), coloured(r.ui.err))
	}
}

func (r *recordsRun) each(d *report.Document) {
	if d.Records != nil {
		r.written += d.Records.Written
		r.wanting = r.wanting || d.Records.Dropped > 0
	}
	r.wanting = r.wanting || d.Error != nil
	if r.log != nil {
		r.log.document(d)
	}
	if !r.ui.quiet {
		r.bar.aside(func(w io.Writer) { r.showing.Write(w, d, coloured(r.ui.err)) })
	}
	if r.unlisted {
		r.whole.Count(d)
		return
	}
	r.documents = append(r.documents, d)
}

// reader goes through the inputs.
func (r *recordsRun) reader() *states.TextReader {
	return &states.TextReader{
		Settings: r.options.reading(), Given: r.options.given, Look: refuseBinary, Read: r.document, Each: r.each,
		Progress: r.bar.progress, Samples: r.options.samples, Measured: r.options.report != "",
	}
}

// document reads the records of one document.
func (r *recordsRun) document(ctx context.Context, x *states.Text) error {
	r.notice = x.Notice
	if err := r.refuse(ctx, x); err != nil {
		return err
	}
	doc := job.Document{Accessed: r.options.accessed.Time, Document: extract.Document{Name: x.Name, FileName: x.FileName,
		MediaType: x.ContentType, Text: x.Text}}
	if !x.BaseIsFile {
		doc.URL = x.Base
	}
	if r.job.Source().URL != "" && doc.URL == "" {
		doc.URL = r.job.Source().URL
	}
	if r.log != nil {
		doc.Text = r.log.source(&doc)
	}
	if x.Text == nil {
		raw, err := x.Raw(ctx)
		if err != nil {
			return err
		}
		defer raw.Close()
		doc.Raw, doc.Size = raw, raw.Size()
	}
	var err error
	if x.Format, _, err = doc.Format(r.job.Source()); err != nil {
		return err
	}
	if x.Text == nil && !extract.ReadsBytes(x.Format) {
		return fault.New("records", fault.Data, fault.RecordFormat, "it is a package of an office program, and is to be read as %s",
			x.Format)
	}
	x.Counts, err = r.reading.Document(ctx, doc, x.Notice)
	return err
}

// refuseBinary refuses bytes that are no text.
func refuseBinary(head []byte) error {
	if err := extract.Foreign(head); err != nil {
		return err
	}
	if found := format.GuessBytes(head); found.NotRDF != "" {
		return fault.New("records", fault.Data, fault.RecordFormat, "no table, tree or page: it is %s", found.NotRDF)
	}
	return nil
}

// refuse refuses a text that is no table, tree or page. What the spec or a name says is believed.
func (r *recordsRun) refuse(ctx context.Context, x *states.Text) error {
	if x.Text == nil {
		return nil
	}
	if r.job.Source().Format != "" || extract.Knows(x.FileName, x.ContentType) {
		return nil
	}
	switch found := format.Guess(x.Decoded, x.Whole, x.ContentType, x.FileName).Try(ctx, x.Decoded, x.Whole); found.Format {
	case format.NTriples, format.NQuads, format.Turtle, format.TriG, format.N3, format.RDFXML, format.TriX:
		return fault.New("records", fault.Data, fault.RecordFormat, "no table, tree or page: it is %s, which \"laundromat wash\" reads",
			found.Format)
	}
	return nil
}
