package schema

import (
	"fmt"

	"laundromat/internal/fault"
	"laundromat/records"
)

// Checker is a sink that checks records. It is a [records.Flusher] and a
// [records.HeaderSink]; it hands a header on where the next sink wants it.
type Checker struct {
	schema *Schema
	to     records.Sink

	layouts []*layout // of the records seen lately; the last one used is first
	header  *layout   // of the table that is read; nil where no header was given
	// document and table are those of the header or the last record.
	document, table string
	strange         map[string]bool // names of fields that were reported as extra

	faults  []finding
	columns []int // by field of the schema: its place in the record, or -1
	key     []byte
	unique  []*keySet
	foreign []*keySet
	held    *held
	rows    int64
}

// finding is a fault of a record.
type finding struct {
	code     fault.Code
	field    int // place in the record; -1 for the record as a whole
	name     string
	severity fault.Severity
	message  string
}

// Notice hands a finding on.
func (c *Checker) Notice(n fault.Notice) { c.to.Notice(n) }

// Record checks a record and gives its values their types.
func (c *Checker) Record(r *records.Record) error {
	c.rows++
	c.faults = c.faults[:0]
	if c.schema.json != nil {
		c.schema.json.check(c, r)
		return c.settle(r, nil)
	}
	if r.Document != c.document || r.Table != c.table {
		c.document, c.table, c.header = r.Document, r.Table, nil
		clear(c.strange)
	}
	if len(r.Fields) == 0 {
		c.fault(fault.SchemaBlankRow, -1, "", "the row has no cells")
		return c.settle(r, nil)
	}
	l := c.layoutOf(r)
	copy(c.columns, l.columns)
	for i, f := range l.fields {
		if f != nil {
			c.cell(r, i, f)
		}
	}
	c.shape(r, l)
	return c.settle(r, c.columns)
}

// fault notes a fault that costs the record.
func (c *Checker) fault(code fault.Code, field int, name, message string) {
	c.faults = append(c.faults, finding{code, field, name, fault.Drop, message})
}

// cell checks a value that the schema knows.
func (c *Checker) cell(r *records.Record, i int, f *field) {
	v := &r.Fields[i].Value
	code := fault.SchemaConstraint
	if f.missed(v) {
		if f.required {
			c.broken(r, i, f, *v, breach{code, "it is required, and missing"})
			return
		}
		*v = records.Value{}
		return
	}
	var before records.Value
	if f.onError != "drop" {
		before = v.Clone()
	}
	if broken, why := f.read(v); why != "" {
		if !broken {
			code = fault.SchemaType
		}
		c.broken(r, i, f, before, breach{code, why})
	}
}

// rule is the name under which a record keeps what the schema mended.
const rule = "schema"

// breach is why a value breaks its field.
type breach struct {
	code fault.Code
	why  string
}

// broken does with a value that breaks its field what the field asks for.
func (c *Checker) broken(r *records.Record, i int, f *field, before records.Value, by breach) {
	found := finding{by.code, i, "", fault.Drop, fmt.Sprintf("the field %q: %s", f.name, by.why)}
	v := &r.Fields[i].Value
	switch {
	case f.onError == "keep":
		*v = before
		found.severity = fault.Warning
		found.message += "; it is kept as it is, as the field asks"
	case f.onError == "drop" || c.schema.options.Strict:
	case f.onError == "mend":
		mended, ok := f.mend(before)
		if !ok {
			break
		}
		*v = mended
		found.severity = fault.Repair
		found.message += "; " + string(mended.AppendJSON(nil)) + " is written, which is what it says in another form"
	case f.onError == "null":
		*v = records.Value{}
		found.severity = fault.Repair
		found.message += "; null is written, as the field asks"
	default:
		*v = f.fallback.Clone()
		found.severity = fault.Repair
		found.message += "; the default is written, as the field asks"
	}
	if found.severity == fault.Repair {
		r.Keep(r.Fields[i].Name, before, rule)
	}
	c.faults = append(c.faults, found)
}

