package jsonread

import (
	"bytes"
	"unicode/utf8"

	"laundromat/internal/fault"
)

// token is a piece of JSON that may be broken.
type token struct {
	kind     tokenKind
	first    bool // on its line
	noise    int  // bytes that mean nothing stand before it
	raw      bool // a string with control characters that stand for themselves
	bare     bool // a name without quotation marks
	single   bool // a string in apostrophes
	semi     bool // a semicolon in the place of a comma
	from, to int  // in the window, from the mark on
	pos      fault.Pos
	indent   int64  // the column of the first token on its line
	flaw     string // what is wrong with it
}

type tokenKind byte

const (
	tokenEnd    tokenKind = 0
	tokenText   tokenKind = '"'
	tokenNumber tokenKind = '0'
	tokenWord   tokenKind = 'w'
	tokenBroken tokenKind = '?' // no token of JSON, or half of one
	// Brackets, commas and colons are what they look like.
)

// cutInString is the flaw of a string that the end of the document cuts off.
const cutInString = "the document ends within a string"

// begins says that a value begins with the token.
func (t *token) begins() bool {
	switch t.kind {
	case tokenText, tokenNumber, tokenWord, '{', '[':
		return true
	}
	return false
}

// tokens cuts text that is not sound into tokens, from the mark of the parser on. Whether a quotation
// mark opens or closes a string is judged by what is on either side of it. So one that is missing
// costs its string and not the rest.
type tokens struct {
	*parser
	all     []token
	dropped int   // tokens that all does not hold any more
	next    int   // where the next token is looked for, from the mark on
	began   int64 // the offset of the mark
	pos     fault.Pos
	afterCR bool
	indent  int64
	fresh   bool // no token has been seen on this line
	oneLine bool // the text ends with the line
	home    int  // how many brackets there are around nodes that stand one after another
	around  int  // how many brackets there are around what is mended, at least home
	// row is the column in which a brace that begins a line begins one of these. The next one begins at
	// bound, from the mark on. It is 0 if that is not known.
	row   int64
	bound int
	// guessed: what follows tells where the next one is, and not lines; it may be further on than the value ends.
	guessed bool
	left    struct { // what leaves found last
		from, open int
		yes, sure  bool
	}
	fillers []place // that were passed and not told yet
	nested  int     // brackets that seem to be open
}

// place is where a filler stands, and before which token.
type place struct {
	filler
	before, from int
	pos          fault.Pos
}

// begin starts at the mark, which is at m.
func (t *tokens) begin(m mark) {
	t.all, t.dropped, t.next, t.began = t.all[:0], 0, 0, m.pos.Offset
	t.pos, t.afterCR = m.pos, m.afterCR
	t.fillers, t.nested = t.fillers[:0], 0
	t.fresh, t.indent = t.lineAt(t.keep)
}

// token is the i-th from the mark on. It is valid until the next call.
func (t *tokens) token(i int) *token {
	for i-t.dropped >= len(t.all) {
		if n := len(t.all); n > 0 && t.all[n-1].kind == tokenEnd {
			return &t.all[n-1]
		}
		t.all = append(t.all, t.cut())
	}
	return &t.all[i-t.dropped]
}

// forget lets go of the tokens before the i-th, but for some that may be asked for.
func (t *tokens) forget(i int) {
	if n := i - 8 - t.dropped; n > 1<<12 {
		t.all = append(t.all[:0], t.all[n:]...)
		t.dropped += n
	}
}

// bytes is the text of a token.
func (t *tokens) bytes(one *token) []byte { return t.window[t.keep+one.from : t.keep+one.to] }

// inside is the text of a string between its quotation marks.
func (t *tokens) inside(one *token) []byte {
	raw := t.bytes(one)
	if one.bare {
		return raw
	}
	return raw[1 : len(raw)-1]
}

// byte is the n-th from the mark on; 0 behind the end.
func (t *tokens) byte(n int) byte {
	for t.keep+n >= len(t.window) {
		if !t.fill() {
			return 0
		}
	}
	return t.window[t.keep+n]
}

