package prose

import (
	"bytes"
	"strings"
)

// Languages by the letters that they can't do without.
var (
	// without Latin letters, as far as they write their own words
	nonLatin = setOf("am ar arz as be bg bn bo ckb dv dz el fa gu he hi hy iw ja ka km kn ko lo mai mk ml mr my ne or pa ps ru sa si ta " +
		"te th ti ug uk ur yi yue zh zh-hans zh-hant")
	// with Latin letters beyond those of ASCII
	accented = setOf("af br ca cs cy da de eo es et eu fi fo fr ga gl hr hu is it lt lv mt nb nn no oc pl pt ro se sk sl sq sv tr vi")
)

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		set[word] = true
	}
	return set
}

// questioned finds a word in which question marks stand for letters; "" if there
// is none, or the language does not decide.
func questioned(text, language []byte, high bool) string {
	primary, rest, _ := bytes.Cut(language, []byte("-"))
	switch {
	case nonLatin[string(primary)] && !bytes.Contains(rest, []byte("latn")):
		// Nothing but question marks, where there should be letters of another script.
		questions, letters := bytes.Count(text, []byte("?")), 0
		for _, b := range text {
			if isSmall(b | 0x20) {
				letters++
			}
		}
		if !high && questions >= 3 && questions > letters {
			return string(bytes.Fields(text)[0])
		}
	case accented[string(primary)]:
		for word := range bytes.FieldsSeq(text) {
			if isMangled(word) {
				return string(word)
			}
		}
	}
	return ""
}

// isMangled says that a word has a question mark between small letters, and is
// nothing else but letters, so no address, pattern or formula.
func isMangled(word []byte) bool {
	word = bytes.Trim(word, ".,;:!?()\"'»«“”„")
	inside := false
	for i, b := range word {
		switch {
		case 'a' <= b && b <= 'z', 'A' <= b && b <= 'Z' && i == 0, b >= 0x80:
		case b == '?' && i > 0 && i+1 < len(word) && isSmall(word[i-1]|0x20) && isSmall(word[i+1]):
			inside = true
		default:
			return false
		}
	}
	return inside && len(word) >= 4
}

func isSmall(b byte) bool { return 'a' <= b && b <= 'z' }
