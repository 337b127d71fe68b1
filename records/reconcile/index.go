package reconcile

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync/atomic"
)

// posting is a record that has a key.
type posting struct {
	record uint32
	weight float32
}

// candidate is a record that is like another.
type candidate struct {
	record uint32
	score  float32
}

// pair is two records that may be the same.
type pair struct {
	a, b uint32
	z    float64
}

// retrieve finds the k likest of each record: of those of the other table if apart, else of all others. The pairs are
// sorted.
func (x *index) retrieve(ctx context.Context, k int) ([]pair, error) {
	n := x.table.compared
	best := make([]candidate, n*k)
	// Slices of the records are indexed one after another, each as large as memory allows.
	for from := 0; from < n; {
		to, err := x.indexed(ctx, from)
		if err != nil {
			return nil, err
		}
		if err := x.query(ctx, from, to, best, k); err != nil {
			return nil, err
		}
		from = to
	}
	x.close()
	x.keys = nil
	for _, f := range x.families {
		f.kept, f.postings = slots{}, nil
	}
	return x.united(best, k), nil
}

// united are the pairs of the candidates of all records, each once. Those of a record are next to each other, so that
// no more than they need to be sorted.
func (x *index) united(best []candidate, k int) []pair {
	n := x.table.compared
	ends := make([]uint32, n+1)
	each := func(do func(a, b uint32)) {
		for a := range n {
			for _, c := range best[a*k : (a+1)*k] {
				if c.score == 0 {
					break
				}
				do(min(uint32(a), c.record), max(uint32(a), c.record))
			}
		}
	}
	each(func(a, _ uint32) { ends[a+1]++ })
	for a := range n {
		ends[a+1] += ends[a]
		if few := min(k, 3); best[a*k+few-1].score == 0 {
			x.lonely++
		}
	}
	seconds := make([]uint32, ends[n])
	each(func(a, b uint32) {
		seconds[ends[a]] = b
		ends[a]++
	})
	total, from := 0, uint32(0)
	for a := range n {
		to := ends[a]
		slices.Sort(seconds[from:to])
		total += len(slices.Compact(seconds[from:to]))
		from = to
	}
	pairs := make([]pair, 0, total)
	from = 0
	for a := range n {
		for i := from; i < ends[a]; i++ {
			// What slices.Compact left over is zero, and no second of a pair is.
			if seconds[i] > 0 {
				pairs = append(pairs, pair{a: uint32(a), b: seconds[i]})
			}
		}
		from = ends[a]
	}
	return pairs
}

// indexed indexes the records from…to, where to is as far as memory allows.
func (x *index) indexed(ctx context.Context, from int) (to int, err error) {
	n := x.table.compared
	total := 0.0
	for _, f := range x.families {
		for _, df := range f.kept.df {
			total += float64(df)
		}
	}
	const entryBytes = 8
	pieces := max(1, int(math.Ceil(total*entryBytes/float64(x.opt.Memory/2))))
	to = min(n, from+((n+pieces-1)/pieces+chunk-1)/chunk*chunk)
	for _, f := range x.families {
		f.postings = nil
		f.kept.starts = make([]uint32, len(f.kept.df)+2)
	}
	err = x.eachKey(ctx, from, to, func() (ofFamily, func(n uint32)) {
		return func(_ uint32, f *family, keys []weightedKey) {
			for _, k := range keys {
				atomic.AddUint32(&f.kept.starts[k.at+2], 1)
			}
		}, nil
	})
	if err != nil {
		return 0, err
	}
	for _, f := range x.families {
		starts := f.kept.starts
		for i := 2; i < len(starts); i++ {
			starts[i] += starts[i-1]
		}
		f.postings = make([]posting, starts[len(starts)-1])
	}
	// The start of the next key is where the next posting goes, until all are there: then it is the start of its own.
	err = x.eachKey(ctx, from, to, func() (ofFamily, func(n uint32)) {
		return func(n uint32, f *family, keys []weightedKey) {
			for _, k := range keys {
				f.postings[atomic.AddUint32(&f.kept.starts[k.at+1], 1)-1] = posting{n, k.weight}
			}
		}, nil
	})
	if err != nil {
		return 0, err
	}
	// Sums of floats depend on their order, so that of the postings must not depend on who came first.
	return to, x.inChunks(ctx, len(x.families)*postingParts, func() func(from, to int) error {
		return func(from, to int) error {
			for part := from; part < to; part++ {
				x.families[part/postingParts].sortPart(part % postingParts)
			}
			return nil
		}
	})
}

// postingParts is in how many parts the keys of a family are sorted.
const postingParts = 4 * chunk

// sortPart sorts the postings of a part of the keys.
func (f *family) sortPart(part int) {
	n := len(f.kept.df)
	for at := part * n / postingParts; at < (part+1)*n/postingParts; at++ {
		if some := f.postings[f.kept.starts[at]:f.kept.starts[at+1]]; len(some) > 1 {
			slices.SortFunc(some, func(p, q posting) int {
				return cmp.Or(cmp.Compare(p.record, q.record), cmp.Compare(p.weight, q.weight))
			})
		}
	}
}

// query looks all records up in the index of the records from…to.
func (x *index) query(ctx context.Context, from, to int, best []candidate, k int) error {
	part := 1 / float32(len(x.families))
	return x.eachKey(ctx, 0, x.table.compared, func() (ofFamily, func(n uint32)) {
		scores := make([]float32, to-from)
		var touched []uint32
		return func(_ uint32, f *family, keys []weightedKey) {
				for _, key := range keys {
					w := key.weight * part
					for _, p := range f.postings[f.kept.starts[key.at]:f.kept.starts[key.at+1]] {
						at := p.record - uint32(from)
						if scores[at] == 0 {
							touched = append(touched, at)
						}
						scores[at] += w * p.weight
					}
				}
			}, func(n uint32) {
				mine := x.sideOf(n)
				top := best[int(n)*k : (int(n)+1)*k]
				for _, at := range touched {
					c := candidate{at + uint32(from), scores[at]}
					scores[at] = 0
					if c.score >= top[k-1].score && c.record != n && (!x.apart || x.sideOf(c.record) != mine) {
						insert(top, c)
					}
				}
				touched = touched[:0]
			}
	})
}

// insert puts a candidate among the best. Of those that are as like, the one with the lesser number comes first.
func insert(top []candidate, c candidate) {
	at := len(top)
	for at > 0 && (top[at-1].score < c.score || top[at-1].score == c.score && top[at-1].record > c.record) {
		at--
	}
	if at == len(top) {
		return
	}
	copy(top[at+1:], top[at:])
	top[at] = c
}
