package ttl

import (
	"bytes"

	"laundromat/internal/fault"
)

// IRIREF ::= '<' ([^#x00-#x20<>"{}|^`\] | UCHAR)* '>'
//
// An IRI with characters that the grammar forbids is still one token if its > stands
// on the same line, and nothing between tells of an IRI whose > was forgotten.
func (l *lexer) scanIRI() bool {
	start := l.pos + 1
	i := start
	var wide byte
	for {
		for i < len(l.buf) && class[l.buf[i]]&inIRI != 0 {
			wide |= l.buf[i]
			i++
		}
		if i == len(l.buf) {
			if !l.eof && i-l.pos <= l.maxToken {
				return false
			}
			return l.unclosedIRI(i)
		}
		switch l.buf[i] {
		case '>':
			if i-l.pos > l.maxToken || l.tok.forbidden && !plainlyOneIRI(l.buf[start:i]) {
				return l.unclosedIRI(i)
			}
			if wide >= 0x80 {
				return l.finishWide(iriToken, i+1)
			}
			return l.finish(iriToken, i+1)
		case '\\':
			l.tok.escaped = true
		case '<':
			if i == start {
				return l.scanReified()
			}
			end, known := l.restOfIRI(i)
			if !known {
				return false
			}
			if end > 0 {
				return l.wrong(brokenToken, end, fault.IRIForbidden, "a < in an IRI")
			}
			return l.unclosedIRI(i)
		case '\n', '\r':
			return l.unclosedIRI(i)
		default:
			l.tok.forbidden = true
		}
		i++
	}
}

// restOfIRI says that the < at index i stands within an IRI, and is not the beginning of another one: what stands before it is
// absolute, and what follows it up to the next > is no more than the end of a name. It returns the index behind that, else 0.
// known is false if the window ends too early to tell.
func (l *lexer) restOfIRI(i int) (end int, known bool) {
	if !absolute(l.buf[l.pos+1 : i]) {
		return 0, true
	}
	end = i + 1
	for end < len(l.buf) && class[l.buf[end]]&nameInside != 0 {
		end++
	}
	switch {
	case !l.has(end):
		return 0, false
	case end == i+1 || l.at(end) != '>':
		return 0, true
	}
	return end + 1, true
}

// plainlyOneIRI says of the text between < and > that it was meant as one IRI,
// though it holds forbidden characters. What has no blank is one; what has blanks
// must neither begin like the N3 operator <= nor hold a quotation mark or what
// ends a statement.
func plainlyOneIRI(text []byte) bool {
	text = bytes.TrimSpace(text)
	if !bytes.ContainsAny(text, " \t") {
		return len(text) > 0
	}
	if text[0] == '=' || text[0] == '?' || bytes.IndexByte(text, '"') >= 0 {
		return false
	}
	for _, s := range []string{". ", "; ", ", ", " ,", " ;", " ."} {
		if bytes.Contains(text, []byte(s)) {
			return false
		}
	}
	return true
}

// unclosedIRI gives up an IRI: it ends before the first white space, < or quotation mark,
// so that what follows can be looked at.
func (l *lexer) unclosedIRI(end int) bool {
	for i := l.pos + 1; i < end; i++ {
		if c := l.buf[i]; c <= ' ' || c == '"' {
			end = i
		}
	}
	if next := l.at(l.pos + 1); (next == '\n' || next == '\r') && !l.lines {
		return l.wrong(brokenToken, l.pos+1, fault.SyntaxUnclosedIRI, "the > that ends this IRI is missing")
	} else if next == '=' || next <= ' ' && end == l.pos+1 {
		return l.wrong(symbolToken, l.pos+1, fault.SyntaxSymbol, "this < begins no IRI")
	}
	if end-l.pos > l.maxToken {
		l.skipLine = true
		return l.wrong(unclosedToken, end, fault.LimitToken, "the IRI does not end within the longest piece that is held; the rest of the line is passed over")
	}
	kind := brokenToken
	if end == l.pos+1 || bytes.IndexByte([]byte(";,.])}"), l.buf[end-1]) >= 0 || holdsMore(l.buf[l.pos+1:end]) {
		kind = unclosedToken // it is none, or what follows the IRI may be in it
	}
	return l.wrong(kind, end, fault.SyntaxUnclosedIRI, "the > that ends this IRI is missing")
}

// holdsMore says of the text of an IRI without its > that what follows the IRI seems to be in it: a sign that may
// stand behind a term, and a name with a prefix or a bracket.
func holdsMore(text []byte) bool {
	for i, c := range text {
		if c != ';' && c != ',' && c != ')' && c != ']' && c != '.' {
			continue
		}
		rest := bytes.TrimLeft(text[i:], ";,)].")
		if len(rest) == 0 || rest[0] == '[' || rest[0] == '(' {
			return true
		}
		// behind a dot, a number is that of a port
		if n := wordEnd(rest); n+1 < len(rest) && rest[n] == ':' && rest[n+1] != '/' && (c != '.' || class[rest[n+1]]&letter != 0) {
			return true
		}
	}
	return false
}
