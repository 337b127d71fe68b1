package rdfa

import "laundromat/markup/page"

// passOver reads an element, which is not the root, if it says nothing itself, as most of a page do. It says whether
// that was so.
func (p *processor) passOver(e *page.Element, ctx *evaluation) bool {
	speaks, leads := kindOf(e)
	switch {
	case speaks:
		return false
	case leads: // to a subject, about which only what is in the element may say something
		return len(ctx.incomplete) == 0 && !p.tellsOfFile() && isSilent(e)
	}
	// The steps of §7.5 leave what is in force around the element as it is.
	for i := range e.Children {
		if c := e.Children[i].Element; c != nil {
			p.element(c, ctx, false)
		}
	}
	return true
}

// tellsOfFile says that the next relative reference may be reported, whatever is made of it; see resolve.
func (p *processor) tellsOfFile() bool { return p.in.BaseIsFile && !p.fileTold }

// kindOf says whether an element has attributes that RDFa reads: such as are no more than a link, or others.
func kindOf(e *page.Element) (speaks, leads bool) {
	for i := range e.Attrs {
		switch name := e.Attrs[i].Name; {
		case name == "href" || name == "src":
			leads = true
		case matters(name):
			return true, leads
		}
	}
	return false, leads
}

// mostSilent bounds how many elements are looked at for one: links may stand in each other.
const mostSilent = 64

// isSilent says that no element in e says anything. It is false where they are many.
func isSilent(e *page.Element) bool {
	left := mostSilent
	return areSilent(e.Children, &left)
}

func areSilent(children []page.Child, left *int) bool {
	for i := range children {
		c := children[i].Element
		if c == nil {
			continue
		}
		if *left--; *left < 0 || c.Lost(matters) != nil {
			return false
		}
		if speaks, _ := kindOf(c); speaks || !areSilent(c.Children, left) {
			return false
		}
	}
	return true
}
