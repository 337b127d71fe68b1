package linesort_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"laundromat/internal/linesort"
)

// Lines of one word that come together are in the same order as if each came alone. So it
// is when a word comes again elsewhere, begins another word, or is all of a line. So it is
// too when it holds the key of one of several documents, and when a document is taken back.
func TestRunsOfOneWordAreInOrder(t *testing.T) {
	words := []string{"a ", "a", "ab ", "", " ", "<http://e/a> ", "<http://e/a/b> ", "<http://e/a", "\x01x ", "_\x01 ", "<http://e/\x01> "}
	key := func(document int) string { return []string{"k", "", "kk", "z"}[document] }
	for seed := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, 1))
		s := linesort.New(linesort.Options{Workers: 1 + int(seed%2)})
		if seed%3 == 0 {
			s.Shrink(8<<10, 256)
		}
		var want []string
		void := 3 - int(seed%2)*4 // 3, or none
		for range 200 + random.IntN(2000) {
			word, document := words[random.IntN(len(words))], random.IntN(4)
			var text strings.Builder
			for range 1 + random.IntN(14) {
				line := word
				if rest := random.IntN(30); rest > 0 {
					line += fmt.Sprintf("<http://e/p%d> \x01%d .", rest%3, rest)
				}
				text.WriteString(line + "\n")
				if document != void {
					want = append(want, strings.ReplaceAll(line, "\x01", key(document)))
				}
			}
			if err := s.AddLines(document, []byte(text.String())); err != nil {
				t.Fatal(err)
			}
		}
		if void >= 0 {
			s.Discard(void)
		}
		slices.Sort(want)
		lines := len(want)
		want = slices.Compact(want)
		var got []string
		stats, err := s.Write(t.Context(), key, func(line []byte) error { got = append(got, string(line)); return nil })
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("seed %d: %d lines instead of %d, or in another order", seed, len(got), len(want))
		}
		if stats.Lines != int64(len(want)) || stats.Lines+stats.Duplicates != int64(lines) {
			t.Errorf("seed %d: %+v of %d lines, %d of them different", seed, stats, lines, len(want))
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
