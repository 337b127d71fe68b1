package page

import (
	"bytes"
	"context"
	"fmt"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/xmltext"
)

// parseXML reads a page by the rules of XML. More than one root is a fault, but each
// is read.
func parseXML(ctx context.Context, source []byte, opt *Options, to rdf.Sink) (roots []*Element, err error) {
	x := &xmlTree{source: source, Reader: xmltext.NewReader(bytes.NewReader(source), xmltext.Options{MaxDepth: opt.MaxDepth, Comments: true}, to), to: to}
	for {
		kind, err := x.Next(ctx)
		if err != nil {
			return nil, fmt.Errorf("read the page: %w", err)
		}
		switch kind {
		case xmltext.End:
			x.end()
			return x.roots, nil
		case xmltext.StartTag:
			x.startTag()
		case xmltext.EndTag:
			x.endTag()
		case xmltext.Text:
			x.addText()
		case xmltext.Comment:
			x.add(Child{Text: "<!--" + string(x.Text()) + "-->", Markup: true})
		case xmltext.Instruction:
			text := "<?" + string(x.Local())
			if len(x.Text()) > 0 {
				text += " " + string(x.Text())
			}
			x.add(Child{Text: text + "?>", Markup: true})
		case xmltext.TooDeep, xmltext.TooLong:
			if lost := x.loss(); lost != nil {
				lost.Severity, lost.Lost, lost.Bytes = fault.Drop, 1, x.EndOffset()-x.Offset()
				to.Notice(*lost)
				x.add(Child{Lost: lost})
			}
		}
	}
}

// xmlTree makes elements of the tokens of XML.
type xmlTree struct {
	*xmltext.Reader
	source []byte
	to     rdf.Sink
	roots  []*Element
	open   []*Element
	cut    bool // elements were open where the document ended

	text     []byte // of pieces that follow one another
	hasText  bool
	repaired bool // one of them was
}

// addText takes a piece of text. Pieces of one stretch become one child.
func (x *xmlTree) addText() {
	if len(x.open) == 0 {
		return
	}
	if script := x.open[len(x.open)-1].Script(); script != nil {
		at := x.Pos()
		if at.Offset > 0 && x.source[at.Offset-1] == '\r' && bytes.HasPrefix(x.Text(), []byte("\n")) {
			// A line ends with the CR, which is no part of the text: the LF is still on it.
			behind := script.Place(script.end)
			at.Line, at.Column = at.Line-1, max(1, behind.Column)
		}
		script.add(x.Text(), at, !bytes.HasPrefix(x.source[at.Offset:], x.Text()))
		script.Repaired = script.Repaired || x.Repaired()
		if lost := x.loss(); lost != nil && script.Lost == nil {
			script.Lost = lost
		}
	}
	if lost := x.loss(); lost != nil {
		x.add(Child{Text: string(x.Text()), Repaired: x.Repaired(), Lost: lost})
		return
	}
	x.text, x.hasText = append(x.text, x.Text()...), true
	x.repaired = x.repaired || x.Repaired()
}

// flush makes a child of the text that came.
func (x *xmlTree) flush() {
	if !x.hasText {
		return
	}
	top := x.open[len(x.open)-1]
	top.Children = append(top.Children, Child{Text: string(x.text), Repaired: x.repaired})
	x.text, x.hasText, x.repaired = x.text[:0], false, false
}

func (x *xmlTree) add(c Child) {
	if len(x.open) == 0 {
		return
	}
	x.flush()
	top := x.open[len(x.open)-1]
	top.Children = append(top.Children, c)
}

func (x *xmlTree) startTag() {
	e := x.element()
	switch {
	case len(x.open) > 0:
		if e.Space == "" && !e.Has("xmlns") && e.Prefix == "" {
			e.Space = x.open[len(x.open)-1].Space
		}
		x.add(Child{Element: e})
	default:
		if len(x.roots) > 0 {
			e.Repaired = true
			x.tell(fault.XMLSeveralRoots, fault.Repair, "another root element begins; it is read as if it stood alone")
		}
		x.roots = append(x.roots, e)
	}
	x.open = append(x.open, e)
}

func (x *xmlTree) endTag() {
	if len(x.open) == 0 {
		return
	}
	e := x.open[len(x.open)-1]
	if e.rare != nil {
		e.rare.end = x.EndOffset()
	}
	e.Repaired = e.Repaired || x.Misnamed()
	var lost *fault.Notice
	switch {
	case x.AtEnd():
		// What the element holds is whole, but for its text.
		n := x.notice(fault.XMLCutShort, fault.Drop, "the document ends before the element does whose text the value is")
		lost = &n
		x.cut = true
	case x.Implied():
		n := x.tell(fault.XMLUnclosedElement, fault.Repair, "the element <"+e.Name+"> is not closed; it ends with the one around it")
		n.Severity = fault.Drop
		lost = &n
		e.Repaired = true
	}
	if lost != nil {
		x.add(Child{Lost: lost})
		if script := e.Script(); script != nil && script.Lost == nil {
			script.Lost = lost
		}
	}
	x.flush()
	x.open = x.open[:len(x.open)-1]
}

// end tells how the document was cut short, if it was.
func (x *xmlTree) end() {
	cut := x.Cut()
	switch {
	case cut.Inside != "":
		x.to.Notice(fault.Notice{Code: fault.XMLCutShort, Severity: fault.Drop, Pos: cut.Pos, Excerpt: cut.Excerpt,
			Message: "the document ends inside " + cut.Inside, Lost: 1, Bytes: cut.Bytes})
	case x.cut:
		x.tell(fault.XMLCutShort, fault.Repair, "the document ends before its elements do")
	}
}

func (x *xmlTree) notice(code fault.Code, severity fault.Severity, message string) fault.Notice {
	return fault.Notice{Code: code, Severity: severity, Pos: x.Pos(), Message: message, Excerpt: x.Excerpt()}
}

func (x *xmlTree) tell(code fault.Code, severity fault.Severity, message string) fault.Notice {
	n := x.notice(code, severity, message)
	x.to.Notice(n)
	return n
}

// loss is a copy of what can't be trusted in the present token.
func (x *xmlTree) loss() *fault.Notice {
	n := x.Reader.Lost()
	if n == nil {
		return nil
	}
	kept := *n
	return &kept
}

// element makes an element of the present token.
func (x *xmlTree) element() *Element {
	e := &Element{Prefix: string(x.Prefix()), Name: string(x.Local()), Pos: x.Pos(), Repaired: x.Repaired()}
	if e.Name == "script" {
		e.setScript(&Script{Pos: e.Pos, Repaired: e.Repaired})
	}
	attrs := x.Reader.Attrs()
	e.Attrs = make([]Attr, 0, len(attrs))
	for i := range attrs {
		a := &attrs[i]
		name := string(a.Local)
		if len(a.Prefix) > 0 {
			name = string(a.Prefix) + ":" + name
		}
		if a.Lost != nil || a.Repaired {
			f := attrFault{name: name, repaired: a.Repaired}
			if a.Lost != nil {
				lost := *a.Lost
				f.lost = &lost
			}
			more := e.more()
			more.faults = append(more.faults, f)
		}
		if name == "xmlns" {
			e.Space = string(a.Value)
		}
		e.Attrs = append(e.Attrs, Attr{name, string(a.Value)})
	}
	return e
}
