package jsontext

import (
	"bytes"
	"unicode/utf8"
)

// Stray is the length of what begins a line, outside of any value of JSON, and holds nothing that
// could be a statement. It ends at the next value on the line, or at the line's end. It is 0 if a
// value begins here. It is 0, too, if something in it may be what is left of a member or a triple.
//
// Such are signs (; . and the like), words of programs and of prose, the fences of Markdown, and tags.
// Names and values of JSON are known by a colon next to a quotation mark, or after the first name of
// the line. Of a line that is not whole, no more is taken than what is before a value.
func Stray(line []byte, whole bool) int { return scanStray(line, whole, false) }

// StrayMarks is Stray for what holds no word but in a tag or a fence: after a broken value words may be its rest.
func StrayMarks(line []byte, whole bool) int { return scanStray(line, whole, true) }

// stray is a line while it is scanned.
type stray struct {
	line  []byte
	at    int
	last  int // the last byte that can be seen, before at; -1 for none
	terms int // that triples have too
	bytes int // that are not UTF-8
}

// knownBytes is how many bytes that are not UTF-8 are too few to have been a statement.
const knownBytes = 4

func scanStray(line []byte, whole, marks bool) int {
	s := stray{line: line, last: -1}
	if !strays(line) {
		return 0
	}
	for s.at < len(line) {
		if n := isBlank(line[s.at:]); n > 0 {
			s.at += n
			continue
		}
		if s.begins() {
			break
		}
		n := s.piece(marks)
		if n == 0 {
			return 0
		}
		s.last = s.at + n - 1
		s.at += n
	}
	if end := s.last; end < 0 || !whole && s.at == len(line) || s.terms > 1 && bytes.IndexByte([]byte(".;,"), line[end]) >= 0 ||
		s.bytes > knownBytes {
		return 0
	}
	return s.last + 1
}

// before is the last byte that can be seen; 0 if there is none.
func (s *stray) before() byte {
	if s.last < 0 {
		return 0
	}
	return s.line[s.last]
}

// behind is the next byte that can be seen, from i on; 0 if there is none.
func (s *stray) behind(i int) byte {
	for i < len(s.line) {
		n := isBlank(s.line[i:])
		if n == 0 {
			return s.line[i]
		}
		i += n
	}
	return 0
}

// begins says that a value with brackets begins here.
func (s *stray) begins() bool {
	switch s.line[s.at] {
	case '{':
		b := s.behind(s.at + 1)
		// of a function, or after a condition
		block := s.before() == ')' || bytes.HasSuffix(s.line[:s.last+1], []byte("=>"))
		return !block || b == '"' || b == '}'
	case '[':
		if bytes.HasSuffix(s.line[:s.at], []byte("<![CDATA")) {
			return false
		}
		switch b := s.behind(s.at + 1); {
		case s.index() > 0:
			return false
		case b == 0, bytes.IndexByte([]byte("{[]\"'-,/#<.(`"), b) >= 0, '0' <= b && b <= '9', b >= utf8.RuneSelf:
			return true
		}
		return isWordAt(bytes.TrimLeft(s.line[s.at+1:], " \t"))
	}
	return false
}

// index is the length of an index of JavaScript that begins here: ["name"], or [0].
func (s *stray) index() int {
	if s.last != s.at-1 || s.last < 0 || !isNameByte(s.line[s.last]) && s.line[s.last] != ')' && s.line[s.last] != ']' {
		return 0
	}
	n := bytes.IndexByte(s.line[s.at:], ']') + 1
	if n < 3 || bytes.ContainsAny(s.line[s.at+1:s.at+n-1], "{}[]:,") {
		return 0
	}
	return n
}

