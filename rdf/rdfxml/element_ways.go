package rdfxml

import (
	"bytes"

	"laundromat/markup/xmltext"
)

// follow goes all ways on over the tag i.
func (m *mender) follow(w way, i int) {
	m.steps++
	tag := &m.tags[i]
	switch tag.Kind {
	case xmltext.AheadText:
		if top := m.text(w.top); top >= 0 {
			w.top = top
		} else {
			w.cost += strayed
			if e := &m.evidence[i]; tag.Meant == xmltext.AheadStart && !e.foreign && m.rules.on(openUnopened) {
				m.accept(w, tag, e) // it is a start tag except for its <
			}
		}
		m.keep(w)
	case xmltext.AheadEnd:
		m.followEnd(w, i)
	default:
		m.followStart(w, i)
	}
}

// followStart goes a way on over the start tag i. It is in the innermost element, or the end tags of
// that and some around it are missing.
func (m *mender) followStart(w way, i int) {
	tag, e := &m.tags[i], &m.evidence[i]
	for closed := 0; ; closed++ {
		open := w
		if i == 0 && m.ending && closed == 0 {
			open.cost += unclosed
		}
		m.accept(open, tag, e)
		o := m.opened[w.top]
		m.supposeAround(w, &o, i)
		if o.place == placeDocument || o.place == placeRDF || closed == maxClosing || !m.rules.on(closeBefore) {
			return
		}
		if i == 0 && m.ending && closed == 0 {
			w.cost += unit // what is left of its end tag
		} else {
			w.cost += m.closing(&o, closed)
		}
		w.top = o.outer
		if i == 0 {
			w.plan.Close++
		}
		if w.cost >= m.least+beyond {
			return
		}
	}
}

// supposeAround supposes the elements that may be missing around the start tag i in an open one.
func (m *mender) supposeAround(w way, o *opened, i int) {
	w.cost += supposing
	switch o.place {
	case placeNode:
		indent := int32(m.tags[i].Indent)
		further := m.remnant || m.regular && (o.inner >= 0 && indent > o.inner || m.tooFar(o, indent))
		if i == 0 && further && m.rules.on(supposeProperty) {
			m.suppose(w, placeNode, i)
		}
		if i == 0 && m.strayed && m.evidence[0].foreign && m.rules.on(supposeMarkup) {
			m.suppose(w, placeXML, i) // of which the text before is a part
		}
		if m.rules.on(supposeList) {
			m.suppose(w, placeList, i)
		}
	case placeRDF, placeList, placeDocument:
		if m.rules.on(supposeNode) {
			m.suppose(w, placeNode, i)
		}
	case placeProperty, placeText:
		if o.place == placeText { // which is what is left of the tag
			w.cost += strayed
		}
		if w.top = m.turn(w.top, placeFilled); m.rules.on(supposeNode) {
			m.suppose(w, placeNode, i)
		}
	}
}

// suppose reads a start tag as it is in an element whose own start tag is missing.
func (m *mender) suppose(w way, inside place, i int) {
	if i == 0 {
		w.plan.Suppose, w.supposed = true, inside
	}
	outer := &m.opened[w.top]
	if m.away(outer, int32(m.tags[i].Indent)) {
		w.cost += astray
	}
	o := opened{place: inside, supposed: true, indent: outer.indent, inner: -1, property: outer.place == placeNode}
	if i == 0 {
		o.hint = m.hint
	}
	w.top = m.push(w.top, o)
	m.accept(w, &m.tags[i], &m.evidence[i])
}

// closing is what it takes that the end tag of an element is missing, where those of
// some in it are too.
func (m *mender) closing(o *opened, before int) damage {
	switch {
	case o.supposed, o.place == placeForeign && before > 0:
		return unit
	case before > 0:
		return unclosedToo
	case o.place == placeProperty && !o.broken && m.rules.on(evidenceEmptyValue):
		return empty
	}
	return unclosed
}

// accept reads a start tag as it is.
func (m *mender) accept(w way, tag *xmltext.Ahead, e *evidence) {
	o := &m.opened[w.top]
	cost, inside, after := m.room(o, e, false)
	w.cost += cost
	if indent := int32(tag.Indent); !e.junk && m.away(o, indent) {
		w.cost += astray
	} else if m.regular && indent >= 0 {
		switch {
		case (o.indent >= 0 && indent <= o.indent || o.inner >= 0 && indent > o.inner || m.tooFar(o, indent)) && m.rules.on(evidenceIndent):
			w.cost += ragged
		case o.inner >= 0 && indent < o.inner && m.rules.on(evidenceIndent):
			w.cost += raggedEnd
		}
	}
	w.top = m.turn(w.top, after)
	if tag.Kind == xmltext.AheadStart || tag.Meant == xmltext.AheadStart {
		w.top = m.push(w.top, opened{place: inside, indent: int32(tag.Indent), inner: -1, name: tag.Name, property: o.place == placeNode,
			broken: tag.Broken && inside != placeXML})
	}
	m.keep(w)
}

