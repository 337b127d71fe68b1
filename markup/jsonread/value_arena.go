package jsonread

import "laundromat/internal/arena"

// values is where the values of a top-level item are, or of an item that is read alone.
type values struct {
	values    arena.Arena[Value]
	compounds arena.Arena[compound]
	items     arena.Arena[*Value]
	members   arena.Arena[Member]
}

func (v *values) reset() {
	v.values.Reset()
	v.compounds.Reset()
	v.items.Reset()
	v.members.Reset()
}

// detach leaves what was given to those who have it.
func (v *values) detach() { *v = values{} }
