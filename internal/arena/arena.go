// Package arena gives out memory for many small values that all end together.
package arena

// Arena gives out values of a type that all end together, when it is reset. What an item of a document
// takes is used again for the next. They are zero when they are given out.
type Arena[T any] struct {
	chunks [][]T
	chunk  int // the present one
	used   int // of it
}

// arenaChunk is how many values are allocated at once, and arenaChunks how many such
// pieces are kept for the next item.
const arenaChunk, arenaChunks = 256, 8

// Next gives one value.
func (a *Arena[T]) Next() *T { return &a.Slice(1)[0] }

// Slice gives n values in a row. What is appended to them goes elsewhere.
func (a *Arena[T]) Slice(n int) []T {
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

// CopyOf gives a copy of a list.
func (a *Arena[T]) CopyOf(list []T) []T {
	all := a.Slice(len(list))
	copy(all, list)
	return all
}

// Reset takes back all that was given. They are cleared, so that what they point to ends too.
func (a *Arena[T]) Reset() {
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
