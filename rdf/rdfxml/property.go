package rdfxml

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"

	"laundromat/internal/fault"
	"laundromat/markup/xmltext"
	"laundromat/rdf"
)

// propertyElement begins a property element (§7.2.14) of the node element around it.
func (p *parser) propertyElement(n *name) {
	if n.isRDF("Description") {
		p.tell(fault.RDFXMLMissingProperty, fault.Drop, 1, "rdf:Description is directly in a node element, where a property is due; "+
			"how the two belong together is not said")
		p.nodeElement(n)
		return
	}
	if n.isRDF("RDF") {
		p.notNode(n)
		return
	}
	f := p.push(inProperty)
	outer := &p.frames[len(p.frames)-2]
	if outer.unended {
		if outer.properties++; outer.properties > 1 {
			outer.subject = term{}
		}
	}
	f.repaired = f.repaired || outer.repaired || n.repaired || p.mayBeEnd()
	f.subject = outer.subject
	f.pos = p.x.Pos()
	p.collect(f)
	f.repaired = f.repaired || p.found.repaired
	p.literal.reset()
	p.reify(f)
	p.annotation(f)
	p.name(f, outer, n)
	p.content(f)
}

// reify takes rdf:ID, which names the statement.
func (p *parser) reify(f *frame) {
	if p.found.id == none {
		return
	}
	t, why := p.identify(f, &p.x.Attrs()[p.found.id], false)
	if why != nil {
		why.Lost = 4
		p.drop(*why)
	}
	f.reifier = t
}

// name finds the predicate. Without one, or without a subject, the statement is lost.
func (p *parser) name(f, outer *frame, n *name) {
	at := p.x.PosAt(1)
	switch {
	case n.isRDF("li"):
		outer.items++
		mark := len(p.arena)
		p.arena = append(append(p.arena, rdf.RDF...), '_')
		p.arena = strconv.AppendUint(p.arena, outer.items, 10)
		f.predicate = constant(p.arena[mark:len(p.arena):len(p.arena)], at)
		f.predicate.repaired = n.repaired
	case n.kind == lostName:
		p.lose(f, *n.lost)
	case n.kind == noName:
		p.lose(f, p.notice(fault.RDFXMLNoNamespace, fault.Drop, fmt.Sprintf("the element %s is in no namespace, so it names no property",
			n.local)))
	case n.kind == rdfName && coreName[string(n.local)]:
		p.lose(f, p.notice(fault.RDFXMLForbiddenName, fault.Drop, fmt.Sprintf("rdf:%s can't be a property", n.local)))
	default:
		p.checkVocabulary(n, 1)
		f.predicate = p.nameTerm(n, at)
	}
	f.broken = f.broken || n.kind == rdfName && f.counted || n.kind == lostName && n.lost.Code == fault.XMLBadName
	if f.subject.Kind == rdf.NoTerm && !f.counted {
		p.lose(f, p.notice(fault.RDFXMLLostPart, fault.Drop, "the subject of this statement was lost by a fault reported before"))
	}
	if f.predicate.Kind == rdf.NoTerm && !f.counted {
		p.lose(f, p.notice(fault.IRINoBase, fault.Drop, "the namespace of a property isn't an absolute IRI"))
	}
}

// coreName recognises the names of RDF that no property element may have (§7.2.7).
var coreName = map[string]bool{
	"RDF": true, "Description": true, "ID": true, "about": true, "parseType": true, "resource": true,
	"nodeID": true, "datatype": true, "aboutEach": true, "aboutEachPrefix": true, "bagID": true,
}

