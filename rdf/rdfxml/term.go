package rdfxml

import (
	"bytes"
	"fmt"
	"unicode"

	"laundromat/internal/fault"
	"laundromat/internal/rfc3986"
	"laundromat/markup/xmltext"
	"laundromat/rdf"
)

// resolve makes the IRI that the value of an attribute means, by the base of f, or the
// blank node that it names. It lives as long as the innermost frame. If that can't be,
// why is not nil.
func (p *parser) resolve(f *frame, a *xmltext.Attr) (t term, why *fault.Notice) {
	if a.Lost != nil {
		return t, a.Lost
	}
	t.Pos, t.repaired = p.x.PosAt(a.ValueAt), a.Repaired
	ref := a.Value
	if cut := rdf.TrimReference(ref); len(cut) < len(ref) {
		ref = cut
		p.repairAttr(a, fault.IRITrimmed, "white space around an IRI was cut off", xmltext.EditTrimmed(p.x, a))
		t.repaired = true
	}
	if rfc3986.IsAbsolute(ref) {
		t.Kind = rdf.IRI
		if bytes.Contains(ref, dotSegment) {
			t.Value = p.resolved(nil, ref)
		} else {
			t.Value = p.keep(ref)
		}
		return t, nil
	}
	if label, ok := rdf.BlankNodeIn(ref); ok {
		p.repairAttr(a, fault.BlankNodeIRI, rdf.NodeForIRI, editLabel(p, a, label))
		t.Kind, t.Value, t.repaired = rdf.BlankNode, p.keep(label), true
		return t, nil
	}
	doubt, message := rdf.JudgeReference(ref)
	if len(f.base) == 0 {
		n := p.attrNotice(a, fault.IRINoBase, "a relative IRI, and no base that makes it absolute")
		if doubt == fault.IRINoReference {
			n.Code, n.Message = doubt, message
		}
		return t, &n
	}
	if doubt != "" {
		p.tellAttr(a, doubt, fault.Warning, 0, message)
	}
	p.useBase(f)
	if f.baseIsFile && !p.warned {
		p.warned = true
		p.tellAttr(a, fault.IRIRelative, fault.Warning, 0, fmt.Sprintf("a relative IRI was resolved against the place of the file, <%s>",
			f.base))
	}
	t.Kind = rdf.IRI
	t.repaired = t.repaired || f.baseRepaired
	if len(ref) == 0 || ref[0] == '#' {
		t.Value = p.fragment(f, ref)
	} else {
		t.Value = p.resolved(f.base, ref)
	}
	return t, nil
}

// resolveIRI is resolve where no blank node may be: as part.
func (p *parser) resolveIRI(f *frame, a *xmltext.Attr, part string) (t term, why *fault.Notice) {
	if _, ok := rdf.BlankNodeIn(rdf.TrimReference(a.Value)); ok && a.Lost == nil {
		n := p.attrNotice(a, fault.BlankNodePlace, "a blank node can't be "+part)
		return t, &n
	}
	return p.resolve(f, a)
}

// useBase notes that the base of f is used.
func (p *parser) useBase(f *frame) {
	if f.baseIsGiven {
		p.in.UseBase()
	}
}

// dotSegment is in every IRI whose path AppendResolved would change.
var dotSegment = []byte("/.")

// fragment puts ref, which is empty or begins with #, after the base of f.
func (p *parser) fragment(f *frame, ref []byte) []byte {
	base := f.base
	if i := bytes.IndexByte(base, '#'); i >= 0 {
		base = base[:i]
	}
	n := len(p.arena)
	p.arena = append(append(p.arena, base...), ref...)
	return p.arena[n:len(p.arena):len(p.arena)]
}

func (p *parser) resolved(base, ref []byte) []byte {
	n := len(p.arena)
	p.arena = rfc3986.AppendResolved(p.arena, base, ref)
	return p.arena[n:len(p.arena):len(p.arena)]
}

// setBase takes xml:base (§5.3), which is resolved against the base around it.
func (p *parser) setBase(f *frame, a *xmltext.Attr) {
	t, why := p.resolveIRI(f, a, "a base")
	if why != nil {
		why.Lost = 0
		p.to.Notice(*why)
		f.base = nil
		return
	}
	if len(a.Value) > 0 {
		f.base, f.baseRepaired = t.Value, t.repaired
		if rfc3986.IsAbsolute(rdf.TrimReference(a.Value)) {
			f.baseIsFile, f.baseIsGiven = false, false
		}
	}
}

