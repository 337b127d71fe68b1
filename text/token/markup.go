package token

import "strings"

// angle takes a tag, a mail address in brackets, or the sign alone or doubled.
func (l *lexer) angle(c byte) {
	i := l.pos
	if c == '>' {
		if end := l.smiley(i + 1); end > 0 {
			l.emit(end)
			return
		}
		l.repeated(c, 2)
		return
	}
	end := l.tag(i)
	if isAlnum(l.byteAt(i + 1)) {
		if mail := l.mailEnd(i + 1); mail > 0 {
			if l.byteAt(mail) == '>' {
				mail++
			}
			end = max(end, mail)
		}
	}
	if end > 0 {
		l.emitSpaced(end)
		return
	}
	l.repeated(c, 2)
}

// tag is the end of the tag, comment or instruction at i, or 0.
func (l *lexer) tag(i int) int {
	s := l.s
	if strings.HasPrefix(s[i:], "<!--") {
		if l.noComment {
			return 0
		}
		if n := strings.Index(s[i+4:], "-->"); n >= 0 {
			return i + 4 + n + 3
		}
		l.noComment = true
		return 0
	}
	i++
	if c := l.byteAt(i); c == '!' || c == '?' {
		if l.noTag || !isLetter(l.byteAt(i+1)) {
			return 0
		}
		if n := strings.IndexByte(s[i:], '>'); n >= 0 {
			return i + n + 1
		}
		l.noTag = true
		return 0
	}
	if l.byteAt(i) == '/' {
		i++
	}
	if !isLetter(l.byteAt(i)) {
		return 0
	}
	for i < len(s) && (isAlnum(s[i]) || strings.IndexByte("_:.-", s[i]) >= 0) {
		i++
	}
	return l.attributes(i)
}

// attributes is the end of the tag whose name ends at i, or 0. A value must stand in quotation marks.
func (l *lexer) attributes(i int) int {
	s := l.s
	for i < len(s) {
		start := i
		for i < len(s) && class[s[i]] == space {
			i++
		}
		switch {
		case i < len(s) && s[i] == '>':
			return i + 1
		case l.byteAt(i) == '/': // of an empty element
			for i++; i < len(s) && class[s[i]] == space; {
				i++
			}
			if l.byteAt(i) == '>' {
				return i + 1
			}
			return 0
		case i == start:
			return 0
		}
		name := i
		if isLetter(l.byteAt(i)) {
			for i < len(s) && (isAlnum(s[i]) || strings.IndexByte("_:.-", s[i]) >= 0) {
				i++
			}
		}
		if i == name {
			// A value of a declaration, without a name.
			if i = l.quoted(i); i == 0 {
				return 0
			}
			continue
		}
		eq := i
		for eq < len(s) && s[eq] == ' ' {
			eq++
		}
		if l.byteAt(eq) == '=' {
			if i = l.quoted(eq + 1); i == 0 {
				return 0
			}
		}
	}
	return 0
}

// quoted is the end of a value in quotation marks at i, before which spaces may stand, or 0.
func (l *lexer) quoted(i int) int {
	for i < len(l.s) && l.s[i] == ' ' {
		i++
	}
	c := l.byteAt(i)
	free := &l.quoteFree
	switch c {
	case '"':
	case '\'':
		free = &l.tickFree
	default:
		return 0
	}
	if i+1 >= *free {
		return 0
	}
	n := strings.IndexByte(l.s[i+1:], c)
	if n < 0 {
		*free = i + 1
		return 0
	}
	return i + 1 + n + 1
}

// entities are the entities that the reference knows, and how it writes them.
var entities = []struct{ name, text string }{
	{"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}, {"&mdash;", "--"}, {"&ndash;", "--"}, {"&nbsp;", ""}, {"&quot;", ""},
}

// ampersand takes an entity, a mail address in escaped brackets, or the sign alone.
func (l *lexer) ampersand() {
	s, i := l.s, l.pos
	if l.accentAt(i) > 0 {
		l.word()
		return
	}
	rest := s[i:]
	if strings.HasPrefix(rest, "&lt;") && isAlnum(l.byteAt(i+4)) {
		if end := l.mailEnd(i + 4); end > 0 {
			l.emit(end)
			return
		}
	}
	for _, e := range entities {
		if !strings.HasPrefix(rest, e.name) {
			continue
		}
		switch {
		case e.name == "&quot;":
			l.doubleQuote(len(e.name))
		case e.text == "":
			l.pos += len(e.name)
		default:
			l.write(i+len(e.name), e.text)
		}
		return
	}
	if strings.HasPrefix(rest, "&#") {
		end := i + 2
		for end < len(s) && isDigit(s[end]) {
			end++
		}
		if end > i+2 && l.byteAt(end) == ';' {
			l.emit(end + 1)
			return
		}
	}
	l.emit(i + 1)
}
