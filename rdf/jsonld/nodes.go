package jsonld

import "slices"

// seenNodes is how many items of an array are looked at to see whether nodes stand in it, within
// nodesBytes, and enoughNodes how many must be, nodesToOthers times as many as there is else.
const seenNodes, enoughNodes, nodesToOthers, nodesBytes = 8, 2, 3, 64 << 10

// nodesAhead says that the array whose bracket was just passed holds nodes, one after another, of which
// something is said there: the datasets of a catalog, the members of a collection. Like those of @graph
// they are read one by one, so that none takes in the next where it is broken.
func (p *parser) nodesAhead(around []shape) bool {
	nodes, others := 0, 0
	for n := p.behind(0); n >= 0 && n < nodesBytes && nodes+others < seenNodes; {
		b, ok := p.ahead(n)
		if !ok || b == ']' && p.closesAt(n, append(slices.Clone(around), shape{})) {
			break
		}
		switch p.looksLike(n) {
		case looksLikeNode:
			nodes++
		case looksLikeReference:
		default: // broken, or no node
			others++
			n = p.nextNode(n)
			continue
		}
		end := p.behindValue(n, nodesBytes)
		if end >= 0 && b == '{' {
			if last, _ := p.ahead(end - 1); last != '}' {
				end = -1
			}
		}
		if end < 0 { // something in it hides where it ends
			n = p.nextNode(n + 1)
			continue
		}
		if end = p.behind(end); end <= n {
			end = n + 1
		}
		if b, ok := p.ahead(end); ok && b == ',' {
			n = p.behind(end + 1)
		} else {
			n = p.nextNode(end) // behind what is broken
		}
	}
	return nodes >= enoughNodes && nodes >= nodesToOthers*others
}

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
		if b, _ := p.ahead(n); b != '"' || !p.nameAt(n) {
			break
		}
		end := p.behindValue(n, nodesBytes)
		if end < 0 {
			break
		}
		switch name := p.meant(string(p.window[p.at+n+1 : p.at+end-1])); {
		case name == "@value" || name == "@list" || name == "@set" || name == "@context":
			return looksOther
		case p.isID(name) || name == "@type" || name == "type":
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
