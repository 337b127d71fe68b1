//go:build generate

package main

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"slices"
	"unicode/utf8"

	"laundromat/encoding/language"
)

const (
	maxLetters    = 120
	minLetter     = 4 // words that a letter must be in
	maxCharacters = 3600
	maxCouples    = 9000
)

// weight is what a word counts that was there so many times: texts on one subject
// repeat their terms.
func weight(times int) float64 { return 1 + math.Log(float64(times)) }

// cost is that of a probability.
func cost(p float64) byte { return byte(min(255, max(0, math.Round(-math.Log(p)*language.Nat)))) }

func number(table []byte, n int) []byte { return binary.BigEndian.AppendUint16(table, uint16(n)) }

// table writes all counts as package language reads them.
func (c *counts) table() (table []byte, err error) {
	var transitions [language.Groups][language.Classes][language.Classes]float64
	signs := map[rune]float64{}
	for _, s := range sources {
		if len(c.words[s.name]) < 100 {
			return nil, fmt.Errorf("%s: %d words are too few", s.name, len(c.words[s.name]))
		}
		share := 10000 / float64(len(c.words[s.name])) // all languages weigh the same
		of := &transitions[s.script.Group()]
		for _, word := range slices.Sorted(maps.Keys(c.words[s.name])) {
			times := c.words[s.name][word]
			before := language.Classes
			for _, r := range word {
				symbol := language.Classify(r)
				class := symbol.In(s.script)
				if before != language.Classes {
					of[before][class] += share * weight(times)
				}
				if r >= utf8.RuneSelf && (class == language.Quote || class == language.Sign || class == language.Space) {
					signs[r] += share * weight(times)
				}
				before = class
			}
		}
	}
	for g := range transitions {
		for before := range language.Classes {
			row := &transitions[g][before]
			sum := 0.0
			for class := range row {
				row[class] += 0.3
				if language.Class(class) == language.Wrong {
					row[class] = 0.001
				}
				sum += row[class]
			}
			for class := range row {
				table = append(table, cost(row[class]/sum))
			}
		}
	}
	table = appendSigns(table, signs)
	table = number(table, len(sources))
	for _, s := range sources {
		table = append(append(table, byte(len(s.name))), s.name...)
		table = append(table, byte(s.script))
		if s.script == language.Ideographs {
			table = appendIdeographs(table, c.words[s.name])
		} else if table, err = appendAlphabet(table, s, c.words[s.name]); err != nil {
			return nil, err
		}
	}
	return table, nil
}

// appendSigns writes how likely each sign is among those of its class.
func appendSigns(table []byte, signs map[rune]float64) []byte {
	sums := map[language.Class]float64{}
	for _, r := range slices.Sorted(maps.Keys(signs)) {
		n := signs[r]
		if n < 3 {
			delete(signs, r)
			continue
		}
		sums[language.Classify(r).Class] += n
	}
	table = number(table, len(signs))
	for _, r := range slices.Sorted(maps.Keys(signs)) {
		table = append(number(table, int(r)), cost(signs[r]/sums[language.Classify(r).Class]))
	}
	return table
}

