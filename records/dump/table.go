package dump

import (
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"

	"laundromat/internal/fault"
	"laundromat/records"
)

// state is what a field without a value can be, as a set.
type state uint8

const (
	isAbsent state = 1 << iota
	isNull
	isEmpty // text without characters
)

// A cell is what a row has in a column.
type cell struct {
	kind cellKind
	text string // as of records.Value; of lists and objects their JSON
}

type cellKind uint8

const (
	absent cellKind = iota
	null
	text
	number
	boolean
	list
	object
)

// kindSet is a set of kinds of cells.
type kindSet uint8

func (k cellKind) set() kindSet { return 1 << k }

var cellKinds = [...]cellKind{records.Null: null, records.Text: text, records.Number: number, records.Bool: boolean,
	records.List: list, records.Object: object}

// A row is a record with its values in columns. It is valid until the next one.
type row struct {
	number int64 // from 1
	cells  []cell
	was    []original
}

// original is what a cell held before a rule changed it.
type original struct {
	field, rule string
	value       string // as JSON
}

// A column is what is known of a field in all records so far.
type column struct {
	name     string
	declared string // the type of Table Schema that is declared
	shape    shape  // decided when all is known
	row      int64  // the last row that has a value here

	seen     int64   // the rows that have the field
	kinds    kindSet // of its values
	states   state
	integers bool // all numbers are 64-bit integers
	exact    bool // all numbers are the same as doubles
	misfit   bool // a value is not of the declared type

	toldFormula, toldNumber bool
}

// A table is the columns of all records, in the order in which they appeared.
type table struct {
	columns []*column
	index   map[string]int
	rows    int64
	current row
	scratch []byte

	name    string
	traits  traits
	safe    bool
	fixed   bool // no column is added
	most    int
	last    []string // the columns that come last
	known   int      // columns that were known beforehand
	behind  int      // how many of these come after those that were not
	notices func(fault.Notice)
}

func newTable(opt Options, all traits) *table {
	t := &table{index: map[string]int{}, name: opt.Table, traits: all, safe: opt.Safe, most: opt.MaxColumns, notices: opt.Notices}
	for _, f := range opt.Fields {
		name := validUTF8(f.Name)
		if _, twice := t.index[name]; twice {
			continue
		}
		t.add(name)
		if c := t.columns[len(t.columns)-1]; f.Type != "any" {
			c.declared = f.Type
		}
	}
	if t.most == 0 {
		t.most = all.most
	}
	t.known, t.behind = len(t.columns), min(opt.Behind, len(t.columns))
	if opt.Places {
		t.last = placeNames
	}
	return t
}

// placeNames are the fields that say where a record comes from. They come last.
var placeNames = []string{"_source", "_line", "_element"}

// arrange puts the columns into the order in which they are written. It gives the place that
// each has then. No row is observed after it.
func (t *table) arrange() (places []int) {
	rank := func(at int) int {
		switch {
		case at < t.known-t.behind:
			return 0
		case at < t.known:
			return 2
		case slices.Contains(t.last, t.columns[at].name):
			return 3
		}
		return 1
	}
	order := make([]int, len(t.columns))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return rank(a) - rank(b) })
	places = make([]int, len(order))
	columns := make([]*column, len(order))
	for to, from := range order {
		places[from], columns[to] = to, t.columns[from]
	}
	t.columns = columns
	return places
}

// add makes a column, whose name is valid UTF-8.
func (t *table) add(name string) int {
	t.index[name] = len(t.columns)
	t.columns = append(t.columns, &column{name: name, integers: true, exact: true})
	t.current.cells = append(t.current.cells, cell{})
	return len(t.columns) - 1
}

