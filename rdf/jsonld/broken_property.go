package jsonld

import (
	"bytes"
	"strings"

	"laundromat/internal/fault"
)

// A member whose name is broken is lost, but not the nodes in its value. What is said of them holds
// whoever is linked to them. That needs certainty that the name was a property's, and not, say,
// @graph, @context or a term whose value is a JSON literal. Such a value is kept only if the name, as
// far as it can be read, is an IRI or a compact one. No context may have been seen that gives terms
// more than an IRI, a type, a language or an order.

// isProperty says that half a name can only have been that of a property.
func (p *parser) isProperty(raw []byte) bool {
	raw = bytes.Trim(raw, `"'`)
	return !p.intricate && bytes.IndexByte(raw, ':') > 0 && isBare(raw[:1]) && raw[0] != p.words.Sign && !bytes.ContainsAny(raw, " ,{}[]\"'\n\r")
}

// isIntricate says that a context may give terms meanings which change what stands in their values.
func isIntricate(context *value) bool {
	for _, c := range context.list() {
		if c.kind != object && c.kind != null {
			return true
		}
		for i := range c.members {
			name, v := c.members[i].name, c.members[i].value
			switch {
			case name == "@vocab" || name == "@base" || name == "@language" || name == "@version" || v.kind == null:
			case name == "" || name[0] == '@':
				return true
			case v.kind == text:
				if strings.Contains(name, ":") && isKeyword(v.text) {
					return true
				}
			case v.kind != object || definesMore(v):
				return true
			}
		}
	}
	return false
}

// definesMore says that a term definition holds more than an IRI, a type, a language or an order.
func definesMore(v *value) bool {
	for i := range v.members {
		switch name, v := v.members[i].name, v.members[i].value; name {
		case "@id":
			if v.kind != text || isKeyword(v.text) {
				return true
			}
		case "@type":
			if v.kind != text || v.text == "@json" {
				return true
			}
		case "@container":
			for _, item := range v.list() {
				if item.kind != text || item.text != "@list" && item.text != "@set" {
					return true
				}
			}
		case "@language", "@direction", "@prefix", "@reverse":
		default:
			return true
		}
	}
	return false
}

// drift keeps the nodes in the value of a member whose name is lost.
func (m *mender) drift(f *frame, v *value) {
	switch {
	case v.kind == array:
		for _, item := range v.items {
			m.drift(f, item)
		}
	case v.kind != object || len(v.members) == 0:
	case v.get(m.words.Value) != nil || v.get(m.words.List) != nil || v.get(m.words.Set) != nil:
		m.gone(v.pos, v.end)
	case len(v.members) > 1 || !m.hasID(v): // else nothing is said of it
		f.v.adrift = append(f.v.adrift, v)
	}
}

// adrift expands the nodes in members of an object that have lost their names.
func (x *expansion) adrift(v *value) {
	for _, item := range v.adrift {
		if x.keys&(hasValue|hasList|hasSet) != 0 || x.hasSet || x.prop == "@reverse" {
			x.lose(failed(fault.JSONSyntax, item, "this is lost with the name that stood before it"))
			continue
		}
		x.thing.included = append(x.thing.included, x.each(x.active, "", item, mode{}).all...)
	}
}
