package recordset

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"laundromat/archive"
	"laundromat/internal/fault"
	"laundromat/internal/rfc3986"
	"laundromat/records"
	"laundromat/records/datapackage"
	"laundromat/records/job"
	"laundromat/records/schema"
	"laundromat/records/spec"
	"laundromat/report"
	"laundromat/states"
	"laundromat/states/inputs"
)

// Packaged makes records of the tables of a Data Package, each by its own dialect and schema.
type Packaged struct {
	Options   // of which Job is that of each table
	Compiling job.Options
	Opener    *inputs.Opener
	Loader    *inputs.DescribedTables
	Name      string // of the descriptor: FILE or URL
}

// PackagedTable is a table of a package.
type PackagedTable struct {
	Name     string
	Job      *job.Job
	of       *Packaged
	resource *datapackage.Resource
}

// DescriptorName is how the descriptor of a Data Package is called.
const DescriptorName = "datapackage.json"

// IsDescriptor says that an input is called so.
func IsDescriptor(name string) bool {
	if inputs.IsWeb(name) {
		return filepath.Base(string(rfc3986.Split([]byte(name)).Path)) == DescriptorName
	}
	return filepath.Base(name) == DescriptorName
}

// maxDescriptor is the size in bytes of the largest descriptor, or document that it leads to.
const maxDescriptor = 64 << 20

// load reads a document in JSON: the descriptor, or one beside it.
func (p *Packaged) load(ctx context.Context, name string) (*spec.Node, error) {
	in, err := p.Loader.Load(ctx, OverridingURL(name), "", !inputs.IsWeb(name))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	text, err := io.ReadAll(io.LimitReader(in.Text, maxDescriptor+1))
	if closer, ok := in.Text.(io.Closer); ok {
		closer.Close()
	}
	if err == nil && len(text) > maxDescriptor {
		err = fault.New("records", fault.Limit, fault.LimitMemory, "%s has more than %d bytes", name, maxDescriptor)
	}
	if err != nil {
		return nil, err
	}
	return spec.Parse(name, text)
}

// place is where a path of the descriptor leads.
func (p *Packaged) place(path string) string {
	switch {
	case datapackage.IsURL(path):
		return path
	case inputs.IsWeb(p.Name):
		return string(rfc3986.AppendResolved(nil, []byte(p.Name), []byte(datapackage.Reference(path))))
	}
	return filepath.Join(filepath.Dir(p.Name), filepath.FromSlash(path))
}

// Tables reads the descriptor and compiles all that it says. others are the names of the resources that are no tables.
func (p *Packaged) Tables(ctx context.Context) (tables []*PackagedTable, others []string, err error) {
	node, err := p.load(ctx, p.Name)
	if err != nil {
		return nil, nil, err
	}
	described, err := datapackage.Read(node)
	if err != nil {
		return nil, nil, err
	}
	referred := map[string]schema.Resource{}
	for _, r := range described.Resources {
		if !r.IsTable() {
			others = append(others, r.Name)
			continue
		}
		if err := p.loadParts(ctx, r); err != nil {
			return nil, nil, err
		}
		t := &PackagedTable{Name: r.Name, of: p, resource: r}
		tables = append(tables, t)
		// What a foreign key refers to is read by the schema without its keys, so that keys may lead in circles.
		opt := p.Compiling
		opt.Source, opt.Schema = r.Source, withoutKeys(r.Schema)
		plain, err := job.Compile(nil, opt)
		if err != nil {
			return nil, nil, err
		}
		referred[r.Name] = schema.Resource{Schema: plain.Schema(), Read: func(to records.Sink) error {
			quiet := p.Options
			quiet.Job, quiet.Log, quiet.Progress, quiet.Each = plain, nil, nil, func(*report.Document) {}
			return t.read(ctx, quiet, unclosed{to})
		}}
	}
	for _, t := range tables {
		opt := p.Compiling
		opt.Source, opt.Schema, opt.SchemaOptions.Resources = t.resource.Source, t.resource.Schema, referred
		if t.Job, err = job.Compile(nil, opt); err != nil {
			return nil, nil, err
		}
	}
	return tables, others, nil
}

