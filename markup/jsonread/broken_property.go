package jsonread

import (
	"bytes"
)

// A member whose name is broken is lost, but not the nodes in its value. What is said of them holds
// whoever is linked to them. That needs certainty that the name was a property's, and not, say,
// @graph, @context or a term whose value is a JSON literal. Such a value is kept only if the name, as
// far as it can be read, is an IRI or a compact one. No context may have been seen that gives terms
// more than an IRI, a type, a language or an order.

// isProperty says that half a name can only have been that of a property.
func (p *parser) isProperty(raw []byte) bool {
	raw = bytes.Trim(raw, `"'`)
	return !p.intricate && bytes.IndexByte(raw, ':') > 0 && isBare(raw[:1]) && raw[0] != p.words.Sign &&
		!bytes.ContainsAny(raw, " ,{}[]\"'\n\r")
}

// drift keeps the nodes in the value of a member whose name is lost.
func (m *mender) drift(f *frame, v *Value) {
	switch {
	case v.Kind == Array:
		for _, item := range v.Items {
			m.drift(f, item)
		}
	case v.Kind != Object || len(v.Members) == 0:
	case v.Get(m.words.Value) != nil || v.Get(m.words.List) != nil || v.Get(m.words.Set) != nil:
		m.gone(v.Pos, v.End)
	case len(v.Members) > 1 || !m.hasID(v): // else nothing is said of it
		f.v.Adrift = append(f.v.Adrift, v)
	}
}
