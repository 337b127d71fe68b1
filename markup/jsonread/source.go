package jsonread

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"unicode/utf8"

	"laundromat/internal/fault"
)

// source holds a window of the text, and knows where it is in the whole.
type source struct {
	ctx    context.Context
	reader io.Reader
	reread io.Reader // text that tee has already, and that comes first; nil if there is none
	tee    *spool    // takes what is read, if there is one
	window []byte
	at     int // the next byte, in window
	keep   int // the first byte that is still needed, in window; -1 for none
	ended  bool
	err    error // of the reader or of ctx: the reading stops

	known    fault.Pos // the place of window[knownAt]
	knownAt  int
	afterCR  bool   // the byte before window[knownAt] was a CR
	maxBytes int64  // how much may be kept
	long     bool   // more than that was to be kept, so that no more was read
	format   string // the name of what is read, for errors

	openFrom, openTo int64 // offsets between which no comment ends that begins there
}

// lookback is how much text before the present place is held: for excerpts, and to
// know what stands before on the line.
const lookback = fault.MaxExcerpt

func newSource(ctx context.Context, reader io.Reader, maxBytes int64, format string) *source {
	return &source{ctx: ctx, reader: reader, keep: -1, maxBytes: maxBytes, format: format,
		known: fault.Pos{Line: 1, Column: 1}}
}

// mark is a place that can be gone back to while the text from there on is kept.
type mark struct {
	pos     fault.Pos
	afterCR bool
}

// mark keeps the text from here on.
func (s *source) mark() mark {
	s.know(s.at)
	s.keep = s.at
	return mark{s.known, s.afterCR}
}

// rewind goes back to the mark, which must be the last that was made.
func (s *source) rewind(m mark) {
	s.at, s.known, s.knownAt, s.afterCR, s.long = s.keep, m.pos, s.keep, m.afterCR, false
}

// release lets go of the text before the present place.
func (s *source) release() { s.keep, s.long = -1, false }

// peek returns the next byte without taking it; false at the end of the text.
func (s *source) peek() (byte, bool) {
	if s.at < len(s.window) || s.fill() {
		return s.window[s.at], true
	}
	return 0, false
}

// ahead returns the n-th byte from here without taking any; false behind the end.
func (s *source) ahead(n int) (byte, bool) {
	for s.at+n >= len(s.window) {
		if !s.fill() {
			return 0, false
		}
	}
	return s.window[s.at+n], true
}

// fill reads more text behind the window.
func (s *source) fill() bool {
	if s.ended || s.err != nil {
		return false
	}
	if err := s.ctx.Err(); err != nil {
		s.err = fmt.Errorf("read %s: %w", s.format, err)
		return false
	}
	room := int64(1) << 62
	if s.keep >= 0 {
		if room = s.maxBytes - int64(len(s.window)-s.keep); room <= 0 {
			s.long = true
			return false
		}
	}
	if len(s.window) == cap(s.window) {
		s.shift()
	}
	if len(s.window) == cap(s.window) {
		longer := make([]byte, len(s.window), max(64<<10, 2*cap(s.window)))
		copy(longer, s.window)
		s.window = longer
	}
	for range 100 {
		space := s.window[len(s.window):cap(s.window)]
		space = space[:min(int64(len(space)), room)]
		from, again := s.reader, s.reread != nil
		if again {
			from = s.reread
		}
		n, err := from.Read(space)
		s.window = s.window[:len(s.window)+n]
		switch {
		case err == io.EOF && again:
			s.reread, err = nil, nil
		case err == io.EOF:
			s.ended = true
		case err != nil:
			s.err = fmt.Errorf("read %s: %w", s.format, err)
		}
		if n > 0 && s.tee != nil && !again {
			if err := s.tee.write(space[:n]); err != nil {
				s.err = err
				return false
			}
		}
		if n > 0 {
			return true
		}
		if err != nil {
			return false
		}
	}
	s.err = fmt.Errorf("read %s: %w", s.format, io.ErrNoProgress)
	return false
}

