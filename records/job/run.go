package job

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"laundromat/internal/fault"
	"laundromat/records"
	"laundromat/records/extract"
	"laundromat/records/match"
	"laundromat/records/schema"
)

// Document is what is read: text in UTF-8 that was unpacked and decoded before, or the bytes
// of a workbook.
type Document struct {
	extract.Document
	// URL is the address of a page, for its links; "" if it has none.
	URL string
	// Accessed is when it was fetched or opened; zero if that is not known.
	Accessed time.Time
}

// Run reads documents, one behind the other, into one sink. It belongs to one goroutine.
type Run struct {
	job     *Job
	last    *last
	checker *schema.Checker // nil without a schema
}

// Start begins a run. The records of all documents go to the sink, and so do headers of tables
// where no rule of the spec lies between.
func (j *Job) Start(to records.Sink) (*Run, error) {
	r := &Run{job: j, last: &last{to: to, allowEmpty: j.opt.AllowEmpty}}
	if j.schema == nil {
		return r, nil
	}
	var err error
	r.checker, err = j.schema.Check(r.last)
	return r, err
}

// Document reads all records of a document. Its findings go to notice. An error is a
// *records.SinkError if what the records flow into failed. Any other says that the document could
// not be read to its end; the counts are of what came before.
func (r *Run) Document(ctx context.Context, doc Document, notice func(fault.Notice)) (records.Counts, error) {
	r.last.begin(doc.Name, notice)
	first, end := r.chain()
	err := r.read(ctx, doc, first)
	err = errors.Join(err, sinkError(end()))
	if r.checker != nil {
		err = errors.Join(err, sinkError(r.checker.Settle()))
	}
	if err == nil && r.last.counts.Read == 0 && !r.last.nothing {
		r.last.Notice(fault.Notice{Code: fault.FormatEmpty, Severity: fault.Note, Message: "no records in the document"})
	}
	return r.last.counts, err
}

func sinkError(err error) error {
	var already *records.SinkError
	if err == nil || errors.As(err, &already) {
		return err
	}
	return &records.SinkError{Err: err}
}

// chain makes the sinks that a document flows through, and what ends it.
func (r *Run) chain() (first records.Sink, end func() error) {
	first, end = r.last, func() error { return nil }
	if r.checker != nil {
		first = r.checker
	}
	if r.job.opt.Strict {
		strict := &strict{to: first}
		first, end = strict, func() error { strict.tell(fault.Repair); return nil }
	}
	if r.job.fields != nil {
		stage, after := r.job.fields.Sink(unflushed{first}), end
		first, end = stage, func() error { return errors.Join(stage.Flush(), after()) }
	}
	return first, end
}

// Close ends the run: behind it, nothing comes.
func (r *Run) Close() error {
	if r.checker != nil {
		return sinkError(r.checker.Flush())
	}
	return sinkError(r.last.Flush())
}

// last is the end of the chain: it counts the records of the document at hand.
type last struct {
	to       records.Sink
	document string
	page     string // that the findings are about, where it is another
	notice   func(fault.Notice)
	counts   records.Counts
	nothing  bool // that nothing was found in the document was told

	allowEmpty bool
}

func (l *last) begin(document string, notice func(fault.Notice)) {
	l.document, l.page, l.notice, l.counts, l.nothing = document, document, notice, records.Counts{}, false
}

func (l *last) Record(r *records.Record) error {
	err := l.to.Record(r)
	if errors.Is(err, records.ErrLost) {
		l.counts.Read++
		l.counts.Dropped++
		return nil
	}
	if err != nil {
		return err
	}
	l.counts.Read++
	l.counts.Written++
	if r.Repaired {
		l.counts.Repaired++
	} else {
		l.counts.Kept++
	}
	return nil
}

// Notice counts the records that are lost. A place in another page than the document is told in
// words, as the finding is listed under the document.
func (l *last) Notice(n fault.Notice) {
	if n.Code == fault.RecordNothingFound {
		if l.nothing = true; l.allowEmpty {
			n.Severity, n.Lost = fault.Warning, 0
		}
	}
	if n.Severity == fault.Drop {
		l.counts.Read += int64(n.Lost)
		l.counts.Dropped += int64(n.Lost)
	}
	if l.page != l.document {
		at := l.page
		if n.Line > 0 {
			at = fmt.Sprintf("%s:%d:%d", at, n.Line, n.Column)
		}
		n.Message, n.Pos = at+": "+n.Message, fault.Pos{}
	}
	if l.notice != nil {
		l.notice(n)
	}
}

// Header hands a header on where the sink wants it.
func (l *last) Header(h *records.Header) {
	if to, ok := l.to.(records.HeaderSink); ok {
		to.Header(h)
	}
}

// Flush flushes the sink.
func (l *last) Flush() error {
	if to, ok := l.to.(records.Flusher); ok {
		return to.Flush()
	}
	return nil
}

