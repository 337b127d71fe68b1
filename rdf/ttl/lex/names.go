package lex

import (
	"bytes"
	"unicode/utf8"

	"laundromat/internal/fault"
	"laundromat/rdf"
)

// scanLabel reads BLANK_NODE_LABEL ::= '_:' (PN_CHARS_U | [0-9]) ((PN_CHARS | '.')* PN_CHARS)?
//
// Characters that some writers put into labels, and that mean nothing else in this
// place, make it a faulty label, not two tokens. A colon is one in line formats; in
// Turtle it begins a name.
func (l *Lexer) scanLabel() bool {
	start := l.Pos + 2
	if !l.Has(start) {
		return false
	}
	if l.At(l.Pos+1) != ':' {
		return l.scanName()
	}
	n := word{start: start, i: start, last: start}
	for read := goesOn; read == goesOn; {
		if n.i >= len(l.Buf) {
			if !l.EOF && n.i-l.Pos <= l.MaxToken {
				return false
			}
			break
		}
		if read = l.labelStep(&n); read == cutOff {
			return false
		}
	}
	return l.endLabel(&n)
}

// word is a label or a name, as far as it was read.
type word struct {
	start, i  int  // where it begins, and the next byte
	last      int  // where it ends, if nothing more is of it
	colon     int  // of a name: where its first colon is, -1 if there was none
	wide, bad bool // it holds a character outside ASCII, and one that must not be there
}

// step is what became of the next character of a word.
type step uint8

const (
	goesOn step = iota // it is of the word
	ends               // the word ends before it
	cutOff             // the window ends too early to decide
)

// take takes so many bytes into the word.
func (n *word) take(size int) {
	n.i += size
	n.last = n.i
}

// labelStep takes the next characters of a label.
func (l *Lexer) labelStep(n *word) step {
	switch c := l.Buf[n.i]; {
	case Class[c]&NameInside != 0:
		n.bad = n.bad || c == '-' && n.i == n.start
		for n.i < len(l.Buf) && Class[l.Buf[n.i]]&NameInside != 0 {
			n.i++
		}
		n.last = n.i
	case c >= 0x80:
		return l.wideStep(n, n.i == n.start)
	case c == '.':
		n.bad = n.bad || n.i == n.start
		n.i++
	case c == '~' && !l.LineFormat:
		return l.tildeStep(n)
	case c != 0 && bytes.IndexByte([]byte("%/~+$!&=*"), c) >= 0, c == ':' && l.LineFormat:
		n.bad = true
		n.take(1)
	default:
		return ends
	}
	return goesOn
}

// wideStep takes the next character of a word, which is outside ASCII. first says that the word, or a part of it,
// begins with that.
func (l *Lexer) wideStep(n *word, first bool) step {
	if len(l.Buf)-n.i < 4 && !l.EOF {
		return cutOff
	}
	size, begins, inside := wideName(l.Buf[n.i:])
	if !inside {
		return ends
	}
	n.bad = n.bad || first && !begins
	n.wide = true
	n.take(size)
	return goesOn
}

// tildeStep takes a ~, unless that begins a reifier.
func (l *Lexer) tildeStep(n *word) step {
	begins, known := l.reifierAt(n.i)
	switch {
	case !known:
		return cutOff
	case begins:
		return ends
	}
	n.bad = true
	n.take(1)
	return goesOn
}

// endLabel makes a token of a label that was read to its end.
func (l *Lexer) endLabel(n *word) bool {
	start, last := n.start, n.last
	if n.i-l.Pos > l.MaxToken {
		l.skipLine = true
		return l.wrong(Unclosed, n.i, fault.LimitToken, "the label does not end within the longest piece that is held; the rest of the line is passed over")
	}
	if last == start {
		return l.wrong(Broken, max(last, min(start, len(l.Buf))), fault.BlankNodeLabel, "no label follows _:")
	}
	if last == n.i && last < len(l.Buf) && l.Buf[last] == 0 {
		for last < len(l.Buf) && l.Buf[last] == 0 && last-l.Pos <= l.MaxToken {
			last++
		}
		if !l.Has(last) {
			return false
		}
		return l.wrong(Broken, last, fault.BlankNodeLabel, "a zero byte stands right behind this label, which may not be whole")
	}
	l.Tok.Forbidden = n.bad
	if n.wide {
		return l.finishWide(Label, last)
	}
	return l.finish(Label, last)
}

