package rdfxml

import (
	"fmt"

	"laundromat/internal/fault"
	"laundromat/internal/rfc3986"
	"laundromat/markup/xmltext"
	"laundromat/rdf"
)

// nodeElement begins a node element (§7.2.11). The frame around it is the document,
// rdf:RDF, a property element or a collection; or another node element, if the property between is missing.
func (p *parser) nodeElement(n *name) {
	if n.kind == rdfName && p.notNode(n) {
		return
	}
	p.readDescription(n)
	f := p.push(inNode)
	end := p.mayBeEnd()
	f.suspect = end || f.suspect
	f.repaired = f.repaired || f.suspect || n.repaired
	p.collect(f)
	outer := &p.frames[len(p.frames)-2]
	pos := p.x.PosAt(1)
	if outer.kind == inCollection {
		p.nextMember(outer, pos)
	}
	p.doubtTag(n)
	p.nodeSubject(f, pos)
	if end && len(p.x.Attrs()) == 0 {
		f.subject = term{} // as an end tag it begins nothing
	}
	switch outer.kind {
	case inProperty:
		p.state(outer, &f.subject, f.repaired)
	case inCollection:
		p.member(outer, &f.subject, f.repaired)
	}
	if end && n.kind == itsName {
		notice := p.notice(fault.RDFXMLLostPart, fault.Drop, "what may be an end tag without its / says nothing sure of a type")
		n.kind, n.lost = lostName, &notice
	}
	p.doubtType(f, outer, n)
	if !n.isRDF("Description") {
		p.typeOf(f, n, pos)
	}
	p.propertyAttrs(f, &f.subject)
}

// readDescription takes a name of RDF that resembles rdf:Description for that.
func (p *parser) readDescription(n *name) {
	if n.kind == rdfName && string(n.local) != "Description" && !vocabulary[string(n.local)] && resembles(n.local, description) &&
		p.rules.on(nameOfDescription) {
		p.tell(fault.RDFXMLMisspelt, fault.Repair, 0, fmt.Sprintf("RDF defines no rdf:%s; it was taken for rdf:Description", n.local))
		n.local, n.repaired = description, true
	}
}

// doubtTag judges whether the start tag of a node is damaged, so that it may have said what the node is.
// The rest of a damaged name may be the attributes.
func (p *parser) doubtTag(n *name) {
	if p.textual && n.kind != lostName && !n.isRDF("Description") && p.found.nameless() {
		notice := p.notice(fault.XMLBadName, fault.Drop, "what may be the rest of a start tag is after it")
		n.kind, n.lost = lostName, &notice
	}
	p.found.doubt = p.found.doubt || p.textual || p.unnamed || n.kind == lostName && n.lost.Code == fault.XMLBadName || p.renamed != "" &&
		len(p.x.Attrs()) == 0
}

// doubtType takes the type from an element in rdf:RDF that was supposed, if its name is not known as
// that of a type. It may be a property, too, with an attribute that none may have.
func (p *parser) doubtType(f, outer *frame, n *name) {
	if outer.kind != inRDF || !outer.supposed || n.isRDF("Description") || n.kind == lostName ||
		p.roles.of(hashName(p.x.TagName())) == asNode || !p.rules.on(doubtType) {
		return
	}
	notice := p.notice(fault.RDFXMLLostPart, fault.Drop, "an element is where a property is due, so that its name may be that of the "+
		"property; the type of the node is in doubt")
	n.kind, n.lost = lostName, &notice
	if p.x.EmptyTag() {
		f.subject = term{} // nor does anything in it say that it is a node
	}
}

