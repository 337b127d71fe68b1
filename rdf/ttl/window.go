package ttl

import (
	"cmp"
	"fmt"
	"io"
	"sync"
)

// window is the piece of the text that is in memory: buf holds the bytes from
// offset base on. It is filled in whole blocks, so that how the source cuts its
// reads changes nothing, and grows only when a single token needs it.
type window struct {
	src     io.Reader
	stopped func() error // why the work was cancelled; nil while it goes on
	block   int          // size of a block in bytes

	buf  []byte
	base int64 // offset in the text of buf[0]
	eof  bool  // buf reaches the end of the text
	err  error // why the text can't be read further; not the end
}

// blockSize, what one or two goroutines look at, is small enough for the second cache, and large enough that moving
// the rest of a block to the front costs nothing.
const blockSize = 256 << 10

// firstBlock is enough for most documents that people write by hand, and costs
// little where it is not.
const firstBlock = 16 << 10

// firstBlocks serve again.
var firstBlocks = sync.Pool{New: func() any { return new([firstBlock]byte) }}

func newWindow(src io.Reader, stopped func() error, block int) *window {
	return &window{src: src, stopped: stopped, block: cmp.Or(block, blockSize)}
}

// more forgets the bytes before index from, moves the rest to the front, and
// reads on until the buffer is full, so that at least one byte is added unless
// the text ends or fails. It returns by how much indices into buf have moved.
//
// The buffer doubles only when more than half of it must be kept: so moving costs
// at most one copy a byte, whatever the lengths of tokens are.
func (w *window) more(from int) (moved int) {
	if w.eof || w.err != nil {
		return 0
	}
	if err := w.stopped(); err != nil {
		w.err = fmt.Errorf("read text: %w", err)
		return 0
	}
	kept := len(w.buf) - from
	switch size := cap(w.buf); {
	case size == 0 && w.block >= firstBlock:
		w.buf = (*firstBlocks.Get().(*[firstBlock]byte))[:0]
	case size == 0:
		w.resize(from, w.block)
	case kept > size/2 || size < w.block:
		w.resize(from, max(2*size, w.block))
	case size > 4*w.block && kept < w.block/2:
		w.resize(from, w.block) // a very long token is over
	default:
		w.buf = w.buf[:copy(w.buf, w.buf[from:])]
	}
	w.base += int64(from)
	for idle := 0; len(w.buf) < cap(w.buf) && !w.eof && w.err == nil; {
		n, err := w.src.Read(w.buf[len(w.buf):cap(w.buf)])
		w.buf = w.buf[:len(w.buf)+n]
		if n > 0 {
			idle = 0
		} else if idle++; idle > 100 && err == nil {
			err = io.ErrNoProgress
		}
		if err == io.EOF {
			w.eof = true
		} else if err != nil {
			w.err = fmt.Errorf("read text: %w", err)
		}
	}
	return from
}

// free gives the memory back. Nothing that was in the window is used any more.
func (w *window) free() {
	if cap(w.buf) == firstBlock {
		firstBlocks.Put((*[firstBlock]byte)(w.buf[:firstBlock]))
	}
	w.buf = nil
}

func (w *window) resize(from, size int) {
	buf := make([]byte, len(w.buf)-from, size)
	copy(buf, w.buf[from:])
	w.buf = buf
}
