package extract

import (
	"bytes"
	"slices"
	"strings"
)

// leastSpaced is how many lines below the first a text must have whose fields are apart by single spaces.
const leastSpaced = 3

// isSpaced says that lines are rows whose fields are apart by spaces. Nine of ten have the same number of words, three
// or more, of which two and at least half are a number in each; the first, the header, may have one less. A text in
// quotation marks is one word. Lists of names and prose have no such lines, nor have those in which a word ends in
// another delimiter, and lines in which spaces fill columns up.
func isSpaced(text []byte) bool {
	first, lines := 0, 0
	counts := map[int]int{}
	var numbers []int
	for line := range linesOf(text) {
		if bytes.Contains(bytes.TrimSpace(line), []byte("  ")) {
			return false
		}
		words := spacedWords(string(line))
		if len(words) == 0 {
			continue
		}
		if slices.ContainsFunc(words, func(word string) bool { return strings.TrimRight(word, ",;|") != word }) {
			return false
		}
		if first == 0 {
			if first = len(words); first < 2 {
				return false
			}
			continue
		}
		counts[len(words)]++
		for i, word := range words {
			if i == len(numbers) {
				numbers = append(numbers, 0)
			}
			if k := kindOf(word); k == number || k == date {
				numbers[i]++
			}
		}
		if lines++; lines == searchRows {
			break
		}
	}
	width := 0
	for n, count := range counts {
		if 10*count >= 9*lines {
			width = n
		}
	}
	if lines < leastSpaced || width < 3 || first != width && first != width-1 {
		return false
	}
	columns := 0
	for _, n := range numbers[:width] {
		if 10*n >= 9*lines {
			columns++
		}
	}
	return columns >= 2 && 2*columns >= width
}

// spacedWords are the words of a line, without the quotation marks around them; nil where a mark has no end.
func spacedWords(line string) (words []string) {
	for line = strings.TrimLeft(line, " "); line != ""; line = strings.TrimLeft(line, " ") {
		if line[0] == '"' {
			end := strings.Index(line[1:], `"`)
			if end < 0 || end+2 < len(line) && line[end+2] != ' ' {
				return nil
			}
			words, line = append(words, line[1:1+end]), line[end+2:]
			continue
		}
		word, rest, _ := strings.Cut(line, " ")
		words, line = append(words, word), rest
	}
	return words
}
