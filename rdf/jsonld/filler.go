package jsonld

import (
	"bytes"
	"unicode/utf8"

	"laundromat/internal/fault"
)

// filler is something that stands between two tokens and says nothing, where JSON knows
// but white space: a comment as JavaScript or YAML has them, or a character that can't be
// seen. Nothing of the data is lost with it, so that it costs no statement.
type filler struct {
	size int // in bytes; 0 for none
	code fault.Code
}

// commentBytes is how long a comment between /* and */ may be.
const commentBytes = 64 << 10

// told is the message that tells of a filler.
func (f filler) told() string {
	if f.code == fault.JSONComment {
		return "JSON has no comments; this one was left out"
	}
	return "a mark that can't be seen stands before this; it was ignored"
}

// fillerAt finds the one that begins at the n-th byte from here, which ends at the end of a text
// of one line, and before that of the text if inside: so many brackets are open.
func (s *source) fillerAt(n int, oneLine, inside bool) filler {
	b, ok := s.ahead(n)
	switch {
	case !ok || b != '/' && b != '#' && b < utf8.RuneSelf:
		return filler{}
	case b >= utf8.RuneSelf:
		return filler{s.unseen(n), fault.SyntaxUnseen}
	case !s.apart(n):
		return filler{}
	}
	next, _ := s.ahead(n + 1)
	switch {
	case b == '/' && next == '*':
		return filler{s.block(n, oneLine), fault.JSONComment}
	case b == '/' && next == '/', b == '#' && s.hash(n):
		return filler{s.line(n, oneLine, inside), fault.JSONComment}
	}
	return filler{}
}

// apart says that what is at n is not joined to a string or name before it, of which it may be a part.
func (s *source) apart(n int) bool {
	if next, _ := s.ahead(n + 1); next == '*' {
		return true
	}
	if n += s.at - 1; n < 0 {
		return true
	}
	switch b := s.window[n]; b {
	case ' ', '\t', '\n', '\r', ',', '{', '}', '[', ']', '/':
		return true
	default: // behind a colon it may be the rest of an IRI
		return b >= utf8.RuneSelf // the end of a character that can't be seen
	}
}

// block is the length of a comment between /* and */.
func (s *source) block(n int, oneLine bool) int {
	from := s.offset() + int64(n)
	end := n + 3
	if s.openFrom <= from && from < s.openTo {
		from, end = s.openFrom, max(end, n+int(s.openTo-from))
	}
	for ; end < n+commentBytes; end++ {
		b, ok := s.ahead(end)
		if !ok || oneLine && (b == '\n' || b == '\r') {
			break
		}
		if last, _ := s.ahead(end - 1); b == '/' && last == '*' {
			return end + 1 - n
		}
	}
	s.openFrom, s.openTo = from, s.offset()+int64(end)
	return 0
}

// line is the length of a comment that ends with its line. The end of the text does not end one in
// which brackets stand that are missing then.
func (s *source) line(n int, oneLine, inside bool) int {
	closers, open, named := false, 0, false
	first, _ := s.lineAt(s.at + n)
	for end := n + 1; ; end++ {
		b, ok := s.ahead(end)
		switch {
		case ok && b != '\n' && b != '\r':
			switch b {
			case '{', '[':
				open++
			case '}', ']':
				closers = true
				if open--; open < 0 && named && inside && !first {
					return 0 // it is the rest of something
				}
			case ':':
				last, _ := s.ahead(end - 1)
				named = named || last == '"'
			}
			continue
		case !ok && s.long:
			return 0
		case inside && closers && (!ok || oneLine):
			return 0
		}
		return end - n
	}
}

// hash says that the sign # begins a comment, and no fragment, colour or the like without its quotation
// marks: a blank or another sign follows, or it begins a line of words.
func (s *source) hash(n int) bool {
	next, ok := s.ahead(n + 1)
	if !ok || bytes.IndexByte([]byte(" \t\r\n#!-=*\"'{}[],"), next) >= 0 {
		return true
	}
	if first, _ := s.lineAt(s.at + n); !first {
		return false
	}
	for end := n + 1; end < n+nearBytes; end++ {
		b, ok := s.ahead(end)
		if !ok || b == '\n' || b == '\r' {
			return false
		}
		if b == ' ' || b == '\t' {
			last, _ := s.ahead(end - 1)
			return last != ',' && last != ':'
		}
	}
	return false
}

// unseen is the length of byte order marks, spaces without width, and spaces that JSON does not count as such.
func (s *source) unseen(n int) int {
	for from := n; ; {
		s.ahead(n + 2)
		switch r, size := utf8.DecodeRune(s.window[min(s.at+n, len(s.window)):]); r {
		case 0xFEFF, 0x200B, 0xA0, 0x2028, 0x2029, 0x202F, 0x3000:
			n += size
		default:
			return n - from
		}
	}
}