// piece is the length of what is here; 0 if it may be part of a statement, or if it is a word, with marks.
func (s *stray) piece(marks bool) int {
	rest := s.line[s.at:]
	switch b := rest[0]; {
	case b == '<':
		return s.angle(rest)
	case b == '[' && s.index() > 0:
		return s.index()
	case b == '`' || b == '~':
		return fence(rest)
	case b == '"' || b == '\'':
		return s.quote()
	case b == ':':
		if s.named() {
			return 0
		}
		return 1
	case b == '_' && len(rest) > 2 && rest[1] == ':' && isNameByte(rest[2]):
		return 0
	case b == '@' && len(rest) > 1 && isNameByte(rest[1]):
		n := 1 + nameLength(rest[1:])
		if marks || s.behind(s.at+n) == ':' {
			return 0
		}
		return n
	case b != '-' && isNameByte(b):
		return s.word(rest, marks)
	case b < utf8.RuneSelf:
		return 1
	}
	r, size := utf8.DecodeRune(rest)
	switch {
	case r == utf8.RuneError:
		s.bytes++
	case marks && r != '…':
		return 0
	}
	return size
}

// quote is the length of a quotation mark; 0 next to a colon, where it may be of a name or value of JSON.
func (s *stray) quote() int {
	if s.before() == ':' || s.behind(s.at+1) == ':' {
		return 0
	}
	return 1
}

// fence is the length of the marks of Markdown with which rest begins; of three, with the name of a language.
func fence(rest []byte) int {
	n := len(rest) - len(bytes.TrimLeft(rest, string(rest[0])))
	if n > 2 {
		n += nameLength(rest[n:])
	}
	return n
}

// nameLength is the length of the name with which text begins; 0 if there is none.
func nameLength(text []byte) int {
	n := 0
	for n < len(text) && isNameByte(text[n]) {
		n++
	}
	return n
}

// word is the length of the word that begins here; of a name with a prefix as Turtle has them, that is a term.
func (s *stray) word(rest []byte, marks bool) int {
	n := nameLength(rest)
	if marks {
		return 0
	}
	if n+1 < len(rest) && rest[n] == ':' && isNameByte(rest[n+1]) && (rest[0] < '0' || rest[0] > '9') {
		s.terms++
	}
	return n
}

// named says that the colon here is between the name of a member and what may be its value. The name
// begins the line, or follows a comma or bracket.
func (s *stray) named() bool {
	from := s.last + 1
	for from > 0 && (isNameByte(s.line[from-1]) || s.line[from-1] == '@') {
		from--
	}
	if from > s.last {
		return false
	}
	before := bytes.TrimRight(s.line[:from], " \t")
	if len(before) > 0 && bytes.IndexByte([]byte(",{["), before[len(before)-1]) < 0 {
		return false
	}
	rest := bytes.TrimLeft(s.line[s.at+1:], " \t")
	if len(rest) == 0 {
		return false
	}
	b := rest[0]
	return bytes.IndexByte([]byte("{[\"'<"), b) >= 0 || b == '-' || '0' <= b && b <= '9' || isWordAt(rest)
}

// angle is the length of a tag, or of a sign of HTML or XML. It is 0 for what may be an IRI of Turtle.
func (s *stray) angle(rest []byte) int {
	for _, mark := range [...]string{"<!--", "<![CDATA["} {
		if bytes.HasPrefix(rest, []byte(mark)) {
			return len(mark)
		}
	}
	n := Tag(rest)
	switch {
	case n > 0:
		if !bytes.ContainsAny(rest[:n], "/! ") { // <a> may be an IRI of Turtle
			s.terms++
		}
		return n
	case len(rest) > 1 && !isSpace(rest[1]) && bytes.IndexByte(rest, '>') > 0:
		return 0
	}
	return 1
}

// TagAmong is the length of a tag of HTML at the beginning of the line, among the members or items of
// a value. The line ends after it, or JSON goes on there. What goes on begins no item with brackets,
// which may be the page's.
func TagAmong(line []byte) int {
	n := Tag(line)
	for i := n; n > 0 && i < len(line); {
		if size := isBlank(line[i:]); size > 0 {
			i += size
		} else if size = Tag(line[i:]); size > 0 {
			i += size
		} else if bytes.IndexByte([]byte(",}]\""), line[i]) >= 0 {
			break
		} else {
			return 0
		}
	}
	return n
}

