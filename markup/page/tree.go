package page

import (
	"strings"

	"laundromat/internal/fault"
)

// Element is a node of the tree that HTML and XML are both made into.
type Element struct {
	Prefix, Name string
	Space        string // the namespace that xmlns gives it; in XML only
	Attrs        []Attr
	Children     []Child
	Pos          fault.Pos // of its start tag
	// Repaired says that something about the element itself was mended: its tags, not
	// an attribute alone.
	Repaired bool

	rare *rare // nil for most
}

// rare is what only few elements have.
type rare struct {
	script *Script
	faults []attrFault
	end    int64 // the offset behind an element with faults
}

// Script is the text of a script element, with its place; nil for others.
func (e *Element) Script() *Script {
	if e.rare == nil {
		return nil
	}
	return e.rare.script
}

func (e *Element) setScript(s *Script) {
	if s != nil {
		e.more().script = s
	}
}

func (e *Element) more() *rare {
	if e.rare == nil {
		e.rare = &rare{}
	}
	return e.rare
}

func (e *Element) faults() []attrFault {
	if e.rare == nil {
		return nil
	}
	return e.rare.faults
}

// Attr is an attribute; Name is the whole name, prefix and colon included.
type Attr struct{ Name, Value string }

// attrFault is what is wrong with an attribute: its value was mended, or can't be
// trusted.
type attrFault struct {
	name     string
	repaired bool
	lost     *attrLoss
}

// attrLoss is what a notice says of an attribute, in less memory: a page may have one on each of its attributes.
type attrLoss struct {
	code             fault.Code
	pos              fault.Pos
	message, excerpt string
}

// Child is an element, a text, or markup that only an XML literal shows.
type Child struct {
	Element  *Element
	Text     string
	Markup   bool // Text is a comment or an instruction, as written
	Repaired bool
	number   int32         // of the stretch of a page of Texts, and 1
	Lost     *fault.Notice // the text can't be trusted; the notice was not told
}

// Get returns the value of the attribute of that name.
func (e *Element) Get(name string) (value string, ok bool) {
	for i := range e.Attrs {
		if e.Attrs[i].Name == name {
			return e.Attrs[i].Value, true
		}
	}
	return "", false
}

// Has says that there is an attribute of that name.
func (e *Element) Has(name string) bool {
	_, ok := e.Get(name)
	return ok
}

// Lost is why one of the attributes that matter to the caller can't be trusted; nil
// if all can. The notice was not told; told, it costs the element, and all in it, as
// one lost statement.
func (e *Element) Lost(matters func(name string) bool) *fault.Notice {
	for _, f := range e.faults() {
		if f.lost != nil && matters(f.name) {
			return &fault.Notice{Code: f.lost.code, Severity: fault.Drop, Pos: f.lost.pos, Message: f.lost.message, Excerpt: f.lost.excerpt,
				Lost: 1, Bytes: max(0, e.rare.end-f.lost.pos.Offset)}
		}
	}
	return nil
}

// Mended says that the element itself, or one of the attributes that matter to the
// caller, was repaired.
func (e *Element) Mended(matters func(name string) bool) bool {
	for _, f := range e.faults() {
		if f.repaired && matters(f.name) {
			return true
		}
	}
	return e.Repaired
}

// Content is the text of an element and all in it. The result lost is the first text in it that can't be trusted, or
// the first element with an attribute that matters to the caller.
func (e *Element) Content(matters func(name string) bool) (text string, repaired bool, lost *fault.Notice) {
	if len(e.Children) == 1 && e.Children[0].Element == nil && !e.Children[0].Markup {
		c := &e.Children[0]
		return c.Text, c.Repaired, c.Lost
	}
	var b strings.Builder
	e.collect(&b, matters, &repaired, &lost)
	return b.String(), repaired, lost
}

func (e *Element) collect(b *strings.Builder, matters func(string) bool, repaired *bool, lost **fault.Notice) {
	*repaired = *repaired || e.Mended(matters)
	if *lost == nil {
		*lost = e.Lost(matters)
	}
	for i := range e.Children {
		c := &e.Children[i]
		switch {
		case c.Element != nil:
			c.Element.collect(b, matters, repaired, lost)
		case c.Markup:
		default:
			*repaired = *repaired || c.Repaired
			if c.Lost != nil && *lost == nil {
				*lost = c.Lost
			}
			b.WriteString(c.Text)
		}
	}
}

// findBase finds the first base element with @href.
func findBase(e *Element) string {
	if e.Name == "base" {
		href, _ := e.Get("href")
		return strings.TrimFunc(href, IsSpace)
	}
	if e.Name == "body" {
		return ""
	}
	for i := range e.Children {
		if c := e.Children[i].Element; c != nil {
			if base := findBase(c); base != "" {
				return base
			}
		}
	}
	return ""
}

// MaxWords is how many words an attribute may list that each make a statement. Readers
// drop what is more: a word of two bytes takes hundreds in memory.
const MaxWords = 10000

// IsSpace says that r is white space in HTML (ASCII whitespace).
func IsSpace(r rune) bool { return r == ' ' || r == '\t' || r == '\n' || r == '\r' || r == '\f' }
