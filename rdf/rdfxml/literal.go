package rdfxml

import (
	"bytes"
	"context"
	"slices"

	"laundromat/internal/fault"
	"laundromat/markup/xmltext"
	"laundromat/rdf"
)

// literal is the value of the innermost property element, as far as it was read: a
// text, or XML in exclusive canonical form, comments included.
type literal struct {
	value    []byte
	pos      fault.Pos // where it begins; no line if nothing was read
	textPos  fault.Pos // where what is more than white space begins
	text     bool      // value holds more than white space
	repaired bool
	doubtful bool // it may have ended before, in a comment that does not end

	// Of an XML literal:
	xml       bool // it may be one
	canonical xmltext.Canonical
}

func (l *literal) reset() {
	l.value, l.pos, l.text, l.repaired, l.doubtful = l.value[:0], fault.Pos{}, false, false, false
	if l.xml {
		l.xml = false
		l.canonical.Reset()
	}
}

// excerpt shows the beginning of the value, of n bytes at most.
func (l *literal) excerpt(n int) string {
	text := l.value[:min(len(l.value), fault.MaxExcerpt+10, n)]
	return fault.Excerpt(bytes.Trim(text, " \t\r\n"))
}

// characters takes a piece of text.
func (p *parser) characters() {
	f := p.top()
	if p.x.Resumed() && p.resumed(f) || p.skipping > 0 {
		return
	}
	switch {
	case f.kind == inXML:
		p.xmlText(f)
	case f.kind == inProperty && !f.hasNode:
		p.textPiece(f)
	default:
		p.strayText()
	}
}

// resumed takes what stands for a comment or the like that does not end. All that follows in the
// element around it depends on where it was taken to end. What is after that element does not: nobody
// comments out the end of an element begun before. False if it is text.
func (p *parser) resumed(f *frame) bool {
	n := p.x.Lost()
	if p.skipping == 0 {
		f.suspect, f.repaired = true, true
	}
	switch {
	case n.Severity != fault.Repair:
		return false
	case p.skipping == 0 && f.kind == inXML:
		p.begin(f)
	case p.skipping == 0 && f.kind == inProperty && !f.hasNode && !f.counted && p.literal.text:
		p.lose(f, *n)
	default:
		p.literal.doubtful = p.skipping == 0 && f.kind == inProperty && !f.hasNode
		p.to.Notice(*n)
	}
	return true
}

// begin notes where the value begins and what its piece was repaired of; false if the piece is of no use.
func (p *parser) begin(f *frame) bool {
	l := &p.literal
	// one reports all that a limit costs
	if lost := p.x.Lost(); lost != nil && !(f.counted && lost.Code == fault.LimitEntities) {
		p.lose(f, *lost)
	}
	if f.counted {
		l.text = l.text || !p.x.Blank()
		return false
	}
	if l.pos.Line == 0 {
		l.pos = p.x.Pos()
	}
	l.repaired = l.repaired || p.x.Repaired()
	if !l.text && !p.x.Blank() {
		if l.text, l.textPos = true, l.pos; len(l.value) > 0 {
			l.textPos = p.x.Pos()
		}
	}
	return true
}

func (p *parser) textPiece(f *frame) {
	if p.begin(f) {
		p.literal.value = append(p.literal.value, p.x.Text()...)
		p.bound(f)
	}
}

// bound gives up a value that has grown too long.
func (p *parser) bound(f *frame) {
	l := &p.literal
	if len(l.value) <= p.maxToken || f.counted {
		return
	}
	p.lose(f, fault.Notice{Code: fault.LimitToken, Pos: l.pos, Excerpt: l.excerpt(p.maxToken),
		Message: fault.TooLong("this literal", p.maxToken)})
	l.value = nil
}

// straighten reports the text that is before a node element as stray text.
func (p *parser) straighten() {
	l := &p.literal
	p.to.Notice(fault.Notice{Code: fault.RDFXMLStrayText, Severity: fault.Drop, Pos: l.textPos, Lost: 1,
		Bytes:   p.x.Offset() - l.textPos.Offset,
		Message: "text is beside a node element; it belongs to no statement", Excerpt: l.excerpt(p.maxToken)})
}

// endText ends a property element that holds text (§7.2.16) or a node (§7.2.15).
func (p *parser) endText(f *frame) {
	l := &p.literal
	switch {
	case f.hasNode:
	case p.x.AtEnd():
		if !f.counted {
			p.cutOff(f, 0)
		}
	case p.x.Implied():
		p.lose(f, p.unclosed(f))
	case l.doubtful:
		p.lose(f, fault.Notice{Code: fault.RDFXMLUnfinished, Pos: f.pos, Excerpt: p.x.Excerpt(),
			Message: "a comment that does not end hides where the value of a property element ends"})
	default:
		var o term
		o.Kind, o.Value, o.Datatype, o.Pos = rdf.Literal, l.value, f.datatype, l.pos
		if l.pos.Line == 0 {
			o.Pos = p.x.Pos()
		}
		if !f.typed || (len(f.language) > 0 || f.languageLost) && rdf.LanguageType(f.datatype) != "" {
			f.speak(&o)
		}
		p.state(f, &o, l.repaired || p.x.Repaired() || p.x.Misnamed())
	}
}

