package lex

import (
	"bytes"

	"laundromat/internal/fault"
	"laundromat/internal/rfc3986"
)

// IRIREF ::= '<' ([^#x00-#x20<>"{}|^`\] | UCHAR)* '>'
//
// An IRI with characters that the grammar forbids is still one token under two conditions. Its > is on
// the same line, and nothing between shows an IRI whose > was forgotten.
func (l *Lexer) scanIRI() bool {
	start := l.Pos + 1
	i := start
	var wide byte
	for {
		for i < len(l.Buf) && Class[l.Buf[i]]&InIRI != 0 {
			wide |= l.Buf[i]
			i++
		}
		if i == len(l.Buf) {
			if !l.EOF && i-l.Pos <= l.MaxToken {
				return false
			}
			return l.unclosedIRI(i)
		}
		switch l.Buf[i] {
		case '>':
			if i-l.Pos > l.MaxToken {
				return l.unclosedIRI(i)
			}
			if l.Tok.Forbidden && isMarkup(l.Buf[start:i]) {
				return l.wrong(Broken, i+1, fault.SyntaxWord, "this is a tag of markup or of a template, and no IRI")
			}
			if l.Tok.Forbidden {
				one, known := l.isOneIRI(start, i)
				if !known {
					return false
				}
				if !one {
					ok := l.unclosedIRI(i)
					if l.Tok.Code == fault.SyntaxUnclosedIRI {
						l.Tok.Message = "where this IRI ends is not plain: other signs stand between it and the next >"
					}
					return ok
				}
			}
			if wide >= 0x80 {
				return l.finishWide(IRI, i+1)
			}
			return l.finish(IRI, i+1)
		case '\\':
			l.Tok.Escaped = true
		case '<':
			if i == start {
				return l.scanReified()
			}
			end, known := l.restOfIRI(i)
			if !known {
				return false
			}
			if end > 0 {
				return l.wrong(IRI, end, fault.IRIForbidden, "a < in an IRI")
			}
			return l.unclosedIRI(i)
		case '\n', '\r':
			end, known := l.endBehindLine(i)
			if !known {
				return false
			}
			if end > 0 {
				l.Tok.Forbidden = true
				return l.finishLines(IRI, end)
			}
			return l.unclosedIRI(i)
		default:
			l.Tok.Forbidden = true
		}
		i++
	}
}

// restOfIRI says that the < at index i is within an IRI, and does not begin another one. Then what is
// before it is absolute, and what follows up to the next > is no more than the end of a name. It
// returns the index after that, else 0. known is false if the window ends too early to decide.
func (l *Lexer) restOfIRI(i int) (end int, known bool) {
	before := l.Buf[l.Pos+1 : i]
	if !Absolute(before) || bytes.IndexByte(before, '"') >= 0 && bytes.ContainsAny(before, " \t") {
		return 0, true
	}
	end = i + 1
	for end < len(l.Buf) && Class[l.Buf[end]]&NameInside != 0 {
		end++
	}
	switch {
	case !l.Has(end):
		return 0, false
	case end == i+1 || l.At(end) != '>':
		return 0, true
	}
	return end + 1, true
}

// endBehindLine looks for the > of an IRI with line ends around it, the first of which is at index i.
// Nothing but white space is on one side of each line end. It returns the index after the >, or 0;
// known is false if the window ends too early.
func (l *Lexer) endBehindLine(i int) (end int, known bool) {
	if l.LineFormat {
		return 0, true
	}
	text := bytes.TrimLeft(l.Buf[l.Pos+1:i], " \t")
	if bytes.IndexByte(text, '"') >= 0 || bytes.ContainsAny(text, " \t") && !plainlyOneIRI(text) {
		return 0, true
	}
	if i = l.behindWhite(i); len(text) == 0 {
		begin := i
		for i < len(l.Buf) && Class[l.Buf[i]]&InIRI != 0 {
			i++
		}
		if l.Has(i) && !Absolute(l.Buf[begin:i]) {
			return 0, true
		}
		i = l.behindWhite(i)
	}
	switch {
	case !l.Has(i + 1):
		return 0, false
	case l.At(i) != '>' || l.At(i+1) == '>':
		return 0, true
	}
	return i + 1, true
}

// behindWhite is the index after the white space at index i.
func (l *Lexer) behindWhite(i int) int {
	for i < len(l.Buf) && (Class[l.Buf[i]]&Space != 0 || l.Buf[i] == '\n' || l.Buf[i] == '\r') {
		i++
	}
	return i
}