// ends says that the text ends at n.
func (t *tokens) ends(n int) bool { t.byte(n); return t.keep+n >= len(t.window) }

// passTo moves the place where the next token is looked for.
func (t *tokens) passTo(n int) {
	t.afterCR = advance(&t.pos, t.window[t.keep+t.next:t.keep+n], t.afterCR)
	t.next = n
}

// cut makes the next token.
func (t *tokens) cut() token {
	n, noise, ended := t.passNothing()
	t.passTo(n)
	if ended {
		return token{kind: tokenEnd, from: n, to: n, pos: t.pos}
	}
	one := token{from: n, to: n + 1, first: t.fresh, pos: t.pos, noise: noise}
	if t.fresh {
		t.indent, t.fresh = t.pos.Column, false
	}
	one.indent = t.indent
	switch b := t.byte(n); {
	case t.ends(n):
		one.kind, one.to = tokenEnd, n
	case t.ofTemplate(&one):
	case bytes.IndexByte([]byte("{}[],:"), b) >= 0:
		switch one.kind = tokenKind(b); b {
		case '{', '[':
			t.nested++
		case '}', ']':
			t.nested--
		}
	case b == ';' && t.beforeMore(n) && t.rules.on(tokenSemicolon):
		one.kind, one.semi = ',', true
	case b == '"':
		t.quotedText(&one)
	case b == '-' || '0' <= b && b <= '9':
		for !t.bounds(one.to) {
			one.to++
		}
		if one.kind = tokenNumber; !isNumber(t.bytes(&one)) && string(t.bytes(&one)) != "-Infinity" {
			t.garbage(&one)
		}
	default:
		for b := t.byte(one.to); 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z'; b = t.byte(one.to) {
			one.to++
		}
		if one.kind = tokenWord; !isWord(t.bytes(&one)) || !t.bounds(one.to) {
			t.garbage(&one)
		}
	}
	t.passTo(one.to)
	return one
}

// passNothing looks for the next byte that means something, and counts those before it that mean nothing.
// If a text of one line ends there, ended is true.
func (t *tokens) passNothing() (n, noise int, ended bool) {
	for n = t.next; ; {
		b := t.byte(n)
		f := t.filler(n)
		if f.size == 0 && t.behindAll() {
			f = filler{t.stray(t.keep+n-t.at, t.oneLine, true), fault.JSONStray}
		}
		if f.size > 0 {
			t.passTo(n)
			t.fillers = append(t.fillers, place{f, t.dropped + len(t.all), n, t.pos})
			n += f.size
			continue
		}
		if size := t.noise(n); size > 0 {
			n, noise = n+size, noise+size
			continue
		}
		switch b {
		case '\n', '\r':
			if t.oneLine && len(t.all)+t.dropped > 0 {
				return n, noise, true
			}
			t.fresh = true
		case ' ', '\t':
		default:
			return n, noise, false
		}
		n++
	}
}

// behindAll says that no bracket is open, and that the last token closed one, or is a comma behind it.
func (t *tokens) behindAll() bool {
	if n := len(t.all); t.nested <= 0 && n > 0 {
		return t.all[n-1].kind == '}' || t.all[n-1].kind == ']' || t.all[n-1].kind == ','
	}
	return false
}

// bounds says that numbers and words end before what is at n.
func (t *tokens) bounds(n int) bool {
	return t.ends(n) || isBound(t.byte(n)) || t.unseenAt(t.keep+n-t.at, t.byte(n)) || t.byte(n) == ';' && t.beforeMore(n) ||
		t.byte(n) == '/' && t.byte(n+1) == '*'
}

func isWord(raw []byte) bool {
	switch string(raw) {
	case "true", "false", "null", "NaN", "Infinity":
		return true
	}
	return false
}

// noise is the length of a character at n that means nothing between tokens: a control character or a
// byte that is not UTF-8. It is 0 for any other.
func (t *tokens) noise(n int) int {
	switch b := t.byte(n); {
	case t.ends(n):
		return 0
	case b < 0x20 && b != '\t' && b != '\n' && b != '\r', b == 0x7F:
		return 1
	case b < 0x80:
		return 0
	}
	t.byte(n + 3)
	r, size := utf8.DecodeRune(t.window[t.keep+n:])
	if r == utf8.RuneError && size == 1 {
		return size
	}
	return 0
}

