package fault

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

func excerpt(text []byte) string {
	var b strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		var shown string
		switch {
		case r == utf8.RuneError && size == 1:
			shown = fmt.Sprintf(`\x%02X`, text[0])
		case r == '\t':
			shown = " "
		case r == '\n':
			shown = `\n`
		case r == '\r':
			shown = `\r`
		case !unicode.IsPrint(r) && r != ' ':
			if r > 0xFFFF {
				shown = fmt.Sprintf(`\U%08X`, r)
			} else {
				shown = fmt.Sprintf(`\u%04X`, r)
			}
		default:
			shown = string(text[:size])
		}
		if b.Len()+len(shown) > MaxExcerpt-len("…") {
			b.WriteString("…")
			break
		}
		b.WriteString(shown)
		text = text[size:]
	}
	return b.String()
}
