package rdfxml

import (
	"bytes"
	"context"
	"hash/maphash"
	"math"

	"laundromat/markup/xmltext"
)

// Begin implements xmltext.Guide: it finds what a start tag means. Those of a
// name that has been what it would be here are not looked at further.
func (p *parser) Begin(ctx context.Context) (xmltext.Plan, error) {
	p.indent = int32(p.x.Indent())
	if p.asked {
		p.asked, p.coming = false, coming{}
	}
	if p.skipping > 0 {
		return p.beginSkipped(ctx)
	}
	f := p.top()
	if f.unended && f.properties > 0 && bytes.Equal(p.x.TagName(), p.x.Name(p.x.Depth()-1)) && p.rules.on(closeLikeIt) {
		return xmltext.Plan{Close: 1}, nil // another property like it
	}
	var err error
	if p.lone, err = p.isLoneNode(ctx, f); p.lone || err != nil {
		return xmltext.Plan{}, err
	}
	twice := p.tagLen == p.x.Len() && p.isTwice()
	as, sure := asProperty, true
	if f.kind == inNode {
		if p.x.EmptyTag() || len(p.x.Attrs()) > 0 {
			if open, err := p.lookBehind(ctx); open || err != nil {
				return xmltext.Plan{Open: open}, err
			}
		}
		sure = !p.irregular(f)
	} else {
		var passed bool
		if as, sure, passed, err = p.dueIn(ctx, f); passed || err != nil {
			return xmltext.Plan{}, err
		}
	}
	hash, known, err := p.roleOfTag(ctx, as)
	if err != nil {
		return xmltext.Plan{}, err
	}
	sure = sure && !twice && !p.stray.Is && !p.isAtHome(f)
	name := unlearned{hash: hash, as: as}
	if sure {
		if sound, err := p.isSound(ctx, name, known); sound || err != nil {
			return xmltext.Plan{}, err
		}
	}
	return p.planStart(ctx, name, known, twice)
}

// isSound says that a start tag has a name which was known to have its role. Or its name is new, and
// nothing near ahead is wrong.
func (p *parser) isSound(ctx context.Context, name unlearned, known role) (bool, error) {
	if known&name.as != 0 || known == 0 && name.as == asProperty && p.roles.full() {
		return true, nil
	}
	if known != 0 || !p.may() {
		return false, nil
	}
	sound, err := p.holds(ctx, 0, newBytes, newTags, p.stack())
	if sound {
		p.roles.learn(name.hash, name.as)
	}
	return sound, err
}

// planStart tries what a start tag can mean, and learns the role of its name if nothing is wrong. The
// parameter known is what the name was in the document so far; twice says that the tag before is the same.
func (p *parser) planStart(ctx context.Context, name unlearned, known role, twice bool) (xmltext.Plan, error) {
	bare := len(p.x.Attrs()) == 0 // which looking ahead may overwrite
	p.asked = true
	plan, sound, err := p.plan(ctx)
	if twice && !sound && err == nil {
		return xmltext.Plan{Skip: true}, nil
	}
	p.guest = p.top().kind == inCollection && plan == xmltext.Plan{Suppose: true} && p.supposing == placeNode &&
		p.mending.isGuest(p.x.Name(p.x.Depth()-1)) && p.rules.on(doubtGuest)
	switch {
	case name.as == 0:
	case sound:
		p.roles.learn(name.hash, name.as)
	case known == 0 && plan == xmltext.Plan{} && !p.unnamed:
		p.opening = name
	}
	if !sound && bare {
		p.suspectEnd(name.hash, plan)
	}
	return plan, err
}

// beginSkipped finds what a start tag means in what is skipped.
func (p *parser) beginSkipped(ctx context.Context) (xmltext.Plan, error) {
	if ends, err := p.endsPassage(ctx); ends || err != nil {
		return xmltext.Plan{Close: p.x.Depth() - 1}, err
	}
	if !p.inPage || !p.Declared(p.x.Prefix()) {
		return xmltext.Plan{}, nil
	}
	plan, _, err := p.plan(ctx)
	return plan, err
}

