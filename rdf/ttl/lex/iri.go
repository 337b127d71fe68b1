package lex

import (
	"bytes"

	"laundromat/internal/fault"
	"laundromat/internal/pattern"
	"laundromat/internal/rfc3986"
)

// scanIRI reads IRIREF ::= '<' ([^#x00-#x20<>"{}|^`\] | UCHAR)* '>'.
//
// An IRI with characters that the grammar forbids is still one token under two conditions. Its > is on
// the same line, and nothing between shows an IRI whose > was forgotten.
func (l *Lexer) scanIRI() {
	start := l.Pos + 1
	for i := start; ; i++ {
		for i < len(l.Buf) && Class[l.Buf[i]]&InIRI != 0 {
			i++
		}
		switch c := l.at(i); {
		case c == '>' && l.Tok.Forbidden && isMarkup(l.Buf[start:i]):
			l.wrong(Broken, i+1, fault.SyntaxWord, "this is a tag of markup or of a template, and no IRI")
			return
		case c == '>' && l.Tok.Forbidden && areIRIs(l.Buf[start:i]):
			l.finish(IRI, i+1)
			return
		case c == '>' && l.Tok.Forbidden && !l.isOneIRI(start, i):
			l.unclosedIRI(i)
			if l.Tok.Code == fault.SyntaxUnclosedIRI {
				l.Tok.Message = "where this IRI ends is not plain: other signs are between it and the next >"
			}
			return
		case c == '>':
			l.finish(IRI, i+1)
			return
		case c == '\\':
			l.Tok.Escaped = true
		case c == '<', c == '\n', c == '\r', i == len(l.Buf):
			l.scanBrokenIRI(i)
			return
		default:
			l.Tok.Forbidden = true
		}
	}
}

// scanBrokenIRI reads an IRI with a < or a line end at index i, or an end of the text.
func (l *Lexer) scanBrokenIRI(i int) {
	if l.at(i) == '<' {
		if end := l.restOfIRI(i); end > 0 {
			l.wrong(IRI, end, fault.IRIForbidden, "a < in an IRI")
			return
		}
	} else if end := l.endBehindLine(i); end > 0 {
		l.Tok.Forbidden = true
		l.finishLines(IRI, end)
		return
	}
	l.unclosedIRI(i)
}

// restOfIRI says that the < at index i is within an IRI, and does not begin another one. Then what is
// before it is absolute, and what follows up to the next > is no more than the end of a name. It
// returns the index after that, else 0.
func (l *Lexer) restOfIRI(i int) int {
	before := l.Buf[l.Pos+1 : i]
	if !Absolute(before) || bytes.IndexByte(before, '"') >= 0 && bytes.ContainsAny(before, " \t") {
		return 0
	}
	end := i + 1
	for Class[l.at(end)]&NameInside != 0 {
		end++
	}
	if end == i+1 || l.at(end) != '>' {
		return 0
	}
	return end + 1
}

// endBehindLine looks for the > of an IRI with line ends around it, the first of which is at index i.
// Nothing but white space is on one side of each line end. It returns the index after the >, or 0.
func (l *Lexer) endBehindLine(i int) int {
	text := bytes.TrimLeft(l.Buf[l.Pos+1:i], " \t")
	if end := l.endOfIRIs(i); end > 0 {
		return end
	}
	if l.LineFormat || bytes.IndexByte(text, '"') >= 0 || bytes.ContainsAny(text, " \t") && !plainlyOneIRI(text) {
		return 0
	}
	if i = l.behindWhite(i); len(text) == 0 {
		begin := i
		for Class[l.at(i)]&InIRI != 0 {
			i++
		}
		if !Absolute(l.Buf[begin:i]) {
			return 0
		}
		i = l.behindWhite(i)
	}
	if l.at(i) != '>' || l.at(i+1) == '>' {
		return 0
	}
	return i + 1
}

// endOfIRIs looks for the > of several IRIs, with a line end between two of them at index i. It returns the index
// after it, or 0.
func (l *Lexer) endOfIRIs(i int) int {
	if l.LineFormat || !Absolute(bytes.TrimLeft(l.Buf[l.Pos+1:i], " \t")) {
		return 0
	}
	next := l.behindWhite(i)
	end := next
	for end < len(l.Buf) && bytes.IndexByte([]byte("<>\"\n\r"), l.Buf[end]) < 0 {
		end++
	}
	if l.at(end) != '>' || !areIRIs(l.Buf[l.Pos+1:end]) {
		return 0
	}
	return end + 1
}