// notNode handles names of RDF that no node element may have (§7.2.5).
func (p *parser) notNode(n *name) bool {
	outer := p.top()
	switch string(n.local) {
	case "RDF":
		p.tell(fault.RDFXMLNestedRDF, fault.Repair, 0, "rdf:RDF is inside an element; its content was read as a document of its own")
		if outer.kind == inProperty && !outer.counted {
			p.lose(outer, p.notice(fault.RDFXMLNestedRDF, fault.Drop, "a property element holds rdf:RDF, which isn't a node"))
		}
		outer.hasNode = true
		p.rdfElement()
		f := p.top()
		f.suspect, f.repaired = true, true
		return true
	case "ID", "about", "parseType", "resource", "nodeID", "datatype", "li", "aboutEach", "aboutEachPrefix", "bagID":
		notice := p.notice(fault.RDFXMLForbiddenName, fault.Drop, fmt.Sprintf("no node can be of type rdf:%s; the element was passed over",
			n.local))
		lost := 1
		switch {
		case outer.kind == inProperty && !outer.counted:
			lost = outer.statements()
			outer.counted = true
		case outer.kind == inCollection && p.brokenAt != p.x.Offset():
			p.nextMember(outer, notice.Pos)
		}
		outer.hasNode = true
		p.skip(notice, lost)
		return true
	}
	return false
}

// nodeSubject finds the subject of a node element, by its attributes.
func (p *parser) nodeSubject(f *frame, pos fault.Pos) {
	a := &p.found
	attrs := p.x.Attrs()
	n := 0
	for _, i := range []int{a.about, a.id, a.nodeID, a.aboutEach} {
		if i != none {
			n++
		}
	}
	var why *fault.Notice
	switch {
	case n > 1:
		notice := p.notice(fault.RDFXMLConflict, fault.Drop, "of rdf:about, rdf:ID and rdf:nodeID only one can say what a node is")
		why = &notice
	case a.about != none:
		f.subject, why = p.resolve(f, &attrs[a.about])
	case a.id != none:
		f.subject, why = p.identify(f, &attrs[a.id], true)
	case a.nodeID != none:
		f.subject, why = p.label(&attrs[a.nodeID])
	case a.aboutEach != none:
		notice := p.attrNotice(&attrs[a.aboutEach], fault.RDFXMLObsolete, "rdf:aboutEach and rdf:aboutEachPrefix are no longer part of "+
			"RDF/XML; its statements can't be read")
		why = &notice
	case a.resource != none && p.frames[len(p.frames)-2].kind == inCollection:
		// A property element has it for what a node element says with rdf:about; there is no property around a member.
		p.repairAttr(&attrs[a.resource], fault.RDFXMLForbiddenName, "a node element can't have rdf:resource; in a list it was taken for "+
			"rdf:about", xmltext.EditName(p.x, &attrs[a.resource], qname(attrs[a.resource].Prefix, []byte("about"))))
		f.subject, why = p.resolve(f, &attrs[a.resource])
		a.resource, f.subject.repaired = none, true
	case a.resource != none:
		notice := p.attrNotice(&attrs[a.resource], fault.RDFXMLForbiddenName, "a node element can't have rdf:resource, and has nothing "+
			"else that says what it is")
		a.resource, why = none, &notice
	case a.doubt && p.rules.on(doubtTag):
		notice := p.notice(fault.RDFXMLLostPart, fault.Drop, "something in the tag of a node can't be read, and nothing else in it says "+
			"what the node is")
		why = &notice
	default:
		f.subject = p.anonymous(pos)
	}
	f.repaired = f.repaired || a.repaired
	if why != nil {
		// What it costs is reported by each statement that is lost.
		f.subject = term{}
		why.Lost = 0
		p.to.Notice(*why)
	}
	for _, i := range []int{a.resource, a.datatype, a.parseType, a.annotation, a.annotationNode} {
		if i != none {
			p.tellAttr(&attrs[i], fault.RDFXMLForbiddenName, fault.Drop, 1, fmt.Sprintf("a node element can't have rdf:%s; it was left out",
				attrs[i].Local))
		}
	}
}

var description = []byte("Description")