// editLabel writes the label of a blank node that is where an IRI belongs as rdf:nodeID.
func editLabel(p *parser, a *xmltext.Attr, label []byte) []fault.Edit {
	if len(a.Prefix) == 0 || string(a.Local) != "about" && string(a.Local) != "resource" {
		return nil
	}
	value := xmltext.EditValue(p.x, a, string(label))
	if value == nil {
		return nil
	}
	return append(xmltext.EditName(p.x, a, qname(a.Prefix, []byte("nodeID"))), value...)
}

// identify makes the IRI of the rdf:ID of a node or a statement (§5.4). why is not nil if there can be none.
func (p *parser) identify(f *frame, a *xmltext.Attr, ofNode bool) (t term, why *fault.Notice) {
	switch {
	case a.Lost != nil:
		return t, a.Lost
	case len(bytes.TrimSpace(a.Value)) == 0:
		n := p.attrNotice(a, fault.RDFXMLBadID, "an rdf:ID is empty")
		return t, &n
	case bytes.Contains(a.Value, []byte("://")):
		n := p.attrNotice(a, fault.RDFXMLBadID, "an rdf:ID holds a whole IRI, where only a name may occur")
		return t, &n
	case len(f.base) == 0:
		n := p.attrNotice(a, fault.IRINoBase, "an rdf:ID, and no base that makes an IRI of it")
		return t, &n
	}
	t.Pos, t.repaired, t.Kind = p.x.PosAt(a.ValueAt), a.Repaired || f.baseRepaired, rdf.IRI
	id := a.Value
	if !xmltext.IsNCName(id) {
		p.repairAttr(a, fault.RDFXMLBadID, fmt.Sprintf("an rdf:ID must be a name as XML knows it; %q was put after the # all the same", id),
			editID(p, a, ofNode))
		id, t.repaired = bytes.TrimPrefix(bytes.TrimSpace(id), []byte("#")), true
	}
	p.useBase(f)
	if f.baseIsFile && !p.warned {
		p.warned = true
		p.tellAttr(a, fault.IRIRelative, fault.Warning, 0, fmt.Sprintf("an rdf:ID was resolved against the place of the file, <%s>",
			f.base))
	}
	n := len(p.arena)
	p.fragment(f, hash)
	p.arena = append(p.arena, id...)
	t.Value = p.arena[n:len(p.arena):len(p.arena)]
	if p.ids.add(t.Value) {
		p.repairAttr(a, fault.RDFXMLDuplicateID, fmt.Sprintf("the rdf:ID %s is in the document already; it was taken for the same node",
			id),
			editID(p, a, ofNode))
		t.repaired = true
	}
	return t, nil
}

var hash = []byte("#")

// editID writes the rdf:ID of a node as the IRI that it makes; that of a statement has no other way.
func editID(p *parser, a *xmltext.Attr, ofNode bool) []fault.Edit {
	if !ofNode || len(a.Prefix) == 0 {
		return nil
	}
	return xmltext.EditBegin(p.x, a, qname(a.Prefix, []byte("about")), "#")
}

// label makes the blank node of an rdf:nodeID.
func (p *parser) label(a *xmltext.Attr) (t term, why *fault.Notice) {
	switch {
	case a.Lost != nil:
		return t, a.Lost
	case len(a.Value) == 0:
		n := p.attrNotice(a, fault.RDFXMLBadID, "an rdf:nodeID is empty")
		return t, &n
	case len(bytes.Trim(a.Value, ".")) == 0:
		// As the end of an IRI, which a label becomes, dots would mean another place.
		n := p.attrNotice(a, fault.RDFXMLBadID, "an rdf:nodeID holds nothing but dots")
		return t, &n
	case bytes.ContainsFunc(a.Value, unicode.IsControl), len(bytes.TrimSpace(a.Value)) < len(a.Value):
		n := p.attrNotice(a, fault.RDFXMLBadID, "an rdf:nodeID holds control characters, or white space at an end; it can't be what "+
			"was meant")
		return t, &n
	}
	t.Pos, t.repaired, t.Kind = p.x.PosAt(a.ValueAt), a.Repaired, rdf.BlankNode
	if label, ok := rdf.BlankNodeIn(a.Value); ok {
		p.tellAttr(a, fault.RDFXMLBadID, fault.Repair, 0, "an rdf:nodeID must be a name as XML knows it; what is after its _: "+
			"was taken")
		t.Value, t.repaired = p.keep(label), true
		return t, nil
	}
	t.Value = p.keep(a.Value)
	if !xmltext.IsNCName(a.Value) {
		p.tellAttr(a, fault.RDFXMLBadID, fault.Repair, 0, fmt.Sprintf("an rdf:nodeID must be a name as XML knows it; %q was taken as "+
			"it is", a.Value))
		t.repaired = true
	}
	return t, nil
}

