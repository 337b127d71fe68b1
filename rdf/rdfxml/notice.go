package rdfxml

import (
	"bytes"

	"laundromat/internal/fault"
	"laundromat/markup/xmltext"
)

// notice makes a notice about the token as a whole.
func (p *parser) notice(code fault.Code, severity fault.Severity, message string) fault.Notice {
	return p.noticeAt(0, code, severity, message)
}

// noticeAt makes a notice about the token from one byte of it on.
func (p *parser) noticeAt(at int, code fault.Code, severity fault.Severity, message string) fault.Notice {
	return fault.Notice{Code: code, Severity: severity, Pos: p.x.PosAt(at), Message: message, Excerpt: p.x.ExcerptAt(at, p.x.Len())}
}

// tell reports a finding about the token as a whole.
func (p *parser) tell(code fault.Code, severity fault.Severity, lost int, message string) {
	n := p.notice(code, severity, message)
	n.Lost = lost
	p.to.Notice(n)
}

// tellAttr reports a finding about an attribute of the tag.
func (p *parser) tellAttr(a *xmltext.Attr, code fault.Code, severity fault.Severity, lost int, message string) {
	n := p.attrNotice(a, code, message)
	n.Severity, n.Lost = severity, lost
	p.to.Notice(n)
}

// repairAttr reports that something is wrong with an attribute of the tag, and the edits that mend it.
func (p *parser) repairAttr(a *xmltext.Attr, code fault.Code, message string, edits []fault.Edit) {
	n := p.attrNotice(a, code, message)
	n.Severity, n.Edits = fault.Repair, edits
	p.to.Notice(n)
}

func (p *parser) attrNotice(a *xmltext.Attr, code fault.Code, message string) fault.Notice {
	return p.noticeAt(a.NameAt, code, fault.Drop, message)
}

// lose says why the statement of a property element is lost, and counts it unless that was done.
func (p *parser) lose(f *frame, n fault.Notice) {
	n.Severity, n.Lost = fault.Drop, 0
	if !f.counted {
		f.counted = true
		n.Lost = f.statements()
	}
	p.drop(n)
}

// drop says what Lost statements are lost by, one notice for each.
func (p *parser) drop(n fault.Notice) {
	more := n.Lost - 1
	n.Lost = min(n.Lost, 1)
	p.to.Notice(n)
	n.Code, n.Message, n.Bytes = fault.RDFXMLLostPart, "another statement is lost by the fault reported before", 0
	for ; more > 0; more-- {
		p.to.Notice(n)
	}
}

// statements is how many statements a property element makes of its own: one, four for
// a reification, and one for an annotation.
func (f *frame) statements() int {
	n := 1
	if f.reifier.Kind != 0 {
		n += 4
	}
	if f.notes != nil {
		n++
	}
	return n
}

// mayBeEnd says, and reports, that the start tag may be meant as an end tag. What it says is repaired,
// since elements must have ended before for it to be none.
func (p *parser) mayBeEnd() bool {
	if p.unslashed {
		p.tell(fault.XMLUnclosedElement, fault.Repair, 0, "a start tag has the name of the element around it, which does not end well; "+
			"it was read as it is, but may be an end tag without its /")
	}
	return p.unslashed
}

// strayText takes a piece of text that is where none may be.
func (p *parser) strayText() {
	if !p.stray.Take(p.x) {
		return
	}
	if lost := p.stray.Lost(p.x); lost != nil {
		p.to.Notice(*lost)
	}
}

var less = []byte("<")

// endStray reports the stray text that ends here.
func (p *parser) endStray() {
	if !p.stray.Is {
		return
	}
	p.stray.Is = false
	if f := p.top(); f.kind == inCollection && p.isMember() {
		// A member whose tag is broken loses its rdf:first and keeps its rdf:rest.
		p.nextMember(f, p.stray.Pos)
		p.brokenAt = p.x.Offset()
	}
	n := fault.Notice{Code: fault.RDFXMLStrayText, Severity: fault.Drop, Pos: p.stray.Pos, Lost: 1, Bytes: p.stray.Bytes,
		Message: "text is where only elements may; it belongs to no statement", Excerpt: fault.Excerpt(p.stray.Trimmed())}
	switch p.top().kind {
	case inForeign:
		return
	case inDocument:
		n.Code, n.Severity, n.Lost = fault.XMLOutsideRoot, fault.Repair, 0
		n.Message = "text is outside the root element; it was left out"
		n.Edits = xmltext.EditStray(p.x, &p.stray)
	}
	p.to.Notice(n)
}