func (p *parser) unclosed(f *frame) fault.Notice {
	excerpt := p.literal.excerpt(p.maxToken)
	if excerpt == "" {
		excerpt = p.x.Excerpt()
	}
	if excerpt == "" { // nothing is where the end was taken to be
		excerpt = fault.Excerpt(slices.Concat(less, p.x.TagName()))
	}
	return fault.Notice{Code: fault.RDFXMLUnfinished, Pos: f.pos, Excerpt: excerpt,
		Message: "a property element is not closed, so that the end of its value is not known"}
}

// beginXML begins a property element whose content is the value (§7.2.17).
func (p *parser) beginXML(f *frame) {
	f.kind, f.broken, p.literal.xml = inXML, false, true
	p.x.WantComments(true)
}

// checkEnd looks whether the XML that begins in f ends. If it does not, the statement is
// lost, and what follows is looked at for where it might have.
func (p *parser) checkEnd(ctx context.Context, f *frame) {
	if never, err := p.neverEnds(ctx); err != nil {
		p.broken = err
	} else if never && p.rules.on(endLiteral) {
		f.broken = true
		p.lose(f, p.unclosed(f))
	}
}

func (p *parser) endXML(f *frame) {
	l := &p.literal
	p.x.WantComments(false)
	switch {
	case p.x.AtEnd():
		if !f.counted {
			p.cutOff(f, 0)
		}
	case f.broken: // that is reported
	case p.x.Implied():
		p.lose(f, p.unclosed(f))
	default:
		var o term
		o.Kind, o.Value, o.Datatype, o.Pos = rdf.Literal, l.value, xmlLiteral, l.pos
		if l.pos.Line == 0 {
			o.Pos = p.x.Pos()
		}
		p.state(f, &o, l.repaired || p.x.Misnamed())
	}
}

func (p *parser) xmlText(f *frame) {
	if p.begin(f) {
		p.literal.value = xmltext.AppendCharacters(p.literal.value, p.x.Text())
		p.bound(f)
	}
}

// comment takes a comment, which the canonical form keeps.
func (p *parser) comment() {
	l, f := &p.literal, p.top()
	if f.kind == inXML && p.skipping == 0 && p.begin(f) {
		l.value = xmltext.AppendComment(l.value, p.x.Text())
		p.bound(f)
	}
}

func (p *parser) instruction() {
	l, f := &p.literal, p.top()
	if f.kind != inXML || p.skipping > 0 || !p.begin(f) {
		return
	}
	l.value = xmltext.AppendInstruction(l.value, p.x.Local(), p.x.Text())
	p.bound(f)
}

// xmlStart writes a start tag into the XML literal.
func (p *parser) xmlStart() {
	l, f := &p.literal, p.top()
	l.canonical.Open()
	if !p.begin(f) {
		return
	}
	element := p.elementName()
	if !p.use(f, &element, p.x.Prefix()) {
		return
	}
	for i := range p.x.Attrs() {
		a := &p.x.Attrs()[i]
		if _, ok := a.Declares(); ok {
			continue
		}
		n := p.attrName(a)
		if a.Lost != nil {
			p.lose(f, *a.Lost)
			return
		}
		if len(a.Prefix) > 0 && !p.use(f, &n, a.Prefix) {
			return
		}
		l.repaired = l.repaired || a.Repaired
		l.canonical.Attribute(n.ns, a.Prefix, n.local, a.Value)
	}
	l.value = l.canonical.AppendStart(l.value, p.x.Prefix(), p.x.Local())
	p.bound(f)
}

// use notes that a tag uses the prefix of a name; false if the literal is lost by it.
func (p *parser) use(f *frame, n *name, prefix []byte) bool {
	l := &p.literal
	if n.kind == lostName {
		p.lose(f, *n.lost)
		return false
	}
	l.repaired = l.repaired || n.repaired
	l.canonical.Use(prefix, n.ns)
	return true
}

func (p *parser) xmlEnd() {
	l, f := &p.literal, p.top()
	l.canonical.Close()
	if f.counted || p.x.AtEnd() {
		return
	}
	if p.x.Junk() && !p.x.EmptyTag() {
		p.lose(f, fault.Notice{Code: fault.RDFXMLUnfinished, Pos: p.x.Pos(), Excerpt: p.x.Excerpt(),
			Message: "words in an end tag may be text of the XML literal around it"})
		return
	}
	l.repaired = l.repaired || p.x.Implied() || p.x.Misnamed()
	l.value = xmltext.AppendEnd(l.value, p.x.Prefix(), p.x.Local())
	p.bound(f)
}
