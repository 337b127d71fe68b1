package main

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"laundromat/bench/process"
	"laundromat/seedlist/search"
)

// asked is how many searches of a kind are measured.
const asked = 200

// kinds are the searches that people make, each by what it is made of.
type kinds struct {
	random                 *rand.Rand
	rare, middling, common []string   // single words
	labels                 [][]string // by their words, of two at least
	signs                  []string   // two signs
	long                   []string   // words of six letters at least
}

func oneOf[T any](r *rand.Rand, all []T) T { return all[r.IntN(len(all))] }

// newKinds sorts the words of a sample of labels by how many have them.
func newKinds(made []string) (*kinds, error) {
	k := &kinds{random: rand.New(rand.NewPCG(3, 4))}
	often := map[string]int{}
	for _, label := range made {
		words := search.Words(label)
		isSigns := strings.ContainsFunc(label, func(r rune) bool { return unicode.Is(unicode.Han, r) })
		if isSigns && len(words) > 0 && len([]rune(words[0])) == 2 {
			k.signs = append(k.signs, words[0])
		}
		if !isSigns && len(words) > 1 {
			k.labels = append(k.labels, words)
		}
		slices.Sort(words)
		for _, word := range slices.Compact(slices.Clone(words)) {
			often[word]++
		}
	}
	var all []string
	for word, n := range often {
		all = append(all, word)
		if n == 1 {
			k.rare = append(k.rare, word)
		}
		if share := float64(n) / float64(len(made)); share > 0.0005 && share < 0.002 {
			k.middling = append(k.middling, word)
		}
		if len([]rune(word)) >= 6 && !strings.ContainsFunc(word, unicode.IsDigit) {
			k.long = append(k.long, word)
		}
	}
	slices.SortFunc(all, func(a, b string) int { return cmp.Or(cmp.Compare(often[b], often[a]), cmp.Compare(a, b)) })
	for _, some := range []*[]string{&k.rare, &k.middling, &k.long} {
		slices.Sort(*some) // a map has no order
	}
	if k.common = all[:min(50, len(all))]; len(k.rare) == 0 || len(k.middling) == 0 || len(k.signs) == 0 || len(k.labels) == 0 {
		return nil, fmt.Errorf("%d labels are too few to search for", len(made))
	}
	return k, nil
}

// kindNames are the kinds in the order in which they are shown.
var kindNames = []string{
	"rare word", "word of one in 1,000", "common word", "two words", "two common words", "phrase", "two signs", "prefix",
}

func (k *kinds) query(kind string) string {
	switch kind {
	case "rare word":
		return oneOf(k.random, k.rare)
	case "word of one in 1,000":
		return oneOf(k.random, k.middling)
	case "common word":
		return oneOf(k.random, k.common)
	case "two common words":
		return oneOf(k.random, k.common) + " " + oneOf(k.random, k.common)
	case "two signs":
		return oneOf(k.random, k.signs)
	case "prefix":
		word := []rune(oneOf(k.random, k.long))
		return string(word[:4+k.random.IntN(3)]) + "*"
	}
	words := oneOf(k.random, k.labels)
	at := k.random.IntN(len(words) - 1)
	if kind == "phrase" {
		return `"` + words[at] + " " + words[at+1] + `"`
	}
	return words[0] + " " + words[1+k.random.IntN(len(words)-1)]
}

// request asks for the page of a search.
func (f *found) request(query string) error {
	reply := httptest.NewRecorder()
	f.api.ServeHTTP(reply, httptest.NewRequest(http.MethodGet, "/search?q="+url.QueryEscape(query), nil))
	if reply.Code != http.StatusOK {
		return fmt.Errorf("%s: status %d, %.300s", query, reply.Code, reply.Body)
	}
	return nil
}

// ask measures the processor time of each kind of searches, one after another.
func (f *found) ask() error {
	runtime.LockOSThread() // whose time is measured
	defer runtime.UnlockOSThread()
	var all []time.Duration
	own := process.Own()
	for _, kind := range kindNames {
		took := make([]time.Duration, asked)
		for i := range took {
			query := f.kinds.query(kind)
			begin := process.Thread()
			if err := f.request(query); err != nil {
				return err
			}
			took[i] = process.Thread() - begin
		}
		all = append(all, took...)
		f.show(kind, took)
	}
	own = process.Own() - own
	f.show("all of these", all)
	fmt.Printf("with what else the process did meanwhile, %.1f ms of the processors each\n", ms(own)/float64(len(all)))
	return nil
}

func (f *found) show(what string, took []time.Duration) {
	slices.Sort(took)
	n := len(took)
	fmt.Printf("%-22s %6.1f ms median %6.1f ms for 99 of 100 %6.1f ms at most of %d\n", what, ms(took[n/2]), ms(took[n*99/100]),
		ms(took[n-1]), n)
}

// together is how long clients search at once.
const together = 15 * time.Second

// askTogether has the clients search at once, one in ten by a prefix, and measures how long each search takes by
// the clock: while nothing else is done, and while documents come.
func (f *found) askTogether(ctx context.Context) error {
	for _, rate := range []int{0, 2000} {
		ctx, end := context.WithTimeout(ctx, together)
		own, begin, labels := process.Own(), time.Now(), f.labels
		var fed, searches sync.WaitGroup
		var fault error
		if rate > 0 {
			fed.Go(func() { fault = f.feed(ctx, rate) })
		}
		took := make([][]time.Duration, clients)
		faults := make([]error, clients)
		for client := range clients {
			mine := *f.kinds
			mine.random = rand.New(rand.NewPCG(5, uint64(client)))
			searches.Go(func() {
				for ctx.Err() == nil && faults[client] == nil {
					kind := "prefix"
					if mine.random.IntN(10) > 0 {
						kind = kindNames[mine.random.IntN(len(kindNames)-1)]
					}
					query, begin := mine.query(kind), time.Now()
					faults[client] = f.request(query)
					took[client] = append(took[client], time.Since(begin))
				}
			})
		}
		searches.Wait()
		fed.Wait()
		end()
		for _, err := range append(faults, fault) {
			if err != nil {
				return err
			}
		}
		seconds := time.Since(begin).Seconds()
		f.show(fmt.Sprintf("%d clients", clients), slices.Concat(took...))
		fmt.Printf("by the clock, at %.0f %% of the processors, while %.0f labels a second were fed\n", 100*(process.Own()-own).Seconds()/seconds,
			float64(f.labels-labels)/seconds)
	}
	return nil
}

// feed washes documents of 100 labels until ctx ends, so many labels a second.
func (f *found) feed(ctx context.Context, rate int) error {
	begin, from := time.Now(), f.labels
	for ctx.Err() == nil {
		if err := f.wash(context.WithoutCancel(ctx), rate/100, 100, int64(rate)); err != nil {
			return err
		}
		due := begin.Add(time.Duration(f.labels-from) * time.Second / time.Duration(rate))
		select {
		case <-time.After(time.Until(due)):
		case <-ctx.Done():
		}
	}
	return nil
}
