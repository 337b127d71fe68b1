package jsonread

import (
	"bytes"
	"unicode/utf8"

	"laundromat/internal/fault"
	"laundromat/markup/jsontext"
)

// filler is something between two tokens that says nothing, where JSON knows only white space. It is a
// comment as JavaScript or YAML has them, or a character that can't be seen. Or it is a tag of HTML,
// or a backslash at the end of a line. Nothing of the data is lost with it, so that it costs no
// statement.
type filler struct {
	size int // in bytes; 0 for none
	code fault.Code
}

// commentBytes is how long a comment between /* and */ may be.
const commentBytes = 64 << 10

// told is the message that tells of a filler.
func (f filler) told() string {
	switch f.code {
	case fault.JSONComment:
		return "JSON has no comments; this one was left out"
	case fault.JSONStray:
		return "this isn't JSON, and holds no statement; it was left out"
	}
	return "a mark that can't be seen is before this; it was ignored"
}

// fillerAt finds the one that begins at the n-th byte from here. It ends at the end of a text of one
// line, and before that of the text if inside: so many brackets are open.
func (s *source) fillerAt(n int, oneLine, inside bool) filler {
	b, ok := s.ahead(n)
	switch {
	case !ok || !mayFill[b]:
		return filler{}
	case !inside && (b == '<' || isSign(b)):
		// what is stray there, see stray
		return filler{}
	case isSign(b) || b == ellipsis[0] && s.grain(n) > 0:
		return filler{s.grain(n), fault.JSONStray}
	case b < ' ' || b >= 0x7F:
		return filler{s.unseen(n), fault.SyntaxUnseen}
	case b == '<':
		return filler{s.tag(n), fault.JSONStray}
	case !s.apart(n):
		return filler{}
	case b == '\\':
		return filler{s.backslash(n), fault.JSONStray}
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

// hash says that the sign # begins a comment, and no fragment, colour or the like without its
// quotation marks. A blank or another sign follows, or it begins a line of words.
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

// mayFill holds the bytes with which something begins that says nothing.
var mayFill = func() (all [256]bool) {
	for b := range all {
		all[b] = b < ' ' && b != '\t' && b != '\n' && b != '\r' || b >= 0x7F
	}
	for _, b := range []byte("/#<\\.;()`") {
		all[b] = true
	}
	return all
}()

// unseenBytes is how many bytes of marks that can't be seen are taken at once.
const unseenBytes = 64 << 10

// unseen is the length of marks that can't be seen, and that JSON does not count as white space.
func (s *source) unseen(n int) int {
	for from := n; ; {
		s.ahead(n + utf8.UTFMax)
		rest := s.window[min(s.at+n, len(s.window)):]
		size := jsontext.Unseen(rest[:min(len(rest), unseenBytes)])
		if n += size; size == 0 || n-from >= unseenBytes {
			return n - from
		}
	}
}

// tag is the length of a tag of HTML, such as programs put between lines that they take for text.
// Behind a colon it may be the value, unless one follows. Behind a quotation mark it may be in a
// string, unless what ends a value follows.
func (s *source) tag(n int) int {
	before := s.seenBefore(n)
	line, _ := s.lineFrom(n)
	size := jsontext.TagAmong(line)
	if size == 0 || before != ':' && s.apart(n) {
		return size
	}
	next, ok := s.seenFrom(n + size)
	switch {
	case before == ':' && (next == '{' || next == '[' || next == '"' || next == '-' || '0' <= next && next <= '9'):
		return size
	case before != ':' && (!ok && !s.long || next == ',' || next == '}' || next == ']'):
		return size
	}
	return 0
}

// seenBefore is the last byte before the n-th from here that is no white space, as far as the text is held; 0
// for none.
func (s *source) seenBefore(n int) byte {
	for i := s.at + n - 1; i >= 0; i-- {
		if b := s.window[i]; b != ' ' && b != '\t' && b != '\n' && b != '\r' {
			return b
		}
	}
	return 0
}

// seenFrom is the first byte from the n-th from here on that is no white space; false behind the end, and where
// that is far.
func (s *source) seenFrom(n int) (byte, bool) {
	for end := n + nearBytes; n < end; n++ {
		if b, ok := s.ahead(n); !ok {
			break
		} else if b != ' ' && b != '\t' && b != '\n' && b != '\r' {
			return b, true
		}
	}
	return 0, false
}

const ellipsis = "…"

// grain is the length of signs behind a value with brackets, before what can follow it. Or it is that
// of the three dots of one who left items out, with the comma behind them where there is one before.
func (s *source) grain(n int) int {
	end, dots, semicolon := s.signs(n)
	before := s.seenBefore(n)
	next, _ := s.seenFrom(end)
	follows := next == ',' || next == '}' || next == ']'
	switch {
	case semicolon && next != ',': // which it may stand for
		return 0
	case follows && (before == '}' || before == ']'):
		return end - n
	case dots < 3 || before != ',' && before != '[' && before != '{':
	case next == ',':
		for b := byte(0); b != ','; end++ {
			b, _ = s.ahead(end)
		}
		return end - n
	case follows || next == '{' || next == '[':
		return end - n
	}
	return 0
}

// isSign says that a byte is a sign that may be behind a value and says nothing.
func isSign(b byte) bool { return b == '.' || b == ';' || b == '(' || b == ')' || b == '`' }

// signs passes over signs from the n-th byte from here on. It counts the dots among them, three for an
// ellipsis, and says whether there is a semicolon.
func (s *source) signs(n int) (end, dots int, semicolon bool) {
	const most = 64
	for end = n; end < n+most; end++ {
		b, _ := s.ahead(end)
		if b == ellipsis[0] {
			s.ahead(end + len(ellipsis))
			if !bytes.HasPrefix(s.window[min(s.at+end, len(s.window)):], []byte(ellipsis)) {
				break
			}
			end, dots = end+len(ellipsis)-1, dots+3
			continue
		}
		if !isSign(b) {
			break
		}
		if semicolon = semicolon || b == ';'; b == '.' {
			dots++
		}
	}
	return end, dots, semicolon
}

// backslash is the length of one at the end of a line.
func (s *source) backslash(n int) int {
	for end := n + 1; ; end++ {
		if b, ok := s.ahead(end); !ok || b != ' ' && b != '\t' {
			return jsontext.Backslash(s.window[s.at+n:min(s.at+end+1, len(s.window))], !ok && !s.long)
		}
	}
}

// lineFrom is the text from the n-th byte from here on, to the end of its line. It is a part of it, if
// that is far.
func (s *source) lineFrom(n int) (line []byte, whole bool) {
	for {
		line = s.window[min(s.at+n, len(s.window)):]
		line = line[:min(len(line), nearBytes)]
		if end := bytes.IndexByte(line, '\n'); end >= 0 {
			line, whole = line[:end], true
		}
		if end := bytes.IndexByte(line, '\r'); end >= 0 {
			line, whole = line[:end], true
		}
		if whole || len(line) == nearBytes {
			return line, whole
		}
		if !s.fill() {
			return line, !s.long
		}
	}
}

// strayBytes is how long what is stray may be, and is told of once.
const strayBytes = 64 << 10

// stray is the length of what begins at the n-th byte from here, where no value is open, and holds no
// statement. It is on one line or on several. With marks, words may hold one.
func (s *source) stray(n int, oneLine, marks bool) (size int) {
	take := jsontext.Stray
	if marks {
		take = jsontext.StrayMarks
	}
	for at := n; at < n+strayBytes; {
		part := take(s.lineFrom(at))
		if part == 0 {
			break
		}
		at += part
		if size = at - n; oneLine {
			break
		}
		for b, ok := s.ahead(at); ok && (b == ' ' || b == '\t' || b == '\n' || b == '\r'); b, ok = s.ahead(at) {
			if at++; at >= n+strayBytes {
				break
			}
		}
	}
	return size
}
