package schema

import (
	"fmt"
	"slices"
	"strings"

	"laundromat/internal/fault"
	"laundromat/records"
)

// layout says which field of the schema each field of a record is. Records of a table
// share one, so that names are compared and not looked up.
type layout struct {
	names   []string
	fields  []*field // by place in the record; nil where the schema knows none
	columns []int    // by field of the schema: its place in the record, or -1
	absent  []*field
	short   []bool // by field of the schema: the header has it and the record has not
	extra   []int  // places of fields that the schema, or the header, does not know
	// ofHeader says that extra are cells beyond the header.
	ofHeader bool
	// sound says that there is nothing to report about the record's shape.
	sound bool
}

// maxLayouts is how many shapes of records are remembered.
const maxLayouts = 32

func (l *layout) fits(r *records.Record) bool {
	if len(l.names) != len(r.Fields) {
		return false
	}
	for i := range r.Fields {
		if r.Fields[i].Name != l.names[i] {
			return false
		}
	}
	return true
}

// layoutOf finds the layout of a record, or makes it.
func (c *Checker) layoutOf(r *records.Record) *layout {
	if h := c.header; h != nil && h.fits(r) {
		return h
	}
	for i, l := range c.layouts {
		if l.fits(r) {
			if i > 0 {
				copy(c.layouts[1:i+1], c.layouts[:i])
				c.layouts[0] = l
			}
			return l
		}
	}
	names := make([]string, len(r.Fields))
	for i := range r.Fields {
		names[i] = strings.Clone(r.Fields[i].Name)
	}
	l := c.newLayout(names)
	if len(c.layouts) < maxLayouts {
		c.layouts = append(c.layouts, nil)
	}
	copy(c.layouts[1:], c.layouts)
	c.layouts[0] = l
	return l
}

func (c *Checker) newLayout(names []string) *layout {
	t, h := c.schema.table, c.header
	l := &layout{names: names, fields: make([]*field, len(names)), columns: make([]int, len(t.fields)),
		short: make([]bool, len(t.fields))}
	for i := range l.columns {
		l.columns[i] = -1
	}
	var beyond []int
	for i, name := range names {
		f := t.byName[name]
		if h != nil {
			f = nil
			if at := slices.Index(h.names, name); at >= 0 {
				f = h.fields[at]
			} else {
				beyond = append(beyond, i)
			}
		}
		if f == nil || l.columns[f.index] >= 0 {
			l.extra = append(l.extra, i)
			continue
		}
		l.fields[i], l.columns[f.index] = f, i
	}
	if l.ofHeader = len(beyond) > 0; l.ofHeader {
		l.extra = beyond
	}
	for _, f := range t.fields {
		if l.columns[f.index] < 0 {
			l.absent = append(l.absent, f)
			l.short[f.index] = h != nil && h.columns[f.index] >= 0
		}
	}
	l.sound = len(l.extra) == 0 && !slices.ContainsFunc(l.absent,
		func(f *field) bool { return f.required || l.short[f.index] })
	return l
}

// Header holds the labels of a table to the names of the schema's fields. It hands the
// header on.
func (c *Checker) Header(h *records.Header) {
	if next, ok := c.to.(records.HeaderSink); ok {
		defer next.Header(h)
	}
	if c.schema.table == nil {
		return
	}
	c.document, c.table, c.header = h.Document, h.Table, nil
	c.layouts = c.layouts[:0]
	clear(c.strange)
	check := headerCheck{header: h, table: c.schema.table, tell: c.to.Notice, of: make([]*field, len(h.Labels))}
	check.run(c.schema.options.FieldCount)

	names := slices.Clone(h.Names)
	if names == nil {
		names = slices.Clone(h.Labels)
	}
	l := &layout{names: names, fields: check.of, columns: make([]int, len(c.schema.table.fields)),
		short: make([]bool, len(c.schema.table.fields))}
	for i := range l.columns {
		l.columns[i] = -1
	}
	for i, f := range check.of {
		if f != nil {
			l.columns[f.index] = i
		}
	}
	for _, f := range c.schema.table.fields {
		if l.columns[f.index] < 0 {
			l.absent = append(l.absent, f)
		}
	}
	l.sound = !slices.ContainsFunc(l.absent, func(f *field) bool { return f.required })
	c.header = l
}

// headerCheck finds the field of each column, and says what is wrong with its label.
type headerCheck struct {
	header *records.Header
	table  *table
	tell   func(fault.Notice)
	of     []*field // by column
}

func (h *headerCheck) notice(code fault.Code, column int, field, format string, args ...any) {
	n := fault.Notice{Code: code, Severity: fault.Warning, Pos: h.header.Pos, Field: field,
		Message: fmt.Sprintf(format, args...)}
	if column >= 0 {
		if column < len(h.header.Places) {
			n.Pos = h.header.Places[column]
		}
		n.Excerpt = fault.Excerpt([]byte(h.header.Labels[column]))
	}
	h.tell(n)
}

func (h *headerCheck) run(count int) {
	labels := h.header.Labels
	if count > 0 && count != len(labels) {
		h.notice(fault.SchemaFieldCount, -1, "", "the descriptor says %d fields, the table has %d", count, len(labels))
	}
	blank := func(s string) bool { return strings.TrimSpace(s) == "" }
	exact := h.table.match == "exact"
	// By name first: a label that names a field is that field, wherever it is.
	taken := make([]bool, len(h.table.fields))
	for i, label := range labels {
		if f := h.table.byName[label]; f != nil && !taken[f.index] {
			h.of[i], taken[f.index] = f, true
		}
	}
	// The standard maps by order where a match is exact: so for labels that name no field.
	if exact {
		for i := range labels {
			if h.of[i] == nil && i < len(taken) && !taken[i] {
				h.of[i], taken[i] = h.table.fields[i], true
			}
		}
	}
	if len(labels) > 0 && !slices.ContainsFunc(labels, func(s string) bool { return !blank(s) }) {
		h.notice(fault.SchemaBlankHeader, -1, "", "no column has a label")
		return
	}
	for i, label := range labels {
		at := "" // the name of the field that is wanted here
		if exact && i < len(h.table.fields) {
			at = h.table.fields[i].name
		}
		switch {
		case blank(label):
			h.notice(fault.SchemaBlankLabel, i, at, "column %d has no label", i+1)
		case slices.Contains(labels[:i], label):
			h.notice(fault.SchemaDuplicateLabel, i, at, "the label %q comes twice", label)
		case exact && at != "" && label != at:
			h.notice(fault.SchemaIncorrectLabel, i, at, "column %d has the label %q; the schema has %q here",
				i+1, label, at)
		case h.of[i] == nil && h.table.match != "subset" && h.table.match != "partial":
			h.notice(fault.SchemaExtraLabel, i, "",
				"the schema has no field for the label %q; its values are kept as they are", label)
		}
	}
	h.missing(taken)
}

func (h *headerCheck) missing(taken []bool) {
	switch h.table.match {
	case "superset":
		return
	case "partial":
		if len(taken) > 0 && !slices.Contains(taken, true) {
			h.notice(fault.SchemaMissingLabel, -1, "", "no label names a field of the schema")
		}
		return
	}
	for i, f := range h.table.fields {
		if !taken[i] {
			h.notice(fault.SchemaMissingLabel, -1, f.name, "no column has the label %q", f.name)
		}
	}
}
