package clean

import (
	"bytes"
	"unicode/utf8"

	"laundromat/internal/fault"
	"laundromat/rdf"
)

// strayBytes sees to terms that are not UTF-8. Where it is clear which encoding the stray
// bytes of a text are in, they are read as that; else the statement is dropped.
type strayBytes struct {
	teller
	read func(text []byte) (meant []byte, encoding string) // nil: it is never plain
	// takes statements with a triple term; nil where the filter is alone
	nest *nest
}

func (s *strayBytes) Quad(q *rdf.Quad) error {
	if q.Object.Kind == rdf.TripleTerm && s.nest != nil {
		return s.nest.Quad(q)
	}
	if isUTF8(q.Subject.Value) && isUTF8(q.Predicate.Value) && isUTF8(q.Object.Value) &&
		(q.Graph.Kind == rdf.NoTerm || isUTF8(q.Graph.Value)) &&
		(q.Object.Kind != rdf.Literal || isUTF8(q.Object.Datatype) && isUTF8(q.Object.Language)) {
		return s.Sink.Quad(q)
	}
	// Nothing is changed before all of the statement is judged, so that a statement
	// that is lost is not reported as repaired.
	var meant [5][]byte // for each term, and for the datatype
	var encodings [5]string
	lost := false
	mend := func(at place, t *rdf.Term, text []byte) {
		if utf8.Valid(text) {
			return
		}
		if s.read != nil {
			meant[at], encodings[at] = s.read(text)
		}
		if encodings[at] == "" {
			n := fault.Notice{Code: fault.EncodingInvalidBytes, Severity: fault.Drop,
				Message: "the " + placeNames[at] + " holds bytes that are not UTF-8"}
			if !lost {
				n.Lost = 1
			}
			lost = true
			s.tell(at, t, text, n)
		}
	}
	for i, t := range terms(q) {
		if t.Kind != rdf.NoTerm {
			mend(place(i), t, t.Value)
		}
	}
	if q.Object.Kind == rdf.Literal {
		mend(datatype, &q.Object, q.Object.Datatype)
		if !utf8.Valid(q.Object.Language) && !lost {
			lost = true
			s.drop(object, &q.Object, q.Object.Language, fault.EncodingInvalidBytes, "the language tag holds bytes that are not UTF-8")
		}
	}
	if lost {
		return nil
	}
	for i, t := range terms(q) {
		if encodings[i] != "" {
			s.repair(place(i), q, t, t.Value, fault.Notice{Code: fault.EncodingMixedBytes, Message: readAs(encodings[i]),
				Meant: encodings[i]})
			t.Value = bytes.Clone(meant[i]) // the judge remembers it
		}
	}
	if encodings[datatype] != "" {
		s.repair(datatype, q, &q.Object, q.Object.Datatype, fault.Notice{Code: fault.EncodingMixedBytes,
			Message: readAs(encodings[datatype]), Meant: encodings[datatype]})
		q.Object.Datatype = bytes.Clone(meant[datatype])
	}
	return s.Sink.Quad(q)
}

// readAs says what became of stray bytes.
func readAs(encoding string) string {
	if encoding == "cesu-8" {
		return "surrogates were joined to the characters that CESU-8 writes so"
	}
	return "single bytes were read as letters of " + encoding
}

// isUTF8 is utf8.Valid, quicker for the ASCII text that most terms are.
func isUTF8(text []byte) bool { return isPlainASCII(text) || utf8.Valid(text) }

func isASCIILetter[T byte | rune](c T) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