// nothing is the length of what is at n and means nothing or says nothing.
func (t *tokens) nothing(n int) int {
	if size := t.noise(n); size > 0 {
		return size
	}
	return t.filler(n).size
}

// filler is what begins at n and says nothing.
func (t *tokens) filler(n int) filler {
	f := t.source.fillerAt(t.keep+n-t.at, t.oneLine, t.nested > 0)
	if f.size > 0 && !t.rules.on(fillers) {
		return filler{}
	}
	return f
}

// nearBytes is how far the other end of a broken string is looked for, and what
// stands around a quotation mark.
const nearBytes = 4 << 10

// blank says that nothing stands at n.
func (t *tokens) blank(n int) bool {
	b := t.byte(n)
	return b == ' ' || b == '\t' || b == '\n' || b == '\r' || t.noise(n) > 0
}

// behindSpace is where the first byte stands that is no white space, from n on.
func (t *tokens) behindSpace(n int) int {
	for end := n + nearBytes; n < end && !t.ends(n); n++ {
		if t.blank(n) {
			continue
		}
		f := t.filler(n)
		if f.size == 0 {
			break
		}
		n += f.size - 1
		end += f.size
	}
	return n
}

// closing says that what follows the quotation mark at n follows strings: a comma,
// colon or bracket, or what stands behind one that is missing.
func (t *tokens) closing(n int) bool {
	n = t.behindSpace(n + 1)
	switch b := t.byte(n); {
	case t.follows(n), b == '{', b == '[':
		return true
	case b == ';':
		n = t.behindSpace(n + 1)
		return t.byte(n) == '}' || t.byte(n) == ']' || t.stringAt(n)
	case b == ')':
		switch n = t.behindSpace(n + 1); t.byte(n) {
		case '}', ']':
			return true
		case ',':
			return t.stringAt(t.behindSpace(n + 1))
		}
		return false
	case b == '"':
		return t.stringAt(n)
	case b == '-' || '0' <= b && b <= '9' || b == 't' || b == 'f' || b == 'n':
		from := n
		for ; n < from+40 && !t.ends(n) && !isBound(t.byte(n)) && !t.unseenAt(t.keep+n-t.at, t.byte(n)); n++ {
		}
		raw := t.window[t.keep+from : t.keep+n]
		return (isNumber(raw) || isWord(raw)) && t.follows(t.behindSpace(n))
	}
	return false
}

// stringAt says that a string begins at n, with what follows values behind it.
func (t *tokens) stringAt(n int) bool {
	if t.byte(n) != '"' {
		return false
	}
	for n++; !t.ends(n) && t.byte(n) != '"' && t.byte(n) != '\n'; n++ {
		if t.byte(n) == '\\' {
			n++
		}
	}
	return t.byte(n) == '"' && t.follows(t.behindSpace(n+1))
}

// beforeMore says that what follows the semicolon at n is what follows commas.
func (t *tokens) beforeMore(n int) bool {
	switch b := t.byte(t.behindSpace(n + 1)); b {
	case '"', '{', '[', '}', ']':
		return true
	}
	return false
}

// follows says that what is at n follows values: a comma, colon or closing bracket,
// or the end.
func (t *tokens) follows(n int) bool {
	switch t.byte(n) {
	case ',', ':', '}', ']':
		return true
	}
	return t.ends(n)
}

// opening says that strings follow what stands before the quotation mark at n.
func (t *tokens) opening(n int) bool {
	for n--; n >= 0 && t.blank(n); n-- {
	}
	if n < 0 {
		return true
	}
	switch t.byte(n) {
	case ',', ':', '{', '[':
		return true
	}
	return false
}

// beforeStructure is where the brackets, commas, colons and spaces before n begin.
func (t *tokens) beforeStructure(from, n int) int {
	for n--; n > from+1; n-- {
		if b := t.byte(n); bytes.IndexByte([]byte("{}[],: \t"), b) < 0 {
			break
		}
	}
	return n + 1
}