// scanName reads a prefixed name, a keyword, or a word that is neither.
//
//	PNAME_NS  ::= PN_PREFIX? ':'
//	PN_PREFIX ::= PN_CHARS_BASE ((PN_CHARS | '.')* PN_CHARS)?
//	PN_LOCAL  ::= (PN_CHARS_U | ':' | [0-9] | PLX) ((PN_CHARS | '.' | ':' | PLX)* (PN_CHARS | ':' | PLX))?
func (l *Lexer) scanName() bool {
	if end, colon := PlainName(l.Buf[l.Pos:]); colon > 0 && end <= l.MaxToken && !l.controlAt(l.Pos+end) {
		l.Tok.Colon = colon
		return l.finish(Name, l.Pos+end)
	}
	n := word{start: l.Pos, i: l.Pos, last: l.Pos, colon: -1}
	for read := goesOn; read == goesOn; {
		if n.i >= len(l.Buf) {
			if !l.EOF && n.i-l.Pos <= l.MaxToken {
				return false
			}
			break
		}
		if read = l.nameStep(&n); read == cutOff {
			return false
		}
	}
	return l.endName(&n)
}

// nameStep takes the next characters of a name.
func (l *Lexer) nameStep(n *word) step {
	local := n.colon >= 0 && n.i == n.colon+1 // the local part begins here
	switch c := l.Buf[n.i]; {
	case Class[c]&NameInside != 0:
		n.bad = n.bad || c == '-' && local
		for n.i < len(l.Buf) && Class[l.Buf[n.i]]&NameInside != 0 {
			n.i++
		}
		n.last = n.i
	case c == ':':
		if n.colon < 0 {
			n.colon = n.i
			n.bad = n.bad || n.i > n.start && n.last != n.i // the prefix ends in a dot
		}
		n.take(1)
	case c == '.':
		n.bad = n.bad || local && l.Has(n.i+1) && l.nameGoesOn(n.i+1)
		n.i++
	case l.controlAt(n.i):
		n.bad = true // a character was lost here
		n.take(1)
	case c >= 0x80:
		return l.wideStep(n, n.i == n.start || local)
	case n.colon < 0:
		return ends
	case c == '%':
		if !l.Has(n.i + 2) {
			return cutOff
		}
		n.bad = n.bad || !isHex(l.At(n.i+1)) || !isHex(l.At(n.i+2))
		n.take(1)
	case c == '\\':
		return l.escapeStep(n)
	case c == '~':
		return l.tildeStep(n)
	default:
		return ends
	}
	return goesOn
}

// escapeStep takes PN_LOCAL_ESC.
func (l *Lexer) escapeStep(n *word) step {
	if !l.Has(n.i + 1) {
		return cutOff
	}
	if next := l.At(n.i + 1); next <= ' ' || bytes.IndexByte([]byte("_~.-!$&'()*+,;=/?#@%"), next) < 0 {
		n.bad = true
		n.take(1)
		return goesOn
	}
	l.Tok.Escaped = true
	n.take(2)
	return goesOn
}

// endName makes a token of a name that was read to its end.
func (l *Lexer) endName(n *word) bool {
	start, last, colon := n.start, n.last, n.colon
	if n.i-start > l.MaxToken {
		l.skipLine = true
		return l.wrong(Unclosed, n.i, fault.LimitToken, "the name does not end within the longest piece that is held; the rest of the line is passed over")
	}
	if last == start || colon < 0 && isStray(l.Buf[start:last]) {
		return l.scanSymbol()
	}
	if colon < 0 || colon >= last {
		return l.keyword(l.Buf[start:last], last)
	}
	first := l.Buf[start]
	if n.bad || Class[first]&Letter == 0 && first < 0x80 && first != ':' {
		return l.wrong(Broken, last, fault.SyntaxName, "this prefixed name holds a character that must be escaped, or not stand at this place")
	}
	l.Tok.Colon = colon - start
	if n.wide {
		return l.finishWide(Name, last)
	}
	return l.finish(Name, last)
}

// isStray says that b, which is not empty, begins with a byte that is not UTF-8.
func isStray(b []byte) bool {
	r, size := utf8.DecodeRune(b)
	return r == utf8.RuneError && size == 1
}

// PlainName looks at the name that b begins with, if it is as most are. Those are a prefix, a colon,
// and a local part of letters, digits, - and _ before a sign that ends it. For any other name, or if b
// may end within it, colon is 0.
func PlainName(b []byte) (end, colon int) {
	if Class[b[0]]&Letter == 0 {
		return 0, 0
	}
	i := 1
	for i < len(b) && Class[b[i]]&NameInside != 0 {
		i++
	}
	if i+1 >= len(b) || b[i] != ':' || b[i+1] == '-' {
		return 0, 0
	}
	colon = i
	for i++; i < len(b) && Class[b[i]]&NameInside != 0; i++ {
	}
	if i == len(b) || b[i] >= 0x80 {
		return 0, 0
	}
	switch b[i] {
	case '.', ':', '%', '\\', '~':
		return 0, 0
	}
	return i, colon
}

