package ttl

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
func (l *lexer) scanLabel() bool {
	start := l.pos + 2
	if !l.has(start) {
		return false
	}
	if l.at(l.pos+1) != ':' {
		return l.scanName()
	}
	i, last, wide, odd := start, start, false, false
	for {
		if i >= len(l.buf) {
			if !l.eof && i-l.pos <= l.maxToken {
				return false
			}
			break
		}
		c := l.buf[i]
		switch {
		case class[c]&nameInside != 0:
			if i == start && c == '-' {
				odd = true
			}
			i++
			last = i
			continue
		case c >= 0x80:
			if len(l.buf)-i < 4 && !l.eof {
				return false
			}
			size, begins, inside := wideName(l.buf[i:])
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
		case c == '~' && !l.lines:
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
		case c != 0 && bytes.IndexByte([]byte("%/~+$!&=*"), c) >= 0, c == ':' && l.lines:
			odd = true
			i++
			last = i
			continue
		}
		break
	}
	if i-l.pos > l.maxToken {
		l.skipLine = true
		return l.wrong(unclosedToken, i, fault.LimitToken, "the label does not end within the longest piece that is held; the rest of the line is passed over")
	}
	if last == start {
		return l.wrong(brokenToken, max(last, min(start, len(l.buf))), fault.BlankNodeLabel, "no label follows _:")
	}
	if last == i && last < len(l.buf) && l.buf[last] == 0 {
		for last < len(l.buf) && l.buf[last] == 0 && last-l.pos <= l.maxToken {
			last++
		}
		if !l.has(last) {
			return false
		}
		return l.wrong(brokenToken, last, fault.BlankNodeLabel, "a zero byte stands right behind this label, which may not be whole")
	}
	l.tok.forbidden = odd
	if wide {
		return l.finishWide(labelToken, last)
	}
	return l.finish(labelToken, last)
}

