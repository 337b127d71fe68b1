package token

import (
	"strings"
	"unicode/utf8"
)

// doubleQuote takes a straight quotation mark of n bytes: it opens before a letter, digit or dollar sign.
func (l *lexer) doubleQuote(n int) {
	end := l.pos + n
	if c := l.byteAt(end); isAlnum(c) || c == '$' {
		l.write(end, "``")
		return
	}
	l.write(end, "''")
}

// apostrophe takes a straight single quotation mark and what it begins.
func (l *lexer) apostrophe() {
	s, i := l.s, l.pos
	m := match{i + 1, i + 1}
	rest := s[i+1:]
	switch {
	case foldPrefix(rest, "n'"):
		m.offer(i+3, i+3)
	case foldPrefix(rest, "ll"), foldPrefix(rest, "re"), foldPrefix(rest, "ve"):
		if len(rest) > 2 && !isLetter(rest[2]) {
			m.offer(i+3, i+4)
		}
	case foldPrefix(rest, "em"):
		m.offer(i+3, i+3)
	case foldPrefix(rest, "til"):
		m.offer(i+4, i+4)
	case foldPrefix(rest, "twas"):
		m.offer(i+2, i+5)
	case foldPrefix(rest, "cause"):
		m.offer(i+6, i+6)
	}
	if rest != "" {
		switch c := rest[0]; c | 0x20 {
		case 's', 'm', 'd':
			if len(rest) == 1 || !isLetter(rest[1]) {
				m.offer(i+2, i+3)
			}
		case 'n':
			m.offer(i+2, i+2)
		case '\'':
			m.offer(i+2, i+2)
		}
	}
	l.offerYear(&m, i+1)
	if len(rest) > 1 && isLetter(rest[0]) && l.spaceAt(i+2) == 0 && m.total < i+3 {
		l.write(i+1, "`")
		return
	}
	l.emit(m.end)
}

// offerYear offers the year behind an apostrophe, as in '90s or '76.
func (l *lexer) offerYear(m *match, i int) {
	if l.few(i, 2, 2) == i {
		return
	}
	end := i + 2
	if l.byteAt(end)|0x20 == 's' && !isAlnum(l.byteAt(end+1)) {
		m.offer(end+1, end+1)
	} else if end == len(l.s) || l.spaceAt(end) > 0 {
		m.offer(end, end)
	}
}

// curly takes a curly single closing mark of n bytes, which is an apostrophe as well. What it begins has no end of
// its own: the reference parts c’mon as c ’m on.
func (l *lexer) curly(n int) {
	i := l.pos + n
	rest := l.s[i:]
	switch {
	case foldPrefix(rest, "ll"), foldPrefix(rest, "re"), foldPrefix(rest, "ve"):
		l.write(i+2, "'"+rest[:2])
	case foldPrefix(rest, "em"):
		l.emit(i + 2)
	case foldPrefix(rest, "n’"):
		l.emit(i + 4)
	case foldPrefix(rest, "n"):
		l.emit(i + 1)
	case foldPrefix(rest, "s"), foldPrefix(rest, "m"), foldPrefix(rest, "d"):
		l.write(i+1, "'"+rest[:1])
	default:
		m := match{}
		if l.offerYear(&m, i); m.end > 0 {
			l.emit(m.end)
			return
		}
		l.write(i, "'")
	}
}

// foldPrefix says whether s begins with prefix, which is in lower case, in capital letters or not.
func foldPrefix(s, prefix string) bool {
	return len(s) >= len(prefix) && (s[:len(prefix)] == prefix || strings.EqualFold(s[:len(prefix)], prefix))
}

// marked takes a quotation mark whose direction is known, if one stands here. Those of ASCII stay as the reference
// writes them: its faults are in the others.
func (l *lexer) marked() bool {
	for len(l.marks) > 0 && l.marks[0].Start < l.pos {
		l.marks = l.marks[1:]
	}
	if len(l.marks) == 0 || l.marks[0].Start != l.pos || l.s[l.pos] < utf8.RuneSelf {
		return false
	}
	text := "''"
	m := l.marks[0]
	switch {
	case m.Opens && m.Single:
		text = "`"
	case m.Opens:
		text = "``"
	case m.Single:
		text = "'"
	}
	l.write(m.End, text)
	return true
}
