package trix

import (
	"fmt"

	"laundromat/internal/fault"
	"laundromat/markup/xmltext"
	"laundromat/rdf"
)

// beginTriple begins a triple, in a graph or in another triple.
func (p *parser) beginTriple() {
	if p.triples == 0 {
		p.arena = p.arena[:0]
		graph := p.top()
		graph.inside, graph.run = true, false
	}
	p.triples++
	f := p.push(inTriple)
	p.attributes(f)
	switch outer := &p.frames[len(p.frames)-2]; {
	case p.triples > rdf.MaxTriples+1:
		p.lose(fault.LimitNesting, fmt.Sprintf("more than %d triples are nested", rdf.MaxTriples))
	case p.triples > 1 && outer.count == 0:
		p.lose(fault.TriXTriple, "a triple is the subject of another, which RDF has not")
	case p.triples > 1 && outer.count == 1:
		p.lose(fault.TriXTriple, "a triple is the predicate of another")
	}
}

// endTriple ends a triple, which is stated if it is in no other.
func (p *parser) endTriple() {
	f := p.top()
	p.triples--
	switch {
	case p.x.AtEnd():
		p.cut.is = true
		if p.triples == 0 && !f.lost {
			p.cut.lost, p.cut.pos = 1, f.pos
		}
	case f.lost || !p.open():
	case f.count < 3:
		p.lose(fault.TriXTriple, fmt.Sprintf("a triple has %d terms", f.count))
	default:
		p.judge(f)
	}
	if p.triples > 0 && !p.x.AtEnd() {
		outer := &p.frames[len(p.frames)-2]
		var t term
		if p.open() {
			t.Kind, t.Pos, t.repaired = rdf.TripleTerm, f.pos, p.repairedTriple(f)
			t.Triple = &rdf.Triple{Subject: f.terms[0].Term, Predicate: f.terms[1].Term, Object: f.terms[2].Term}
		}
		p.take(outer, t)
	} else if !p.x.AtEnd() && !f.lost {
		p.state(f)
	}
	p.pop()
}

// judge finds what a triple of three terms can't be in RDF.
func (p *parser) judge(f *frame) {
	s, pr, o := &f.terms[0], &f.terms[1], &f.terms[2]
	switch {
	case f.count > 3, s.Kind == rdf.NoTerm, pr.Kind == rdf.NoTerm, o.Kind == rdf.NoTerm: // reported before
		if !f.lost {
			p.lose(fault.TriXLostPart, "a term of this triple was lost by a fault reported before")
		}
	case s.Kind == rdf.Literal:
		p.loseAt(s.Pos, fault.TriXTriple, "a literal is the subject of a triple, which RDF has not")
	case pr.Kind != rdf.IRI:
		p.loseAt(pr.Pos, fault.TriXTriple, "the predicate of a triple isn't an IRI")
	case o.Kind == rdf.TripleTerm && p.x.Implied():
		p.lose(fault.TriXTriple, "a triple holds another, and is not closed; its terms are not known")
	}
}

func (p *parser) repairedTriple(f *frame) bool {
	return f.repaired || p.x.Implied() || p.x.Misnamed() || f.terms[0].repaired || f.terms[1].repaired || f.terms[2].repaired
}

// state gives the statement of a triple to the sink.
func (p *parser) state(f *frame) {
	graph := &p.frames[len(p.frames)-2]
	if graph.void {
		p.loseAt(f.pos, fault.TriXLostPart, "the name of the graph in which this triple is was lost by a fault reported before")
		return
	}
	if p.err != nil {
		return
	}
	root := &p.frames[1]
	q := &p.quad
	q.Subject, q.Predicate, q.Object, q.Graph = f.terms[0].Term, f.terms[1].Term, f.terms[2].Term, graph.name.Term
	q.Repaired = p.repairedTriple(f) || graph.repaired || graph.name.repaired || root.repaired
	if err := p.to.Quad(q); err != nil {
		p.err = &rdf.SinkError{Err: err}
	}
}

// tell reports a finding about the token as a whole.
func (p *parser) tell(code fault.Code, severity fault.Severity, lost int, message string) {
	p.to.Notice(fault.Notice{Code: code, Severity: severity, Pos: p.x.Pos(), Message: message, Excerpt: p.x.Excerpt(), Lost: lost})
}

// tellAttr reports a finding about an attribute of the tag.
func (p *parser) tellAttr(a *xmltext.Attr, code fault.Code, severity fault.Severity, message string) {
	p.to.Notice(fault.Notice{Code: code, Severity: severity, Pos: p.x.PosAt(a.NameAt), Message: message,
		Excerpt: p.x.ExcerptAt(a.NameAt, p.x.Len())})
}

