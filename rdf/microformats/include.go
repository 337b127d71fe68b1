package microformats

import (
	"strings"

	"laundromat/markup/page"
)

// inclusions are the parts of a page that its old items include: by class "include" on a link or an object
// (the include pattern), by @itemref, and by @headers of a cell.
type inclusions struct {
	roots   []*page.Element
	named   map[string]*page.Element // the first element with each @id; nil until one is asked for
	open    map[*page.Element]bool   // the elements of old items that are being read, which none of them includes
	visited int                      // elements of old items that were gone through
	cut     *page.Element            // the element at which they came to their limit
}

// contents are the children of an element, with what it includes.
func (p *parser) contents(e *page.Element) []page.Child {
	if !p.isOld {
		return e.Children
	}
	var before, after []page.Child
	if ids, ok := e.Get("headers"); ok && e.Name == "td" {
		before = p.appendNamed(nil, ids)
	}
	if ids, ok := e.Get("itemref"); ok {
		after = p.appendNamed(nil, ids)
	}
	includes := false
	for i := range e.Children {
		includes = includes || p.included(e.Children[i].Element) != nil
	}
	if len(before)+len(after) == 0 && !includes {
		return e.Children
	}
	all := before
	for _, c := range e.Children {
		if to := p.included(c.Element); to != nil {
			c = page.Child{Element: to}
		}
		all = append(all, c)
	}
	return append(all, after...)
}

func (p *parser) appendNamed(all []page.Child, ids string) []page.Child {
	for _, id := range strings.FieldsFunc(ids, page.IsSpace) {
		if e := p.element(id); e != nil {
			all = append(all, page.Child{Element: e})
		}
	}
	return all
}

// included is the element that a link or an object of the include pattern stands for; nil if e isn't one.
func (p *parser) included(e *page.Element) *page.Element {
	if e == nil || e.Name != "a" && e.Name != "object" {
		return nil
	}
	for _, class := range classes(e) {
		if class == "include" {
			href, _ := e.Get("href")
			if e.Name == "object" {
				href, _ = e.Get("data")
			}
			if id, ok := strings.CutPrefix(href, "#"); ok {
				return p.element(id)
			}
		}
	}
	return nil
}

// element finds an element of the page by its @id; nil if there is none.
func (p *parser) element(id string) *page.Element {
	if p.named == nil {
		p.named = map[string]*page.Element{}
		var collect func(e *page.Element)
		collect = func(e *page.Element) {
			if id, ok := e.Get("id"); ok && p.named[id] == nil {
				p.named[id] = e
			}
			for i := range e.Children {
				if c := e.Children[i].Element; c != nil {
					collect(c)
				}
			}
		}
		for _, root := range p.roots {
			collect(root)
		}
	}
	return p.named[id]
}

// enter begins an element of contents; false if it is being read already, or if inclusions have led to
// too many elements. Each true is followed by leave.
func (p *parser) enter(e *page.Element) bool {
	if !p.isOld {
		return true
	}
	if p.open[e] {
		return false
	}
	if p.visited++; p.visited > 4*p.elements+maxVisits {
		if p.cut == nil {
			p.cut = e
		}
		return false
	}
	p.open[e] = true
	return true
}

func (p *parser) leave(e *page.Element) {
	if p.isOld {
		delete(p.open, e)
	}
}
