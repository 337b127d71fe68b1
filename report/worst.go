package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"laundromat/internal/fault"
)

// worstShown is how many documents the verdict names, the worst first.
const worstShown = 20

// verdictOf is how bad a document is: the row of a table by document.
type verdictOf struct {
	Name   string
	Error  fault.Code // that it ended in; "" for none, and for what is no data at all
	counts [fault.Drop + 1]int64
	// Section is the place of its section on the page.
	Section int
}

// verdict says how bad a document is.
func (d *Document) verdict() verdictOf {
	v := verdictOf{Name: oneLine(d.Name)}
	if d.Error != nil && !d.isNotRDF() {
		v.Error = d.Error.Code
	}
	for _, f := range d.Findings {
		v.counts[f.Severity] += f.Count
	}
	return v
}

// Drops, Repairs, Warnings and Notes are how many findings there are of a severity.
func (v *verdictOf) Drops() int64    { return v.counts[fault.Drop] }
func (v *verdictOf) Repairs() int64  { return v.counts[fault.Repair] }
func (v *verdictOf) Warnings() int64 { return v.counts[fault.Warning] }
func (v *verdictOf) Notes() int64    { return v.counts[fault.Note] }

// isFaulty says that something was found that is wrong, or doubtful. A note tells of neither.
func (v *verdictOf) isFaulty() bool { return v.Drops() > 0 || v.Repairs() > 0 || v.Warnings() > 0 }

// worse orders documents, the worst first: those that ended in an error, then by what is lost, changed and doubtful.
func worse(a, b *verdictOf) int {
	if (a.Error != "") != (b.Error != "") {
		if a.Error != "" {
			return -1
		}
		return 1
	}
	for severity := fault.Drop; severity > 0; severity-- {
		if c := cmp.Compare(b.counts[severity], a.counts[severity]); c != 0 {
			return c
		}
	}
	return 0
}

// worst are the worst documents of a run, and how many there are with a fault. Its memory has a bound. A document that
// ended in an error before anything was found in it is named with its error instead.
type worst struct {
	rows   []verdictOf
	faulty int
}

func (w *worst) add(d *Document) {
	v := d.verdict()
	if d.Output || !v.isFaulty() {
		return
	}
	w.faulty++
	at, _ := slices.BinarySearchFunc(w.rows, &v, func(row verdictOf, v *verdictOf) int {
		if worse(&row, v) <= 0 { // of equal ones the first that came stays the first
			return -1
		}
		return 1
	})
	if at == worstShown {
		return
	}
	if len(w.rows) == worstShown {
		w.rows = w.rows[:worstShown-1]
	}
	w.rows = slices.Insert(w.rows, at, v)
}

// worstOf are the worst documents of a run.
func (r *Report) worstOf() worst {
	all := worst{slices.Clone(r.counted.worst.rows), r.counted.worst.faulty}
	for i := range r.Documents {
		all.add(&r.Documents[i])
	}
	return all
}

// writeTo writes the table by document, with an empty line behind it. With fewer than two documents that have a fault,
// the table by code says it all.
func (w *worst) writeTo(b *strings.Builder) {
	if w.faulty < 2 {
		return
	}
	heads := []string{"drop", "repair", "warning"}
	wide := []int{len(heads[0]), len(heads[1]), len(heads[2])}
	cells := func(v *verdictOf) []int64 { return []int64{v.Drops(), v.Repairs(), v.Warnings()} }
	for i := range w.rows {
		for j, n := range cells(&w.rows[i]) {
			wide[j] = max(wide[j], len(strconv.FormatInt(n, 10)))
		}
	}
	for j, head := range heads {
		fmt.Fprintf(b, "%*s  ", wide[j], head)
	}
	b.WriteString("document\n")
	for i := range w.rows {
		v := &w.rows[i]
		for j, n := range cells(v) {
			fmt.Fprintf(b, "%*d  ", wide[j], n)
		}
		b.WriteString(v.Name)
		if v.Error != "" {
			fmt.Fprintf(b, " (%s)", v.Error)
		}
		b.WriteByte('\n')
	}
	switch more := w.faulty - len(w.rows); {
	case more == 1:
		b.WriteString("and 1 more document with findings\n")
	case more > 1:
		fmt.Fprintf(b, "and %d more documents with findings\n", more)
	}
	b.WriteByte('\n')
}
