// Package records holds what every part of the records engine agrees on: a record, its
// values, and the sinks that records flow into.
//
// Records flow one way, through sinks, as quads do in package rdf:
//
//	extract or match → transform → schema → dump
//
// Package extract reads tables and trees, match selects from pages and trees, transform
// maps fields, schema checks them, and dump writes them. Package spec reads the description
// that a person wrote. None of them knows a seed, a store, or RDF.
package records

import (
	"slices"
	"strconv"

	"laundromat/internal/fault"
)

// Kind is the kind of a Value, after the kinds of JSON (RFC 8259).
type Kind uint8

// The kinds of values. A field that was not found is absent from its record; it has no kind.
const (
	Null   Kind = iota
	Text        // a string
	Number      // a number, of any size and precision
	Bool        // true or false
	List        // an array
	Object      // fields with names, in order
)

var kindNames = [...]string{"null", "text", "number", "boolean", "list", "object"}

// String is the name of the kind for messages.
func (k Kind) String() string { return kindNames[k] }

// Value is one value. The zero Value is null.
//
// Its strings are never written to, so that a copied Value may be kept. Its slices may be
// used again by who made them: see [Sink].
type Value struct {
	Kind Kind
	// Text is the characters of a Text, in UTF-8. Of a Number it is the number as JSON
	// writes it, with all its digits; of a Bool "true" or "false". Empty for other kinds.
	Text   string
	Items  []Value // of a List
	Fields []Field // of an Object
}

// TextOf is a value of kind Text.
func TextOf(s string) Value { return Value{Kind: Text, Text: s} }

// NumberOf is a value of kind Number; s is written as JSON writes a number.
func NumberOf(s string) Value { return Value{Kind: Number, Text: s} }

// BoolOf is a value of kind Bool.
func BoolOf(b bool) Value {
	if b {
		return Value{Kind: Bool, Text: "true"}
	}
	return Value{Kind: Bool, Text: "false"}
}

// Clone is a copy of v that shares no slice with it.
func (v Value) Clone() Value {
	v.Items, v.Fields = slices.Clone(v.Items), slices.Clone(v.Fields)
	for i := range v.Items {
		v.Items[i] = v.Items[i].Clone()
	}
	for i := range v.Fields {
		v.Fields[i].Value = v.Fields[i].Value.Clone()
	}
	return v
}

// Equal says that two values are the same: kind, text, and order of items and fields.
func (v Value) Equal(w Value) bool {
	return v.Kind == w.Kind && v.Text == w.Text &&
		slices.EqualFunc(v.Items, w.Items, Value.Equal) &&
		slices.EqualFunc(v.Fields, w.Fields, func(a, b Field) bool { return a.Name == b.Name && a.Value.Equal(b.Value) })
}

// Get finds the value of a field of an Object by its name.
func (v *Value) Get(name string) (Value, bool) {
	for i := range v.Fields {
		if v.Fields[i].Name == name {
			return v.Fields[i].Value, true
		}
	}
	return Value{}, false
}

// Field is a named value, with its place in the source.
type Field struct {
	Name  string
	Value Value
	// Pos is where the value begins in the decoded text of the document. It is zero where
	// that is not known, as for a value that a rule made.
	Pos fault.Pos
	// Element says which element of a page the value comes from, as a CSS selector from the
	// root; empty for other sources.
	Element string
	// Several says that the items of a List are several values of this name, as elements of XML are. To
	// select the name is to select each of them.
	Several bool
}

// Original is what a field held before a rule changed it.
type Original struct {
	Field string
	Value Value
	Rule  string // the name of the rule, as the spec gives it
}

// Record is one thing with named fields, in the order of the source or of the spec.
type Record struct {
	Fields []Field
	// Was holds the originals of what rules changed, in the order of the changes. A field has
	// at most one: the first value is the original.
	Was []Original
	// Document is the name of the document, as people know it (URI-or-FILE!/entry).
	Document string
	// Table is the name of the sheet or table within the document; empty where it has one.
	Table string
	// Pos is where the record begins in the decoded text of the document.
	Pos fault.Pos
	// Element says which element of a page the record comes from, as Field.Element does.
	Element string
	// Detail is the URL of a page of the record's own that holds more of its fields, and is a document of its own; ""
	// for none.
	Detail string
	// Repaired says that something about the record was wrong and was changed. Such a record
	// counts as repaired, others as kept.
	Repaired bool
}

// Field finds a field by its name; nil if the record has none of that name.
func (r *Record) Field(name string) *Field {
	for i := range r.Fields {
		if r.Fields[i].Name == name {
			return &r.Fields[i]
		}
	}
	return nil
}

// Set gives the field of that name a value; a new field comes last.
func (r *Record) Set(name string, v Value) {
	if f := r.Field(name); f != nil {
		f.Value = v
		return
	}
	r.Fields = append(r.Fields, Field{Name: name, Value: v})
}

// MoveAside gives the field of that name, which is ours, another: with the first number from 2 on that makes a name of
// no field. found is false if there is no such field.
func (r *Record) MoveAside(name string) (as string, found bool) {
	f := r.Field(name)
	if f == nil {
		return "", false
	}
	for n := 2; as == "" || r.Field(as) != nil; n++ {
		as = name + "_" + strconv.Itoa(n)
	}
	f.Name = as
	for i := range r.Was {
		if r.Was[i].Field == name {
			r.Was[i].Field = as
		}
	}
	return as, true
}

// Keep notes what a field held before a rule changes it. A later rule on the same field
// adds nothing: the original is the first value.
func (r *Record) Keep(field string, v Value, rule string) {
	for i := range r.Was {
		if r.Was[i].Field == field {
			return
		}
	}
	r.Was = append(r.Was, Original{Field: field, Value: v, Rule: rule})
}

// Clone is a copy of r that may be kept: it shares no slice with r.
func (r *Record) Clone() *Record {
	c := *r
	c.Fields, c.Was = slices.Clone(r.Fields), slices.Clone(r.Was)
	for i := range c.Fields {
		c.Fields[i].Value = c.Fields[i].Value.Clone()
	}
	for i := range c.Was {
		c.Was[i].Value = c.Was[i].Value.Clone()
	}
	return &c
}

// Notice makes a finding about the record as a whole: at its place, in its element.
func (r *Record) Notice(code fault.Code, severity fault.Severity, message string) fault.Notice {
	n := fault.Notice{Code: code, Severity: severity, Pos: r.Pos, Element: r.Element, Message: message}
	if severity == fault.Drop {
		n.Lost = 1
	}
	return n
}

// FieldNotice makes a finding about one of the record's fields: at the place of its value
// where that is known, else at the record's.
func (r *Record) FieldNotice(f *Field, code fault.Code, severity fault.Severity, message string) fault.Notice {
	n := r.Notice(code, severity, message)
	n.Field = f.Name
	if f.Pos != (fault.Pos{}) {
		n.Pos = f.Pos
	}
	if f.Element != "" {
		n.Element = f.Element
	}
	if f.Value.Kind == Text || f.Value.Kind == Number {
		n.Excerpt = fault.Excerpt([]byte(f.Value.Text))
	}
	return n
}
