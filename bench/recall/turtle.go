package main

import (
	"fmt"
	"strings"
)

// writeTurtle writes Turtle, or TriG with graphs.
func (m *maker) writeTurtle(n int) {
	d := m.d
	for _, p := range [][2]string{{"ex", namespace}, {"d", data}, {"xsd", xsd}} {
		d.add(directive, noRole, fmt.Sprintf("@prefix %s: <%s> .", p[0], p[1]))
		d.add(space, noRole, "\n")
	}
	blocks := 0
	keyword := m.random.IntN(2) == 0 // some programs do not know it
	for len(d.statements) < n {
		if d.format == "Turtle" || m.random.IntN(3) == 0 {
			blocks++
			d.block = blocks
			m.statement("", "")
			d.block = 0
			continue
		}
		g := fmt.Sprint("graph", m.next())
		if keyword {
			d.add(word, noRole, "GRAPH")
			d.add(space, noRole, " ")
		}
		from := len(d.statements)
		label := d.add(name, graph, "d:"+g)
		d.add(space, noRole, " ")
		open := d.add(openGraph, noRole, "{")
		d.add(space, noRole, "\n")
		for range 1 + m.random.IntN(3) {
			blocks++
			d.block = blocks
			m.statement("<"+data+g+">", "  ")
			d.block = 0
		}
		for i := from; i < len(d.statements); i++ {
			d.pieces[label].needs = append(d.pieces[label].needs, i)
			d.pieces[open].needs = append(d.pieces[open].needs, i)
		}
		d.add(closeGraph, noRole, "}")
		d.add(space, noRole, "\n")
	}
	m.d.spreadBraces()
}

// spreadBraces notes what depends on the brace that closes a graph: the statements
// of the default graph that follow, up to the next graph.
func (d *document) spreadBraces() {
	open := -1
	for i := range d.pieces {
		p := &d.pieces[i]
		switch {
		case p.kind == closeGraph:
			open = i
		case p.kind == openGraph:
			open = -1
		case open >= 0:
			d.pieces[open].after = append(d.pieces[open].after, p.needs...)
		}
	}
}

func (m *maker) statement(graph, indent string) {
	d := m.d
	n := m.thing(graph, 0)
	switch {
	case n.term[0] == '_':
		d.add(label, subject, n.term, n.all...)
	case m.random.IntN(2) == 0:
		d.add(iri, subject, n.term, n.all...)
	default:
		d.add(name, subject, short(n.term), n.all...)
	}
	d.add(space, noRole, " ")
	m.pairs(n, indent+"   ")
	d.add(space, noRole, " ")
	d.add(dot, noRole, ".", m.lastOf(n))
	d.add(space, noRole, "\n"+indent)
}

func (m *maker) lastOf(n *node) int {
	p := n.props[len(n.props)-1]
	return p.all[len(p.all)-1]
}

func short(term string) string {
	return "d:" + strings.TrimSuffix(strings.TrimPrefix(term, "<"+data), ">")
}

// pairs writes the predicates and objects of a node.
func (m *maker) pairs(n *node, indent string) {
	d := m.d
	last := -1
	if n.class != "" {
		d.add(word, predicate, "a", n.isA)
		d.add(space, noRole, " ")
		d.add(name, object, "ex:"+n.class, n.isA)
		last = n.isA
	}
	for _, p := range n.props {
		if last >= 0 {
			d.add(space, noRole, " ")
			d.add(semicolon, noRole, ";", append([]int{last}, p.all...)...)
			d.add(space, noRole, "\n"+indent)
		}
		d.add(name, predicate, "ex:"+p.name, p.all...)
		for i, v := range p.values {
			if i > 0 {
				d.add(space, noRole, " ")
				d.add(comma, noRole, ",", p.values[i-1].says, v.says)
			}
			d.add(space, noRole, " ")
			m.object(v, indent+"  ")
			last = v.says
		}
	}
}

func (m *maker) object(v *value, indent string) {
	d := m.d
	switch v.kind {
	case plain:
		d.add(quoted, object, `"`+v.text+`"`, v.says)
	case tagged:
		d.add(quoted, object, `"`+v.text+`"`, v.says)
		d.add(language, noRole, "@"+v.tag, v.says)
	case typed:
		d.add(quoted, object, `"`+v.text+`"`, v.says)
		d.add(datatype, noRole, "^^xsd:"+v.tag, v.says)
	case reference:
		if m.random.IntN(2) == 0 {
			d.add(iri, object, "<"+v.text+">", v.says)
		} else {
			d.add(name, object, short("<"+v.text+">"), v.says)
		}
	case labelled:
		d.add(label, object, "_:"+v.text, v.says)
	case integer, decimal, double:
		d.add(number, object, v.text, v.says)
	case truth:
		d.add(word, object, v.text, v.says)
	case lines:
		d.add(long, object, `"""`+v.text+`"""`, v.says)
	case nested:
		d.add(openBracket, object, "[", append([]int{v.says}, v.node.deep...)...)
		d.add(space, noRole, " ")
		m.pairs(v.node, indent)
		d.add(space, noRole, " ")
		d.add(closeBracket, noRole, "]", v.says, m.lastOf(v.node))
	case list:
		d.add(openList, object, "(", append(append([]int{v.says}, v.firsts...), v.rests...)...)
		for _, member := range v.members {
			d.add(space, noRole, " ")
			m.object(member, indent)
		}
		d.add(space, noRole, " ")
		d.add(closeList, noRole, ")", v.says, v.rests[len(v.rests)-1], v.firsts[len(v.firsts)-1])
	}
}