// typeOf states the type that a node element has by its name.
func (p *parser) typeOf(f *frame, n *name, pos fault.Pos) {
	predicate := constant(rdfType, pos)
	switch n.kind {
	case lostName:
		n.lost.Lost = 1
		p.to.Notice(*n.lost)
		return
	case noName:
		p.tell(fault.RDFXMLNoNamespace, fault.Drop, 1, fmt.Sprintf("the element %s is in no namespace, so it names no type", n.local))
		return
	case rdfName:
		p.checkVocabulary(n, 1)
	}
	o := p.nameTerm(n, pos)
	p.emit(&f.subject, &predicate, &o, f.repaired)
}

// speak gives a plain literal the language and the direction in force.
func (f *frame) speak(o *term) {
	o.Language = f.language
	if f.is12 && len(f.language) > 0 {
		o.Direction = f.direction
	}
	o.repaired = o.repaired || f.languageRepaired
	if f.languageLost {
		o.Kind = rdf.NoTerm
	}
}

// nameTerm makes the IRI of a name, its namespace followed by its local part. It
// lives as long as the innermost frame.
func (p *parser) nameTerm(n *name, pos fault.Pos) (t term) {
	at := len(p.arena)
	p.arena = append(append(p.arena, n.ns...), n.local...)
	t.Kind, t.Value, t.Pos, t.repaired = rdf.IRI, p.arena[at:len(p.arena):len(p.arena)], pos, n.repaired
	if n.kind == itsName && !rfc3986.IsAbsolute(n.ns) {
		t.Kind = rdf.NoTerm
	}
	if p.hosts.RunInto(n.ns, n.local) {
		p.to.Notice(fault.Notice{Code: fault.IRINamespaceEnd, Severity: fault.Warning, Pos: pos, Message: rdf.NameInHost(n.ns),
			Excerpt: fault.Excerpt(t.Value)})
	}
	return t
}

// propertyAttrs states what the attributes of a tag say of s (§7.2.11, §7.2.21).
func (p *parser) propertyAttrs(f *frame, s *term) {
	attrs := p.x.Attrs()
	for _, i := range p.found.forbidden {
		a := &attrs[i]
		p.tellAttr(a, fault.RDFXMLForbiddenName, fault.Drop, 1, fmt.Sprintf("%s can't be an attribute here", qname(a.Prefix, a.Local)))
	}
	if i := p.found.bagID; i != none {
		p.tellAttr(&attrs[i], fault.RDFXMLObsolete, fault.Drop, 1, "rdf:bagID is no longer part of RDF/XML; the bag it asks for was "+
			"not made")
	}
	for i := range p.found.properties {
		p.propertyAttr(f, s, &p.found.properties[i], &attrs[p.found.properties[i].attr])
	}
}

func (p *parser) propertyAttr(f *frame, s *term, property *propertyAttr, a *xmltext.Attr) {
	n := &property.name
	why := n.lost
	switch {
	case why != nil:
	case n.kind == noName:
		notice := p.attrNotice(a, fault.RDFXMLNoNamespace, fmt.Sprintf("the attribute %s is in no namespace, so it names no property",
			a.Local))
		why = &notice
	case a.Lost != nil:
		why = a.Lost
	}
	mark := len(p.arena)
	defer func() { p.arena = p.arena[:mark] }()
	at := p.x.PosAt(a.NameAt)
	var o term
	if why == nil && n.isRDF("type") {
		o, why = p.resolve(f, a)
	} else if why == nil {
		o.Kind, o.Value, o.repaired = rdf.Literal, a.Value, a.Repaired
		o.Pos = p.x.PosAt(a.ValueAt)
		f.speak(&o)
	}
	if why != nil {
		why.Lost = 1
		p.to.Notice(*why)
		return
	}
	p.checkVocabulary(n, a.NameAt)
	predicate := p.nameTerm(n, at)
	p.emit(s, &predicate, &o, f.repaired)
}
