package lex

import "laundromat/internal/fault"

// maxOmission is how long a sign for text that was left out may be, in bytes.
const maxOmission = 16

// passOmission reads a sign for text that was left out, or the line with the mark of a merge that was not ended. It
// begins with c. False means that there is none.
func (l *Lexer) passOmission(c byte) bool {
	if end := l.omission(c); end > 0 {
		l.wrong(Symbol, end, fault.SyntaxSymbol, "this is a sign for text that was left out")
		return true
	}
	isMark := l.Offset() == l.LineStart && (c == '<' || c == '=' || c == '>' || c == '|')
	for i := range 7 {
		isMark = isMark && l.at(l.Pos+i) == c
	}
	if isMark = isMark && l.at(l.Pos+7) <= ' '; isMark {
		l.wrong(Symbol, l.lineEnd(l.Pos), fault.SyntaxSymbol, "this marks two versions of the text, of which neither was chosen")
	}
	return isMark
}

// omission returns the index behind such a sign; 0 where there is none. It is [...] or [truncated], dots or a word of
// letters alone, or dots that are alone on a line.
func (l *Lexer) omission(c byte) int {
	i := l.Pos + 1
	switch {
	case c == '[':
		for i < l.Pos+maxOmission && (l.at(i) == '.' || Class[l.at(i)]&Letter != 0) {
			i++
		}
		if i > l.Pos+2 && l.at(i) == ']' {
			return i + 1
		}
	case c == '.' && l.Line > l.Ended.Line && !l.LineFormat:
		for i < l.Pos+maxOmission && l.at(i) == '.' {
			i++
		}
		end := i
		for i < l.Pos+2*maxOmission && Class[l.at(i)]&Space != 0 {
			i++
		}
		if c := l.at(i); end >= l.Pos+3 && (c == '\n' || c == '\r') {
			return end
		}
	}
	return 0
}
