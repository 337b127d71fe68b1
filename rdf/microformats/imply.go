package microformats

import "laundromat/markup/page"

// imply gives an item of microformats2 the name, photo and URL that it doesn't say, where it is plain what
// they are (microformats2 parsing, "parsing for implied properties").
func (s *scan) imply(e *page.Element) {
	i := s.item
	if s.hasItem {
		return
	}
	if !s.hasText && i.Values("name") == nil {
		i.add("name", Value{Text: trim(s.impliedName(e)), Element: e, prefix: 'p', Language: s.language})
	}
	if s.hasURL {
		return
	}
	if i.Values("photo") == nil {
		if from, name := implied(e, "img", "src", "object", "data"); from != nil {
			src, _ := from.Get(name)
			v := Value{Text: s.resolve(src), reference: src, Element: from, prefix: 'u'}
			if alt, ok := from.Get("alt"); ok && from.Name == "img" {
				v.Alt = &alt
			}
			i.add("photo", v)
		}
	}
	if i.Values("url") == nil {
		if from, name := implied(e, "a", "href", "area", "href"); from != nil {
			href, _ := from.Get(name)
			i.add("url", Value{Text: s.resolve(href), reference: href, Element: from, prefix: 'u'})
		}
	}
}

// impliedName is the text that names an item: of the item's own element, of its only child, or of the only
// child of that.
func (s *scan) impliedName(e *page.Element) string {
	for at, levels := e, 0; at != nil && levels < 3; at, levels = onlyChild(at), levels+1 {
		if levels > 0 && rootOf(at) != nil {
			break
		}
		if at.Name != "img" && at.Name != "area" && at.Name != "abbr" {
			continue
		}
		if text, ok := attribute(at); ok && (levels == 0 || text != "") {
			return text
		}
	}
	return s.text(e, withAlt)
}

// implied finds the element of one of two names that an item is meant by, with its attribute: the item's
// own, the only one of its name among its children, or that among the children of its only child.
func implied(e *page.Element, name, attr, otherName, otherAttr string) (*page.Element, string) {
	for _, want := range [...][2]string{{name, attr}, {otherName, otherAttr}} {
		if e.Name == want[0] && e.Has(want[1]) {
			return e, want[1]
		}
	}
	for _, around := range [...]*page.Element{e, onlyChild(e)} {
		if around == nil || around != e && rootOf(around) != nil {
			continue
		}
		for _, want := range [...][2]string{{name, attr}, {otherName, otherAttr}} {
			if found := onlyOfType(around, want[0]); found != nil && found.Has(want[1]) && rootOf(found) == nil {
				return found, want[1]
			}
		}
	}
	return nil, ""
}

// onlyChild is the only element among the children of e; nil if there are none or more.
func onlyChild(e *page.Element) (only *page.Element) {
	for i := range e.Children {
		if c := e.Children[i].Element; c != nil {
			if only != nil {
				return nil
			}
			only = c
		}
	}
	return only
}

// onlyOfType is the only element of that name among the children of e; nil if there are none or more.
func onlyOfType(e *page.Element, name string) (only *page.Element) {
	for i := range e.Children {
		if c := e.Children[i].Element; c != nil && c.Name == name {
			if only != nil {
				return nil
			}
			only = c
		}
	}
	return only
}