// isMember says that the stray text in a list is what is left of the tag of a member. What begins with
// </ is not. Nor is a < alone if the list ends there without an end tag: it is what is left of that.
// Nor is what is before a tag that is supposed: that is the tag. Nor is what has no name behind its <, as in "x < 3"
// and in the mark of a merge, unless a whole tag follows.
func (p *parser) isMember() bool {
	text := p.stray.Trimmed()
	switch {
	case p.x.Supposed(), bytes.HasPrefix(text, endLess):
		return false
	case !bytes.HasPrefix(text, less):
		return p.isTag(text)
	case len(p.stray.Text()) == len(less):
		return false // the < of the tag after it is doubled
	case len(text) == len(less):
		return !p.x.Implied()
	}
	name := bytes.TrimLeftFunc(text, func(r rune) bool { return !xmltext.IsNameStart(r) })
	return len(text)-len(name) == len(less) || p.isTag(name)
}

// isTag says that text is a start tag except for its <, and for what else is wrong with it. It begins
// with a name that has a declared prefix, and the name of an attribute follows.
func (p *parser) isTag(text []byte) bool {
	n := bytes.IndexAny(text, " \t\r\n")
	if n < 0 {
		return false
	}
	prefix, local := splitName(text[:n])
	if len(prefix) == 0 || len(local) == 0 || !p.Declared(prefix) {
		return false
	}
	name, _, rest := nextAttr(text[n:])
	return len(name) > 0 && len(rest) < len(text)-n && bytes.IndexByte(text[n:len(text)-len(rest)], '=') > 0
}

var endLess = []byte("</")

// skip skips the element whose start tag was read. lost is what it costs.
func (p *parser) skip(n fault.Notice, lost int) {
	n.Lost = lost
	p.skipped = n
	p.skipping = 1
}

func (p *parser) endSkip() {
	p.skipped.Bytes = p.x.EndOffset() - p.skipped.Offset
	p.inPage = false
	p.drop(p.skipped)
	p.scope.Leave(p.x.Depth() + 1)
}

// passedOver reports what the tokenizer could not hand out.
func (p *parser) passedOver() {
	if p.skipping > 0 {
		return
	}
	n := *p.x.Lost()
	n.Lost = 1
	switch f := p.top(); f.kind {
	case inXML, inProperty, inEmpty:
		n.Lost = 0
		if !f.counted {
			p.lose(f, n)
			return
		}
		if f.kind != inXML {
			n.Lost = 1
		}
	case inForeign:
		n.Lost = 0
	}
	p.to.Notice(n)
}

// cut is what the end of the document left unfinished.
type cut struct {
	is   bool // elements were open
	lost int
	pos  fault.Pos // of the innermost unfinished statement
}

// unfinished counts statements that the end of the document cut off.
func (p *parser) unfinished(f *frame, lost int) {
	if p.depth > 0 {
		return // the statement of the triple term is counted
	}
	if p.cut.lost == 0 {
		p.cut.pos = f.pos
	}
	p.cut.lost += lost
}

// end reports how the document ended.
func (p *parser) end() {
	p.endStray()
	inside := p.x.Cut()
	if !p.cut.is && inside.Inside == "" {
		return
	}
	n := p.notice(fault.XMLCutShort, fault.Drop, "the document ends before its elements do, so nobody knows what else was to come; all "+
		"statements that were complete were kept")
	n.Lost = p.cut.lost
	end := p.x.EndOffset()
	if inside.Inside != "" {
		n.Message = "the document ends inside " + inside.Inside + "; all statements that were complete were kept"
		n.Pos, n.Excerpt = inside.Pos, inside.Excerpt
		n.Lost = max(n.Lost, 1)
	} else if n.Lost > 0 {
		n.Pos = p.cut.pos
	}
	if n.Lost == 0 {
		n.Lost = 1 // what else was to come
	} else {
		n.Bytes = end - n.Offset
	}
	p.drop(n)
}
