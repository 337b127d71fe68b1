package trix

import (
	"bytes"
	"fmt"
	"slices"
	"unicode"

	"laundromat/internal/fault"
	"laundromat/internal/rfc3986"
	"laundromat/markup/xmltext"
	"laundromat/rdf"
)

// termInGraph begins a term that is in a graph: its name, or what is left of a triple.
func (p *parser) termInGraph(kind termKind) {
	f := p.top()
	switch {
	case f.inside || kind == plainLiteral || kind == typedLiteral:
		lost := 1
		if f.run {
			lost = 0
		}
		f.run = true
		f.void = f.void || !f.inside // its name may be the subject of a triple without its tag
		p.tell(fault.TriXElement, fault.Drop, lost, "a term is in no triple; it was passed over")
		p.skip()
	case f.told && !f.void:
		f.void = true
		p.tell(fault.TriXElement, fault.Drop, 0, "a graph has two names, or a triple without its tag is in it; in which graph its "+
			"triples are is not known")
		p.skip()
	case f.told:
		p.skip()
	default:
		f.told = true
		p.beginTerm(kind)
	}
}

// beginTerm begins a term.
func (p *parser) beginTerm(kind termKind) {
	f := p.push(inTerm)
	f.term, p.value = kind, p.value[:0]
	p.attributes(f)
	for i := range p.x.Attrs() {
		a := &p.x.Attrs()[i]
		name := attrName(a)
		if (name != "xml:lang" || !p.hasLanguage(kind)) && (name != "datatype" || kind != typedLiteral) {
			continue
		}
		if a.Lost != nil {
			p.loseNotice(*a.Lost)
			continue
		}
		f.repaired = f.repaired || a.Repaired
		if name == "xml:lang" {
			f.language = slices.Clone(a.Value)
			continue
		}
		f.datatype = p.datatype(f, a)
	}
	p.xml = xmlText{}
	p.x.WantComments(string(f.datatype) == xmlLiteral)
	if kind == typedLiteral && f.datatype == nil && p.open() {
		p.lose(fault.TriXTerm, "a typedLiteral has no datatype")
	}
}

// hasLanguage says that a term of the kind may have a language: a literal without a datatype, or
// with that of texts in a language.
func (p *parser) hasLanguage(kind termKind) bool {
	if kind != typedLiteral {
		return kind == plainLiteral
	}
	for i := range p.x.Attrs() {
		if a := &p.x.Attrs()[i]; attrName(a) == "datatype" && a.Lost == nil {
			return rdf.LanguageType(bytes.TrimSpace(a.Value)) != ""
		}
	}
	return false
}

// datatype makes the IRI of a datatype; nil if there is none, which is reported.
func (p *parser) datatype(f *frame, a *xmltext.Attr) []byte {
	ref := rdf.TrimReference(a.Value)
	if len(ref) < len(bytes.TrimSpace(a.Value)) {
		p.repairAttr(a, fault.IRITrimmed, trimmed, xmltext.EditTrimmed(p.x, a))
		f.repaired = true
	}
	if _, ok := rdf.BlankNodeIn(ref); ok {
		p.lose(fault.BlankNodePlace, "a blank node can't be a datatype")
		return nil
	}
	if len(ref) == 0 {
		p.lose(fault.TriXTerm, "the datatype of a literal is empty, and names nothing")
		return nil
	}
	f.repaired = p.isRelative(f, ref, p.x.PosAt(a.NameAt)) || f.repaired
	iri, _ := f.base.AppendJudged(nil, ref, func(code fault.Code, severity fault.Severity, message string) {
		if severity == fault.Drop {
			p.lose(code, message)
		} else {
			p.tellAttr(a, code, severity, message)
		}
	})
	return iri
}

const trimmed = "white space around an IRI was cut off"

// open says that the triple that is open is not lost.
func (p *parser) open() bool {
	for i := range p.frames {
		if p.frames[i].kind == inTriple {
			return !p.frames[i].lost
		}
	}
	return false
}

