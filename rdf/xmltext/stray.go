package xmltext

import (
	"bytes"

	"laundromat/internal/fault"
)

// Stray is text that stands where none may be: one piece, or several between which
// nothing else stands. The zero Stray is none.
type Stray struct {
	Is    bool
	Pos   fault.Pos // of its first byte that is no white space
	Bytes int64     // from there to its end
	text  []byte    // its beginning
	// limited says that a limit was met in it: what is lost by it is lost already.
	limited bool
}

// Take takes the text that r hands out, and reports whether there is any: white space
// alone begins none.
func (s *Stray) Take(r *Reader) bool {
	text := r.Text()
	if !s.Is {
		if r.Blank() {
			return false
		}
		n := 0
		for n < len(text) && text[n] <= ' ' {
			n++
		}
		*s = Stray{Is: true, Pos: r.PosAt(min(n, r.Len())), text: s.text[:0]}
		text = text[n:]
	}
	if room := fault.MaxExcerpt + 10 - len(s.text); room > 0 {
		s.text = append(s.text, text[:min(room, len(text))]...)
	}
	s.Bytes = r.EndOffset() - s.Pos.Offset
	return true
}

// Lost is the notice of what can't be trusted in the piece that was taken last; nil if there is none. That entities
// expand to too much is told once for all pieces.
func (s *Stray) Lost(r *Reader) *fault.Notice {
	n := r.Lost()
	if n == nil || n.Code != fault.LimitEntities {
		return n
	}
	if s.limited {
		return nil
	}
	s.limited = true
	return n
}

// Text is the beginning of the text, as much as an excerpt shows. It is valid until the
// next Take.
func (s *Stray) Text() []byte { return s.text }

// Trimmed is Text without the white space at its end.
func (s *Stray) Trimmed() []byte { return bytes.TrimRight(s.text, " \t\r\n") }
