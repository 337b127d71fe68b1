//go:build !lean

package search

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// vocabulary gives words as texts have them: few are frequent, most are rare.
func vocabulary(r *rand.Rand) func() string {
	z := rand.NewZipf(r, 1.1, 4, 300_000)
	return func() string {
		n := z.Uint64()
		var b strings.Builder
		for n += 26; n > 0; n /= 20 {
			b.WriteByte("bcdfghklmnprstvwzaei"[n%20])
			b.WriteByte("aeiou"[n%5])
		}
		return b.String()
	}
}

// labelled are documents of so many labels, of three to eight words.
func labelled(documents, labels int, r *rand.Rand) func(yield func([]document) error) error {
	word := vocabulary(r)
	return func(yield func([]document) error) error {
		var some []document
		for n := range documents {
			d := document{number: int64(n + 1), hash: fmt.Sprintf("%032x", n+1), mark: "1"}
			for range labels {
				words := make([]string, 3+r.IntN(6))
				for i := range words {
					words[i] = word()
				}
				d.entries = append(d.entries, entry{Field: LabelOf, Property: "http://www.w3.org/2000/01/rdf-schema#label",
					Text: strings.Join(words, " "), Line: int64(len(d.entries) + 1)})
			}
			if some = append(some, d); len(some)*labels >= maxEntries {
				if err := yield(some); err != nil {
					return err
				}
				some = some[:0]
			}
		}
		return yield(some)
	}
}

// built is an index of so many documents with 100 labels each, and how many bytes their texts have.
func built(b *testing.B, documents int) (s *Search, bytes int64) {
	b.Helper()
	path := filepath.Join(b.TempDir(), "search.db")
	x, err := openIndex(path)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(x.close)
	known := standing{Layout: layout, Revision: 1}
	if _, err := x.clear(b.Context(), standing{}, known); err != nil {
		b.Fatal(err)
	}
	err = labelled(documents, 100, rand.New(rand.NewPCG(1, 2)))(func(some []document) error {
		for i := range some {
			for j := range some[i].entries {
				bytes += int64(len(some[i].entries[j].Text))
			}
		}
		next := known
		next.Time = next.Time.Add(time.Second)
		done, err := x.write(b.Context(), known, next, some)
		if err == nil && !done {
			err = errMoved
		}
		known = next
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	return &Search{index: x, answers: &answering{store: x}, gate: make(chan struct{}, 2), moved: make(chan struct{})}, bytes
}

// BenchmarkIndex makes the index of 200,000 labels; the size is a multiple of the bytes of their texts.
func BenchmarkIndex(b *testing.B) {
	const documents = 2000
	for b.Loop() {
		s, bytes := built(b, documents)
		info, err := os.Stat(s.index.(*index).path)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(info.Size())/float64(bytes), "size/text")
	}
	b.ReportMetric(float64(b.N)*documents*100/b.Elapsed().Seconds(), "labels/s")
}

// documentsSearched is how many documents of 100 labels a search has before it, unless LAUNDROMAT_DOCUMENTS says
// another number.
const documentsSearched = 2000

// BenchmarkFind searches them.
func BenchmarkFind(b *testing.B) {
	documents := documentsSearched
	if n, err := strconv.Atoi(os.Getenv("LAUNDROMAT_DOCUMENTS")); err == nil {
		documents = n
	}
	s, _ := built(b, documents)
	r := rand.New(rand.NewPCG(3, 4))
	word := vocabulary(r)
	common := word()
	for name, text := range map[string]func() string{
		"common": func() string { return common },
		"any":    word,
		"two":    func() string { return word() + " " + word() },
		"phrase": func() string { return `"` + word() + " " + word() + `"` },
		"prefix": func() string {
			for {
				if w := word(); len(w) >= 6 {
					return w[:5] + "*"
				}
			}
		},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := s.Find(context.Background(), text(), 20); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
