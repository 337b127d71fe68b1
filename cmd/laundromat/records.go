package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"laundromat/encoding"
	"laundromat/internal/digest"
	"laundromat/internal/fault"
	"laundromat/internal/lean"
	"laundromat/rdf/write"
	"laundromat/records"
	"laundromat/records/dump"
	"laundromat/records/extract"
	"laundromat/records/job"
	"laundromat/records/schema"
	"laundromat/records/spec"
	"laundromat/records/statements"
	"laundromat/report"
	"laundromat/states"
	"laundromat/states/inputs"
	"laundromat/states/outputs"
	"laundromat/states/recordset"
)

// recordsOptions are the flags of records.
type recordsOptions struct {
	washOptions // those about reading that hold for records too

	spec, schema string
	whole        *spec.Spec // in place of a spec that is named; nil: none
	writeSpec    bool       // of infer, in place of the schema
	as           []string
	descriptor   string
	csvSafe      bool
	places       bool
	allowEmpty   bool
	allTables    bool
	table        string
	hostDelay    time.Duration
	maxPages     int

	csvw, metadata string          // of tables without a spec
	unpacked       *inputs.Entries // the archive of a Data Package; nil for other inputs

	into     string // a database, in place of files
	log      string
	accessed timeValue // when the inputs were fetched; the start of the run if not given
}

func recordsCommand(u *ui) *cobra.Command {
	var o recordsOptions
	c := &cobra.Command{
		Use:   "records [flags] FILE|DIR|URL|-…",
		Short: "Tables, trees and pages in, checked records out",
		Long: "Records reads tables (CSV, TSV, XLSX, ODS, Excel's XML), trees (JSON, JSON lines, YAML, XML) and pages (HTML), and\n" +
			"writes their records. A spec says which fields there are, how they are mapped and checked; without\n" +
			"one the records are written as they are. Faults are reported on stderr.\n\n" +
			"Exit: 0 all kept, 3 something was dropped, 1 a document ended in an error, 7 nothing was a table, tree or page.",
		RunE: func(c *cobra.Command, args []string) error { return runRecords(c.Context(), u, &o, args) },
	}
	o.addRecords(c.Flags())
	c.AddCommand(recordsLintCommand(u), recordsInferCommand(u), recordsUndoCommand(u), recordsMergeCommand(u), recordsShippedCommand(u),
		recordsSchemaCommand(u))
	return c
}

// addRecords adds the flags.
func (o *recordsOptions) addRecords(flags *pflag.FlagSet) {
	flags.StringVar(&o.spec, "spec", "", "the spec, a FILE in YAML or JSON (default: records as they are)")
	flags.StringVar(&o.schema, "schema", "", "a Table Schema or JSON Schema, a FILE, in place of the spec's")
	flags.StringSliceVar(&o.as, "as", nil, "the format of the output, or several: "+strings.Join(dump.Formats(), ", ")+
		", or of the statements that the part rdf of the spec makes: "+strings.Join(write.Extensions(), ", ")+
		" (default: by the name of the output, else jsonl)")
	flags.StringVar(&o.csvw, "csvw", "", "how much the statements of a table without a spec say, after W3C's standard: minimal, its cells alone, "+
		"or standard, its rows and the table too (default minimal)")
	flags.StringVar(&o.metadata, "metadata", "", "the metadata of a table, a FILE or URL, in place of that which is found by W3C's standard")
	flags.StringVarP(&o.output, "output", "o", "", "write to this FILE; with several --as each format's ending is put after the name; "+
		"or records.FORMAT under this DIR")
	flags.StringVar(&o.descriptor, "package", "", "write a Data Package descriptor of the outputs to this FILE")
	flags.StringVar(&o.table, "table", "records", "the name of the table in SQLite and of the sheet in XLSX")
	flags.BoolVar(&o.csvSafe, "csv-safe", false, "write ' before text in CSV and TSV that a spreadsheet takes for a formula")
	flags.BoolVar(&o.places, "places", false, "add _source, _line and _element to each record")
	flags.BoolVar(&o.strict, "strict", false, "drop records that would be repaired")
	flags.BoolVar(&o.allTables, "all-tables", false, "read every table of a page, also those that only lay it out")
	flags.BoolVar(&o.allowEmpty, "allow-empty", false, "a document in which nothing is found is a warning, and an output without records "+
		"takes the place of an old one")
	flags.StringVar(&o.into, "into", "", "put the records into a table of a database, by their keys: sqlite:FILE#TABLE or "+
		"postgres://USER@HOST:PORT/DATABASE#TABLE")
	flags.StringVar(&o.log, "log", "", "add a record of the run to this FILE, a line of JSON")
	o.addReading(flags)
}

