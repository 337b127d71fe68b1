// Package washing washes inputs one after another into one target, and sums up what became of their documents.
//
//	run := washing.Run{Washer: states.Washer{Target: target, Each: show}}
//	err := run.Read(ctx, []string{"data.ttl"}, &inputs.Opener{})
//	err = run.Finish(ctx) // completes the target, and run.Report
package washing

import (
	"context"

	"laundromat/internal/fault"
	"laundromat/report"
	"laundromat/states"
	"laundromat/states/inputs"
	"laundromat/states/outputs"
)

// Run is one run. With Unlisted, its report counts documents, and lists none.
type Run struct {
	states.Washer
	Outputs *outputs.Maker // the maker of the target; nil where no statements are written
	InPlace bool           // each input is written in the form that its own name says
	// MostErrors ends the reading once so many errors were met: statements dropped, and documents that ended in
	// one. A document is read to its end all the same. 0 means no bound.
	MostErrors int64

	Report report.Report
	// Met is how many errors were met, and Unread how many inputs were left for that.
	Met    int64
	Unread int
	// IsStopped says that the reading ended at MostErrors.
	IsStopped bool

	// documents are those of the report; their duplicates may only be known when all are sorted.
	documents []*report.Document
	each      func(*report.Document)
	stop      context.CancelFunc
}

// Read washes all inputs of these names. An error means that the run must end.
func (r *Run) Read(ctx context.Context, names []string, opener *inputs.Opener) error {
	r.each, r.Washer.Each = r.Washer.Each, r.document
	if len(names) > 1 {
		r.Several()
	}
	reading, stop := context.WithCancel(ctx)
	defer stop()
	r.stop = stop
	for i, name := range names {
		if r.InPlace {
			own, _ := outputs.FormOf(name)
			r.Clean.Output = own.CleanOutput()
		}
		err := opener.With(reading, name, r.Wash, r.Washer.Each)
		if r.IsStopped && ctx.Err() == nil {
			r.Unread = len(names) - i - 1
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// document counts a document that is done. What is no RDF is no error: a readme beside data is usual.
func (r *Run) document(d *report.Document) {
	r.Met += d.Statements.Dropped
	if d.Error != nil && d.Error.Code != fault.FormatNotRDF {
		r.Met++
	}
	if r.MostErrors > 0 && r.Met >= r.MostErrors && !r.IsStopped {
		r.IsStopped = true
		r.stop()
	}
	if r.Outputs != nil {
		if written := r.Outputs.Written(); d.Error == nil {
			d.WrittenTo = written
		}
	}
	if r.each != nil {
		r.each(d)
	}
	if r.Unlisted {
		r.Report.Count(d)
		return
	}
	r.documents = append(r.documents, d)
}

// Finish completes the target and the report. It does not close the target.
func (r *Run) Finish(ctx context.Context) error {
	sums, err := r.Target.Finish(ctx)
	if err != nil {
		return err
	}
	for _, d := range r.documents {
		r.Report.Documents = append(r.Report.Documents, *d)
		r.Report.Statements.Add(d.Statements)
		r.Report.Sources.Add(d.Sources)
	}
	r.Report.Statements.Duplicates, r.Report.Statements.Written = sums.Duplicates, sums.Written
	r.Report.SamplesEach = r.Samples
	return nil
}