// characters takes a piece of text.
func (p *parser) characters() {
	if p.skipped > 0 {
		return
	}
	f := p.top()
	if p.x.Resumed() {
		p.resumed()
		return
	}
	if f.kind != inTerm {
		p.strayText()
		return
	}
	if lost := p.x.Lost(); lost != nil {
		if limit := lost.Code == fault.LimitEntities; !limit || !f.limited {
			f.limited = f.limited || limit
			p.loseNotice(*lost)
		}
		return
	}
	f.repaired = f.repaired || p.x.Repaired()
	if text := p.x.Text(); p.xml.begun && string(f.datatype) == xmlLiteral {
		p.add(f, xmltext.AppendCharacters(nil, text))
	} else {
		p.add(f, text)
	}
}

func excerpt(text []byte) string { return fault.Excerpt(text[:min(len(text), fault.MaxExcerpt+10)]) }

// resumed takes what stands for a comment that does not end: what follows in the graph
// may have been commented out.
func (p *parser) resumed() {
	if n := *p.x.Lost(); p.triples > 0 {
		p.loseNotice(n)
	} else {
		n.Lost = 0
		p.to.Notice(n)
	}
	for i := range p.frames {
		p.frames[i].repaired = p.frames[i].repaired || i > 0
	}
}

// endTerm ends a term, and gives it to the triple or graph in which it is.
func (p *parser) endTerm() {
	f := p.top()
	outer := &p.frames[len(p.frames)-2]
	p.x.WantComments(false)
	if p.x.AtEnd() {
		p.cut.is = true
		p.pop()
		return
	}
	repaired := f.repaired || p.x.Implied() || p.x.Misnamed()
	var t term
	if outer.kind == inGraph || p.open() {
		if p.x.Implied() && (f.term == plainLiteral || f.term == typedLiteral) {
			p.lose(fault.TriXTerm, "a literal is not closed; where its text ends is not known")
		} else if outer.kind == inGraph && !outer.void && p.isNameless(f) {
			p.to.Notice(fault.Notice{Code: fault.TriXEmptyName, Severity: fault.Repair, Pos: f.pos, Message: "the name of this graph is " +
				"empty; it was read as a graph without a name"})
			t.repaired = true
		} else if f.length <= p.maxToken {
			t = p.makeTerm(f)
		}
	}
	t.repaired = t.repaired || repaired
	if outer.kind == inGraph {
		outer.name = t
		outer.void = outer.void || t.Kind == rdf.NoTerm && !p.isNameless(f)
		if t.Kind != rdf.NoTerm { // it outlives the triples
			p.graph = append(p.graph[:0], t.Value...)
			outer.name.Value = p.graph
		}
		p.arena = p.arena[:0]
	} else {
		p.take(outer, t)
	}
	p.pop()
}

// isNameless says that the term f, which has come to its end, is a uri in which nothing stands.
func (p *parser) isNameless(f *frame) bool {
	return f.term == uri && f.length == 0 || f.length <= p.maxToken && f.term == uri && len(rdf.TrimReference(p.value)) == 0
}

// take gives a term to a triple.
func (p *parser) take(triple *frame, t term) {
	if triple.count++; triple.count <= 3 {
		triple.terms[triple.count-1] = t
		return
	}
	if triple.count == 4 {
		p.lose(fault.TriXTriple, "a triple has more than three terms")
	}
}

