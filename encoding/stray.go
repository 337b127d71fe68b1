package encoding

import (
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// Margins between readings of the stray bytes, as logarithms.
const (
	// strayMargin is by how much one reading must be likelier than another for that to be
	// left out. It is small, since the one before a word is seen, windows-1252, is right
	// nearly always, and a name or two is often all that there is; with each further word
	// the readings move apart by themselves.
	strayMargin = 1
	// scriptMargin is by how much another script than Latin must be likelier. Each of its
	// letters is likely, so that bytes which are no text at all look a little like words.
	scriptMargin = 10
)

// likelyStrays weighs in which encoding of one byte a character the stray bytes of
// words, which are UTF-8 otherwise, make likely words: the likeliest, and those that
// are nearly as likely and read them otherwise.
func likelyStrays(words [][]byte) []string {
	words = telling(words)
	all := make([]weighed, 0, len(candidates))
	for _, candidate := range candidates {
		c, _ := lookup(candidate.name)
		cm, single := c.enc.(*charmap.Charmap)
		if !single {
			continue
		}
		w := weighAs(candidate.name, words, func(chars []char, word []byte) []char { return splitStray(chars, word, cm) })
		w.score += candidate.prior
		all = append(all, w)
	}
	best := all[0]
	for _, w := range all {
		if w.score > best.score {
			best = w
		}
	}
	strays := []string{best.name}
	for i, w := range all {
		margin := float64(strayMargin)
		if i == 0 && !isLatin(best.language) {
			margin = scriptMargin
		}
		if w.text != best.text && w.score > best.score-margin {
			strays = append(strays, w.name)
		}
	}
	return strays
}

// telling leaves out words that say nothing of their encoding: one or two bytes that
// no letter stands beside. If all are such, they are all there is.
func telling(words [][]byte) [][]byte {
	var told [][]byte
	for _, word := range words {
		if len(word) > 2 {
			told = append(told, word)
		}
	}
	if len(told) == 0 {
		return words
	}
	return told
}

func isLatin(language string) bool {
	for _, m := range models {
		if m.language == language {
			return m.script == latin
		}
	}
	return false
}

// splitStray cuts a word of UTF-8 that has bytes of a single-byte encoding in it.
func splitStray(chars []char, word []byte, cm *charmap.Charmap) []char {
	for len(word) > 0 {
		r, size := utf8.DecodeRune(word)
		if r == utf8.RuneError && size == 1 {
			r = cm.DecodeByte(word[0])
		}
		chars = append(chars, char{r: r, common: true})
		word = word[size:]
	}
	return chars
}

// SingleByte returns what reads a byte as the character that it is in an encoding of
// one byte a character; U+FFFD where it is none, and for every byte where no encoding
// of that kind has the name.
func SingleByte(name string) func(byte) rune {
	c, _ := lookup(name)
	if cm, ok := c.enc.(*charmap.Charmap); ok {
		return cm.DecodeByte
	}
	return func(byte) rune { return utf8.RuneError }
}
