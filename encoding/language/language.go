// Package language says how likely a word is in each of some sixty languages.
//
// It knows counts, not texts. It knows how often a letter follows another in each language.
// For each kind of script it knows how letters, capitals, digits and signs follow each
// other. For Chinese, Japanese and Korean it knows how often characters and pairs of them
// occur. They lie in statistics.bin, which the program in train makes of the translated
// messages and manuals of a Linux distribution.
//
// A cost is the negative natural logarithm of a probability, in units of 1/[Nat]. The
// difference of two costs says how much likelier one reading of some bytes is than the
// other. [Language.Cost] has only the letters; [ClassCost], which is the same for all
// languages of a script, has to be added.
//
//	var word []language.Symbol
//	for _, r := range "Straße" {
//		word = append(word, language.SymbolOf(r))
//	}
//	for _, l := range language.All() {
//		fmt.Println(l.Name, l.Cost(word)+language.ClassCost(l.Script, language.Edge, word, language.Edge))
//	}
package language

import (
	_ "embed"
	"encoding/binary"
	"strings"
	"sync"
)

// Nat is the cost of a probability of 1/e.
const Nat = 16

// Language is the model of a language, or of one way to write it.
type Language struct {
	Name   string // in English
	Script Script

	// of an alphabet
	letters []rune  // the commonest first
	index   []uint8 // by the ID of a symbol: row and column in pairs, 0 for none
	size    int
	pairs   string // the cost of the letter of a column after that of a row; 0 is the word's end

	// of ideographs
	characters string // two bytes of rune and one of cost each, ascending
	couples    string // twelve bits of index each for two characters and one byte of cost, ascending
}

// Costs that no counting shows.
const (
	rareLetter    = 12 * Nat // a letter of the script that the language does not use
	rareIdeograph = 14 * Nat // an ideograph that was not counted
	backOff       = 1 * Nat  // for two characters that were not counted side by side
	foreignASCII  = 3*Nat + 4
	foreignLetter = 6 * Nat
	wrongCost     = 5 * Nat // in addition to that of its class
)

// Cost is that of the letters and characters of a word that is between other text.
func (l *Language) Cost(word []Symbol) (sum int) {
	if l.Script == Ideographs {
		return l.ideographs(word)
	}
	row := 0
	for i := range word {
		s := &word[i]
		at := int(l.index[s.ID])
		switch {
		case at != 0:
			sum += int(l.pairs[row*l.size+at])
			row = at
			continue
		case row != 0:
			sum += int(l.pairs[row*l.size])
		}
		row = 0
		if s.Script == l.Script || s.Class == Mark {
			sum += rareLetter
		} else {
			sum += int(s.base)
		}
	}
	return sum + int(l.pairs[row*l.size])
}

func (l *Language) ideographs(word []Symbol) (sum int) {
	before := -1
	for i := range word {
		s := &word[i]
		if s.Script != Ideographs {
			sum += int(s.base)
			before = -1
			continue
		}
		at, alone := l.find(s.Rune)
		if at < 0 {
			sum += rareIdeograph
			before = -1
			continue
		}
		cost := alone
		if before >= 0 {
			if cost = l.couple(before, at); cost < 0 {
				cost = alone + backOff
			}
		}
		sum += cost
		before = at
	}
	return sum
}

// find looks up a character; -1 if it was not counted.
func (l *Language) find(r rune) (at, cost int) {
	low, high := 0, len(l.characters)/3
	for low < high {
		mid := (low + high) / 2
		if c := rune(l.characters[3*mid])<<8 | rune(l.characters[3*mid+1]); c < r {
			low = mid + 1
		} else {
			high = mid
		}
	}
	if 3*low < len(l.characters) && rune(l.characters[3*low])<<8|rune(l.characters[3*low+1]) == r {
		return low, int(l.characters[3*low+2])
	}
	return -1, 0
}

// couple looks up the cost of one character after another; -1 if they were not counted.
func (l *Language) couple(first, second int) int {
	key := first<<12 | second
	low, high := 0, len(l.couples)/4
	for low < high {
		mid := (low + high) / 2
		if l.coupleAt(mid) < key {
			low = mid + 1
		} else {
			high = mid
		}
	}
	if 4*low < len(l.couples) && l.coupleAt(low) == key {
		return int(l.couples[4*low+3])
	}
	return -1
}