// addReading adds the flags of how documents are read.
func (o *recordsOptions) addReading(flags *pflag.FlagSet) {
	flags.StringVar(&o.given.Format, "format", "", "the format of every document, in place of the spec's: csv, tsv, xlsx, ods, fods, "+
		"spreadsheetml, json, jsonl, yaml, xml, html")
	flags.StringVar(&o.given.Encoding, "encoding", "", "the character encoding of every document (default: the spec's, or find out)")
	o.addInputs(flags)
	flags.DurationVar(&o.hostDelay, "host-delay", time.Second, "pause between two requests to one host for further pages")
	flags.IntVar(&o.maxPages, "max-pages", 1000, "most pages that the part pages of a spec leads to")
	flags.Var(&o.accessed, "accessed", "when the inputs were fetched, for access_time in a spec (default now)")
}

// checkRecords checks the flags.
func (o *recordsOptions) checkRecords() error {
	if o.csvw != "" && !slices.Contains(csvwModes, o.csvw) {
		return usage("--csvw is minimal or standard, not %q", o.csvw)
	}
	if o.maxPages < 1 {
		return usage("--max-pages is 1 or more, not %d", o.maxPages)
	}
	return o.checkInputs()
}

// files are the outputs, by the flags. The standard output has no path.
func (o *recordsOptions) files(u *ui) ([]dump.File, error) {
	named := dump.FormatOf(o.output)
	formats, err := o.formats(named)
	if err != nil {
		return nil, err
	}
	if o.output == "" || o.output == "-" {
		switch {
		case len(formats) > 1:
			return nil, usage("several --as need -o: standard output takes one format")
		case isTerminal(u.out) && (formats[0] == "parquet" || formats[0] == "sqlite" || formats[0] == "xlsx"):
			return nil, usage("%s is not for a terminal: name a file, with -o", formats[0])
		case o.descriptor != "":
			return nil, usage("--package describes files: name one, with -o")
		}
		return []dump.File{{Format: formats[0], Writer: u.out}}, nil
	}
	if strings.HasSuffix(strings.ToLower(o.output), ".gz") {
		return nil, usage("-o %s: records are not compressed as they are written", o.output)
	}
	info, err := os.Stat(o.output)
	isFolder := strings.HasSuffix(o.output, "/") || err == nil && info.IsDir()
	if !isFolder && len(formats) == 1 {
		if named != "" && named != formats[0] {
			return nil, usage("-o %s is named as %s, and --as says %s", o.output, named, formats[0])
		}
		return []dump.File{{Format: formats[0], Path: o.output}}, nil
	}
	stem := o.output
	if isFolder {
		if err := os.MkdirAll(o.output, 0o777); err != nil {
			return nil, err
		}
		stem = filepath.Join(o.output, "records")
	} else if named != "" {
		stem = strings.TrimSuffix(stem, filepath.Ext(stem))
	}
	var files []dump.File
	for _, name := range formats {
		files = append(files, dump.File{Format: name, Path: stem + "." + name})
	}
	return files, nil
}

// formats are those that --as names; without it the one by which the output is named, or jsonl.
func (o *recordsOptions) formats(named string) ([]string, error) {
	for _, name := range o.as {
		switch {
		case slices.Contains(dump.Formats(), name):
		case dump.LeftOut(name):
			return nil, usage("--as %s: %w; it writes %s", name, lean.Lacks(name), strings.Join(dump.Formats(), ", "))
		default:
			return nil, usage("--as: there is no format %q%s", name, spec.Meant(name, dump.Formats()...))
		}
	}
	switch {
	case len(slices.Compact(slices.Sorted(slices.Values(o.as)))) < len(o.as):
		return nil, usage("--as names a format twice")
	case len(o.as) > 0:
		return o.as, nil
	case named != "":
		return []string{named}, nil
	}
	return []string{"jsonl"}, nil
}

