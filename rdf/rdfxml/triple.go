package rdfxml

import (
	"fmt"

	"laundromat/internal/fault"
	"laundromat/markup/xmltext"
	"laundromat/rdf"
)

// triple is what an open parseType="Triple" holds. While one is open, statements are caught by it, and
// what is lost in it is reported without a loss. The loss is that of the statement whose object it is.
type triple struct {
	to       rdf.Sink // what came before
	said     int      // statements caught
	lost     bool     // something in it was
	triple   rdf.Triple
	repaired bool
	buffer   []byte
}

// Quad is never called: emit catches statements.
func (t *triple) Quad(*rdf.Quad) error { return nil }

// Notice reports a finding in the triple term.
func (t *triple) Notice(n fault.Notice) {
	t.lost = t.lost || n.Lost > 0
	n.Lost = 0
	t.to.Notice(n)
}

// take catches a statement; the first is the triple.
func (t *triple) take(s, pr, o *term, repaired bool) {
	if t.said++; t.said > 1 {
		return
	}
	t.triple = rdf.Triple{Subject: s.Term, Predicate: pr.Term, Object: o.Term}
	t.repaired = repaired || s.repaired || pr.repaired || o.repaired
	t.buffer = t.buffer[:0]
	for _, term := range []*rdf.Term{&t.triple.Subject, &t.triple.Predicate, &t.triple.Object} {
		term.Value, term.Datatype, term.Language = t.keep(term.Value), t.keep(term.Datatype), t.keep(term.Language)
	}
}

func (t *triple) keep(b []byte) []byte {
	n := len(t.buffer)
	t.buffer = append(t.buffer, b...)
	return t.buffer[n:len(t.buffer):len(t.buffer)]
}

// maxTriples is how many triple terms may be open: one less than rdf.MaxTriples, since
// an annotation is about one more.
const maxTriples = rdf.MaxTriples - 1

// beginTriple begins a property element whose content is a triple (RDF 1.2 XML Syntax
// §6.2.22). Without rdf:version="1.2" it is to be ignored.
func (p *parser) beginTriple(f *frame, a *xmltext.Attr) {
	switch {
	case !f.is12:
		n := p.attrNotice(a, fault.RDFXMLTriple, "a parseType=\"Triple\" where no rdf:version=\"1.2\" is in force; the element was ignored")
		n.Severity = fault.Warning
		p.pop()
		p.skip(n, 0)
		return
	case p.depth == maxTriples:
		n := p.notice(fault.LimitNesting, fault.Drop, fmt.Sprintf("more than %d triple terms are nested", maxTriples))
		lost := 0
		if !f.counted {
			lost = f.statements()
		}
		p.pop()
		p.skip(n, lost)
		return
	}
	f.kind = inTriple
	if p.depth == len(p.open) {
		p.open = append(p.open, new(triple))
	}
	t := p.open[p.depth]
	p.depth++
	t.to, t.said, t.lost, t.repaired = p.to, 0, false, false
	p.to = t
}

// nodeInTriple begins an element in a parseType="Triple".
func (p *parser) nodeInTriple(f *frame, n *name) {
	if f.hasNode {
		p.tell(fault.RDFXMLSeveralNodes, fault.Drop, 1, "a parseType=\"Triple\" holds more than one node")
	}
	f.hasNode = true
	p.nodeElement(n)
}

// endTriple ends a parseType="Triple", and makes a term of what it holds.
func (p *parser) endTriple(f *frame) {
	p.depth--
	t := p.open[p.depth]
	p.to = t.to
	switch {
	case p.x.AtEnd():
		if !f.counted {
			p.cutOff(f, 0)
		}
	case t.lost:
		p.loseTriple(f, "the triple in this statement was lost by a fault reported before")
	case t.said != 1:
		p.loseTriple(f, fmt.Sprintf("a parseType=\"Triple\" holds %d statements, where it must hold one", t.said))
	default:
		var o term
		o.Kind, o.Triple, o.Pos = rdf.TripleTerm, &t.triple, f.pos
		o.repaired = t.repaired || p.x.Implied() || p.x.Misnamed()
		p.state(f, &o, false)
	}
}

func (p *parser) loseTriple(f *frame, message string) {
	n := p.notice(fault.RDFXMLTriple, fault.Drop, message)
	n.Pos = f.pos
	p.lose(f, n)
}

// annotation takes rdf:annotation or rdf:annotationNodeID, which name a reifier of the
// statement.
func (p *parser) annotation(f *frame) {
	a, attrs := &p.found, p.x.Attrs()
	if a.annotation == none && a.annotationNode == none {
		return
	}
	var why *fault.Notice
	var t term
	switch {
	case a.annotation != none && a.annotationNode != none:
		n := p.attrNotice(&attrs[a.annotation], fault.RDFXMLConflict, "a property element has both rdf:annotation and rdf:annotationNodeID")
		why = &n
	case a.annotation != none:
		t, why = p.resolve(f, &attrs[a.annotation])
	default:
		t, why = p.label(&attrs[a.annotationNode])
	}
	if why != nil {
		why.Lost = 1
		p.to.Notice(*why)
		return
	}
	f.notes = &t
}

// annotate states that the reifier of f reifies the statement with object o.
func (p *parser) annotate(f *frame, o *term, repaired bool) {
	reifies := constant(rdfReifies, f.notes.Pos)
	if o.Kind == rdf.NoTerm {
		p.emit(f.notes, &reifies, o, repaired)
		return
	}
	p.triple = rdf.Triple{Subject: f.subject.Term, Predicate: f.predicate.Term, Object: o.Term}
	var t term
	t.Kind, t.Triple, t.Pos = rdf.TripleTerm, &p.triple, f.pos
	p.emit(f.notes, &reifies, &t, repaired || f.subject.repaired || f.predicate.repaired || o.repaired)
}