// Tag is the length of the tag of HTML at the beginning of text; 0 if there is none. A name with a prefix is
// none of HTML.
func Tag(text []byte) int {
	if len(text) < 3 || text[0] != '<' {
		return 0
	}
	n := 1
	if text[n] == '/' || text[n] == '!' {
		n++
	}
	from := n
	n += tagNameLength(text[n:])
	if n == from || n == len(text) || text[n] != '>' && text[n] != '/' && !isSpace(text[n]) {
		return 0
	}
	for quote := byte(0); n < len(text); n++ {
		switch b := text[n]; {
		case quote != 0:
			if b == quote {
				quote = 0
			}
		case b == '"' || b == '\'':
			if text[n-1] != '=' {
				return 0
			}
			quote = b
		case b == '>':
			return n + 1
		case b == '<' || b == '\n' || b == '\r', b == '/' && n+1 < len(text) && text[n+1] != '>':
			return 0
		}
	}
	return 0
}

// tagNameLength is the length of the name of an element of HTML with which text begins; 0 if there is none.
func tagNameLength(text []byte) int {
	n := 0
	for n < len(text) && (isLetter(text[n]) || n > 0 && (isDigit(text[n]) || text[n] == '-')) {
		n++
	}
	return n
}

// strays says that a line may begin with what is stray. It does not begin with a sign of JSON, a
// comment, a string, a number or a word of JSON. Those are values, or the rest of one.
func strays(line []byte) bool {
	if len(line) == 0 {
		return false
	}
	end := 0
	switch b := line[0]; {
	case b == ',', b == ':', b == '{', b == '}', b == '[', b == '#', isSpace(b), b == '/' && len(line) > 1 &&
		(line[1] == '/' || line[1] == '*'):
		return false
	case b == ']':
		return bytes.HasPrefix(line, []byte("]]>"))
	case b == '"':
		for end = 1; end < len(line) && line[end] != '"'; end++ {
			if line[end] == '\\' {
				end++
			}
		}
		if end++; end > len(line) { // it has no end here
			return true
		}
	case b == '-' || isDigit(b):
		for end = 1; end < len(line) && (isDigit(line[end]) || bytes.IndexByte([]byte("+-.eE"), line[end]) >= 0); end++ {
		}
		if !isDigit(line[end-1]) {
			return true
		}
	default:
		if end = wordAt(line); end == 0 {
			return true
		}
	}
	s := stray{line: line}
	b := s.behind(end)
	return b != 0 && bytes.IndexByte([]byte(",:}]"), b) < 0
}

// Closes says that a line holds but signs, and one at least that JSON does not have, after a closing bracket.
func Closes(line []byte) bool {
	return len(line) > 0 && (line[0] == '}' || line[0] == ']') && len(bytes.Trim(line, "}]();., \t")) == 0 &&
		bytes.IndexAny(line, "();.") > 0
}

// IsString says that a line holds but a string.
func IsString(line []byte) bool {
	line = bytes.TrimRight(line, " \t")
	for i := 1; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case '"':
			return i == len(line)-1
		}
	}
	return false
}

// isWordAt says that text begins with true, false or null.
func isWordAt(text []byte) bool { return wordAt(text) > 0 }

func wordAt(text []byte) int {
	for _, word := range [...]string{"true", "false", "null"} {
		if n := len(word); bytes.HasPrefix(text, []byte(word)) && (len(text) == n || !isNameByte(text[n])) {
			return n
		}
	}
	return 0
}

func isLetter(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' }

func isDigit(b byte) bool { return '0' <= b && b <= '9' }

func isNameByte(b byte) bool { return isLetter(b) || isDigit(b) || b == '_' || b == '$' || b == '-' }
