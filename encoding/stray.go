package encoding

import (
	"unicode/utf8"

	"laundromat/encoding/language"
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
	var readings []*reading
	for _, r := range candidates() {
		c, _ := lookup(r.name)
		decode, single := singleByte(c)
		if !single {
			continue
		}
		readings = append(readings, &reading{name: r.name, prior: r.prior, languages: r.languages, guests: r.guests, split: func(word []language.Symbol, bytes []byte) []language.Symbol {
			return splitMixed(word, bytes, decode)
		}})
	}
	ranking := weigh(readings, words)
	best := ranking[0]
	strays := []string{best.name}
	for _, w := range ranking[1:] {
		margin := float64(strayMargin)
		if w.name == priors[0].name && best.script != language.Latin {
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
		if len(word) > 4 {
			told = append(told, word)
		}
	}
	if len(told) == 0 {
		return words
	}
	return told
}

// SingleByte returns what reads a byte as the character that it is in an encoding of
// one byte a character; U+FFFD where it is none, and for every byte where no encoding
// of that kind has the name.
func SingleByte(name string) func(byte) rune {
	c, _ := lookup(name)
	if decode, ok := singleByte(c); ok {
		return decode
	}
	return func(byte) rune { return utf8.RuneError }
}