// read reads a document into the chain.
func (r *Run) read(ctx context.Context, doc Document, to records.Sink) error {
	j := r.job
	opt := extract.Options{Source: j.source, MaxMemory: j.opt.MaxMemory, AllTables: j.opt.AllTables}
	if j.matcher == nil {
		return extract.Read(ctx, doc.Document, opt, to)
	}
	format, evidence, err := doc.Format(j.source)
	if err != nil {
		return err
	}
	about := match.Document{Name: doc.Name, URL: doc.URL, Accessed: doc.Accessed}
	switch {
	case format == "html" || format == "xml" && j.selectsElements():
		to.Notice(fault.Notice{Code: fault.RecordFormat, Severity: fault.Note, Message: fmt.Sprintf("it is read as %s: %s", format,
			evidence)})
		return j.readPage(ctx, format, doc.Text, about, paged{to, r.last})
	case (format == "json" || format == "yaml") && j.source.Records == "":
		opt.MaxItem = int(max(min(j.opt.MaxMemory/8, 1<<30), 1<<20))
		opt.Items = !j.matcher.IsList()
		if err := j.matcher.Fits(match.JSON); err != nil {
			return unfit(err)
		}
		values := &values{matcher: j.matcher, ctx: ctx, document: about, to: to}
		opt.Value = values.take
		err := extract.Read(ctx, doc.Document, opt, values)
		values.end()
		if err == nil && values.read > 0 && values.made == 0 {
			to.Notice(j.nothing(ctx, about, nil, values.names))
		}
		return err
	}
	made := &made{Sink: to}
	rows, err := j.matcher.Rows(ctx, about, made)
	if err != nil {
		return unfit(err)
	}
	looked := &looked{Sink: rows}
	err = extract.Read(ctx, doc.Document, opt, looked)
	if err == nil && looked.read > 0 && made.records == 0 {
		to.Notice(j.nothing(ctx, about, nil, looked.names))
	}
	return err
}

// selectsElements says that select works on the elements of a document in XML, and not on records that are made
// of them.
func (j *Job) selectsElements() bool {
	return j.matcher.Fits(match.XML) == nil && (j.source.Records == "" || j.matcher.OnElements())
}

// nothing is the finding of a document that has something, but nothing that the spec asks for.
func (j *Job) nothing(ctx context.Context, about match.Document, page []byte, names []string) fault.Notice {
	return fault.Notice{Code: fault.RecordNothingFound, Severity: fault.Drop, Lost: 1, Message: j.matcher.Nothing(ctx, about, page, names)}
}

// made counts the records that select makes, lost ones too.
type made struct {
	records.Sink
	records int
}

func (s *made) Record(r *records.Record) error {
	s.records++
	return s.Sink.Record(r)
}

func (s *made) Notice(n fault.Notice) {
	if n.Severity == fault.Drop && n.Lost > 0 {
		s.records++
	}
	s.Sink.Notice(n)
}

// looked counts the rows that select works on, and keeps the names in the first.
type looked struct {
	records.Sink
	read  int
	names []string
}

func (s *looked) Record(r *records.Record) error {
	if s.read++; s.read == 1 {
		s.names = namesOf(r.Fields)
	}
	return s.Sink.Record(r)
}

// namesOf are the names of fields.
func namesOf(fields []records.Field) (names []string) {
	for i := range fields[:min(len(fields), 100)] {
		names = append(names, fields[i].Name)
	}
	return names
}

// paged tells the end of the chain which page the findings that follow are about.
type paged struct {
	records.Sink
	last *last
}

func (p paged) Page(name string) { p.last.page = name }

// unfit says that the spec is for another kind of document.
func unfit(err error) error {
	return &fault.Error{Op: "job.read", Kind: fault.Data, Code: fault.RecordUnfit, Err: err}
}

// readPage reads a document that is selected from as a tree.
func (j *Job) readPage(ctx context.Context, format string, text io.Reader, about match.Document, to records.Sink) error {
	held, err := readWhole(text, j.opt.MaxMemory)
	if err != nil {
		return err
	}
	if format == "xml" {
		about.Records = j.source.Records
		counts, err := j.matcher.XML(ctx, about, held, to)
		if err == nil && counts.Read == 0 {
			to.Notice(j.nothing(ctx, about, nil, nil))
		}
		return err
	}
	if err := j.matcher.Fits(match.HTML); err != nil {
		return unfit(err)
	}
	var counts records.Counts
	switch {
	case j.plan == nil:
		counts, err = j.matcher.HTML(ctx, about, held, to)
	case j.opt.Named != nil:
		counts, err = j.plan.ReadPage(ctx, j.matcher, match.Page{Document: about, Text: held, IsDetail: j.isDetail}, j.opt.Named, to)
	default:
		counts, err = j.plan.Read(ctx, j.matcher, about, held, j.opt.Fetch, to)
	}
	if err == nil && counts.Read == 0 {
		to.Notice(j.nothing(ctx, about, held, nil))
	}
	return err
}

// readWhole reads a text into memory.
func readWhole(text io.Reader, most int64) ([]byte, error) {
	held, err := io.ReadAll(io.LimitReader(text, most+1))
	if err == nil && int64(len(held)) > most {
		err = fault.New("job.read", fault.Limit, fault.LimitMemory, "the page has more than the %d bytes that may be held", most)
	}
	return held, err
}
