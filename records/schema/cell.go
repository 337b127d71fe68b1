package schema

import "laundromat/records"

// Cell reads texts of one field of a Table Schema, for who has no records.
type Cell struct{ field *field }

// Cell is the field of a name; nil if there is none.
func (s *Schema) Cell(name string) *Cell {
	if s.table == nil || s.table.byName[name] == nil {
		return nil
	}
	return &Cell{s.table.byName[name]}
}

// Read reads a text as a value of the field's type. It may be one of the missing values, or break the field: why says
// how, and the value is the text then.
func (c *Cell) Read(text string) (v records.Value, missing bool, why string) {
	v = records.TextOf(text)
	if c.field.missed(&v) {
		return v, true, ""
	}
	if _, why = c.field.read(&v); why != "" {
		v = records.TextOf(text)
	}
	return v, false, why
}

// ReadJSON is as Read, of a list that is written as JSON.
func (c *Cell) ReadJSON(text string) (v records.Value, missing bool, why string) {
	v = records.TextOf(text)
	if castJSON(&v, records.List) == "" {
		if _, why = c.field.read(&v); why == "" {
			return v, false, ""
		}
		return records.TextOf(text), false, why
	}
	return c.Read(text)
}

// Kind is the type of the field, and that of the items of a list.
func (c *Cell) Kind() (kind, item string) {
	if c.field.item != nil {
		item = c.field.item.kind
	}
	return c.field.kind, item
}

// Format is the form of the field's values.
func (c *Cell) Format() string { return c.field.format }

// IsRequired says that no value may be missing.
func (c *Cell) IsRequired() bool { return c.field.required }

// Match is how the fields of a Table Schema find their columns: exact, equal, subset, superset or partial.
func (s *Schema) Match() string {
	if s.table == nil {
		return ""
	}
	return s.table.match
}

// Key is a foreign key.
type Key struct {
	Fields []string
	// Resource is the table that the key refers to, "" the table itself, and Reference are the fields there.
	Resource  string
	Reference []string
}

// Keys are the primary key, if there is one, and the foreign keys of a Table Schema.
func (s *Schema) Keys() (primary []string, foreign []Key) {
	if s.table == nil {
		return nil, nil
	}
	for _, key := range s.table.unique {
		if key.primary {
			primary = key.names
		}
	}
	for _, key := range s.table.foreign {
		foreign = append(foreign, Key{Fields: key.names, Resource: key.resource, Reference: key.reference})
	}
	return primary, foreign
}
