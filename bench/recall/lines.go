package main

import "fmt"

// writeLines writes N-Triples or N-Quads.
func (m *maker) writeLines(n int) {
	d := m.d
	for len(d.statements) < n {
		g := ""
		if d.format == "N-Quads" && m.random.IntN(4) > 0 {
			g = fmt.Sprintf("<%sgraph%d>", data, m.random.IntN(9))
		}
		thing := m.thing(g, 0)
		if thing.class != "" {
			m.line(thing, "<"+rdfNS+"type>", &value{kind: reference, text: namespace + thing.class, says: thing.isA})
		}
		for _, p := range thing.props {
			for _, v := range p.values {
				m.line(thing, "<"+namespace+p.name+">", v)
			}
		}
	}
}

func (m *maker) line(thing *node, verb string, v *value) {
	d := m.d
	d.block++
	says := v.says
	k := iri
	if thing.term[0] == '_' {
		k = label
	}
	d.add(k, subject, thing.term, says)
	d.add(space, noRole, " ")
	d.add(iri, predicate, verb, says)
	d.add(space, noRole, " ")
	switch v.kind {
	case reference:
		d.add(iri, object, v.term(), says)
	case labelled:
		d.add(label, object, v.term(), says)
	default:
		d.add(quoted, object, `"`+v.text+`"`, says)
		switch v.kind {
		case tagged:
			d.add(language, noRole, "@"+v.tag, says)
		case typed:
			d.add(datatype, noRole, "^^<"+xsd+v.tag+">", says)
		}
	}
	if thing.graph != "" {
		d.add(space, noRole, " ")
		d.add(iri, graph, thing.graph, says)
	}
	d.add(space, noRole, " ")
	d.add(dot, noRole, ".", says)
	d.add(newline, noRole, "\n", says)
}