// content chooses among the kinds of property elements by their attributes (§7.2.14).
func (p *parser) content(f *frame) {
	a, attrs := &p.found, p.x.Attrs()
	properties := len(a.properties)
	if a.about != none || a.aboutEach != none {
		i := max(a.about, a.aboutEach)
		p.lose(f, p.attrNotice(&attrs[i], fault.RDFXMLForbiddenName, fmt.Sprintf("a property element can't have rdf:%s", attrs[i].Local)))
	}
	open := a.parseType == none && a.resource == none && a.nodeID == none && a.datatype == none
	switch {
	case a.doubt && open && p.rules.on(doubtTag):
		p.doubtful(f, "something in the tag of a property element can't be read that may say what its object is")
	case properties > 0 && p.textual && open:
		p.doubtful(f, "a property element has attributes for properties of its object, and holds text")
	case a.parseType != none:
		p.parseType(f)
	case a.resource != none && a.nodeID != none:
		p.conflict(f, "a property element has both rdf:resource and rdf:nodeID")
	case a.datatype != none && (a.resource != none || a.nodeID != none):
		p.conflict(f, "a property element has rdf:datatype, and says in attributes that its object isn't a literal")
	case a.datatype != none && properties > 0:
		p.conflict(f, "a property element has rdf:datatype beside properties of its object")
	case a.resource != none || a.nodeID != none || properties > 0:
		p.emptyProperty(f)
	case a.datatype != none:
		p.typed(f, &attrs[a.datatype])
	default:
		p.leftover(f)
	}
}

// typed begins a property element that holds a literal of a datatype.
func (p *parser) typed(f *frame, datatype *xmltext.Attr) {
	p.leftover(f)
	t, why := p.resolveIRI(f, datatype, "a datatype")
	switch {
	case why != nil:
		p.lose(f, *why)
	case string(t.Value) != rdf.String:
		f.datatype = t.Value
	}
	f.typed = true
	f.repaired = f.repaired || t.repaired
}

// doubtful gives up a property element whose object is not known: something in its tag
// can't be read, or what it holds contradicts that. What is deeper in it is read.
func (p *parser) doubtful(f *frame, message string) {
	p.lose(f, p.notice(fault.RDFXMLLostPart, fault.Drop, message))
	p.propertyAttrs(f, &term{})
	f.supposed = true // what it holds is not known yet
}

// leftover reports attributes that no property element may have.
func (p *parser) leftover(f *frame) {
	p.found.properties = p.found.properties[:0]
	p.propertyAttrs(f, &f.subject)
}

// conflict gives up a property element whose attributes contradict each other, with what is in it.
func (p *parser) conflict(f *frame, message string) {
	n := p.notice(fault.RDFXMLConflict, fault.Drop, message)
	lost := len(p.found.properties)
	if !f.counted {
		lost += f.statements()
	}
	p.pop()
	p.skip(n, lost)
}

// parseType begins a property element by what rdf:parseType says of its content.
func (p *parser) parseType(f *frame) {
	a, attrs := &p.found, p.x.Attrs()
	kind := &attrs[a.parseType]
	switch {
	case kind.Lost != nil || (kind.Repaired || p.x.Repaired()) && meantParseType(kind.Value) == "" && bytes.ContainsAny(kind.Value, "<>="):
		n := p.attrNotice(kind, fault.RDFXMLUnknownParse, "the value of parseType is damaged, so that nobody knows what the element holds")
		if kind.Lost != nil {
			n = *kind.Lost
		}
		n.Severity, n.Lost = fault.Drop, len(a.properties)
		if !f.counted {
			n.Lost += f.statements()
			f.counted = true
		}
		p.drop(n)
		p.leftover(f)
		f.supposed = true // what it holds is not known yet
		return
	case a.resource != none || a.nodeID != none || a.datatype != none:
		p.conflict(f, "a property element has rdf:parseType, and says in attributes what its object is")
		return
	}
	f.repaired = f.repaired || kind.Repaired
	for i := range a.properties {
		property := &attrs[a.properties[i].attr]
		p.tellAttr(property, fault.RDFXMLConflict, fault.Drop, 1, fmt.Sprintf("a property element with rdf:parseType can't have the "+
			"attribute %s; it was left out", qname(property.Prefix, property.Local)))
	}
	p.leftover(f)
	value, misspelt := string(kind.Value), false
	if meant := meantParseType(kind.Value); meant != "" && meant != value && p.rules.on(nameOfParseType) {
		p.repairAttr(kind, fault.RDFXMLUnknownParse, fmt.Sprintf("there is no parseType %q; it was taken for %s", value, meant),
			xmltext.EditValue(p.x, kind, meant))
		f.repaired, misspelt = true, true
		value = meant
	}
	switch value {
	case "Resource":
		f.object.repaired, f.object.Pos = f.repaired, p.x.PosAt(kind.NameAt) // for leadTo and loneNode
		f.kind, f.subject, f.items, f.resource = inNode, p.anonymous(f.pos), 0, true
		f.suspect = f.suspect || misspelt // since the node is only there by that
		f.repaired = f.suspect
	case "Collection":
		f.kind = inCollection
	case "Literal":
		p.beginXML(f)
	case "Triple":
		p.beginTriple(f, kind)
	default:
		// As the specification asks (§7.2.20), so that nothing is changed by it.
		p.tellAttr(kind, fault.RDFXMLUnknownParse, fault.Warning, 0, fmt.Sprintf("there is no parseType %q; the content was read as an "+
			"XML literal", value))
		p.beginXML(f)
	}
}