// areIRIs says that text between < and > is a list of two or more whole IRIs. Nothing is between them but white space,
// and the signs and words of a list.
func areIRIs(text []byte) bool {
	if rfc3986.SecondIRI(text) == 0 || bytes.IndexByte(text, '"') >= 0 { // of strings, the rest of the line decides
		return false
	}
	for _, field := range bytes.Fields(text) {
		field = bytes.Trim(field, ",;|&")
		if len(field) > 0 && !bytes.Contains(field, []byte(":/")) && !bytes.HasPrefix(field, []byte("urn:")) && string(field) != "and" &&
			string(field) != "or" {
			return false
		}
	}
	return true
}

// behindWhite is the index after the white space at index i.
func (l *Lexer) behindWhite(i int) int {
	for Class[l.at(i)]&White != 0 {
		i++
	}
	return i
}

// isOneIRI says that the text from index from to index to, where a > is, was meant as one IRI. It
// holds forbidden characters.
func (l *Lexer) isOneIRI(from, to int) bool {
	text := l.Buf[from:to]
	if !plainlyOneIRI(text) {
		return false
	}
	if _, open := cutStrings(text); !open || !bytes.ContainsAny(bytes.TrimSpace(text), " \t") {
		return true
	}
	// A quotation mark without a partner belongs to the IRI, or begins a string that the > is in. In
	// one of these readings only, those of the rest of the line are even in number.
	_, open := cutStrings(l.Buf[to+1 : l.lineEnd(to+1)])
	return !open
}

var (
	// tagged is the end of a string with its language or datatype.
	tagged = pattern.New(`"(?:\^\^|@[A-Za-z])`)
	// nextTerm is the end of a term, where another may follow: a name or an IRI with its colon, a number, or nothing.
	nextTerm = pattern.New(`(?:[.;,] | [,;.])(?:[^:]*:|\s*$|[\s"([]*[^A-Za-z\x{80}-\x{10FFFF}\s"([])`)
	// moreBehind is a sign that may follow a term, and then a name with a prefix or a bracket. After a dot, a number is
	// that of a port.
	moreBehind = pattern.New(`[;,)\].]+(?:$|[[(])|[;,)\]][;,)\].]*[\w\x{80}-\x{10FFFF}-]*:[^/]|\.[\w\x{80}-\x{10FFFF}-]*:[A-Za-z]`)
)

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
	bare, open := cutStrings(text)
	return text[0] != '=' && text[0] != '?' && (open || !tagged.Match(text)) && !nextTerm.Match(bare)
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

// unclosedIRI gives up an IRI: it ends before the first white space, < or quotation mark,
// so that what follows can be looked at.
func (l *Lexer) unclosedIRI(end int) {
	for i := l.Pos + 1; i < end; i++ {
		if c := l.Buf[i]; c <= ' ' || c == '"' {
			end = i
		}
	}
	kind, next := Broken, l.at(l.Pos+1)
	if (next == '\n' || next == '\r') && !l.LineFormat {
		end = l.Pos + 1
	} else if next == '=' || next <= ' ' && end == l.Pos+1 {
		l.wrong(Symbol, l.Pos+1, fault.SyntaxSymbol, "this < begins no IRI")
		return
	} else if end == l.Pos+1 || bytes.IndexByte([]byte(";,.])}"), l.Buf[end-1]) >= 0 || moreBehind.Match(l.Buf[l.Pos+1:end]) {
		kind = Unclosed // it is none, or what follows the IRI may be in it
	}
	l.wrong(kind, end, fault.SyntaxUnclosedIRI, "the > that ends this IRI is missing on its line")
}

// Absolute is rfc3986.IsAbsolute, quick for what most IRIs begin with.
func Absolute(iri []byte) bool {
	if len(iri) > 5 && iri[0] == 'h' && iri[1] == 't' && iri[2] == 't' && iri[3] == 'p' &&
		(iri[4] == ':' || iri[4] == 's' && iri[5] == ':') {
		return true
	}
	return rfc3986.IsAbsolute(iri)
}
