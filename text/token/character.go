package token

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	beyond = iota // the first byte of a character beyond ASCII
	space
	letter
	digit
	sign
)

// class is what an ASCII character begins.
var class = func() (t [256]uint8) {
	for c := range 128 {
		switch {
		case c == ' ' || c >= '\t' && c <= '\r' || c == 127:
			t[c] = space
		case c|0x20 >= 'a' && c|0x20 <= 'z':
			t[c] = letter
		case c >= '0' && c <= '9':
			t[c] = digit
		default:
			t[c] = sign
		}
	}
	return t
}()

const softHyphen = "\u00ad"

func isLetter(c byte) bool { return class[c] == letter }
func isDigit(c byte) bool  { return class[c] == digit }
func isAlnum(c byte) bool  { return class[c] == letter || class[c] == digit }

// byteAt is the byte at i, or 0 behind the end.
func (l *lexer) byteAt(i int) byte {
	if i < len(l.s) {
		return l.s[i]
	}
	return 0
}

// letterAt is the length of the letter at i, or 0. A soft hyphen counts as one, and so does an entity for a letter
// with an accent.
func (l *lexer) letterAt(i int) int {
	if i >= len(l.s) {
		return 0
	}
	c := l.s[i]
	if c < utf8.RuneSelf {
		if class[c] == letter {
			return 1
		}
		if c == '&' {
			return l.accentAt(i)
		}
		return 0
	}
	r, size := utf8.DecodeRuneInString(l.s[i:])
	if r == '\u00ad' || (r <= 0xFFFF || l.repaired) && (unicode.IsLetter(r) || joins(r)) {
		return size
	}
	return 0
}

// alnumAt is the length of the letter or digit at i, or 0.
func (l *lexer) alnumAt(i int) int {
	if i < len(l.s) && isDigit(l.s[i]) {
		return 1
	}
	return l.letterAt(i)
}

// alnums is the end of the letters and digits from i.
func (l *lexer) alnums(i int) int {
	for i < len(l.s) && isAlnum(l.s[i]) {
		i++
	}
	for i < len(l.s) {
		n := l.alnumAt(i)
		if n == 0 {
			break
		}
		i += n
	}
	return i
}

// letters is the end of the letters from i.
func (l *lexer) letters(i int) int {
	for n := l.letterAt(i); n > 0; n = l.letterAt(i) {
		i += n
	}
	return i
}

// joins says whether a mark belongs to the word that it stands in. The reference knows those of scripts that it had
// tables for; in others (Kannada, say) each mark is a token.
func joins(r rune) bool {
	switch {
	case r >= 0x0300 && r <= 0x036F, r >= 0x0483 && r <= 0x0487,
		r >= 0x0591 && r <= 0x05C7 && unicode.Is(unicode.Mn, r),
		r >= 0x0610 && r <= 0x06ED && unicode.Is(unicode.Mn, r),
		r >= 0x0900 && r <= 0x094F && unicode.Is(unicode.M, r),
		r >= 0x0E31 && r <= 0x0E4E && unicode.Is(unicode.Mn, r):
		return true
	}
	return false
}

// accentAt is the length of an entity for a letter with an accent, such as &eacute; , at i, or 0.
func (l *lexer) accentAt(i int) int {
	if i+1 >= len(l.s) || !isLetter(l.s[i+1]) {
		return 0
	}
	rest := l.s[i+2:]
	for _, accent := range [...]string{"acute;", "grave;", "circ;", "uml;", "tilde;", "cedil;"} {
		if strings.HasPrefix(rest, accent) {
			return 2 + len(accent)
		}
	}
	return 0
}

// spaceAt is the length of the white space at i, or 0.
func (l *lexer) spaceAt(i int) int {
	if i >= len(l.s) {
		return 0
	}
	if c := l.s[i]; c < utf8.RuneSelf {
		if class[c] == space {
			return 1
		}
		return 0
	}
	if r, size := utf8.DecodeRuneInString(l.s[i:]); isSpace(r) {
		return size
	}
	return 0
}

// isSpace says whether a character beyond ASCII is no token: white space, and marks that can't be seen.
// U+202F and U+200D are tokens.
func isSpace(r rune) bool {
	switch {
	case r == 0xA0, r == 0x1680, r == 0x180E, r >= 0x2000 && r <= 0x200B, r == 0x200E, r == 0x200F,
		r >= 0x2028 && r <= 0x202E, r == 0x205F, r == 0x3000, r == 0xFEFF:
		return true
	}
	return false
}

// blankAt is the length of a space or no-break space at i, or 0.
func (l *lexer) blankAt(i int) int {
	switch {
	case i < len(l.s) && l.s[i] == ' ':
		return 1
	case strings.HasPrefix(l.s[min(i, len(l.s)):], "\u00a0"):
		return 2
	}
	return 0
}

// hyphenAt is the length of a hyphen within a word at i, or 0.
func (l *lexer) hyphenAt(i int) int {
	switch {
	case i >= len(l.s):
		return 0
	case l.s[i] == '-':
		return 1
	case l.s[i] == 0xE2 && (strings.HasPrefix(l.s[i:], "\u2010") || strings.HasPrefix(l.s[i:], "\u2011")):
		return 3
	}
	return 0
}

// apostropheAt is the length of an apostrophe at i, straight or not, or 0.
func (l *lexer) apostropheAt(i int) int {
	switch {
	case i >= len(l.s):
		return 0
	case l.s[i] == '\'':
		return 1
	case l.s[i] == 0xE2 && strings.HasPrefix(l.s[i:], "’"):
		return 3
	case l.s[i] == 0xC2 && strings.HasPrefix(l.s[i:], "\u0092"):
		return 2
	}
	return 0
}
