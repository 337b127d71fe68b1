package main

import (
	"fmt"
	"strings"
)

// writeJSON writes JSON-LD: a context, and a @graph of nodes, some of them named
// graphs.
func (m *maker) writeJSON(n int) {
	d := m.d
	d.add(head, noRole, fmt.Sprintf("{\n  \"@context\": {\"ex\": %q, \"d\": %q, \"xsd\": %q},\n  \"@graph\": [\n", namespace, data, xsd))
	for blocks := 1; len(d.statements) < n; blocks++ {
		if blocks > 1 {
			d.add(head, noRole, ",\n")
		}
		d.block = blocks
		d.add(space, noRole, "    ")
		if m.random.IntN(7) > 0 {
			m.objectOf(m.thing("", 0), "      ")
			d.block = 0
			continue
		}
		g := fmt.Sprint("graph", m.next())
		from := len(d.statements)
		first := len(d.pieces)
		d.add(openObject, graph, "{")
		d.add(space, noRole, "\n      ")
		d.add(key, graph, `"@id"`)
		d.add(colon, graph, ":")
		d.add(space, noRole, " ")
		d.add(quoted, graph, `"d:`+g+`"`)
		d.add(comma, graph, ",")
		d.add(space, noRole, "\n      ")
		d.add(key, graph, `"@graph"`)
		d.add(colon, graph, ":")
		d.add(space, noRole, " ")
		d.add(openArray, graph, "[")
		last := len(d.pieces)
		d.add(space, noRole, "\n        ")
		for i := range 2 {
			if i > 0 {
				d.add(comma, noRole, ",", m.d.lastSaid())
				d.add(space, noRole, "\n        ")
			}
			m.objectOf(m.thing("<"+data+g+">", 0), "          ")
		}
		for i := first; i < last; i++ {
			if d.pieces[i].kind == space {
				continue
			}
			for s := from; s < len(d.statements); s++ {
				d.pieces[i].needs = append(d.pieces[i].needs, s)
			}
		}
		d.add(space, noRole, "\n      ")
		d.add(closeArray, graph, "]", d.lastSaid())
		d.add(space, noRole, "\n    ")
		d.add(closeObject, graph, "}", d.lastSaid())
		d.block = 0
	}
	d.add(head, noRole, "\n  ]\n}\n")
}

// lastSaid is the last statement of a piece before.
func (d *document) lastSaid() int {
	for i := len(d.pieces) - 1; i >= 0; i-- {
		if n := d.pieces[i].needs; len(n) > 0 {
			return n[len(n)-1]
		}
	}
	return 0
}

// objectOf writes a node. needs are the statements that depend on the whole of it.
func (m *maker) objectOf(n *node, indent string, needs ...int) {
	d := m.d
	subjectOf := append(append([]int(nil), needs...), n.all...)
	d.add(openObject, subject, "{", subjectOf...)
	last := -1
	next := func(now []int) {
		if last >= 0 {
			d.add(comma, noRole, ",", append([]int{last}, now...)...)
		}
		d.add(space, noRole, "\n"+indent)
	}
	if !n.unnamed {
		next(nil)
		d.add(key, subject, `"@id"`, subjectOf...)
		d.add(colon, subject, ":", subjectOf...)
		d.add(space, noRole, " ")
		id := n.term
		if id[0] == '<' {
			id = strings.Trim(id, "<>")
			if m.random.IntN(2) == 0 {
				id = short(n.term)
			}
		}
		d.add(quoted, subject, fmt.Sprintf("%q", id), subjectOf...)
		last = subjectOf[0]
	}
	member := func(name string, now []int, write func()) {
		next(now)
		d.add(key, predicate, fmt.Sprintf("%q", name), now...)
		d.add(colon, predicate, ":", now...)
		d.add(space, noRole, " ")
		write()
		last = now[len(now)-1]
	}
	// a comma after @id belongs to the subject as well
	comma1 := len(d.pieces)
	if n.class != "" {
		member("@type", []int{n.isA}, func() { d.add(quoted, predicate, `"ex:`+n.class+`"`, n.isA) })
	}
	for _, p := range n.props {
		member("ex:"+p.name, p.all, func() {
			if len(p.values) == 1 {
				m.jsonValue(p.values[0], indent+"  ")
				return
			}
			d.add(openArray, predicate, "[", p.all...)
			for i, v := range p.values {
				if i > 0 {
					d.add(comma, noRole, ",", p.values[i-1].says, v.says)
					d.add(space, noRole, " ")
				}
				m.jsonValue(v, indent+"  ")
			}
			d.add(closeArray, predicate, "]", p.all[len(p.all)-1])
		})
	}
	if !n.unnamed && d.pieces[comma1].kind == comma {
		d.pieces[comma1].needs = append(d.pieces[comma1].needs, subjectOf...)
	}
	d.add(space, noRole, "\n"+indent[2:])
	closing := append(append([]int(nil), needs...), last)
	d.add(closeObject, subject, "}", closing...)
}

