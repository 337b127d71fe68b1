package rdfa

import (
	"strings"

	"laundromat/internal/fault"
)

// element is a node of the tree that HTML and XML are both made into.
type element struct {
	prefix, name string
	space        string // the namespace that xmlns gives it; in XML only
	attrs        []attr
	children     []child
	pos          fault.Pos
	end          int64 // the offset behind the element; 0 if it is not known
	repaired     bool
	lost         *fault.Notice // the element can't be trusted, nor what is in it
}

// attr has the whole name, prefix and colon included.
type attr struct{ name, value string }

// child is an element, a text, or markup that only an XML literal shows.
type child struct {
	element  *element
	text     string
	markup   bool // text is a comment or an instruction, as written
	repaired bool
	lost     *fault.Notice // the text can't be trusted
}

func (e *element) get(name string) (string, bool) {
	for i := range e.attrs {
		if e.attrs[i].name == name {
			return e.attrs[i].value, true
		}
	}
	return "", false
}

func (e *element) has(name string) bool {
	_, ok := e.get(name)
	return ok
}

// content is the text of an element and all in it. lost is the first text in it that
// can't be trusted.
func (e *element) content() (text string, repaired bool, lost *fault.Notice) {
	if len(e.children) == 1 && e.children[0].element == nil && !e.children[0].markup {
		c := &e.children[0]
		return c.text, c.repaired, c.lost
	}
	var b strings.Builder
	e.collect(&b, &repaired, &lost)
	return b.String(), repaired, lost
}

func (e *element) collect(b *strings.Builder, repaired *bool, lost **fault.Notice) {
	*repaired = *repaired || e.repaired
	if e.lost != nil && *lost == nil {
		*lost = e.lost
	}
	for i := range e.children {
		c := &e.children[i]
		switch {
		case c.element != nil:
			c.element.collect(b, repaired, lost)
		case c.markup:
		default:
			*repaired = *repaired || c.repaired
			if c.lost != nil && *lost == nil {
				*lost = c.lost
			}
			b.WriteString(c.text)
		}
	}
}
