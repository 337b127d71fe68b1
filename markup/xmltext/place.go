package xmltext

import (
	"bytes"
	"encoding/binary"
	"math/bits"

	"laundromat/internal/fault"
)

// cursor is a place in the document that can only go forward.
type cursor struct {
	offset, line, column int64
	cr                   bool // the byte before is a CR: a LF now ends no further line
}

// Offset is where the token begins, in bytes of the document. Inside an entity it
// is the place of the reference.
func (r *Reader) Offset() int64 {
	if len(r.outer) > 0 {
		return r.offset(r.outer[0].start)
	}
	return r.offset(r.start)
}

// EndOffset is where the token ends, in bytes of the document.
func (r *Reader) EndOffset() int64 {
	if len(r.outer) > 0 {
		return r.offset(r.outer[0].pos)
	}
	return r.offset(r.pos)
}

// Pos is where the token begins. Inside an entity it is the place of the reference.
func (r *Reader) Pos() fault.Pos { return r.PosAt(0) }

// PosAt is the place of a byte of the token, counted from its beginning. Asking in
// rising order is cheap; going back costs the way from the beginning.
func (r *Reader) PosAt(at int) fault.Pos {
	i := r.start + at
	if len(r.outer) > 0 {
		// buf is that of an entity: only the outermost reference has a place.
		return r.outerPos()
	}
	r.advance(&r.mark, r.start)
	if r.cur.offset < r.mark.offset {
		r.cur = r.mark
	}
	c := &r.cur
	if r.offset(i) < c.offset {
		// Going back leaves the way forward as short as it was.
		back := r.mark
		c = &back
	}
	r.advance(c, i)
	return fault.Pos{Line: c.line, Column: c.column, Offset: c.offset}
}

func (r *Reader) outerPos() fault.Pos {
	base := &r.outer[0]
	c := r.mark
	c.forward(base.buf[int(c.offset-r.origin):base.start], true)
	return fault.Pos{Line: c.line, Column: c.column, Offset: c.offset}
}

// advance moves c to buf[i] of the document's own buffer.
func (r *Reader) advance(c *cursor, i int) {
	from := int(c.offset - r.origin)
	if from < i {
		c.forward(r.buf[from:i], r.hasCR)
	}
}

func (c *cursor) forward(b []byte, hasCR bool) {
	c.offset += int64(len(b))
	if !hasCR && !c.cr {
		if i := bytes.LastIndexByte(b, '\n'); i >= 0 {
			c.line += int64(bytes.Count(b[:i], []byte{'\n'})) + 1
			c.column = 1
			b = b[i+1:]
		}
		c.column += characters(b)
		return
	}
	for _, x := range b {
		switch {
		case x == '\n' && c.cr:
			c.cr = false
		case x == '\n', x == '\r':
			c.line++
			c.column = 1
			c.cr = x == '\r'
		default:
			c.cr = false
			if x&0xC0 != 0x80 {
				c.column++
			}
		}
	}
}

// characters counts the bytes of b that begin a character: all but those of the form 10xxxxxx.
func characters(b []byte) int64 {
	n := int64(len(b))
	for len(b) >= 8 {
		x := binary.LittleEndian.Uint64(b)
		n -= int64(bits.OnesCount64(x >> 7 &^ (x >> 6) & 0x0101010101010101))
		b = b[8:]
	}
	for _, x := range b {
		if x&0xC0 == 0x80 {
			n--
		}
	}
	return n
}

// finding is a fault that was met while a token was read, before it is certain
// that the reading is right.
type finding struct {
	code     fault.Code
	severity fault.Severity
	at       int // from the beginning of the token
	message  string
	attr     int // the attribute that is lost by it
	edits    []fault.Edit
}

// report reports the faults of the token, whose excerpts end with it at n.
func (r *Reader) report(n int) {
	for i := range r.faults {
		f := &r.faults[i]
		r.out.Notice(r.notice(f, n))
	}
	r.faults = r.faults[:0]
}

func (r *Reader) notice(f *finding, n int) fault.Notice {
	return fault.Notice{Code: f.code, Severity: f.severity, Pos: r.PosAt(f.at), Message: f.message,
		Excerpt: r.ExcerptAt(f.at, n), Edits: f.edits}
}

// lookahead is how much text an excerpt is made of. It is more than an excerpt can show, so that it
// does not depend on how the text arrived.
const lookahead = fault.MaxExcerpt + 10

// ExcerptAt shows the text from byte at of the token to byte n, to the end of its line at most.
func (r *Reader) ExcerptAt(at, n int) string {
	b := r.buf[r.start+at : min(r.start+n, r.end)]
	if len(b) > lookahead {
		b = b[:lookahead]
	}
	for _, end := range []byte{'\n', '\r'} {
		if i := bytes.IndexByte(b, end); i > 0 {
			b = b[:i]
		}
	}
	return fault.Excerpt(b)
}

// Excerpt shows the beginning of a tag; for one that is lost, that of the next.
func (r *Reader) Excerpt() string { return r.ExcerptAt(0, r.Len()) }

// Len is the length of the token in bytes; for a tag that is lost, that of the next.
func (r *Reader) Len() int {
	if r.supposed {
		return r.shown
	}
	return r.pos - r.start
}
