package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"laundromat/encoding"
	"laundromat/internal/fetch"
	"laundromat/internal/outfile"
	"laundromat/internal/rfc3986"
	"laundromat/rdf/format"
	"laundromat/rdf/statistics"
	"laundromat/report"
	"laundromat/states"
	"laundromat/states/inputs"
	"laundromat/states/outputs"
	"laundromat/states/washing"
)

// washOptions are the flags that wash and check share, and those of wash alone.
type washOptions struct {
	settingsFlags
	given   states.Given
	way     networkFlags
	network *fetch.Network // by way
	base    string

	noSort   bool
	memory   int64
	temp     string
	workers  int
	split    outfile.Split
	report   string
	repairs  string
	maxBytes int64

	allowPrivate  bool
	fetchContexts bool
	contact       string

	samples   int
	maxErrors int64
	failFast  bool

	output     string
	statistics string
	to         string // the form of an output whose name says none
	inPlace    bool
	prefixes   prefixFlag
	level      int
}

func washCommand(u *ui) *cobra.Command {
	var o washOptions
	c := &cobra.Command{
		Use:   "wash [flags] FILE|URL|-…",
		Short: "Dirty in, clean N-Quads out",
		Long: "Wash reads documents and archives in any RDF format and encoding, and writes one clean,\n" +
			"sorted, unique, canonical N-Quads output. Faults are reported on stderr.\n\n" +
			"-o NAME writes what the name says: .nq, .nt, .ttl, .trig or .jsonld, each also with .gz or .zst.\n\n" +
			"A folder stands for all files in it, at any depth; without a name, standard input is read.\n\n" +
			"Exit: 0 all kept, 3 something was dropped, 1 a document ended in an error, 7 nothing was RDF.",
		RunE: func(c *cobra.Command, args []string) error {
			args, err := namedInputs(u, c, args)
			if err != nil {
				return err
			}
			if err := o.checkIdle(c); err != nil {
				return err
			}
			return runWash(c.Context(), u, &o, args)
		},
	}
	o.addReading(c)
	flags := c.Flags()
	flags.StringVarP(&o.output, "output", "o", "", "write to this FILE what its name says (.nq, .nt, .ttl, .trig, .jsonld; .gz or .zst "+
		"compresses), or a file per document under this DIR (ends in /, or exists)")
	flags.StringVar(&o.to, "to", "", "write this (nq, nt, ttl, trig, jsonld, ttl.gz …) where no name says it: to standard output, a "+
		"device, or files in DIR")
	flags.Var(&o.prefixes, "prefix", "name=IRI: a prefix for Turtle and TriG, before those that documents declare (repeatable)")
	flags.BoolVar(&o.inPlace, "in-place", false, "write each FILE again under its own name, and keep the old one as FILE.orig")
	flags.IntVar(&o.level, "level", 6, "compression of .gz and .zst output, 1 (fast) to 9 (small)")
	flags.Var(&o.split, "split", "write FILE in parts, FILE.0001 and so on before its suffix: of so many statements (10M), or so much "+
		"text (100MB)")
	flags.StringVar(&o.statistics, "statistics", "", "write to this FILE, as JSON, what the clean statements say: distinct subjects, "+
		"properties, classes and objects, and each property, class, vocabulary, datatype, language and linked host with its count")
	flags.BoolVar(&o.noSort, "no-sort", false, "write in document order; duplicates stay")
	return c
}

// addReading adds the flags about reading, which wash and check share.
func (o *washOptions) addReading(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&o.given.Format, "format", "", "the format of every document: a name, media type or extension (default: guess)")
	flags.StringVar(&o.given.ContentType, "content-type", "", "stands for the Content-Type that a server would send")
	flags.StringVar(&o.given.Encoding, "encoding", "", "the character encoding of every document (default: find out)")
	flags.StringVar(&o.base, "base", "", "base IRI of every document; its key names blank nodes")
	o.settingsFlags.add(flags)
	flags.BoolVar(&o.fetchContexts, "fetch-contexts", false, "fetch JSON-LD contexts that are neither given with --context nor in the "+
		"program (politely: robots.txt, pauses, 4MB each)")
	o.memory = 512 << 20
	flags.Var(sizeValue{&o.memory}, "memory", "memory for the whole process")
	flags.StringVar(&o.temp, "temp", "", "folder for temporary files (default $TMPDIR)")
	flags.IntVar(&o.workers, "workers", runtime.NumCPU(), "threads that look at lines, sort and compress")
	flags.IntVar(&o.samples, "samples", report.SamplesShown, "how many findings of each code to show, and to keep of each document in a "+
		"report; all are counted")
	flags.Int64Var(&o.maxErrors, "max-errors", 0, "read on no further after so many errors: statements dropped, and documents that ended "+
		"in one (0: read all)")
	flags.BoolVar(&o.failFast, "fail-fast", false, "the same as --max-errors 1")
	flags.StringVar(&o.report, "report", "", "write a report to this FILE: JSON, or a page for people if it ends in .html")
	flags.StringVar(&o.repairs, "repairs", "", "write all repairs to this FILE, as a diff of the sources that patch applies")
	o.maxBytes = 1 << 40
	flags.Var(sizeValue{&o.maxBytes}, "max-download", "longest body to download")
	o.way.add(flags)
	flags.BoolVar(&o.allowPrivate, "allow-private", false, "allow URLs at addresses that are not public")
	flags.StringVar(&o.contact, "contact", "", "URL or address for the User-Agent of downloads")
}