// repairAttr reports that something is wrong with an attribute of the tag, and the edits that mend it.
func (p *parser) repairAttr(a *xmltext.Attr, code fault.Code, message string, edits []fault.Edit) {
	p.to.Notice(fault.Notice{Code: code, Severity: fault.Repair, Pos: p.x.PosAt(a.NameAt), Message: message,
		Excerpt: p.x.ExcerptAt(a.NameAt, p.x.Len()), Edits: edits})
}

// lose says why the triple that is open is lost, at the token.
func (p *parser) lose(code fault.Code, message string) {
	p.loseNotice(fault.Notice{Code: code, Pos: p.x.Pos(), Message: message, Excerpt: p.x.Excerpt()})
}

func (p *parser) loseAt(pos fault.Pos, code fault.Code, message string) {
	p.loseNotice(fault.Notice{Code: code, Pos: pos, Message: message})
}

// loseTerm says why a term can't be made.
func (p *parser) loseTerm(pos fault.Pos, code fault.Code, message string) {
	p.loseNotice(fault.Notice{Code: code, Pos: pos, Message: message, Excerpt: excerpt(p.value)})
}

// loseNotice reports a loss, and counts it unless that of the triple is reported already. That
// of the name of a graph costs each of its triples, which report it.
func (p *parser) loseNotice(n fault.Notice) {
	n.Severity, n.Lost = fault.Drop, 0
	for i := range p.frames {
		switch f := &p.frames[i]; f.kind {
		case inGraph:
			f.void = f.void || p.triples == 0
		case inTriple:
			if !f.lost && n.Lost == 0 && p.outermost(i) {
				n.Lost = 1
			}
			f.lost = true
		}
	}
	p.to.Notice(n)
}

// outermost says that the triple i of the frames is in no other.
func (p *parser) outermost(i int) bool { return p.frames[i-1].kind != inTriple }

// strayText takes a piece of text that is where none may be.
func (p *parser) strayText() {
	if !p.stray.Take(p.x) {
		return
	}
	if lost := p.stray.Lost(p.x); lost != nil {
		n := *lost
		n.Lost = 0
		p.to.Notice(n)
	}
}

// endStray reports the stray text that ends here.
func (p *parser) endStray() {
	if !p.stray.Is {
		return
	}
	p.stray.Is = false
	n := fault.Notice{Code: fault.TriXStrayText, Severity: fault.Drop, Pos: p.stray.Pos, Lost: 1, Bytes: p.stray.Bytes,
		Message: "text is where only elements may", Excerpt: fault.Excerpt(p.stray.Trimmed())}
	switch p.top().kind {
	case inDocument:
		n.Code, n.Severity, n.Lost = fault.XMLOutsideRoot, fault.Repair, 0
		n.Message = "text is outside the root element; it was left out"
		n.Edits = xmltext.EditStray(p.x, &p.stray)
		p.to.Notice(n)
	case inTriple:
		n.Message = "text is in a triple, beside its terms; it may be what is left of one"
		p.loseNotice(n)
	default:
		p.to.Notice(n)
	}
}

// passedOver reports what the tokenizer could not hand out.
func (p *parser) passedOver() {
	if p.skipped > 0 {
		return
	}
	n := *p.x.Lost()
	if p.triples > 0 || p.top().kind == inTerm {
		p.loseNotice(n)
		return
	}
	n.Lost = 1
	p.to.Notice(n)
}

// cut is what the end of the document left unfinished.
type cut struct {
	is   bool // elements were open
	lost int
	pos  fault.Pos // of the unfinished triple
}

// end reports how the document ended.
func (p *parser) end() {
	inside := p.x.Cut()
	if !p.rooted && inside.Inside == "" {
		return
	}
	if !p.cut.is && inside.Inside == "" {
		return
	}
	n := fault.Notice{Code: fault.XMLCutShort, Severity: fault.Drop, Pos: p.x.Pos(), Lost: p.cut.lost,
		Message: "the document ends before its elements do, so nobody knows what else was to come; all statements that were complete " +
			"were kept"}
	switch {
	case inside.Inside != "":
		n.Message = "the document ends inside " + inside.Inside + "; all statements that were complete were kept"
		n.Pos, n.Excerpt, n.Lost = inside.Pos, inside.Excerpt, max(n.Lost, 1)
	case n.Lost > 0:
		n.Pos = p.cut.pos
	default:
		n.Severity = fault.Repair
	}
	if n.Lost > 0 {
		n.Bytes = p.x.EndOffset() - n.Offset
	}
	p.to.Notice(n)
}
