package main

import (
	"strings"
	"unicode"

	"laundromat/text"
)

// wordsOf are the words of a text as the measure of WCXB has them: runs of letters, digits and underscores, in lower
// case.
func wordsOf(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) && r != '_' })
}

// wordF is F of two sets of words that may be there several times.
func wordF(have, want map[string]int) float64 {
	n, m, both := 0, 0, 0
	for w, k := range have {
		n += k
		both += min(k, want[w])
	}
	for _, k := range want {
		m += k
	}
	switch {
	case m == 0 && n == 0:
		return 1
	case m == 0 || n == 0:
		return 0
	}
	return 2 * float64(both) / float64(n+m)
}

func countWords(into map[string]int, s string) {
	for _, w := range wordsOf(s) {
		into[w]++
	}
}

// edge stands between the blocks of a page and between the lines of its main content.
const edge = -1

// maxCells is how much work one page may take; what is beyond it is cut.
const maxCells = 120_000_000

// align says how many of each block's words are in the main content, in thousandths. The two texts are laid beside
// one another so that as many words as may be are the same, in long runs. What is left is looked for in any order.
func align(pageText string, blocks []text.Block, main string) []int32 {
	numbers := map[string]int32{}
	number := func(w string) int32 {
		n, ok := numbers[w]
		if !ok {
			n = int32(len(numbers) + 1)
			numbers[w] = n
		}
		return n
	}
	var a, b []int32 // of the page, and of the main content
	var of []int32   // the block of each of a
	count := make([]int32, len(blocks))
	for i, block := range blocks {
		words := wordsOf(pageText[block.Start:block.End])
		count[i] = int32(len(words))
		if len(words) == 0 {
			continue
		}
		a, of = append(a, edge), append(of, int32(i))
		for _, w := range words {
			a, of = append(a, number(w)), append(of, int32(i))
		}
	}
	for line := range strings.Lines(main) {
		words := wordsOf(line)
		if len(words) == 0 {
			continue
		}
		b = append(b, edge)
		for _, w := range words {
			b = append(b, number(w))
		}
	}
	a, b, of = append(a, edge), append(b, edge), append(of, 0)
	if len(b) > 20000 {
		b = b[:20000]
	}
	if len(a)*len(b) > maxCells {
		a = a[:maxCells/len(b)]
	}
	matched, used := longest(a, b)
	hits := make([]int32, len(blocks))
	for i, is := range matched {
		if is && a[i] != edge {
			hits[of[i]]++
		}
	}
	l := &laid{a: a, b: b, of: of, hits: hits, count: count}
	l.leftover(used)
	labels := make([]int32, len(blocks))
	for i := range labels {
		if count[i] > 0 {
			labels[i] = 1000 * hits[i] / count[i]
		}
	}
	return labels
}

// longest lays two sequences beside one another. A word that continues a run counts more than one that begins it.
func longest(a, b []int32) (matched, used []bool) {
	const begins, continues = 1, 3
	n, m := len(a), len(b)
	from := make([]byte, (n+1)*(m+1)) // 1: a match, 2: from above, 3: from the left; 4: the match continues
	diagonal, best := make([]int32, m+1), make([]int32, m+1)
	for i := 1; i <= n; i++ {
		lastDiagonal, lastBest := diagonal[0], best[0]
		row := from[i*(m+1):]
		for j := 1; j <= m; j++ {
			upDiagonal, upBest := diagonal[j], best[j]
			d, flags := int32(-1), byte(0)
			if a[i-1] == b[j-1] {
				d = lastBest + begins
				if lastDiagonal > 0 && lastDiagonal+continues > d {
					d, flags = lastDiagonal+continues, 4
				}
			}
			diagonal[j] = d
			switch {
			case d > upBest && d > best[j-1]:
				best[j] = d
				flags |= 1
			case upBest >= best[j-1]:
				best[j] = upBest
				flags |= 2
			default:
				best[j] = best[j-1]
				flags |= 3
			}
			row[j] = flags
			lastDiagonal, lastBest = upDiagonal, upBest
		}
	}
	matched, used = make([]bool, n), make([]bool, m)
	inRun := false
	for i, j := n, m; i > 0 && j > 0; {
		flags := from[i*(m+1)+j]
		switch {
		case inRun || flags&3 == 1:
			matched[i-1], used[j-1] = true, true
			inRun = flags&4 != 0
			i, j = i-1, j-1
		case flags&3 == 2:
			i--
		default:
			j--
		}
	}
	return matched, used
}

// laid are the words of a page and of its main content, the block of each of the page's, and for each block how many
// were found of how many.
type laid struct{ a, b, of, hits, count []int32 }

// leftover finds blocks whose words the alignment missed, since the main content has them in another order: three
// words that follow one another, or all of a line.
func (l *laid) leftover(used []bool) {
	a, b, of, hits, count := l.a, l.b, l.of, l.hits, l.count
	type three [3]int32
	left := map[three]int{}
	for j := 0; j+2 < len(b); j++ {
		if !used[j] && !used[j+1] && !used[j+2] {
			left[three{b[j], b[j+1], b[j+2]}]++
		}
	}
	if len(left) == 0 {
		return
	}
	for i := 0; i < len(a); {
		end := i + 1
		for end < len(a) && of[end] == of[i] {
			end++
		}
		block := of[i]
		if hits[block]*5 < count[block] && end-i > 1 {
			found, all := int32(0), int32(0)
			for k := i; k+2 <= end && k+2 < len(a); k++ {
				all++
				if left[three{a[k], a[k+1], a[k+2]}] > 0 {
					found++
				}
			}
			if all > 0 && found*10 >= all*6 {
				hits[block] = max(hits[block], count[block]*found/all)
				for k := i; k+2 <= end && k+2 < len(a); k++ {
					left[three{a[k], a[k+1], a[k+2]}]--
				}
			}
		}
		i = end
	}
}
