package rdfa

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
func parseXML(ctx context.Context, page []byte, opt Options, to rdf.Sink) (roots []*element, err error) {
	x := &xmlTree{Reader: xmltext.NewReader(bytes.NewReader(page), xmltext.Options{MaxDepth: opt.MaxDepth, Comments: true}, to), to: to}
	for {
		kind, err := x.Next(ctx)
		if err != nil {
			return nil, fmt.Errorf("read RDFa: %w", err)
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
			x.add(child{text: string(x.Text()), repaired: x.Repaired(), lost: x.loss()})
		case xmltext.Comment:
			x.add(child{text: "<!--" + string(x.Text()) + "-->", markup: true})
		case xmltext.Instruction:
			text := "<?" + string(x.Local())
			if len(x.Text()) > 0 {
				text += " " + string(x.Text())
			}
			x.add(child{text: text + "?>", markup: true})
		case xmltext.TooDeep, xmltext.TooLong:
			if lost := x.loss(); lost != nil {
				lost.Severity, lost.Lost, lost.Bytes = fault.Drop, 1, x.EndOffset()-x.Offset()
				to.Notice(*lost)
				x.add(child{lost: lost})
			}
		}
	}
}

// xmlTree makes elements of the tokens of XML.
type xmlTree struct {
	*xmltext.Reader
	to    rdf.Sink
	roots []*element
	open  []*element
	cut   bool // elements were open where the document ended
}

func (x *xmlTree) add(c child) {
	if len(x.open) == 0 {
		return
	}
	top := x.open[len(x.open)-1]
	if n := len(top.children); n > 0 && c.element == nil && !c.markup && c.lost == nil {
		if last := &top.children[n-1]; last.element == nil && !last.markup && last.lost == nil {
			last.text += c.text
			last.repaired = last.repaired || c.repaired
			return
		}
	}
	top.children = append(top.children, c)
}

func (x *xmlTree) startTag() {
	e := startTag(x.Reader)
	switch {
	case len(x.open) > 0:
		if e.space == "" && !e.has("xmlns") && e.prefix == "" {
			e.space = x.open[len(x.open)-1].space
		}
		x.add(child{element: e})
	default:
		if len(x.roots) > 0 {
			e.repaired = true
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
	e.end = x.EndOffset()
	e.repaired = e.repaired || x.Misnamed()
	switch {
	case x.AtEnd():
		// What the element holds is whole, but for its text.
		n := x.notice(fault.XMLCutShort, fault.Drop, "the document ends before the element does whose text the value is")
		x.add(child{lost: &n})
		x.cut = true
	case x.Implied():
		n := x.tell(fault.XMLUnclosedElement, fault.Repair, "the element <"+e.name+"> is not closed; it ends with the one around it")
		n.Severity = fault.Drop
		x.add(child{lost: &n})
		e.repaired = true
	}
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
	n := x.Lost()
	if n == nil {
		return nil
	}
	kept := *n
	return &kept
}

// startTag makes an element of the present token.
func startTag(r *xmltext.Reader) *element {
	e := &element{prefix: string(r.Prefix()), name: string(r.Local()), pos: r.Pos(), repaired: r.Repaired()}
	attrs := r.Attrs()
	e.attrs = make([]attr, 0, len(attrs))
	for i := range attrs {
		a := &attrs[i]
		name := string(a.Local)
		if len(a.Prefix) > 0 {
			name = string(a.Prefix) + ":" + name
		}
		if a.Lost != nil && (matters[name] || string(a.Prefix) == "xmlns") && e.lost == nil {
			lost := *a.Lost
			e.lost = &lost
		}
		if a.Repaired && (matters[name] || string(a.Prefix) == "xmlns") {
			e.repaired = true
		}
		if name == "xmlns" {
			e.space = string(a.Value)
		}
		e.attrs = append(e.attrs, attr{name, string(a.Value)})
	}
	return e
}

// matters lists the attributes that RDFa reads.
var matters = map[string]bool{"about": true, "resource": true, "href": true, "src": true, "rel": true, "rev": true,
	"property": true, "content": true, "datatype": true, "typeof": true, "datetime": true, "inlist": true,
	"prefix": true, "vocab": true, "xml:lang": true, "lang": true, "xml:base": true, "xmlns": true}
