package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"laundromat/internal/fault"
	"laundromat/internal/outfile"
	"laundromat/rdf/format"
	"laundromat/records"
	"laundromat/report"
	"laundromat/seedlist"
	"laundromat/states"
	"laundromat/states/inputs"
	"laundromat/text/job"
)

// textRun is one run of text.
type textRun struct {
	ui      *ui
	options *textOptions
	inputs  *inputs.Opener
	further *inputs.FurtherPages
	job     job.Options
	format  *job.Output
	out     *bufio.Writer
	begun   bool // an article is written

	added string // when the input at hand was fetched; empty for files
	isWeb bool   // pages of entries may be fetched: the input itself was

	whole     report.Report
	documents []*report.Document
	unlisted  bool // nobody asks for a list of the documents once their findings are written
	showing   report.Showing
	bar       *bar
}

// run reads all inputs, completes the output, and says what became of it.
func (r *textRun) run(ctx context.Context, args []string) error {
	start := time.Now()
	debug.SetMemoryLimit(min(r.options.memory*9/10, r.options.memory-programMemory))
	r.bar = r.ui.newBar(r.options.output)
	defer r.bar.stop()
	r.whole.Articles = &report.Articles{}
	if err := r.write(ctx, args); err != nil {
		return err
	}
	r.bar.stop()
	return conclude(r.ui, &r.options.washOptions, &r.whole, r.documents, start)
}

// conclude writes the report and the verdict of a run, and gives its exit.
func conclude(u *ui, o *washOptions, whole *report.Report, documents []*report.Document, start time.Time) error {
	for _, d := range documents {
		whole.Documents = append(whole.Documents, *d)
		whole.AddRecords(d)
	}
	whole.SamplesEach = o.samples
	whole.Walltime = time.Since(start).Seconds()
	whole.PeakMemory = peakMemory()
	if o.report != "" {
		if err := writeReport(o.report, whole); err != nil {
			return err
		}
	}
	verdict := report.WriteVerdict
	if u.quiet {
		verdict = report.WriteErrors
	}
	if err := verdict(u.err, whole, coloured(u.err)); err != nil {
		return err
	}
	if code := whole.ExitCode(); code != exitOK {
		return exit(code, nil)
	}
	return nil
}

// write reads all inputs into the output, which takes its name when all is read.
func (r *textRun) write(ctx context.Context, args []string) error {
	path, err := r.options.path()
	if err != nil {
		return err
	}
	to := r.ui.out
	var file wholeFile
	if path != "" {
		if file, err = createWhole(path); err != nil {
			return err
		}
		defer file.Abort()
		to = file
	} else if isTerminal(r.ui.out) {
		to = &shownWriter{to: to}
	}
	r.out = bufio.NewWriterSize(to, 256<<10)
	if _, err := r.out.Write(r.format.Begin()); err != nil {
		return err
	}
	if err := r.read(ctx, args); err != nil {
		return written(err)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := r.out.Flush(); err != nil || file == nil {
		return err
	}
	return file.Close()
}

// wholeFile is a file that is kept if it is closed.
type wholeFile interface {
	io.WriteCloser
	Abort()
}

// createWhole begins a file that takes its name when it is closed. A device or pipe is written in place, and of a link
// what it leads to is replaced.
func createWhole(path string) (wholeFile, error) {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		file, err := os.OpenFile(path, os.O_WRONLY, 0)
		return inPlace{file}, err
	}
	return outfile.Create(path)
}

// inPlace is a device or pipe: nothing can be taken back.
type inPlace struct{ *os.File }

func (f inPlace) Abort() { f.File.Close() }

// read reads all inputs.
func (r *textRun) read(ctx context.Context, args []string) (err error) {
	reader := r.reader()
	defer func() { // work that was put off must not outlive the run
		if waited := reader.Wait(); err == nil {
			err = waited
		}
	}()
	for _, arg := range args {
		input := func(ctx context.Context, in states.Input) error {
			r.added, r.isWeb = "", inputs.IsWeb(arg)
			if inputs.IsWeb(arg) {
				r.added = time.Now().UTC().Format(time.RFC3339)
				if in.Key == "" {
					in.Key = seedlist.Key(in.Base)
				}
			}
			return reader.Input(ctx, in)
		}
		if err := r.inputs.With(ctx, arg, input, withAdvice(reader.Report)); err != nil {
			return err
		}
	}
	return nil
}

// reader goes through the inputs.
func (r *textRun) reader() *states.TextReader {
	settings := r.options.reading()
	settings.Workers = r.options.textWorkers()
	given := r.options.given
	given.Format = ""
	return &states.TextReader{
		Settings: settings, Given: given, Look: noText, Read: r.document, Each: r.each,
		Progress: r.bar.progress, Samples: r.options.samples, Measured: r.options.report != "",
		OfArticles: true, ReadsBack: r.job.Mojibake == job.MendMojibake,
	}
}

func (r *textRun) each(d *report.Document) {
	if !r.ui.quiet {
		r.bar.aside(func(w io.Writer) { r.showing.Write(w, d, coloured(r.ui.err)) })
	}
	if r.unlisted {
		r.whole.Count(d)
		return
	}
	r.documents = append(r.documents, d)
}