// scanName reads a prefixed name, a keyword, or a word that is neither.
//
//	PNAME_NS  ::= PN_PREFIX? ':'
//	PN_PREFIX ::= PN_CHARS_BASE ((PN_CHARS | '.')* PN_CHARS)?
//	PN_LOCAL  ::= (PN_CHARS_U | ':' | [0-9] | PLX) ((PN_CHARS | '.' | ':' | PLX)* (PN_CHARS | ':' | PLX))?
func (l *lexer) scanName() bool {
	if end, colon := plainName(l.buf[l.pos:]); colon > 0 && end <= l.maxToken && !l.controlAt(l.pos+end) {
		l.tok.colon = colon
		return l.finish(nameToken, l.pos+end)
	}
	start, i := l.pos, l.pos
	last, wide, bad := start, false, false
	colon := -1
	for {
		if i >= len(l.buf) {
			if !l.eof && i-start <= l.maxToken {
				return false
			}
			break
		}
		c := l.buf[i]
		switch {
		case class[c]&nameInside != 0:
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
			bad = bad || colon >= 0 && i == colon+1 && l.has(i+1) && l.nameGoesOn(i+1)
			i++
			continue
		case l.controlAt(i):
			bad = true // what it stands for is lost
			i++
			last = i
			continue
		case c >= 0x80:
			if len(l.buf)-i < 4 && !l.eof {
				return false
			}
			size, begins, inside := wideName(l.buf[i:])
			if !inside {
				break
			}
			bad = bad || !begins && (i == start || i == colon+1 && colon >= 0)
			wide = true
			i += size
			last = i
			continue
		case c == '%' && colon >= 0:
			if !l.has(i + 2) {
				return false
			}
			if !isHex(l.at(i+1)) || !isHex(l.at(i+2)) {
				bad = true
			}
			i++
			last = i
			continue
		case c == '\\' && colon >= 0:
			if !l.has(i + 1) {
				return false
			}
			if next := l.at(i + 1); next <= ' ' || bytes.IndexByte([]byte("_~.-!$&'()*+,;=/?#@%"), next) < 0 {
				bad = true
				i++
				last = i
				continue
			}
			l.tok.escaped = true
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
	if i-start > l.maxToken {
		l.skipLine = true
		return l.wrong(unclosedToken, i, fault.LimitToken, "the name does not end within the longest piece that is held; the rest of the line is passed over")
	}
	if last == start || colon < 0 && isStray(l.buf[start:last]) {
		return l.scanSymbol()
	}
	if colon < 0 || colon >= last {
		return l.word(l.buf[start:last], last)
	}
	first := l.buf[start]
	bad = bad || class[first]&letter == 0 && first < 0x80 && first != ':'
	if bad {
		return l.wrong(brokenToken, last, fault.SyntaxName, "this prefixed name holds a character that must be escaped, or not stand at this place")
	}
	l.tok.colon = colon - start
	if wide {
		return l.finishWide(nameToken, last)
	}
	return l.finish(nameToken, last)
}

// isStray says that b, which is not empty, begins with a byte that is not UTF-8.
func isStray(b []byte) bool {
	r, size := utf8.DecodeRune(b)
	return r == utf8.RuneError && size == 1
}

// plainName looks at the name that b begins with, if it is as most are: a prefix, a colon,
// and a local part of letters, digits, - and _ with a sign behind that ends it. colon is 0 if it is
// another one, or b may end within it.
func plainName(b []byte) (end, colon int) {
	if class[b[0]]&letter == 0 {
		return 0, 0
	}
	i := 1
	for i < len(b) && class[b[i]]&nameInside != 0 {
		i++
	}
	if i+1 >= len(b) || b[i] != ':' || b[i+1] == '-' {
		return 0, 0
	}
	colon = i
	for i++; i < len(b) && class[b[i]]&nameInside != 0; i++ {
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

// reifierAt says that the ~ at index i plainly begins a reifier, and is no sign of the
// name before it: what follows is no character of a name, or is itself a name with a
// prefix. known is false if the window ends too early to tell.
func (l *lexer) reifierAt(i int) (begins, known bool) {
	i++
	for start := i; ; i++ {
		switch c := l.at(i); {
		case i-l.pos > l.maxToken:
			return false, true
		case !l.has(i):
			return false, false
		case c == ':':
			return true, true
		case c < 0x80 && class[c]&nameInside == 0:
			return i == start && (c <= ' ' || bytes.IndexByte([]byte("<>{}[](),;.|~#"), c) >= 0), true
		}
	}
}

// nameGoesOn says that a character of a name stands at index i.
func (l *lexer) nameGoesOn(i int) bool {
	c := l.at(i)
	return class[c]&nameInside != 0 || c >= 0x80
}

// word tells the keywords from words that are none.
func (l *lexer) word(text []byte, end int) bool {
	switch string(text) {
	case "a":
		return l.finish(aToken, end)
	case "true", "false":
		return l.finish(booleanToken, end)
	}
	switch {
	case bytes.EqualFold(text, []byte("PREFIX")):
		return l.finish(sparqlPrefix, end)
	case bytes.EqualFold(text, []byte("BASE")):
		return l.finish(sparqlBase, end)
	case bytes.EqualFold(text, []byte("GRAPH")):
		return l.finish(graphToken, end)
	case bytes.EqualFold(text, []byte("VERSION")):
		return l.finish(sparqlVersion, end)
	}
	return l.wrong(brokenToken, end, fault.SyntaxWord, "this word is neither a keyword nor a name with a prefix")
}

// scanAt reads LANG_DIR ::= '@' [a-zA-Z]+ ('-' [a-zA-Z0-9]+)* ('--' [a-zA-Z]+)?,
// @prefix, @base or @version. An underscore makes it a faulty tag that can be mended.
func (l *lexer) scanAt() bool {
	i := l.pos + 1
	for i < len(l.buf) && class[l.buf[i]]&nameInside != 0 {
		l.tok.forbidden = l.tok.forbidden || l.buf[i] == '_'
		i++
	}
	if i >= len(l.buf) && !l.eof && i-l.pos <= l.maxToken {
		return false
	}
	if i-l.pos > l.maxToken {
		l.skipLine = true
		return l.wrong(unclosedToken, i, fault.LimitToken, "the language tag does not end within the longest piece that is held; the rest of the line is passed over")
	}
	if tag := l.buf[l.pos+1 : i]; !isLanguageTag(tag) {
		dashes := bytes.Index(tag, []byte("--"))
		if dashes < 0 || !isLanguageTag(tag[:dashes]) {
			return l.wrong(brokenToken, i, fault.LanguageTag, "this is not the form of a language tag")
		}
		if _, ok := rdf.DirectionOf(bytes.ToLower(tag[dashes+2:])); !ok {
			return l.wrong(brokenToken, i, fault.LanguageDirection, "what follows -- in a language tag is neither ltr nor rtl")
		}
		l.tok.colon = dashes + 1
		return l.finish(languageToken, i)
	}
	switch tag := l.buf[l.pos+1 : i]; {
	case bytes.EqualFold(tag, []byte("prefix")):
		l.tok.forbidden = string(tag) != "prefix"
		return l.finish(prefixToken, i)
	case bytes.EqualFold(tag, []byte("base")):
		l.tok.forbidden = string(tag) != "base"
		return l.finish(baseToken, i)
	case bytes.EqualFold(tag, []byte("version")):
		l.tok.forbidden = string(tag) != "version"
		return l.finish(versionToken, i)
	}
	return l.finish(languageToken, i)
}

// isLanguageTag looks at the form that the grammar asks for, with _ as well as -.
func isLanguageTag(tag []byte) bool {
	part, first := 0, true
	for _, c := range tag {
		switch {
		case c == '-' || c == '_':
			if part == 0 {
				return false
			}
			part, first = 0, false
		case first && class[c]&letter == 0:
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
func (l *lexer) scanNumber() bool {
	i := l.pos
	digits := func() (n int) {
		for i < len(l.buf) && class[l.buf[i]]&digit != 0 {
			i++
			n++
		}
		return n
	}
	if c := l.buf[i]; c == '+' || c == '-' {
		i++
	}
	kind := integerToken
	whole := digits()
	if !l.numberInside(i, 3) {
		return false
	}
	end := i
	if l.at(i) == '.' {
		i++
		fraction := digits()
		if !l.numberInside(i, 3) {
			return false
		}
		switch {
		case fraction > 0:
			kind, end = decimalToken, i
		case whole == 0 || l.at(i) != 'e' && l.at(i) != 'E':
			i = end
		}
	}
	if c := l.at(i); (c == 'e' || c == 'E') && (whole > 0 || kind == decimalToken) {
		back := i
		i++
		if c := l.at(i); c == '+' || c == '-' {
			i++
		}
		if digits() > 0 {
			kind, end = doubleToken, i
		} else {
			i = back
		}
		if !l.numberInside(i, 1) {
			return false
		}
	}
	if i-l.pos > l.maxToken {
		l.skipLine = true
		return l.wrong(unclosedToken, i, fault.LimitToken, "the number does not end within the longest piece that is held; the rest of the line is passed over")
	}
	broken := kind == integerToken && whole == 0
	i = end
	for i < len(l.buf) && i-l.pos <= l.maxToken && (class[l.buf[i]]&nameInside != 0 || broken && i == end && l.buf[i] == '+' || l.controlAt(i) ||
		l.buf[i] == '.' && l.controlAt(i+1)) {
		i++
		broken = true
	}
	if !l.numberInside(i, 1) {
		return false
	}
	if broken {
		return l.wrong(brokenToken, max(i, l.pos+1), fault.SyntaxNumber, "this is not the form of a number")
	}
	return l.finish(kind, end)
}

// numberInside says that the window holds so many bytes behind index i, up to which the number is
// read, or that no more of the text is needed to know where the number ends.
func (l *lexer) numberInside(i, ahead int) bool {
	return i+ahead < len(l.buf) || l.eof || i-l.pos > l.maxToken
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

// controlAt says that a control character that is no white space stands at index i: within a word it
// stands for what is lost of it.
func (l *lexer) controlAt(i int) bool {
	c := byte(' ')
	if i < len(l.buf) {
		c = l.buf[i]
	}
	return c < ' ' && c != '\t' && c != '\n' && c != '\r'
}
