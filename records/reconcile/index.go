package reconcile

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync"
	"sync/atomic"
)

// counts are how many records have a key, for keys by their hashes. Keys whose hashes fall together count as one.
type counts struct {
	of    []uint32
	shift uint
}

func newCounts(bits uint) *counts { return &counts{make([]uint32, 1<<bits), 64 - bits} }

func (c *counts) slot(h uint64) uint32 { return uint32(h >> c.shift) }
func (c *counts) get(h uint64) uint32  { return c.of[h>>c.shift] }

// family is a kind of keys of records by which candidates are found: words, sequences of characters, pairs of rare
// words.
type family struct {
	df   *counts
	most uint32 // keys that more records have are passed over
	cut  int64  // how many keys that is
	keys func(v *view) []term
}

// term is a key of a record, with its weight.
type term struct {
	hash   uint64
	weight float32 // tf·idf, over the length of the record's vector
	idf    float32
	kind   tokenKind
	text   string // of a word, number or code
}

// idf is the weight of a key that df of n records have.
func idf(n int, df uint32) float32 {
	return float32(math.Log(1 + float64(n)/float64(max(df, 1))))
}

// many is from which number of records on sequences of characters are not indexed, but pairs of rare words are.
const many = 150_000

// wordBits and gramBits are how many keys the tables of counts have, as powers of two.
func wordBits(n int) uint { return min(uint(math.Ceil(math.Log2(float64(n+2))))+8, 24) }
func gramBits(n int) uint { return min(uint(math.Ceil(math.Log2(float64(n+2))))+9, 21) }

// work is how many entries of the index may be looked at for a run of n records.
func work(n int) float64 { return 3e8 + 2500*float64(n) }

// bound lowers the bound of a family until the index is looked at not too often.
func (f *family) bound(n int) {
	f.most = uint32(max(2, min(n/5, 3000)))
	if n < 50 {
		f.most = uint32(n)
	}
	var byCount [3001]float64
	for _, df := range f.df.of {
		if df > 1 && df <= f.most {
			byCount[df]++
		}
	}
	total := 0.0
	most := uint32(1)
	for df := uint32(2); df <= f.most; df++ {
		if total += byCount[df] * float64(df) * float64(df); total > work(n) {
			break
		}
		most = df
	}
	f.most = most
	f.cut = 0
	for _, df := range f.df.of {
		if df > f.most {
			f.cut++
		}
	}
}

// posting is a record that has a key.
type posting struct {
	record uint32
	weight float32
}