// settings checks the flags and makes the settings of the run of them.
func (o *washOptions) settings() (states.Settings, error) {
	var loader format.ContextLoader
	var err error
	if o.network, err = o.way.network(); err != nil {
		return states.Settings{}, err
	}
	if o.fetchContexts {
		loader = &inputs.Contexts{Fetch: o.fetching(), Memory: o.memory, Limits: o.limits}
	}
	opt, err := o.settingsFlags.settings(o.memory, loader)
	if err != nil {
		return opt, err
	}
	opt.Temp, opt.Workers = o.temp, o.workers
	return opt, o.check()
}

// check checks the flags that are no settings of documents.
func (o *washOptions) check() error {
	if o.samples < 1 {
		return usage("--samples is 1 or more, not %d", o.samples)
	}
	if err := o.checkBound(); err != nil {
		return err
	}
	if err := checkLevel("level", o.level); err != nil {
		return err
	}
	if o.split.IsSet() && (o.output == "" || o.output == "-") {
		return usage("--split needs -o FILE: standard output has no parts")
	}
	if info, err := os.Stat(o.output); o.split.IsSet() && err == nil && !info.IsDir() && !info.Mode().IsRegular() {
		return usage("--split: %s isn't a file that could have parts", o.output)
	}
	if o.workers < 1 {
		return usage("--workers is 1 or more, not %d", o.workers)
	}
	if err := checkFormat(o.given.Format); err != nil {
		return err
	}
	if o.given.Encoding != "" {
		if _, err := encoding.NewReader(strings.NewReader(""), o.given.Encoding, encoding.Options{}); err != nil {
			return usage("--encoding: %w", err)
		}
	}
	if o.base != "" && !rfc3986.IsAbsolute([]byte(o.base)) {
		return usage("--base: %q isn't an absolute IRI", o.base)
	}
	if o.temp != "" {
		if info, err := os.Stat(o.temp); err != nil || !info.IsDir() {
			return usage("--temp: %s is not a folder", o.temp)
		}
	}
	if o.repairs != "" && o.strict {
		return usage("--repairs has nothing to write with --strict, which drops what would be repaired")
	}
	if o.repairs != "" && o.fixMojibake {
		return usage("--repairs writes what is plain, --fix-mojibake mends what is likely: not both at once")
	}
	return nil
}

// checkFormat refuses a name that no format has.
func checkFormat(name string) error {
	if name == "" {
		return nil
	}
	if _, err := format.Named(name); err != nil {
		return usage("--format: %w%s (\"laundromat help formats\" lists them)", err, didYouMean(name, formatNames...))
	}
	return nil
}

// checkIdle refuses flags that say nothing of what is written.
func (o *washOptions) checkIdle(c *cobra.Command) error {
	form, err := o.form()
	if err != nil || o.inPlace {
		return err
	}
	if form.Coding == "" {
		if err := refuseIdle(c, "on output that is not compressed (-o FILE.gz or FILE.zst)", "level"); err != nil {
			return err
		}
	}
	if !form.TakesPrefixes() {
		return refuseIdle(c, "on "+form.Syntax.String()+": write Turtle or TriG (-o FILE.ttl, FILE.trig)", "prefix")
	}
	return nil
}

// expandFolders puts the files of folders in the place of these, and says which names are passed over.
func (r *washRun) expandFolders(args []string) ([]string, error) {
	return expandFolders(r.ui, args, r.options.output, r.options.report, r.options.repairs,
		r.options.statistics)
}