// noText refuses bytes that are no text.
func noText(head []byte) error {
	if found := format.GuessBytes(head); found.NotRDF != "" {
		return fault.New("text", fault.Data, fault.TextFormat, "no page, feed or text: it is %s", found.NotRDF)
	}
	return nil
}

// guess says what a document is.
func (r *textRun) guess(ctx context.Context, x *states.Text, doc *job.Document) (job.Form, error) {
	if r.options.form != "" {
		return r.options.form, nil
	}
	form, sure, err := job.Guess(doc, x.Decoded)
	if err != nil || sure || form != job.Plain {
		return form, err
	}
	switch found := format.Guess(x.Decoded, x.Whole, x.ContentType, x.FileName).Try(ctx, x.Decoded, x.Whole); found.Format {
	case format.NTriples, format.NQuads, format.Turtle, format.TriG, format.N3, format.RDFXML, format.TriX:
		return "", fault.New("text", fault.Data, fault.TextFormat, "no page, feed or text: it is %s, which \"laundromat wash\" reads",
			found.Format)
	}
	return form, nil
}

// document reads the articles of one document.
func (r *textRun) document(ctx context.Context, x *states.Text) error {
	if x.Text == nil {
		return fault.New("text", fault.Data, fault.TextFormat, "no page, feed or text: it is a package of an office program")
	}
	doc := job.Document{Name: x.Name, FileName: x.FileName, MediaType: x.ContentType, Added: r.added}
	if !x.BaseIsFile {
		doc.URL = x.Base
	}
	if x.Status != 0 && x.Status/100 != 2 {
		x.Notice(fault.Notice{Code: fault.TextStatus, Severity: fault.Warning,
			Message: fmt.Sprintf("it came with the status %s: it may be the server's own words, and not the page", statusText(x.Status))})
	}
	key, err := x.Key(ctx)
	if err != nil {
		return err
	}
	doc.Key = keyOf(x.Name, doc.URL, key)
	doc.Form, err = r.guess(ctx, x, &doc)
	x.Format = string(doc.Form)
	if err != nil {
		return err
	}
	if job.IsStream(doc.Form) {
		return r.stream(ctx, x, doc)
	}
	limit := r.options.memory / 8
	source, err := io.ReadAll(io.LimitReader(x.Text, limit+1))
	if err != nil {
		return err
	}
	if int64(len(source)) > limit {
		return fault.New("text", fault.Limit, fault.LimitMemory, "it is longer than the %d bytes that --memory leaves for a page", limit)
	}
	if doc.Form == job.Feed && r.isWeb {
		doc.Page = r.further.Page
	}
	return r.make(ctx, x, source, doc)
}

// statusText is a status of HTTP with its name, if it has one.
func statusText(status int) string {
	return strings.TrimSpace(fmt.Sprint(status, " ", http.StatusText(status)))
}

// keyOf makes the id of an article: the key of its URL, else that of its member. Parts of a member are its children.
func keyOf(name, url, member string) func(string) string {
	return func(uri string) string {
		rest, isMember := strings.CutPrefix(uri, name)
		switch {
		case isMember && rest == "" && url == "":
			return member
		case isMember && strings.HasPrefix(rest, " "):
			return seedlist.ChildKey(member, rest[1:], 1)
		}
		return seedlist.Key(uri)
	}
}

// stream writes the articles of a file of f5 or full5 as they are read.
func (r *textRun) stream(ctx context.Context, x *states.Text, doc job.Document) error {
	if err := x.Wait(); err != nil {
		return err
	}
	var buffer []byte
	count, err := r.job.Stream(ctx, x.Text, doc, listener(x.Notice), func(item *job.Item) error {
		buffer = r.append(buffer[:0], item, listener(x.Notice))
		return r.put(buffer)
	})
	x.Articles = report.Articles(count)
	return err
}

// make makes the articles of a document that is held whole: a small one beside the reading of the next.
func (r *textRun) make(ctx context.Context, x *states.Text, source []byte, doc job.Document) error {
	var buffer []byte
	work := func() error {
		count, err := r.job.Whole(ctx, source, doc, listener(x.Notice), func(item *job.Item) error {
			buffer = r.append(buffer, item, listener(x.Notice))
			return nil
		})
		x.Articles = report.Articles(count)
		return err
	}
	finish := func() error { return r.put(buffer) }
	if doc.Page == nil && int64(len(source)) < r.options.memory/int64(64*(r.options.textWorkers()+1)) {
		x.Later(work, finish)
		return nil
	}
	if err := x.Wait(); err != nil {
		return err
	}
	if err := work(); err != nil {
		return err
	}
	return finish()
}

// append appends an article as the format has it.
func (r *textRun) append(dst []byte, item *job.Item, to job.Listener) []byte {
	before := len(dst)
	if r.format.Format == "text" {
		dst = append(dst, job.Separator...)
	}
	from := len(dst)
	if dst = r.format.Append(dst, item, to); len(dst) == from {
		return dst[:before]
	}
	return dst
}

// put writes to the output.
func (r *textRun) put(text []byte) error {
	if r.format.Format == "text" && len(text) > 0 && !r.begun {
		text = text[len(job.Separator):]
	}
	r.begun = r.begun || len(text) > 0
	if _, err := r.out.Write(text); err != nil {
		return &records.SinkError{Err: err}
	}
	return nil
}

// listener hands findings to a function.
type listener func(fault.Notice)

func (l listener) Notice(n fault.Notice) { l(n) }