// anonymous makes the next blank node without a label.
func (p *parser) anonymous(pos fault.Pos) (t term) {
	p.nodes++
	t.Kind, t.Anonymous, t.Pos = rdf.BlankNode, p.nodes, pos
	return t
}

// emit gives a statement to the sink. One of whose terms is lost is reported as lost.
func (p *parser) emit(s, pr, o *term, repaired bool) {
	if s.Kind == rdf.NoTerm || pr.Kind == rdf.NoTerm || o.Kind == rdf.NoTerm {
		p.tell(fault.RDFXMLLostPart, fault.Drop, 1, "a part of this statement was lost by a fault that is reported separately")
		return
	}
	if p.err != nil {
		return
	}
	if p.depth > 0 {
		p.open[p.depth-1].take(s, pr, o, repaired)
		return
	}
	q := &p.quad
	q.Subject, q.Predicate, q.Object, q.Graph = s.Term, pr.Term, o.Term, rdf.Term{}
	q.Repaired = repaired || s.repaired || pr.repaired || o.repaired
	if err := p.to.Quad(q); err != nil {
		p.err = &rdf.SinkError{Err: err}
	}
}

// constant is an IRI that the syntax implies at a place.
func constant(iri []byte, pos fault.Pos) (t term) {
	t.Kind, t.Value, t.Pos = rdf.IRI, iri, pos
	return t
}

// IRIs that the syntax implies.
var (
	rdfType      = []byte(rdf.Type)
	rdfFirst     = []byte(rdf.First)
	rdfRest      = []byte(rdf.Rest)
	rdfNil       = []byte(rdf.Nil)
	rdfStatement = []byte(rdf.RDF + "Statement")
	rdfSubject   = []byte(rdf.RDF + "subject")
	rdfPredicate = []byte(rdf.RDF + "predicate")
	rdfObject    = []byte(rdf.RDF + "object")
	rdfReifies   = []byte(rdf.Reifies)
	xmlLiteral   = []byte(rdf.RDF + "XMLLiteral")
)

// state gives the statement of a property element, its reification (§7.3) and its
// annotation, unless it is counted as lost.
func (p *parser) state(f *frame, o *term, repaired bool) {
	if f.counted {
		return
	}
	f.counted = true
	repaired = repaired || f.repaired
	p.emit(&f.subject, &f.predicate, o, repaired)
	if f.notes != nil {
		p.annotate(f, o, repaired)
	}
	if f.reifier.Kind == rdf.NoTerm {
		return
	}
	r, pos := &f.reifier, f.reifier.Pos
	part := func(predicate []byte, o *term) {
		t := constant(predicate, pos)
		p.emit(r, &t, o, repaired || f.subject.repaired || f.predicate.repaired || o.repaired)
	}
	statement := constant(rdfStatement, pos)
	part(rdfType, &statement)
	part(rdfSubject, &f.subject)
	part(rdfPredicate, &f.predicate)
	part(rdfObject, o)
}

// idSet remembers the IRIs that rdf:ID made, by a hash of 64 bits. One in some 10¹³ documents of a
// million identifiers has a notice too much for that.
type idSet struct {
	slots []uint64 // open addressing; 0 is free
	n     int
}

// maxIDs is how many are remembered: they take 16 MiB.
const maxIDs = 1 << 20

// add says that iri is there already, and adds it if not, while there is room.
func (s *idSet) add(iri []byte) bool {
	// FNV-1a, then a mix, since its low bits alone are weak.
	h := uint64(14695981039346656037)
	for _, b := range iri {
		h = (h ^ uint64(b)) * 1099511628211
	}
	h ^= h >> 32
	h *= 0x9E3779B97F4A7C15
	h |= 1
	if 2*s.n >= len(s.slots) && s.n < maxIDs {
		s.resize(max(64, 2*len(s.slots)))
	}
	i := s.find(h)
	if s.slots[i] == h {
		return true
	}
	if s.n < maxIDs {
		s.slots[i] = h
		s.n++
	}
	return false
}

// find returns where h is, or where it would be put.
func (s *idSet) find(h uint64) int {
	mask := len(s.slots) - 1
	i := int(h>>20) & mask
	for s.slots[i] != 0 && s.slots[i] != h {
		i = (i + 1) & mask
	}
	return i
}

func (s *idSet) resize(n int) {
	old := s.slots
	s.slots = make([]uint64, n)
	for _, h := range old {
		if h != 0 {
			s.slots[s.find(h)] = h
		}
	}
}
