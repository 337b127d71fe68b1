package prose

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"laundromat/encoding/language"
)

// mendMargin is by how much (as a logarithm) a text must be likelier as what it was
// before it was misread. Of a million sound texts a handful can be read so at all.
const mendMargin = 11

// Mend finds what a text said before it was read in a wrong encoding, by how likely the
// letters follow each other in sixty languages. The result page is that encoding. If the text seems
// sound, page is "" and meant is nil. [Misread] makes the text of what is meant again, so
// that nothing is lost by mending.
func Mend(text []byte) (meant []byte, page string) {
	last := -1
	now := text
	times := 0
	for ; times < len(rounds); times++ {
		p, fixed := mendOnce(now, last)
		if fixed == nil {
			break
		}
		last, now = p, fixed
	}
	if times == 0 {
		return nil, ""
	}
	return now, pages[last].name + rounds[times-1]
}

// rounds are after the name of a page by how often it was read in.
var rounds = [...]string{"", ", twice", ", three times", ", four times"}

// Misread reads UTF-8 as text of a page that Mend names, as often as that says: it undoes a
// mending. If the page is not known, ok is false.
func Misread(text []byte, page string) (_ []byte, ok bool) {
	page, often, _ := strings.Cut(page, ",")
	if often != "" {
		often = "," + often
	}
	times := slices.Index(rounds[:], often) + 1
	for p := range pages {
		if pages[p].name == page && times > 0 {
			for range times {
				text = misread(text, p)
			}
			return text, true
		}
	}
	return nil, false
}

// misread reads UTF-8 as text of a page; bytes that it lacks are C1 controls.
func misread(text []byte, p int) (read []byte) {
	for _, b := range text {
		r := rune(b)
		if b >= utf8.RuneSelf {
			if r = pages[p].table.DecodeByte(b); r == utf8.RuneError {
				r = rune(b)
			}
		}
		read = utf8.AppendRune(read, r)
	}
	return read
}

// mendOnce undoes one reading in a wrong page; that of the round before, if there was one.
func mendOnce(text []byte, before int) (page int, meant []byte) {
	alive := alivePages(text)
	if alive == 0 {
		return 0, nil
	}
	cost, least := math.Inf(1), math.Inf(1)
	for p := 0; alive != 0; p, alive = p+1, alive>>1 {
		if alive&1 == 0 || before >= 0 && p != before {
			continue
		}
		fixed, ok := unread(text, p)
		if !ok || !bytes.Equal(misread(fixed, p), text) {
			continue
		}
		if math.IsInf(cost, 1) {
			cost = costOf(text)
		}
		if c := costOf(fixed); c < least && c < cost-mendMargin {
			page, meant, least = p, fixed, c
		}
	}
	return page, meant
}

// unread is what a text says whose bytes were read in a page; false if it can't be.
func unread(text []byte, p int) (meant []byte, ok bool) {
	for i := 0; i < len(text); {
		if text[i] < utf8.RuneSelf {
			meant = append(meant, text[i])
			i++
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		b, known := encode(p, r)
		if !known {
			return nil, false
		}
		meant = append(meant, b)
		i += size
	}
	return meant, utf8.Valid(meant)
}

// costOf is the negative logarithm of the probability of the words of a text that have
// characters outside ASCII: the least of all languages.
func costOf(text []byte) (sum float64) {
	var word []language.Symbol
	before, high := language.Edge, false
	end := func(after language.Class) {
		if high {
			least := math.MaxInt
			classes := map[language.Script]int{}
			for _, l := range language.All() {
				shared, known := classes[l.Script]
				if !known {
					shared = language.ClassCost(l.Script, before, word, after)
					classes[l.Script] = shared
				}
				least = min(least, shared+l.Cost(word))
			}
			sum += float64(least) / language.Nat
		}
		word, high, before = word[:0], false, after
	}
	for _, r := range string(text) {
		s := language.SymbolOf(r)
		if r < utf8.RuneSelf && !s.Class.IsLetter() && s.Class != language.Digit {
			end(s.Class)
			continue
		}
		high = high || r >= utf8.RuneSelf
		word = append(word, s)
	}
	end(language.Edge)
	return sum
}
