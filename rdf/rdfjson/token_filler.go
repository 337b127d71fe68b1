package rdfjson

import (
	"bytes"

	"laundromat/internal/fault"
	"laundromat/markup/jsontext"
)

// filler is what is between two tokens and says nothing, where JSON knows but white space. It is marks
// that can't be seen, comments, tags of HTML, and backslashes at line ends. No statement is lost with
// it.
type filler struct {
	size int64 // in bytes; 0 for none
	code fault.Code
}

// fillerBytes is how long one may be.
const fillerBytes = 4 << 10

// filler is the one that begins at a place.
func (s *source) filler(place int64) filler {
	b, ok := s.at(place)
	switch {
	case !ok || b > ' ' && b < 0x7F && !contains("/#<\\", b), b == ' ' || b == '\t' || b == '\n' || b == '\r':
		return filler{}
	case b == '<':
		line, _ := s.line(place)
		return filler{int64(jsontext.TagAmong(line)), fault.JSONStray}
	case b == '\\':
		line, whole := s.line(place)
		return filler{int64(jsontext.Backslash(line, whole)), fault.JSONStray}
	case b == '#':
		line, whole := s.line(place)
		if !whole || len(line) > 1 && !contains(" \t#!", line[1]) {
			return filler{}
		}
		return filler{int64(len(line)), fault.JSONComment}
	case b != '/':
		return filler{int64(jsontext.Unseen(s.from(place, fillerBytes))), fault.SyntaxUnseen}
	}
	switch c, _ := s.at(place + 1); c {
	case '/':
		if line, whole := s.line(place); whole {
			return filler{int64(len(line)), fault.JSONComment}
		}
	case '*':
		if end := bytes.Index(s.from(place, fillerBytes), []byte("*/")); end > 0 {
			return filler{int64(end + 2), fault.JSONComment}
		}
	}
	return filler{}
}

// line is what is from a place on, to the end of its line; or a part of it, if that is far.
func (s *source) line(place int64) (line []byte, whole bool) {
	line = s.from(place, fillerBytes)
	if end := bytes.IndexAny(line, "\r\n"); end >= 0 {
		return line[:end], true
	}
	return line, len(line) < fillerBytes
}

// strayAt is the length of what begins at a place outside of the object and holds no statement.
func (s *source) strayAt(place int64) int64 {
	line, whole := s.line(place)
	return int64(jsontext.Stray(line, whole))
}

// stray takes what begins at a place and says nothing, reports it, and returns its length.
func (p *parser) stray(place int64) int64 {
	f := p.filler(place)
	if b, _ := p.at(place); f.size == 0 && p.level == outside && b != '{' {
		f = filler{p.strayAt(place), fault.JSONStray}
	}
	if f.size == 0 {
		return 0
	}
	if p.unseenTo != place || place == 0 || f.code != fault.SyntaxUnseen {
		message := "this isn't JSON, and holds no statement; it was left out"
		switch f.code {
		case fault.JSONComment:
			message = "JSON has no comments; this one was left out"
		case fault.SyntaxUnseen:
			message = "a mark that can't be seen is before this; it was ignored"
		}
		n := fault.Notice{Code: f.code, Severity: fault.Repair, Pos: p.pos(place), Message: message,
			Excerpt: fault.Excerpt(p.excerpt(place)), Bytes: f.size}
		if p.base.Edits {
			n.Edits = []fault.Edit{{From: place, To: place + f.size, With: " "}}
		}
		p.to.Notice(n)
	}
	if p.unseenTo = 0; f.code == fault.SyntaxUnseen {
		p.unseenTo = place + f.size
	}
	return f.size
}
