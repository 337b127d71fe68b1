package rdfa

import (
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"laundromat/internal/fault"
	"laundromat/rdf"
)

// propertyValue is the object of @property (step 11); false if it is lost.
func (s *state) propertyValue() (term, bool) {
	e := s.e
	content, hasContent := e.get("content")
	datatype, hasDatatype := e.get("datatype")
	isTime := false
	if !hasContent && s.host != XML {
		if v, ok := e.get("datetime"); ok {
			content, hasContent, isTime = v, true, true
		} else if e.name == "time" {
			isTime = true
		}
	}
	literal := term{kind: rdf.Literal, pos: e.pos, repaired: e.repaired, language: s.language}
	typ := ""
	if hasDatatype && strings.TrimFunc(datatype, isSpace) != "" {
		if t, ok := s.word(s.names, strings.TrimFunc(datatype, isSpace), "datatype", e); ok {
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
		if e.has("typeof") && !e.has("about") {
			return s.typed, true
		}
	}
	literal.value = content
	if !hasContent {
		var lost *fault.Notice
		literal.value, literal.repaired, lost = e.content()
		literal.repaired = literal.repaired || e.repaired
		if lost != nil {
			return s.loseText(lost)
		}
	}
	if typ == "" && !hasDatatype && isTime {
		typ = timeType(literal.value)
	}
	if typ != "" {
		literal.datatype, literal.language = typ, ""
		if typ == rdf.String {
			literal.datatype = ""
		}
	}
	return literal, true
}

// loseText tells of a literal whose text can't be trusted: one statement a property.
func (s *state) loseText(lost *fault.Notice) (term, bool) {
	for range s.properties {
		n := *lost
		n.Severity, n.Lost, n.Bytes = fault.Drop, 1, 0
		s.to.Notice(n)
	}
	return term{}, false
}

// times are the datatypes of dates and times in HTML, the first that fits.
var times = []struct {
	datatype string
	form     *regexp.Regexp
}{
	{"duration", regexp.MustCompile(`^-?P(\d+Y)?(\d+M)?(\d+D)?(T(\d+H)?(\d+M)?(\d+(\.\d+)?S)?)?$`)},
	{"dateTime", regexp.MustCompile(`^-?\d{4,}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?$`)},
	{"date", regexp.MustCompile(`^-?\d{4,}-\d\d-\d\d(Z|[+-]\d\d:\d\d)?$`)},
	{"time", regexp.MustCompile(`^\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?$`)},
	{"gYearMonth", regexp.MustCompile(`^-?\d{4,}-\d\d(Z|[+-]\d\d:\d\d)?$`)},
	{"gYear", regexp.MustCompile(`^-?\d{4,}(Z|[+-]\d\d:\d\d)?$`)},
}

// timeType finds the datatype of a date or time; "" if it is none.
func timeType(text string) string {
	if strings.HasSuffix(text, "P") || strings.HasSuffix(text, "T") {
		return ""
	}
	for i := range times {
		if times[i].form.MatchString(text) {
			return rdf.XSD + times[i].datatype
		}
	}
	return ""
}

// markup is a literal that keeps its markup.
func (s *state) markup(literal term, typ string, write func(*strings.Builder)) (term, bool) {
	if _, repaired, lost := s.e.content(); lost != nil {
		return s.loseText(lost)
	} else if repaired {
		literal.repaired = true
	}
	if v, ok := s.e.get("content"); ok {
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
	var declared []attr
	for n := s.names; n != nil; n = n.outer {
		for _, prefix := range n.order {
			if !slices.ContainsFunc(declared, func(a attr) bool { return a.name == "xmlns:"+prefix }) {
				declared = append(declared, attr{name: "xmlns:" + prefix, value: n.prefixes[prefix]})
			}
		}
	}
	slices.SortFunc(declared, func(x, y attr) int { return strings.Compare(x.name, y.name) })
	space := s.e.space
	if s.host == HTML {
		space = "http://www.w3.org/1999/xhtml"
	}
	if space != "" {
		declared = append([]attr{{name: "xmlns", value: space}}, declared...)
	}
	writeChildren(b, s.e, declared)
}

func writeChildren(b *strings.Builder, e *element, declared []attr) {
	for i := range e.children {
		switch c := &e.children[i]; {
		case c.element != nil:
			writeElement(b, c.element, declared)
		case c.markup:
			b.WriteString(c.text)
		default:
			textEscapes.WriteString(b, c.text)
		}
	}
}

var (
	textEscapes  = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "\r", "&#xD;")
	valueEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", `"`, "&quot;", "\t", "&#x9;", "\n", "&#xA;", "\r", "&#xD;")
)

func writeElement(b *strings.Builder, e *element, declared []attr) {
	name := e.name
	if e.prefix != "" {
		name = e.prefix + ":" + name
	}
	b.WriteByte('<')
	b.WriteString(name)
	for _, a := range e.attrs {
		writeAttr(b, a)
	}
	for _, a := range declared {
		if !e.has(a.name) {
			writeAttr(b, a)
		}
	}
	b.WriteByte('>')
	writeChildren(b, e, nil)
	b.WriteString("</")
	b.WriteString(name)
	b.WriteByte('>')
}

func writeAttr(b *strings.Builder, a attr) {
	b.WriteByte(' ')
	b.WriteString(a.name)
	b.WriteString(`="`)
	valueEscapes.WriteString(b, a.value)
	b.WriteByte('"')
}

// htmlLiteral writes the content of the element as HTML.
func (s *state) htmlLiteral(b *strings.Builder) {
	for i := range s.e.children {
		// A builder never fails.
		_ = html.Render(b, toHTML(&s.e.children[i]))
	}
}

func toHTML(c *child) *html.Node {
	switch {
	case c.element == nil && c.markup:
		return &html.Node{Type: html.RawNode, Data: c.text}
	case c.element == nil:
		return &html.Node{Type: html.TextNode, Data: c.text}
	}
	e := c.element
	n := &html.Node{Type: html.ElementNode, Data: e.name}
	for _, a := range e.attrs {
		n.Attr = append(n.Attr, html.Attribute{Key: a.name, Val: a.value})
	}
	for i := range e.children {
		n.AppendChild(toHTML(&e.children[i]))
	}
	return n
}
