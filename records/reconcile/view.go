package reconcile

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// view is a record as it is compared.
type view struct {
	number uint32
	words  []term  // its words, numbers and codes, by hash, each once
	grams  []term  // its sequences of four characters
	total  float64 // the sum of the idf of words
	fields []value // of each compared field
	paired []term

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
}

// load says which parts of a view are wanted.
type load struct{ words, grams, weights, fields bool }

// view fills v with a record. The texts are its own.
func (e *Engine) view(v *view, n uint32, want load) error {
	v.number = n
	v.words, v.grams, v.scratch = v.words[:0], v.grams[:0], v.scratch[:0]
	if want.fields {
		v.fields = slices.Grow(v.fields[:0], len(e.columns))[:len(e.columns)]
		clear(v.fields)
	}
	side := e.sideOf(n)
	err := e.table.values(n, &v.buffer, func(field int, text string) {
		if !want.words && !want.fields {
			return
		}
		at := -1
		if want.fields {
			if at = e.columnOf[side][field]; at >= 0 {
				text = strings.Clone(text)
				v.fields[at].text = text
			}
		}
		if want.words {
			if at < 0 && want.fields {
				text = strings.Clone(text)
			}
			v.scratch = tokens(v.scratch, text)
		}
	})
	if err != nil {
		return err
	}
	if want.words {
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
			v.words = append(v.words, term{hash: t.hash, weight: logarithm(j - i), kind: t.kind, text: t.text})
			i = j
		}
		v.total = 0
		for i := range v.words {
			v.words[i].idf = idf(e.table.compared, e.words.get(v.words[i].hash))
			v.total += float64(v.words[i].idf)
		}
	}
	if want.weights {
		weigh(v.words, e.words, e.table.compared)
		if want.grams {
			weigh(v.grams, e.grams, e.table.compared)
		}
	}
	if want.fields {
		for i := range v.fields {
			e.prepare(&v.fields[i], &e.columns[i])
		}
	}
	return nil
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
		dst = append(dst, term{hash: sorted[i], weight: logarithm(j - i)})
		i = j
	}
	return dst
}

// prepare reads a value as its kind wants it.
func (e *Engine) prepare(v *value, c *compared) {
	if v.text == "" {
		return
	}
	switch c.kind {
	case Date:
		v.day, v.dated = parseDate(v.text)
	case Number:
		v.num, _, v.isNum = parseNumber(v.text)
	case Code:
		v.bare = withoutSigns(v.text)
	}
	n := e.table.compared
	for _, t := range tokens(nil, v.text) {
		if t.kind > number && t.kind != code {
			continue
		}
		v.words = append(v.words, term{hash: t.hash, idf: idf(n, e.words.get(t.hash)), kind: t.kind, text: t.text})
	}
}

// withoutSigns leaves the letters and digits of a folded text.
func withoutSigns(s string) string {
	var b []byte
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

// each calls do with a view of each record from…to, on several goroutines. A view is valid until do returns.
func (e *Engine) each(ctx context.Context, from, to int, do func(v *view, worker int), want load) error {
	return e.parallel(ctx, to-from, func(worker int) func(i int) error {
		v := &view{}
		return func(i int) error {
			if err := e.view(v, uint32(from+i), want); err != nil {
				return err
			}
			do(v, worker)
			return nil
		}
	})
}

// parallel calls what begin makes with each number below n, on several goroutines.
func (e *Engine) parallel(ctx context.Context, n int, begin func(worker int) func(i int) error) error {
	var next atomic.Int64
	var group sync.WaitGroup
	errs := make([]error, e.opt.Workers)
	for worker := range e.opt.Workers {
		group.Go(func() {
			do := begin(worker)
			for {
				at := int(next.Add(chunk)) - chunk
				if at >= n {
					return
				}
				if err := ctx.Err(); err != nil {
					errs[worker] = err
					return
				}
				for i := at; i < min(at+chunk, n); i++ {
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
