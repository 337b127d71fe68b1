// Package logfile brings the lines of a log to where they are kept, and never makes who logs wait.
//
// A [Stream] takes lines and writes them from a goroutine of its own. What it can't get rid of, it
// throws away and counts, and says so in the log as soon as that can be written again. A [File] is
// where lines are kept. It is renamed when it is large, and so many of those renamed stay. It can be
// opened again after another program has renamed it.
package logfile

import (
	"errors"
	"io"
	"sync"
	"time"
)

// ErrSlow is why lines are lost that nobody took in time.
var ErrSlow = errors.New("the log is written more slowly than it grows, or its reader does not read")

// mostQueued is how many bytes of lines wait at most. It is minutes of a busy daemon's log.
const mostQueued = 1 << 20

// Stream is an io.Writer of whole lines. Its methods may be called from several goroutines.
type Stream struct {
	told func(lines int64, why error) []byte

	mu     sync.Mutex
	to     io.Writer
	queue  [][]byte
	queued int
	ended  bool
	lost   Loss
	unsaid Loss // of lost, what the log does not say yet
	wake   chan struct{}
	done   chan struct{}
}

// Loss is what of a log was thrown away.
type Loss struct {
	Lines int64
	Why   error // of the last line; nil if none was lost
}

// NewStream begins a stream that writes to a place, until it is closed. The function told makes the
// line, with its end, which says that some were lost.
func NewStream(to io.Writer, told func(lines int64, why error) []byte) *Stream {
	s := &Stream{told: told, to: to, wake: make(chan struct{}, 1), done: make(chan struct{})}
	go s.run()
	return s
}

// Write takes a line. It never waits, and never fails: what can't be taken is counted.
func (s *Stream) Write(line []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended || s.queued+len(line) > mostQueued {
		s.lose(1, ErrSlow)
		return len(line), nil
	}
	s.queue = append(s.queue, append([]byte(nil), line...))
	s.queued += len(line)
	select {
	case s.wake <- struct{}{}:
	default:
	}
	return len(line), nil
}

// Redirect lets the lines that follow be written elsewhere.
func (s *Stream) Redirect(to io.Writer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.to = to
}

// Lost is what was thrown away since the beginning.
func (s *Stream) Lost() Loss {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lost
}

// Close writes what waits, for as long as patience at most, and ends the stream.
func (s *Stream) Close(patience time.Duration) {
	s.mu.Lock()
	isFirst := !s.ended
	s.ended = true
	s.mu.Unlock()
	if isFirst {
		close(s.wake)
	}
	select {
	case <-s.done:
	case <-time.After(patience):
	}
}

// lose counts lines that are thrown away; s.mu is held.
func (s *Stream) lose(lines int64, why error) {
	s.lost = Loss{s.lost.Lines + lines, why}
	s.unsaid = Loss{s.unsaid.Lines + lines, why}
}

// run writes lines until the stream is closed and none waits.
func (s *Stream) run() {
	defer close(s.done)
	for range s.wake {
		s.drain()
	}
	s.drain()
}

// drain writes the lines that wait. A line that can't be written is lost; the next is tried.
func (s *Stream) drain() {
	for {
		s.mu.Lock()
		if len(s.queue) == 0 {
			s.mu.Unlock()
			return
		}
		line, to, unsaid := s.queue[0], s.to, s.unsaid
		s.queue, s.queued = s.queue[1:], s.queued-len(line)
		s.mu.Unlock()
		var err error
		if unsaid.Lines > 0 {
			if _, err = to.Write(s.told(unsaid.Lines, unsaid.Why)); err == nil {
				s.mu.Lock()
				s.unsaid.Lines -= unsaid.Lines
				s.mu.Unlock()
			}
		}
		if err == nil {
			_, err = to.Write(line)
		}
		if err != nil {
			s.mu.Lock()
			s.lose(1, err)
			s.mu.Unlock()
		}
	}
}
