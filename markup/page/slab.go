package page

import "golang.org/x/net/html"

// slab has memory for the elements of a tree and their children, many of which are made at once.
type slab struct {
	elements []Element
	children []Child
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
