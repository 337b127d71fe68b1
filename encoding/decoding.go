package encoding

import (
	"bytes"
	"fmt"
	"io"
	"unicode/utf8"

	"golang.org/x/text/transform"

	"laundromat/internal/fault"
)

// decoder turns bytes into UTF-8, as far as both buffers go. It puts U+FFFD where
// the bytes stand for no character, and appends to misfits where in dst that is.
// An error of the kind ErrShortSrc or ErrShortDst asks for more; there are no others.
type decoder interface {
	decode(dst, src []byte, atEOF bool, misfits []misfit) (nDst, nSrc int, _ []misfit, err error)
}

// misfit is a piece of the document that stands for no character.
type misfit struct {
	at  int // in dst
	raw int // the byte or unit, where it is known; else -1
}

// decoding reads a document in an encoding that is not UTF-8.
type decoding struct {
	src    io.Reader
	c      charset
	dec    decoder
	notice func(fault.Notice)

	end      error
	in       []byte // raw bytes that are not decoded yet
	text     []byte // the buffer of decoded bytes
	out      []byte // the part of text that is not handed out yet
	begun    bool
	unmarked bool // past the place of a byte order mark, once more, in the text
	bad      int64
	place    place
	misfits  []misfit
}

const rawSize = 32 << 10

func newDecoding(src io.Reader, c charset, notice func(fault.Notice)) *decoding {
	return &decoding{src: src, c: c, dec: newDecoder(c), notice: notice, place: place{line: 1, column: 1},
		in: make([]byte, 0, rawSize), text: make([]byte, 3*rawSize)}
}

func (d *decoding) Read(p []byte) (int, error) {
	for len(d.out) == 0 {
		if err := d.more(); err != nil {
			return 0, err
		}
	}
	n := copy(p, d.out)
	d.out = d.out[n:]
	return n, nil
}

// more fills out, which is empty; it may leave it so.
func (d *decoding) more() error {
	for idle := 0; d.end == nil && len(d.in) < 16; idle++ {
		n, err := d.src.Read(d.in[len(d.in):cap(d.in)])
		d.in, d.end = d.in[:len(d.in)+n], err
		if n > 0 {
			break
		}
		if err == nil && idle > 100 {
			d.end = io.ErrNoProgress
		}
	}
	if !d.begun && (len(d.in) >= 4 || d.end != nil) {
		d.begin()
	} else if !d.begun {
		return nil
	}
	if len(d.in) == 0 && d.end != nil {
		return d.end
	}
	nDst, nSrc, misfits, err := d.dec.decode(d.text, d.in, d.end != nil, d.misfits[:0])
	d.misfits = misfits
	d.out = d.text[:nDst]
	d.in = d.in[:copy(d.in, d.in[nSrc:])]
	if err == transform.ErrShortSrc && nSrc == 0 && len(d.in) >= 16 || nDst == 0 && nSrc == 0 && d.end != nil {
		// No encoding has such long sequences. A byte is given up rather than waiting for ever.
		d.out = append(d.text[:0], "\uFFFD"...)
		d.misfits = append(d.misfits, misfit{0, int(d.in[0])})
		d.in = d.in[:copy(d.in, d.in[1:])]
	}
	if !d.unmarked && len(d.out) >= len(bom) {
		d.unmarked = true
		if bytes.HasPrefix(d.out, []byte(bom)) { // what a mark is in UTF-7 or GB 18030
			d.out = d.out[len(bom):]
			for i := range d.misfits {
				d.misfits[i].at -= len(bom)
			}
		}
	}
	d.report()
	return nil
}

// begin looks at the first bytes. A byte order mark is removed, and determines the order of
// the bytes even against the name of the encoding.
func (d *decoding) begin() {
	d.begun = true
	name, n := byteOrderMark(d.in)
	if n == 0 || !wide(d.c.name) || !wide(name) {
		return
	}
	if name == "utf-32le" && d.c.name[:6] == "utf-16" {
		name, n = "utf-16le", 2 // a NUL after the mark is the smaller evil
	}
	if d.c.name[:6] == name[:6] {
		d.in = d.in[:copy(d.in, d.in[n:])]
		d.c = charset{name: name}
		d.dec = newDecoder(d.c)
	}
}

// report counts the misfits of the newest text and gives notice of them.
func (d *decoding) report() {
	d.bad += int64(len(d.misfits))
	if d.notice == nil {
		return
	}
	done := 0
	for _, m := range d.misfits {
		d.place.advance(d.out[done:m.at])
		done = m.at
		message := fmt.Sprintf("bytes that stand for no character in %s; U+FFFD is in their place", d.c.name)
		if m.raw >= 0 {
			message = fmt.Sprintf("0x%02X stands for no character in %s; U+FFFD is in its place", m.raw, d.c.name)
		}
		n := warning(fault.EncodingUndecodable, message)
		n.Pos = fault.Pos{Line: d.place.line, Column: d.place.column, Offset: d.place.offset}
		n.Excerpt = fault.Excerpt(around(d.out, m.at))
		d.notice(n)
	}
	d.place.advance(d.out[done:])
}

// around cuts the piece of a line around the place i, for an excerpt.
func around(text []byte, i int) []byte {
	from, to := max(0, i-40), min(len(text), i+40)
	if nl := bytes.LastIndexAny(text[from:i], "\r\n"); nl >= 0 {
		from += nl + 1
	}
	if nl := bytes.IndexAny(text[i:to], "\r\n"); nl >= 0 {
		to = i + nl
	}
	for from < i && !utf8.RuneStart(text[from]) {
		from++
	}
	for to > i && to < len(text) && !utf8.RuneStart(text[to]) {
		to--
	}
	return text[from:to]
}

// place is a place in the decoded text.
type place struct {
	line, column, offset int64
	afterCR              bool
}

func (p *place) advance(text []byte) {
	p.offset += int64(len(text))
	for len(text) > 0 {
		i := bytes.IndexByte(text, '\n')
		if cr := bytes.IndexByte(text, '\r'); cr >= 0 && (i < 0 || cr < i) {
			i = cr
		}
		switch {
		case i < 0:
			p.column += int64(utf8.RuneCount(text))
			p.afterCR = false
			return
		case i == 0 && text[0] == '\n' && p.afterCR: // the second half of CRLF
		default:
			p.line++
		}
		p.column = 1
		p.afterCR = text[i] == '\r'
		text = text[i+1:]
	}
}
