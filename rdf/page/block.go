package page

import (
	"bytes"
	"iter"
	"strings"
)

// RDFXML is the media type of what an element rdf:RDF is read as.
const RDFXML = "application/rdf+xml"

// isBlock says that e is an element whose content is read by itself, as it stands: a
// script of data, or rdf:RDF.
func (o *Options) isBlock(e *Element, attributes iter.Seq[[]Attr]) bool {
	return o.IsData != nil && (e.Name == "script" || isRDF(e.Prefix, e.Name, attributes)) && o.IsData(e.MediaType())
}

// MediaType is the @type of a script, without its parameters; that of RDF/XML for an
// element rdf:RDF.
func (e *Element) MediaType() string {
	if e.Name != "script" {
		return RDFXML
	}
	typ, _ := e.Get("type")
	typ, _, _ = strings.Cut(typ, ";")
	return strings.TrimFunc(typ, IsSpace)
}

// content is what stands in an element.
type content struct {
	length   int // up to the end tag
	end      int // behind that
	elements bool
	comments bool // outside of them is nothing but white space
}

// contentOf finds the content of an element of that name, with its prefix, whose start
// tag stands before text. Elements of the same name may stand in it if nests is set. found is
// false if it has no end tag.
func contentOf(text []byte, name string, nests bool) (c content, found bool) {
	depth, other := 1, false
	for i := 0; i < len(text); i++ {
		rest := text[i:]
		if rest[0] != '<' {
			other = other || !IsSpace(rune(rest[0]))
			continue
		}
		if n := sectionLength(rest); n > 0 {
			isComment := rest[2] == '-'
			c.comments, other = c.comments || isComment, other || !isComment
			i += n - 1
			continue
		}
		switch end := bytes.IndexByte(rest, '>'); {
		case bytes.HasPrefix(rest, []byte("</")) && isTag(rest[2:], name):
			if depth--; depth > 0 {
				break
			}
			c.length, c.end = i, len(text)
			if end >= 0 {
				c.end = i + end + 1
			}
			c.comments = c.comments && !other
			return c, true
		case isTag(rest[1:], name):
			c.elements = true
			if nests && end > 0 && rest[end-1] != '/' {
				depth++
			}
		case len(rest) > 1 && beginsName(rest[1]):
			c.elements = true
		}
		other = true
	}
	return content{}, false
}

// beginsName says that a name of XML may begin with a byte.
func beginsName(b byte) bool {
	return b|0x20 >= 'a' && b|0x20 <= 'z' || b == '_' || b >= 0x80
}

// isTag says that text goes on with a name, and with what may follow one in a tag.
func isTag(text []byte, name string) bool {
	return len(text) > len(name) && string(text[:len(name)]) == name && strings.IndexByte(" \t\r\n\f/>", text[len(name)]) >= 0
}

// sectionLength is the length of the comment, CDATA section or instruction that text
// begins with; 0 if it begins with none. One in which another begins has no end: that is
// the other's.
func sectionLength(text []byte) int {
	for _, s := range [...]struct{ begin, end string }{{"<!--", "-->"}, {"<![CDATA[", "]]>"}, {"<?", "?>"}} {
		if !bytes.HasPrefix(text, []byte(s.begin)) {
			continue
		}
		inner := text[len(s.begin):]
		n := bytes.Index(inner, []byte(s.end))
		if n < 0 || bytes.Contains(inner[:n], []byte(s.begin)) {
			return 0
		}
		return len(s.begin) + n + len(s.end)
	}
	return 0
}

// restOf is how far an element goes that has no end tag: to that of the one around it,
// or to the end of the page.
func restOf(text []byte, around ...string) int {
	for _, name := range around {
		if c, found := contentOf(text, name, true); found {
			return c.length
		}
	}
	return len(text)
}

// isRDF says that a name is that of rdf:RDF; attributes are those of the element, then
// those of the elements around it, the innermost first.
func isRDF(prefix, local string, attributes iter.Seq[[]Attr]) bool {
	if local != "RDF" {
		return false
	}
	name := "xmlns"
	if prefix != "" {
		name += ":" + prefix
	}
	for of := range attributes {
		for i := range of {
			if of[i].Name == name {
				return strings.Contains(of[i].Value, "rdf-syntax")
			}
		}
	}
	return prefix == "rdf"
}

// isRDFTag says that a start tag of HTML, with its name and what follows that, is that
// of rdf:RDF.
func (o *Options) isRDFTag(name, rest []byte) bool {
	prefix, local, _ := strings.Cut(string(name), ":")
	if o.IsData == nil || local != "RDF" || !o.IsData(RDFXML) {
		return false
	}
	return prefix == "rdf" || bytes.Contains(rest, []byte("xmlns:"+prefix)) && bytes.Contains(rest, []byte("rdf-syntax"))
}
