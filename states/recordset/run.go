// Package recordset makes records of tables, trees and pages, packed or not, as a spec says. It does for records
// what [states.Washer] does for statements.
//
//	run := recordset.New(recordset.Options{Job: compiled, Each: show})
//	err := run.Start(out)                            // what the records flow into
//	err = run.Read(ctx, []string{"table.csv"}, &inputs.Opener{})
//	err = run.Finish(ctx)                            // completes out
package recordset

import (
	"context"
	"time"

	"laundromat/internal/digest"
	"laundromat/internal/fault"
	"laundromat/records"
	"laundromat/records/job"
	"laundromat/report"
	"laundromat/states"
	"laundromat/states/inputs"
)

// Options say how records are made.
type Options struct {
	states.Settings              // those of unpacking
	Given           states.Given // Encoding and ContentType
	Job             *job.Job
	Accessed        time.Time // when the inputs were fetched
	// OutputName is what findings about the output as a whole are listed under.
	OutputName string
	// KeepsOld says that the output takes the place of an older one. That stays if there is nothing worth its
	// place: no record came of the inputs, and something was lost.
	KeepsOld bool
	// Each is given every document, container and failed input when it is done, and the output if there are
	// findings about it.
	Each func(*report.Document)
	// Progress is given how far the document at work is read; nil if nobody asks.
	Progress func(name string, bytes, size, records, notices int64)
	Samples  int  // how many notices of each code the report of a document holds
	Measured bool // the hashes of documents are asked for
	Log      *Log // nil if nobody asks for one
	// Metadata is the URL of the metadata document by which tables are read; "" for none. Described opens it.
	Metadata  string
	Described *inputs.DescribedTables
}

// Output is what the records of a run flow into.
type Output interface {
	records.Sink
	Close() error // when all is read
}

// Run reads inputs one after another into an output.
type Run struct {
	Options
	out     Output
	reading *job.Run
	// notice takes what is found in writing: for the document at hand, or behind all of them.
	notice func(fault.Notice)

	written int64 // records so far
	wanting bool  // something was lost, or a document ended in an error
}

// New makes a Run.
func New(o Options) *Run { return &Run{Options: o, notice: func(fault.Notice) {}} }

// Notice takes what the output finds in writing.
func (r *Run) Notice(n fault.Notice) { r.notice(n) }

// Start begins to write to out, which is left to the caller if the run fails.
func (r *Run) Start(out Output) (err error) {
	r.out = out
	r.reading, err = r.Job.Start(out)
	return err
}

// Read reads all inputs of these names. An error of the output is a *records.SinkError.
func (r *Run) Read(ctx context.Context, names []string, opener *inputs.Opener) error {
	reader := &states.TextReader{
		Settings: r.Settings, Given: r.Given, Look: refuseBinary, Read: r.document, Each: r.each,
		Progress: r.Progress, Samples: r.Samples, Measured: r.Measured,
	}
	for _, name := range names {
		if err := opener.With(ctx, name, reader.Input, r.each); err != nil {
			return err
		}
	}
	return nil
}

// Finish completes the output.
func (r *Run) Finish(ctx context.Context) error {
	behind := report.NewCollector(r.OutputName, r.Samples)
	r.notice = behind.Notice
	if err := r.reading.Close(); err != nil {
		return err
	}
	var late digest.Statements // of records that were held back until now
	if to, isTold := r.out.(documentOutput); isTold {
		var err error
		if late, err = to.End(); err != nil {
			return err
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if r.KeepsOld && r.written == 0 && r.wanting {
		behind.Notice(fault.Notice{Code: fault.RecordOutputKept, Severity: fault.Warning,
			Message: "nothing is written, since no record was found; the former output stays (--allow-empty writes it all the same)"})
	} else if err := r.out.Close(); err != nil {
		return err
	}
	if behind.Count() > 0 || late.Read > 0 {
		d := behind.Document()
		d.Statements = late
		d.Output = true
		r.each(d)
	}
	return nil
}

func (r *Run) each(d *report.Document) {
	if d.Records != nil {
		r.written += d.Records.Written
		r.wanting = r.wanting || d.Records.Dropped > 0
	}
	r.wanting = r.wanting || d.Error != nil
	r.Each(d)
	if r.Log != nil {
		r.Log.document(d)
	}
}
