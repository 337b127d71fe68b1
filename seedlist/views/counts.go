package views

import (
	"cmp"
	"context"
	"encoding/binary"
	"slices"
	"sync"

	"laundromat/internal/ordered"
)

// mostCounts is how many counts are looked at for an answer.
const mostCounts = 200_000

// Count is how many seeds have a value, or a pair of values.
type Count struct {
	Values []string `json:"values"`
	Seeds  int64    `json:"seeds"`
}

// Counts are those of a facet or a pair.
type Counts struct {
	Counts []Count // the largest first, then by value
	Total  int     // of counts, also of those that are left out
	// IsCut says that there were more values than are looked at, so that larger counts may
	// be missing.
	IsCut bool
	AsOf  AsOf
}

// Countable says that facets are counted: one alone, or a pair in the order of [Pairs] or in the other.
func Countable(by []Facet) bool {
	_, _, ok := countedBy(by)
	return ok
}

// countedBy is where the counts of facets are; turned says that they are in the other order.
func countedBy(by []Facet) (prefix []byte, turned, ok bool) {
	switch len(by) {
	case 1:
		return []byte{byte(by[0])}, false, true
	case 2:
		for i, p := range pairs {
			if p == (Pair{by[0], by[1]}) || p == (Pair{by[1], by[0]}) {
				return []byte{byte(i)}, p[0] != by[0], true
			}
		}
	}
	return nil, false, false
}

// Count counts the seeds by the values of facets, which are [Countable]; limit is of counts.
func (v *Views) Count(ctx context.Context, by []Facet, limit int) (counts Counts, err error) {
	prefix, turned, ok := countedBy(by)
	if !ok {
		return counts, nil
	}
	which := inCounts
	if len(by) == 2 {
		which = inPairs
	}
	known := &v.counted[which-inCounts][prefix[0]]
	known.mu.Lock() // those who ask for the same at once count once
	defer known.mu.Unlock()
	err = v.tables.View(ctx, func(tx ordered.Tx) error {
		t := tablesOf(tx)
		stamp := t.stored().stamp
		if known.is(stamp, limit) {
			return nil
		}
		known.stamp, known.limit = stamp, max(limit, leastCounted)
		known.counts = Counts{AsOf: v.asOfIn(&t)}
		known.count(t, which, prefix)
		return nil
	})
	if err != nil {
		known.stamp = 0
		return counts, err
	}
	counts = known.counts
	counts.Counts = make([]Count, min(len(known.counts.Counts), max(limit, 0)))
	for i := range counts.Counts {
		one := &known.counts.Counts[i]
		counts.Counts[i] = Count{Values: slices.Clone(one.Values), Seeds: one.Seeds}
		if turned {
			slices.Reverse(counts.Counts[i].Values)
		}
	}
	if known.limit > mostKept {
		known.stamp, known.counts = 0, Counts{}
	}
	slices.SortFunc(counts.Counts, func(a, b Count) int {
		return cmp.Or(cmp.Compare(b.Seeds, a.Seeds), slices.Compare(a.Values, b.Values))
	})
	return counts, nil
}

// knownCounts are the last answer about a facet or a pair. It holds until the tables change.
type knownCounts struct {
	mu     sync.Mutex
	stamp  uint64 // of the tables that were read; 0: none
	limit  int
	counts Counts // the largest first, then in the order of keys
}

const (
	// leastCounted is how many counts are found at least, for a client that asks for more later.
	leastCounted = 100
	// mostKept bounds the memory of the answers that are kept.
	mostKept = 1000
)

func (k *knownCounts) is(stamp uint64, limit int) bool { return k.stamp == stamp && limit <= k.limit }

// count finds the largest counts whose keys begin with a prefix.
func (k *knownCounts) count(t tables, which int, prefix []byte) {
	type found struct {
		key   []byte
		seeds int64
	}
	// Keys rise: of equal counts, the one that was found first stays before the other.
	byCount := func(a, b found) int { return cmp.Compare(b.seeds, a.seeds) }
	var best []found
	least := int64(0) // smaller ones, and equal ones, are none of the largest
	next := t[which].Walk(prefix)
	for key, value := next(); key != nil; key, value = next() {
		if k.counts.IsCut = k.counts.Total == mostCounts; k.counts.IsCut {
			break
		}
		k.counts.Total++
		n := readCount(value)
		if n <= least {
			continue
		}
		if best = append(best, found{key, n}); len(best) == 2*k.limit {
			slices.SortStableFunc(best, byCount)
			best = best[:k.limit]
			least = best[k.limit-1].seeds
		}
	}
	slices.SortStableFunc(best, byCount)
	facets := []Facet{Facet(prefix[0])}
	if which == inPairs {
		facets = pairs[prefix[0]][:]
	}
	best = best[:min(len(best), k.limit)]
	var names [][]byte
	for _, f := range best {
		for i, facet := range facets {
			names = append(names, appendValue(nil, facet, binary.BigEndian.Uint32(f.key[1+4*i:])))
		}
	}
	t[inNames].Prefetch(names...)
	for _, f := range best {
		one := Count{Seeds: f.seeds}
		for i, facet := range facets {
			id := binary.BigEndian.Uint32(f.key[1+4*i:])
			one.Values = append(one.Values, string(t[inNames].Get(appendValue(nil, facet, id))))
		}
		k.counts.Counts = append(k.counts.Counts, one)
	}
}
