package jsonld

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"laundromat/internal/fault"
	"laundromat/internal/spelling"
	"laundromat/markup/jsonread"
)

// misspelt loses what can't be known of an object in which a name has the form of a keyword and is
// none. The name is one letter or sign, or white space, away from one that the object lacks. Or one is
// in it as a word of its own, or with something between. A processor passes over such a name (JSON-LD
// 1.1 §1.7, terms of the form of a keyword). That would make a blank node of one that lost its @id.
func (x *expansion) misspelt(m *jsonread.Member) (known bool, f *failure) {
	if m.Name != "" && !strings.Contains(m.Name, "@") {
		return false, nil
	}
	name := strings.Map(func(r rune) rune {
		if r <= ' ' || r == '\\' || r == 0xA0 || r == 0x200B || r == 0xFEFF {
			return -1 // they got in between
		}
		return r
	}, m.Name)
	word := ""
	for _, w := range [...]string{"@id", "@type", "@value", "@language", "@list", "@set", "@context", "@graph", "@reverse"} {
		if spelling.Nearly([]byte(name), w) && looksLikeKeyword(strings.Map(onlySigned, name)) || standsIn(w, m.Name) || tornBy(w, m.Name) {
			word = w
			break
		}
	}
	if m.Name == "" && !x.has("@value") {
		word = x.unnamed(m.Value)
	}
	if word == "" || x.has(word) || !x.rules.on(misspeltKeyword) {
		return false, nil
	}
	f = failed(fault.JSONKeyword, jsonread.NewText(m.Name, m.Pos), "%s isn't a keyword, and may stand for %s", m.Name, word)
	switch {
	case word == "@id":
		x.loseAll(f, x.thing.from, 0) // its statements are told one by one
		x.unname(f)
	case word == "@type" && !x.has("@value"), word == "@graph", word == "@reverse":
		x.loseAll(f, m.Value, x.countKeyword(word, m.Value))
	case x.has("@value") && word != "@type" && word != "@language":
		return false, nil
	default:
		f.isLiteral = word == "@value"
		return true, f
	}
	return true, nil
}

// has says that a member of the object means a keyword.
func (x *expansion) has(word string) bool {
	for i := range x.thing.from.Members {
		if n := x.thing.from.Members[i].Name; n == word || x.active.keyword(n) == word {
			return true
		}
	}
	return false
}

// unnamed is the keyword for which the empty name of a value may have been written. It is @value where
// there is only what goes with one. Else it is @id if the value looks like an IRI, as the number of a
// row does not.
func (x *expansion) unnamed(v *jsonread.Value) string {
	for i := range x.thing.from.Members {
		switch x.thing.from.Members[i].Name {
		case "", "@context", "@type", "@language", "@direction", "@index":
		default:
			if v.Kind == jsonread.Text && hasColon(v.Text) && !strings.ContainsAny(v.Text, " \t\n") {
				return "@id"
			}
			return ""
		}
	}
	return "@value"
}

// onlySigned leaves out what is neither a letter, a digit nor the @ of a keyword. Signs may have
// slipped in, and a digit makes a name of its own.
func onlySigned(r rune) rune {
	if r == '@' || r >= '0' && r <= '9' || r|0x20 >= 'a' && r|0x20 <= 'z' {
		return r
	}
	return -1
}

// standsIn says that a keyword is a word of a name, apart from what else stands in it: something
// got in before or behind it. It is none in a path, such as author.@id.
func standsIn(keyword, name string) bool {
	i := strings.Index(name, keyword)
	if i < 0 {
		return false
	}
	before, _ := utf8.DecodeLastRuneInString(name[:i])
	behind, _ := utf8.DecodeRuneInString(name[i+len(keyword):])
	return !isOfWord(before) && !isOfWord(behind) && !strings.ContainsRune("./$#[", before) && !strings.ContainsRune(".[]", behind)
}

// tornBy says that a name is a keyword in which something stands that is no part of a name.
func tornBy(keyword, name string) bool {
	most := len(name) - len(keyword)
	if most <= 0 {
		return false
	}
	for i := 1; i <= len(keyword); i++ {
		if !strings.HasPrefix(name, keyword[:i]) {
			return false
		}
		if between := name[i : i+most]; strings.HasSuffix(name, keyword[i:]) && strings.IndexFunc(between, isNoName) >= 0 {
			return true
		}
	}
	return false
}

func isNoName(r rune) bool {
	return r >= utf8.RuneSelf || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("._-:/#$", r)
}

func isOfWord(r rune) bool {
	return r == '_' || r == '-' || r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
}
