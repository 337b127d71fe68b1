package fault

import (
	"fmt"
	"unicode"
	"unicode/utf8"
)

func excerpt(text []byte) string {
	if len(text) <= MaxExcerpt && isPrintableASCII(text) {
		return string(text)
	}
	const mark = "…"
	if len(text) > MaxExcerpt && isPrintableASCII(text[:MaxExcerpt+1]) {
		return string(text[:MaxExcerpt-len(mark)]) + mark
	}
	out, cut := make([]byte, 0, MaxExcerpt+16), 0 // cut is where the mark would be
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		switch {
		case r == utf8.RuneError && size == 1:
			out = fmt.Appendf(out, `\x%02X`, text[0])
		case r == '\t':
			out = append(out, ' ')
		case r == '\n':
			out = append(out, `\n`...)
		case r == '\r':
			out = append(out, `\r`...)
		case unicode.IsPrint(r):
			out = append(out, text[:size]...)
		case r > 0xFFFF:
			out = fmt.Appendf(out, `\U%08X`, r)
		default:
			out = fmt.Appendf(out, `\u%04X`, r)
		}
		if len(out) > MaxExcerpt {
			return string(append(out[:cut], mark...))
		}
		if len(out) <= MaxExcerpt-len(mark) {
			cut = len(out)
		}
		text = text[size:]
	}
	return string(out)
}

func isPrintableASCII(text []byte) bool {
	for _, b := range text {
		if b < 0x20 || b > 0x7E {
			return false
		}
	}
	return true
}

// TooLong is the message of a notice with the code [LimitToken]: what is longer than so many bytes, and which flag
// gives more.
func TooLong(what string, most int) string {
	return fmt.Sprintf("%s is longer than %d bytes, the most that is held; --max-literal gives more", what, most)
}