// index is the keys of the records from…to, of one family.
type index struct {
	starts   []uint32
	postings []posting
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

// retrieve finds the k likest of each record: of those of the other table if apart, else of all others.
func (e *Engine) retrieve(ctx context.Context, k int) ([]pair, error) {
	n := e.table.compared
	best := make([]candidate, n*k)
	// Slices of the records are indexed one after another, each as large as memory allows.
	for from := 0; from < n; {
		to, err := e.indexed(ctx, from)
		if err != nil {
			return nil, err
		}
		if err := e.query(ctx, from, to, best, k); err != nil {
			return nil, err
		}
		from = to
	}
	for i := range e.families {
		e.families[i].index = index{}
	}
	var pairs []pair
	for a := range n {
		few := 0
		for _, c := range best[a*k : (a+1)*k] {
			if c.score == 0 {
				break
			}
			few++
			p := pair{uint32(a), c.record, 0}
			if p.a > p.b {
				p.a, p.b = p.b, p.a
			}
			pairs = append(pairs, p)
		}
		if few < 3 {
			e.lonely++
		}
	}
	slices.SortFunc(pairs, func(p, q pair) int { return cmp.Or(cmp.Compare(p.a, q.a), cmp.Compare(p.b, q.b)) })
	return slices.CompactFunc(pairs, func(p, q pair) bool { return p.a == q.a && p.b == q.b }), nil
}

// count counts in how many records the keys are.
func (e *Engine) count(ctx context.Context) error {
	n := e.table.compared
	e.words = newCounts(wordBits(n))
	e.grams = newCounts(gramBits(n))
	large := n > many
	err := e.each(ctx, 0, n, func(v *view, _ int) {
		for i := range v.words {
			atomic.AddUint32(&e.words.of[e.words.slot(v.words[i].hash)], 1)
		}
		for i := range v.grams {
			atomic.AddUint32(&e.grams.of[e.grams.slot(v.grams[i].hash)], 1)
		}
	}, load{words: true, grams: !large})
	if err != nil {
		return err
	}
	words := &found{family: family{df: e.words, keys: func(v *view) []term { return v.words }}}
	words.bound(n)
	e.families = []*found{words}
	if !large {
		grams := &found{family: family{df: e.grams, keys: func(v *view) []term { return v.grams }}}
		grams.bound(n)
		e.families = append(e.families, grams)
		return nil
	}
	e.pairs = newCounts(24)
	err = e.each(ctx, 0, n, func(v *view, _ int) {
		for _, t := range v.pairs() {
			atomic.AddUint32(&e.pairs.of[e.pairs.slot(t.hash)], 1)
		}
	}, load{words: true})
	if err != nil {
		return err
	}
	pairs := &found{family: family{df: e.pairs, keys: func(v *view) []term { return e.weighPairs(v.pairs()) }}}
	pairs.bound(n)
	e.families = append(e.families, pairs)
	return nil
}

// found is a family with its index.
type found struct {
	family
	index index
}

// rarest is how many of the rarest words of a record are paired.
const rarest = 8

// pairs are keys of each two of the rarest words of a record.
func (v *view) pairs() []term {
	var few [rarest]term
	n := 0
	for _, t := range v.words {
		if t.kind == joined {
			continue
		}
		at := n
		for at > 0 && (few[at-1].idf < t.idf || few[at-1].idf == t.idf && few[at-1].hash > t.hash) {
			at--
		}
		if at == rarest {
			continue
		}
		if n < rarest {
			n++
		}
		copy(few[at+1:n], few[at:n-1])
		few[at] = t
	}
	out := v.paired[:0]
	for i := range n {
		for j := range i {
			out = append(out, term{hash: mix(few[i].hash ^ few[j].hash)})
		}
	}
	v.paired = out
	return out
}

// weighPairs gives keys of pairs their weights.
func (e *Engine) weighPairs(terms []term) []term {
	weigh(terms, e.pairs, e.table.compared)
	return terms
}

// weigh gives terms that are there once each their weights.
func weigh(terms []term, df *counts, n int) {
	var length float64
	for i := range terms {
		t := &terms[i]
		t.idf = idf(n, df.get(t.hash))
		t.weight *= t.idf
		if t.weight == 0 {
			t.weight = t.idf
		}
		length += float64(t.weight) * float64(t.weight)
	}
	if length == 0 {
		return
	}
	norm := float32(1 / math.Sqrt(length))
	for i := range terms {
		terms[i].weight *= norm
	}
}

// indexed indexes the records from…to, where to is as far as memory allows.
func (e *Engine) indexed(ctx context.Context, from int) (to int, err error) {
	n := e.table.compared
	total := 0.0
	for _, f := range e.families {
		for _, df := range f.df.of {
			if df <= f.most {
				total += float64(df)
			}
		}
	}
	const entryBytes = 8
	parts := max(1, int(math.Ceil(total*entryBytes/float64(e.opt.Memory/3))))
	to = min(n, from+(n+parts-1)/parts)
	for _, f := range e.families {
		f.index.starts = make([]uint32, len(f.df.of)+1)
	}
	want := load{words: true, grams: n <= many, weights: true}
	err = e.each(ctx, from, to, func(v *view, _ int) {
		for _, f := range e.families {
			for _, t := range f.keys(v) {
				if slot := f.df.slot(t.hash); f.df.of[slot] <= f.most && f.df.of[slot] > 1 {
					atomic.AddUint32(&f.index.starts[slot+1], 1)
				}
			}
		}
	}, want)
	if err != nil {
		return 0, err
	}
	for _, f := range e.families {
		starts := f.index.starts
		for i := 1; i < len(starts); i++ {
			starts[i] += starts[i-1]
		}
		f.index.postings = make([]posting, starts[len(starts)-1])
	}
	// The places are taken from the ends, and sorted after, so that several may work at once.
	ends := make([][]uint32, len(e.families))
	for i, f := range e.families {
		ends[i] = slices.Clone(f.index.starts)
	}
	err = e.each(ctx, from, to, func(v *view, _ int) {
		for i, f := range e.families {
			for _, t := range f.keys(v) {
				if slot := f.df.slot(t.hash); f.df.of[slot] <= f.most && f.df.of[slot] > 1 {
					at := atomic.AddUint32(&ends[i][slot], 1) - 1
					f.index.postings[at] = posting{v.number, t.weight}
				}
			}
		}
	}, want)
	if err != nil {
		return 0, err
	}
	// Sums of floats depend on their order, so that of the postings must not depend on who came first.
	for _, f := range e.families {
		for slot := range f.df.of {
			if some := f.index.postings[f.index.starts[slot]:f.index.starts[slot+1]]; len(some) > 1 {
				slices.SortFunc(some, func(p, q posting) int {
					return cmp.Or(cmp.Compare(p.record, q.record), cmp.Compare(p.weight, q.weight))
				})
			}
		}
	}
	return to, nil
}

// query looks all records up in the index of the records from…to.
func (e *Engine) query(ctx context.Context, from, to int, best []candidate, k int) error {
	n := e.table.compared
	type scores struct {
		of      []float32
		touched []uint32
	}
	pool := sync.Pool{New: func() any { return &scores{of: make([]float32, to-from)} }}
	want := load{words: true, grams: n <= many, weights: true}
	part := 1 / float32(len(e.families))
	return e.each(ctx, 0, n, func(v *view, _ int) {
		s := pool.Get().(*scores)
		defer pool.Put(s)
		mine := e.sideOf(v.number)
		for _, f := range e.families {
			for _, t := range f.keys(v) {
				slot := f.df.slot(t.hash)
				if f.df.of[slot] > f.most || f.df.of[slot] < 2 {
					continue
				}
				w := t.weight * part
				for _, p := range f.index.postings[f.index.starts[slot]:f.index.starts[slot+1]] {
					at := p.record - uint32(from)
					if s.of[at] == 0 {
						s.touched = append(s.touched, at)
					}
					s.of[at] += w * p.weight
				}
			}
		}
		top := best[int(v.number)*k : (int(v.number)+1)*k]
		for _, at := range s.touched {
			c := candidate{at + uint32(from), s.of[at]}
			s.of[at] = 0
			if c.record != v.number && (!e.apart || e.sideOf(c.record) != mine) {
				insert(top, c)
			}
		}
		s.touched = s.touched[:0]
	}, want)
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
