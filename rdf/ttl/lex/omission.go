package lex

import (
	"laundromat/internal/fault"
)

// mergeMarkLength is how many signs a mark of a merge that was not ended begins with.
const mergeMarkLength = 7

// mayBeMark says that a line begins with such a mark, as far as the window shows.
func (l *Lexer) mayBeMark(c byte) bool {
	for i := l.Pos; i < l.Pos+mergeMarkLength; i++ {
		if l.Has(i) && l.At(i) != c {
			return false
		}
	}
	return !l.Has(l.Pos+mergeMarkLength) || l.At(l.Pos+mergeMarkLength) <= ' '
}

// scanMark reads the mark of a merge that was not ended, with the rest of its line.
func (l *Lexer) scanMark() bool {
	end := l.Pos
	for ; l.At(end) != '\n' && l.At(end) != '\r'; end++ {
		if end >= len(l.Buf) {
			if !l.Has(end) {
				return false
			}
			break
		}
	}
	l.skipLine = end-l.Pos > l.MaxToken
	return l.wrong(Symbol, end, fault.SyntaxSymbol, "this marks two versions of the text, of which neither was chosen")
}

// scanBracket reads [, or a sign for text that was left out: [...] or [truncated], dots or a
// word of letters alone.
func (l *Lexer) scanBracket() bool {
	i := l.Pos + 1
	for i < l.Pos+maxOmission && (l.At(i) == '.' || Class[l.At(i)]&Letter != 0) {
		i++
	}
	if !l.Has(i) {
		return false
	}
	if i > l.Pos+2 && l.At(i) == ']' {
		return l.wrong(Symbol, i+1, fault.SyntaxSymbol, "this is a sign for text that was left out")
	}
	return l.finish(OpenProperties, l.Pos+1)
}

// scanDots reads dots that are alone on a line: a sign for text that was left out.
func (l *Lexer) scanDots() (ok, known bool) {
	i := l.Pos
	for i < l.Pos+maxOmission && l.At(i) == '.' {
		i++
	}
	end := i
	for i < l.Pos+2*maxOmission && (l.At(i) == ' ' || l.At(i) == '\t') {
		i++
	}
	if !l.Has(i) {
		return false, false
	}
	if c := l.At(i); end < l.Pos+3 || c != '\n' && c != '\r' {
		return false, true
	}
	return l.wrong(Symbol, end, fault.SyntaxSymbol, "this is a sign for text that was left out"), true
}

// maxOmission is how long such a sign may be, in bytes.
const maxOmission = 16
