package schema

import (
	"laundromat/records"
	"laundromat/records/spec"
)

// Written is the schema of the records that a check hands on, for a description next to
// them. Values have the forms of JSON and ISO 8601 there, whatever the source had. A record
// that was checked is valid by it. Of a JSON Schema it is the schema itself.
func (s *Schema) Written() (*Schema, error) {
	if s.table == nil {
		return s, nil
	}
	root := *s.node
	root.Entries = nil
	missing := s.node.Get("missingValues")
	for _, e := range s.node.Entries {
		switch e.Key {
		case "fields":
			list := *e.Value
			list.Items = nil
			for _, f := range s.table.fields {
				list.Items = append(list.Items, f.written())
			}
			root.Entries = append(root.Entries, &spec.Entry{Key: e.Key, Line: e.Line, Column: e.Column, Value: &list})
		case "missingValues":
			root.Entries = append(root.Entries, withValue(e, missingWritten(missing)))
		default:
			root.Entries = append(root.Entries, e)
		}
	}
	return Compile(&root, s.options)
}

func withValue(e *spec.Entry, value *spec.Node) *spec.Entry {
	return &spec.Entry{Key: e.Key, Line: e.Line, Column: e.Column, Value: value}
}

// missingWritten keeps the empty text where it was a missing value: nothing else is
// written for null.
func missingWritten(node *spec.Node) *spec.Node {
	list := *node
	list.Items = nil
	for _, item := range node.Items {
		if value, err := labelled(item); err == nil && value.IsText("") {
			list.Items = append(list.Items, value)
		}
	}
	return &list
}

// written is the description of the field's values after a check.
func (f *field) written() *spec.Node {
	node := *f.node
	node.Entries = nil
	for _, e := range f.node.Entries {
		switch e.Key {
		case "decimalChar", "groupChar", "bareNumber", "trueValues", "falseValues", "delimiter", "onError", "default":
			continue
		case "format":
			if f.pattern != nil || f.format == "any" {
				continue
			}
		case "missingValues":
			e = withValue(e, missingWritten(e.Value))
		case "constraints":
			e = withValue(e, f.writtenConstraints(e.Value))
		}
		node.Entries = append(node.Entries, e)
	}
	return &node
}

func (f *field) writtenConstraints(from *spec.Node) *spec.Node {
	node := *from
	node.Entries = nil
	for _, e := range from.Entries {
		switch e.Key {
		case "pattern":
			// It is for the text as the source writes it.
			if f.kind != "string" {
				continue
			}
		case "enum":
			list := *e.Value
			list.Items = nil
			for _, item := range e.Value.Items {
				list.Items = append(list.Items, f.writtenConstant(item))
			}
			e = withValue(e, &list)
		case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum":
			e = withValue(e, f.writtenConstant(e.Value))
		}
		node.Entries = append(node.Entries, e)
	}
	return &node
}

func (f *field) writtenConstant(n *spec.Node) *spec.Node {
	v, err := f.constant(n)
	if err != nil {
		return n
	}
	return nodeOf(n, v)
}

// nodeOf makes a node of a value, at the place of another.
func nodeOf(at *spec.Node, v records.Value) *spec.Node {
	n := &spec.Node{Text: v.Text, File: at.File, Line: at.Line, Column: at.Column}
	switch v.Kind {
	case records.Text:
		n.Kind = spec.Text
	case records.Number:
		n.Kind = spec.Number
	case records.Bool:
		n.Kind = spec.Bool
	case records.List:
		n.Kind = spec.List
		for _, item := range v.Items {
			n.Items = append(n.Items, nodeOf(at, item))
		}
	case records.Object:
		n.Kind = spec.Map
		for _, f := range v.Fields {
			n.Entries = append(n.Entries, &spec.Entry{Key: f.Name, Line: at.Line, Column: at.Column, Value: nodeOf(at, f.Value)})
		}
	}
	return n
}

// AppendJSON appends the schema as it was given, as JSON.
func (s *Schema) AppendJSON(dst []byte) []byte {
	v := s.node.Value()
	return v.AppendJSON(dst)
}