// reifierAt says that the ~ at index i surely begins a reifier, and is no sign of the name before it.
// What follows is no character of a name, or is itself a name with a prefix. If the window ends
// too early to decide, known is false.
func (l *Lexer) reifierAt(i int) (begins, known bool) {
	i++
	for start := i; ; i++ {
		switch c := l.At(i); {
		case i-l.Pos > l.MaxToken:
			return false, true
		case !l.Has(i):
			return false, false
		case c == ':':
			return true, true
		case c < 0x80 && Class[c]&NameInside == 0:
			return i == start && (c <= ' ' || bytes.IndexByte([]byte("<>{}[](),;.|~#"), c) >= 0), true
		}
	}
}

// nameGoesOn says that a character of a name is at index i.
func (l *Lexer) nameGoesOn(i int) bool {
	c := l.At(i)
	return Class[c]&NameInside != 0 || c >= 0x80
}

// keyword recognises the keywords from words that are none.
func (l *Lexer) keyword(text []byte, end int) bool {
	switch string(text) {
	case "a":
		return l.finish(A, end)
	case "true", "false":
		return l.finish(Boolean, end)
	}
	switch {
	case bytes.EqualFold(text, []byte("PREFIX")):
		return l.finish(SPARQLPrefix, end)
	case bytes.EqualFold(text, []byte("BASE")):
		return l.finish(SPARQLBase, end)
	case bytes.EqualFold(text, []byte("GRAPH")):
		return l.finish(Graph, end)
	case bytes.EqualFold(text, []byte("VERSION")):
		return l.finish(SPARQLVersion, end)
	}
	return l.wrong(Broken, end, fault.SyntaxWord, "this word is neither a keyword nor a name with a prefix")
}

// scanAt reads LANG_DIR ::= '@' [a-zA-Z]+ ('-' [a-zA-Z0-9]+)* ('--' [a-zA-Z]+)?,
// @prefix, @base or @version. An underscore makes it a faulty tag that can be mended.
func (l *Lexer) scanAt() bool {
	i := l.Pos + 1
	for i < len(l.Buf) && Class[l.Buf[i]]&NameInside != 0 {
		l.Tok.Forbidden = l.Tok.Forbidden || l.Buf[i] == '_'
		i++
	}
	if i >= len(l.Buf) && !l.EOF && i-l.Pos <= l.MaxToken {
		return false
	}
	if i-l.Pos > l.MaxToken {
		l.skipLine = true
		return l.wrong(Unclosed, i, fault.LimitToken, "the language tag does not end within the longest piece that is held; the rest of the line is passed over")
	}
	if tag := l.Buf[l.Pos+1 : i]; !IsLanguageTag(tag) {
		dashes := bytes.Index(tag, []byte("--"))
		if dashes < 0 || !IsLanguageTag(tag[:dashes]) {
			return l.wrong(Broken, i, fault.LanguageTag, "this is not the form of a language tag")
		}
		if _, ok := rdf.DirectionOf(bytes.ToLower(tag[dashes+2:])); !ok {
			return l.wrong(Broken, i, fault.LanguageDirection, "what follows -- in a language tag is neither ltr nor rtl")
		}
		l.Tok.Colon = dashes + 1
		return l.finish(Language, i)
	}
	switch tag := l.Buf[l.Pos+1 : i]; {
	case bytes.EqualFold(tag, []byte("prefix")):
		l.Tok.Forbidden = string(tag) != "prefix"
		return l.finish(Prefix, i)
	case bytes.EqualFold(tag, []byte("base")):
		l.Tok.Forbidden = string(tag) != "base"
		return l.finish(Base, i)
	case bytes.EqualFold(tag, []byte("version")):
		l.Tok.Forbidden = string(tag) != "version"
		return l.finish(Version, i)
	}
	return l.finish(Language, i)
}

// IsLanguageTag looks at the form that the grammar asks for, with _ as well as -.
func IsLanguageTag(tag []byte) bool {
	part, first := 0, true
	for _, c := range tag {
		switch {
		case c == '-' || c == '_':
			if part == 0 {
				return false
			}
			part, first = 0, false
		case first && Class[c]&Letter == 0:
			return false
		default:
			part++
		}
	}
	return part > 0
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

// controlAt says that a control character that is no white space is at index i. Within a word it shows
// that something of it is lost.
func (l *Lexer) controlAt(i int) bool {
	c := byte(' ')
	if i < len(l.Buf) {
		c = l.Buf[i]
	}
	return c < ' ' && c != '\t' && c != '\n' && c != '\r'
}
