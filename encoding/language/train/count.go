//go:build generate

package main

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// counts are the words of all languages, each with how often it was there. A word is
// what is between two bytes that are no part of one in any encoding, with the
// characters before and after it.
type counts struct {
	words map[string]map[string]int
}

// count counts the words that have characters outside ASCII.
func count(folders []string) (*counts, error) {
	c := &counts{words: map[string]map[string]int{}}
	of := map[string][]*source{}
	for i := range sources {
		s := &sources[i]
		c.words[s.name] = map[string]int{}
		for locale := range strings.FieldsSeq(s.locales) {
			of[locale] = append(of[locale], s)
		}
	}
	err := texts(folders, func(locale, file, text string) {
		for _, s := range of[locale] {
			if isNames := strings.HasPrefix(file, "iso_") || strings.HasPrefix(file, "libgweather"); isNames && !s.names {
				continue
			}
			text := norm.NFC.String(text)
			if s.write != nil {
				text = s.write(text)
			}
			split(text, func(word string) { c.words[s.name][word]++ })
		}
	})
	return c, err
}

// split cuts a text into words in the same way as a sample of bytes is cut. It takes those
// that have characters outside ASCII, with one character on each side.
func split(text string, take func(string)) {
	text = " " + text + " "
	begin, high := -1, false
	for i, r := range text {
		if r >= utf8.RuneSelf || r >= 0x40 && r != 0x7F || '0' <= r && r <= '9' {
			if begin < 0 {
				begin = i
			}
			high = high || r >= utf8.RuneSelf
			continue
		}
		if begin > 0 && high && i-begin < 256 {
			take(text[begin-1 : i+1])
		}
		begin, high = -1, false
	}
}
