package match

import (
	"context"
	"fmt"
	"iter"
	"strings"
	"time"

	"golang.org/x/net/html"

	"laundromat/internal/fault"
	"laundromat/records"
)

// Document is what is known of an input beside its text.
type Document struct {
	Name string // as people know it, for records
	URL  string // of the page: for page_url, and the base of links; "" if it has none
	// Records is the name of the elements in XML of which each is read by itself; "" for the whole document.
	Records string
	// Accessed is when the document was fetched or opened, for access_time; zero if unknown.
	Accessed time.Time
}

// run is the work of a matcher on one document.
type run struct {
	m        *Matcher
	ctx      context.Context
	document Document
	tree     *tree // nil for JSON
	to       records.Sink
	counts   records.Counts

	steps, bytes, values int64 // what is left of the limits
	told                 bool  // that a limit is used up

	present  *records.Record // what an expression sees
	field    string          // which is being made, for notices
	repaired bool            // something that the record is of was mended
	lost     *fault.Notice   // something that the record is of can't be trusted
	failed   error           // of the sink
	at       *html.Node      // the element that the record at hand is made of
}

func (m *Matcher) run(ctx context.Context, d Document, to records.Sink) *run {
	return &run{m: m, ctx: ctx, document: d, to: to, steps: m.opt.MaxSteps, bytes: m.opt.MaxBytes, values: 16 * m.opt.MaxRecords}
}

// HTML makes the records of a page. text is the decoded text of the page; it must not be
// changed while the matcher runs. The error is that of the sink (*records.SinkError), of the
// context, or of kind Limit.
func (m *Matcher) HTML(ctx context.Context, d Document, text []byte, to records.Sink) (records.Counts, error) {
	r := m.run(ctx, d, to)
	if err := m.check(HTML); err != nil {
		return r.counts, err
	}
	var err error
	if r.tree, err = htmlTree(ctx, text, &m.opt, to); err != nil {
		return r.counts, err
	}
	return r.all(item{kind: elementItem, el: r.tree.document})
}

// XML makes the records of a document in XML.
func (m *Matcher) XML(ctx context.Context, d Document, text []byte, to records.Sink) (records.Counts, error) {
	r := m.run(ctx, d, to)
	if err := m.check(XML); err != nil {
		return r.counts, err
	}
	var err error
	if r.tree, err = xmlTree(ctx, text, &m.opt, to); err != nil {
		return r.counts, err
	}
	if d.Records == "" {
		return r.all(item{kind: elementItem, el: r.tree.document})
	}
	for n := range elementsNamed(r.tree.document, d.Records) {
		before := r.counts.Read
		at := item{kind: elementItem, el: n}
		if _, err := r.all(at); err != nil || r.over() {
			return r.counts, err
		}
		if r.counts.Read == before {
			r.warn(at, nothingFound, m.nothing())
		}
	}
	return r.counts, nil
}

// elementsNamed are the elements of a name in XML that are in no other of that name, in order.
func elementsNamed(n *html.Node, name string) iter.Seq[*html.Node] {
	return func(yield func(*html.Node) bool) {
		var walk func(*html.Node) bool
		walk = func(n *html.Node) bool {
			for c := n.FirstChild; c != nil; c = c.NextSibling {
				if c.Type != html.ElementNode {
					continue
				}
				if nameOf(c) == name {
					if !yield(c) {
						return false
					}
				} else if !walk(c) {
					return false
				}
			}
			return true
		}
		walk(n)
	}
}

// Value makes the records of a value of JSON. Its members know their places; pos is its own.
func (m *Matcher) Value(ctx context.Context, d Document, v records.Value, pos fault.Pos, to records.Sink) (records.Counts, error) {
	r := m.run(ctx, d, to)
	if err := m.check(JSON); err != nil {
		return r.counts, err
	}
	at := item{kind: valueItem, json: jsonItem{value: &v, pos: pos}}
	counts, err := r.all(at)
	if err == nil && counts.Read == 0 && len(v.Fields) > 0 && m.each == nil {
		r.warn(at, nothingFound, m.nothing())
	}
	return counts, err
}

// Rows is a sink that takes the rows of a table or the elements of a tree, and makes the
// records of each.
func (m *Matcher) Rows(ctx context.Context, d Document, to records.Sink) (records.Sink, error) {
	if err := m.check(JSON); err != nil {
		return nil, err
	}
	return &rows{m: m, ctx: ctx, document: d, to: to}, nil
}

type rows struct {
	m        *Matcher
	ctx      context.Context
	document Document
	to       records.Sink
}

func (s *rows) Notice(n fault.Notice) { s.to.Notice(n) }

// Flush flushes what follows.
func (s *rows) Flush() error {
	if f, ok := s.to.(records.Flusher); ok {
		return f.Flush()
	}
	return nil
}

func (s *rows) Record(row *records.Record) error {
	d := s.document
	if row.Document != "" {
		d.Name = row.Document
	}
	r := s.m.run(s.ctx, d, &ofRow{s.to, row})
	v := records.Value{Kind: records.Object, Fields: row.Fields}
	r.repaired = row.Repaired
	at := item{kind: valueItem, json: jsonItem{value: &v, pos: row.Pos}}
	counts, err := r.all(at)
	if err == nil && counts.Read == 0 {
		r.warn(at, nothingFound, s.m.nothing())
	}
	return err
}

