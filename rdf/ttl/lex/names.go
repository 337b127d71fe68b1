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
	i, last, wide, odd := start, start, false, false
	for {
		if i >= len(l.Buf) {
			if !l.EOF && i-l.Pos <= l.MaxToken {
				return false
			}
			break
		}
		c := l.Buf[i]
		switch {
		case Class[c]&NameInside != 0:
			if i == start && c == '-' {
				odd = true
			}
			i++
			last = i
			continue
		case c >= 0x80:
			if len(l.Buf)-i < 4 && !l.EOF {
				return false
			}
			size, begins, inside := wideName(l.Buf[i:])
			if !inside {
				break
			}
			wide = true
			odd = odd || i == start && !begins
			i += size
			last = i
			continue
		case c == '.':
			odd = odd || i == start
			i++
			continue
		case c == '~' && !l.LineFormat:
			begins, known := l.reifierAt(i)
			if !known {
				return false
			}
			if begins {
				break
			}
			odd = true
			i++
			last = i
			continue
		case c != 0 && bytes.IndexByte([]byte("%/~+$!&=*"), c) >= 0, c == ':' && l.LineFormat:
			odd = true
			i++
			last = i
			continue
		}
		break
	}
	if i-l.Pos > l.MaxToken {
		l.SkipLine = true
		return l.wrong(Unclosed, i, fault.LimitToken, "the label does not end within the longest piece that is held; the rest of the line is passed over")
	}
	if last == start {
		return l.wrong(Broken, max(last, min(start, len(l.Buf))), fault.BlankNodeLabel, "no label follows _:")
	}
	if last == i && last < len(l.Buf) && l.Buf[last] == 0 {
		for last < len(l.Buf) && l.Buf[last] == 0 && last-l.Pos <= l.MaxToken {
			last++
		}
		if !l.Has(last) {
			return false
		}
		return l.wrong(Broken, last, fault.BlankNodeLabel, "a zero byte stands right behind this label, which may not be whole")
	}
	l.Tok.Forbidden = odd
	if wide {
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
	start, i := l.Pos, l.Pos
	last, wide, bad := start, false, false
	colon := -1
	for {
		if i >= len(l.Buf) {
			if !l.EOF && i-start <= l.MaxToken {
				return false
			}
			break
		}
		c := l.Buf[i]
		switch {
		case Class[c]&NameInside != 0:
			bad = bad || c == '-' && i == colon+1 && colon >= 0
			i++
			last = i
			continue
		case c == ':':
			if colon < 0 {
				colon = i
				bad = bad || i > start && last != i // the prefix ends in a dot
			}
			i++
			last = i
			continue
		case c == '.':
			bad = bad || colon >= 0 && i == colon+1 && l.Has(i+1) && l.nameGoesOn(i+1)
			i++
			continue
		case l.controlAt(i):
			bad = true // a character was lost here
			i++
			last = i
			continue
		case c >= 0x80:
			if len(l.Buf)-i < 4 && !l.EOF {
				return false
			}
			size, begins, inside := wideName(l.Buf[i:])
			if !inside {
				break
			}
			bad = bad || !begins && (i == start || i == colon+1 && colon >= 0)
			wide = true
			i += size
			last = i
			continue
		case c == '%' && colon >= 0:
			if !l.Has(i + 2) {
				return false
			}
			if !isHex(l.At(i+1)) || !isHex(l.At(i+2)) {
				bad = true
			}
			i++
			last = i
			continue
		case c == '\\' && colon >= 0:
			if !l.Has(i + 1) {
				return false
			}
			if next := l.At(i + 1); next <= ' ' || bytes.IndexByte([]byte("_~.-!$&'()*+,;=/?#@%"), next) < 0 {
				bad = true
				i++
				last = i
				continue
			}
			l.Tok.Escaped = true
			i += 2
			last = i
			continue
		case c == '~' && colon >= 0:
			begins, known := l.reifierAt(i)
			if !known {
				return false
			}
			if begins {
				break
			}
			bad = true
			i++
			last = i
			continue
		}
		break
	}
	if i-start > l.MaxToken {
		l.SkipLine = true
		return l.wrong(Unclosed, i, fault.LimitToken, "the name does not end within the longest piece that is held; the rest of the line is passed over")
	}
	if last == start || colon < 0 && isStray(l.Buf[start:last]) {
		return l.scanSymbol()
	}
	if colon < 0 || colon >= last {
		return l.word(l.Buf[start:last], last)
	}
	first := l.Buf[start]
	bad = bad || Class[first]&Letter == 0 && first < 0x80 && first != ':'
	if bad {
		return l.wrong(Broken, last, fault.SyntaxName, "this prefixed name holds a character that must be escaped, or not stand at this place")
	}
	l.Tok.Colon = colon - start
	if wide {
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
// and a local part of letters, digits, - and _ before a sign that ends it. colon is 0 if it is another
// one, or b may end within it.
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
// What follows is no character of a name, or is itself a name with a prefix. known is false if the
// window ends too early to tell.
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

// word tells the keywords from words that are none.
func (l *Lexer) word(text []byte, end int) bool {
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
		l.SkipLine = true
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

// scanNumber reads
//
//	INTEGER ::= [+-]? [0-9]+
//	DECIMAL ::= [+-]? [0-9]* '.' [0-9]+
//	DOUBLE  ::= [+-]? ([0-9]+ '.' [0-9]* EXPONENT | '.' [0-9]+ EXPONENT | [0-9]+ EXPONENT)
func (l *Lexer) scanNumber() bool {
	i := l.Pos
	digits := func() (n int) {
		for i < len(l.Buf) && Class[l.Buf[i]]&Digit != 0 {
			i++
			n++
		}
		return n
	}
	if c := l.Buf[i]; c == '+' || c == '-' {
		i++
	}
	kind := Integer
	whole := digits()
	if !l.numberInside(i, 3) {
		return false
	}
	end := i
	if l.At(i) == '.' {
		i++
		fraction := digits()
		if !l.numberInside(i, 3) {
			return false
		}
		switch {
		case fraction > 0:
			kind, end = Decimal, i
		case whole == 0 || l.At(i) != 'e' && l.At(i) != 'E':
			i = end
		}
	}
	if c := l.At(i); (c == 'e' || c == 'E') && (whole > 0 || kind == Decimal) {
		back := i
		i++
		if c := l.At(i); c == '+' || c == '-' {
			i++
		}
		if digits() > 0 {
			kind, end = Double, i
		} else {
			i = back
		}
		if !l.numberInside(i, 1) {
			return false
		}
	}
	if i-l.Pos > l.MaxToken {
		l.SkipLine = true
		return l.wrong(Unclosed, i, fault.LimitToken, "the number does not end within the longest piece that is held; the rest of the line is passed over")
	}
	broken := kind == Integer && whole == 0
	i = end
	for i < len(l.Buf) && i-l.Pos <= l.MaxToken && (Class[l.Buf[i]]&NameInside != 0 || broken && i == end && l.Buf[i] == '+' || l.controlAt(i) ||
		l.Buf[i] == '.' && l.controlAt(i+1)) {
		i++
		broken = true
	}
	if !l.numberInside(i, 1) {
		return false
	}
	if broken {
		return l.wrong(Broken, max(i, l.Pos+1), fault.SyntaxNumber, "this is not the form of a number")
	}
	return l.finish(kind, end)
}

// numberInside says that the window holds so many bytes behind index i, up to which the number is
// read. It also says so if no more of the text is needed to know where the number ends.
func (l *Lexer) numberInside(i, ahead int) bool {
	return i+ahead < len(l.Buf) || l.EOF || i-l.Pos > l.MaxToken
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
