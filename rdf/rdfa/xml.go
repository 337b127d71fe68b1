package rdfa

import (
	"bytes"
	"context"
	"fmt"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/xmltext"
)

// parseXML reads a page by the rules of XML.
func parseXML(ctx context.Context, page []byte, opt Options, to rdf.Sink) (*element, error) {
	r := xmltext.NewReader(bytes.NewReader(page), xmltext.Options{MaxDepth: opt.MaxDepth, Comments: true}, to)
	var root *element
	var open []*element
	add := func(c child) {
		if len(open) == 0 {
			return
		}
		top := open[len(open)-1]
		if n := len(top.children); n > 0 && c.element == nil && !c.markup && c.lost == nil {
			if last := &top.children[n-1]; last.element == nil && !last.markup && last.lost == nil {
				last.text += c.text
				last.repaired = last.repaired || c.repaired
				return
			}
		}
		top.children = append(top.children, c)
	}
	for {
		kind, err := r.Next(ctx)
		if err != nil {
			return nil, fmt.Errorf("read RDFa: %w", err)
		}
		switch kind {
		case xmltext.End:
			if cut := r.Cut(); cut.Inside != "" && root != nil {
				root.repaired = true
			}
			return root, nil
		case xmltext.StartTag:
			e := startTag(r)
			if len(open) > 0 {
				if e.space == "" && !e.has("xmlns") && e.prefix == "" {
					e.space = open[len(open)-1].space
				}
			}
			add(child{element: e})
			if root == nil {
				root = e
			}
			open = append(open, e) // a second root, too, which has no place in the tree
		case xmltext.EndTag:
			if len(open) > 0 {
				e := open[len(open)-1]
				e.end = r.EndOffset()
				e.repaired = e.repaired || r.Implied() || r.Misnamed()
				open = open[:len(open)-1]
			}
		case xmltext.Text:
			add(child{text: string(r.Text()), repaired: r.Repaired(), lost: lossOf(r)})
		case xmltext.Comment:
			add(child{text: "<!--" + string(r.Text()) + "-->", markup: true})
		case xmltext.Instruction:
			text := "<?" + string(r.Local())
			if len(r.Text()) > 0 {
				text += " " + string(r.Text())
			}
			add(child{text: text + "?>", markup: true})
		case xmltext.TooDeep, xmltext.TooLong:
			if lost := lossOf(r); lost != nil {
				lost.Severity, lost.Lost, lost.Bytes = fault.Drop, 1, r.EndOffset()-r.Offset()
				to.Notice(*lost)
				told := *lost
				told.Lost = 0
				add(child{lost: &told})
			}
		}
	}
}

func lossOf(r *xmltext.Reader) *fault.Notice {
	n := r.Lost()
	if n == nil {
		return nil
	}
	kept := *n
	return &kept
}

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
