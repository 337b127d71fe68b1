package pattern

import (
	"bytes"
	"regexp/syntax"
	"unicode/utf8"
)

// Bytes is a set of bytes: those that a text has, or that a match of a pattern needs.
type Bytes [4]uint64

// BytesOf are the bytes that a text has.
func BytesOf(text []byte) (has Bytes) {
	for _, c := range text {
		has.add(c)
	}
	return has
}

func (b *Bytes) add(c byte) { b[c/64] |= 1 << (c % 64) }

// holds says that all of another set are in this one.
func (b *Bytes) holds(other *Bytes) bool {
	return other[0]&^b[0]|other[1]&^b[1]|other[2]&^b[2]|other[3]&^b[3] == 0
}

// need is what a match of a pattern needs, or an alternative of it: bytes, and some of them in a row.
type need struct {
	bytes Bytes
	row   string // the longest that is known
}

// MayMatch says that a text, which has these bytes, may hold a match. Where many patterns are asked of one text, most
// need a bracket or a word that it does not have, and this is found at once.
func (p *Pattern) MayMatch(text []byte, has *Bytes) bool {
	p.Regexp()
	for i := range p.needs {
		n := &p.needs[i]
		if has.holds(&n.bytes) && (len(n.row) < 2 || bytes.Contains(text, []byte(n.row))) {
			return true
		}
	}
	return false
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
			all = append(all, n)
		}
	}
	return all
}

func literalNeed(re *syntax.Regexp) (n need) {
	isFolded := re.Flags&syntax.FoldCase != 0
	for _, r := range re.Rune {
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
