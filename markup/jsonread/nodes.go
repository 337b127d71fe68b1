package jsonread

import "slices"

// seenNodes is how many items of an array are looked at to see whether it holds nodes, within
// nodesBytes. At least enoughNodes must be nodes, and nodesToOthers times as many as there are
// others.
const seenNodes, enoughNodes, nodesToOthers, nodesBytes = 8, 2, 3, 64 << 10

// nodesAhead says that the array whose bracket was just passed holds nodes, one after another, of
// which something is said there. They are the datasets of a catalog, or the members of a collection.
// Like those of @graph they are read one by one, so that none takes in the next where it is broken.
// If it holds references to nodes too, refer is true.
func (p *parser) nodesAhead(around []shape) (are, refer bool) {
	nodes, others, broken := 0, 0, false
	for n := p.behind(0); n >= 0 && n < nodesBytes && nodes+others < seenNodes; {
		b, ok := p.ahead(n)
		if !ok || b == ']' && p.closesAt(n, append(slices.Clone(around), shape{})) {
			break
		}
		switch p.looksLike(n) {
		case looksLikeNode:
			nodes++
		case looksLikeReference:
			refer = refer || !broken
		default: // broken, or no node
			others++
			n, broken = p.nextNode(n), true
			continue
		}
		end := p.behindValue(n, nodesBytes)
		if end >= 0 && b == '{' {
			last, _ := p.ahead(end - 1)
			// it has taken the ends of what is around it
			if _, more := p.ahead(p.behind(end)); last != '}' || !more && !p.long {
				end = -1
			}
		}
		if end < 0 { // something in it hides where it ends
			n, broken = p.nextNode(n+1), true
			continue
		}
		if end = p.behind(end); end <= n {
			end = n + 1
		}
		if b, ok := p.ahead(end); ok && b == ',' {
			n, broken = p.behind(end+1), false
		} else {
			n, broken = p.nextNode(end), true // behind what is broken
		}
	}
	return nodes >= enoughNodes && nodes >= nodesToOthers*others, refer
}

// isReference says that an object only names a node.
func (p *parser) isReference(v *Value) bool {
	return v.Kind == Object && len(v.Members) == 1 && p.isID(p.meant(v.Members[0].Name))
}

// refersAt says so of the object at n.
func (p *parser) refersAt(n int) bool {
	name, n := p.nameBehind(n + 1)
	if n < 0 || !p.isID(p.meant(name)) {
		return false
	}
	if n = p.behindValue(n, n+maxName); n < 0 {
		return false
	}
	b, _ := p.ahead(p.behind(n))
	return b == '}'
}

// leftReferences is how many references behind a broken item may be what is left of it.
const leftReferences = 3

// isLeft says that a sound item is what is left of the broken one before it: a reference among
// others. More than a few of them stand there for themselves.
func (p *parser) isLeft(s *shape, v *Value) bool {
	switch {
	case !p.isReference(v):
		s.left = 0
	case s.left > 0 && s.placed && p.misled(s, v):
		s.left--
		return true
	default:
		s.refers = true
	}
	return false
}

// misled says that a value is a reference to a node in an array of nodes that holds no others. Where
// something is broken it is what is left of one of them.
func (p *parser) misled(s *shape, v *Value) bool { return s.nodes && !s.refers && p.isReference(v) }

// look is what an item of an array looks like.
type look uint8

const (
	looksOther         look = iota
	looksLikeReference      // to a node, or one of which nothing is said
	looksLikeNode
)

// looksLike tells what the item at n looks like, by the names in it.
func (p *parser) looksLike(n int) look {
	if b, ok := p.ahead(n); !ok || b != '{' {
		return looksOther
	}
	named, said := false, 0
	for n = p.behind(n + 1); n < nodesBytes; n = p.behind(n + 1) {
		if !p.memberAt(n) {
			break
		}
		end := p.behindValue(n, nodesBytes)
		if end < 0 {
			break
		}
		switch name := p.meant(string(p.window[p.at+n+1 : p.at+end-1])); {
		case name == p.words.Value || name == p.words.List || name == p.words.Set || name == p.words.Context:
			return looksOther
		case p.isID(name) || name == p.words.Type || name == p.words.Usual.Type:
			named = true
		case p.saysSomething(name):
			said++
		}
		if n = p.behindValue(p.behind(p.behind(end)+1), nodesBytes); n < 0 {
			break
		}
		n = p.behind(n)
		if b, ok := p.ahead(n); !ok || b != ',' {
			break
		}
	}
	switch {
	case named && said > 0:
		return looksLikeNode
	case named:
		return looksLikeReference
	}
	return looksOther
}

// nextNode finds what looks like the next item from n on, behind a brace and a comma; -1 if there is none.
func (p *parser) nextNode(n int) int {
	for ; n < nodesBytes; n++ {
		b, ok := p.ahead(n)
		if !ok {
			break
		}
		if b != '}' {
			continue
		}
		next := p.behind(n + 1)
		if b, _ := p.ahead(next); b != ',' {
			continue
		}
		if next = p.behind(next + 1); p.looksLike(next) == looksLikeNode {
			return next
		}
	}
	return -1
}
