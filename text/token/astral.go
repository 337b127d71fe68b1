package token

import (
	"strings"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
)

const replacement = "\uFFFD"

// other takes a character that is a token of its own. In a repaired text those that are seen as one sign, such as a
// flag or a family, stay together.
func (l *lexer) other(r rune, size int) {
	end := l.pos + size
	if l.repaired {
		if n := l.clusterEnd(); n > end {
			end = n
		}
		l.emit(end)
		return
	}
	if r > 0xFFFF {
		start := l.pos
		l.write(end, replacement)
		l.pos = start
		l.write(end, replacement)
		return
	}
	if r == utf8.RuneError && size == 1 {
		l.write(end, replacement)
		return
	}
	l.emit(end)
}

// clusterEnd is the end of the sign at the place reached.
func (l *lexer) clusterEnd() int {
	end := min(l.pos+256, len(l.s))
	// Not within a character; what is no UTF-8 may be cut anywhere.
	for back := 1; back < utf8.UTFMax && end < len(l.s) && !utf8.RuneStart(l.s[end]); back++ {
		end--
	}
	it := graphemes.FromString(l.s[l.pos:end])
	if !it.Next() {
		return l.pos
	}
	return l.pos + len(strings.TrimRight(it.Value(), " "))
}

// keycap takes a sign of ASCII that a mark behind it makes an emoji, such as the key of a digit.
func (l *lexer) keycap(c byte) bool {
	if c >= utf8.RuneSelf || !strings.HasPrefix(l.s[l.pos+1:], "\uFE0F") {
		return false
	}
	l.emit(l.clusterEnd())
	return true
}
