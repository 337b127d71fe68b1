package page

import "golang.org/x/net/html"

// slab has memory for the elements of a tree, their children and attributes, many of which are made at once.
type slab struct {
	elements []Element
	children []Child
	attrs    []Attr
}

// element is a new element.
func (s *slab) element() *Element {
	if len(s.elements) == 0 {
		s.elements = make([]Element, 64)
	}
	e := &s.elements[0]
	s.elements = s.elements[1:]
	return e
}

// childrenOf has room for as many children as a node has; nil if it has none. If more are appended, they are moved to a
// slice of their own.
func (s *slab) childrenOf(n *html.Node) []Child {
	count := 0
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		count++
	}
	if count == 0 {
		return nil
	}
	if len(s.children) < count {
		s.children = make([]Child, max(128, count))
	}
	room := s.children[:0:count]
	s.children = s.children[count:]
	return room
}

// attrsOf is a copy of attributes; nil if there are none. If more are appended, they are moved to a slice of their own.
func (s *slab) attrsOf(attrs []Attr) []Attr {
	n := len(attrs)
	if n == 0 {
		return nil
	}
	if s == nil {
		return append(make([]Attr, 0, n), attrs...)
	}
	if len(s.attrs) < n {
		s.attrs = make([]Attr, max(128, n))
	}
	room := s.attrs[:n:n]
	s.attrs = s.attrs[n:]
	copy(room, attrs)
	return room
}
