package engine

import (
	"time"

	"laundromat/seedlist"
)

// asking asks the store. It keeps the first error. After that nothing is found, and nothing is written: what a move
// then makes of it in memory is thrown away with the session. So a move need not look for an error after each question.
type asking struct {
	tx      Tx
	err     error
	touched int // how often anything was changed
	sound   int // touched, when the error came
}

// fail keeps an error, if it is the first.
func (a *asking) fail(err error) {
	if err != nil && a.err == nil {
		a.err, a.sound = err, a.touched
	}
}

// answer is what the store answers to a question; nothing once there is an error.
func answer[T any](a *asking, question func(Tx) (T, error)) (found T) {
	if a.err == nil {
		is, err := question(a.tx)
		if a.fail(err); err == nil {
			found = is
		}
	}
	return found
}

func (a *asking) linksOf(q LinkQuery) []Link {
	links, _ := a.linksAndTotals(q)
	return links
}

func (a *asking) linksAndTotals(q LinkQuery) (links []Link, totals map[uint64]int64) {
	links = answer(a, func(tx Tx) (found []Link, err error) {
		found, totals, err = tx.Links(q)
		return found, err
	})
	return links, totals
}

func (a *asking) catalogsOf(q CatalogQuery) []*Catalog {
	return answer(a, func(tx Tx) ([]*Catalog, error) { return tx.Catalogs(q) })
}

func (a *asking) items(q ItemQuery) []Item {
	return answer(a, func(tx Tx) ([]Item, error) { return tx.Items(q) })
}

func (a *asking) scan(f Scan, after uint64, most int) []*Seed {
	return answer(a, func(tx Tx) ([]*Seed, error) { return tx.Scan(f, after, most) })
}

func (a *asking) hostsOf(keys []string, count int) []*Host {
	return answer(a, func(tx Tx) ([]*Host, error) { return tx.Hosts(keys, count) })
}

func (a *asking) orphans(q OrphanQuery) []string {
	return answer(a, func(tx Tx) ([]string, error) { return tx.Orphans(q) })
}

func (a *asking) numbers(n int) []uint64 {
	return answer(a, func(tx Tx) ([]uint64, error) { return tx.Numbers(n) })
}

func (a *asking) entries(of []string, after uint64, most int) []Entry {
	return answer(a, func(tx Tx) ([]Entry, error) { return tx.Log(of, after, most) })
}

func (a *asking) allCounts() map[string]int64 {
	return answer(a, func(tx Tx) (map[string]int64, error) { return tx.Counts() })
}

func (a *asking) outlook(q Queue, at time.Time, most int) Outlook {
	return answer(a, func(tx Tx) (Outlook, error) { return tx.Next(q, at, most) })
}

func (a *asking) meta(name string) []byte {
	return answer(a, func(tx Tx) ([]byte, error) { return tx.Meta(name) })
}

func (a *asking) washedIn(span seedlist.Span, from, to time.Time) []seedlist.Washed {
	return answer(a, func(tx Tx) ([]seedlist.Washed, error) { return tx.Washed(span, from, to) })
}
