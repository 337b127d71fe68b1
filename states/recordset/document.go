package recordset

import (
	"context"
	"errors"

	"laundromat/internal/fault"
	"laundromat/rdf/format"
	"laundromat/records"
	"laundromat/records/csvw"
	"laundromat/records/extract"
	"laundromat/records/job"
	"laundromat/states"
	"laundromat/states/inputs"
	"laundromat/states/kind"
)

// document reads the records of one document.
func (r *Run) document(ctx context.Context, x *states.Text) error {
	r.notice = x.Notice
	known, err := r.look(ctx, x)
	if err != nil {
		return err
	}
	doc := job.Document{Accessed: r.Accessed, Document: extract.Document{Name: x.Name, FileName: x.FileName,
		MediaType: x.ContentType, Text: x.Text, Known: known}}
	if !x.BaseIsFile {
		doc.URL = x.Base
	}
	if r.Job.Source().URL != "" && doc.URL == "" {
		doc.URL = r.Job.Source().URL
	}
	if r.Log != nil {
		doc.Text = r.Log.source(&doc)
	}
	release, err := openRaw(ctx, x, &doc.Document)
	if err != nil {
		return err
	}
	defer release()
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
	if r.Metadata == "" {
		x.Counts, err = r.reading.Document(ctx, doc, x.Notice)
	} else {
		x.Counts, err = r.byMetadata(ctx, x, doc)
	}
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

// openRaw opens the bytes of a document that is no text, until what it returns is called.
func openRaw(ctx context.Context, x *states.Text, doc *extract.Document) (release func(), err error) {
	if x.Text != nil {
		return func() {}, nil
	}
	raw, err := x.Raw(ctx)
	if err != nil {
		return nil, err
	}
	doc.Raw, doc.Size = raw, raw.Size()
	return func() { raw.Close() }, nil
}

// look finds what a document is, and refuses what is no table, tree or page. What the spec says is believed. So is what
// the name of a document in a format of RDF says.
func (r *Run) look(ctx context.Context, x *states.Text) (known string, err error) {
	if x.Text == nil || r.Job.Source().Format != "" {
		return "", nil
	}
	is := x.Kind(ctx)
	switch {
	case is == "", is.Form(kind.Statements) != kind.Not && extract.Knows(x.FileName, x.ContentType):
		return "", nil
	case is == kind.Text && extract.IsPrinted(ctx, x.Decoded, x.Whole):
		return "csv", nil
	case is.Extract() == "" || is == kind.Kind(format.RDFXML) || is == kind.Kind(format.TriX):
		if where := is.Elsewhere(kind.Records); where != "" {
			return "", fault.New("records", fault.Data, fault.RecordFormat, "no table, tree or page: it is %s; %s", is, where)
		}
		return "", fault.New("records", fault.Data, fault.RecordFormat, "no table, tree or page: it is %s", is)
	}
	return is.Extract(), nil
}

// byMetadata reads a table by the metadata that was named for it.
func (r *Run) byMetadata(ctx context.Context, x *states.Text, doc job.Document) (counts records.Counts, err error) {
	table := &Described{In: csvw.Resource{URL: x.Base}, Options: csvw.Options{Alone: true, First: []string{r.Metadata},
		Usual: func(context.Context, string) (bool, error) { return false, nil },
		Load: func(ctx context.Context, url, encoding string) (*csvw.Resource, error) {
			return r.Described.Load(ctx, url, encoding, !inputs.IsWeb(r.Metadata))
		}}}
	if r.Described.Opener.IsFile(x.Name) {
		table.In.Place = inputs.FileIRI(x.Name)
	}
	if err := table.Find(ctx, x.Notice); err != nil {
		return counts, err
	}
	if !table.IsFound() {
		return counts, fault.New("records", fault.Data, fault.CSVWNotDescribed, "the metadata %s does not describe it", r.Metadata)
	}
	opt := r.Job.Options()
	return table.Records(ctx, doc, opt, &noticingSink{Sink: r.out, notice: x.Notice})
}

// noticingSink is a sink whose findings are those of a document.
type noticingSink struct {
	records.Sink
	notice func(fault.Notice)
}

// Notice takes a finding.
func (s *noticingSink) Notice(n fault.Notice) { s.notice(n) }