// dueIn is the role of an element that begins in f, which is no node; 0 if it has none. If nothing but
// its name needs to be looked at, sure is true. If its tag is taken as it is, passed is true.
func (p *parser) dueIn(ctx context.Context, f *frame) (as role, sure, passed bool, err error) {
	if f.kind != inForeign && !p.x.EmptyTag() {
		if p.textual, err = p.restFollows(ctx); p.textual || err != nil {
			p.asked = true
		}
		if err != nil {
			return 0, false, false, err
		}
	}
	switch f.kind {
	case inForeign:
		return 0, false, true, nil
	case inDocument:
		if !p.rooted {
			return 0, false, true, p.lookForRDF(ctx)
		}
		return asNode, false, false, nil
	case inXML:
		return 0, false, !f.broken, nil
	case inRDF, inCollection:
		return asNode, true, false, nil
	case inProperty, inTriple:
		return asNode, !f.hasNode && (f.kind == inTriple || !p.literal.text), false, nil
	}
	return 0, false, false, nil
}

// roleOfTag finds what the name of a start tag was in the document so far; 0 for nothing. A name that
// was not used before is replaced by the one that was meant.
func (p *parser) roleOfTag(ctx context.Context, as role) (hash uint64, known role, err error) {
	hash = hashName(p.x.TagName())
	if known = p.roles.of(hash); known != 0 {
		return hash, known, nil
	}
	p.isNew, p.asked = true, true
	if as == 0 || p.x.EmptyTag() {
		return hash, known, nil
	}
	var meant string
	if meant, p.unnamed, err = p.meantName(ctx, as); err != nil || meant == "" {
		return hash, known, err
	}
	hash = hashName([]byte(meant))
	p.renamed = meant
	p.x.Rename(meant)
	return hash, p.roles.of(hash), nil
}

// suspectEnd notes that a start tag without attributes may be an end tag without its /. It has the name
// of an element that it is in or ends.
func (p *parser) suspectEnd(hash uint64, plan xmltext.Plan) {
	top := p.x.Depth() - 1
	for i := top; i >= 0 && i >= top-max(0, plan.Close-1); i-- {
		p.unslashed = p.unslashed || hashName(p.x.Name(i)) == hash && p.rules.on(doubtUnslashed)
	}
}

// isTwice says that the start tag is, byte for byte, that which came right before it.
func (p *parser) isTwice() bool {
	return p.tagDepth == p.x.Depth() && p.tag != 0 && !p.stray.Is && !p.x.EmptyTag() && !(p.top().kind == inProperty && p.literal.text) &&
		bytes.Equal(p.x.TagName(), p.x.Name(p.tagDepth-1)) && p.hashTag() == p.tag && p.rules.on(skipTwice)
}

// hashTag is a hash of the attributes of the start tag, as they are written, and never 0.
func (p *parser) hashTag() uint64 {
	if len(p.x.Attrs()) == 0 {
		return 1
	}
	return maphash.Bytes(seed, p.x.Raw()) | 2
}

// seed is that of the hashes of start tags, which distinguish two within one run.
var seed = maphash.MakeSeed()

// endsPassage says that the start tag, in what is skipped, is that of a node of rdf:RDF. It looks
// like one, and begins on its line where they do, and hardly anything else in the document. Then the
// end tag of what is skipped is missing.
func (p *parser) endsPassage(ctx context.Context) (bool, error) {
	if p.inPage || p.indent < 0 || !p.homely() || p.indent > p.home || len(p.frames) < 2 || p.frames[1].kind != inRDF || !p.may() {
		return false, nil
	}
	m := p.mender()
	var err error
	m.tags, _, err = p.x.Ahead(ctx, 0, aheadBytes, 1, m.tags[:0])
	m.steps += aheadBytes / 32
	return err == nil && len(m.tags) > 0 && p.look(&m.tags[0]).strong && p.rules.on(endPassage), err
}

