// Package prefix cuts texts between characters.
package prefix

import "unicode/utf8"

// Of is the longest beginning of a text in UTF-8 that has at most so many bytes and ends between two characters. It
// shares the text's memory. In bytes that aren't UTF-8, those that would continue a character stay with what is before.
func Of[T ~string | ~[]byte](text T, most int) T {
	if len(text) <= most {
		return text
	}
	most = max(most, 0)
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}
