package rdfxml

import (
	"bytes"
	"context"
	"slices"

	"laundromat/markup/xmltext"
)

// What a broken tree of tags means is found by trying. From the elements that are open, the tags ahead
// are read in all the ways that could be meant. Each way costs damage, by what it takes to be wrong,
// and that of the least damage is chosen. A way that takes nothing to be wrong is always chosen, so
// that a sound document is never changed.

// damage is what a way to read the tags ahead takes to be wrong, in units.
type damage int32

const (
	unit        damage = 1 << 10
	strayed            = 5 * unit // text where none may be
	unclosed           = 6 * unit // an end tag is missing
	unclosedToo        = 2 * unit // and that of one more element at the same place
	doubtful           = 6 * unit // an element that hardly can be what it is taken for
	unlikely           = 8 * unit // one that was something else so far
	supposing          = 8 * unit // a start tag is missing
	empty              = 9 * unit // the end tag of a property element without anything in it is missing
	// an element is indented as none where it is, in a document that is regular in that
	ragged    = 3 * unit
	raggedEnd = unit // its end tag is
	// an element is on its line as the nodes of rdf:RDF are and hardly anything else, and is
	// none
	astray      = 18 * unit
	superfluous = 9 * unit  // an end tag is too much
	alien       = 2 * unit  // an XML literal holds an element such as those of the document
	misnaming   = 9 * unit  // or has another name than was meant
	alike       = 4 * unit  // which is not much unlike it
	crowded     = 10 * unit // an element where there is no room for one
	impossible  = 12 * unit // one that can't be what it is taken for
	beyond      = 20 * unit // ways of so much more damage than the best are given up
)

const (
	aheadBytes   = 16 << 10 // how far ahead is looked
	aheadTags    = 64       // at so many tags
	newBytes     = 2 << 10  // and these are for a tag that is only looked at since its name is new
	newTags      = 12
	maxWays      = 24       // are followed at once
	maxClosing   = 16       // elements that may end at one tag
	literalBytes = 64 << 10 // how far the end of an XML literal is looked for
	manyNodes    = 24       // nodes in so much of it, and it seems to have none
	farBytes     = 64 << 10 // how far the end of an element is looked for that seems to be missing
	farTags      = 1 << 10
	// Steps that looking ahead may take in a document, beyond two for each byte of it. So one made of
	// faults takes no longer than its length. Past it names decide alone.
	freeSteps = 1 << 21
)

// way is a way to read the tags up to some place.
type way struct {
	top  int32
	cost damage
	plan xmltext.Plan // what it makes of the first of them
	// supposed is what it supposes around that: placeList for a property that holds nodes, and placeXML
	// for one with text and mark-up. It is placeNode for a node or for a property with
	// parseType="Resource".
	supposed place
}

// mender tries ways. It is made when the first tag is met that makes one wonder.
type mender struct {
	rules    ruleSwitch
	tags     []xmltext.Ahead
	evidence []evidence
	opened   []opened
	ways     []way
	next     []way
	steps    int64 // taken in the document so far
	least    damage
	regular  bool
	farthest int32  // by which an element begins after the one around it
	home     int32  // where nodes of rdf:RDF begin on their lines; -1 if others do too
	ending   bool   // what is left of an end tag is before the first
	strayed  bool   // text is before the first, where none may
	remnant  bool   // what seems to be left of a tag is that
	hint     []byte // the name of that tag, or the beginning of it
}

func (p *parser) mender() *mender {
	if p.mending == nil {
		p.mending = &mender{rules: p.rules}
	}
	return p.mending
}

// may says that looking ahead has not taken too long in this document.
func (p *parser) may() bool { return p.mender().steps < freeSteps+2*p.x.Offset() }

// plan finds what the tag means that comes now. sound says that nothing is wrong as far as is looked.
func (p *parser) plan(ctx context.Context) (plan xmltext.Plan, sound bool, err error) {
	m := p.mender()
	if !p.may() {
		return p.byNames(ctx)
	}
	var whole bool
	if m.tags, whole, err = p.x.Ahead(ctx, 0, aheadBytes, aheadTags, m.tags[:0]); err != nil {
		return plan, false, err
	}
	m.steps += aheadBytes / 32
	if len(m.tags) == 0 {
		return plan, false, nil // the document ends in this tag, or it is very long
	}
	if err = m.observe(ctx, p); err != nil {
		return plan, false, err
	}
	if n, sound := m.run(p.stack(), 0); sound {
		// If an element was to end before this one, all ahead may fit nevertheless.
		o := &m.opened[p.stack()]
		if n < len(m.tags) || !m.ending && !m.away(o, p.indent) || !m.rules.on(lookFarther) {
			return plan, true, nil
		}
		if ends, err := p.ends(ctx); ends || err != nil {
			return plan, ends, err
		}
	}
	m.ways = append(m.ways[:0], way{top: p.stack()})
	m.explore()
	best := m.best(whole)
	p.supposing = best.supposed
	return best.plan, false, nil
}