// shape checks which fields there are.
func (c *Checker) shape(r *records.Record, l *layout) {
	if l.sound {
		return
	}
	for _, f := range l.absent {
		switch {
		case l.short[f.index]:
			c.fault(fault.SchemaMissingCell, -1, f.name, fmt.Sprintf("the row has no cell for the field %q", f.name))
		case f.required && !c.schema.options.Partial:
			c.fault(fault.SchemaConstraint, -1, f.name, fmt.Sprintf("the field %q is required, and absent", f.name))
		}
	}
	for _, i := range l.extra {
		name := r.Fields[i].Name
		if l.ofHeader {
			c.fault(fault.SchemaExtraCell, i, "", "the row has a cell beyond the last column of its header")
			continue
		}
		if c.header != nil || c.strange[name] || len(c.strange) >= maxStrange {
			continue
		}
		if c.strange == nil {
			c.strange = map[string]bool{}
		}
		c.strange[name] = true
		if m := c.schema.table.match; m == "exact" || m == "equal" || m == "superset" {
			c.to.Notice(r.FieldNotice(&r.Fields[i], fault.SchemaExtraLabel, fault.Warning,
				fmt.Sprintf("the schema has no field %q; its values are kept as they are", name)))
		}
	}
}

// maxStrange is how many names that the schema does not know are reported in a table.
const maxStrange = 1000

// settle checks the keys, reports the faults, and hands the record on if it is sound.
func (c *Checker) settle(r *records.Record, columns []int) error {
	waits := false
	if columns != nil && c.hasKeys() {
		var err error
		if waits, err = c.keys(r, columns); err != nil {
			return err
		}
	}
	dropped := c.tell(r)
	if dropped {
		return nil
	}
	if c.held != nil && (waits || c.held.count > 0) {
		return c.held.add(r, waits)
	}
	return c.to.Record(r)
}

// tell gives a notice for each fault. The first that costs the record counts it.
func (c *Checker) tell(r *records.Record) (dropped bool) {
	for i := range c.faults {
		dropped = dropped || c.faults[i].severity == fault.Drop
	}
	counted := false
	for i := range c.faults {
		found := &c.faults[i]
		severity := found.severity
		if dropped && severity == fault.Repair {
			severity = fault.Drop // a record that is lost is not mended
		}
		n := r.Notice(found.code, severity, found.message)
		if found.field >= 0 {
			n = r.FieldNotice(&r.Fields[found.field], found.code, severity, found.message)
		}
		if found.name != "" || ofRecord(found.code) {
			n.Field = found.name
		}
		if severity == fault.Drop && counted {
			n.Lost = 0
		}
		counted = counted || severity == fault.Drop
		r.Repaired = r.Repaired || severity == fault.Repair
		c.to.Notice(n)
	}
	return dropped
}

// ofRecord says that a finding is about the record, though it has the place of a value.
func ofRecord(code fault.Code) bool {
	switch code {
	case fault.SchemaExtraCell, fault.SchemaPrimaryKey, fault.SchemaForeignKey, fault.SchemaUnique:
		return true
	}
	return false
}

// Settle decides the records that were held back, at the end of a document. Keys stay: those of
// the documents that follow must differ from them.
func (c *Checker) Settle() error {
	if c.held == nil || c.held.count == 0 {
		return nil
	}
	waited := c.held
	c.held = &held{memory: waited.memory, temp: waited.temp}
	return waited.each(c.decide)
}

// Flush hands on what was held back, and checks the table as a whole. It is called once,
// after the last record.
func (c *Checker) Flush() error {
	if want := c.schema.options.RowCount; want > 0 && want != c.rows {
		c.to.Notice(fault.Notice{Code: fault.SchemaRowCount, Severity: fault.Warning,
			Message: fmt.Sprintf("the descriptor says %d rows, the table has %d", want, c.rows)})
	}
	if err := c.release(); err != nil {
		return err
	}
	if next, ok := c.to.(records.Flusher); ok {
		return next.Flush()
	}
	return nil
}