// load reads the spec and the schema, if any.
func (o *recordsOptions) load() (*spec.Spec, *spec.Node, error) {
	whole := &spec.Spec{}
	if o.whole != nil {
		whole = o.whole
	} else if o.spec != "" {
		var err error
		if whole, err = spec.Load(o.spec); err != nil {
			return nil, nil, usage("%w", err)
		}
	}
	if o.given.Format != "" {
		if err := extract.SetFormat(whole, "--format", o.given.Format); err != nil {
			return nil, nil, usage("--format: %s", strings.TrimPrefix(err.Error(), "--format:1:1: "))
		}
	}
	if o.schema == "" {
		return whole, nil, nil
	}
	text, err := os.ReadFile(o.schema)
	if err != nil {
		return nil, nil, usage("%w", err)
	}
	node, err := spec.Parse(o.schema, text)
	if err != nil {
		return nil, nil, usage("%w", err)
	}
	return whole, node, nil
}

// runRecords runs the verb.
func runRecords(ctx context.Context, u *ui, o *recordsOptions, args []string) error {
	if err := o.checkRecords(); err != nil {
		return err
	}
	if o.into != "" {
		return runRecordsInto(ctx, u, o, args)
	}
	form, ofStatements, err := o.statementsForm(u)
	if err != nil {
		return err
	}
	switch {
	case ofStatements:
	case o.csvw != "":
		return usage("--csvw is for statements: say --as nq, or another of %s", strings.Join(write.Extensions(), ", "))
	case o.metadata != "" && (o.hasSpec() || o.schema != ""):
		return usage("--metadata is for tables without a spec or a schema of their own")
	}
	if args, err = o.unpack(ctx, args); err != nil {
		return err
	}
	defer o.unpacked.Close()
	if ofStatements {
		return runStatements(ctx, u, o, form, args)
	}
	return runRecordsAlone(ctx, u, o, args)
}

// runRecordsAlone writes records into files.
func runRecordsAlone(ctx context.Context, u *ui, o *recordsOptions, args []string) error {
	if slices.ContainsFunc(args, recordset.IsDescriptor) && o.spec == "" && o.given.Format == "" {
		return runPackage(ctx, u, o, args)
	}
	files, err := o.files(u)
	if err != nil {
		return err
	}
	if err := o.checkFolders(); err != nil {
		return err
	}
	written := []string{o.report, o.log, o.descriptor}
	for _, file := range files {
		written = append(written, file.Path)
	}
	given := len(args)
	if args, err = expandFolders(u, args, written...); err != nil {
		return err
	}
	if given > 0 && len(args) == 0 {
		return exit(exitNoRDF, nil) // folders without files
	}
	r, err := newRecordsRun(u, o, args)
	if err != nil {
		return err
	}
	if r.spec.Reconcile != nil && !u.quiet {
		fmt.Fprintf(u.err, "%s: the part reconcile is for \"records merge\"; no records are merged here\n", o.spec)
	}
	if o.log != "" {
		r.options.Log = recordset.NewLog(o.log, r.spec, o.spec, o.accessed.Time)
	}
	if o.metadata != "" {
		r.options.Metadata = recordset.OverridingURL(o.metadata)
		r.options.Described = &inputs.DescribedTables{Opener: r.opener, Settings: o.reading(), Given: &o.given, HostDelay: o.hostDelay}
	}
	r.options.OutputName = outputName(files)
	r.options.KeepsOld = files[0].Path != "" && !o.allowEmpty
	err = r.run(ctx, func(notice func(fault.Notice)) (recordsOutput, error) {
		opt := o.dumping(r.options.Job, files)
		opt.Notices, opt.Stopped = notice, ctx.Err
		return dump.Open(opt)
	})
	return r.logged(err)
}

// logged adds a run that ended with err to the log, if there is one.
func (r *recordsRun) logged(err error) error {
	if r.options.Log == nil {
		return err
	}
	failed := err
	if ended := endedBy(err); ended != nil {
		failed = ended.err // nil where the documents alone decided the exit
	}
	return cmp.Or(err, r.options.Log.Append(&r.tally.whole, failed))
}

// recordsRun is a run of records or of infer.
type recordsRun struct {
	tally   *tally
	options recordset.Options
	spec    *spec.Spec
	opener  *inputs.Opener
	args    []string

	mapping  *statements.Mapping // nil without the part rdf
	prefixes *outputs.Maker      // that is told the prefixes of its context
	begin    func(name string)   // is told each input before it is read; nil if nobody asks
	sums     *digest.Statements  // of what is written once the run is finished; nil where no statements are

	concluded func() // is called when the output is complete; nil if nobody asks
}