// observe judges the tags ahead, and notes what is known of the place before the first.
func (m *mender) observe(ctx context.Context, p *parser) (err error) {
	m.judge(p)
	m.regular, m.farthest = p.regular(), p.farthest()
	m.strayed = p.stray.Is
	m.remnant, m.hint = p.stray.Is && bytes.HasPrefix(p.stray.Text(), less) && m.rules.on(evidenceRemnant), nil
	if m.remnant {
		m.hint = p.stray.Text()[1:]
		if n := bytes.IndexAny(m.hint, " \t\r\n/"); n >= 0 {
			m.hint = m.hint[:n]
		}
	}
	if m.home, err = m.findHome(ctx, p); err != nil {
		return err
	}
	m.ending = p.stray.Is && bytes.HasPrefix(p.stray.Text(), endLess)
	return nil
}

// explore goes all ways on over the tags ahead, until those that are left agree on what the first means.
func (m *mender) explore() {
	for i := range m.tags {
		m.next, m.least = m.next[:0], 1<<30
		for _, w := range m.ways {
			m.follow(w, i)
		}
		if len(m.next) == 0 {
			return
		}
		slices.SortStableFunc(m.next, func(a, b way) int { return int(a.cost - b.cost) })
		m.ways, m.next = m.next, m.ways
		n := 1
		for n < len(m.ways) && n < maxWays && m.ways[n].cost < m.ways[0].cost+beyond {
			n++
		}
		m.ways = m.ways[:n]
		agreed := true
		for _, w := range m.ways {
			agreed = agreed && w.plan == m.ways[0].plan && w.supposed == m.ways[0].supposed
		}
		if agreed {
			return
		}
	}
}

// best is the way of the least damage. If the document ends after the tags ahead, whole is true, and
// what is still open has no end tag.
func (m *mender) best(whole bool) way {
	best := m.ways[0]
	if !whole || !m.rules.on(evidenceEnd) {
		return best
	}
	for i := range m.ways {
		w := &m.ways[i]
		for at := w.top; m.opened[at].outer >= 0; at = m.opened[at].outer {
			w.cost += unclosedToo
		}
		if w.cost < best.cost || i == 0 {
			best = *w
		}
	}
	return best
}

// ends says that the innermost element ends soundly, as far as is looked for it. It leaves the
// tags ahead as they were.
func (p *parser) ends(ctx context.Context) (bool, error) {
	m := p.mending
	for _, far := range []bool{true, false} {
		size, most := aheadBytes, aheadTags
		if far {
			size, most = farBytes, farTags
		}
		var err error
		if m.tags, _, err = p.x.Ahead(ctx, 0, size, most, m.tags[:0]); err != nil {
			return false, err
		}
		m.steps += int64(size) / 32
		m.judge(p)
		if !far {
			break
		}
		if n, sound := m.run(p.stack(), 0); sound && n < len(m.tags) {
			return true, nil
		}
	}
	return false, nil
}

// byNames is what names alone show.
func (p *parser) byNames(ctx context.Context) (plan xmltext.Plan, sound bool, err error) {
	m := p.mender()
	if m.tags, _, err = p.x.Ahead(ctx, 0, 256, 1, m.tags[:0]); err != nil || len(m.tags) == 0 || m.tags[0].Kind != xmltext.AheadEnd {
		return plan, false, err
	}
	name := m.tags[0].Name
	top := p.x.Depth() - 1
	for i := top; i >= max(0, top-maxClosing); i-- {
		if bytes.Equal(p.x.Name(i), name) {
			return xmltext.Plan{Close: top - i}, false, nil
		}
	}
	return xmltext.Plan{Skip: !similar(p.x.Name(top), name)}, false, nil
}

// judge judges all tags ahead.
func (m *mender) judge(p *parser) {
	m.evidence = m.evidence[:0]
	for i := range m.tags {
		var e evidence
		switch m.tags[i].Kind {
		case xmltext.AheadText:
			if tag := m.tags[i]; tag.Meant != xmltext.AheadText {
				tag.Kind = tag.Meant
				e = p.look(&tag)
			}
		case xmltext.AheadStart, xmltext.AheadEmpty:
			e = p.look(&m.tags[i])
			if !e.strong && !e.foreign && (!e.known || e.node >= unlikely) && m.isText(i) && m.rules.on(evidenceText) {
				e.node += impossible
			}
		case xmltext.AheadEnd:
			// What speaks against its element having been a node, or a property.
			e = p.look(&m.tags[i])
			e.node, e.property = e.node+e.hardNode, e.property+e.hardProperty
		}
		m.evidence = append(m.evidence, e)
	}
}
