package ttl

import (
	"bytes"

	"laundromat/internal/fault"
	"laundromat/internal/rfc3986"
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
			if i-l.pos > l.maxToken {
				return l.unclosedIRI(i)
			}
			if l.tok.forbidden {
				one, known := l.isOneIRI(start, i)
				if !known {
					return false
				}
				if !one {
					ok := l.unclosedIRI(i)
					if l.tok.code == fault.SyntaxUnclosedIRI {
						l.tok.message = "where this IRI ends is not plain: other signs stand between it and the next >"
					}
					return ok
				}
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
			end, known := l.endBehindLine(i)
			if !known {
				return false
			}
			if end > 0 {
				l.tok.forbidden = true
				return l.finishLines(iriToken, end)
			}
			return l.unclosedIRI(i)
		default:
			l.tok.forbidden = true
		}
		i++
	}
}

// restOfIRI says that the < at index i stands within an IRI, and is not the beginning of another
// one: what stands before it is absolute, and what follows it up to the next > is no more than the
// end of a name. It returns the index behind that, else 0. known is false if the window ends too
// early to tell.
func (l *lexer) restOfIRI(i int) (end int, known bool) {
	before := l.buf[l.pos+1 : i]
	if !absolute(before) || bytes.IndexByte(before, '"') >= 0 && bytes.ContainsAny(before, " \t") {
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

// endBehindLine looks for the > of an IRI with line ends around it, of which the first is at index i: on one side
// of each line end stands nothing but white space. It returns the index behind the >, or 0; known is false if the
// window ends too early.
func (l *lexer) endBehindLine(i int) (end int, known bool) {
	if l.lines {
		return 0, true
	}
	text := bytes.TrimLeft(l.buf[l.pos+1:i], " \t")
	if bytes.IndexByte(text, '"') >= 0 || bytes.ContainsAny(text, " \t") && !plainlyOneIRI(text) {
		return 0, true
	}
	if i = l.behindWhite(i); len(text) == 0 {
		begin := i
		for i < len(l.buf) && class[l.buf[i]]&inIRI != 0 {
			i++
		}
		if l.has(i) && !absolute(l.buf[begin:i]) {
			return 0, true
		}
		i = l.behindWhite(i)
	}
	switch {
	case !l.has(i + 1):
		return 0, false
	case l.at(i) != '>' || l.at(i+1) == '>':
		return 0, true
	}
	return i + 1, true
}

// behindWhite is the index behind the white space at index i.
func (l *lexer) behindWhite(i int) int {
	for i < len(l.buf) && (class[l.buf[i]]&space != 0 || l.buf[i] == '\n' || l.buf[i] == '\r') {
		i++
	}
	return i
}

// isOneIRI says that what stands between the indices from and to, the place of a >, was meant as one IRI though it
// holds forbidden characters. known is false if the window ends too early to tell.
func (l *lexer) isOneIRI(from, to int) (is, known bool) {
	text := l.buf[from:to]
	if !plainlyOneIRI(text) {
		return false, true
	}
	if _, open := cutStrings(text); !open || !bytes.ContainsAny(bytes.TrimSpace(text), " \t") {
		return true, true
	}
	// An odd quotation mark belongs to the IRI, or begins a string that the > stands in. In one of these readings
	// only, those of the rest of the line are even.
	end := to + 1
	for end < len(l.buf) && l.buf[end] != '\n' && l.buf[end] != '\r' {
		end++
	}
	if !l.has(end) {
		return false, false
	}
	_, open := cutStrings(l.buf[to+1 : end])
	return !open, true
}

// plainlyOneIRI says of the text between < and > that, but for an odd quotation mark, nothing in it speaks against
// one IRI, though it holds forbidden characters. What has no blank is one. What has blanks must not begin like the
// N3 operator <=, nor hold a whole literal with its tag, nor a sign that ends a term before what may be another one.
func plainlyOneIRI(text []byte) bool {
	from, to := withoutWhite(text)
	text = text[from:to]
	if !bytes.ContainsAny(text, " \t") {
		return len(text) > 0
	}
	if text[0] == '=' || text[0] == '?' {
		return false
	}
	bare, open := cutStrings(text)
	if !open && holdsTagged(text) {
		return false
	}
	for _, sign := range []string{". ", "; ", ", ", " ,", " ;", " ."} {
		if i := bytes.Index(bare, []byte(sign)); i >= 0 && mayHoldTerm(bare[i+len(sign):]) {
			return false
		}
	}
	return true
}

// mayHoldTerm says that a term of the grammar may stand in what follows the end of a term, without its strings: a
// name or an IRI with its colon, a number, or nothing at all.
func mayHoldTerm(text []byte) bool {
	text = bytes.TrimSpace(text)
	if len(text) == 0 || bytes.IndexByte(text, ':') >= 0 {
		return true
	}
	text = bytes.TrimLeft(text, "\"([ \t")
	return len(text) > 0 && class[text[0]]&letter == 0 && text[0] < 0x80
}

// cutStrings returns text without the strings in quotation marks that are in it, of which only the marks stay. open
// says that the last has no end.
func cutStrings(text []byte) (bare []byte, open bool) {
	if bytes.IndexByte(text, '"') < 0 {
		return text, false
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			open = !open
			bare = append(bare, c)
		case open && c == '\\':
			i++
		case !open:
			bare = append(bare, c)
		}
	}
	return bare, open
}

// holdsTagged says that a quotation mark closes a string in text and a language or datatype stands right behind it.
func holdsTagged(text []byte) bool {
	for i := 0; i+2 < len(text); i++ {
		next, after := text[i+1], text[i+2]
		if text[i] == '"' && (next == '^' && after == '^' || next == '@' && class[after]&letter != 0) {
			return true
		}
	}
	return false
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
		return l.wrong(brokenToken, l.pos+1, fault.SyntaxUnclosedIRI, "the > that ends this IRI is missing on its line")
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
	return l.wrong(kind, end, fault.SyntaxUnclosedIRI, "the > that ends this IRI is missing on its line")
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

// absolute is rfc3986.IsAbsolute, quick for what most IRIs begin with.
func absolute(iri []byte) bool {
	if len(iri) > 5 && iri[0] == 'h' && iri[1] == 't' && iri[2] == 't' && iri[3] == 'p' &&
		(iri[4] == ':' || iri[4] == 's' && iri[5] == ':') {
		return true
	}
	return rfc3986.IsAbsolute(iri)
}
