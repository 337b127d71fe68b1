package extract

import (
	"slices"
	"strings"

	"laundromat/internal/fault"
	"laundromat/records"
)

// grid gives rows of cells that need not be cut out of text: those of a sheet or a page.
type grid struct {
	next  func() (*row, error) // nil at the end
	queue []*row
	cells int // that were read so far
}

func (g *grid) take() (*row, error) {
	r, err := g.peek(0)
	if r != nil {
		g.queue = append(g.queue[:0], g.queue[1:]...)
	}
	return r, err
}

func (g *grid) peek(n int) (*row, error) {
	for len(g.queue) <= n {
		r, err := g.next()
		if err != nil || r == nil {
			return nil, err
		}
		r.raw = strings.Join(r.texts, " | ")
		r.blank = strings.Trim(r.raw, " |\t\n") == ""
		g.cells += len(r.texts)
		r.cells = g.cells
		g.queue = append(g.queue, r)
	}
	return g.queue[n], nil
}

// cellBytes is what a cell of a grid counts for, where rows are looked at ahead.
const cellBytes = 16

// within says that the rows up to r have no more cells than may be looked at.
func (g *grid) within(r *row, bytes int) bool {
	return len(g.queue) == 0 || (r.cells-g.queue[0].cells+len(g.queue[0].texts))*cellBytes <= bytes
}

func (g *grid) setWidth(int) {}

// emitCells passes the first n cells of a row of a grid on as a record; cells without a value make no field.
func (t *table) emitCells(r *row, n int) error {
	fields, labels := t.fields[:0], t.labels
	if n > len(labels) {
		t.label(n - 1)
		labels = slices.Concat(labels, t.beyond)
	}
	t.ragged = t.ragged || filledWidth(r) < len(t.labels)
	for i := range n {
		v := records.TextOf(r.texts[i])
		if i < len(r.kinds) {
			if v.Kind = r.kinds[i]; v.Kind == records.Null {
				continue
			}
		}
		fields = append(fields, records.Field{Name: labels[i], Value: v, Pos: r.places[i], Element: r.element})
	}
	t.count++
	t.since++
	t.record = records.Record{Fields: fields, Document: t.document, Table: t.name, Pos: r.pos, Element: r.element, Repaired: r.repaired}
	if err := t.to.Record(&t.record); err != nil {
		return &records.SinkError{Err: err}
	}
	return nil
}

// runGrid reads the tables of a grid.
func runGrid(t *table, next func() (*row, error)) error {
	t.rows, t.grid = &grid{next: next}, true
	return t.run()
}

func cellPlace(line, column int) fault.Pos {
	return fault.Pos{Line: int64(line), Column: int64(column)}
}