// isOneIRI says that the text from index from to index to, where a > is, was meant as one IRI. It
// holds forbidden characters. known is false if the window ends too early to decide.
func (l *Lexer) isOneIRI(from, to int) (is, known bool) {
	text := l.Buf[from:to]
	if !plainlyOneIRI(text) {
		return false, true
	}
	if _, open := cutStrings(text); !open || !bytes.ContainsAny(bytes.TrimSpace(text), " \t") {
		return true, true
	}
	// A quotation mark without a partner belongs to the IRI, or begins a string that the > is in. In
	// one of these readings only, those of the rest of the line are even in number.
	end := to + 1
	for end < len(l.Buf) && l.Buf[end] != '\n' && l.Buf[end] != '\r' {
		end++
	}
	if !l.Has(end) {
		return false, false
	}
	_, open := cutStrings(l.Buf[to+1 : end])
	return !open, true
}

// plainlyOneIRI says that nothing in the text between < and > speaks against one IRI, though it holds
// forbidden characters. A quotation mark without a partner is not looked at. What has no blank is one
// IRI. What has blanks must not begin like the N3 operator <=, nor hold a whole literal with its tag.
// Nor may it hold a sign that ends a term before what may be another one.
func plainlyOneIRI(text []byte) bool {
	from, to := WithoutWhite(text)
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

// isMarkup says that text with blanks, between < and >, is a comment, a tag of a template, or one with an attribute.
func isMarkup(text []byte) bool {
	blank := bytes.IndexAny(text, " \t")
	if blank < 1 {
		return false
	}
	i := bytes.Index(text, []byte(`="`))
	return text[0] == '!' || text[0] == '%' || i > blank && Class[text[i-1]]&NameInside != 0
}

// mayHoldTerm says that a term of the grammar may be in text, which follows the end of a term, without
// its strings. That is a name or an IRI with its colon, a number, or nothing at all.
func mayHoldTerm(text []byte) bool {
	text = bytes.TrimSpace(text)
	if len(text) == 0 || bytes.IndexByte(text, ':') >= 0 {
		return true
	}
	text = bytes.TrimLeft(text, "\"([ \t")
	return len(text) > 0 && Class[text[0]]&Letter == 0 && text[0] < 0x80
}

// cutStrings returns text without the contents of the strings in it, whose quotation marks are kept. If the last
// string has no end, open is true.
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

// holdsTagged says that a quotation mark closes a string in text, with a language or datatype right
// after it.
func holdsTagged(text []byte) bool {
	for i := 0; i+2 < len(text); i++ {
		next, after := text[i+1], text[i+2]
		if text[i] == '"' && (next == '^' && after == '^' || next == '@' && Class[after]&Letter != 0) {
			return true
		}
	}
	return false
}

// unclosedIRI gives up an IRI: it ends before the first white space, < or quotation mark,
// so that what follows can be looked at.
func (l *Lexer) unclosedIRI(end int) bool {
	for i := l.Pos + 1; i < end; i++ {
		if c := l.Buf[i]; c <= ' ' || c == '"' {
			end = i
		}
	}
	if next := l.At(l.Pos + 1); (next == '\n' || next == '\r') && !l.LineFormat {
		return l.wrong(Broken, l.Pos+1, fault.SyntaxUnclosedIRI, "the > that ends this IRI is missing on its line")
	} else if next == '=' || next <= ' ' && end == l.Pos+1 {
		return l.wrong(Symbol, l.Pos+1, fault.SyntaxSymbol, "this < begins no IRI")
	}
	if end-l.Pos > l.MaxToken {
		l.skipLine = true
		return l.wrong(Unclosed, end, fault.LimitToken, "the IRI does not end within the longest piece that is held; the rest of the line is passed over")
	}
	kind := Broken
	if end == l.Pos+1 || bytes.IndexByte([]byte(";,.])}"), l.Buf[end-1]) >= 0 || holdsMore(l.Buf[l.Pos+1:end]) {
		kind = Unclosed // it is none, or what follows the IRI may be in it
	}
	return l.wrong(kind, end, fault.SyntaxUnclosedIRI, "the > that ends this IRI is missing on its line")
}

// holdsMore says that what follows the IRI seems to be in text, an IRI without its >. There is a sign
// that may follow a term, and then a name with a prefix or a bracket.
func holdsMore(text []byte) bool {
	for i, c := range text {
		if c != ';' && c != ',' && c != ')' && c != ']' && c != '.' {
			continue
		}
		rest := bytes.TrimLeft(text[i:], ";,)].")
		if len(rest) == 0 || rest[0] == '[' || rest[0] == '(' {
			return true
		}
		// after a dot, a number is that of a port
		if n := WordEnd(rest); n+1 < len(rest) && rest[n] == ':' && rest[n+1] != '/' && (c != '.' || Class[rest[n+1]]&Letter != 0) {
			return true
		}
	}
	return false
}

// Absolute is rfc3986.IsAbsolute, quick for what most IRIs begin with.
func Absolute(iri []byte) bool {
	if len(iri) > 5 && iri[0] == 'h' && iri[1] == 't' && iri[2] == 't' && iri[3] == 'p' &&
		(iri[4] == ':' || iri[4] == 's' && iri[5] == ':') {
		return true
	}
	return rfc3986.IsAbsolute(iri)
}
