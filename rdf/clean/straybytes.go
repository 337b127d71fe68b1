package clean

import (
	"encoding/binary"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"laundromat/internal/fault"
	"laundromat/rdf"
)

// strayBytes sees to terms that are not UTF-8. Where every stray byte is a letter
// of a word in windows-1252 it is read as that; else the statement is dropped.
type strayBytes struct {
	teller
	buffers [5][]byte // one for each term, and one for the datatype
	nest    *nest     // takes statements with a triple term; nil where the filter stands alone
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
	// that is lost is not told as repaired.
	var mended [5]bool
	lost := false
	mend := func(at place, t *rdf.Term, text []byte) {
		if utf8.Valid(text) {
			return
		}
		var plain bool
		s.buffers[at], plain = appendMended(s.buffers[at][:0], text)
		mended[at] = plain
		if !plain {
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
		if mended[i] {
			s.repair(place(i), q, t, t.Value, fault.EncodingMixedBytes)
			t.Value = s.buffers[i]
		}
	}
	if mended[datatype] {
		s.repair(datatype, q, &q.Object, q.Object.Datatype, fault.EncodingMixedBytes)
		q.Object.Datatype = s.buffers[datatype]
	}
	return s.Sink.Quad(q)
}

// isUTF8 is utf8.Valid, quicker for the short ASCII text that most terms are.
func isUTF8(text []byte) bool {
	const high = 0x8080808080808080
	n := len(text)
	if n < 8 {
		var joined byte
		for _, b := range text {
			joined |= b
		}
		return joined < utf8.RuneSelf || utf8.Valid(text)
	}
	joined := binary.LittleEndian.Uint64(text[n-8:])
	for i := 0; i+8 <= n; i += 8 {
		joined |= binary.LittleEndian.Uint64(text[i:])
	}
	return joined&high == 0 || utf8.Valid(text)
}

// appendMended appends text with its stray bytes read as windows-1252, and says
// whether that is plain: each is a letter then, and the run of such letters that
// it stands in touches an ASCII letter.
func appendMended(dst, text []byte) ([]byte, bool) {
	touches := false // the character before is an ASCII letter, or of a run that touches one
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		if r != utf8.RuneError || size != 1 {
			touches = isASCIILetter(text[i])
			dst = append(dst, text[i:i+size]...)
			i += size
			continue
		}
		end := i
		for end < len(text) && text[end] >= utf8.RuneSelf {
			if r, size := utf8.DecodeRune(text[end:]); r != utf8.RuneError || size != 1 {
				break
			}
			letter := charmap.Windows1252.DecodeByte(text[end])
			if !unicode.IsLetter(letter) {
				return dst, false
			}
			dst = utf8.AppendRune(dst, letter)
			end++
		}
		if end < len(text) && isASCIILetter(text[end]) {
			touches = true
		}
		if !touches {
			return dst, false
		}
		i = end
	}
	return dst, true
}

func isASCIILetter(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' }