// loadParts loads a schema and a dialect that are documents of their own, and sets the fields of a table without a
// header.
func (p *Packaged) loadParts(ctx context.Context, r *datapackage.Resource) (err error) {
	if r.SchemaPath != "" {
		if r.Schema, err = p.load(ctx, p.place(r.SchemaPath)); err != nil {
			return err
		}
	}
	if r.DialectPath != "" {
		dialect, err := p.load(ctx, p.place(r.DialectPath))
		if err != nil {
			return err
		}
		if err := r.SetDialect(dialect); err != nil {
			return err
		}
	}
	r.Schema = withNull(r.Schema, r.NullSequence())
	if has := r.Source.Header; has != nil && !*has {
		r.Source.Labels = r.FieldNames()
	}
	return nil
}

// withoutKeys is a schema without its keys.
func withoutKeys(node *spec.Node) *spec.Node {
	if node == nil {
		return nil
	}
	plain := *node
	plain.Entries = slices.DeleteFunc(slices.Clone(node.Entries), func(e *spec.Entry) bool {
		return e.Key == "primaryKey" || e.Key == "foreignKeys" || e.Key == "uniqueKeys"
	})
	return &plain
}

// withNull is a schema in which the null sequence of a dialect is a missing value.
func withNull(node *spec.Node, null string) *spec.Node {
	if node == nil || null == "" {
		return node
	}
	with := *node
	missing := &spec.Node{Kind: spec.List, File: node.File, Line: node.Line, Column: node.Column,
		Items: []*spec.Node{{Kind: spec.Text, File: node.File, Line: node.Line, Column: node.Column}}}
	if given := node.Get("missingValues"); given != nil {
		missing.Items = slices.Clone(given.Items)
	}
	missing.Items = append(missing.Items, &spec.Node{Kind: spec.Text, Text: null, File: node.File, Line: node.Line, Column: node.Column})
	with.Entries = slices.DeleteFunc(slices.Clone(node.Entries), func(e *spec.Entry) bool { return e.Key == "missingValues" })
	with.Entries = append(with.Entries, &spec.Entry{Key: "missingValues", Line: node.Line, Column: node.Column, Value: missing})
	return &with
}

// Read reads a table into an output, which it closes.
func (t *PackagedTable) Read(ctx context.Context, out Output, outputName string, keepsOld bool) error {
	opt := t.of.Options
	opt.Job, opt.OutputName, opt.KeepsOld = t.Job, outputName, keepsOld
	return t.read(ctx, opt, out)
}

func (t *PackagedTable) read(ctx context.Context, opt Options, out Output) error {
	if given := t.resource.Encoding; given != "" {
		opt.Given.Encoding = given
	}
	run := New(opt)
	if err := run.Start(out); err != nil {
		return err
	}
	for _, path := range t.resource.Paths {
		if err := run.Read(ctx, []string{t.of.place(path)}, t.of.Opener); err != nil {
			return err
		}
	}
	if t.resource.Data != nil {
		if err := run.inline(ctx, t.of.Name+"!/"+t.Name, t.resource.Inline(), t.of.Opener.Temp); err != nil {
			return err
		}
	}
	return run.Finish(ctx)
}

// inline reads a text that is in the descriptor.
func (r *Run) inline(ctx context.Context, name string, text []byte, temp string) error {
	spooled, err := archive.Spool(ctx, bytes.NewReader(text), temp, states.SpoolMemory)
	if err != nil {
		return err
	}
	defer spooled.Close()
	opt := r.Options
	opt.Given.Encoding = "utf-8"
	reader := &states.TextReader{Settings: opt.Settings, Given: opt.Given, Look: refuseBinary, Read: r.document, Each: r.each,
		Progress: opt.Progress, Samples: opt.Samples, Measured: opt.Measured}
	return reader.Input(ctx, states.Input{Name: name, FileName: "data", Source: spooled})
}

// unclosed is an output that others close.
type unclosed struct{ records.Sink }

func (unclosed) Close() error { return nil }
