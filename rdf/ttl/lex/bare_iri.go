package lex

import (
	"bytes"

	"laundromat/internal/fault"
)

// scanBareIRI reads an IRI without < and >, of which no more than the scheme and // is before index i. No name can be
// followed by these. Its end is plain where what follows can't be in an IRI, and what stands before that is no sign
// that ends a term. False means that only its < is missing.
func (l *Lexer) scanBareIRI(i int) bool {
	const notIn = "<>\"{}|\\^`[]"
	begin := i
	for c := l.at(i); c > ' ' && bytes.IndexByte([]byte(notIn), c) < 0 && (c < 0x80 || !l.unseenAt(i)); c = l.at(i) {
		i++
	}
	text := l.Buf[begin:i]
	end := begin + len(bytes.TrimRight(text, ".,;:)'"))
	isSure := end == i && end > begin && !bytes.Contains(text, []byte("://"))
	switch next := l.at(i); {
	case next == '>':
		return false
	case isSure && (next <= ' ' || next == ']' || next == '}' && begin < i):
		l.Tok.Bare = true
		l.finish(IRI, i)
	default:
		l.wrong(Broken, max(end, begin), fault.SyntaxBareIRI, "the < > around this IRI are missing, and where it ends is not plain")
	}
	return true
}

// unseenAt says that a mark or space that can't be seen is at index i.
func (l *Lexer) unseenAt(i int) bool {
	l.at(i + 2)
	return Unseen(l.Buf[i:]) > 0
}

// Reference is the text of an IRI without its brackets, which may be missing.
func (t *Token) Reference(text []byte) []byte {
	if !t.Bare {
		return text[1 : len(text)-1]
	}
	return text
}