// meantParseType is the value of rdf:parseType that another was meant for. It is written in other
// letters or with a prefix, or has one letter too many, too few or wrong. If there is none, or if it
// makes no difference, it is "".
func meantParseType(value []byte) string {
	if i := bytes.LastIndexByte(value, ':'); i >= 0 {
		value = value[i+1:]
	}
	value = bytes.Map(nameRune, value)
	for _, known := range []string{"Resource", "Collection"} {
		if oneOff(bytes.ToLower(bytes.TrimSpace(value)), strings.ToLower(known)) {
			return known
		}
	}
	return ""
}

// oneOff says that a and b differ in one byte at most, which is too many in one or wrong.
func oneOff(a []byte, b string) bool {
	same := 0
	for same < len(a) && same < len(b) && a[same] == b[same] {
		same++
	}
	restA, restB := a[same:], b[same:]
	switch len(restA) - len(restB) {
	case 0:
		return len(restA) == 0 || string(restA[1:]) == restB[1:]
	case 1:
		return string(restA[1:]) == restB
	case -1:
		return string(restA) == restB[1:]
	}
	return false
}

// whatItHolds finds what a property element holds whose rdf:parseType is lost, so that
// what is deeper in it is not lost too. Its own statements are.
func (p *parser) whatItHolds(ctx context.Context, f *frame) {
	f.supposed = false
	if p.x.EmptyTag() {
		return
	}
	if p.regular() && f.indent >= 0 || p.homely() {
		m := p.mender()
		var err error
		if m.tags, _, err = p.x.Ahead(ctx, p.x.Len(), newBytes, 1, m.tags[:0]); err != nil {
			p.broken = err
			return
		}
		if len(m.tags) > 0 && m.tags[0].Indent >= 0 &&
			(p.regular() && int32(m.tags[0].Indent) <= f.indent || p.homely() && int32(m.tags[0].Indent) <= p.home) {
			return // nothing: its end tag is lost too
		}
	}
	for _, holds := range []place{placeProperty, placeNode, placeList} {
		sound, err := false, error(nil)
		if p.may() {
			sound, err = p.holds(ctx, p.x.Len(), aheadBytes, aheadTags, p.mending.turn(p.stack(), holds))
		}
		switch {
		case err != nil:
			p.broken = err
		case !sound, !p.rules.on(contentUnknown):
			continue
		case holds == placeNode:
			f.kind, f.subject, f.items = inNode, term{}, 0
		case holds == placeList:
			f.kind, f.supposed = inRDF, true
		}
		return
	}
	p.beginXML(f)
	p.checkEnd(ctx, f)
}

// emptyProperty reads a property element whose object is given by attributes (§7.2.21).
func (p *parser) emptyProperty(f *frame) {
	a, attrs := &p.found, p.x.Attrs()
	f.kind = inEmpty
	if p.blank {
		n := p.notice(fault.RDFXMLWhiteSpace, fault.Repair, "a property element whose object is given by attributes holds white space, "+
			"where nothing may occur; it was passed over")
		n.Edits = xmltext.EditBlankContent(p.x)
		p.to.Notice(n)
		f.repaired = true
	}
	var o term
	var why *fault.Notice
	switch {
	case a.resource != none:
		o, why = p.resolve(f, &attrs[a.resource])
	case a.nodeID != none:
		o, why = p.label(&attrs[a.nodeID])
	default:
		o = p.anonymous(f.pos)
	}
	if why != nil {
		o = term{}
		p.lose(f, *why)
	}
	if f.broken && f.counted && o.Anonymous > 0 { // the tag is not sound, so nobody knows what it says of that
		o = term{}
	}
	p.state(f, &o, false)
	p.propertyAttrs(f, &o)
}

