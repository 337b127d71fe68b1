package rdfxml

import (
	"bytes"
	"context"

	"laundromat/markup/xmltext"
)

// place is what an open element may hold, more exactly than a frameKind.
type place uint8

const (
	placeDocument place = iota
	placeForeign        // anything
	placeRDF
	placeNode
	placeProperty // text or a node
	placeText     // text goes on
	placeFilled   // holds its node
	placeList
	placeEmpty
	placeXML
)

// opened is an element that is open on some way. Those of all ways are a tree.
type opened struct {
	outer         int32
	place         place
	supposed      bool
	broken        bool // an XML literal that does not end; else: its start tag is damaged
	property      bool // it is supposed to be one
	indent, inner int32
	name          []byte
	hint          []byte // what is left of the tag that is supposed
	key           uint64 // distinguishes it and all it is in from others
}

// stack puts the elements that are open where ways begin, and returns the innermost.
func (p *parser) stack() int32 {
	m := p.mender()
	m.opened = append(m.opened[:0], opened{outer: -1, place: placeDocument, indent: -1, inner: -1})
	// Only the innermost can matter.
	depth := p.x.Depth()
	for i := max(0, depth-4*maxClosing); i < depth; i++ {
		o := opened{place: placeForeign, indent: -1, inner: -1, name: p.x.Name(i), supposed: len(p.x.Name(i)) == 0, property: i > 0 &&
			i < len(p.frames) && p.frames[i].kind == inNode}
		if i+1 < len(p.frames) {
			f := &p.frames[i+1]
			o.place, o.broken, o.indent, o.inner = p.placeOf(f), f.broken, f.indent, f.inner
		} else if p.top().kind == inXML {
			o.place, o.broken = placeXML, p.top().broken
		}
		m.push(int32(len(m.opened)-1), o)
	}
	return int32(len(m.opened) - 1)
}

func (p *parser) placeOf(f *frame) place {
	switch f.kind {
	case inRDF:
		if f.supposed {
			return placeList
		}
		return placeRDF
	case inNode:
		return placeNode
	case inProperty, inTriple:
		if f.hasNode {
			return placeFilled
		}
		if f.kind == inProperty && p.literal.text && f == p.top() {
			return placeText
		}
		return placeProperty
	case inCollection:
		return placeList
	case inEmpty:
		return placeEmpty
	case inXML:
		return placeXML
	}
	return placeForeign
}

// push opens an element on a way, and returns its number.
func (m *mender) push(outer int32, o opened) int32 {
	o.outer = outer
	o.key = (m.opened[outer].key*31+uint64(o.place)+1)*0x9E3779B97F4A7C15 ^ hashName(o.name)
	m.opened = append(m.opened, o)
	return int32(len(m.opened) - 1)
}

// turn makes the innermost element of a way one of another place.
func (m *mender) turn(top int32, to place) int32 {
	o := m.opened[top]
	if o.place == to {
		return top
	}
	o.place = to
	return m.push(o.outer, o)
}

// holds says that the tags from byte from of the token on can be read as they are, in the element top.
func (p *parser) holds(ctx context.Context, from, size, most int, top int32) (sound bool, err error) {
	m := p.mending
	if m.tags, _, err = p.x.Ahead(ctx, from, size, most, m.tags[:0]); err != nil {
		return false, err
	}
	m.steps += int64(size) / 32
	m.judge(p)
	return m.sound(top, 0), nil
}

// sound says that all tags from one on can be read as they are, in the element top. Of a name's role
// only what it can't be counts. It looks no farther than the end of that element.
func (m *mender) sound(top int32, first int) bool {
	_, sound := m.run(top, first)
	return sound
}

// run is how many tags and texts from one on can be read so, and whether that is all.
func (m *mender) run(top int32, first int) (n int, sound bool) {
	outer := m.opened[top].outer
	for i := first; i < len(m.tags); i++ {
		m.steps++
		tag, e := &m.tags[i], &m.evidence[i]
		o := &m.opened[top]
		switch tag.Kind {
		case xmltext.AheadText:
			if top = m.text(top); top < 0 {
				return i - first, false
			}
		case xmltext.AheadEnd:
			if o.outer < 0 || o.supposed || !bytes.Equal(o.name, tag.Name) {
				return i - first, false
			}
			if o.outer == outer && i > first {
				return i - first, true
			}
			top = o.outer
		default:
			cost, inside, after := m.room(o, e, true)
			if cost > 0 {
				return i - first, false
			}
			top = m.turn(top, after)
			if tag.Kind == xmltext.AheadStart {
				top = m.push(top, opened{place: inside, indent: -1, inner: -1, name: tag.Name})
			}
		}
	}
	return len(m.tags) - first, true
}

// text is what text makes of an element on a way; -1 if none may be there.
func (m *mender) text(top int32) int32 {
	switch m.opened[top].place {
	case placeProperty, placeText:
		return m.turn(top, placeText)
	case placeForeign, placeXML:
		return top
	}
	return -1
}

// room is what it takes that an element is in o, what it can hold then, and what o
// can hold after it. With hard only that counts which no document may hold.
func (m *mender) room(o *opened, e *evidence, hard bool) (cost damage, inside, after place) {
	node, property := e.hardNode, e.hardProperty
	if !hard {
		node, property = node+e.node, property+e.property
	}
	after = o.place
	if e.junk && o.place != placeForeign && o.place != placeXML {
		return unlikely, placeForeign, after
	}
	switch o.place {
	case placeDocument:
		if e.root {
			return 2 * unit, placeRDF, after
		}
		return 4*unit + node, placeNode, after
	case placeRDF, placeList:
		if e.root {
			return impossible, placeRDF, after
		}
		return node, placeNode, after
	case placeNode:
		return property, e.holds, after
	case placeProperty:
		return node, placeNode, placeFilled
	case placeText:
		if e.strong {
			return strayed + node, placeNode, placeFilled
		}
		return crowded, placeForeign, after
	case placeFilled:
		return crowded + node, placeNode, after
	case placeEmpty:
		return crowded, placeForeign, after
	case placeXML:
		switch {
		case !hard && e.known && m.rules.on(evidenceKnownInXML):
			cost = alien
		case o.broken && !e.foreign:
			cost = unit
		}
		return cost, placeXML, after
	default:
		if !e.foreign {
			cost = 3 * unit
		}
		return cost, placeForeign, after
	}
}

// isText says that the start tag i begins an element that holds text and nothing else, as no node does.
func (m *mender) isText(i int) bool {
	return i+2 < len(m.tags) && m.tags[i].Kind == xmltext.AheadStart && m.tags[i+1].Kind == xmltext.AheadText &&
		m.tags[i+2].Kind == xmltext.AheadEnd && bytes.Equal(m.tags[i].Name, m.tags[i+2].Name)
}

// isGuest says that the property that begins in the list of a name is there by itself. After it come
// members or the end of the list, and not the end of a node whose start tag is lost.
func (m *mender) isGuest(name []byte) bool {
	depth := 0
	for i := range m.tags {
		tag := &m.tags[i]
		switch {
		case tag.Kind == xmltext.AheadStart:
			if depth == 0 && m.evidence[i].strong {
				return true
			}
			depth++
		case tag.Kind == xmltext.AheadEmpty && depth == 0 && m.evidence[i].strong:
			return true
		case tag.Kind == xmltext.AheadEnd && depth == 0:
			return bytes.Equal(tag.Name, name)
		case tag.Kind == xmltext.AheadEnd:
			depth--
		}
	}
	return false
}
