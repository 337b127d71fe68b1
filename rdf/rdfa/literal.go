package rdfa

import (
	"slices"
	"strings"

	"golang.org/x/net/html"

	"laundromat/internal/fault"
	"laundromat/markup/page"
	"laundromat/rdf"
)

// propertyValue is the object of @property (step 11); false if it is lost.
func (s *state) propertyValue() (term, bool) {
	e := s.e
	content, hasContent, isTime := s.content()
	datatype, hasDatatype := e.Get("datatype")
	literal := term{kind: rdf.Literal, pos: e.Pos, repaired: mended(e), language: s.language}
	typ := ""
	if hasDatatype && strings.TrimFunc(datatype, page.IsSpace) != "" {
		if t, ok := s.word(s.names, strings.TrimFunc(datatype, page.IsSpace), "datatype", e); ok {
			typ = t.value
		}
	}
	switch {
	case typ == rdf.RDF+"XMLLiteral":
		return s.markup(literal, typ, s.xmlLiteral)
	case typ == rdf.RDF+"HTML":
		return s.markup(literal, typ, s.htmlLiteral)
	case typ != "" || hasDatatype || hasContent || isTime:
	case !s.hasLink:
		if t, ok := s.target(); ok {
			return t, true
		}
		if e.Has("typeof") && !e.Has("about") {
			return s.typed, true
		}
	}
	literal.value = content
	if !hasContent {
		var lost *fault.Notice
		literal.value, literal.repaired, lost = e.Content(matters)
		literal.repaired = literal.repaired || mended(e)
		if lost != nil {
			return s.loseText(lost)
		}
	}
	if typ == "" && !hasDatatype && isTime {
		typ = page.TimeType(literal.value)
	}
	return literal.typed(typ), true
}

// content is the text that an attribute gives as the value. isTime says that it, or what is in its place, is a time.
func (s *state) content() (text string, is, isTime bool) {
	if text, is = s.e.Get("content"); is || s.host == page.XML {
		return text, is, false
	}
	if text, is = s.e.Get("datetime"); is {
		return text, true, true
	}
	return "", false, s.e.Name == "time"
}

// typed is the literal t with a datatype, unless that is empty.
func (t term) typed(datatype string) term {
	if datatype == "" {
		return t
	}
	t.datatype = datatype
	if t.language != "" && rdf.LanguageType([]byte(datatype)) == "" {
		t.language = ""
	}
	if datatype == rdf.String {
		t.datatype = ""
	}
	return t
}

// loseText reports a literal whose text can't be trusted: one statement a property.
func (s *state) loseText(lost *fault.Notice) (term, bool) {
	for range s.properties {
		n := *lost
		n.Severity, n.Lost, n.Bytes = fault.Drop, 1, 0
		s.to.Notice(n)
	}
	return term{}, false
}

// markup is a literal that keeps its markup.
func (s *state) markup(literal term, typ string, write func(*strings.Builder)) (term, bool) {
	if _, repaired, lost := s.e.Content(matters); lost != nil {
		return s.loseText(lost)
	} else if repaired {
		literal.repaired = true
	}
	if v, ok := s.e.Get("content"); ok {
		literal.value = v
	} else {
		var b strings.Builder
		write(&b)
		literal.value = b.String()
	}
	literal.datatype, literal.language = typ, ""
	return literal, true
}

// xmlLiteral writes the content of the element as XML. Its top elements declare all
// namespaces and prefixes in force.
func (s *state) xmlLiteral(b *strings.Builder) {
	var declared []page.Attr
	for n := s.names; n != nil; n = n.outer {
		for _, prefix := range n.order {
			if !slices.ContainsFunc(declared, func(a page.Attr) bool { return a.Name == "xmlns:"+prefix }) {
				declared = append(declared, page.Attr{Name: "xmlns:" + prefix, Value: n.prefixes[prefix]})
			}
		}
	}
	slices.SortFunc(declared, func(x, y page.Attr) int { return strings.Compare(x.Name, y.Name) })
	space := s.e.Space
	if s.host == page.HTML {
		space = "http://www.w3.org/1999/xhtml"
	}
	if space != "" {
		declared = append([]page.Attr{{Name: "xmlns", Value: space}}, declared...)
	}
	writeChildren(b, s.e, declared)
}

func writeChildren(b *strings.Builder, e *page.Element, declared []page.Attr) {
	for i := range e.Children {
		switch c := &e.Children[i]; {
		case c.Element != nil:
			writeElement(b, c.Element, declared)
		case c.Markup:
			b.WriteString(c.Text)
		default:
			textEscapes.WriteString(b, c.Text)
		}
	}
}

var (
	textEscapes  = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "\r", "&#xD;")
	valueEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", `"`, "&quot;", "\t", "&#x9;", "\n", "&#xA;", "\r", "&#xD;")
)

func writeElement(b *strings.Builder, e *page.Element, declared []page.Attr) {
	name := e.Name
	if e.Prefix != "" {
		name = e.Prefix + ":" + name
	}
	b.WriteByte('<')
	b.WriteString(name)
	for _, a := range e.Attrs {
		writeAttr(b, a)
	}
	for _, a := range declared {
		if !e.Has(a.Name) {
			writeAttr(b, a)
		}
	}
	b.WriteByte('>')
	writeChildren(b, e, nil)
	b.WriteString("</")
	b.WriteString(name)
	b.WriteByte('>')
}

func writeAttr(b *strings.Builder, a page.Attr) {
	b.WriteByte(' ')
	b.WriteString(a.Name)
	b.WriteString(`="`)
	valueEscapes.WriteString(b, a.Value)
	b.WriteByte('"')
}

// htmlLiteral writes the content of the element as HTML.
func (s *state) htmlLiteral(b *strings.Builder) {
	for i := range s.e.Children {
		// A builder never fails.
		_ = html.Render(b, toHTML(&s.e.Children[i]))
	}
}

func toHTML(c *page.Child) *html.Node {
	switch {
	case c.Element == nil && c.Markup:
		return &html.Node{Type: html.RawNode, Data: c.Text}
	case c.Element == nil:
		return &html.Node{Type: html.TextNode, Data: c.Text}
	}
	e := c.Element
	n := &html.Node{Type: html.ElementNode, Data: e.Name}
	for _, a := range e.Attrs {
		n.Attr = append(n.Attr, html.Attribute{Key: a.Name, Val: a.Value})
	}
	for i := range e.Children {
		n.AppendChild(toHTML(&e.Children[i]))
	}
	return n
}