// tooFar says that the first element in o, after so many characters of its line, is indented more
// than any other in its own.
func (m *mender) tooFar(o *opened, indent int32) bool {
	return o.inner < 0 && o.indent >= 0 && !o.supposed && indent > o.indent+m.farthest && m.rules.on(evidenceFar)
}

// away says that an element in o, after so many characters of its line, is placed like a
// node of rdf:RDF, and is none.
func (m *mender) away(o *opened, indent int32) bool {
	if indent < 0 || indent > m.home {
		return false
	}
	switch o.place {
	case placeDocument, placeForeign, placeRDF:
		return false
	}
	return m.rules.on(evidenceHome)
}

// followEnd goes a way on over the end tag i. It ends the element of its name, or the innermost one,
// which has another, or it is too much.
func (m *mender) followEnd(w way, i int) {
	at, closed, cost := m.named(w.top, m.tags[i].Name)
	found := m.opened[at].outer >= 0 && closed <= maxClosing && (closed == 0 || m.rules.on(closeAround))
	if found {
		ended := w
		ended.cost += cost + m.misplacedEnd(&m.opened[at], i)
		ended.top = m.opened[at].outer
		if i == 0 {
			ended.plan.Close = closed
		}
		m.keep(ended)
		if closed == 0 {
			return // nothing else could be meant
		}
	}
	if o := &m.opened[w.top]; o.outer >= 0 && m.rules.on(closeMisnamed) {
		if o.supposed && related(o.hint, m.tags[i].Name) {
			found = false
		}
		other := w
		other.top = o.outer
		other.cost += m.misnamed(o, i)
		if o.supposed && found {
			other.cost += unit
		}
		m.keep(other)
	}
	if w.cost += m.needless(i); !m.rules.on(skipEnd) {
		w.cost += 2 * impossible
	}
	if i == 0 {
		w.plan.Skip = true
	}
	m.keep(w)
}

// named looks from the innermost element top on for that of a name. It says how many in it end without
// their end tags, and what that costs.
func (m *mender) named(top int32, name []byte) (at int32, closed int, cost damage) {
	for at = top; m.opened[at].outer >= 0 && closed <= maxClosing; at = m.opened[at].outer {
		o := &m.opened[at]
		if !o.supposed && bytes.Equal(o.name, name) {
			break
		}
		cost += m.closing(o, closed)
		closed++
	}
	return at, closed, cost
}

// misplacedEnd is what it takes that the tag i ends an element, by where the two are on their lines.
func (m *mender) misplacedEnd(o *opened, i int) damage {
	if indent := m.tags[i].Indent; m.regular && indent >= 0 && o.indent >= 0 && int32(indent) != o.indent && m.rules.on(evidenceIndent) {
		return raggedEnd
	}
	return 0
}

// misnamed is what it takes that the tag i ends an element under another name.
func (m *mender) misnamed(o *opened, i int) (cost damage) {
	tag, e := &m.tags[i], &m.evidence[i]
	if o.supposed {
		switch {
		case related(o.hint, tag.Name):
			return 0
		case o.property:
			return e.property
		}
		return e.node
	}
	switch {
	case o.place == placeRDF:
		cost = 2 * impossible
	case similar(o.name, tag.Name) && m.rules.on(evidenceAlike):
		cost = alike
	case o.property:
		cost = misnaming + e.property
	case o.place == placeNode:
		cost = misnaming + e.node
	default:
		cost = misnaming
	}
	return cost + m.misplacedEnd(o, i)
}

// needless is what it takes that the end tag i is too much.
func (m *mender) needless(i int) damage {
	tag, first := &m.tags[i], i == 0
	switch {
	case first && related(m.hint, tag.Name): // it ends what is left of its element
		return unit
	// whose tag has no <
	case !first && m.tags[i-1].Kind == xmltext.AheadText && bytes.Equal(m.tags[i-1].Name, tag.Name):
		return unit
	}
	return superfluous
}

// keep notes where a way leads, unless another leads there for less.
func (m *mender) keep(w way) {
	m.steps++
	if w.cost >= m.least+beyond {
		return
	}
	key := m.opened[w.top].key
	for i := range m.next {
		other := &m.next[i]
		if m.opened[other.top].key == key && m.opened[other.top].place == m.opened[w.top].place {
			if w.cost < other.cost {
				*other = w
			}
			return
		}
	}
	m.least = min(m.least, w.cost)
	m.next = append(m.next, w)
}
