package microdata

import (
	"slices"
	"strings"

	"laundromat/internal/fault"
	"laundromat/internal/rfc3986"
	"laundromat/markup/page"
	"laundromat/rdf"
)

// scope is what an item hands on to the items in it (the evaluation context, §4.1).
type scope struct {
	typ        string // the first type in force; "" if there is none
	vocabulary string
	repaired   bool // the item around them was
}

const (
	// maxItems is how many items may be one in another, by nesting or by @itemref.
	maxItems = 500
	// maxVisits bounds how many elements @itemref may have items go through again and
	// again, beyond four times the elements of the page.
	maxVisits = 1 << 20
)

// item makes the statements of an item (§4.2) within a scope; depth is the number of
// items around it.
func (r *reader) item(k *known, s scope, depth int) {
	if r.failed != nil {
		return
	}
	if err := r.ctx.Err(); err != nil {
		r.failed = stopped(err)
		return
	}
	k.reached = true
	if lost := k.e.Lost(matters); lost != nil {
		r.to.Notice(*lost)
		k.isMade = true
		return
	}
	types := r.types(k)
	if k.isMade && (len(types) > 0 || k.madeFor == s.typ) {
		return
	}
	k.isMade, k.madeFor = true, s.typ
	if depth >= maxItems {
		r.lose(fault.LimitNesting, k.e, wordsOf(k.e), "more than %d items are nested; this one is lost", maxItems)
		return
	}
	s.repaired = s.repaired || k.mended()
	subject := r.subject(k)
	for _, typ := range types {
		r.write(&s, k, subject, rdf.Type, term{kind: rdf.IRI, value: typ, pos: k.e.Pos})
	}
	if len(types) > 0 {
		s.typ, s.vocabulary = types[0], vocabularyOf(types[0])
	}
	k.isOpen = true
	untyped := false
	for _, p := range r.properties(k) {
		p.reached = true
		r.property(k, p, &s, depth, &untyped)
	}
	k.isOpen = false
}

// types are the absolute IRIs in @itemtype.
func (r *reader) types(k *known) (all []string) {
	v, _ := k.e.Get("itemtype")
	for _, typ := range fields(v) {
		if rfc3986.IsAbsolute([]byte(typ)) {
			all = append(all, typ)
		} else if !k.isMade {
			r.warn(fault.MicrodataType, k.e, typ, "the type %q isn't an absolute IRI; it is passed over", typ)
		}
	}
	return all
}

// subject is the node that an item is; k.subject from then on.
func (r *reader) subject(k *known) term {
	if k.subject.kind != rdf.NoTerm {
		return k.subject
	}
	k.subject = term{kind: rdf.BlankNode, node: new(uint64), pos: k.e.Pos}
	if v, ok := k.e.Get("itemid"); ok {
		if t := r.reference(k.base, trim(v), k.e); t.kind == rdf.BlankNode || rfc3986.IsAbsolute([]byte(t.value)) {
			k.subject = t
		} else {
			r.warn(fault.MicrodataItemID, k.e, v,
				"the @itemid isn't an absolute IRI, and there is no base to resolve it against; the item "+
					"stays without a name")
		}
	}
	return k.subject
}