// expandFolders puts the files of folders in the place of these, but what the run writes, and says which names are
// passed over.
func expandFolders(u *ui, args []string, written ...string) ([]string, error) {
	return inputs.Expand(args, inputs.Existing(written...), func(folder string, files, ignored []string) {
		u.noteIgnored(folder, ignored)
		if len(files) == 0 {
			u.note("%s: no file in this folder is to be read", folder)
		}
	})
}

// refuseSameFile refuses to write what is read, by whatever name: another spelling, a link or a hard link.
func (o *washOptions) refuseSameFile(stdin io.Reader, args []string) error {
	read := inputs.Files(stdin, args)
	outputs := []struct{ flag, file string }{{"-o", o.output}, {"--report", o.report}, {"--repairs", o.repairs},
		{"--statistics", o.statistics}}
	if o.split.IsSet() {
		for _, part := range outfile.NewParts(o.output, o.split, outfile.Options{}).Existing() {
			outputs = append(outputs, struct{ flag, file string }{"-o", part})
		}
	}
	for _, output := range outputs {
		written, err := os.Stat(output.file)
		if err != nil {
			continue
		}
		for _, arg := range args {
			if info := read[arg]; info != nil && os.SameFile(info, written) {
				return usage("%s is read, and %s %s is the same file: write to another, or wash it with --in-place, which keeps the old one",
					arg, output.flag, output.file)
			}
		}
	}
	return nil
}

// programMemory is what the program itself takes of a process's memory, in bytes:
// the runtime's limit does not count it.
const programMemory = 16 << 20

// minMemory is what the process needs to do its work at all, in bytes.
const minMemory = 64 << 20

func ptr[T any](v T) *T { return &v }

// runWash runs the verb.
func runWash(ctx context.Context, u *ui, o *washOptions, args []string) error {
	settings, err := o.settings()
	if err != nil {
		return err
	}
	if err := o.checkFolders(); err != nil {
		return err
	}
	if o.repairs == "-" && (o.output == "" || o.output == "-" || o.report == "-") {
		return usage("--repairs - needs stdout for itself: write the data to a file, with -o")
	}
	form, err := o.form()
	if err != nil {
		return err
	}
	if err := o.checkStatistics(form); err != nil {
		return err
	}
	settings.Clean.Output = form.CleanOutput()
	making := o.making()
	run := &washRun{ui: u, options: o, settings: settings, unlisted: o.report == ""}
	if o.statistics != "" {
		run.counter = statistics.New()
		making.Watch = run.counter.Lines
	}
	run.outputs = outputs.NewMaker(making)
	if form.TakesPrefixes() || o.inPlace {
		run.settings.Prefix = run.outputs.Prefix
	}
	if args, err = run.expandFolders(args); err != nil {
		return err
	}
	if err := o.refuseSameFile(u.in, args); err != nil {
		return err
	}
	if o.inPlace {
		if err := o.checkInPlace(args); err != nil {
			return err
		}
	}
	if run.target, err = run.targetOf(form, args); err != nil {
		return err
	}
	defer run.target.Close()
	if !u.quiet {
		showing := report.Showing{Most: o.samples}
		run.tell = func(w io.Writer, d *report.Document) error { return showing.Write(w, d, coloured(u.err)) }
	}
	return run.run(ctx, args)
}

// making says how outputs are made.
func (o *washOptions) making() outputs.Options {
	return outputs.Options{NoSort: o.noSort, Memory: o.memory * 2 / 5, Temp: o.temp, Workers: o.workers, Level: o.level, Split: o.split,
		Prefixes: o.prefixes.given}
}

// checkFolders ensures that what was washed for hours can be written.
func (o *washOptions) checkFolders() error {
	for _, file := range []string{o.output, o.report, o.repairs, o.statistics} {
		if file == "" || file == "-" || strings.HasSuffix(file, "/") {
			continue
		}
		info, err := os.Stat(filepath.Dir(file))
		if err == nil && !info.IsDir() {
			err = fmt.Errorf("%s is not a folder", filepath.Dir(file))
		}
		if err != nil {
			return fmt.Errorf("write %s: %w", file, err)
		}
	}
	return nil
}

// isFolder says that each document has a file of its own, in a folder.
func (o *washOptions) isFolder() bool {
	info, err := os.Stat(o.output)
	return strings.HasSuffix(o.output, "/") || err == nil && info.IsDir()
}

