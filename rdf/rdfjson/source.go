package rdfjson

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"unicode/utf8"

	"laundromat/internal/fault"
)

// source holds a window of the text. Places in it are offsets of the whole text.
type source struct {
	ctx    context.Context
	reader io.Reader
	window []byte
	origin int64 // of window[0]
	keep   int64 // the first byte that is still needed
	ended  bool
	err    error // of the reader or of ctx: the reading stops

	known   fault.Pos // the place up to which lines are counted
	afterCR bool
}

const firstWindow = 64 << 10

func newSource(ctx context.Context, reader io.Reader) *source {
	return &source{ctx: ctx, reader: reader, window: make([]byte, 0, firstWindow), known: fault.Pos{Line: 1, Column: 1}}
}

// at returns the byte at a place, or 0 and false after the end.
func (s *source) at(place int64) (byte, bool) {
	for place-s.origin >= int64(len(s.window)) {
		if !s.fill() {
			return 0, false
		}
	}
	return s.window[place-s.origin], true
}

// from is what is from a place on: up to n bytes of it.
func (s *source) from(place int64, n int) []byte {
	s.at(place + int64(n) - 1)
	b := s.window[min(place-s.origin, int64(len(s.window))):]
	return b[:min(n, len(b))]
}

// between is the text between two places, which is in the window.
func (s *source) between(from, to int64) []byte { return s.window[from-s.origin : to-s.origin] }

// fill reads more text after the window.
func (s *source) fill() bool {
	if s.ended || s.err != nil {
		return false
	}
	if err := s.ctx.Err(); err != nil {
		s.err = fmt.Errorf("read RDF/JSON: %w", err)
		return false
	}
	if len(s.window) == cap(s.window) {
		s.know(s.keep)
		kept := s.window[s.keep-s.origin:]
		room := s.window[:0]
		if len(kept) > cap(s.window)/2 {
			room = make([]byte, 0, 2*cap(s.window))
		}
		s.window, s.origin = append(room, kept...), s.keep
	}
	for range 100 {
		n, err := s.reader.Read(s.window[len(s.window):cap(s.window)])
		s.window = s.window[:len(s.window)+n]
		switch {
		case err == io.EOF:
			s.ended = true
		case err != nil:
			s.err = fmt.Errorf("read RDF/JSON: %w", err)
		}
		if n > 0 || err != nil {
			return n > 0
		}
	}
	s.err = fmt.Errorf("read RDF/JSON: %w", io.ErrNoProgress)
	return false
}

// know counts lines and columns up to a place in the window.
func (s *source) know(place int64) {
	for _, b := range s.between(min(s.known.Offset, place), place) {
		switch {
		case b == '\n' && s.afterCR:
		case b == '\n' || b == '\r':
			s.known.Line++
			s.known.Column = 1
		case utf8.RuneStart(b):
			s.known.Column++
		}
		s.afterCR = b == '\r'
	}
	s.known.Offset = max(s.known.Offset, place)
}

// pos is the place as people count it. It must not lie before the last one asked for.
func (s *source) pos(place int64) fault.Pos {
	s.know(place)
	return s.known
}

// excerpt shows the text from a place to the end of its line.
func (s *source) excerpt(place int64) []byte {
	b := s.from(place, fault.MaxExcerpt+10)
	if i := bytes.IndexAny(b, "\r\n"); i > 0 {
		b = b[:i]
	}
	return b
}

// farSpace is how much white space is looked over for what is after it.
const farSpace = 4 << 10

// space is the place of the next byte that is no white space, from a place on. If there is very much
// white space, it is a place in that.
func (s *source) space(place int64) int64 {
	for end := place + farSpace; place < end; {
		if s.isSpace(place) {
			place++
		} else if f := s.filler(place); f.size > 0 {
			place += f.size
		} else {
			break
		}
	}
	return place
}

func (s *source) isSpace(place int64) bool {
	b, ok := s.at(place)
	return ok && (b == ' ' || b == '\t' || b == '\n' || b == '\r')
}