// nodeInProperty begins an element in a property element that may hold a node.
func (p *parser) nodeInProperty(n *name) {
	f := p.top()
	mixed := p.literal.text
	if markup := n.kind == noName || string(n.ns) == xhtml; (mixed || markup) && !f.hasNode && !p.isNode(n) {
		lost := 0
		if !f.counted {
			lost = f.statements()
			f.counted = true
		}
		f.hasNode = true
		notice := p.notice(fault.RDFXMLMixedContent, fault.Drop, "a property element holds mark-up, but does not say "+
			"parseType=\"Literal\"; it was passed over")
		notice.Pos, notice.Excerpt = f.pos, p.x.Excerpt()
		p.pop2(notice, lost)
		return
	}
	if mixed && !f.hasNode && !f.counted {
		p.straighten()
	}
	if f.hasNode {
		p.tell(fault.RDFXMLSeveralNodes, fault.Drop, 1, "a property element holds more than one node; the statement that leads to this "+
			"one is lost")
	}
	if f.typed && !f.hasNode && !f.counted {
		p.lose(f, p.notice(fault.RDFXMLConflict, fault.Drop, "a property element with rdf:datatype, which holds text, holds a node"))
	}
	if f.broken && !bytes.Equal(f.language, p.frames[len(p.frames)-2].language) {
		f.languageLost = true // that is for text, and what is here may be after the element
	}
	f.hasNode = true
	p.nodeElement(n)
}

// checkResource looks whether the node of a parseType="Resource" ends. If it does not, and no indentation shows
// where it should have, only its first property surely belongs to it.
func (p *parser) checkResource(ctx context.Context, f *frame) {
	if p.regular() || !p.rules.on(endResource) {
		return
	}
	if ends, err := p.endsAtAll(ctx); err != nil {
		p.broken = err
	} else if !ends {
		f.unended = true
		p.tell(fault.RDFXMLUnfinished, fault.Drop, 0, "an element with parseType=\"Resource\" is not closed, so that nobody knows which "+
			"properties are about its node; only the first was taken to be")
	}
}

// pop2 gives up the property element and the element that begins in it.
func (p *parser) pop2(n fault.Notice, lost int) {
	p.pop()
	p.skip(n, lost)
	p.skipping = 2
}

// isNode says that an element is a node, whatever is next to it. It judges by its name, by what
// elements of its name have been so far, or by rdf:about.
func (p *parser) isNode(n *name) bool {
	if n.kind == rdfName {
		switch string(n.local) {
		case "Description", "Bag", "Seq", "Alt", "Statement", "List", "Property":
			return true
		}
	}
	if n.kind == noName || string(n.ns) == xhtml {
		return false
	}
	if p.roles.of(hashName(p.x.TagName())) == asNode {
		return true
	}
	for i := range p.x.Attrs() {
		if a := &p.x.Attrs()[i]; string(a.Local) == "about" && p.space(a.Prefix, nil) == rdfName {
			return true
		}
	}
	return false
}

// nextMember makes the node of a list (§7.2.19) that the next member hangs on, and what leads to it.
func (p *parser) nextMember(f *frame, pos fault.Pos) {
	node := p.anonymous(pos)
	if f.object.Kind == rdf.NoTerm {
		p.state(f, &node, false)
	} else {
		rest := constant(rdfRest, pos)
		p.emit(&f.object, &rest, &node, f.repaired)
	}
	f.object = node
}

// member states that m is the member at the node of the list made last.
func (p *parser) member(f *frame, m *term, repaired bool) {
	first := constant(rdfFirst, f.object.Pos)
	p.emit(&f.object, &first, m, repaired || f.repaired)
}

// endCollection closes the list.
func (p *parser) endCollection(f *frame) {
	if p.x.AtEnd() {
		p.cutOff(f, 1)
		return
	}
	end := constant(rdfNil, p.x.Pos())
	if f.object.Kind == rdf.NoTerm {
		p.state(f, &end, p.x.Implied() || p.x.Misnamed())
		return
	}
	rest := constant(rdfRest, end.Pos)
	p.emit(&f.object, &rest, &end, f.repaired || p.x.Implied() || p.x.Misnamed())
}

// cutOff counts what the end of the document cut off from a property element.
func (p *parser) cutOff(f *frame, more int) {
	if !f.counted {
		f.counted = true
		more = f.statements()
	}
	p.unfinished(f, more)
}