// find is the place of a field's column. A second field of the same name in a record gets a
// column of its own. Its name is made as for a table whose header has a label twice.
func (t *table) find(name string, guess int) (int, error) {
	if guess < len(t.columns) && t.columns[guess].name == name && t.columns[guess].row != t.rows {
		return guess, nil
	}
	name = validUTF8(name)
	base := name
	for n := 2; ; n++ {
		at, known := t.index[name]
		if known && t.columns[at].row != t.rows {
			return at, nil
		}
		if !known {
			if t.fixed {
				return 0, fmt.Errorf("a record has the field %q, which is none of the columns that were fixed", base)
			}
			if len(t.columns) >= t.most {
				return 0, fault.New("dump.Record", fault.Limit, fault.LimitColumns,
					"the records have more than %d fields of different names, and a table of %s has no more columns", t.most,
					t.traits.widest)
			}
			return t.add(name), nil
		}
		name = base + "_" + strconv.Itoa(n)
	}
}

// validUTF8 is a text with U+FFFD for each stray byte, as JSON has it.
func validUTF8(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	return string([]rune(text))
}

// observe puts a record into a row, and learns what its columns hold.
func (t *table) observe(r *records.Record) (*row, error) {
	t.rows++
	t.current.number = t.rows
	clear(t.current.cells)
	for i := range r.Fields {
		f := &r.Fields[i]
		at, err := t.find(f.Name, i)
		if err != nil {
			return nil, err
		}
		c := t.columns[at]
		c.row = t.rows
		c.seen++
		cell := &t.current.cells[at]
		cell.kind, cell.text = cellKinds[f.Value.Kind], f.Value.Text
		if cell.kind >= list {
			t.scratch = f.Value.AppendJSON(t.scratch[:0])
			cell.text = string(t.scratch)
		} else {
			cell.text = validUTF8(cell.text)
		}
		t.learn(c, cell, r, f)
	}
	t.current.was = t.current.was[:0]
	for _, w := range r.Was {
		t.scratch = w.Value.AppendJSON(t.scratch[:0])
		t.current.was = append(t.current.was, original{field: w.Field, rule: w.Rule, value: string(t.scratch)})
	}
	return &t.current, nil
}

// learn notes what kind of value a column has.
func (t *table) learn(c *column, v *cell, r *records.Record, f *records.Field) {
	c.kinds |= v.kind.set()
	switch v.kind {
	case null:
		c.states |= isNull
		return
	case text:
		if v.text == "" {
			c.states |= isEmpty
		} else if t.traits.text && !t.safe && !c.toldFormula && isFormula(v.text) {
			c.toldFormula = true
			t.notices(r.FieldNotice(f, fault.DumpFormula, fault.Note,
				"a spreadsheet may take this text for a formula; it is written as it is"))
		}
	case number:
		if c.integers && !isInteger(v.text) {
			c.integers = false
		}
		if c.exact && !isExact(v.text) {
			c.exact = false
		}
		if !c.toldNumber && (!c.exact && t.traits.typed && !isInteger(v.text) && !isExact(v.text) || t.traits.sheets &&
			!fitsSheet(v.text)) {
			c.toldNumber = true
			t.notices(r.FieldNotice(f, fault.DumpNumber, fault.Note, "the number has more digits than the format holds; it is written "+
				"as text"))
		}
	}
	if c.declared != "" && !c.misfit && !fits(c.declared, v) {
		c.misfit = true
		if t.traits.typed {
			t.notices(r.FieldNotice(f, fault.DumpColumnType, fault.Warning, fmt.Sprintf(
				"the column is declared as %s, which this value is not; its type is that of what is in it", c.declared)))
		}
	}
}

// tellMerged reports, once for a column, which states of a field share a cell there.
func (t *table) tellMerged() {
	for _, c := range t.columns {
		if c.seen < t.rows {
			c.states |= isAbsent
		}
		both := c.states & t.traits.same
		if both&(both-1) == 0 {
			continue
		}
		names := ""
		for i, name := range [...]string{"absent", "null", "an empty text"} {
			if both&(1<<i) != 0 {
				if names != "" {
					names += " or "
				}
				names += name
			}
		}
		t.notices(fault.Notice{Code: fault.DumpSameCell, Severity: fault.Note, Field: c.name,
			Message: fmt.Sprintf("the field %q is %s; all of these are the same empty cell", c.name, names)})
	}
}
