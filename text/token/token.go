// Package token cuts a text into tokens as the Penn Treebank does: words, numbers, signs, addresses and tags.
//
// Quotation marks are written as two backquotes and two apostrophes, dashes as --, dots as ..., and words such as
// can't as two tokens. Every token knows its place in the text. The rules were learnt from what the PTBTokenizer of
// CoreNLP 3.3 makes of texts. Of all that may begin at a place the longest match counts, where a look ahead counts as
// part of the match.
//
//	for _, t := range token.Append(nil, text, token.Options{}) {
//		fmt.Println(t.Start, t.End, t.Text)
//	}
package token

import "laundromat/text"

// Mark is a quotation mark whose direction is known. Start and End are bytes of the text.
type Mark struct {
	Start, End int
	Opens      bool
	Single     bool // written ` or ' instead of `` or ''
}

// Options say how a text is cut.
type Options struct {
	// Repaired mends two faults. A character beyond U+FFFF stays whole (as a letter, or with its companions as one
	// sign). Quotation marks beyond ASCII in Marks are written by their direction. Otherwise a character beyond
	// U+FFFF is two tokens, both at its place, each written U+FFFD for the half of it that UTF-8 can't hold.
	Repaired bool
	// Marks are in the order of the text. They count only where Repaired is set.
	Marks []Mark
}

// Append appends the tokens of a text to dst. They are in the order of the text and do not overlap.
// The texts of most tokens are parts of s.
func Append(dst []text.Token, s string, o Options) []text.Token {
	if dst == nil {
		dst = make([]text.Token, 0, len(s)/5+4)
	}
	l := lexer{s: s, out: dst, repaired: o.Repaired, at: -1, quoteFree: len(s), tickFree: len(s)}
	if o.Repaired {
		l.marks = o.Marks
	}
	for l.pos < len(s) {
		l.step()
	}
	return l.out
}

// lexer is a text with the place reached. The rest spares a second search for what was not found at the first.
type lexer struct {
	s        string
	pos      int
	out      []text.Token
	repaired bool
	marks    []Mark

	at, run, mail       int // the next @, the end of the run of characters around it, the end of the address in it
	head                int // the end of what may be the first of words joined by hyphens
	quoteFree, tickFree int // from here on there is no " or ' that could end an attribute
	noComment, noTag    bool
}

// emit appends a token that is written as it stands in the text.
func (l *lexer) emit(end int) {
	l.out = append(l.out, text.Token{Start: l.pos, End: end, Text: l.s[l.pos:end]})
	l.pos = end
}

// write appends a token with a spelling of its own.
func (l *lexer) write(end int, spelling string) {
	l.out = append(l.out, text.Token{Start: l.pos, End: end, Text: spelling})
	l.pos = end
}

// step takes one token, or passes over a space.
func (l *lexer) step() {
	c := l.s[l.pos]
	kind := class[c]
	if l.repaired && kind != letter && kind != space && (l.marked() || l.keycap(c)) {
		return
	}
	switch kind {
	case space:
		l.pos++
	case letter:
		l.word()
	case digit:
		l.number()
	case sign:
		l.sign(c)
	default:
		l.beyondASCII()
	}
}

// match is the longest of several ways to go on. The first of several equally long ones wins.
type match struct{ end, total int }

// offer proposes a token that ends at end, where text up to total was looked at.
func (m *match) offer(end, total int) {
	if total > m.total {
		m.end, m.total = end, total
	}
}