// makeTerm makes the term that an element says; one of Kind NoTerm if it says none, which is reported.
func (p *parser) makeTerm(f *frame) (t term) {
	t.Pos = f.pos
	value := p.value
	if f.term != plainLiteral && f.term != typedLiteral {
		value = bytes.Trim(value, " \t\r\n")
	}
	switch f.term {
	case uri:
		return p.makeIRI(f, value)
	case qname:
		prefix, local := splitName(value)
		b := p.scope.Find(prefix)
		if b == nil || b.Lost || bytes.IndexByte(value, ':') < 0 {
			p.loseTerm(f.pos, fault.SyntaxUndeclaredPrefix, fmt.Sprintf("no declared prefix is in the qname %s", excerpt(value)))
			return t
		}
		t = p.makeIRI(f, append(slices.Clone(b.IRI), local...))
		t.repaired = t.repaired || b.Repaired
		if t.Kind == rdf.IRI && p.hosts.RunInto(b.IRI, local) {
			p.warn(f.pos, fault.IRINamespaceEnd, rdf.NameInHost(b.IRI), t.Value)
		}
	case id:
		switch {
		case len(bytes.Trim(value, ".")) == 0:
			p.loseTerm(f.pos, fault.TriXTerm, "the label of a blank node is empty, or nothing but dots")
		case bytes.ContainsFunc(value, unicode.IsControl):
			p.loseTerm(f.pos, fault.TriXTerm, "the label of a blank node holds control characters")
		default:
			t.Kind, t.Value = rdf.BlankNode, p.keep(value)
		}
	default:
		t.Kind, t.Value = rdf.Literal, p.keep(value)
		if len(f.language) > 0 {
			t.Language = p.keep(f.language)
		}
		if len(f.datatype) > 0 && string(f.datatype) != rdf.String {
			t.Datatype = p.keep(f.datatype)
		}
	}
	return t
}

// makeIRI makes an IRI of what may be a relative one, or the blank node that is in its place.
func (p *parser) makeIRI(f *frame, text []byte) (t term) {
	t.Pos = f.pos
	ref := rdf.TrimReference(text)
	if len(ref) < len(text) {
		p.to.Notice(fault.Notice{Code: fault.IRITrimmed, Severity: fault.Repair, Pos: f.pos, Message: trimmed, Excerpt: excerpt(text)})
		t.repaired = true
	}
	if label, ok := rdf.BlankNodeIn(ref); ok {
		return p.makeBlank(f, t, label)
	}
	if len(ref) == 0 {
		p.loseTerm(f.pos, fault.TriXTerm, "an empty uri names nothing: TriX has whole URIs, and no base")
		return t
	}
	t.repaired = p.isRelative(f, ref, f.pos) || t.repaired
	n := len(p.arena)
	iri, ok := f.base.AppendJudged(p.arena, ref, func(code fault.Code, severity fault.Severity, message string) {
		if severity == fault.Drop {
			p.loseTerm(f.pos, code, message)
		} else {
			p.warn(f.pos, code, message, ref)
		}
	})
	if !ok {
		return t
	}
	p.arena = iri
	t.Kind, t.Value = rdf.IRI, iri[n:len(iri):len(iri)]
	return t
}

// isRelative says that ref, in the place of an IRI at pos, is relative to a base that the document does not name. That
// is reported.
func (p *parser) isRelative(f *frame, ref []byte, pos fault.Pos) bool {
	if f.base != p.frames[0].base || f.base.Base == "" || rfc3986.IsAbsolute(ref) {
		return false
	}
	p.to.Notice(fault.Notice{Code: fault.IRIRelativeInLine, Severity: fault.Repair, Pos: pos, Excerpt: excerpt(ref),
		Message: "a relative IRI, which TriX does not have, was resolved against the base"})
	return true
}

// makeBlank makes t the blank node whose label is in the place of an IRI.
func (p *parser) makeBlank(f *frame, t term, label []byte) term {
	if outer := &p.frames[len(p.frames)-2]; outer.kind == inTriple && outer.count == 1 {
		p.loseTerm(f.pos, fault.BlankNodePlace, "a blank node can't be the predicate")
		return term{Term: rdf.Term{Pos: f.pos}}
	}
	p.to.Notice(fault.Notice{Code: fault.BlankNodeIRI, Severity: fault.Repair, Pos: f.pos,
		Message: rdf.NodeForIRI, Excerpt: excerpt(p.value)})
	t.Kind, t.Value, t.repaired = rdf.BlankNode, p.keep(label), true
	return t
}

// warn warns of what is at pos.
func (p *parser) warn(pos fault.Pos, code fault.Code, message string, text []byte) {
	p.to.Notice(fault.Notice{Code: code, Severity: fault.Warning, Pos: pos, Message: message, Excerpt: excerpt(text)})
}

func (p *parser) keep(b []byte) []byte {
	n := len(p.arena)
	p.arena = append(p.arena, b...)
	return p.arena[n:len(p.arena):len(p.arena)]
}
