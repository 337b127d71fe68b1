package rdfxml

import (
	"context"

	"laundromat/internal/fault"
)

// An element with parseType="Resource" holds properties of a node that it makes itself. Some documents put the tag of
// a node around them, as other properties have it. If nothing else is in the element, that node is its value.

// leadTo states, before anything else in a parseType="Resource", what leads to its node.
func (p *parser) leadTo(f *frame) {
	if !f.resource || f.hasNode || f.kind != inNode {
		return
	}
	o, repaired := f.subject, f.repaired
	f.subject, f.repaired = p.frames[len(p.frames)-2].subject, f.object.repaired
	p.state(f, &o, false)
	f.subject, f.repaired, f.hasNode = o, repaired, true
}

// isLoneNode says that the start tag, the first in a parseType="Resource", begins a node, and that nothing else is in
// that element. It can't be read as a property.
func (p *parser) isLoneNode(ctx context.Context, f *frame) (bool, error) {
	if !f.resource || f.hasNode || f.kind != inNode {
		return false, nil
	}
	hash := hashName(p.x.TagName())
	if p.roles.of(hash) == asProperty || p.stray.Is || !p.may() {
		return false, nil
	}
	top := p.stack()
	sound, err := p.holds(ctx, 0, aheadBytes, aheadTags, top)
	if sound || err != nil || len(p.mending.tags) == 0 || !p.mending.sound(p.mending.turn(top, placeProperty), 0) {
		return false, err
	}
	p.roles.learn(hash, asNode)
	return true, nil
}

// loneNode begins the node that is the value of the parseType="Resource" around it.
func (p *parser) loneNode(n *name) {
	f := p.top()
	p.nodes-- // the node of the element itself is none
	at := f.object.Pos
	p.to.Notice(fault.Notice{Code: fault.RDFXMLResourceNode, Severity: fault.Repair, Pos: at, Excerpt: p.x.Excerpt(),
		Message: "a property element with parseType=\"Resource\" holds a node, and nothing else; it was read without parseType"})
	f.subject = p.frames[len(p.frames)-2].subject
	f.kind, f.resource, f.repaired, f.hasNode = inProperty, false, true, true
	p.literal.reset()
	p.nodeElement(n)
}
