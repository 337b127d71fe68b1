package schema

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"laundromat/internal/fault"
	"laundromat/records"
)

// prepareKeys makes the sets of keys, and reads the tables that foreign keys refer to.
func (c *Checker) prepareKeys() error {
	t, opt := c.schema.table, c.schema.options
	c.columns = make([]int, len(t.fields))
	sets := int64(max(1, len(t.unique)+len(t.foreign)))
	for range t.unique {
		c.unique = append(c.unique, newKeySet(opt.KeyMemory/sets, opt.MaxKeys, opt.Temp))
	}
	for _, k := range t.foreign {
		set := newKeySet(opt.KeyMemory/sets, opt.MaxKeys, opt.Temp)
		c.foreign = append(c.foreign, set)
		if k.resource == "" {
			c.held = &held{memory: opt.KeyMemory, temp: opt.Temp}
			continue
		}
		other := opt.Resources[k.resource]
		var into records.Sink = &keyReader{names: k.reference, set: set}
		if other.Schema != nil && other.Schema.table != nil {
			// Values are typed as the other table has them; its own keys are not checked here.
			plain := *other.Schema.table
			plain.unique, plain.foreign = nil, nil
			check := &Checker{schema: &Schema{table: &plain, options: opt}, to: into, columns: make([]int, len(plain.fields))}
			into = check
		}
		if err := other.Read(into); err != nil {
			return fmt.Errorf("read the table %q, which a foreign key refers to: %w", k.resource, err)
		}
	}
	return nil
}

// keyReader puts the keys of a table into a set.
type keyReader struct {
	names []string
	set   *keySet
	key   []byte
}

func (k *keyReader) Notice(fault.Notice) {}

func (k *keyReader) Record(r *records.Record) error {
	k.key = k.key[:0]
	for _, name := range k.names {
		f := r.Field(name)
		if f == nil || f.Value.Kind == records.Null {
			return nil
		}
		k.key = appendKey(k.key, &f.Value)
	}
	_, err := k.set.add(k.set.fingerprint(k.key))
	return err
}

func (c *Checker) hasKeys() bool { return len(c.unique)+len(c.foreign) > 0 }

// keys checks the keys of a record. waits says that it refers to a record of its own table
// that has not come yet.
func (c *Checker) keys(r *records.Record, columns []int) (waits bool, err error) {
	for i, k := range c.schema.table.unique {
		if err := c.uniqueKey(r, columns, k, c.unique[i]); err != nil {
			return false, err
		}
	}
	if c.held != nil {
		c.held.pending = c.held.pending[:0]
		// Each record's own key comes first: it may refer to itself.
		for i, k := range c.schema.table.foreign {
			if k.resource == "" {
				if err := c.ownKey(r, columns, k, c.foreign[i]); err != nil {
					return false, err
				}
			}
		}
	}
	for i, k := range c.schema.table.foreign {
		key, missing, broken := c.keyOf(r, columns, k.places)
		if missing || broken {
			continue
		}
		f := c.foreign[i].fingerprint(key)
		found, err := c.foreign[i].has(f)
		if err != nil {
			return false, err
		}
		switch {
		case found:
		case k.resource != "":
			c.faults = append(c.faults, finding{fault.SchemaForeignKey, c.place(columns, k.places), "", fault.Drop,
				fmt.Sprintf("the table %q has no record with the key %s", k.resource, c.shown(r, columns, k.places))})
		default:
			waits = true
			c.held.pending = append(c.held.pending, reference{i, f, c.shown(r, columns, k.places)})
		}
	}
	return waits, nil
}

func (c *Checker) ownKey(r *records.Record, columns []int, k *foreignKey, set *keySet) error {
	key, missing, broken := c.keyOf(r, columns, c.schema.table.places(k.reference))
	if missing || broken {
		return nil
	}
	_, err := set.add(set.fingerprint(key))
	return err
}

