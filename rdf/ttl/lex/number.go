package lex

import "laundromat/internal/fault"

// scanNumber reads a number with what is glued to it.
//
//	INTEGER ::= [+-]? [0-9]+
//	DECIMAL ::= [+-]? [0-9]* '.' [0-9]+
//	DOUBLE  ::= [+-]? ([0-9]+ '.' [0-9]* EXPONENT | '.' [0-9]+ EXPONENT | [0-9]+ EXPONENT)
func (l *Lexer) scanNumber() {
	from := l.behindSign(l.Pos)
	kind, end := Integer, l.digits(from)
	i, hasWhole := end, end > from
	if l.at(i) == '.' {
		fraction := l.digits(i + 1)
		if fraction > i+1 {
			kind, end, i = Decimal, fraction, fraction
		} else if hasWhole {
			i++ // an exponent may follow
		}
	}
	if l.at(i)|0x20 == 'e' && (hasWhole || kind == Decimal) {
		first := l.behindSign(i + 1)
		if last := l.digits(first); last > first {
			kind, end = Double, last
		}
	}
	isBroken := kind == Integer && !hasWhole
	for i = end; Class[l.at(i)]&NameInside != 0 || isBroken && i == end && l.at(i) == '+' || l.controlAt(i) || l.at(i) == '.' &&
		l.controlAt(i+1); i++ {
		isBroken = true
	}
	if isBroken {
		l.wrong(Broken, max(i, l.Pos+1), fault.SyntaxNumber, "this is not the form of a number")
		return
	}
	l.finish(kind, end)
}

// behindSign is the index behind + or -, if that is at index i.
func (l *Lexer) behindSign(i int) int {
	if c := l.at(i); c == '+' || c == '-' {
		i++
	}
	return i
}

// digits is the index behind the digits at index i.
func (l *Lexer) digits(i int) int {
	for Class[l.at(i)]&Digit != 0 {
		i++
	}
	return i
}