// ofRow gives records what is known of the row that they come from.
type ofRow struct {
	records.Sink
	row *records.Record
}

func (s *ofRow) Record(rec *records.Record) error {
	rec.Table, rec.Repaired = s.row.Table, rec.Repaired || s.row.Repaired
	for _, w := range s.row.Was {
		if rec.Field(w.Field) != nil {
			rec.Was = append(rec.Was, w)
		}
	}
	return s.Sink.Record(rec)
}

// check refuses selectors that do not work on the source.
func (m *Matcher) check(source Source) error {
	for _, s := range m.selectors {
		if err := s.check(source); err != nil {
			return err
		}
	}
	return nil
}

// all makes all records of a document, a row or an element.
func (r *run) all(root item) (records.Counts, error) {
	take := func(at item) bool {
		r.repaired, r.lost, r.present, r.field, r.at = false, nil, nil, "", at.el
		v, ok := r.m.root.find(r, at)
		if !ok && r.m.each != nil && !r.over() && r.m.root.sel == nil {
			v, ok = result{value: records.Value{Kind: records.Object}, from: origin{el: at.el, pos: at.json.pos}}, true
		}
		if ok && v.value.Kind == records.Object && !r.over() {
			r.give(v)
		}
		return r.failed == nil && !r.over() && r.ctx.Err() == nil
	}
	if r.m.each == nil {
		take(root)
	} else {
		r.every(r.m.each, root, take)
	}
	switch {
	case r.failed != nil:
		return r.counts, &records.SinkError{Err: r.failed}
	case r.ctx.Err() != nil:
		return r.counts, r.ctx.Err()
	case r.over():
		r.tellLimit()
	}
	return r.counts, nil
}

// give passes a record on.
func (r *run) give(v result) {
	r.counts.Read++
	if r.counts.Read > r.m.opt.MaxRecords {
		r.values = 0
		r.counts.Read--
		return
	}
	rec := &records.Record{Fields: v.value.Fields, Document: r.document.Name, Repaired: r.repaired}
	rec.Pos, rec.Element = r.place(v.from)
	if r.lost != nil {
		n := *r.lost
		n.Severity, n.Lost = fault.Drop, 1
		r.counts.Dropped++
		r.to.Notice(n)
		return
	}
	if rec.Repaired {
		r.counts.Repaired++
	} else {
		r.counts.Kept++
	}
	r.counts.Written++
	r.failed = r.to.Record(rec)
}

// over says that a limit is used up.
func (r *run) over() bool { return r.steps <= 0 || r.bytes < 0 || r.values <= 0 }

func (r *run) tellLimit() {
	if r.told {
		return
	}
	r.told = true
	which := fmt.Sprintf("selectors looked at more than %d elements", r.m.opt.MaxSteps)
	switch {
	case r.bytes < 0:
		which = fmt.Sprintf("the values have more than %d bytes", r.m.opt.MaxBytes)
	case r.values <= 0:
		which = fmt.Sprintf("there are more than %d records, or 16 times as many values in lists", r.m.opt.MaxRecords)
	}
	r.counts.Read++
	r.counts.Dropped++
	r.to.Notice(fault.Notice{Code: workLimit, Severity: fault.Drop, Lost: 1,
		Message: which + "; the record at hand and those after it are lost"})
}

// keep counts the bytes of a value.
func (r *run) keep(s string) string {
	if r.bytes -= int64(len(s)); r.bytes < 0 {
		return ""
	}
	return s
}

// items counts a value of a list, and says whether there may be one more.
func (r *run) items() bool {
	r.values--
	return r.values > 0
}

// see notes what was mended or lost of an element that a value comes from.
func (r *run) see(n *html.Node) {
	if r.tree == nil || r.tree.xml == nil {
		return
	}
	if x := r.tree.xml[n]; x != nil {
		r.repaired = r.repaired || x.repaired
		if r.lost == nil {
			r.lost = x.lost
		}
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode {
			r.see(c)
		}
	}
}

func (r *run) warn(at item, code fault.Code, message string) {
	r.warnAt(origin{el: at.el, pos: at.json.pos}, code, message)
}

// warnAt gives a warning about the field at hand.
func (r *run) warnAt(from origin, code fault.Code, message string) {
	n := fault.Notice{Code: code, Severity: fault.Warning, Field: r.field, Message: message}
	n.Pos, n.Element = r.place(from)
	r.to.Notice(n)
}

// place is where a value begins, and the element that it comes from.
func (r *run) place(from origin) (fault.Pos, string) {
	if from.el == nil {
		return from.pos, ""
	}
	if r.tree == nil || from.el.Type != html.ElementNode {
		return fault.Pos{}, ""
	}
	t := r.tree
	element := t.path(from.el)
	start, inner, end, ok := t.span(from.el)
	if !ok {
		for p := parentOf(from.el); p != nil && !ok; p = parentOf(p) {
			start, _, _, ok = t.span(p)
		}
		return t.lines.at(start), element
	}
	at := start
	switch {
	case from.attr != "":
		at = attrPlace(t.source, start, inner, from.attr)
	case from.part == ofText:
		at = skipMarkup(t.source, inner, end)
	case from.part == ofContent:
		at = inner
	}
	// Where the text before the value is written as it is, the value has its own place.
	if from.skip != "" && strings.HasPrefix(t.source[min(at, len(t.source)):], from.skip) {
		at += len(from.skip)
	}
	return t.lines.at(at), element
}