// properties are the elements with properties of an item, in document order (HTML
// Microdata, "the properties of an item").
func (r *reader) properties(k *known) (found []*known) {
	var seen map[*page.Element]bool // only with @itemref: else nothing can be met twice
	refs := fields(func() string { v, _ := k.e.Get("itemref"); return v }())
	if len(refs) > 0 {
		seen = map[*page.Element]bool{k.e: true}
	}
	over := false
	var crawl func(*page.Element) bool
	crawl = func(e *page.Element) bool {
		if seen != nil {
			if seen[e] {
				return false
			}
			seen[e] = true
			if r.visited++; r.visited > 4*r.elements+maxVisits {
				over = true
				return true
			}
		}
		p := r.known[e]
		if p != nil && p.isProperty() {
			found = append(found, p)
		}
		if p == nil || !p.isItem {
			for i := range e.Children {
				if c := e.Children[i].Element; c != nil && !crawl(c) && c == k.e && k.isProperty() {
					r.warn(fault.MicrodataItemRef, k.e, wordsOf(k.e), "@itemref leads back to the item, which can't be a property of its "+
						"own; that is passed over")
				}
			}
		}
		return true
	}
	for i := range k.e.Children {
		if c := k.e.Children[i].Element; c != nil {
			crawl(c)
		}
	}
	for _, id := range refs {
		switch e := r.named[id]; {
		case over:
		case e == nil:
			r.warn(fault.MicrodataItemRef, k.e, id, "@itemref names %q, but no element of the page has this @id", id)
		case !crawl(e):
			r.warn(fault.MicrodataItemRef, k.e, id, "@itemref names %q, whose element is the item's already; it is taken once", id)
		}
	}
	if over {
		r.lose(fault.LimitExpansion, k.e, "itemref", "@itemref has items go through the same elements again and again, more than %d "+
			"times in all; further properties of this item are lost", r.visited-1)
	}
	if len(refs) > 0 {
		slices.SortFunc(found, func(a, b *known) int { return a.order - b.order })
	}
	return found
}

// property makes the statements of one element p with properties of the item k. Once it was
// reported that the item's names have no vocabulary, untyped is set.
func (r *reader) property(k, p *known, s *scope, depth int, untyped *bool) {
	forward, _ := p.e.Get("itemprop")
	reverse, _ := p.e.Get("itemprop-reverse")
	names, reverses := r.names(p.e, forward), r.names(p.e, reverse)
	inner := *s
	inner.repaired = s.repaired || p.mended()
	if lost := p.e.Lost(matters); lost != nil {
		r.to.Notice(*lost)
		return
	}
	if len(names)+len(reverses) == 0 {
		r.warn(fault.MicrodataProperty, p.e, "itemprop", "the @itemprop names no property; it is passed over")
		if p.isItem {
			r.item(p, *s, depth+1)
		}
		return
	}
	value, mended, failure := r.value(p, len(names)+len(reverses))
	inner.repaired = inner.repaired || mended
	for i, name := range slices.Concat(names, reverses) {
		isReverse := i >= len(names)
		if r.failed != nil || failure != nil {
			break
		}
		if s.typ == "" && !rfc3986.IsAbsolute([]byte(name)) && !*untyped {
			*untyped = true
			r.warn(fault.MicrodataNoType, p.e, name, "the item around this has no type, so that names like %q are those of the page itself",
				name)
		}
		predicate, ok := r.predicate(name, s, p)
		switch {
		case !ok:
			r.lose(fault.MicrodataProperty, p.e, name, "the property %q has no IRI: the item has no type, and the page no base IRI", name)
		case isReverse && value.kind == rdf.Literal:
			r.warn(fault.MicrodataReverse, p.e, name, "the value of @itemprop-reverse is a text, which can't be the subject of a "+
				"statement; it is passed over")
		case isReverse:
			r.write(&inner, p, value, predicate, k.subject)
		default:
			r.write(&inner, p, k.subject, predicate, value)
			if also := alsoOf(s.vocabulary, name); also != "" {
				r.write(&inner, p, k.subject, also, value)
			}
		}
	}
	if !p.isItem {
		return
	}
	if p.isOpen {
		r.warn(fault.MicrodataItemRef, k.e, wordsOf(p.e), "the items refer to one another in a circle; the statement is kept, and the "+
			"item is not read again")
		return
	}
	r.item(p, *s, depth+1)
}

// names are the words of an attribute, each once.
func (r *reader) names(e *page.Element, value string) (kept []string) {
	var seen map[string]bool // of names that are too many to look through
	for name := range strings.FieldsFuncSeq(value, page.IsSpace) {
		if len(kept) == page.MaxWords {
			r.lose(fault.LimitExpansion, e, name, "an element is the value of more than %d properties; the others are lost", page.MaxWords)
			break
		}
		if seen == nil && len(kept) > 32 {
			seen = make(map[string]bool)
			for _, name := range kept {
				seen[name] = true
			}
		}
		if seen[name] || seen == nil && slices.Contains(kept, name) {
			continue
		}
		kept = append(kept, name)
		if seen != nil {
			seen[name] = true
		}
	}
	return kept
}
