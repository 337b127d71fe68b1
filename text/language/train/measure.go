package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// measure reads texts whose languages are known, and says of how many of each the likeliest is right. A text counts
// as right if the language is, whatever its script.
func measure(texts map[string][]string, guess guesser) error {
	primary := func(tag string) string {
		first, _, _ := strings.Cut(tag, "-")
		return first
	}
	sum, n := 0.0, 0
	var calibration calibration
	for _, tag := range slices.Sorted(maps.Keys(texts)) {
		right, all := 0, 0
		wrong := map[string]int{}
		for _, whole := range texts[tag] {
			for text := range strings.SplitSeq(whole, "\f") {
				if text = strings.TrimSpace(text); text == "" {
					continue
				}
				g, err := guess(text)
				if err != nil {
					return err
				}
				all++
				is := primary(g.Tag) == primary(tag)
				if is {
					right++
				} else {
					wrong[g.Tag]++
				}
				calibration.count(g.Probability, is)
			}
		}
		if all == 0 {
			continue
		}
		accuracy := float64(right) / float64(all)
		sum, n = sum+accuracy, n+1
		if accuracy < 0.9 {
			fmt.Printf("%-8s %.3f of %d, else %v\n", tag, accuracy, all, wrong)
		}
	}
	fmt.Printf("%d languages, mean %.4f\n", n, sum/float64(n))
	calibration.print()
	return nil
}

// calibration is, for each tenth of probability, how many guesses were right, and how many there were.
type calibration [11][2]float64

func (c *calibration) count(probability int, isRight bool) {
	c[probability/100][1]++
	if isRight {
		c[probability/100][0]++
	}
}

func (c *calibration) print() {
	for i, c := range c {
		if c[1] > 0 {
			fmt.Printf("probability %.1f: %.0f texts, right %.3f\n", float64(i)/10, c[1], c[0]/c[1])
		}
	}
}

// measureWords does the same for words and pairs of words.
func measureWords(texts map[string][]string, guess guesser) error {
	for size := 1; size <= 2; size++ {
		sum, n := 0.0, 0
		var calibration calibration
		for _, tag := range slices.Sorted(maps.Keys(texts)) {
			right, all := 0, 0
			for _, whole := range texts[tag] {
				words := strings.Fields(whole)
				for i := 0; i+size <= len(words); i += size {
					text := strings.Join(words[i:i+size], " ")
					if len(words[i]) < 5 {
						continue
					}
					g, err := guess(text)
					if err != nil {
						return err
					}
					all++
					first, _, _ := strings.Cut(g.Tag, "-")
					want, _, _ := strings.Cut(tag, "-")
					if first == want {
						right++
					}
					calibration.count(g.Probability, first == want)
				}
			}
			if all > 0 {
				sum, n = sum+float64(right)/float64(all), n+1
			}
		}
		fmt.Printf("words together: %d, %d languages, mean %.4f\n", size, n, sum/float64(n))
		calibration.print()
	}
	return nil
}
