package main

import (
	"context"
	"io"
)

// stdin is standard input whose reads end when the program is to stop. A read from a terminal or a
// silent pipe can't be cut otherwise. It is for one goroutine.
//
// The last read may then still wait for bytes that never come, in a goroutine that ends with the
// program. It holds a buffer of its own.
type stdin struct {
	from     io.Reader
	stopping context.Context

	buffer []byte
	rest   []byte // read and not yet taken
	err    error  // that came with rest
	ended  chan stdinRead
}

type stdinRead struct {
	n   int
	err error
}

// stdinBuffer is how much is read at once, in bytes.
const stdinBuffer = 256 << 10

func newStdin(from io.Reader, stopping context.Context) *stdin {
	return &stdin{from: from, stopping: stopping, ended: make(chan stdinRead, 1)}
}

func (s *stdin) Read(p []byte) (int, error) {
	if len(s.rest) == 0 && s.err == nil {
		if s.buffer == nil {
			s.buffer = make([]byte, stdinBuffer)
		}
		if err := s.stopping.Err(); err != nil {
			s.err = err
			return 0, err
		}
		go func() {
			n, err := s.from.Read(s.buffer)
			s.ended <- stdinRead{n, err}
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
