package recordset

import (
	"context"
	"errors"
	"path/filepath"
	"strings"

	"laundromat/internal/digest"
	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/clean"
	"laundromat/records"
	"laundromat/records/csvw"
	"laundromat/records/extract"
	"laundromat/records/job"
	"laundromat/report"
	"laundromat/states"
	"laundromat/states/inputs"
)

// Tables makes clean statements of tables, by the metadata that describes them (W3C's tables on the web).
type Tables struct {
	Options
	CSVW      csvw.Options // of which Load, Guess and Notice are set here
	Source    *extract.Source
	Clean     clean.Options
	Target    states.Target
	Opener    *inputs.DescribedTables
	MaxMemory int64 // of what is held whole of a table
	// Sums are those of the run, once it is finished.
	Sums digest.Statements

	written int64 // rows so far
	wanting bool  // a document ended in an error
}

// Read reads all inputs of these names.
func (t *Tables) Read(ctx context.Context, names []string, opener *inputs.Opener) error {
	reader := &states.TextReader{Settings: t.Settings, Given: t.Given, Look: refuseBinary, Read: t.document, Each: t.each,
		Progress: t.Progress, Samples: t.Samples, Measured: t.Measured}
	for _, name := range names {
		if err := opener.With(ctx, name, reader.Input, t.each); err != nil {
			return err
		}
	}
	return nil
}

// Finish completes the output.
func (t *Tables) Finish(ctx context.Context) (err error) {
	if t.KeepsOld && t.written == 0 && t.wanting {
		behind := report.NewCollector(t.OutputName, t.Samples)
		behind.Notice(fault.Notice{Code: fault.RecordOutputKept, Severity: fault.Warning,
			Message: "nothing is written, since no row was read; the former output stays (--allow-empty writes it all the same)"})
		d := behind.Document()
		d.Output = true
		t.Each(d)
		return nil
	}
	t.Sums, err = t.Target.Finish(ctx)
	return err
}

func (t *Tables) each(d *report.Document) {
	if d.Records != nil {
		t.written += d.Records.Written
	}
	t.wanting = t.wanting || d.Error != nil
	t.Each(d)
	if t.Log != nil {
		t.Log.document(d)
	}
}

// document makes the statements of a document.
func (t *Tables) document(ctx context.Context, x *states.Text) error {
	doc := extract.Document{Name: x.Name, FileName: x.FileName, MediaType: x.ContentType, Text: x.Text}
	release, err := openRaw(ctx, x, &doc)
	if err != nil {
		return err
	}
	defer release()
	if t.Log != nil {
		logged := job.Document{Document: doc}
		if !x.BaseIsFile {
			logged.URL = x.Base
		}
		doc.Text = t.Log.source(&logged)
	}
	format, _, err := doc.Format(t.Source)
	if x.Format = format; err != nil {
		return err
	}
	isTable := format == "csv" || format == "tsv" || format == "xlsx" || format == "ods" || format == "fods" || format == "spreadsheetml"
	if !isTable && format != "json" {
		return fault.New("records", fault.Data, fault.RecordFormat, "it is read as %s, and only tables become statements by themselves: a "+
			"spec with the part rdf says which are made of other records", format)
	}
	in := &csvw.Resource{URL: x.Base, Text: doc.Text, Links: x.Links}
	local := t.Opener.Opener.IsFile(x.Name)
	if local {
		in.Place = inputs.FileIRI(x.Name)
	}
	if in.URL == "" {
		return fault.New("records", fault.Data, fault.RecordFormat,
			"a table on standard input has no URL, which its IRIs are made of: give it with --base")
	}
	lines, err := t.Target.Document(x.Name, func() (string, error) { return x.Key(ctx) })
	if err != nil {
		return &records.SinkError{Err: err}
	}
	opt := t.Clean
	opt.HasAnonymous = true
	converter := t.converter(x, doc, local)
	first, tally := clean.Chain(opt, lines.Lines, func(n fault.Notice) {
		n.Lost, n.Edits = 0, nil // no record is lost, and the tally counts statements
		x.Notice(converter.Placed(n))
	})
	if isTable {
		err = converter.Table(ctx, in, first)
	} else {
		err = converter.Metadata(ctx, in, first)
	}
	tally.Close()
	if err == nil && x.BaseIsFile {
		x.Notice(fault.Notice{Code: fault.IRIRelative, Severity: fault.Warning,
			Message: "the IRIs of the statements are made of the place of the file, <" + x.Base +
				">: give the URL of the table with --base"})
	}
	rows := converter.Rows()
	x.Counts = records.Counts{Read: rows, Kept: rows, Written: rows}
	x.Statements = digest.Statements{Read: tally.Read, Kept: tally.Kept, Repaired: tally.Repaired, Dropped: tally.Dropped,
		Written: tally.Kept + tally.Repaired}
	key := ""
	if tally.Keyed {
		var failed error
		key, failed = x.Key(ctx)
		err = errors.Join(err, failed)
	}
	var sink *rdf.SinkError
	if errors.As(err, &sink) {
		err = &records.SinkError{Err: sink.Err}
	}
	if failed := lines.Done(ctx, key, nil); failed != nil {
		return &records.SinkError{Err: failed}
	}
	return err
}

