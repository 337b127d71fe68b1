package extract

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// unescapeX reads _xHHHH_, which stands in texts of Office Open XML for a character that XML can't hold or would change
// (ECMA-376 part 1, §22.9.2.19). What is no character by itself stays as it is written.
func unescapeX(text string) string {
	at := strings.Index(text, "_x")
	if at < 0 {
		return text
	}
	var b strings.Builder
	for ; at >= 0; at = strings.Index(text, "_x") {
		b.WriteString(text[:at])
		text = text[at:]
		c, n := escapedX(text)
		if n == 0 {
			b.WriteString(text[:2])
			text = text[2:]
			continue
		}
		b.WriteRune(c)
		text = text[n:]
	}
	b.WriteString(text)
	return b.String()
}

// escapedX is the character that a text begins with as _xHHHH_, and how long that is; 0 if it doesn't.
func escapedX(text string) (c rune, n int) {
	unit, ok := unitX(text)
	switch {
	case !ok:
		return 0, 0
	case utf16.IsSurrogate(unit):
		low, ok := unitX(text[7:])
		if c = utf16.DecodeRune(unit, low); !ok || c == utf8.RuneError {
			return 0, 0
		}
		return c, 14
	}
	return unit, 7
}

func unitX(text string) (rune, bool) {
	if len(text) < 7 || text[:2] != "_x" || text[6] != '_' || strings.ContainsAny(text[2:6], "+-_") {
		return 0, false
	}
	n, err := strconv.ParseUint(text[2:6], 16, 16)
	return rune(n), err == nil
}