// irregular says that the start tag is at another depth than the elements next
// to it, in a document that is otherwise regular in that.
func (p *parser) irregular(f *frame) bool {
	return p.indent >= 0 && p.regular() && p.rules.on(lookAtLayout) &&
		(f.inner >= 0 && p.indent != f.inner || f.indent >= 0 && (p.indent <= f.indent || f.inner < 0 && p.indent > f.indent+p.farthest()))
}

// isAtHome says that the start tag in f begins on its line where the nodes of rdf:RDF do, as far as is known.
func (p *parser) isAtHome(f *frame) bool {
	return (p.isHome(f) || p.inFirst()) && p.rules.on(lookAtLayout)
}

// isHome says that the start tag in f begins on its line where nodes of rdf:RDF do, and hardly anything else in
// the document.
func (p *parser) isHome(f *frame) bool {
	return p.indent >= 0 && p.homely() && p.indent <= p.home && (f.kind != inRDF || f.supposed) && f.kind != inDocument
}

// findHome is where the nodes of rdf:RDF begin on their lines, if hardly anything else does; -1 if that
// can't be known. After the first node, those ahead show it.
func (m *mender) findHome(ctx context.Context, p *parser) (int32, error) {
	if p.homely() {
		return p.home, nil
	}
	if !p.inFirst() {
		return -1, nil
	}
	home := p.frames[1].inner
	nodes, all := m.atHome(p, m.tags, home)
	if nodes == 1 && all && !p.stray.Is { // lines may be long
		tags, _, err := p.x.Ahead(ctx, 0, farBytes, farTags, nil)
		if err != nil {
			return -1, err
		}
		m.steps += farBytes / 32
		nodes, all = m.atHome(p, tags, home)
	}
	if !all || nodes == 0 || nodes == 1 && !p.stray.Is {
		return -1, nil
	}
	return home, nil
}

// atHome counts the tags that begin on their lines where the nodes of rdf:RDF do. It says whether all
// of them are such nodes, judged by themselves.
func (m *mender) atHome(p *parser, tags []xmltext.Ahead, home int32) (nodes int, all bool) {
	for i := range tags {
		tag := &tags[i]
		if tag.Kind != xmltext.AheadStart && tag.Kind != xmltext.AheadEmpty || tag.Indent < 0 || int32(tag.Indent) > home {
			continue
		}
		if e := p.look(tag); !e.strong && (e.hardProperty == 0 || e.hardNode > 0 || e.foreign) {
			return nodes, false
		}
		nodes++
	}
	return nodes, true
}

// inFirst says that the start tag is in the first node of rdf:RDF, and begins on its line where that
// node did. No element in it did before.
func (p *parser) inFirst() bool {
	return p.indent >= 0 && p.atHome == 1 && p.strayed == 0 && len(p.frames) > 2 && p.frames[1].kind == inRDF &&
		p.indent <= p.frames[1].inner
}

// homely says that hardly anything but the nodes of rdf:RDF begins on its line where they do.
func (p *parser) homely() bool { return p.atHome >= 2 && p.strayed*8 < p.atHome }

// regular says that elements begin farther on after the beginning of their line than those they are in.
func (p *parser) regular() bool { return p.deeper >= 4 && p.level*8 < p.deeper }

// farthest is how much more an element is indented than the one around it, at most. Where all but few
// have the same indent, it is that; else there is no such bound.
func (p *parser) farthest() int32 {
	if p.steps*8 < p.deeper*7 {
		return math.MaxInt32 / 2
	}
	return p.step
}

// End implements xmltext.Guide: it finds what an end tag means.
func (p *parser) End(ctx context.Context, name []byte) (xmltext.Plan, error) {
	top := p.x.Depth() - 1
	if top == 0 && bytes.Equal(p.x.Name(0), name) {
		return p.rootEnd(ctx)
	}
	if p.inPage {
		for i := top; i > top-p.skipping; i-- {
			if bytes.Equal(p.x.Name(i), name) {
				return xmltext.Plan{Close: top - i}, nil
			}
		}
	}
	if inside := p.insideLiteral(name); inside > 0 && p.rules.on(endLiteral) {
		if never, err := p.neverEndsFrom(ctx, 0, 1, name, inside-1); never || err != nil {
			return xmltext.Plan{Close: inside}, err
		}
	}
	plan, _, err := p.plan(ctx)
	return plan, err
}

