package xmltext

import (
	"bytes"
	"context"

	"laundromat/internal/fault"
)

// Stray is text that is where none may be: one piece, or several between which
// nothing else is. The zero Stray is none.
type Stray struct {
	Is    bool
	Pos   fault.Pos // of its first byte that is no white space
	Bytes int64     // from there to its end
	text  []byte    // its beginning
	// limited says that a limit was met in it: what is lost by it is lost already.
	limited bool
	within  bool // a piece is the text of an entity
}

// Take takes the text that r hands out, and says whether there is any: white space
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
	s.within = s.within || len(r.outer) > 0
	return true
}

// Lost is the notice of what can't be trusted in the piece that was taken last; nil if there is none. That entities
// expand to too much is reported once for all pieces.
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

// signs may be between the < of a tag and its name by mistake.
var signs = []byte("?!&;:=-\"' ")

// afterSign looks whether a tag begins here except for a sign between its < and its name. A result of
// 2 or 3 must be passed to startTag or endTag; 0 says that no tag begins. Only a guide knows names
// that make it plain.
func (r *Reader) afterSign(ctx context.Context) (int, error) {
	const longest = 4 << 10
	b := r.window()
	if r.opt.Guide == nil || r.over > 0 || len(r.outer) > 0 || len(r.open) == 0 || len(b) < 4 || class[b[2]]&nameStart == 0 && b[2] != '/' {
		return 0, nil
	}
	if err := r.need(ctx, longest); err != nil {
		return 0, err
	}
	b = r.window()
	b = b[:min(len(b), longest)]
	if b[2] == '/' {
		n, _ := nameEnd(b, 3)
		if n < len(b) && b[n] == '>' && bytes.Equal(r.name(len(r.open)-1), b[3:n]) {
			return 3, nil
		}
		return 0, nil
	}
	n, _ := nameEnd(b, 2)
	prefix, local := splitName(b[2:n])
	elements, text := r.opt.Guide.Elements()
	if !elements || text && b[1] == ' ' || len(prefix) == 0 || len(local) == 0 || !r.opt.Guide.Declared(prefix) {
		return 0, nil
	}
	if sound, _ := r.wouldStart(b, 2); sound {
		return 2, nil
	}
	return 0, nil
}
