package lex

import (
	"bytes"
	"unicode/utf8"

	"laundromat/internal/fault"
	"laundromat/rdf"
)

// word is a label or a name, as far as it was read.
type word struct {
	start, i int  // where it begins, and the next byte
	last     int  // where it ends, if nothing more is of it
	colon    int  // of a name: where its first colon is, -1 if there was none
	bad      bool // it holds a character that must not be there
}

// take takes so many bytes into the word.
func (n *word) take(size int) {
	n.i += size
	n.last = n.i
}

// takeInside takes letters, digits, - and _ of ASCII into the word, of which the first is at its end.
func (l *Lexer) takeInside(n *word) {
	for n.i < len(l.Buf) && Class[l.Buf[n.i]]&NameInside != 0 {
		n.i++
	}
	n.last = n.i
}

// takeWide takes the next character, which is outside ASCII, into the word if it may be there. Where first is true, the
// word or a part of it begins with that.
func (l *Lexer) takeWide(n *word, first bool) bool {
	l.at(n.i + utf8.UTFMax - 1)
	size, begins, inside := wideName(l.Buf[n.i:])
	if inside {
		n.bad = n.bad || first && !begins
		n.take(size)
	}
	return inside
}

// scanLabel reads BLANK_NODE_LABEL ::= '_:' (PN_CHARS_U | [0-9]) ((PN_CHARS | '.')* PN_CHARS)?
//
// Characters that some writers put into labels, and that mean nothing else in this
// place, make it a faulty label, not two tokens. A colon is one in line formats; in
// Turtle it begins a name.
func (l *Lexer) scanLabel() {
	if l.at(l.Pos+1) != ':' {
		l.scanName()
		return
	}
	n := word{start: l.Pos + 2, i: l.Pos + 2, last: l.Pos + 2}
	for l.takeOfLabel(&n) {
	}
	if n.last == n.start {
		l.wrong(Broken, min(n.start, len(l.Buf)), fault.BlankNodeLabel, "no label follows _:")
		return
	}
	zeros := n.i
	for l.at(zeros) == 0 && zeros < len(l.Buf) && n.last == n.i {
		zeros++
	}
	if zeros > n.i {
		l.wrong(Broken, zeros, fault.BlankNodeLabel, "a zero byte is right after this label, which may not be whole")
		return
	}
	l.Tok.Forbidden = n.bad
	l.finish(Label, n.last)
}

// takeOfLabel takes the next characters of a label. False means that it ends before them.
func (l *Lexer) takeOfLabel(n *word) bool {
	switch c := l.at(n.i); {
	case Class[c]&NameInside != 0:
		n.bad = n.bad || c == '-' && n.i == n.start
		l.takeInside(n)
	case c >= 0x80:
		return l.takeWide(n, n.i == n.start)
	case c == '.':
		n.bad = n.bad || n.i == n.start
		n.i++
	case c == '~' && !l.LineFormat && l.beginsReifier(n.i):
		return false
	case c != 0 && bytes.IndexByte([]byte("%/~+$!&=*"), c) >= 0, c == ':' && l.LineFormat:
		n.bad = true
		n.take(1)
	default:
		return false
	}
	return true
}

// scanName reads a prefixed name, a keyword, or a word that is neither.
//
//	PNAME_NS  ::= PN_PREFIX? ':'
//	PN_PREFIX ::= PN_CHARS_BASE ((PN_CHARS | '.')* PN_CHARS)?
//	PN_LOCAL  ::= (PN_CHARS_U | ':' | [0-9] | PLX) ((PN_CHARS | '.' | ':' | PLX)* (PN_CHARS | ':' | PLX))?
func (l *Lexer) scanName() {
	n := word{start: l.Pos, i: l.Pos, last: l.Pos, colon: -1}
	for l.takeOfName(&n) {
	}
	first := l.Buf[n.start]
	switch {
	case n.colon > n.start && n.last == n.colon+1 && l.at(n.last) == '/' && l.at(n.last+1) == '/' && Class[first]&Letter != 0 &&
		l.scanBareIRI(n.last+2):
	case n.last == n.start, n.colon < 0 && isStray(l.Buf[n.start:n.last]):
		l.scanSymbol()
	case n.colon < 0 || n.colon >= n.last:
		l.scanKeyword(n.last)
	case n.bad || Class[first]&Letter == 0 && first < 0x80 && first != ':':
		l.wrong(Broken, n.last, fault.SyntaxName, "this prefixed name holds a character that must be escaped, or not be at this place")
	default:
		l.Tok.Colon = n.colon - n.start
		l.finish(Name, n.last)
	}
}

