package language

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// garbledBelow is the share of useful characters, in thousandths, below which a text is garbled.
const garbledBelow = 800

// useful says of each kind of characters whether it counts. Letters and marks count if a language that was found is
// written in their script. The table is asked from the top.
var useful = []struct {
	kind    string
	is      func(before, r, after rune, scripts []*unicode.RangeTable) bool
	isGiven bool
}{
	{"U+FFFD, noncharacters, private use", func(_, r, _ rune, _ []*unicode.RangeTable) bool {
		return r == utf8.RuneError || r&0xFFFE == 0xFFFE || unicode.Is(unicode.Co, r)
	}, false},
	{"white space", func(_, r, _ rune, _ []*unicode.RangeTable) bool { return unicode.IsSpace(r) && r != '\u0085' }, true},
	{"controls", func(_, r, _ rune, _ []*unicode.RangeTable) bool { return unicode.IsControl(r) }, false},
	{"a question mark within a word", func(before, r, after rune, _ []*unicode.RangeTable) bool {
		return r == '?' && unicode.IsLetter(before) && unicode.IsLower(after)
	}, false},
	{"UTF-8 that was read as Latin-1 or windows-1252", isMisread, false},
	{"letters and marks of a script that was found", func(_, r, _ rune,
		scripts []*unicode.RangeTable) bool {
		return unicode.In(r, scripts...)
	}, true},
	{"letters and marks of other scripts", func(_, r, _ rune, scripts []*unicode.RangeTable) bool {
		return len(scripts) > 0 && isLetter(r) && !unicode.In(r, unicode.Common, unicode.Inherited)
	}, false},
	{"other letters, marks, digits, punctuation, symbols", func(_, r, _ rune, _ []*unicode.RangeTable) bool {
		return isLetter(r) || unicode.In(r, unicode.N, unicode.P, unicode.S, unicode.Cf)
	}, true},
}

// isMisread says that a character is one of those that bytes of UTF-8 become: a letter that begins a sequence, and a
// sign that no letter has beside it otherwise.
func isMisread(before, r, after rune, _ []*unicode.RangeTable) bool {
	isLead := func(r rune) bool { return strings.ContainsRune("ÂÃâÐÑØÙãðñøù", r) }
	isRest := func(r rune) bool {
		return 0x80 <= r && r <= 0xBF && r != '«' && r != '»' && r != 'ª' && r != 'º' && r != 0xA0 && r != '·' || r == '€' ||
			r == '™' || r == '‚' || r == 'Œ' || r == 'œ' ||
			r == '˜' || r == '¢'
	}
	return isLead(r) && isRest(after) || isRest(r) && (isLead(before) || isRest(before))
}

// Useful is the share of useful characters of a text in thousandths, given the languages that were found.
func Useful(text string, tags []string) int {
	var scripts []*unicode.RangeTable
	for _, tag := range tags {
		if tag == Unknown {
			continue
		}
		names := scriptsOf[tag]
		if names == nil {
			names = []string{"Latin"}
		}
		for _, name := range names {
			scripts = append(scripts, unicode.Scripts[name])
		}
	}
	isLatin := len(scripts) == 0
	for _, s := range scripts {
		isLatin = isLatin || s == unicode.Latin
	}
	all, good := 0, 0
	var before rune
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf && c != '?' && (c >= ' ' && c != 0x7F || c == '\n' || c == '\t') && (isLatin ||
			!isASCIILetter(c)) && (i+1 == len(text) || text[i+1] < utf8.RuneSelf) {
			all, good, before = all+1, good+1, rune(c)
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		i += size
		after, _ := utf8.DecodeRuneInString(text[i:])
		all++
		for k := range useful {
			if useful[k].is(before, r, after, scripts) {
				if useful[k].isGiven {
					good++
				}
				break
			}
		}
		before = r
	}
	if all == 0 {
		return 1000
	}
	return good * 1000 / all
}

func isASCIILetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
