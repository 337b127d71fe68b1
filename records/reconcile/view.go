package reconcile

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"laundromat/internal/prefix"
)

// view is a record as it is compared.
type view struct {
	number uint32
	words  []term  // its words, numbers and codes, by hash, each once
	grams  []term  // its sequences of four characters
	total  float64 // the sum of the idf of words
	fields []value // of each compared field

	buffer  []byte
	scratch []token
	hashes  []uint64
}

// value is a value of a compared field.
type value struct {
	text  string // folded; empty where it is missing
	words []term // in order; of a name, text or code
	bare  string // of a code: without signs
	day   date
	dated bool
	num   float64
	isNum bool
	ready bool // all but the text is filled
}

// load says which parts of a view are wanted. Of values that are prepared all is filled; of others the text alone, and
// the rest when it is needed. While words are being counted, their weights are not known.
type load struct{ words, digits, grams, weights, fields, prepared, counting bool }

// view fills v with a record. Its texts are valid until it is filled again.
func (e *Engine) view(v *view, n uint32, want load) error {
	v.number = n
	v.words, v.grams, v.scratch = v.words[:0], v.grams[:0], v.scratch[:0]
	if want.fields {
		if len(v.fields) == 0 {
			v.fields = make([]value, len(e.columns))
		}
		for i := range v.fields {
			v.fields[i] = value{words: v.fields[i].words[:0]}
		}
	}
	side := e.sideOf(n)
	err := e.table.values(n, &v.buffer, func(field int, text string) {
		if !want.words && !want.fields {
			return
		}
		if want.fields {
			if at := e.columnOf[side][field]; at >= 0 {
				v.fields[at].text = prefix.Of(text, longestCompared)
			}
		}
		if want.words {
			v.scratch = e.appendKeys(tokens(v.scratch, text), field, text)
		}
	})
	if err != nil {
		return err
	}
	if want.words {
		if !want.digits {
			v.scratch = slices.DeleteFunc(v.scratch, func(t token) bool { return t.kind == digits })
		}
		if want.grams {
			v.hashes = grams(v.hashes[:0], v.scratch)
			slices.Sort(v.hashes)
			v.grams = countHashes(v.grams, v.hashes)
		}
		slices.SortFunc(v.scratch, func(a, b token) int { return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.kind, b.kind)) })
		for i := 0; i < len(v.scratch); {
			t := v.scratch[i]
			j := i + 1
			for j < len(v.scratch) && v.scratch[j].hash == t.hash {
				if v.scratch[j].kind == code {
					t.kind, t.text = code, v.scratch[j].text
				}
				j++
			}
			v.words = append(v.words, term{hash: t.hash, times: uint32(j - i), kind: t.kind, text: t.text})
			i = j
		}
		v.total = 0
		for i := 0; i < len(v.words) && !want.counting; i++ {
			v.words[i].idf = e.idf(e.words.get(v.words[i].hash))
			v.total += float64(v.words[i].idf)
		}
	}
	if want.weights {
		e.weigh(v.words, e.words)
		if want.grams {
			e.weigh(v.grams, e.grams)
		}
	}
	if want.prepared {
		for i := range v.fields {
			e.prepare(&v.fields[i], &e.columns[i])
		}
	}
	return nil
}

// longestCompared is how many bytes of a value are compared by themselves, since the time grows as their square. All
// words of a longer one are among those of its record.
const longestCompared = 2000

// term is a key of a record, with its weight.
type term struct {
	hash   uint64
	weight float32 // tf·idf, over the length of the record's vector
	idf    float32
	times  uint32
	kind   tokenKind
	text   string // of a word, number or code
}

// weigh gives the terms of a record their weights.
func (e *Engine) weigh(terms []term, df *counts) {
	var length float64
	for i := range terms {
		t := &terms[i]
		t.idf = e.idf(df.get(t.hash))
		t.weight = logarithm(int(t.times)) * t.idf
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

// frequencies are up to which number of records the weight of a key is looked up.
const frequencies = 4096

// idf is the weight of a key that df of all records have.
func (e *Engine) idf(df uint32) float32 {
	if e.idfs == nil {
		return idf(e.table.compared, df)
	}
	if int(df) < len(e.idfs) {
		return e.idfs[df]
	}
	return idf(e.table.compared, df)
}

func idf(n int, df uint32) float32 {
	return float32(math.Log(1 + float64(n)/float64(max(df, 1))))
}

// logarithm is the weight of a word that is in a record so many times.
func logarithm(times int) float32 {
	if times == 1 {
		return 1
	}
	return float32(1 + math.Log(float64(times)))
}

func countHashes(dst []term, sorted []uint64) []term {
	for i := 0; i < len(sorted); {
		j := i + 1
		for j < len(sorted) && sorted[j] == sorted[i] {
			j++
		}
		dst = append(dst, term{hash: sorted[i], times: uint32(j - i)})
		i = j
	}
	return dst
}

// prepare reads a value as its kind wants it.
func (e *Engine) prepare(v *value, c *compared) {
	if v.text == "" || v.ready {
		return
	}
	v.ready = true
	switch c.kind {
	case Date:
		v.day, v.dated = parseDate(v.text)
	case Number:
		v.num, _, v.isNum = parseNumber(v.text)
	case Code:
		v.bare = withoutSigns(v.text)
	}
	var few [24]token
	for _, t := range tokens(few[:0], v.text) {
		if t.kind > number && t.kind != code {
			continue
		}
		v.words = append(v.words, term{hash: t.hash, idf: e.idf(e.words.get(t.hash)), kind: t.kind, text: t.text})
	}
}

// withoutSigns leaves the letters and digits of a folded text.
func withoutSigns(s string) string {
	if s == "" {
		return s
	}
	if _, n := runOf(s); n == len(s) {
		return s
	}
	b := make([]byte, 0, len(s))
	for rest := s; len(rest) > 0; {
		_, n := runOf(rest)
		if n == 0 {
			n = 1
			for n < len(rest) && rest[n]&0xC0 == 0x80 {
				n++
			}
			rest = rest[n:]
			continue
		}
		b = append(b, rest[:n]...)
		rest = rest[n:]
	}
	return string(b)
}

// chunk is how many records a worker takes at once.
const chunk = 256

// parallel calls what begin makes with each number below n, on several goroutines.
func (e *Engine) parallel(ctx context.Context, n int, begin func(worker int) func(i int) error) error {
	return e.parallelBy(ctx, n, chunk, begin)
}

// parallelBy is parallel where a goroutine takes so many numbers at once.
func (e *Engine) parallelBy(ctx context.Context, n, step int, begin func(worker int) func(i int) error) error {
	var next atomic.Int64
	var group sync.WaitGroup
	errs := make([]error, e.opt.Workers)
	for worker := range e.opt.Workers {
		group.Go(func() {
			do := begin(worker)
			for {
				at := int(next.Add(int64(step))) - step
				if at >= n {
					return
				}
				if err := ctx.Err(); err != nil {
					errs[worker] = err
					return
				}
				for i := at; i < min(at+step, n); i++ {
					if err := do(i); err != nil {
						errs[worker] = err
						return
					}
				}
			}
		})
	}
	group.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// sideOf is 1 for a record of the second table in the mode one-to-one, else 0.
func (e *Engine) sideOf(n uint32) int {
	if e.apart && int(n) >= e.table.firsts {
		return 1
	}
	return 0
}