func (c *Checker) uniqueKey(r *records.Record, columns []int, k *uniqueKey, set *keySet) error {
	key, missing, broken := c.keyOf(r, columns, k.places)
	code, field := fault.SchemaUnique, ""
	if k.primary {
		code = fault.SchemaPrimaryKey
	}
	if k.alone {
		field = k.names[0]
	}
	found := finding{code, c.place(columns, k.places), field, fault.Drop, ""}
	switch {
	case broken:
		return nil // it is reported already, and what the key is can't be known
	case missing && k.primary && !c.schema.options.Partial:
		found.message = fmt.Sprintf("a part of the primary key (%s) is missing", strings.Join(k.names, ", "))
	case missing:
		return nil
	default:
		fresh, err := set.add(set.fingerprint(key))
		if fresh || err != nil {
			return err
		}
		found.message = fmt.Sprintf("an earlier record has the same %s: %s", strings.Join(k.names, ", "),
			c.shown(r, columns, k.places))
	}
	c.faults = append(c.faults, found)
	return nil
}

// place is where the first part of a key is in the record.
func (c *Checker) place(columns, places []int) int { return columns[places[0]] }

// keyOf writes the values of a key. broken says that one of them breaks its field.
func (c *Checker) keyOf(r *records.Record, columns, places []int) (key []byte, missing, broken bool) {
	c.key = c.key[:0]
	for _, p := range places {
		i := columns[p]
		if i < 0 || r.Fields[i].Value.Kind == records.Null {
			missing = true
			continue
		}
		c.key = appendKey(c.key, &r.Fields[i].Value)
	}
	for i := range c.faults {
		f := &c.faults[i]
		if f.code != fault.SchemaType && f.code != fault.SchemaConstraint && f.code != fault.SchemaMissingCell ||
			f.severity == fault.Repair {
			continue
		}
		for _, p := range places {
			broken = broken || f.field >= 0 && f.field == columns[p] || f.name != "" && f.name == c.schema.table.fields[p].name
		}
	}
	return c.key, missing, broken
}

// shown is a key for a message.
func (c *Checker) shown(r *records.Record, columns, places []int) string {
	var parts []string
	for _, p := range places {
		parts = append(parts, fault.Excerpt(r.Fields[columns[p]].Value.AppendJSON(nil)))
	}
	return strings.Join(parts, ", ")
}

// appendKey writes a value so that equal values, and no others, are written alike. Numbers
// go by their value, the fields of an object by the order of their names.
func appendKey(dst []byte, v *records.Value) []byte {
	dst = append(dst, byte('0'+v.Kind))
	switch v.Kind {
	case records.Number:
		if len(v.Text) < 19 && plainInteger(v.Text) && v.Text != "-0" {
			dst = append(dst, v.Text...)
			break
		}
		d := decimalOf(v.Text)
		if d.sign < 0 {
			dst = append(dst, '-')
		}
		if d.point >= len(d.digits) && d.point < 19 {
			dst = append(dst, d.digits...)
			for range d.point - len(d.digits) {
				dst = append(dst, '0')
			}
			if d.sign == 0 {
				dst = append(dst, '0')
			}
			break
		}
		dst = append(append(dst, '.'), d.digits...)
		dst = strconv.AppendInt(append(dst, 'e'), int64(d.point), 10)
	case records.Text, records.Bool:
		dst = strconv.AppendInt(dst, int64(len(v.Text)), 10)
		dst = append(append(dst, ':'), v.Text...)
	case records.List:
		for i := range v.Items {
			dst = appendKey(dst, &v.Items[i])
		}
	case records.Object:
		fields := slices.Clone(v.Fields)
		slices.SortFunc(fields, func(a, b records.Field) int { return strings.Compare(a.Name, b.Name) })
		for i := range fields {
			name := records.TextOf(fields[i].Name)
			dst = appendKey(appendKey(dst, &name), &fields[i].Value)
		}
	}
	return append(dst, ';')
}
