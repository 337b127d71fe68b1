package recordset

import (
	"context"
	"errors"
	"io"
	"slices"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/clean"
	"laundromat/records"
	"laundromat/records/csvw"
	"laundromat/records/extract"
	"laundromat/records/job"
	"laundromat/records/spec"
	"laundromat/states"
	"laundromat/states/kind"
)

// Described is a table, and the metadata that describes it.
type Described struct {
	In      csvw.Resource // without its text
	Options csvw.Options  // how metadata is found
	// CSVW is the mode in which statements are made of the table: "minimal" or "standard"; "" for none.
	CSVW string
	// Found is the metadata, once Find was called; nil where there is none.
	Found *csvw.Description
	// Wrong is why the metadata that there is can't be used, so that no statement is made; nil if it can.
	Wrong error
}

// Find finds the metadata. Findings about it go to notice.
func (t *Described) Find(ctx context.Context, notice func(fault.Notice)) (err error) {
	opt := t.Options
	opt.Notice = notice
	in := t.In
	t.Found, err = csvw.New(opt).Describe(ctx, &in)
	return err
}

// IsFound says that metadata describes the table.
func (t *Described) IsFound() bool { return t != nil && t.Found != nil }

// Records makes the records of the table by its metadata. Of a Data Package they are those of its dialect and schema.
func (t *Described) Records(ctx context.Context, doc job.Document, opt job.Options, to records.Sink) (records.Counts, error) {
	resource := t.Found.Resource
	if resource == nil {
		csv := t.Options
		csv.Located = true
		csv.Notice, csv.Records, csv.Memory, csv.Temp = to.Notice, to, opt.SchemaOptions.KeyMemory, opt.SchemaOptions.Temp
		in := t.In
		in.Text = doc.Text
		if doc.Text == nil {
			return records.Counts{}, fault.New("records", fault.Data, fault.CSVWMetadata,
				"the metadata describes a table in text, and the document is a workbook")
		}
		return csvw.New(csv).Records(ctx, &in)
	}
	source := *resource.Source
	opt.Source, opt.Schema = &source, withOwnKeys(withNull(resource.Schema, resource.NullSequence()), resource.Name)
	if has := source.Header; has != nil && !*has {
		source.Labels = resource.FieldNames()
	}
	compiled, err := job.Compile(nil, opt)
	if wrong := new(spec.Error); errors.As(err, &wrong) {
		return records.Counts{}, fault.New("records", fault.Data, fault.CSVWMetadata, "%s: %s", t.Found.Where, wrong)
	}
	if err != nil {
		return records.Counts{}, err
	}
	return compiled.Document(ctx, doc, to)
}

// withOwnKeys is the schema of a table of a package without the foreign keys that lead to other tables, which are not
// at hand. Whoever finds the metadata is told of those.
func withOwnKeys(node *spec.Node, name string) *spec.Node {
	if node == nil || node.Get("foreignKeys") == nil {
		return node
	}
	keys := *node.Get("foreignKeys")
	keys.Items = nil
	for _, key := range node.Get("foreignKeys").Items {
		if to := key.Get("reference").Get("resource"); to == nil || to.Text == "" || to.Text == name {
			keys.Items = append(keys.Items, with(key, "reference", without(key.Get("reference"), "resource")))
		}
	}
	if len(keys.Items) == 0 {
		return without(node, "foreignKeys")
	}
	return with(node, "foreignKeys", &keys)
}

// without is a mapping without a key.
func without(node *spec.Node, key string) *spec.Node {
	plain := *node
	plain.Entries = slices.DeleteFunc(slices.Clone(node.Entries), func(e *spec.Entry) bool { return e.Key == key })
	return &plain
}

// with is a mapping with another value of a key.
func with(node *spec.Node, key string, value *spec.Node) *spec.Node {
	other := *node
	other.Entries = slices.Clone(node.Entries)
	for i, e := range other.Entries {
		if e.Key == key {
			one := *e
			one.Value = value
			other.Entries[i] = &one
		}
	}
	return &other
}

// guessing reads tables of which no metadata says how they are written: as source says, or it is found out. isQuiet
// leaves out what is found about how the table is written.
func guessing(doc job.Document, source *extract.Source, memory int64, isQuiet bool) func(context.Context, io.Reader, *extract.Source,
	string, csvw.Rows) error {
	return func(ctx context.Context, text io.Reader, packaged *extract.Source, name string, to csvw.Rows) error {
		guessed := doc.Document
		guessed.Text = text
		if packaged == nil {
			packaged = source
		} else {
			guessed.Name, guessed.FileName, guessed.MediaType = name, name, ""
		}
		err := extract.Read(ctx, guessed, extract.Options{Source: packaged, MaxMemory: memory}, &guessedRows{to: to, isQuiet: isQuiet})
		var sink *records.SinkError
		if errors.As(err, &sink) && !errors.As(sink.Err, new(*rdf.SinkError)) {
			return sink.Err
		}
		return err
	}
}

// TableStatements makes the statements of a table. It is a product without lines of its own, which is read as records
// are.
type TableStatements struct {
	Table *Described
	// ToldByRecords says that a reading of the records told what is found about the rows.
	ToldByRecords bool
}

// Name is that of records, which say how the document is read.
func (TableStatements) Name() string { return kind.Records }

// Make makes the statements of one reading: by the metadata or, where there is none, of the cells as they are.
func (of TableStatements) Make(ctx context.Context, d *states.Decoded, to *states.Making) (made states.Made, err error) {
	t := of.Table
	made.UsesURI = true
	if t.Wrong != nil {
		return made, t.Wrong
	}
	doc := documentOf(d)
	opt, cleaning := t.Options, to.Statements.Clean
	opt.Located = true
	opt.Standard, opt.Memory, opt.Temp, opt.Notice = t.CSVW == "standard", to.Memory/8, to.Temp, to.Statements.Notice
	if of.ToldByRecords && t.IsFound() && t.Found.Resource == nil {
		opt.Notice = nil // the same reader made the records
	}
	opt.Guess = guessing(doc, nil, to.Memory, of.ToldByRecords)
	converter := csvw.New(opt)
	cleaning.HasAnonymous = true
	first, tally := clean.Chain(cleaning, to.Statements.Lines, func(n fault.Notice) {
		n.Lost, n.Edits = 0, nil // no record is lost, and the tally counts statements
		to.Statements.Notice(converter.Placed(n))
	})
	in := t.In
	in.Text = doc.Text
	err = converter.Table(ctx, &in, first)
	tally.Close()
	made.Statements.Tally = *tally
	var sink *rdf.SinkError
	if errors.As(err, &sink) {
		err = &records.SinkError{Err: sink.Err}
	}
	return made, err
}
