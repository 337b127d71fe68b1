package page

import (
	"bytes"
	"strings"

	"golang.org/x/net/html"
)

// textScanner cuts a page into the tokens that the tokenizer of the HTML parser gives. It is many times as
// fast, for it looks at no names of attributes. A test compares the two.
type textScanner struct {
	source []byte
	at     int // behind the present token

	kind     html.TokenType
	from, to int    // of the present token
	nameEnd  int    // of the name of a tag, which begins behind < or </
	raw      string // the element whose text comes next, if that has no tags in it
	isRaw    bool   // the present text is one without references
	hasAttrs bool   // something stands behind the name of a start tag
	selfEnds bool   // the tag ends with /> of which the slash is no part of a value
	valueEnd int    // of the last value without quotation marks
	xml      bool   // a document type may declare entities
	noRaw    bool   // no element holds text without tags
	// framesRaw says that what is for browsers without frames is text without tags, as the parser has it.
	framesRaw bool
	prefix    string   // with its colon, that of elements of XHTML
	rawFrom   int      // where the tag of raw stands
	mends     *rawEnds // nil if elements end where the parser has them end
}

// rawText are the elements that hold text without tags. Those of a page's title and of textarea may hold references.
var rawText = set("iframe", "noembed", "script", "style", "textarea", "title", "xmp", "plaintext")

// next finds the next token. It is of kind ErrorToken at the end of the page; that of a tag that
// the end cuts off is too.
func (s *textScanner) next() html.TokenType {
	s.from, s.isRaw, s.hasAttrs = s.at, false, false
	if s.raw != "" {
		raw := s.raw
		s.raw = ""
		end := 0
		if s.mends != nil {
			end = s.mendedEnd(raw)
		} else {
			end = s.rawEnd(raw)
		}
		if end > s.at {
			s.isRaw = raw != "title" && raw != "textarea"
			return s.token(html.TextToken, end)
		}
	}
	if s.at >= len(s.source) && !s.leaveNoscript() {
		return s.token(html.ErrorToken, s.at)
	}
	if i := s.markup(s.at); i > s.at {
		return s.token(html.TextToken, i)
	}
	if s.at+2 == len(s.source) && s.source[s.at+1] == '/' {
		return s.token(html.TextToken, s.at+2)
	}
	switch c := s.source[s.at+1]; {
	case isLetter(c):
		s.nameEnd = s.tagName(s.at + 1)
		end, ok := s.tagEnd(s.nameEnd)
		if !ok && s.cutInNoscript() {
			return s.token(html.CommentToken, end)
		}
		if !ok {
			return s.token(html.ErrorToken, end)
		}
		s.hasAttrs = len(bytes.Trim(s.source[s.nameEnd:end-1], " \t\r\n\f/")) > 0
		s.token(html.StartTagToken, end)
		s.expectRaw()
		return s.kind
	case c == '/':
		return s.endTag()
	case c == '!' && bytes.HasPrefix(s.source[s.at:], []byte("<!--")):
		return s.token(html.CommentToken, s.commentEnd(s.at+len("<!--")))
	case c == '!' && s.isDoctype():
		return s.token(html.DoctypeToken, s.doctypeEnd(s.at))
	}
	return s.token(html.CommentToken, s.angle(s.at+2))
}

func (s *textScanner) nextTag() (html.TokenType, []byte) {
	kind := s.next()
	if kind == html.StartTagToken && s.selfEnds {
		kind = html.SelfClosingTagToken
	}
	return kind, s.source[s.from:s.to]
}

// tag is the name of the present tag, as it is written but for the prefix of XHTML.
func (s *textScanner) tag() []byte {
	name := s.source[s.from+1 : s.nameEnd]
	if s.kind == html.EndTagToken {
		name = name[1:]
	}
	if s.prefix != "" && len(name) > len(s.prefix) && string(name[:len(s.prefix)]) == s.prefix {
		name = name[len(s.prefix):]
	}
	return name
}

