package ttl

import (
	"bytes"

	"laundromat/internal/fault"
)

// markLength is how many signs a mark of a merge that was not ended begins with.
const markLength = 7

// isMark says that text begins with seven of its first byte, and ends there or goes on behind a blank.
func isMark(text []byte) bool {
	for i := range text {
		if i == markLength {
			return text[i] <= ' '
		}
		if text[i] != text[0] || bytes.IndexByte([]byte("<=>|"), text[i]) < 0 {
			return false
		}
	}
	return len(text) == markLength
}

// mayBeMark says that a line begins with such a mark, as far as the window shows.
func (l *lexer) mayBeMark(c byte) bool {
	for i := l.pos; i < l.pos+markLength; i++ {
		if l.has(i) && l.at(i) != c {
			return false
		}
	}
	return !l.has(l.pos+markLength) || l.at(l.pos+markLength) <= ' '
}

// scanMark reads the mark of a merge that was not ended, with the rest of its line.
func (l *lexer) scanMark() bool {
	end := l.pos
	for ; l.at(end) != '\n' && l.at(end) != '\r'; end++ {
		if end >= len(l.buf) {
			if !l.has(end) {
				return false
			}
			break
		}
	}
	l.skipLine = end-l.pos > l.maxToken
	return l.wrong(symbolToken, end, fault.SyntaxSymbol, "this marks two versions of the text, of which neither was chosen")
}

// scanBracket reads [, or a sign for text that was left out: [...] or [truncated], dots or a
// word of letters alone.
func (l *lexer) scanBracket() bool {
	i := l.pos + 1
	for i < l.pos+maxOmission && (l.at(i) == '.' || class[l.at(i)]&letter != 0) {
		i++
	}
	if !l.has(i) {
		return false
	}
	if i > l.pos+2 && l.at(i) == ']' {
		return l.wrong(symbolToken, i+1, fault.SyntaxSymbol, "this is a sign for text that was left out")
	}
	return l.finish(openProperties, l.pos+1)
}

// scanDots reads dots that stand alone on a line: a sign for text that was left out.
func (l *lexer) scanDots() (ok, known bool) {
	i := l.pos
	for i < l.pos+maxOmission && l.at(i) == '.' {
		i++
	}
	end := i
	for i < l.pos+2*maxOmission && (l.at(i) == ' ' || l.at(i) == '\t') {
		i++
	}
	if !l.has(i) {
		return false, false
	}
	if c := l.at(i); end < l.pos+3 || c != '\n' && c != '\r' {
		return false, true
	}
	return l.wrong(symbolToken, end, fault.SyntaxSymbol, "this is a sign for text that was left out"), true
}

// maxOmission is how long such a sign may be, in bytes.
const maxOmission = 16
