package report

import (
	"fmt"
	"slices"

	"laundromat/internal/fault"
	"laundromat/records"
)

// counted is what is kept of documents that are not listed. It is what the verdict says of them
// all, in memory that does not grow with their number.
type counted struct {
	documents int
	rdf       bool // at least one of them is RDF
	failed    bool // one ended in an error, other than being no RDF
	dropped   bool
	table     table
	worst     worst
	errors    []endings
}

// endings are the documents that ended in one code of error.
type endings struct {
	code   fault.Code
	shown  []ending // the first of them, up to errorsShown
	others int
}

// ending is what the verdict says of a document that ended in an error.
type ending struct {
	name  string
	err   *DocumentError
	place int // among all documents that are counted
}

// errorsShown is how many counted documents are named of those that ended in one error code. An
// archive may hold a million that are no RDF.
const errorsShown = 1000

// Count takes a document for the verdict alone: all else that anybody asks for has been written. It
// is not listed in Documents. Documents are either all listed or all counted.
func (r *Report) Count(d *Document) {
	c := &r.counted
	r.Statements.Add(d.Statements)
	r.AddRecords(d)
	r.Sources.Add(d.Sources)
	if d.Output {
		c.dropped = c.dropped || d.Statements.Dropped > 0
		c.table.add(d)
		return
	}
	c.documents++
	c.rdf = c.rdf || !d.isNotRDF() && !d.isContainer()
	c.failed = c.failed || d.Error != nil && !d.isNotRDF()
	c.dropped = c.dropped || d.hasLoss()
	c.table.add(d)
	c.worst.add(d)
	if d.Error == nil {
		return
	}
	i := slices.IndexFunc(c.errors, func(e endings) bool { return e.code == d.Error.Code })
	if i < 0 {
		i = len(c.errors)
		c.errors = append(c.errors, endings{code: d.Error.Code})
	}
	if e := &c.errors[i]; len(e.shown) < errorsShown {
		e.shown = append(e.shown, ending{d.Name, d.Error, c.documents})
	} else {
		e.others++
	}
}

// AddRecords adds the records or articles of a document to the totals.
func (r *Report) AddRecords(d *Document) {
	if d.Articles != nil {
		if r.Articles == nil {
			r.Articles = &Articles{}
		}
		r.Articles.Read += d.Articles.Read
		r.Articles.Kept += d.Articles.Kept
		r.Articles.Empty += d.Articles.Empty
		r.Articles.addPhases(d.Articles.Phases)
	}
	if d.Records == nil {
		return
	}
	if r.Records == nil {
		r.Records = &records.Counts{}
	}
	r.Records.Add(*d.Records)
}

// sums are the totals as a line says them.
func (r *Report) sums() string {
	if c := r.Records; c != nil {
		line := fmt.Sprintf("%d records read, %d kept, %d repaired, %d dropped, %d written", c.Read, c.Kept, c.Repaired, c.Dropped,
			c.Written)
		if r.Statements.Read > 0 {
			line += "; " + r.statements()
		}
		return line
	}
	if a := r.Articles; a != nil {
		line := fmt.Sprintf("%d articles read, %d kept, %d empty", a.Read, a.Kept, a.Empty)
		switch {
		case a.Repeated > 0 && a.areDropped:
			line += fmt.Sprintf("; %d of these repeat others and are left out", a.Repeated)
		case a.Repeated > 0:
			line += fmt.Sprintf("; %d of these repeat others", a.Repeated)
		}
		return line
	}
	return r.statements()
}

func (r *Report) statements() string {
	s := r.Statements
	return fmt.Sprintf("%d statements read, %d kept, %d repaired, %d dropped, %d duplicates, %d written",
		s.Read, s.Kept, s.Repaired, s.Dropped, s.Duplicates, s.Written)
}

// Total is how many documents there were, listed and counted ones.
func (r *Report) Total() int {
	n := len(r.Documents) + r.counted.documents
	for i := range r.Documents {
		if r.Documents[i].Output {
			n--
		}
	}
	return n
}

// endings are the documents that ended in an error, in their order, and how many more
// there were of each code.
func (r *Report) endings() (shown []ending, others []endings) {
	for i := range r.Documents {
		if d := &r.Documents[i]; d.Error != nil {
			shown = append(shown, ending{d.Name, d.Error, i})
		}
	}
	for _, e := range r.counted.errors {
		shown = append(shown, e.shown...)
		if e.others > 0 {
			others = append(others, e)
		}
	}
	slices.SortStableFunc(shown, func(a, b ending) int { return a.place - b.place })
	return shown, others
}
