package lex

import (
	"bytes"

	"laundromat/internal/fault"
)

// scanN3 reads what only N3 has and begins with c: a formula, a variable, one of its signs, a quantifier.
func (l *Lexer) scanN3(c byte) bool {
	next := l.at(l.Pos + 1)
	switch {
	case c == '{' && next != '|':
		l.scanFormula()
	case c == '=' && next == '>', c == '<' && next == '=':
		l.wrong(Arrow, l.Pos+2, fault.SyntaxFormula, "<= of N3 says which formula follows from another; RDF has no term for one")
	case c == '=':
		l.finish(Arrow, l.Pos+1)
	case c == '?' && Class[next]&NameInside != 0:
		end := l.Pos + 1
		for Class[l.at(end)]&NameInside != 0 || l.at(end) >= 0x80 {
			end++
		}
		l.wrong(Formula, end, fault.SyntaxFormula, "a variable of N3 is here; RDF has no term for it")
	case c == '@':
		end := l.Pos + 1
		for Class[l.at(end)]&NameInside != 0 {
			end++
		}
		if word := l.Buf[l.Pos:end]; !bytes.EqualFold(word, []byte("@forAll")) && !bytes.EqualFold(word, []byte("@forSome")) {
			return false
		}
		l.finish(Quantifier, end)
	default:
		return false
	}
	return true
}

// maxUnclosed is how many bytes are gone over in vain for the ends of formulae. Past it they are looked for in the next
// nearUnclosed alone, so that a text of open braces costs no square of its length.
const maxUnclosed, nearUnclosed = 64 << 20, 4 << 10

// scanFormula reads a formula up to the } that closes it. Where there is none it ends before the first dot at the end
// of a line.
func (l *Lexer) scanFormula() {
	limit := len(l.Buf)
	if l.unclosed >= maxUnclosed {
		limit = min(limit, l.Pos+nearUnclosed)
	}
	i, depth := l.Pos, 0
	for i < limit {
		switch c := l.Buf[i]; c {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				l.Tok.Code, l.Tok.Message = fault.SyntaxFormula, "a formula of N3 is here; RDF has no term for it"
				l.finishLines(Formula, i+1)
				return
			}
		case '#':
			i = l.lineEnd(i) - 1
		case '"', '\'':
			i = l.behindText(i) - 1
		case '<':
			i = l.behindIRI(i) - 1
		case '\\':
			i++
		}
		i++
	}
	if limit == len(l.Buf) {
		l.at(limit)
	}
	if l.short {
		return
	}
	l.unclosed += limit - l.Pos
	end := limit
	for from := l.Pos; ; {
		n := bytes.IndexByte(l.Buf[from:limit], '.')
		if n < 0 {
			break
		}
		if from += n + 1; from == limit || l.Buf[from] == '\n' || l.Buf[from] == '\r' {
			end = from - 1
			break
		}
	}
	l.Tok.Code, l.Tok.Message = fault.SyntaxFormula, "the } that ends this formula of N3 is missing"
	l.finishLines(Formula, end)
}

// behindText is the index behind the string that begins at index i. One without its end ends with its line.
func (l *Lexer) behindText(i int) int {
	quote := l.Buf[i]
	isLong := l.at(i+1) == quote && l.at(i+2) == quote
	from := i + 1
	if isLong {
		from = i + 3
	}
	for j := from; j < len(l.Buf); j++ {
		switch c := l.Buf[j]; {
		case c == '\\':
			j++
		case c == quote && !isLong:
			return j + 1
		case c == quote && l.at(j+1) == quote && l.at(j+2) == quote:
			for l.at(j+3) == quote {
				j++
			}
			return j + 3
		case !isLong && (c == '\n' || c == '\r'):
			return j
		}
	}
	if isLong { // it may be an apostrophe or an empty string, and no text
		return from
	}
	return len(l.Buf)
}

// behindIRI is the index behind the IRI that begins at index i, or behind its < if that begins none.
func (l *Lexer) behindIRI(i int) int {
	for j := i + 1; j < len(l.Buf); j++ {
		switch c := l.Buf[j]; {
		case c == '>':
			return j + 1
		case c <= ' ', c == '<', c == '"':
			return i + 1
		}
	}
	l.at(len(l.Buf))
	return i + 1
}