// appendAlphabet writes how likely each letter is after each other. Letters that were
// never seen side by side get what they have alone, in part.
func appendAlphabet(table []byte, s source, words map[string]int) ([]byte, error) {
	in := map[rune]float64{}
	for _, word := range slices.Sorted(maps.Keys(words)) {
		times := words[word]
		for _, r := range word {
			if symbol := language.Classify(r); symbol.Class == language.Mark || symbol.Class.IsLetter() && symbol.Script == s.script {
				in[language.Small(r)] += weight(times)
			}
		}
	}
	maps.DeleteFunc(in, func(_ rune, n float64) bool { return n < minLetter })
	letters := slices.SortedFunc(maps.Keys(in), func(a, b rune) int { return cmp.Or(cmp.Compare(in[b], in[a]), cmp.Compare(a, b)) })
	letters = letters[:min(len(letters), maxLetters)] // commonest first
	at := map[rune]int{}
	for i, r := range letters {
		at[r] = i + 1
	}
	n := len(letters) + 1
	pairs := make([][]float64, n)
	for i := range pairs {
		pairs[i] = make([]float64, n)
	}
	for _, word := range slices.Sorted(maps.Keys(words)) {
		times := words[word]
		row := 0
		for _, r := range word {
			column := at[language.Small(r)]
			if row != 0 || column != 0 {
				pairs[row][column] += weight(times)
			}
			row = column
		}
	}
	alone, all := make([]float64, n), 0.0
	for _, row := range pairs {
		for column, times := range row[1:] {
			alone[column+1] += times
			all += times
		}
	}
	table = number(table, len(letters))
	for _, r := range letters {
		table = number(table, int(r))
	}
	// ends is the share of each letter's places that are a word's end, against the largest.
	ends, most := make([]float64, n), 0.0
	for row := 1; row < n; row++ {
		sum := 0.0
		for _, times := range pairs[row] {
			sum += times
		}
		ends[row] = (pairs[row][0] + 0.5) / (sum + 5)
		most = max(most, ends[row])
	}
	const faith = 6 // how many words weigh as much as what a letter has alone
	for row := range n {
		sum := 0.0
		for _, times := range pairs[row][1:] {
			sum += times
		}
		if row == 0 {
			table = append(table, 0)
		} else {
			table = append(table, cost(ends[row]/most))
		}
		for column := 1; column < n; column++ {
			p := alone[column] / all
			table = append(table, cost((pairs[row][column]+faith*p)/(sum+faith)))
		}
	}
	return table, nil
}

// appendIdeographs writes how likely single characters are, and one after another.
func appendIdeographs(table []byte, words map[string]int) []byte {
	single, couples := map[rune]float64{}, map[[2]rune]float64{}
	before, all := map[rune]float64{}, 0.0
	for _, word := range slices.Sorted(maps.Keys(words)) {
		times := words[word]
		last := rune(0)
		for _, r := range word {
			if language.Classify(r).Script != language.Ideographs || r > 0xFFFF {
				last = 0
				continue
			}
			single[r] += weight(times)
			all += weight(times)
			if last != 0 {
				couples[[2]rune{last, r}] += weight(times)
				before[last] += weight(times)
			}
			last = r
		}
	}
	characters := slices.Collect(maps.Keys(single))
	slices.SortFunc(characters, func(a, b rune) int { return cmp.Or(cmp.Compare(single[b], single[a]), cmp.Compare(a, b)) })
	characters = characters[:min(len(characters), maxCharacters)]
	slices.Sort(characters)
	at := map[rune]int{}
	table = number(table, len(characters))
	for i, r := range characters {
		at[r] = i
		table = append(number(table, int(r)), cost(single[r]/all))
	}
	// Couples are worth their place by how much more often they are there than chance has it.
	gain := map[[2]rune]float64{}
	for couple, times := range couples {
		p := times / (before[couple[0]] + 4)
		if _, known := at[couple[0]]; !known || single[couple[1]] == 0 || times < 3 {
			continue
		}
		if _, known := at[couple[1]]; known {
			gain[couple] = times * math.Log(p/(single[couple[1]]/all))
		}
	}
	kept := slices.Collect(maps.Keys(gain))
	slices.SortFunc(kept, func(a, b [2]rune) int {
		return cmp.Or(cmp.Compare(gain[b], gain[a]), cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1]))
	})
	kept = kept[:min(len(kept), maxCouples)]
	slices.SortFunc(kept, func(a, b [2]rune) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	table = number(table, len(kept))
	for _, couple := range kept {
		key := at[couple[0]]<<12 | at[couple[1]]
		table = append(table, byte(key>>16), byte(key>>8), byte(key), cost(couples[couple]/(before[couple[0]]+4)))
	}
	return table
}
