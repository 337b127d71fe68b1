package reconcile

import (
	"cmp"
	"context"
	"sort"
)

func comparePairs(p, q pair) int { return cmp.Or(cmp.Compare(p.a, q.a), cmp.Compare(p.b, q.b)) }

// scratch is what a goroutine compares with.
type scratch struct {
	x []float64 // likenesses of two records
	q []float64 // of their fields
}

// viewBytes is about what memory a view takes: with its words and sequences of characters, or with its fields alone.
const (
	viewBytes  = 6000
	fieldBytes = 1800
)

// compare calls do with each pair and its records, on several goroutines. Pairs are sorted by their first record.
func (e *Engine) compare(ctx context.Context, pairs []pair, want load, do func(n int, a, b *view, s *scratch) error) error {
	var all []view
	each := int64(fieldBytes)
	if want.grams {
		each = viewBytes
	}
	if n := e.table.compared; int64(n)*each <= e.opt.Memory/2 {
		all = make([]view, n)
		want.prepared = true // several goroutines share them
		if err := e.parallel(ctx, n, func(int) func(i int) error {
			return func(i int) error {
				err := e.view(&all[i], uint32(i), want)
				all[i].scratch, all[i].hashes = nil, nil
				return err
			}
		}); err != nil {
			return err
		}
	}
	if len(pairs) == 0 {
		return nil
	}
	first, last := int(pairs[0].a), int(pairs[len(pairs)-1].a)
	return e.parallel(ctx, last-first+1, func(int) func(i int) error {
		s := &scratch{make([]float64, e.width()+1), make([]float64, len(e.columns))}
		var left, right view
		return func(i int) error {
			i += first
			n := sort.Search(len(pairs), func(n int) bool { return int(pairs[n].a) >= i })
			if n == len(pairs) || int(pairs[n].a) != i {
				return nil
			}
			a := &left
			if all != nil {
				a = &all[i]
			} else if err := e.view(a, uint32(i), want); err != nil {
				return err
			}
			for ; n < len(pairs) && int(pairs[n].a) == i; n++ {
				b := &right
				if all != nil {
					b = &all[pairs[n].b]
				} else if err := e.view(b, pairs[n].b, want); err != nil {
					return err
				}
				if err := do(n, a, b, s); err != nil {
					return err
				}
			}
			return nil
		}
	})
}
