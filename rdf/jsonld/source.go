package jsonld

import (
	"context"
	"fmt"
	"io"
	"unicode/utf8"

	"laundromat/internal/fault"
)

// source holds a window of the text, and knows where it is in the whole.
type source struct {
	ctx    context.Context
	reader io.Reader
	window []byte
	at     int // the next byte, in window
	keep   int // the first byte that a token being read still needs; -1 for none
	ended  bool
	err    error // of the reader, of ctx, or of the limit: the reading stops

	known    fault.Pos // the place of window[knownAt]
	knownAt  int
	afterCR  bool // the byte before window[knownAt] was a CR
	began    int64
	maxBytes int64 // the longest value read whole
}

// lookback is how much text before the present place is held for excerpts.
const lookback = fault.MaxExcerpt

func newSource(ctx context.Context, reader io.Reader, maxBytes int64) *source {
	return &source{ctx: ctx, reader: reader, keep: -1, maxBytes: maxBytes,
		known: fault.Pos{Line: 1, Column: 1}}
}

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
		s.err = fmt.Errorf("read JSON-LD: %w", err)
		return false
	}
	if s.offset()-s.began > s.maxBytes {
		s.err = tooLong(s.maxBytes)
		return false
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
		n, err := s.reader.Read(s.window[len(s.window):cap(s.window)])
		s.window = s.window[:len(s.window)+n]
		if err == io.EOF {
			s.ended = true
		} else if err != nil {
			s.err = fmt.Errorf("read JSON-LD: %w", err)
		}
		if n > 0 {
			return true
		}
		if err != nil {
			return false
		}
	}
	s.err = fmt.Errorf("read JSON-LD: %w", io.ErrNoProgress)
	return false
}

// shift lets go of the text that is not needed any more.
func (s *source) shift() {
	n := max(0, s.at-lookback)
	if s.keep >= 0 {
		n = min(n, s.keep)
	}
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
	passed := s.window[s.knownAt:to]
	s.known.Offset += int64(len(passed))
	s.knownAt = to
	for i := 0; i < len(passed); {
		b := passed[i]
		switch {
		case b == '\n' && s.afterCR:
		case b == '\n' || b == '\r':
			s.known.Line++
			s.known.Column = 1
		case b < utf8.RuneSelf:
			s.known.Column++
		default:
			_, size := utf8.DecodeRune(passed[i:])
			i += size - 1
			s.known.Column++
		}
		s.afterCR = b == '\r'
		i++
	}
}

// excerpt shows the text around the present place, from the start of its line.
func (s *source) excerpt() string {
	from := max(0, s.at-lookback/2)
	for from < s.at && !utf8.RuneStart(s.window[from]) {
		from++
	}
	for i := s.at - 1; i >= from; i-- {
		if s.window[i] == '\n' || s.window[i] == '\r' {
			from = i + 1
			break
		}
	}
	to := min(len(s.window), s.at+lookback)
	for i := s.at; i < to; i++ {
		if s.window[i] == '\n' || s.window[i] == '\r' {
			to = i
		}
	}
	return fault.Excerpt(s.window[from:to])
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