// xhtmlPrefix is the prefix of the elements of XHTML, with its colon, where the page gives them one.
func xhtmlPrefix(source []byte) string {
	const space = "http://www.w3.org/1999/xhtml"
	for from := 0; ; {
		n := bytes.Index(source[from:], []byte(space))
		if n < 0 {
			break
		}
		head := bytes.TrimRight(source[max(0, from+n-64):from+n], "\"' =\n\r\t")
		if i := bytes.LastIndex(head, []byte("xmlns:")); i >= 0 && !bytes.ContainsAny(head[i:], " \t\r\n\"'=<>") {
			return string(head[i+len("xmlns:"):]) + ":"
		}
		from += n + len(space)
	}
	// What is part of a feed has its prefixes from that.
	for _, prefix := range []string{"xhtml:", "html:"} {
		if bytes.Contains(source, []byte("<"+prefix)) {
			return prefix
		}
	}
	return ""
}

func (s *textScanner) token(kind html.TokenType, end int) html.TokenType {
	s.kind, s.to, s.at = kind, end, end
	return kind
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// markup is where the next tag, comment or the like begins; the end of the page if none does.
func (s *textScanner) markup(from int) int {
	for {
		n := bytes.IndexByte(s.source[from:], '<')
		if n < 0 || from+n+1 >= len(s.source) {
			return len(s.source)
		}
		from += n
		if c := s.source[from+1]; isLetter(c) || c == '/' || c == '!' || c == '?' {
			return from
		}
		from++
	}
}

func (s *textScanner) endTag() html.TokenType {
	switch c := s.source[s.at+2]; {
	case c == '>':
		return s.token(html.CommentToken, s.at+3)
	case isLetter(c):
		s.nameEnd = s.tagName(s.at + 2)
		end, ok := s.tagEnd(s.nameEnd)
		if !ok && s.cutInNoscript() {
			return s.token(html.CommentToken, end)
		}
		if !ok {
			return s.token(html.ErrorToken, end)
		}
		return s.token(html.EndTagToken, end)
	}
	return s.token(html.CommentToken, s.angle(s.at+2))
}

func (s *textScanner) tagName(i int) int {
	for i < len(s.source) && !endsName(s.source[i]) {
		i++
	}
	return i
}

func endsName(c byte) bool { return isBlank(c) || c == '/' || c == '>' }

func isBlank(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\f' }

func (s *textScanner) skipBlank(i int) int {
	for i < len(s.source) && isBlank(s.source[i]) {
		i++
	}
	return i
}

// tagEnd is where the tag ends whose name ends before i; not ok if the page ends within it.
func (s *textScanner) tagEnd(i int) (end int, ok bool) {
	s.valueEnd = -1
	for i = s.skipBlank(i); i < len(s.source); i = s.skipBlank(i) {
		if s.source[i] == '>' {
			s.selfEnds = s.source[i-1] == '/' && s.valueEnd != i
			return i + 1, true
		}
		i = s.attr(i)
	}
	return len(s.source), false
}

// attr is behind the attribute that begins at i.
func (s *textScanner) attr(i int) int {
	start := i
	for i < len(s.source) && !endsName(s.source[i]) && (s.source[i] != '=' || i == start) {
		i++
	}
	i = s.skipBlank(i)
	if i >= len(s.source) {
		return i
	}
	switch s.source[i] {
	case '/':
		return i + 1
	case '=':
		i = s.skipBlank(i + 1)
	default:
		return i
	}
	if i >= len(s.source) || s.source[i] == '>' {
		return i
	}
	if q := s.source[i]; q == '"' || q == '\'' {
		n := bytes.IndexByte(s.source[i+1:], q)
		if n < 0 {
			return len(s.source)
		}
		return i + n + 2
	}
	for i < len(s.source) && !isBlank(s.source[i]) && s.source[i] != '>' {
		i++
	}
	s.valueEnd = i
	return i
}

// angle is behind the next angle bracket.
func (s *textScanner) angle(i int) int {
	if i >= len(s.source) {
		return len(s.source)
	}
	if n := bytes.IndexByte(s.source[i:], '>'); n >= 0 {
		return i + n + 1
	}
	return len(s.source)
}

// commentEnd is behind the comment whose text begins at i.
func (s *textScanner) commentEnd(i int) int {
	switch rest := s.source[i:]; {
	case bytes.HasPrefix(rest, []byte(">")):
		return i + 1
	case bytes.HasPrefix(rest, []byte("->")):
		return i + 2
	}
	for from := i; ; {
		n := bytes.IndexByte(s.source[from:], '>')
		if n < 0 {
			return len(s.source)
		}
		from += n + 1
		if text := s.source[i : from-1]; bytes.HasSuffix(text, []byte("--")) || bytes.HasSuffix(text, []byte("--!")) {
			return from
		}
	}
}

func (s *textScanner) isDoctype() bool {
	const name = "doctype"
	rest := s.source[s.at+2:]
	return len(rest) >= len(name) && bytes.EqualFold(rest[:len(name)], []byte(name))
}

// doctypeEnd is behind a document type; in XML behind what it declares too.
func (s *textScanner) doctypeEnd(from int) int {
	end := s.angle(from + len("<!DOCTYPE"))
	if !s.xml {
		return end
	}
	if n := bytes.IndexByte(s.source[from:end], '['); n < 0 {
		return end
	}
	if n := bytes.Index(s.source[from:], []byte("]>")); n >= 0 {
		return from + n + len("]>")
	}
	return end
}

// expectRaw notes that the present start tag is that of an element whose text has no tags.
func (s *textScanner) expectRaw() {
	name := s.tag()
	if s.noRaw || len(name) < 3 || len(name) > 9 {
		return
	}
	var lower [9]byte
	for i, c := range name {
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		lower[i] = c
	}
	if rawText[string(lower[:len(name)])] || s.framesRaw && string(lower[:len(name)]) == "noframes" {
		s.raw, s.rawFrom = string(lower[:len(name)]), s.from
	}
}

// rawEnd is where the text of an element ends: before its end tag, or with the page.
func (s *textScanner) rawEnd(name string) int {
	switch name {
	case "plaintext":
		return len(s.source)
	case "script":
		return s.scriptEnd()
	}
	for i := s.at; ; {
		n := bytes.Index(s.source[i:], []byte("</"))
		if n < 0 {
			return len(s.source)
		}
		i += n
		if s.isEndTag(i, name) {
			return i
		}
		i += 2
	}
}

// isEndTag says that the end tag of an element begins at i.
func (s *textScanner) isEndTag(i int, name string) bool {
	rest := s.source[i:]
	n := len("</") + len(name)
	return len(rest) > n && rest[0] == '<' && rest[1] == '/' && strings.EqualFold(string(rest[2:n]), name) && endsName(rest[n])
}

// scriptEnd is where the text of a script ends. In what looks like a comment a script may hold another,
// whose end tag ends not this one.
func (s *textScanner) scriptEnd() int {
	const plain, escaped, doubled = 0, 1, 2
	state := plain
	for i := s.at; i < len(s.source); i++ {
		if state == plain {
			n := bytes.IndexByte(s.source[i:], '<')
			if n < 0 {
				break
			}
			i += n
		}
		rest := s.source[i:]
		switch {
		case state == plain && bytes.HasPrefix(rest, []byte("<!--")):
			state = escaped
			i += 1 // its dashes may be those that end it
		case state != plain && bytes.HasPrefix(rest, []byte("-->")):
			state = plain
			i += 2
		case state != doubled && s.isEndTag(i, "script"):
			return i
		case state == doubled && s.isEndTag(i, "script"):
			state = escaped
			i += len("</script")
		case state == escaped && len(rest) > len("<script") && strings.EqualFold(string(rest[:len("<script")]), "<script") &&
			endsName(rest[len("<script")]):
			state = doubled
			i += len("<script")
		}
	}
	return len(s.source)
}
