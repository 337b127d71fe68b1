package content

import (
	"math/bits"
	"strings"
	"unicode"
	"unicode/utf8"
)

// lexiconBits is the logarithm of the size of a table of words. Words that share an entry share its weight.
const lexiconBits = 16

// PageEntries is the size of the tables of names of pages.
const PageEntries = 1 << 13

// Hash is the entry of a word in the tables.
type Hash = uint16

const fnvBasis, fnvPrime = 2166136261, 16777619

func entry(h uint32) Hash {
	return Hash((h ^ h>>lexiconBits) & (1<<lexiconBits - 1))
}

// scan is what is counted in the text of a block.
type scan struct {
	words, chars, digits, upper, commas, ends int
	long                                      int // words of more than three letters
	first, last                               rune
	marks                                     uint8
	hashes                                    []Hash // one for each word
	// of the word that is open: its hash, its letters and its digits
	hash            uint32
	letters, inWord int
}

// charClasses are coarse classes of characters, for those at the ends of a block.
var charClasses = func() map[rune]uint8 {
	known := map[rune]uint8{}
	for class, signs := range [...]string{1: ".。।", 2: ":：", 3: "?!？！", 4: ",;…", 5: "\"”»“'’", 6: ")](", 7: "0123456789"} {
		for _, r := range signs {
			known[r] = uint8(class)
		}
	}
	return known
}()

func charClass(r rune) uint8 {
	switch {
	case 'a' <= r && r <= 'z':
		return 8
	case 'A' <= r && r <= 'Z':
		return 9
	case r >= utf8.RuneSelf && unicode.IsLetter(r):
		return 10
	}
	return charClasses[r]
}

// read counts what is in a text.
func (c *scan) read(s string) {
	*c = scan{hashes: c.hashes[:0], hash: fnvBasis}
	for i := 0; i < len(s); {
		b := s[i]
		if b >= utf8.RuneSelf {
			r, n := utf8.DecodeRuneInString(s[i:])
			i += n
			c.wide(r)
			continue
		}
		i++
		switch {
		case 'a' <= b && b <= 'z':
			c.letters++
			c.hash = (c.hash ^ uint32(b)) * fnvPrime
		case 'A' <= b && b <= 'Z':
			c.letters++
			c.upper++
			c.hash = (c.hash ^ uint32(b|0x20)) * fnvPrime
		case '0' <= b && b <= '9':
			c.digits++
			c.inWord++
		default:
			c.endWord()
			if b == ' ' || b == '\n' || b == '\t' {
				continue
			}
			c.sign(rune(b), i == len(s) || s[i] <= ' ')
		}
		c.seen(rune(b))
	}
	c.endWord()
}

// seen counts a character.
func (c *scan) seen(r rune) {
	c.chars++
	if c.first == 0 {
		c.first = r
	}
	c.last = r
}

// wide counts a character outside ASCII.
func (c *scan) wide(r rune) {
	if r == '\u00a0' {
		c.endWord()
		return
	}
	c.seen(r)
	switch isLetter := unicode.IsLetter(r) || unicode.Is(unicode.M, r); {
	case isLetter && r >= 0x2E80 && r < 0xFB00: // two characters of such a script count as a word
		c.chars++
		c.letters++
		c.hash = (c.hash ^ uint32(r)) * fnvPrime
		if c.letters > 1 {
			c.endWord()
		}
	case isLetter:
		c.letters++
		if unicode.IsUpper(r) {
			c.upper++
		}
		c.hash = (c.hash ^ uint32(unicode.ToLower(r))) * fnvPrime
	default:
		c.endWord()
		c.sign(r, true)
	}
}

// sign counts what is neither letter nor digit. A sentence ends only where a word can't go on.
func (c *scan) sign(r rune, ends bool) {
	switch r {
	case ',', '，', '、', '،':
		c.commas++
	case '.', '!', '?', '。', '！', '？', '।':
		if ends {
			c.ends++
		}
	case '$', '€', '£', '¥':
		c.marks |= hasPrice
	case '@':
		c.marks |= hasAt
	case '©':
		c.marks |= hasCopyright
	}
}

// endWord ends a word, if one is open. All numbers of a length are one word.
func (c *scan) endWord() {
	n := c.letters + c.inWord
	if n == 0 {
		return
	}
	c.words++
	if n > 3 {
		c.long++
	}
	if c.inWord == 4 && c.letters == 0 {
		c.marks |= hasYear
	}
	if c.letters == 0 {
		c.hash = fnvBasis ^ uint32(c.inWord)
	}
	c.hashes = append(c.hashes, entry(c.hash))
	c.hash, c.letters, c.inWord = fnvBasis, 0, 0
}

// tokens calls take with the entry of each part of a name, such as those of a class: parts are apart by what is no
// letter, and where a capital follows a small letter.
func tokens(s string, take func(Hash)) {
	var h uint32 = fnvBasis
	n := 0
	var before byte
	for i := 0; i < len(s); i++ {
		b := s[i]
		isUpper := 'A' <= b && b <= 'Z'
		isLetter := isUpper || 'a' <= b && b <= 'z' || b >= utf8.RuneSelf
		if n > 0 && (!isLetter || isUpper && 'a' <= before && before <= 'z') {
			if n > 1 {
				take(entry(h))
			}
			h, n = fnvBasis, 0
		}
		if isLetter {
			if isUpper {
				h = (h ^ uint32(b|0x20)) * fnvPrime
			} else {
				h = (h ^ uint32(b)) * fnvPrime
			}
			n++
		}
		before = b
	}
	if n > 1 {
		take(entry(h))
	}
}

// lg is eight times the logarithm of n+1 to the base 2, at most 255.
func lg(n int) uint8 {
	if n <= 0 {
		return 0
	}
	n++
	l := bits.Len(uint(n)) - 1
	part := 0
	if l >= 3 {
		part = n >> (l - 3) & 7
	} else {
		part = n << (3 - l) & 7
	}
	return uint8(min(255, 8*l+part))
}

// share is a/b in steps of 1/255.
func share(a, b int) uint8 {
	if b <= 0 || a <= 0 {
		return 0
	}
	return uint8(min(255, a*255/b))
}

// around is a number near 0 as one near 128.
func around(n int) uint8 { return uint8(max(0, min(255, 128+n))) }

// flag is 1 for true.
func flag(is bool) uint8 {
	if is {
		return 1
	}
	return 0
}

func hasAny(s string, words ...string) bool {
	for _, w := range words {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}