func (m *maker) jsonValue(v *value, indent string) {
	d := m.d
	says := v.says
	part := func(name, text string, more bool) {
		d.add(key, object, fmt.Sprintf("%q", name), says)
		d.add(colon, object, ":", says)
		d.add(space, noRole, " ")
		d.add(quoted, object, fmt.Sprintf("%q", text), says)
		if more {
			d.add(comma, object, ",", says)
			d.add(space, noRole, " ")
		}
	}
	open := func() { d.add(openObject, object, "{", says) }
	end := func() { d.add(closeObject, object, "}", says) }
	switch v.kind {
	case plain:
		d.add(quoted, object, `"`+v.text+`"`, says)
	case tagged:
		open()
		part("@value", v.text, true)
		part("@language", v.tag, false)
		end()
	case typed:
		open()
		part("@value", v.text, true)
		part("@type", "xsd:"+v.tag, false)
		end()
	case reference:
		open()
		part("@id", v.text, false)
		end()
	case labelled:
		open()
		part("@id", "_:"+v.text, false)
		end()
	case integer, double:
		d.add(number, object, v.text, says)
	case truth:
		d.add(word, object, v.text, says)
	case nested:
		m.objectOf(v.node, indent, says)
	case list:
		all := append(append([]int{says}, v.firsts...), v.rests...)
		d.add(openObject, object, "{", all...)
		d.add(key, object, `"@list"`, all...)
		d.add(colon, object, ":", all...)
		d.add(space, noRole, " ")
		d.add(openArray, object, "[", all...)
		for i, member := range v.members {
			if i > 0 {
				d.add(comma, noRole, ",", v.firsts[i-1], v.rests[i-1], v.firsts[i], v.rests[i])
				d.add(space, noRole, " ")
			}
			m.jsonValue(member, indent)
		}
		end := []int{says, v.rests[len(v.rests)-1], v.firsts[len(v.firsts)-1]}
		d.add(closeArray, object, "]", end...)
		d.add(closeObject, object, "}", end...)
	}
}

// nodeALine makes a file of lines of a document: each node is a value of its own, with its context.
func (d *document) nodeALine() {
	context := ""
	for i := range d.pieces {
		p := &d.pieces[i]
		switch {
		case i == 0:
			_, context, _ = strings.Cut(p.text, "{")
			context, _, _ = strings.Cut(context, `"@graph"`)
			context = strings.Join(strings.Fields(context), " ")
			p.text = ""
		case p.kind == head && p.block == 0 && strings.HasPrefix(strings.TrimSpace(p.text), ","):
			p.text = "\n"
		case p.kind == head || p.kind == newline:
			p.text = ""
		case p.kind == space:
			p.text = ""
		case p.kind == openObject && d.beginsBlock(i):
			p.text = "{" + context
		}
	}
	d.pieces = append(d.pieces, piece{kind: newline, text: "\n"})
	d.layout, d.at, d.text = "lines", nil, ""
	d.finish()
}
