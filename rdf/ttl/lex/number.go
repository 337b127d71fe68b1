package lex

import "laundromat/internal/fault"

// scanNumber reads
//
//	INTEGER ::= [+-]? [0-9]+
//	DECIMAL ::= [+-]? [0-9]* '.' [0-9]+
//	DOUBLE  ::= [+-]? ([0-9]+ '.' [0-9]* EXPONENT | '.' [0-9]+ EXPONENT | [0-9]+ EXPONENT)
func (l *Lexer) scanNumber() bool {
	n := number{kind: Integer, i: l.Pos}
	if c := l.Buf[n.i]; c == '+' || c == '-' {
		n.i++
	}
	n.whole = l.digits(&n)
	n.end = n.i
	if !l.numberInside(n.i, 3) || !l.fraction(&n) || !l.exponent(&n) {
		return false
	}
	if n.i-l.Pos > l.MaxToken {
		l.skipLine = true
		return l.wrong(Unclosed, n.i, fault.LimitToken, "the number does not end within the longest piece that is held; the rest of the line is passed over")
	}
	return l.endNumber(&n)
}

// number is a number as far as it was read.
type number struct {
	kind  Kind
	whole int // digits before the dot
	i     int // the next byte
	end   int // where it ends, if nothing more is of it
}

// digits reads digits, and says how many they are.
func (l *Lexer) digits(n *number) int {
	from := n.i
	for n.i < len(l.Buf) && Class[l.Buf[n.i]]&Digit != 0 {
		n.i++
	}
	return n.i - from
}

// fraction reads the dot and the digits after it, if there are any. False means that the window ends too early.
func (l *Lexer) fraction(n *number) bool {
	if l.At(n.i) != '.' {
		return true
	}
	n.i++
	digits := l.digits(n)
	if !l.numberInside(n.i, 3) {
		return false
	}
	switch {
	case digits > 0:
		n.kind, n.end = Decimal, n.i
	case n.whole == 0 || l.At(n.i) != 'e' && l.At(n.i) != 'E':
		n.i = n.end
	}
	return true
}

// exponent reads EXPONENT, if there is one. False means that the window ends too early.
func (l *Lexer) exponent(n *number) bool {
	if c := l.At(n.i); c != 'e' && c != 'E' || n.whole == 0 && n.kind != Decimal {
		return true
	}
	back := n.i
	n.i++
	if c := l.At(n.i); c == '+' || c == '-' {
		n.i++
	}
	if l.digits(n) > 0 {
		n.kind, n.end = Double, n.i
	} else {
		n.i = back
	}
	return l.numberInside(n.i, 1)
}

// endNumber makes a token of a number that was read to its end, with what is glued to it.
func (l *Lexer) endNumber(n *number) bool {
	broken := n.kind == Integer && n.whole == 0
	i := n.end
	for i < len(l.Buf) && i-l.Pos <= l.MaxToken && (Class[l.Buf[i]]&NameInside != 0 || broken && i == n.end && l.Buf[i] == '+' ||
		l.controlAt(i) || l.Buf[i] == '.' && l.controlAt(i+1)) {
		i++
		broken = true
	}
	if !l.numberInside(i, 1) {
		return false
	}
	if broken {
		return l.wrong(Broken, max(i, l.Pos+1), fault.SyntaxNumber, "this is not the form of a number")
	}
	return l.finish(n.kind, n.end)
}

// numberInside says that the window holds so many bytes after index i, up to which the number is
// read. It also says so if no more of the text is needed to know where the number ends.
func (l *Lexer) numberInside(i, ahead int) bool {
	return i+ahead < len(l.Buf) || l.EOF || i-l.Pos > l.MaxToken
}