// shift lets go of the text that is not needed any more.
func (s *source) shift() {
	n := s.at
	if s.keep >= 0 {
		n = s.keep
	}
	n = max(0, n-lookback)
	for n > 0 && !utf8.RuneStart(s.window[n]) {
		n--
	}
	if n == 0 {
		return
	}
	if n > s.knownAt {
		s.know(n)
	}
	s.window = s.window[:copy(s.window, s.window[n:])]
	s.at -= n
	s.knownAt -= n
	if s.keep >= 0 {
		s.keep -= n
	}
}

// offset is the number of bytes before the present place.
func (s *source) offset() int64 { return s.known.Offset + int64(s.at-s.knownAt) }

// pos is the present place. It must not lie before the last place asked for.
func (s *source) pos() fault.Pos {
	s.know(s.at)
	return s.known
}

// know counts lines and columns up to window[to].
func (s *source) know(to int) {
	s.afterCR = advance(&s.known, s.window[s.knownAt:to], s.afterCR)
	s.knownAt = to
}

// advance moves a place over text that was passed, and says whether that ends with a
// CR; afterCR says so of what stands before it.
func advance(pos *fault.Pos, passed []byte, afterCR bool) bool {
	pos.Offset += int64(len(passed))
	for i := 0; i < len(passed); {
		if n := plainBytes(passed[i:]); n > 0 {
			pos.Column += int64(n)
			afterCR = false
			i += n
			continue
		}
		b := passed[i]
		switch {
		case b == '\n' && afterCR:
		case b == '\n' || b == '\r':
			pos.Line++
			pos.Column = 1
		case b < utf8.RuneSelf:
			pos.Column++
		default:
			_, size := utf8.DecodeRune(passed[i:])
			i += size - 1
			pos.Column++
		}
		afterCR = b == '\r'
		i++
	}
	return afterCR
}

// plainBytes is how many of the first bytes, counted in eights, are printable ASCII.
func plainBytes(b []byte) (n int) {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	for ; n+8 <= len(b); n += 8 {
		x := binary.LittleEndian.Uint64(b[n:])
		if (x|(x-0x20*ones))&high != 0 { // a byte above 0x7F or, maybe beside others, below 0x20
			break
		}
	}
	return n
}

// around shows the text around window[at], from the start of its line.
func (s *source) around(at int) string {
	at = max(0, min(at, len(s.window)))
	from := max(0, at-lookback/2)
	for from < at && !utf8.RuneStart(s.window[from]) {
		from++
	}
	for i := at - 1; i >= from; i-- {
		if s.window[i] == '\n' || s.window[i] == '\r' {
			from = i + 1
			break
		}
	}
	to := min(len(s.window), at+lookback)
	for i := at; i < to; i++ {
		if s.window[i] == '\n' || s.window[i] == '\r' {
			to = i
		}
	}
	return fault.Excerpt(s.window[from:to])
}

// lineAt says whether only space is before window[at] on its line, and in which column the first token
// on it is. The column is 0 if that is too far away.
func (s *source) lineAt(at int) (first bool, indent int64) {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	i, least := at, max(0, at-lookback)
	for ; i-8 >= least; i -= 8 { // lines may be long, and have many members
		word := binary.LittleEndian.Uint64(s.window[i-8:])
		newlines, returns := word^'\n'*ones, word^'\r'*ones
		if ((newlines-ones)&^newlines|(returns-ones)&^returns)&high != 0 {
			break // one of them is zero
		}
	}
	for i > least && s.window[i-1] != '\n' && s.window[i-1] != '\r' {
		i--
	}
	if i == least && (i > 0 || s.known.Offset != int64(s.knownAt)) {
		return false, 0
	}
	indent = 1
	for ; i < at && (s.window[i] == ' ' || s.window[i] == '\t'); i++ {
		indent++
	}
	return i == at, indent
}

// space passes over white space.
func (s *source) space() {
	for {
		for s.at < len(s.window) {
			switch s.window[s.at] {
			case ' ', '\t', '\n', '\r':
				s.at++
			default:
				return
			}
		}
		if !s.fill() {
			return
		}
	}
}
