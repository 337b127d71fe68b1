package pattern

import (
	"bytes"
	"regexp/syntax"
	"unicode"
	"unicode/utf8"
)

// byteSet is a set of bytes: those that a text has, or that a match of a pattern needs.
type byteSet [4]uint64

// bytesOf are the bytes that a text has.
func bytesOf(text []byte) (has byteSet) {
	for _, c := range text {
		has.add(c)
	}
	return has
}

func (b *byteSet) add(c byte) { b[c/64] |= 1 << (c % 64) }

// holds says that all of another set are in this one.
func (b *byteSet) holds(other *byteSet) bool {
	return other[0]&^b[0]|other[1]&^b[1]|other[2]&^b[2]|other[3]&^b[3] == 0
}

// need is what a match of a pattern needs, or an alternative of it: bytes, and some of them in a row.
type need struct {
	bytes byteSet
	row   string // the longest that is known
	// folded is the longest row of letters that may be large or small, in small ones.
	folded string
}

// Text is a text that many patterns are asked of. It is for one goroutine, and the text must not change.
type Text struct {
	text    []byte
	has     byteSet
	lowered []byte // the text with small letters in place of the large ones of ASCII; nil before it is needed
}

// TextOf is a text that patterns are to be asked of.
func TextOf(text []byte) Text { return Text{text: text, has: bytesOf(text)} }

// MayMatch says that a text may hold a match. Where many patterns are asked of one text, most need a bracket or a word
// that it does not have, and this is found at once.
func (p *Pattern) MayMatch(t *Text) bool {
	p.Regexp()
	for i := range p.needs {
		if t.mayHave(&p.needs[i]) {
			return true
		}
	}
	return false
}

func (t *Text) mayHave(n *need) bool {
	if !t.has.holds(&n.bytes) || len(n.row) > 1 && !bytes.Contains(t.text, []byte(n.row)) {
		return false
	}
	if len(n.folded) < 2 {
		return true
	}
	if t.lowered == nil {
		t.lowered = make([]byte, len(t.text))
		for i, c := range t.text {
			if 'A' <= c && c <= 'Z' {
				c += 'a' - 'A'
			}
			t.lowered[i] = c
		}
	}
	return bytes.Contains(t.lowered, []byte(n.folded))
}

// mostNeeds is how many alternatives are kept of a pattern. One of more may be in any text.
const mostNeeds = 64

// needsOf are what a match needs: one of them.
func needsOf(re *syntax.Regexp) []need {
	switch re.Op {
	case syntax.OpLiteral:
		return []need{literalNeed(re)}
	case syntax.OpCharClass:
		return classNeeds(re.Rune)
	case syntax.OpCapture, syntax.OpPlus:
		return needsOf(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return needsOf(re.Sub[0])
		}
	case syntax.OpAlternate:
		var all []need
		for _, sub := range re.Sub {
			all = append(all, needsOf(sub)...)
		}
		if len(all) <= mostNeeds {
			return all
		}
	case syntax.OpConcat:
		all := []need{{}}
		for _, sub := range re.Sub {
			all = both(all, needsOf(sub))
		}
		return all
	}
	return []need{{}}
}

// both are the needs of two parts after one another.
func both(a, b []need) []need {
	if len(a)*len(b) > mostNeeds {
		return a
	}
	all := make([]need, 0, len(a)*len(b))
	for i := range a {
		for j := range b {
			n := a[i]
			for k := range n.bytes {
				n.bytes[k] |= b[j].bytes[k]
			}
			if len(b[j].row) > len(n.row) {
				n.row = b[j].row
			}
			if len(b[j].folded) > len(n.folded) {
				n.folded = b[j].folded
			}
			all = append(all, n)
		}
	}
	return all
}

func literalNeed(re *syntax.Regexp) (n need) {
	isFolded := re.Flags&syntax.FoldCase != 0
	row := []byte(nil)
	for _, r := range re.Rune {
		if isFolded {
			if row = appendFolded(row, r); len(row) > len(n.folded) {
				n.folded = string(row)
			}
		}
		lower := r | 0x20
		if isFolded && (r >= utf8.RuneSelf || 'a' <= lower && lower <= 'z') {
			continue // it is any of several
		}
		for _, c := range []byte(string(r)) {
			n.bytes.add(c)
		}
	}
	if !isFolded {
		n.row = string(re.Rune)
	}
	return n
}

// appendFolded appends a letter to a row of such as may be large or small. One that stands also for a letter outside of
// ASCII, as K does for the sign of kelvin, ends the row.
func appendFolded(row []byte, r rune) []byte {
	if r >= utf8.RuneSelf {
		return row[:0]
	}
	for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
		if other >= utf8.RuneSelf {
			return row[:0]
		}
	}
	return append(row, byte(unicode.ToLower(r)))
}

// classNeeds are those of a few characters, given as ranges.
func classNeeds(ranges []rune) (all []need) {
	for i := 0; i+1 < len(ranges); i += 2 {
		for r := ranges[i]; r <= ranges[i+1]; r++ {
			if len(all) == 4 || r >= utf8.RuneSelf {
				return []need{{}}
			}
			n := need{row: string(r)}
			n.bytes.add(byte(r))
			all = append(all, n)
		}
	}
	return all
}
