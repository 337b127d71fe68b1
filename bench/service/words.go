package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"unicode"

	"github.com/klauspost/compress/gzip"

	"laundromat/bench/process"
	"laundromat/rdf/statistics"
)

// words make labels as people write them: from labels that clean files of others have, and from words of their pages.
type words struct {
	random *rand.Rand
	labels []string // of real clean files, in their order, as literals of N-Quads
	words  []string // one after another, as they stand in those labels and in pages: frequent ones are there often
	signs  []string // runs of Chinese and Japanese, of at least two signs
	next   int      // of labels
}

// readWords washes the real files of a folder, and reads its pages.
func readWords(ctx context.Context, shared, temp string) (*words, error) {
	program, err := process.Build(ctx, temp)
	if err != nil {
		return nil, err
	}
	real, err := filepath.Glob(filepath.Join(shared, "real", "*", "*"))
	if err != nil {
		return nil, err
	}
	if len(real) == 0 {
		return nil, fmt.Errorf("there are no files in %s: LAUNDROMAT_SHARED names the folder above it", filepath.Join(shared, "real"))
	}
	clean := filepath.Join(temp, "real.nq")
	wash := exec.CommandContext(ctx, program, append([]string{"wash", "-q", "-o", clean}, real...)...)
	var lost *exec.ExitError // some files have statements that can't be kept
	if err := wash.Run(); err != nil && !errors.As(err, &lost) {
		return nil, err
	}
	text, err := os.ReadFile(clean)
	if err != nil {
		return nil, err
	}
	w := &words{random: rand.New(rand.NewPCG(1, 2))}
	property := strings.Join(statistics.LabelProperties, "|")
	label := regexp.MustCompile(`(?m)^<[^>]*> <(?:` + strings.ReplaceAll(property, ".", `\.`) + `)> ("(?:[^"\\]|\\.)*")(?:@[a-z0-9-]+)? `)
	for _, m := range label.FindAllStringSubmatch(string(text), -1) {
		w.labels = append(w.labels, m[1])
		w.take(m[1])
	}
	pages, err := filepath.Glob(filepath.Join(shared, "text", "wcxb", "html", "*.html.gz"))
	if err != nil {
		return nil, err
	}
	for _, page := range pages {
		if err := w.page(page); err != nil {
			return nil, err
		}
	}
	if len(w.labels) < 1000 || len(w.words) < 100_000 || len(w.signs) < 100 {
		return nil, fmt.Errorf("there are only %d labels, %d words and %d texts of signs", len(w.labels), len(w.words), len(w.signs))
	}
	fmt.Printf("%d real labels, %d words and %d texts of Chinese and Japanese signs are what labels are made of\n", len(w.labels),
		len(w.words), len(w.signs))
	return w, nil
}

// markup is what is no text of a page.
var markup = regexp.MustCompile(`(?is)<script.*?</script>|<style.*?</style>|<[^>]*>|&[a-z0-9#]+;`)

func (w *words) page(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	in, err := gzip.NewReader(file)
	if err != nil {
		return err
	}
	text, err := io.ReadAll(in)
	if err != nil {
		return err
	}
	w.take(strings.ToValidUTF8(markup.ReplaceAllString(string(text), " "), " "))
	return nil
}

// take takes the words of a text.
func (w *words) take(text string) {
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' && r != '-' }) {
		switch isSigns := strings.ContainsFunc(word, isSign); {
		case isSigns && len([]rune(word)) >= 2:
			w.signs = append(w.signs, word)
		case !isSigns && len(word) <= 40:
			w.words = append(w.words, word)
		}
	}
}

func isSign(r rune) bool { return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) }

func (w *words) word() string { return w.words[w.random.IntN(len(w.words))] }

// literal makes a label: of a hundred 20 are real, 3 are Chinese or Japanese, and 77 are three to eight words, of
// which one in six is a name, a year or a number that few others have.
func (w *words) literal() string {
	switch kind := w.random.IntN(100); {
	case kind < 20:
		w.next++
		return w.labels[w.next%len(w.labels)]
	case kind < 23:
		signs := []rune(w.signs[w.random.IntN(len(w.signs))] + w.signs[w.random.IntN(len(w.signs))])
		return `"` + string(signs[:min(len(signs), 2+w.random.IntN(9))]) + `"`
	}
	all := make([]string, 3+w.random.IntN(6))
	for i := range all {
		if w.random.IntN(6) > 0 {
			all[i] = w.word()
			continue
		}
		switch w.random.IntN(3) {
		case 0:
			all[i] = w.name()
		case 1:
			all[i] = fmt.Sprint(1500 + w.random.IntN(526))
		default:
			all[i] = fmt.Sprintf("Q%d", w.random.IntN(120_000_000))
		}
	}
	return `"` + strings.Join(all, " ") + `"`
}

// name puts the beginning of a word and the end of another together.
func (w *words) name() string {
	first, last := []rune(w.word()), []rune(w.word())
	return strings.ToUpper(string(first[:1])) + string(first[1:(len(first)+1)/2]) + string(last[len(last)/2:])
}