// takeOfName takes the next characters of a name. False means that it ends before them.
func (l *Lexer) takeOfName(n *word) bool {
	local := n.colon >= 0 && n.i == n.colon+1 // the local part begins here
	switch c := l.at(n.i); {
	case Class[c]&NameInside != 0:
		n.bad = n.bad || c == '-' && local
		l.takeInside(n)
	case c == ':':
		if n.colon < 0 {
			n.colon = n.i
			n.bad = n.bad || n.i > n.start && n.last != n.i // the prefix ends in a dot
		}
		n.take(1)
	case c == '.':
		next := l.at(n.i + 1)
		n.bad = n.bad || local && (Class[next]&NameInside != 0 || next >= 0x80)
		n.i++
	case l.controlAt(n.i):
		n.bad = true // a character was lost here
		n.take(1)
	case c >= 0x80:
		return l.takeWide(n, n.i == n.start || local)
	case n.colon < 0:
		return false
	case c == '%':
		n.bad = n.bad || !isHex(l.at(n.i+1)) || !isHex(l.at(n.i+2))
		n.take(1)
	case c == '\\' && l.at(n.i+1) > ' ' && bytes.IndexByte([]byte("_~.-!$&'()*+,;=/?#@%"), l.at(n.i+1)) >= 0:
		l.Tok.Escaped = true // PN_LOCAL_ESC
		n.take(2)
	case c == '\\', c == '~' && !l.beginsReifier(n.i):
		n.bad = true
		n.take(1)
	default:
		return false
	}
	return true
}

// isStray says that b, which is not empty, begins with a byte that is not UTF-8.
func isStray(b []byte) bool {
	r, size := utf8.DecodeRune(b)
	return r == utf8.RuneError && size == 1
}

// beginsReifier says that the ~ at index i surely begins a reifier, and is no sign of the name before it.
// What follows is no character of a name, or is itself a name with a prefix.
func (l *Lexer) beginsReifier(i int) bool {
	start := i + 1
	for i = start; Class[l.at(i)]&NameInside != 0 || l.at(i) >= 0x80; i++ {
	}
	c := l.at(i)
	return c == ':' || i == start && (c <= ' ' || bytes.IndexByte([]byte("<>{}[](),;.|~#"), c) >= 0)
}

// keywords are the words that mean something, except for a and the truth values. Some of them have an @ before them.
var keywords = [...]struct {
	word         string
	kind, behind Kind // without an @, and behind one
}{{"prefix", SPARQLPrefix, Prefix}, {"base", SPARQLBase, Base}, {"version", SPARQLVersion, Version}, {"graph", Graph, Language}}

// scanKeyword reads a word up to index end.
func (l *Lexer) scanKeyword(end int) {
	text := l.Buf[l.Pos:end]
	switch string(text) {
	case "a":
		l.finish(A, end)
		return
	case "true", "false":
		l.finish(Boolean, end)
		return
	}
	for _, k := range keywords {
		if bytes.EqualFold(text, []byte(k.word)) {
			l.finish(k.kind, end)
			return
		}
	}
	l.wrong(Broken, end, fault.SyntaxWord, "this word is neither a keyword nor a name with a prefix")
}

// scanAt reads LANG_DIR ::= '@' [a-zA-Z]+ ('-' [a-zA-Z0-9]+)* ('--' [a-zA-Z]+)?,
// @prefix, @base or @version. An underscore makes it a faulty tag that can be mended.
func (l *Lexer) scanAt() {
	end := l.Pos + 1
	for Class[l.at(end)]&NameInside != 0 {
		end++
	}
	tag := l.Buf[l.Pos+1 : end]
	l.Tok.Forbidden = bytes.IndexByte(tag, '_') >= 0
	if !IsLanguageTag(tag) {
		language, direction, _ := bytes.Cut(tag, []byte("--"))
		if len(language) == len(tag) || !IsLanguageTag(language) {
			l.wrong(Broken, end, fault.LanguageTag, "this is not the form of a language tag")
		} else if _, ok := rdf.DirectionOf(bytes.ToLower(direction)); !ok {
			l.wrong(Broken, end, fault.LanguageDirection, "what follows -- in a language tag is neither ltr nor rtl")
		} else {
			l.Tok.Colon = len(language) + 1
			l.finish(Language, end)
		}
		return
	}
	kind := directiveAfterAt(tag)
	if kind != Language {
		l.Tok.Forbidden = !bytes.Equal(tag, bytes.ToLower(tag))
	}
	l.finish(kind, end)
}

// directiveAfterAt is the kind of a language tag, which may be the word of a directive.
func directiveAfterAt(tag []byte) Kind {
	for _, k := range keywords {
		if bytes.EqualFold(tag, []byte(k.word)) {
			return k.behind
		}
	}
	return Language
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

func isHex(c byte) bool { return Class[c]&Digit != 0 || 'a' <= c|0x20 && c|0x20 <= 'f' }

// controlAt says that a control character that is no white space is at index i. Within a word it shows
// that something of it is lost.
func (l *Lexer) controlAt(i int) bool {
	c := l.at(i)
	return i < len(l.Buf) && c < ' ' && Class[c]&White == 0
}
