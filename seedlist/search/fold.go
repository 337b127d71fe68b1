package search

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// foldVersion rises whenever [Words] gives other words than before: an index made by another is made again.
const foldVersion = "1"

// longestWord is the length that a word is cut at, in bytes.
const longestWord = 64

// Words are the words of a text as they are found: letters and digits of the compatible decomposition (NFKD),
// without
// marks, in lower case. A run of Chinese, Japanese or Korean signs gives each two that follow one another, and a
// sign
// that is alone as it is. So "Zürich" is found by "zurich", and "東京都" by "京都".
func Words(text string) []string {
	var all []string
	f := folder{add: func(word string) { all = append(all, word) }}
	f.text(text)
	return all
}

// NameWords are those of a name, such as the end of an IRI or a column: its words, and those that it is put
// together of.
// So "birthPlace" is found by "birthplace" and by "place".
func NameWords(text string) []string {
	all := Words(text)
	for _, part := range nameParts(text) {
		all = append(all, Words(part)...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// nameParts cuts a name where a capital follows a small letter or a digit, and where a letter follows a digit.
func nameParts(text string) (parts []string) {
	from := 0
	var before rune
	for at, r := range text {
		if unicode.IsUpper(r) && (unicode.IsLower(before) || unicode.IsDigit(before)) || unicode.IsLetter(r) && unicode.IsDigit(before) {
			parts, from = append(parts, text[from:at]), at
		}
		before = r
	}
	if from == 0 {
		return nil
	}
	return append(parts, text[from:])
}

// folder cuts a text into words.
type folder struct {
	add  func(string)
	word strings.Builder
	// sign is the last of a run of signs that are found in pairs; paired says that it is in a pair.
	sign   rune
	paired bool
}

func (f *folder) text(text string) {
	if !isPlain(text) {
		text = norm.NFKD.String(text)
	}
	for _, r := range text {
		switch {
		case unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Me, r):
			// A mark belongs to the letter before it.
		case isSign(r):
			f.end()
			if f.sign != 0 {
				f.add(string([]rune{f.sign, r}))
			}
			f.paired = f.sign != 0
			f.sign = r
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mc, r) || unicode.IsNumber(r):
			f.endSigns()
			if r = unicode.ToLower(r); f.word.Len()+utf8.RuneLen(r) <= longestWord {
				f.word.WriteRune(r)
			}
		default:
			f.end()
			f.endSigns()
		}
	}
	f.end()
	f.endSigns()
}

func (f *folder) end() {
	if f.word.Len() > 0 {
		f.add(f.word.String())
		f.word.Reset()
	}
}

func (f *folder) endSigns() {
	if f.sign != 0 && !f.paired {
		f.add(string(f.sign))
	}
	f.sign, f.paired = 0, false
}

// isPlain says that a text is its own decomposition.
func isPlain(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// isSign says that a letter is of a script that sets no spaces between words. Hangul in NFKD is jamo, which are put
// together by words, as letters are.
func isSign(r rune) bool {
	return unicode.Is(unicode.Han, r) || unicode.Is(unicode.Hiragana, r) || unicode.Is(unicode.Katakana, r) || r == 'ー' ||
		unicode.Is(unicode.Thai, r) || unicode.Is(unicode.Lao, r) || unicode.Is(unicode.Khmer, r) || unicode.Is(unicode.Myanmar, r)
}
