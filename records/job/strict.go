package job

import (
	"laundromat/internal/fault"
	"laundromat/records"
)

// strict is a sink that drops records which were repaired. The findings of a repair come before
// its record, so they are held until it is known whether there is one.
type strict struct {
	to   records.Sink
	held []fault.Notice
}

// maxHeld is how many findings wait for a record; those before are told as they are.
const maxHeld = 10_000

// Notice holds repairs.
func (s *strict) Notice(n fault.Notice) {
	switch {
	case n.Severity == fault.Drop && n.Lost > 0:
		s.tell(fault.Drop) // of the record that is lost
	case n.Severity == fault.Repair:
		if len(s.held) == maxHeld {
			s.tell(fault.Repair)
		}
		s.held = append(s.held, n)
		return
	}
	s.to.Notice(n)
}

// tell gives the findings that wait, with a severity.
func (s *strict) tell(severity fault.Severity) {
	for _, n := range s.held {
		n.Severity = severity
		s.to.Notice(n)
	}
	s.held = s.held[:0]
}

// Record passes on a record that was not repaired. Repairs before such a one are of the document.
func (s *strict) Record(r *records.Record) error {
	if !r.Repaired {
		s.tell(fault.Repair)
		return s.to.Record(r)
	}
	if len(s.held) == 0 {
		s.to.Notice(r.Notice(fault.RecordRepaired, fault.Drop, "something that the record is made of was mended; with --strict it is lost"))
		return nil
	}
	s.held[0].Lost = 1
	s.tell(fault.Drop)
	return nil
}

// Header hands a header on where the next sink wants it.
func (s *strict) Header(h *records.Header) {
	if to, ok := s.to.(records.HeaderSink); ok {
		to.Header(h)
	}
}

// unflushed is a sink that ends with the run, and not with a document, as a rule does.
type unflushed struct{ to records.Sink }

func (s unflushed) Record(r *records.Record) error { return s.to.Record(r) }
func (s unflushed) Notice(n fault.Notice)          { s.to.Notice(n) }
