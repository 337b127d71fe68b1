package recordset

import (
	"context"
	"errors"

	"laundromat/internal/fault"
	"laundromat/rdf/format"
	"laundromat/records"
	"laundromat/records/extract"
	"laundromat/records/job"
	"laundromat/states"
)

// document reads the records of one document.
func (r *Run) document(ctx context.Context, x *states.Text) error {
	r.notice = x.Notice
	if err := r.refuse(ctx, x); err != nil {
		return err
	}
	doc := job.Document{Accessed: r.Accessed, Document: extract.Document{Name: x.Name, FileName: x.FileName,
		MediaType: x.ContentType, Text: x.Text}}
	if !x.BaseIsFile {
		doc.URL = x.Base
	}
	if r.Job.Source().URL != "" && doc.URL == "" {
		doc.URL = r.Job.Source().URL
	}
	if r.Log != nil {
		doc.Text = r.Log.source(&doc)
	}
	if x.Text == nil {
		raw, err := x.Raw(ctx)
		if err != nil {
			return err
		}
		defer raw.Close()
		doc.Raw, doc.Size = raw, raw.Size()
	}
	format, _, err := doc.Format(r.Job.Source())
	if x.Format = format; err != nil {
		return err
	}
	if x.Text == nil && !extract.ReadsBytes(x.Format) {
		return fault.New("records", fault.Data, fault.RecordFormat, "it is a package of an office program, and is to be read as %s",
			x.Format)
	}
	to, isTold := r.out.(documentOutput)
	if isTold {
		if err := to.Begin(x.Name, func() (string, error) { return x.Key(ctx) }); err != nil {
			return &records.SinkError{Err: err}
		}
	}
	x.Counts, err = r.reading.Document(ctx, doc, x.Notice)
	if isTold {
		var failed error
		x.Statements, failed = to.End()
		err = errors.Join(err, failed)
	}
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
func (r *Run) refuse(ctx context.Context, x *states.Text) error {
	if x.Text == nil {
		return nil
	}
	if r.Job.Source().Format != "" || extract.Knows(x.FileName, x.ContentType) {
		return nil
	}
	switch found := format.Guess(x.Decoded, x.Whole, x.ContentType, x.FileName).Try(ctx, x.Decoded, x.Whole); found.Format {
	case format.NTriples, format.NQuads, format.Turtle, format.TriG, format.N3, format.RDFXML, format.TriX:
		return fault.New("records", fault.Data, fault.RecordFormat, "no table, tree or page: it is %s, which \"laundromat wash\" reads",
			found.Format)
	}
	return nil
}
