package microformats

import (
	"strings"

	"laundromat/markup/page"
)

// value is the value of a property on an element, as its prefix has it: "p", "u", "t" (dt-) or "e".
func (s *scan) value(e *page.Element, prefix byte) (v Value) {
	v.Element, v.prefix, v.Language = e, prefix, s.language
	switch prefix {
	case 'u':
		s.url(&v, e)
	case 't':
		v.Text = s.time(e)
	case 'e':
		v.Text = trim(s.text(e, withImages))
	default:
		if part, ok := s.parts(e); ok {
			v.Text = strings.Join(part, "")
		} else if attr, ok := attribute(e); ok {
			v.Text = attr
		} else {
			v.Text = trim(s.text(e, withImages))
		}
	}
	return v
}

// urlAttributes are the attributes that hold the URL of an element, by its name.
var urlAttributes = map[string]string{
	"a": "href", "area": "href", "link": "href",
	"img": "src", "audio": "src", "video": "src", "source": "src", "iframe": "src",
	"object": "data",
}

func (s *scan) url(v *Value, e *page.Element) {
	if reference, ok := e.Get(urlAttributes[e.Name]); ok {
		v.Text, v.reference = s.resolve(reference), trim(reference)
		if alt, ok := e.Get("alt"); ok && e.Name == "img" && s.old == nil {
			v.Alt = &alt
		}
		return
	}
	if poster, ok := e.Get("poster"); ok && e.Name == "video" {
		v.Text, v.reference = s.resolve(poster), trim(poster)
		return
	}
	reference := ""
	if part, ok := s.parts(e); ok {
		reference = strings.Join(part, "")
	} else if attr, ok := attribute(e); ok && e.Name != "img" && e.Name != "area" {
		reference = attr
	} else {
		reference = s.text(e, withImages)
	}
	v.words, v.reference = trim(reference), trim(reference)
	v.Text = s.resolve(reference)
}

// attribute is the attribute that holds the text of an element, if it has it.
func attribute(e *page.Element) (value string, ok bool) {
	switch e.Name {
	case "abbr", "link":
		return e.Get("title")
	case "data", "input":
		return e.Get("value")
	case "img", "area":
		return e.Get("alt")
	}
	return "", false
}

// parts are the values in an element by the value-class pattern; not ok if there are none.
func (s *scan) parts(e *page.Element) (all []string, ok bool) {
	for _, part := range s.valueParts(e) {
		all = append(all, part.text)
	}
	return all, len(all) > 0
}

// valuePart is an element with the class value or value-title.
type valuePart struct {
	element *page.Element
	isTitle bool
	text    string
}

func (s *scan) valueParts(e *page.Element) (all []valuePart) {
	for _, c := range s.contents(e) {
		if c.Element == nil || !s.enter(c.Element) {
			continue
		}
		all = s.appendParts(all, c.Element)
		s.leave(c.Element)
	}
	return all
}

func (s *scan) appendParts(all []valuePart, e *page.Element) []valuePart {
	isValue, isTitle := false, false
	for _, class := range classes(e) {
		isValue = isValue || class == "value"
		isTitle = isTitle || class == "value-title"
	}
	switch title, _ := e.Get("title"); {
	case isTitle:
		return append(all, valuePart{e, true, title})
	case isValue:
		text, ok := attribute(e)
		if !ok {
			text = trim(s.text(e, withAlt))
		}
		return append(all, valuePart{e, false, text})
	case len(s.propertiesOf(e)) > 0 || rootOf(e) != nil:
		return all
	}
	return append(all, s.valueParts(e)...)
}

// images says what an image is in a text.
type images int

const (
	withoutImages images = iota
	withAlt              // its @alt, if it has one
	withImages           // its @alt, or else its @src, between spaces
)

// text is the text in an element, without what is in scripts and styles.
func (p *parser) text(e *page.Element, with images) string {
	var b strings.Builder
	p.appendText(&b, e, with)
	return b.String()
}

func (p *parser) appendText(b *strings.Builder, e *page.Element, with images) {
	for _, c := range p.contents(e) {
		switch inner := c.Element; {
		case inner == nil && !c.Markup:
			b.WriteString(c.Text)
		case inner == nil || inner.Name == "script" || inner.Name == "style" || inner.Name == "template":
		case inner.Name == "img":
			if alt, ok := inner.Get("alt"); ok && with != withoutImages {
				b.WriteString(alt)
			} else if src, ok := inner.Get("src"); ok && with == withImages {
				b.WriteString(" " + p.resolve(src) + " ")
			}
		case p.enter(inner):
			p.appendText(b, inner, with)
			p.leave(inner)
		}
	}
}

func trim(s string) string { return strings.TrimFunc(s, isSpace) }

// isSpace says that r is white space at the ends of a text.
func isSpace(r rune) bool { return page.IsSpace(r) || r == '\u00a0' }
