package jsonld

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"laundromat/internal/fault"
	"laundromat/internal/spelling"
)

// misspelt loses what can't be known of an object in which a name has the form of a keyword and is none, where it is one
// letter or sign, or white space, away from one that the object lacks, or in which one stands as a word of its own. A processor passes over such a name (JSON-LD 1.1 §1.7, terms of
// the form of a keyword), which would make a blank node of one that lost its @id.
func (x *expansion) misspelt(m *member) (known bool, f *failure) {
	name := strings.Map(func(r rune) rune {
		if r <= ' ' || r == '\\' || r == 0xA0 || r == 0x200B || r == 0xFEFF {
			return -1 // they got in between
		}
		return r
	}, m.name)
	word := ""
	for _, w := range [...]string{"@id", "@type", "@value", "@language", "@list", "@set", "@context", "@graph", "@reverse"} {
		if spelling.Nearly([]byte(name), w) && looksLikeKeyword(strings.Map(onlySigned, name)) || standsIn(w, m.name) {
			word = w
			break
		}
	}
	has := func(word string) bool {
		for i := range x.thing.from.members {
			if n := x.thing.from.members[i].name; n == word || x.active.keyword(n) == word {
				return true
			}
		}
		return false
	}
	if word == "" || has(word) {
		return false, nil
	}
	f = failed(fault.JSONKeyword, newText(m.name, m.pos), "%s is no keyword, and may stand for %s", m.name, word)
	switch {
	case word == "@id":
		x.loseAll(f, x.thing.from)
		x.thing.from.nameless = true
	case word == "@type" && !has("@value"), word == "@graph", word == "@reverse":
		x.loseAll(f, m.value)
	case has("@value") && word != "@type" && word != "@language":
		return false, nil
	default:
		return true, f
	}
	return true, nil
}

// onlySigned leaves out what is neither a letter, a digit nor the @ of a keyword: signs may have slipped in, and a digit makes
// a name of its own.
func onlySigned(r rune) rune {
	if r == '@' || r >= '0' && r <= '9' || r|0x20 >= 'a' && r|0x20 <= 'z' {
		return r
	}
	return -1
}

// standsIn says that a keyword is a word of a name, apart from what else stands in it: something got in before or behind it.
func standsIn(keyword, name string) bool {
	i := strings.Index(name, keyword)
	if i < 0 {
		return false
	}
	before, _ := utf8.DecodeLastRuneInString(name[:i])
	behind, _ := utf8.DecodeRuneInString(name[i+len(keyword):])
	return !isOfWord(before) && !isOfWord(behind)
}

func isOfWord(r rune) bool {
	return r == '_' || r == '-' || r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
}
