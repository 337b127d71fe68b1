package inputs

import (
	"context"
	"io"
)

// Interruptible is a reader, such as standard input, whose reads end when the program is to stop. A read
// from a terminal or a silent pipe can't be cut otherwise. It is for one goroutine.
//
// The last read may then still wait for bytes that never come, in a goroutine that ends with the
// program. It holds a buffer of its own.
type Interruptible struct {
	from     io.Reader
	stopping context.Context

	buffer []byte
	rest   []byte // read and not yet taken
	err    error  // that came with rest
	ended  chan ended
}

type ended struct {
	n   int
	err error
}

// readAtOnce is how much is read at once, in bytes.
const readAtOnce = 256 << 10

// NewInterruptible makes a reader whose reads end with stopping.
func NewInterruptible(stopping context.Context, from io.Reader) *Interruptible {
	return &Interruptible{from: from, stopping: stopping, ended: make(chan ended, 1)}
}

// Read reads what has come, and waits for it no longer than until stopping ends.
func (s *Interruptible) Read(p []byte) (int, error) {
	if len(s.rest) == 0 && s.err == nil {
		if s.buffer == nil {
			s.buffer = make([]byte, readAtOnce)
		}
		if err := s.stopping.Err(); err != nil {
			s.err = err
			return 0, err
		}
		go func() {
			n, err := s.from.Read(s.buffer)
			s.ended <- ended{n, err}
		}()
		select {
		case read := <-s.ended:
			s.rest, s.err = s.buffer[:read.n], read.err
		case <-s.stopping.Done():
			s.err = s.stopping.Err()
		}
	}
	n := copy(p, s.rest)
	s.rest = s.rest[n:]
	if len(s.rest) == 0 && n == 0 {
		return 0, s.err
	}
	return n, nil
}
