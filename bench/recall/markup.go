package main

import (
	"fmt"
	"strings"
)

// writeXML writes RDF/XML.
func (m *maker) writeXML(n int) {
	d := m.d
	d.add(declaration, noRole, "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n")
	d.add(declaration, noRole, fmt.Sprintf("<rdf:RDF xmlns:rdf=%q\n    xmlns:ex=%q>\n", rdfNS, namespace))
	for blocks := 1; len(d.statements) < n; blocks++ {
		d.block = blocks
		m.element(m.thing("", 0), "  ")
		d.block = 0
	}
	d.add(declaration, noRole, "</rdf:RDF>\n")
}

// element writes a node element; needs are the statements that depend on all of it.
func (m *maker) element(n *node, indent string, needs ...int) {
	d := m.d
	d.add(space, noRole, indent)
	d.tag++
	element := "rdf:Description"
	all := append([]int(nil), needs...)
	if n.class != "" {
		element = "ex:" + n.class
		all = append(all, n.isA)
	}
	d.add(tagOpen, subject, "<"+element, append(append([]int(nil), needs...), n.all...)...)
	whole := append(append([]int(nil), needs...), n.all...)
	switch {
	case n.unnamed:
	case n.term[0] == '_':
		d.add(attribute, subject, fmt.Sprintf(" rdf:nodeID=%q", n.term[2:]), whole...)
	default:
		d.add(attribute, subject, fmt.Sprintf(" rdf:about=%q", strings.Trim(n.term, "<>")), whole...)
	}
	for _, p := range n.props[:n.attrs] {
		d.add(attribute, predicate, fmt.Sprintf(" ex:%s=%q", p.name, p.values[0].text), p.all...)
		all = append(all, p.all...)
	}
	d.add(tagClose, noRole, ">", whole...)
	d.tag = 0
	d.add(space, noRole, "\n")
	for _, p := range n.props[n.attrs:] {
		for _, v := range p.values {
			m.propertyElement(p.name, v, indent+"  ")
		}
	}
	d.add(space, noRole, indent)
	d.add(endTag, subject, "</"+element+">", all...)
	d.add(space, noRole, "\n")
}

// propertyElement writes a property element.
func (m *maker) propertyElement(local string, v *value, indent string) {
	d := m.d
	d.add(space, noRole, indent)
	d.tag++
	needs := []int{v.says}
	switch {
	case v.kind == list:
		needs = append(append(needs, v.firsts...), v.rests...)
	case v.kind == nested && v.node.resource:
		needs = append(needs, v.node.all...)
	}
	d.add(tagOpen, predicate, "<ex:"+local, needs...)
	ends := ">"
	switch v.kind {
	case tagged:
		d.add(attribute, object, fmt.Sprintf(" xml:lang=%q", v.tag), needs...)
	case typed:
		d.add(attribute, object, fmt.Sprintf(" rdf:datatype=%q", xsd+v.tag), needs...)
	case reference:
		d.add(attribute, object, fmt.Sprintf(" rdf:resource=%q", v.text), needs...)
		ends = "/>"
	case labelled:
		d.add(attribute, object, fmt.Sprintf(" rdf:nodeID=%q", v.text), needs...)
		ends = "/>"
	case list:
		d.add(attribute, object, ` rdf:parseType="Collection"`, needs...)
	case markup:
		d.add(attribute, object, ` rdf:parseType="Literal"`, needs...)
	case nested:
		if v.node.resource {
			d.add(attribute, object, ` rdf:parseType="Resource"`, needs...)
		}
	}
	d.add(tagClose, noRole, ends, needs...)
	d.tag = 0
	if ends == "/>" {
		d.add(space, noRole, "\n")
		return
	}
	switch {
	case v.kind == nested && v.node.resource:
		d.add(space, noRole, "\n")
		for _, p := range v.node.props {
			for _, inner := range p.values {
				m.propertyElement(p.name, inner, indent+"  ")
			}
		}
		d.add(space, noRole, indent)
	case v.kind == nested:
		d.add(space, noRole, "\n")
		m.element(v.node, indent+"  ", v.says)
		d.add(space, noRole, indent)
	case v.kind == list:
		d.add(space, noRole, "\n")
		for i, member := range v.members {
			d.add(space, noRole, indent+"  ")
			d.tag++
			d.add(tagOpen, object, "<rdf:Description", v.firsts[i], v.rests[i])
			d.add(attribute, object, fmt.Sprintf(" rdf:about=%q", member.text), v.firsts[i])
			d.add(tagClose, noRole, "/>", v.firsts[i], v.rests[i])
			d.tag = 0
			d.add(space, noRole, "\n")
		}
		d.add(space, noRole, indent)
	default:
		d.add(content, object, v.text, v.says)
	}
	d.add(endTag, predicate, "</ex:"+local+">", v.says)
	d.add(space, noRole, "\n")
}
