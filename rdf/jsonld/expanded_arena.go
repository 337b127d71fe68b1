package jsonld

import "laundromat/internal/arena"

// expanded is where that is which a top-level item, or one node of a graph, expands to.
type expanded struct {
	things   arena.Arena[thing]
	parts    arena.Arena[parts]
	pointers arena.Arena[*thing]
	props    arena.Arena[property]
	names    arena.Arena[name]
}

func (x *expanded) reset() {
	x.things.Reset()
	x.parts.Reset()
	x.pointers.Reset()
	x.props.Reset()
	x.names.Reset()
}

// only is a list of one thing.
func (x *expanded) only(t *thing) []*thing {
	all := x.pointers.Slice(1)
	all[0] = t
	return all
}

// thing gives a new thing.
func (x *expanded) thing(t thing) *thing {
	fresh := x.things.Next()
	*fresh = t
	return fresh
}

// listOf is a list of things, else as it is given.
func (x *expanded) listOf(all []*thing, list thing) *thing {
	list.kind, list.parts = aList, x.parts.Next()
	list.items = all
	return x.thing(list)
}

// graphOf is a graph that holds one thing.
func (x *expanded) graphOf(one *thing) *thing {
	p := x.parts.Next()
	p.graph = x.only(one)
	return x.thing(thing{from: one.from, hasGraph: true, parts: p})
}