// insideLiteral is how many elements of an XML literal are open in its property element, if that has a name
// that none of them has.
func (p *parser) insideLiteral(name []byte) int {
	if f := p.top(); p.skipping > 0 || f.kind != inXML || f.broken {
		return 0
	}
	inside := p.literal.canonical.Depth()
	for i := 0; i <= inside; i++ {
		if bytes.Equal(p.x.Name(p.x.Depth()-1-i), name) {
			if i == inside {
				return inside
			}
			return 0
		}
	}
	return 0
}

// rootEnd finds whether the root ends: it does not if what follows uses prefixes that
// only the root declares.
func (p *parser) rootEnd(ctx context.Context) (plan xmltext.Plan, err error) {
	m := p.mender()
	if m.tags, _, err = p.x.Ahead(ctx, 0, aheadBytes, 3, m.tags[:0]); err != nil {
		return plan, err
	}
	for _, tag := range m.tags {
		switch tag.Kind {
		case xmltext.AheadStart, xmltext.AheadEmpty:
			if bytes.Contains(tag.Attrs, xmlnsName) {
				return plan, nil
			}
			prefix, _ := splitName(tag.Name)
			b := p.scope.Find(prefix)
			plan.Skip = b != nil && len(b.IRI) > 0 && p.rules.on(goOnBehindRoot)
			return plan, nil
		}
	}
	return plan, nil
}

// Elements implements xmltext.Guide.
func (p *parser) Elements() (elements, text bool) {
	if p.skipping > 0 {
		return false, true
	}
	switch f := p.top(); f.kind {
	case inRDF, inNode, inCollection:
		return true, false
	case inProperty:
		return !f.hasNode && !p.literal.text, true
	}
	return false, true
}

// Declared implements xmltext.Guide.
func (p *parser) Declared(prefix []byte) bool { return p.scope.Find(prefix) != nil }

// Resume implements xmltext.Guide. Sound mark-up goes on at the first tag from which all that is ahead
// can be read without damage, or at least some. Else it goes on where most can.
func (p *parser) Resume(ctx context.Context, from, to int) (int, error) {
	const candidates, enough, least = 16, 8, 3
	m := p.mender()
	for first := from; ; {
		if !p.may() {
			return -1, nil
		}
		size := min(to-first, aheadBytes)
		var err error
		if m.tags, _, err = p.x.Ahead(ctx, first, size, aheadTags, m.tags[:0]); err != nil {
			return -1, err
		}
		m.steps += int64(size) / 32
		m.judge(p)
		most, at := least-1, -1
		some := m.tags[:min(len(m.tags), candidates)]
		for i, tag := range some {
			if tag.Kind == xmltext.AheadText {
				continue
			}
			if !p.rooted && m.evidence[i].root {
				return tag.At, nil
			}
			n, sound := m.runUnended(p.stack(), i, enough)
			if sound || n >= enough {
				return tag.At, nil
			}
			if n > most {
				most, at = n, tag.At
			}
		}
		switch {
		case at >= 0:
			return at, nil
		case len(some) < len(m.tags):
			first = m.tags[len(some)].At
		case len(some) > 0:
			first = some[len(some)-1].At + 1
		default:
			first += size // text alone so far
		}
		if first >= to {
			return -1, nil
		}
	}
}

// runUnended is run in the element top or in one of those around it, the end tags between being lost
// as well. It takes that in which the most can be read, or the first in which enough can.
func (m *mender) runUnended(top int32, first, enough int) (most int, sound bool) {
	const mostUnended = 2
	for unended := 0; ; unended++ {
		n, sound := m.run(top, first)
		if most = max(most, n); sound || n >= enough {
			return most, sound
		}
		o := &m.opened[top]
		if unended == mostUnended || o.place == placeRDF || o.outer < 0 || !m.rules.on(resumeInOuter) {
			return most, false
		}
		top = o.outer
	}
}