// newRecordsRun compiles the spec of a run, and finds the inputs that it reads.
func newRecordsRun(u *ui, o *recordsOptions, args []string) (*recordsRun, error) {
	whole, checked, err := o.load()
	if err != nil {
		return nil, err
	}
	r := &recordsRun{spec: whole, opener: o.opener(u, len(args) > 1), args: args, prefixes: outputs.NewMaker(o.making())}
	r.opener.Entries = o.unpacked
	compiled, err := job.Compile(whole, job.Options{
		Strict: o.strict, AllowEmpty: o.allowEmpty, AllTables: o.allTables, Schema: checked,
		MaxMemory: o.memory / 2,
		Fetch:     o.furtherPages(r.opener, o.hostDelay).Page, MaxPages: o.maxPages,
		SchemaOptions: schema.Options{KeyMemory: o.memory / 8, Temp: o.temp},
	})
	if err != nil {
		return nil, usage("%w", err)
	}
	if r.mapping, err = recordset.CompileStatements(whole, compiled, statements.Options{Prefix: r.prefixes.Prefix,
		Loader: &inputs.Contexts{Fetch: o.fetching(), Memory: o.memory, Limits: o.limits}}); err != nil {
		return nil, usage("%w", err)
	}
	source := compiled.Source()
	if len(args) == 0 && source.URL != "" {
		r.args = []string{source.URL}
	}
	if len(r.args) == 0 {
		return nil, usage("records wants FILE, URL or - (see \"laundromat records --help\")")
	}
	if o.given.Encoding == "" {
		o.given.Encoding = source.Encoding
	}
	if _, err := encoding.NewReader(strings.NewReader(""), o.given.Encoding, encoding.Options{}); o.given.Encoding != "" && err != nil {
		return nil, usage("the encoding of the spec: %w", err)
	}
	if o.accessed.IsZero() {
		o.accessed.Time = time.Now()
	}
	r.tally = newTally(u, &o.washOptions)
	r.options = recordset.Options{
		Settings: o.reading(), Given: o.given, Job: compiled, Accessed: o.accessed.Time, Each: r.tally.each,
		Progress: r.tally.bar.progress, Samples: o.samples, Measured: o.report != "",
	}
	return r, nil
}

// recordsOutput is what the records of a run flow into.
type recordsOutput interface {
	recordset.Output
	Abort() // does nothing after Close
}

// run reads all inputs, completes the output that open opens, and says what became of it.
func (r *recordsRun) run(ctx context.Context, open func(notice func(fault.Notice)) (recordsOutput, error)) error {
	defer r.tally.bar.stop()
	r.tally.whole.Records = &records.Counts{}
	run := recordset.New(r.options)
	out, err := open(run.Notice)
	if err != nil {
		return err
	}
	defer out.Abort()
	if err := run.Start(out); err != nil {
		return err
	}
	r.tellFindings()
	for _, name := range r.args {
		if r.begin != nil {
			r.begin(name)
		}
		if err := run.Read(ctx, []string{name}, r.opener); err != nil {
			return written(err)
		}
	}
	r.tally.bar.say("writing")
	if err := run.Finish(ctx); err != nil {
		return written(err)
	}
	if r.concluded != nil && !r.tally.ui.quiet {
		r.concluded()
	}
	return r.tally.conclude(r.sums)
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
	if r.tally.ui.quiet {
		return
	}
	for _, f := range r.options.Job.Findings() {
		collector := report.NewCollector(f.File, 0)
		collector.Notice(f.Notice)
		report.WriteFindings(r.tally.ui.err, collector.Document(), coloured(r.tally.ui.err))
	}
}

// dumping says how the outputs are written.
func (o *recordsOptions) dumping(j *job.Job, files []dump.File) dump.Options {
	fields, behind := recordset.Fields(j)
	return dump.Options{
		Files: files, Safe: o.csvSafe, Places: o.places, Table: o.table, Package: o.descriptor, Temp: o.temp,
		Fields: fields, Behind: behind,
	}
}

// outputName is what findings about the outputs as a whole are listed under.
func outputName(files []dump.File) string {
	if files[0].Path == "" {
		return "output"
	}
	return files[0].Path
}

// reading are the settings of how documents are unpacked.
func (o *washOptions) reading() states.Settings {
	var s states.Settings
	s.Temp, s.Workers, s.Limits = o.temp, o.workers, o.limits
	s.Limits.Memory = windowMemory(o.memory)
	return s
}
