package clean

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"laundromat/internal/fault"
	"laundromat/rdf"
)

// strayBytes sees to terms that are not UTF-8. Where every stray byte is a letter
// of a word in the encodings that it may be in, and the same in all of them, it is
// read as that; else the statement is dropped.
type strayBytes struct {
	teller
	encodings []SingleByte
	message   string    // of the repair
	buffers   [5][]byte // one for each term, and one for the datatype
	nest      *nest     // takes statements with a triple term; nil where the filter stands alone
}

// SingleByte is an encoding of one byte a character.
type SingleByte struct {
	Name string // by its lower-case IANA name
	// Decode reads a byte from 0x80 on; U+FFFD if that stands for no character.
	Decode func(byte) rune
}

func newStrayBytes(encodings []SingleByte, to rdf.Sink) *strayBytes {
	if len(encodings) == 0 {
		encodings = []SingleByte{{"windows-1252", charmap.Windows1252.DecodeByte}}
	}
	return &strayBytes{teller: teller{Sink: to}, encodings: encodings,
		message: "single bytes were read as letters of " + encodings[0].Name}
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
		s.buffers[at], plain = s.appendMended(s.buffers[at][:0], text)
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
			s.repair(place(i), q, t, t.Value, fault.EncodingMixedBytes, s.message)
			t.Value = s.buffers[i]
		}
	}
	if mended[datatype] {
		s.repair(datatype, q, &q.Object, q.Object.Datatype, fault.EncodingMixedBytes, s.message)
		q.Object.Datatype = s.buffers[datatype]
	}
	return s.Sink.Quad(q)
}

// isUTF8 is utf8.Valid, quicker for the ASCII text that most terms are.
func isUTF8(text []byte) bool { return isPlainASCII(text) || utf8.Valid(text) }

// appendMended appends text with its stray bytes read as letters, and says whether
// that is plain.
func (s *strayBytes) appendMended(dst, text []byte) ([]byte, bool) {
	start := len(dst)
	dst, plain := appendDecoded(dst, text, s.encodings[0].Decode)
	for _, other := range s.encodings[1:] {
		end := len(dst)
		if !plain {
			return dst, false
		}
		dst, plain = appendDecoded(dst, text, other.Decode)
		plain = plain && bytes.Equal(dst[start:end], dst[end:])
		dst = dst[:end]
	}
	return dst, plain
}

// appendDecoded appends text with its stray bytes decoded. That is plain if each run
// of them is
//
//   - letters of the Latin script, beside an ASCII letter on one side, and no capital
//     behind a small letter; an apostrophe may stand between two letters. At the end of
//     the text it is not the byte that begins most characters of UTF-8 outside ASCII,
//     since the text may have been cut there; or
//   - three letters or more of one other script, without an ASCII letter beside them;
//
// and stands beside no letter of UTF-8 outside ASCII: no word is in two encodings.
func appendDecoded(dst, text []byte, decode func(byte) rune) ([]byte, bool) {
	before := ' ' // the character before
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		if r != utf8.RuneError || size != 1 {
			dst = append(dst, text[i:i+size]...)
			before, i = r, i+size
			continue
		}
		from, beside := i, isASCIILetter(before)
		var script *unicode.RangeTable
		last, after := before, ' '
		for ; i < len(text); i++ {
			if r, size := utf8.DecodeRune(text[i:]); r != utf8.RuneError || size != 1 {
				after = r
				break
			}
			letter := decode(text[i])
			switch of := scriptOf(letter); {
			case letter == '’' && unicode.Is(unicode.Latin, last):
			case of == nil, script != nil && of != script, unicode.IsLower(last) && unicode.IsUpper(letter):
				return dst, false
			default:
				script = of
			}
			dst = utf8.AppendRune(dst, letter)
			last = letter
		}
		beside = beside || isASCIILetter(after)
		switch {
		case isForeign(before), isForeign(after), last == '’' && !unicode.Is(unicode.Latin, after):
			return dst, false
		case script != nil && script != unicode.Latin:
			if beside || i-from < 3 {
				return dst, false
			}
		case !beside || i == len(text) && i-from == 1 && mayBeCut(text[from]):
			return dst, false
		}
	}
	return dst, true
}

// isForeign says that a word does not end before or behind r, which is outside ASCII.
func isForeign(r rune) bool {
	return r >= utf8.RuneSelf && !unicode.IsPunct(r) && !unicode.IsSpace(r) && !unicode.IsSymbol(r)
}

// scriptOf finds the script of a letter, of those that are written in encodings of one
// byte a character; nil if r is none.
func scriptOf(r rune) *unicode.RangeTable {
	if !unicode.IsLetter(r) || r == 'ª' || r == 'º' {
		return nil
	}
	for _, script := range []*unicode.RangeTable{unicode.Latin, unicode.Cyrillic, unicode.Greek, unicode.Hebrew, unicode.Arabic, unicode.Thai} {
		if unicode.Is(script, r) {
			return script
		}
	}
	return nil
}

// mayBeCut tells the bytes that begin Latin letters and punctuation in UTF-8. As a
// letter of windows-1252 each ends few words or none: Â Ã â.
func mayBeCut(b byte) bool { return b == 0xC2 || b == 0xC3 || b == 0xE2 }

func isASCIILetter[T byte | rune](c T) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
