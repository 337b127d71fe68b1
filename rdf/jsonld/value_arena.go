package jsonld

// arena gives out values of a type that all end together, when it is reset. What an item of a document
// takes is used again for the next. They are zero when they are given out.
type arena[T any] struct {
	chunks [][]T
	chunk  int // the present one
	used   int // of it
}

// arenaChunk is how many values are allocated at once, and arenaChunks how many such
// pieces are kept for the next item.
const arenaChunk, arenaChunks = 256, 8

// next gives one value.
func (a *arena[T]) next() *T { return &a.slice(1)[0] }

// slice gives n values in a row. What is appended to them goes elsewhere.
func (a *arena[T]) slice(n int) []T {
	if n > arenaChunk/4 {
		return make([]T, n)
	}
	if len(a.chunks) == 0 || a.used+n > arenaChunk {
		if len(a.chunks) > 0 {
			a.chunk++
		}
		if a.used = 0; a.chunk == len(a.chunks) {
			a.chunks = append(a.chunks, make([]T, arenaChunk))
		}
	}
	from := a.used
	a.used += n
	return a.chunks[a.chunk][from:a.used:a.used]
}

// copyOf gives a copy of a list.
func (a *arena[T]) copyOf(list []T) []T {
	all := a.slice(len(list))
	copy(all, list)
	return all
}

// reset takes back all that was given. They are cleared, so that what they point to ends too.
func (a *arena[T]) reset() {
	for i := 0; i < a.chunk; i++ {
		clear(a.chunks[i])
	}
	if len(a.chunks) > 0 {
		clear(a.chunks[a.chunk][:a.used])
	}
	if len(a.chunks) > arenaChunks {
		a.chunks = a.chunks[:arenaChunks:arenaChunks]
	}
	a.chunk, a.used = 0, 0
}

// values is where the values of a top-level item are, or of an item that is read alone.
type values struct {
	values    arena[value]
	compounds arena[compound]
	items     arena[*value]
	members   arena[member]
}

func (v *values) reset() {
	v.values.reset()
	v.compounds.reset()
	v.items.reset()
	v.members.reset()
}

// detach leaves what was given to those who have it.
func (v *values) detach() { *v = values{} }

// expanded is where that is which a top-level item, or one node of a graph, expands to.
type expanded struct {
	things   arena[thing]
	parts    arena[parts]
	pointers arena[*thing]
	props    arena[property]
	names    arena[name]
}

func (x *expanded) reset() {
	x.things.reset()
	x.parts.reset()
	x.pointers.reset()
	x.props.reset()
	x.names.reset()
}

// only is a list of one thing.
func (x *expanded) only(t *thing) []*thing {
	all := x.pointers.slice(1)
	all[0] = t
	return all
}

// thing gives a new thing.
func (x *expanded) thing(t thing) *thing {
	fresh := x.things.next()
	*fresh = t
	return fresh
}

// listOf is a list of things, else as it is given.
func (x *expanded) listOf(all []*thing, list thing) *thing {
	list.kind, list.parts = aList, x.parts.next()
	list.items = all
	return x.thing(list)
}

// graphOf is a graph that holds one thing.
func (x *expanded) graphOf(one *thing) *thing {
	p := x.parts.next()
	p.graph = x.only(one)
	return x.thing(thing{from: one.from, hasGraph: true, parts: p})
}
