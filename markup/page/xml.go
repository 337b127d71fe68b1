package page

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"slices"

	"laundromat/internal/fault"
	"laundromat/markup/xmltext"
)

// parseXML reads a page by the rules of XML. More than one root is a fault, but each
// is read.
func parseXML(ctx context.Context, source []byte, opt *Options, to xmltext.Listener) (roots []*Element, err error) {
	x := &xmlTree{source: source, opt: opt, to: to, ends: finder{page: source}}
	x.Reader = xmltext.NewReader(bytes.NewReader(source), xmltext.Options{MaxDepth: opt.MaxDepth, Comments: true, CheckNames: true}, x)
	for {
		kind, err := x.Next(ctx)
		if err != nil {
			return nil, fmt.Errorf("read the page: %w", err)
		}
		if kind != xmltext.StartTag {
			x.forward()
		}
		switch kind {
		case xmltext.End:
			x.end()
			return x.roots, nil
		case xmltext.StartTag:
			if err := x.startTag(ctx); err != nil {
				return nil, fmt.Errorf("read the page: %w", err)
			}
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
	opt    *Options
	to     xmltext.Listener
	ends   finder
	held   []fault.Notice // on the current token, and what was skipped before it
	roots  []*Element
	open   []*Element
	cut    bool // elements were open where the document ended

	text     []byte // of pieces that follow one another
	hasText  bool
	repaired bool // one of them was
}

// Notice holds what is found until it is known who reads the token.
func (x *xmlTree) Notice(n fault.Notice) { x.held = append(x.held, n) }

// forward reports what is held.
func (x *xmlTree) forward() {
	for i := range x.held {
		x.to.Notice(x.held[i])
	}
	x.held = x.held[:0]
}

// addText takes a piece of text. Pieces of one stretch become one child.
func (x *xmlTree) addText() {
	if len(x.open) == 0 {
		return
	}
	if script := x.open[len(x.open)-1].Script(); script != nil && !script.IsMarkup {
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

func (x *xmlTree) startTag(ctx context.Context) error {
	e := x.element()
	again := len(x.open) == 0 && len(x.roots) > 0
	if len(x.open) > 0 && e.Space == "" && !e.Has("xmlns") && e.Prefix == "" {
		e.Space = x.open[len(x.open)-1].Space
	}
	n := x.block(e)
	x.forward()
	switch {
	case len(x.open) > 0:
		x.add(Child{Element: e})
	default:
		if again {
			e.Repaired = true
			x.tell(fault.XMLSeveralRoots, fault.Repair, "another root element begins; it is read as if it were the only one")
		}
		x.roots = append(x.roots, e)
	}
	x.open = append(x.open, e)
	if n > 0 {
		return x.Pass(ctx, n)
	}
	return nil
}

// block takes the content of an element that is read by itself, and says how many bytes of it
// are skipped.
func (x *xmlTree) block(e *Element) int {
	from, to := x.Offset(), x.EndOffset()
	name := e.Name
	if e.Prefix != "" {
		name = e.Prefix + ":" + name
	}
	if !x.opt.isBlock(e, x.attributes(e)) || x.EmptyTag() || !isTag(x.source[from+1:], name) || x.source[to-1] != '>' {
		return 0
	}
	isScript := e.Name == "script"
	c, closed := x.ends.content(int(to), name, !isScript)
	switch {
	case x.ends.isSpent():
	case !closed && isScript, isScript && !c.elements && !c.comments:
		return 0 // as XML it is a text
	case !closed:
		var around []string
		for i := len(x.open) - 1; i >= 0; i-- {
			around = append(around, string(x.Reader.Name(i)))
		}
		c.length = x.ends.rest(int(to), around...)
		c.end = c.length
	}
	if x.ends.isSpent() {
		e.setScript(&Script{Pos: x.Pos(), IsMarkup: true, Lost: tooMany(x.Pos(), x.source[from:])})
		return 0
	}
	s := &Script{Repaired: e.Repaired && isScript, IsMarkup: true}
	if isScript {
		s.add(x.source[to:to+int64(c.length)], Advance(x.Pos(), x.source[from:to]), false)
	} else {
		// What is wrong with the tag is reported by the reader of RDF/XML.
		x.held = slices.DeleteFunc(x.held, func(n fault.Notice) bool { return n.Offset >= from })
		s.add(x.source[from:to+int64(c.end)], x.Pos(), false)
		if end := x.source[to+int64(c.end):]; !closed && len(end) > 0 {
			s.Repaired = true // which is reported when it ends
			s.add([]byte("</"+name+">"), Advance(x.Pos(), s.Text), true)
		}
	}
	e.setScript(s)
	return c.length
}

// attributes are those of an element and of those around it, the innermost first.
func (x *xmlTree) attributes(e *Element) iter.Seq[[]Attr] {
	return func(yield func([]Attr) bool) {
		if !yield(e.Attrs) {
			return
		}
		for i := len(x.open) - 1; i >= 0; i-- {
			if !yield(x.open[i].Attrs) {
				return
			}
		}
	}
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
	isRead := e.Script() != nil && e.Script().IsMarkup // with its end
	switch {
	case x.AtEnd() && isRead:
		x.cut = true
	case isRead:
	case x.AtEnd():
		// What the element holds is whole, except for its text.
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

// end reports how the document was cut short, if it was.
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

// loss is a copy of what can't be trusted in the current token.
func (x *xmlTree) loss() *fault.Notice {
	n := x.Reader.Lost()
	if n == nil {
		return nil
	}
	kept := *n
	return &kept
}

// element makes an element of the current token.
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
				f.lost = &attrLoss{a.Lost.Code, a.Lost.Pos, a.Lost.Message, a.Lost.Excerpt}
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
