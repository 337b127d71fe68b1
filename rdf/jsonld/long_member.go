package jsonld

import (
	"laundromat/internal/fault"
	"laundromat/markup/jsonread"
)

// longMember is a member whose value is an array that was passed over for its length. Its items are
// expanded and written one by one, when the statements of the node come to the member.
type longMember struct {
	spill   *jsonread.Spill
	stopped func() bool // the reading must end
	isRead  bool        // its items were read
	once    [1]*jsonread.Value

	// What the expansion of the object found of the member: see [expansion.property].
	active  *active
	graphs  bool // each item is a graph
	reverse bool // each item is a subject
}

// canBeLong says that the values of an array may be read one by one. It is the value of a member in an
// object whose context is a. Those of keywords say something of the object as a whole, and a JSON
// literal is one value.
func (e *expander) canBeLong(a *active, name string, v *jsonread.Value) bool {
	defer e.silence()()
	for _, word := range [...]string{"@value", "@list", "@set"} {
		if a.says(v, word) { // no node, or a fault that may cost all
			return false
		}
	}
	iri, ok, f := e.expandIRI(a, name, v, iriRole{vocab: true})
	if f == nil && ok && isKeyword(iri) {
		return false
	}
	t := e.term(a, name)
	return t == nil || t.typ != "@json"
}

// longThing stands for the things of a member that is too long to be held; nil if the member is not.
func (x *expansion) longThing(m *jsonread.Member) *thing {
	l := x.long[m.Value]
	if l == nil {
		return nil
	}
	l.active = x.active
	p := x.parts.Next()
	p.long = l
	return x.expander.thing(thing{kind: aLong, from: m.Value, parts: p})
}

// eachOf expands the items of a member that was passed over, one by one. What is made of an item holds
// until the next. The things of the object itself are held elsewhere meanwhile.
func (e *emitter) eachOf(t *thing, do func(*thing)) {
	l := t.long
	l.isRead = true
	held := e.expanded
	e.expanded = expanded{}
	defer func() { e.expanded = held }()
	l.each(func(array *jsonread.Value) {
		e.expanded.reset()
		for _, one := range e.each(l.active, l.spill.Name, array, mode{}).all {
			one.repaired = one.repaired || t.repaired
			switch {
			case l.reverse && one.kind != aNode:
				e.lose(failed(fault.JSONKeyword, one.from, notReversed))
				continue
			case l.graphs:
				one = e.graphOf(one)
			}
			do(one)
		}
	}, func() bool { return e.failed != nil })
}

// each hands on the array with one item at a time.
func (l *longMember) each(hand func(array *jsonread.Value), ended func() bool) {
	array := l.spill.Array
	l.spill.Each(func(item *jsonread.Value) bool {
		l.once[0] = item
		array.Items = l.once[:]
		hand(array)
		return !ended() && !l.stopped()
	})
	array.Items = nil
}

// tellUnread tells what is found in a long member that no statement was made of, as if it had been held.
func (l *longMember) tellUnread() {
	if !l.isRead {
		l.each(func(*jsonread.Value) {}, func() bool { return false })
	}
}
