package rdftest

import "unicode/utf8"

// ReadLatin reads the bytes of é, è and É, as a judge of stray bytes does to whom these
// alone are clear.
func ReadLatin(text []byte) (meant []byte, encoding string) {
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		if r == utf8.RuneError && size == 1 {
			if r = rune(text[0]); r != 'é' && r != 'è' && r != 'É' {
				return nil, ""
			}
		}
		meant = utf8.AppendRune(meant, r)
		text = text[size:]
	}
	return meant, "windows-1252"
}
