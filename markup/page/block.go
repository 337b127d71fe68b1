package page

import (
	"bytes"
	"iter"
	"strings"

	"golang.org/x/net/html"

	"laundromat/internal/fault"
)

// RDFXML is the media type of what an element rdf:RDF is read as.
const RDFXML = "application/rdf+xml"

// isBlock says that e is an element whose content is read by itself, as it is: a
// script of data, or rdf:RDF.
func (o *Options) isBlock(e *Element, attributes iter.Seq[[]Attr]) bool {
	return o.IsData != nil && (e.Name == "script" || IsRDF(e.Prefix, e.Name, declaredBy(attributes))) && o.IsData(e.MediaType())
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

// content is what is in an element.
type content struct {
	length   int // up to the end tag
	end      int // after that
	elements bool
	comments bool // outside of them is nothing but white space
}

// finder finds where elements end. It is spent when it has looked through some multiple of the
// page, as it does where many elements have no end tag.
type finder struct {
	page  []byte
	spent int
}

// timesLooked is how often all of a page may be looked through.
const timesLooked = 16

// isSpent says that nothing more will be found.
func (f *finder) isSpent() bool { return f.spent > timesLooked*len(f.page)+1<<20 }

// content finds the content of an element of that name, with its prefix, whose start
// tag ends before the byte from. Elements of the same name may be in it if nests is set. found is
// false if it has no end tag.
func (f *finder) content(from int, name string, nests bool) (c content, found bool) {
	text := f.page[from:]
	s := sections{text: text}
	depth, other, i := 1, false, 0
	defer func() { f.spent += i }()
	for ; i < len(text) && !f.isSpent(); i++ {
		rest := text[i:]
		if rest[0] != '<' {
			other = other || !IsSpace(rune(rest[0]))
			continue
		}
		if n := s.length(i); n > 0 {
			isComment := rest[2] == '-'
			c.comments, other = c.comments || isComment, other || !isComment
			i += n - 1
			continue
		}
		switch {
		case bytes.HasPrefix(rest, []byte("</")) && isTag(rest[2:], name):
			if depth--; depth > 0 {
				break
			}
			c.length, c.end = i, len(text)
			if end := s.next(tagEnd, i); end >= 0 {
				c.end = end + 1
			}
			c.comments = c.comments && !other
			return c, true
		case isTag(rest[1:], name):
			c.elements = true
			if end := s.next(tagEnd, i); nests && end > 0 && text[end-1] != '/' {
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

// sections finds the ends of comments, CDATA sections, instructions and tags in a text, in
// rising order.
type sections struct {
	text []byte
	end  [4]int // of each kind: the last that was found, and 1; -1 if there is no more
}

var begins, ends = [...]string{"<!--", "<![CDATA[", "<?"}, [...]string{"-->", "]]>", "?>", ">"}

const tagEnd = 3

// next is where the next end of a kind is, not before from; -1 if there is none.
func (s *sections) next(kind, from int) int {
	if s.end[kind] >= 0 && s.end[kind] <= from {
		n := bytes.Index(s.text[from:], []byte(ends[kind]))
		s.end[kind] = -1
		if n >= 0 {
			s.end[kind] = from + n + 1
		}
	}
	return max(s.end[kind]-1, -1)
}

// length is that of the comment, CDATA section or instruction at from; 0 if there is
// none. One in which another begins has no end: that is the other's.
func (s *sections) length(from int) int {
	for kind, begin := range begins {
		if !bytes.HasPrefix(s.text[from:], []byte(begin)) {
			continue
		}
		inner := from + len(begin)
		end := s.next(kind, inner)
		if end < 0 || bytes.Contains(s.text[inner:end], []byte(begin)) {
			return 0
		}
		return end + len(ends[kind]) - from
	}
	return 0
}

// rest is how far an element goes that has no end tag. It goes to the end tag of the one around it, or
// to the end of the page.
func (f *finder) rest(from int, around ...string) int {
	for _, name := range around {
		if c, found := f.content(from, name, true); found {
			return c.length
		}
	}
	return len(f.page) - from
}

// tooMany is why an element whose end was not looked for is lost.
func tooMany(pos fault.Pos, excerpt []byte) *fault.Notice {
	return &fault.Notice{Code: fault.LimitNesting, Severity: fault.Drop, Pos: pos,
		Excerpt: fault.Excerpt(excerpt[:min(len(excerpt), fault.MaxExcerpt)]),
		Message: "the page has too many elements of data without an end tag; this one was not read"}
}

// IsRDF says that a start tag is that of rdf:RDF, by the prefix of its name and what is after that.
// The function declared returns the value of the attribute of a name (xmlns, xmlns:rdf) that is in
// force there; false if there is none. References in it are expanded or not.
func IsRDF(prefix, local string, declared func(name string) (value string, ok bool)) bool {
	if local != "RDF" {
		return false
	}
	name := "xmlns"
	if prefix != "" {
		name += ":" + prefix
	}
	if value, ok := declared(name); ok {
		return strings.Contains(value, "rdf-syntax") || strings.Contains(value, "&")
	}
	return prefix == "rdf"
}

// declaredBy finds an attribute among those of an element, then those of the elements around it, the innermost first.
func declaredBy(attributes iter.Seq[[]Attr]) func(name string) (string, bool) {
	return func(name string) (string, bool) {
		for of := range attributes {
			for i := range of {
				if of[i].Name == name {
					return of[i].Value, true
				}
			}
		}
		return "", false
	}
}

// isRDFTag says that a start tag of HTML, of this name, is that of rdf:RDF.
func (o *Options) isRDFTag(name, raw []byte) bool {
	prefix, local, ok := strings.Cut(string(name), ":")
	if !ok {
		prefix, local = "", prefix
	}
	if local != "RDF" || o.IsData == nil || !o.IsData(RDFXML) {
		return false
	}
	return IsRDF(prefix, local, func(name string) (string, bool) {
		for _, a := range attributesOf(raw) {
			if strings.EqualFold(a.Key, name) {
				return a.Val, true
			}
		}
		return "", false
	})
}

// attributesOf are those of one start tag.
func attributesOf(raw []byte) []html.Attribute {
	z := html.NewTokenizer(bytes.NewReader(raw))
	z.Next()
	return z.Token().Attr
}