// converter makes one for a document.
func (t *Tables) converter(x *states.Text, doc extract.Document, local bool) *csvw.Converter {
	opt := t.CSVW
	opt.Notice = x.Notice
	opt.Load = func(ctx context.Context, url, encoding string) (*csvw.Resource, error) {
		if !local && opt.Overriding == "" && !inputs.IsWeb(x.Base) || !local && !inputs.IsWeb(x.Name) && url != opt.Overriding {
			return nil, csvw.ErrNotFound // a member of an archive, or standard input, is beside nothing
		}
		return t.Opener.Load(ctx, url, encoding, local || url == opt.Overriding)
	}
	opt.Guess = guessing(job.Document{Document: doc}, t.Source, t.MaxMemory, false)
	return csvw.New(opt)
}

// OverridingURL is the URL of a metadata document that is given by its name.
func OverridingURL(name string) string {
	if name == "" || inputs.IsWeb(name) {
		return name
	}
	return inputs.FileIRI(filepath.Clean(name))
}

// guessedRows passes on the rows of a table whose dialect is found out.
type guessedRows struct {
	to     csvw.Rows
	table  string
	names  []string
	cells  []string
	places []fault.Pos
	lines  int64 // line ends in cells so far

	isQuiet bool // findings are not passed on
}

// Header takes the header of a table.
func (g *guessedRows) Header(h *records.Header) {
	g.table, g.names = h.Table, append([]string(nil), h.Names...)
	g.to.Header(h.Labels, h.Names)
	for _, label := range h.Labels {
		g.lines += int64(strings.Count(label, "\n"))
	}
}

// Record takes a row.
func (g *guessedRows) Record(r *records.Record) error {
	if r.Table != g.table || len(r.Fields) > len(g.names) {
		g.table, g.names = r.Table, g.names[:0]
		for i := range r.Fields {
			g.names = append(g.names, r.Fields[i].Name)
		}
		g.to.Header(g.names, g.names)
	}
	g.cells, g.places = g.cells[:0], g.places[:0]
	number := r.Pos.Line - g.lines
	next := 0
	for _, name := range g.names {
		text, at := "", r.Pos
		if next < len(r.Fields) && r.Fields[next].Name == name {
			f := &r.Fields[next]
			next++
			text, at = f.Value.Text, f.Pos
			if f.Value.Kind == records.List || f.Value.Kind == records.Object {
				text = string(f.Value.AppendJSON(nil))
			}
			g.lines += int64(strings.Count(text, "\n"))
		}
		g.cells, g.places = append(g.cells, text), append(g.places, at)
	}
	return g.to.Row(g.cells, g.places, number, r.Pos)
}

// Notice takes a finding.
func (g *guessedRows) Notice(n fault.Notice) {
	if !g.isQuiet {
		g.to.Notice(n)
	}
}
