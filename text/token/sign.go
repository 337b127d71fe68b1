package token

import (
	"strings"
	"unicode/utf8"
)

// sign takes what begins with a sign of ASCII.
func (l *lexer) sign(c byte) {
	i := l.pos
	switch c {
	case '.':
		l.period()
	case ',':
		l.numeral(i)
	case '-', '+':
		l.dash(c)
	case '"':
		l.doubleQuote(1)
	case '\'':
		l.apostrophe()
	case '`':
		l.repeated(c, 2)
	case '!', '?':
		end := i + 1
		for end < len(l.s) && (l.s[end] == '!' || l.s[end] == '?') {
			end++
		}
		l.emit(end)
	case '*', '_':
		l.repeated(c, len(l.s))
	case '#', '@':
		l.named(c)
	case ':', ';', '=':
		l.colon()
	case '<', '>':
		l.angle(c)
	case '(', '^':
		l.bracket()
	case '&':
		l.ampersand()
	default:
		l.emit(i + 1)
	}
}

// repeated takes as many of the same sign as there are, up to most.
func (l *lexer) repeated(c byte, most int) {
	end := l.pos + 1
	for end < len(l.s) && l.s[end] == c && end-l.pos < most {
		end++
	}
	l.emit(end)
}

// period takes a period, three to five that are an ellipsis, or a number such as .5.
func (l *lexer) period() {
	s, i := l.s, l.pos
	end := i + 1
	for end < len(s) && s[end] == '.' && end-i < 5 {
		end++
	}
	if end-i >= 3 {
		l.write(end, "...")
		return
	}
	if end == i+1 {
		last, dots := end, 1
		for n := l.blankAt(last); n > 0 && dots < 5 && l.byteAt(last+n) == '.'; n = l.blankAt(last) {
			last += n + 1
			dots++
		}
		if dots >= 3 {
			l.write(last, "...")
			return
		}
	}
	l.numeral(i)
}

// numeral takes a number whose digits begin at i, behind a sign that may stand before it, or that sign alone.
func (l *lexer) numeral(i int) {
	if end := l.digits(i); end > i {
		l.emit(end)
		return
	}
	l.emit(l.pos + 1)
}

// dash takes a dash, a number with a sign, or a telephone number behind a plus.
func (l *lexer) dash(c byte) {
	i := l.pos
	if c == '-' {
		end := i + 1
		for end < len(l.s) && l.s[end] == '-' {
			end++
		}
		if end-i > 4 { // a line, not a dash
			l.emit(end)
			return
		}
		if end-i > 1 {
			l.write(end, "--")
			return
		}
		if end := l.face(i); end > 0 {
			l.emit(end)
			return
		}
	} else {
		m := match{}
		if l.offerPhone(&m); m.end > l.digits(i+1) {
			l.emitSpaced(m.end)
			return
		}
	}
	l.numeral(i + 1)
}

// named takes # or @ and the name behind it: letters, and for @ digits and underscores too.
func (l *lexer) named(c byte) {
	i := l.pos + 1
	if l.byteAt(i) == c {
		l.repeated(c, len(l.s))
		return
	}
	end := i
	if c == '#' {
		end = l.letters(i)
	} else if isLetter(l.byteAt(i)) || l.byteAt(i) == '_' {
		for end < len(l.s) && (isAlnum(l.s[end]) || l.s[end] == '_') {
			end++
		}
	}
	l.emitClean(end)
}

// colon takes a smiley, a number such as :45, or a sign alone.
func (l *lexer) colon() {
	i := l.pos
	if end := l.smiley(i); end > 0 {
		l.emit(end)
		return
	}
	if l.s[i] == ':' {
		l.numeral(i)
		return
	}
	l.emit(i + 1)
}

// smiley is the end of a smiley at i, or 0. A character that is no letter must follow it.
func (l *lexer) smiley(i int) int {
	if c := l.byteAt(i); c != ':' && c != ';' && c != '=' {
		return 0
	}
	i++
	if c := l.byteAt(i); c == '-' || c == '\'' || c == 'o' {
		if end := l.mouth(i + 1); end > 0 {
			return end
		}
	}
	return l.mouth(i)
}

func (l *lexer) mouth(i int) int {
	if i+1 < len(l.s) && strings.IndexByte("()[]{}DPpO", l.s[i]) >= 0 && !isLetter(l.s[i+1]) {
		return i + 1
	}
	return 0
}

// face is the end of a smiley that looks ahead, such as ^_^ or -_-, at i, or 0.
func (l *lexer) face(i int) int {
	if i+2 >= len(l.s) || strings.IndexByte("-^=~<>", l.s[i]) < 0 || l.s[i+2] != l.s[i] {
		return 0
	}
	if c := l.s[i+1]; c == '_' || c == '.' && l.s[i] != '-' {
		return i + 3
	}
	return 0
}

// bracket takes an opening bracket, or what it begins: a smiley or a telephone number.
func (l *lexer) bracket() {
	s, i := l.s, l.pos
	if s[i] == '^' {
		l.emit(max(l.face(i), i+1))
		return
	}
	if i+3 < len(s) && strings.IndexByte("-^x=~<>'", s[i+1]) >= 0 {
		eye := s[i+1]
		switch {
		case s[i+2] == eye && s[i+3] == ')':
			l.emit(i + 4)
			return
		case i+4 < len(s) && (s[i+2] == '_' || s[i+2] == '.') && s[i+3] == eye && s[i+4] == ')':
			l.emit(i + 5)
			return
		}
	}
	m := match{}
	if l.offerPhone(&m); m.end > 0 {
		l.emitSpaced(m.end)
		return
	}
	l.emit(i + 1)
}

// beyondASCII takes what begins with a character beyond ASCII.
func (l *lexer) beyondASCII() {
	if l.letterAt(l.pos) > 0 {
		l.word()
		return
	}
	r, size := utf8.DecodeRuneInString(l.s[l.pos:])
	end := l.pos + size
	if l.sideBySide(r, end) {
		return
	}
	switch r {
	case '’', '\u0092':
		l.curly(size)
	case '…', '\u0085':
		l.write(end, "...")
	default:
		if isSpace(r) {
			l.pos = end
			return
		}
		if text := spellings[r]; text != "" {
			l.write(end, text)
			return
		}
		l.other(r, size)
	}
}

// sideBySide takes two curly marks or guillemets without a space between: the reference makes them one token. An
// apostrophe that begins something (’s) stays with that.
func (l *lexer) sideBySide(r rune, end int) bool {
	first := markSpelling(r)
	if first == "" || l.repaired {
		return false
	}
	next, size := utf8.DecodeRuneInString(l.s[end:])
	second := markSpelling(next)
	if second == "" || size == 1 {
		return false
	}
	l.write(end+size, first+second)
	return true
}

// markSpelling is how a mark that may stand beside another is written; empty for what is none.
func markSpelling(r rune) string {
	switch r {
	case '’', '\u0092':
		return "'"
	case '“', '”', '«', '»', '‘', '‛', '‹', '›', '\u0091', '\u0093', '\u0094':
		return spellings[r]
	}
	return ""
}

// spellings are the characters that are written in ASCII.
var spellings = map[rune]string{
	'“': "``", '”': "''", '«': "``", '»': "''", '\u0093': "``", '\u0094': "''",
	'‘': "`", '‛': "`", '‹': "`", '›': "'", '\u0091': "`",
	'–': "--", '—': "--", '―': "--", '\u0096': "--", '\u0097': "--",
	'¼': "1/4", '½': "1/2", '¾': "3/4", '⅓': "1/3", '⅔': "2/3",
}