func (l *Language) coupleAt(i int) int {
	return int(l.couples[4*i])<<16 | int(l.couples[4*i+1])<<8 | int(l.couples[4*i+2])
}

// ClassCost is the cost of the classes of a word where a script is written, between two
// characters of the classes before and after.
func ClassCost(script Script, before Class, word []Symbol, after Class) (sum int) {
	table := load().transitions[script.Group()]
	row := int(before)
	for i := range word {
		class := int(word[i].In(script))
		sum += int(table[row*int(Classes)+class])
		row = class
	}
	return sum + int(table[row*int(Classes)+int(after)])
}

// WrittenWith is the share of this language's letters outside ASCII, the commonest of
// them, that a set of characters has; 0 for ideographs.
func (l *Language) WrittenWith(has func(rune) bool) float64 {
	most := 30
	if l.Script == Latin {
		most = 6
	}
	looked, found := 0, 0
	for _, r := range l.letters {
		if r < 0x80 || looked == most {
			continue
		}
		looked++
		if has(r) {
			found++
		}
	}
	if looked == 0 {
		return 0
	}
	return float64(found) / float64(looked)
}

// All are the languages. They must not be changed.
func All() []*Language { return load().languages }

// statistics begins with the transitions of classes, a table for each group of scripts.
// Then come the number of signs, and each with its rune and cost. Then comes the number of
// languages, and each with the length of its name, its name and its script. An alphabet
// then has the number of its letters, the letters, and the table of pairs. Ideographs have
// the number of characters, the characters, the number of pairs, and the pairs. Numbers are
// of two bytes, the larger first, except for costs and the length of a name.
//
//go:embed statistics.bin
var statistics string

type models struct {
	transitions [Groups]string
	signs       map[rune]uint8
	ids         map[rune]uint16
	languages   []*Language
}

var load = sync.OnceValue(func() *models {
	m := &models{signs: map[rune]uint8{}, ids: map[rune]uint16{}}
	rest := statistics
	take := func(n int) string {
		taken := rest[:n]
		rest = rest[n:]
		return taken
	}
	number := func() int { return int(binary.BigEndian.Uint16([]byte(take(2)))) }
	for i := range m.transitions {
		m.transitions[i] = take(int(Classes) * int(Classes))
	}
	for range number() {
		r := rune(number())
		m.signs[r] = take(1)[0]
	}
	letters := [][]uint16{}
	for range number() {
		l := &Language{Name: take(int(take(1)[0]))}
		l.Script = Script(take(1)[0])
		var own []uint16
		if l.Script == Ideographs {
			l.characters = take(3 * number())
			l.couples = take(4 * number())
		} else {
			l.size = number() + 1
			for range l.size - 1 {
				r := rune(number())
				if m.ids[r] == 0 {
					m.ids[r] = uint16(len(m.ids) + 1)
				}
				l.letters = append(l.letters, r)
				own = append(own, m.ids[r])
			}
			l.pairs = take(l.size * l.size)
		}
		m.languages, letters = append(m.languages, l), append(letters, own)
	}
	for i, l := range m.languages {
		l.index = make([]uint8, len(m.ids)+1)
		for j, id := range letters[i] {
			l.index[id] = uint8(j + 1)
		}
	}
	return m
})

// unmeant are signs that are in texts on signs, and else where a letter was misread.
const unmeant = "¤¦¨¬¯¸˘˙˛˝ˇ΄΅"

// baseOf is the cost of a symbol among those of its class.
func (m *models) baseOf(s Symbol) uint8 {
	switch s.Class {
	case Digit:
		return 37 // one of ten
	case Point:
		return 55 // one of 32
	case Lower, Upper, Caseless, Mark:
		if s.Rune < 0x80 {
			return foreignASCII
		}
		return foreignLetter
	case Quote, Sign, Space:
		if strings.ContainsRune(unmeant, s.Rune) {
			return 12 * Nat
		}
		if cost, ok := m.signs[s.Rune]; ok {
			return cost
		}
		return 10 * Nat
	case Wrong:
		return wrongCost
	}
	return 0
}
