package page

import (
	"bytes"

	"golang.org/x/net/html"
)

// Tags goes through the tags of a document in XML as they are written. It mends nothing and knows no tree: it serves
// those who look for a few elements in a document that may be broken anywhere.
type Tags struct {
	scan     textScanner
	Kind     TagKind
	From, To int // of the token
	// Inner is the text of a section of CDATA.
	Inner [2]int
}

// TagKind tells the tokens of Tags apart.
type TagKind uint8

const (
	EndOfTags TagKind = iota
	StartTag          // SelfEnds says whether an end tag belongs to it
	EndTag
	Chars   // text with references
	Section // of CDATA
	Other   // comments, instructions, the document type
)

// NewTags begins at the start of a document.
func NewTags(source []byte) *Tags {
	return &Tags{scan: textScanner{source: source, xml: true, noRaw: true}}
}

// Next finds the next token; EndOfTags at the end, which may stand within a tag.
func (t *Tags) Next() TagKind {
	s := &t.scan
	kind := s.next()
	t.From, t.To = s.from, s.to
	switch kind {
	case html.StartTagToken:
		t.Kind = StartTag
	case html.EndTagToken:
		t.Kind = EndTag
	case html.TextToken:
		t.Kind = Chars
	case html.ErrorToken:
		t.Kind = EndOfTags
	default:
		t.Kind = Other
		if raw := s.source[s.from:]; bytes.HasPrefix(raw, []byte("<![CDATA[")) {
			t.Kind = Section
			t.Inner = [2]int{s.from + len("<![CDATA["), len(s.source)}
			s.at = len(s.source)
			if n := bytes.Index(s.source[t.Inner[0]:], []byte("]]>")); n >= 0 {
				t.Inner[1] = t.Inner[0] + n
				s.at = t.Inner[1] + len("]]>")
			}
			t.To = s.at
		}
	}
	return t.Kind
}

// Seek makes what begins at an offset the next token.
func (t *Tags) Seek(offset int) { t.scan.at = offset }

// RawName is the name of a tag as bytes of the document.
func (t *Tags) RawName() []byte { return t.scan.tag() }

// Back makes the present token the next one again.
func (t *Tags) Back() { t.scan.at = t.From }

// Name is the name of a tag, prefix included, as it is written.
func (t *Tags) Name() string { return string(t.scan.tag()) }

// SelfEnds says that a start tag is that of an empty element.
func (t *Tags) SelfEnds() bool {
	return t.Kind == StartTag && t.To-t.From > 2 && t.scan.source[t.To-2] == '/'
}

// Attr is the value of an attribute of a start tag; "" if it has none.
func (t *Tags) Attr(name string) string {
	e := Element{Attrs: readAttrs(string(t.scan.source[t.From:t.To]), nil)}
	value, _ := e.Get(name)
	return value
}

// Attrs are the attributes of a start tag.
func (t *Tags) Attrs() []Attr { return readAttrs(string(t.scan.source[t.From:t.To]), nil) }
