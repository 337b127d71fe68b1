package clean

import (
	"laundromat/internal/fault"
	"laundromat/rdf"
)

// strict drops what was repaired, and reports repairs as drops.
//
// The notice of a repair comes before the statement that it touches. But not every repair touches one
// (a directive has none), and one repair may touch many. So the last repair waits here for its
// statement and carries the loss of that. Its code is used for each further statement that arrives
// repaired. Its message says how the document would be read.
type strict struct {
	rdf.Sink
	held    bool         // last was not passed on yet
	hasLast bool         // there was a repair
	last    fault.Notice // as a drop that loses nothing
}

func (s *strict) Quad(q *rdf.Quad) error {
	if !q.Repaired || !s.hasLast {
		return s.Sink.Quad(q)
	}
	s.held = false
	n := s.last
	n.Lost = 1
	s.Sink.Notice(n)
	return nil
}

func (s *strict) Notice(n fault.Notice) {
	s.flush()
	if n.Severity != fault.Repair {
		s.Sink.Notice(n)
		return
	}
	n.Severity, n.Lost, n.Message = fault.Drop, 0, wouldBe(n.Message)
	s.last, s.held, s.hasLast = n, true, true
}

func (s *strict) flush() {
	if s.held {
		s.held = false
		s.Sink.Notice(s.last)
	}
}
