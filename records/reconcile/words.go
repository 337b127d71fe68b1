package reconcile

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// hashOf is a hash of a text that is the same on every machine: FNV-1a, with its bits mixed.
func hashOf(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return mix(h)
}

// mix spreads the bits of a hash (the finaliser of MurmurHash3).
func mix(h uint64) uint64 {
	h = (h ^ h>>33) * 0xff51afd7ed558ccd
	h = (h ^ h>>33) * 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}

// letters are those that a compatibility decomposition leaves whole.
var letters = strings.NewReplacer("ß", "ss", "æ", "ae", "œ", "oe", "ø", "o", "ł", "l", "đ", "d", "ð", "d", "þ", "th", "ı", "i", "ħ", "h")

// fold is a text without the differences that say nothing: case, marks, forms of one character.
func fold(s string) string {
	plain := true
	for i := range len(s) {
		if c := s[i]; c >= utf8.RuneSelf || c < ' ' {
			plain = false
			break
		}
	}
	if plain {
		return strings.ToLower(s)
	}
	s = norm.NFKD.String(strings.ToLower(strings.ToValidUTF8(s, "\uFFFD")))
	return letters.Replace(strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Mn, r):
			return -1
		case r < ' ':
			return ' '
		}
		return unicode.ToLower(r)
	}, s))
}

// kind of a token.
type tokenKind uint8

const (
	word   tokenKind = iota // a run of letters
	number                  // a run of digits
	code                    // letters and digits that are written together
	joined                  // a word and a number that are next to each other
	digits                  // numbers that are written together, as in a date
)

// token is a word of a record, or a code in it.
type token struct {
	hash uint64
	text string // of a word or number, and of a code
	kind tokenKind
}

// longestCode is how many bytes a code may have. Longer chunks are addresses of pages and the like.
const longestCode = 24

// tokens appends the words, numbers and codes of a folded text. So "20 gb", "20gb" and "20-gb" have a token in
// common, and "AB-123" and "ab 123".
func tokens(dst []token, text string) []token {
	var before token // the run before, in whatever chunk
	var chunk [8]string
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		if r == ' ' || r == '\u00a0' {
			text = text[size:]
			continue
		}
		runs, hasLetters, hasDigits := 0, false, false
		for len(text) > 0 && text[0] != ' ' {
			kind, n := runOf(text)
			if n == 0 {
				_, size := utf8.DecodeRuneInString(text)
				text = text[size:]
				continue
			}
			t := token{hashOf(text[:n]), text[:n], kind}
			dst = append(dst, t)
			if before.text != "" && before.kind != kind && len(before.text)+n <= longestCode {
				dst = append(dst, token{hash: hashOf(before.text + t.text), kind: joined})
			}
			before = t
			hasLetters, hasDigits = hasLetters || kind == word, hasDigits || kind == number
			if runs < len(chunk) {
				chunk[runs] = t.text
			}
			runs++
			text = text[n:]
		}
		if hasDigits && runs > 1 && runs <= len(chunk) {
			dst = appendWhole(dst, strings.Join(chunk[:runs], ""), runs, hasLetters)
		}
	}
	return dst
}

// appendWhole appends what is written together as one token: a code, or the digits of a date.
func appendWhole(dst []token, whole string, runs int, hasLetters bool) []token {
	switch {
	case len(whole) < 3 || len(whole) > longestCode:
	case !hasLetters:
		dst = append(dst, token{hash: hashOf(whole), kind: digits})
	case runs == 2: // it is the pair that was just joined
		dst = append(dst[:len(dst)-1], token{hashOf(whole), whole, code})
	default:
		dst = append(dst, token{hashOf(whole), whole, code})
	}
	return dst
}

// runOf is the length of the run of letters or digits that a text begins with.
func runOf(text string) (kind tokenKind, n int) {
	if c := text[0]; c >= '0' && c <= '9' {
		for n < len(text) && text[n] >= '0' && text[n] <= '9' {
			n++
		}
		return number, n
	}
	for n < len(text) {
		c := text[n]
		if c >= 'a' && c <= 'z' {
			n++
			continue
		}
		if c < utf8.RuneSelf {
			break
		}
		r, size := utf8.DecodeRuneInString(text[n:])
		if !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsNumber(r) {
			break
		}
		n += size
	}
	return word, n
}

// grams appends the hashes of the sequences of four characters in the words of a text, each word between spaces.
func grams(dst []uint64, words []token) []uint64 {
	var window [4]rune
	filled := 0
	push := func(r rune) {
		window[0], window[1], window[2], window[3] = window[1], window[2], window[3], r
		if filled++; filled >= 4 {
			h := uint64(window[0])<<42 ^ uint64(window[1])<<28 ^ uint64(window[2])<<14 ^ uint64(window[3])
			dst = append(dst, mix(h))
		}
	}
	push(' ')
	for i := range words {
		if words[i].kind > number {
			continue
		}
		for _, r := range words[i].text {
			push(r)
		}
		push(' ')
	}
	return dst
}
