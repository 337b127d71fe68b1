package lex

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

	Buf  []byte
	Base int64 // offset in the text of buf[0]
	EOF  bool  // buf reaches the end of the text
	Err  error // why the text can't be read further; not the end
}

// BlockSize is what one or two goroutines look at, in bytes. It is small enough for the second cache,
// and so large that moving the rest of a block to the front costs nothing.
const BlockSize = 256 << 10

// firstBlock is enough for most documents that people write by hand, and costs
// little where it is not.
const firstBlock = 16 << 10

// firstBlocks serve again.
var firstBlocks = sync.Pool{New: func() any { return new([firstBlock]byte) }}

// NewWindow reads src in blocks of so many bytes, BlockSize if 0. It ends with the error of stopped, which is
// asked before each read.
func NewWindow(src io.Reader, stopped func() error, block int) *window {
	return &window{src: src, stopped: stopped, block: cmp.Or(block, BlockSize)}
}

// more forgets the bytes before index from, moves the rest to the front, and reads on until the buffer
// is full. At least one byte is added unless the text ends or fails. It returns by how much indices
// into Buf have moved.
//
// The buffer grows only when more than half of it must be kept. It doubles, and past largeWindow gains a quarter, since
// the old one and the new are in memory together. So moving costs a few copies a byte at most, whatever the lengths of
// tokens are.
func (w *window) more(from int) (moved int) {
	if w.EOF || w.Err != nil {
		return 0
	}
	if err := w.stopped(); err != nil {
		w.Err = fmt.Errorf("read text: %w", err)
		return 0
	}
	kept := len(w.Buf) - from
	switch size := cap(w.Buf); {
	case size == 0 && w.block >= firstBlock:
		w.Buf = (*firstBlocks.Get().(*[firstBlock]byte))[:0]
	case size == 0:
		w.resize(from, w.block)
	case kept > size/2 || size < w.block:
		w.resize(from, max(larger(size), w.block))
	case size > 4*w.block && kept < w.block/2:
		w.resize(from, w.block) // a very long token is over
	case size > largeWindow && kept < size/2:
		w.resize(from, 2*kept)
	default:
		w.Buf = w.Buf[:copy(w.Buf, w.Buf[from:])]
	}
	w.Base += int64(from)
	for idle := 0; len(w.Buf) < cap(w.Buf) && !w.EOF && w.Err == nil; {
		n, err := w.src.Read(w.Buf[len(w.Buf):cap(w.Buf)])
		w.Buf = w.Buf[:len(w.Buf)+n]
		if n > 0 {
			idle = 0
		} else if idle++; idle > 100 && err == nil {
			err = io.ErrNoProgress
		}
		if err == io.EOF {
			w.EOF = true
		} else if err != nil {
			w.Err = fmt.Errorf("read text: %w", err)
		}
	}
	return from
}

// largeWindow is from where on the buffer grows by less than itself.
const largeWindow = 32 << 20

// larger is the size of a buffer of so many bytes when it grows.
func larger(size int) int {
	if size >= largeWindow {
		return size + size/4
	}
	return 2 * size
}

// Free gives the memory back. Nothing that was in the window is used any more.
func (w *window) Free() {
	if cap(w.Buf) == firstBlock {
		firstBlocks.Put((*[firstBlock]byte)(w.Buf[:firstBlock]))
	}
	w.Buf = nil
}

func (w *window) resize(from, size int) {
	buf := make([]byte, len(w.Buf)-from, size)
	copy(buf, w.Buf[from:])
	w.Buf = buf
}