// targetOf makes where the lines go: the documents' own files, stdout, a file, or a folder of files.
func (r *washRun) targetOf(form outputs.Form, args []string) (states.Target, error) {
	o := r.options
	switch {
	case o.inPlace:
		return r.outputs.InPlace(func(name, kept string) { r.ui.note("%s is washed; as it was it is %s", name, kept) }), nil
	case o.isFolder():
		if err := os.MkdirAll(o.output, 0o777); err != nil {
			return nil, err
		}
		return r.outputs.Folder(form, o.output, slices.Collect(maps.Values(inputs.Files(r.ui.in, args)))), nil
	case o.output == "" || o.output == "-":
		return r.outputs.Stream(form, r.ui.out), nil
	}
	return r.outputs.File(form, o.output), nil
}

// washRun is one run of wash or check.
type washRun struct {
	ui       *ui
	options  *washOptions
	settings states.Settings
	target   states.Target
	outputs  *outputs.Maker      // nil where no statements are written
	counter  *statistics.Counter // nil without --statistics
	// tell writes the findings of a document to stderr as soon as it is done. It is nil for
	// a run that shows them in another way, or not at all.
	tell func(io.Writer, *report.Document) error
	// measured says that somebody wants the hashes of documents, though no report is
	// written.
	measured bool
	// quoted says that samples are shown with the text around them.
	quoted bool
	// unlisted says that nobody asks for a list of the documents once their findings are
	// written: an archive may hold a million.
	unlisted bool
	bar      *bar
	diffs    *states.Diffs // nil without --repairs
	length   measure       // of the document that is being read
	whole    *report.Report
}

func (r *washRun) run(ctx context.Context, args []string) error {
	if err := r.read(ctx, args); err != nil {
		return err
	}
	if err := r.writeStatistics(); err != nil {
		return fmt.Errorf("write the statistics: %w", err)
	}
	if err := writeVerdict(r.ui, r.options, r.whole); err != nil {
		return err
	}
	if err := r.tellRepairs(); err != nil {
		return err
	}
	return exitOf(r.whole)
}

// read washes every argument and completes the report.
func (r *washRun) read(ctx context.Context, args []string) error {
	start := time.Now()
	debug.SetMemoryLimit(min(r.options.memory*9/10, r.options.memory-programMemory))
	r.bar = r.ui.newBar(r.options.output)
	defer r.bar.stop()
	r.ui.reached.hasNone, r.ui.reached.eachDone = r.outputs == nil, r.options.inPlace || r.options.isFolder()
	args, err := r.expandFolders(args)
	if err != nil {
		return err
	}
	diffs, err := r.openRepairs()
	if err != nil {
		return err
	}
	defer diffs.abort()
	run := &washing.Run{
		Washer: states.Washer{
			Settings: r.settings, Given: r.options.given,
			Target: r.target, Each: r.each, Progress: r.progress, Samples: r.options.samples, Diffs: r.diffs,
			Unmeasured: r.options.report == "" && !r.measured,
			Unlisted:   r.unlisted,
			Quoted:     r.quoted || isPage(r.options.report),
		},
		Outputs: r.outputs, InPlace: r.options.inPlace, MostErrors: r.options.maxErrors,
	}
	if r.options.failFast {
		run.MostErrors = 1
	}
	r.whole = &run.Report
	if err := run.Read(ctx, args, r.options.opener(r.ui, len(args) > 1)); err != nil {
		return err
	}
	if run.IsStopped {
		r.ui.note("stopped at %s (--max-errors %d): the rest was not read, %s among it",
			counted(int(run.Met), "error", "errors"), run.MostErrors, counted(run.Unread, "input", "inputs"))
	}
	if err := diffs.close(); err != nil {
		return fmt.Errorf("write the repairs: %w", err)
	}
	r.bar.say("sorting and writing")
	if err := run.Finish(ctx); err != nil {
		return fmt.Errorf("write the output: %w", err)
	}
	run.Report.Walltime = time.Since(start).Seconds()
	run.Report.PeakMemory = peakMemory()
	return nil
}

// progress notes how far a document is read, and shows it.
func (r *washRun) progress(name string, bytes, size, statements, notices int64) {
	r.length = measure{bytes, size}
	r.bar.progress(name, bytes, size, statements, notices)
}

// each shows a document that is done, and says which of several files holds its statements.
func (r *washRun) each(d *report.Document) {
	advise(d)
	r.bar.reached.complete(1)
	r.options.adviseMemory(d, r.length)
	if r.tell != nil {
		r.bar.aside(func(w io.Writer) { r.tell(w, d) })
	}
	if d.WrittenTo != "" && !r.ui.quiet && !r.options.inPlace {
		r.bar.aside(func(w io.Writer) { fmt.Fprintf(w, "laundromat: %s is written to %s\n", d.Name, d.WrittenTo) })
	}
}
