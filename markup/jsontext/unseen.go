package jsontext

import (
	"unicode"
	"unicode/utf8"
)

// Unseen is the length of the marks at the beginning of text that can't be seen and are no white space
// of JSON. They are spaces of Unicode, marks without width, and control characters.
func Unseen(text []byte) (n int) {
	for n < len(text) {
		if b := text[n]; b < utf8.RuneSelf {
			if b >= ' ' && b != 0x7F || b == '\t' || b == '\n' || b == '\r' {
				break
			}
			n++
			continue
		}
		r, size := utf8.DecodeRune(text[n:])
		if !unicode.IsSpace(r) && !unicode.IsControl(r) && !unicode.Is(unicode.Cf, r) {
			break
		}
		n += size
	}
	return n
}

// Backslash is the length of a backslash at the end of a line, at the beginning of text, without the line end.
func Backslash(text []byte, ended bool) int {
	if len(text) == 0 || text[0] != '\\' {
		return 0
	}
	for _, b := range text[1:] {
		switch b {
		case ' ', '\t':
		case '\n', '\r':
			return 1
		default:
			return 0
		}
	}
	if ended {
		return 1
	}
	return 0
}

// isBlank says that nothing is to be seen at the beginning of text, and how long that is.
func isBlank(text []byte) int {
	if len(text) > 0 && isSpace(text[0]) {
		return 1
	}
	return Unseen(text)
}

func isSpace(b byte) bool { return b == ' ' || b == '\t' || b == '\n' || b == '\r' }
