package clean

import (
	"bytes"
	"unsafe"

	"laundromat/internal/fault"
	"laundromat/rdf"
)

// place says which term of a statement is meant.
type place uint8

const (
	subject place = iota
	predicate
	object
	graph
	datatype
	places
)

var placeNames = [places]string{"subject", "predicate", "object", "graph name", "datatype"}

// teller is what the filters that judge have in common: the sink that they pass
// statements on to, and the reporting of findings.
type teller struct {
	rdf.Sink
	strict bool          // what RDF does not know is lost
	last   *[places]told // nil before the first
}

// told remembers what was said of the term that last gave a finding. So a term which a reader gives
// with many statements gets one notice.
type told struct {
	pos   fault.Pos
	value []byte
	codes []fault.Code
}

// tell reports a finding about t, whose dirty text is value. The notice may have its excerpt
// already. A finding on the same term at the same place is given once. Drops are always given, since each
// is a statement.
func (s *teller) tell(at place, t *rdf.Term, value []byte, n fault.Notice) {
	n.Pos = t.Pos
	if n.Severity != fault.Drop && s.toldBefore(at, t.Pos, value, n.Code) {
		return
	}
	if n.Excerpt == "" {
		n.Excerpt = fault.Excerpt(value)
	}
	s.Notice(n)
}

func (s *teller) toldBefore(at place, pos fault.Pos, value []byte, code fault.Code) bool {
	if pos.Line == 0 { // the reader does not know places
		return false
	}
	if s.last == nil {
		s.last = new([places]told)
	}
	last := &s.last[at]
	if last.pos != pos || !bytes.Equal(last.value, value) {
		last.pos, last.value, last.codes = pos, append(last.value[:0], value...), last.codes[:0]
	}
	for _, c := range last.codes {
		if c == code {
			return true
		}
	}
	last.codes = append(last.codes, code)
	return false
}

// repair tells that t was mended, and marks q. Of the notice, code and message are given.
func (s *teller) repair(at place, q *rdf.Quad, t *rdf.Term, value []byte, n fault.Notice) {
	q.Repaired, n.Severity = true, fault.Repair
	s.tell(at, t, value, n)
}

// drop says that the statement is lost because of t.
func (s *teller) drop(at place, t *rdf.Term, value []byte, code fault.Code, message string) {
	s.tell(at, t, value, fault.Notice{Code: code, Severity: fault.Drop, Message: message, Lost: 1})
}

// doubt reports that RDF knows no such term as t, though it can be written. It is kept, with a
// warning, since no right value is known and others may need the wrong one. With strict its statement
// is lost, which is what doubt returns.
func (s *teller) doubt(at place, t *rdf.Term, value []byte, code fault.Code, message string) (lost bool) {
	if s.strict {
		s.drop(at, t, value, code, message)
		return true
	}
	s.tell(at, t, value, fault.Notice{Code: code, Severity: fault.Warning, Message: message})
	return false
}

// terms are the four terms of q, in the order of places.
func terms(q *rdf.Quad) [4]*rdf.Term {
	return [4]*rdf.Term{&q.Subject, &q.Predicate, &q.Object, &q.Graph}
}

// words makes the strings of many notices, several in a piece of memory.
type words struct {
	made int // how many, up to fewWords
	room []byte
}

const (
	fewWords   = 16      // strings of which each has memory of its own: most documents have no more
	roomOfWord = 1 << 10 // bytes of a piece
)

// join joins text and two others, which are short, in a string.
func (w *words) join(text string, a, b []byte) string {
	n := len(text) + len(a) + len(b)
	switch {
	case w.made < fewWords:
		w.made++
		w.room = make([]byte, 0, n)
	case cap(w.room)-len(w.room) < n:
		w.room = make([]byte, 0, roomOfWord)
	}
	from := len(w.room)
	w.room = append(append(append(w.room, text...), a...), b...) // nothing is written there again
	return unsafe.String(&w.room[from], n)
}
