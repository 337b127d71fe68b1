package views

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
	"strings"

	"go.etcd.io/bbolt"
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
func (v *Views) Count(by []Facet, limit int) (counts Counts, err error) {
	prefix, turned, ok := countedBy(by)
	if !ok {
		return counts, nil
	}
	counts.AsOf = v.AsOf()
	err = v.db.View(func(tx *bbolt.Tx) error {
		t := openTables(tx)
		which := inCounts
		if len(by) == 2 {
			which = inPairs
		}
		type found struct {
			key   []byte
			seeds int64
		}
		var all []found
		c := t[which].Cursor()
		for key, value := c.Seek(prefix); bytes.HasPrefix(key, prefix); key, value = c.Next() {
			if counts.IsCut = len(all) == mostCounts; counts.IsCut {
				break
			}
			all = append(all, found{key, readCount(value)})
		}
		counts.Total = len(all)
		slices.SortStableFunc(all, func(a, b found) int { return cmp.Compare(b.seeds, a.seeds) })
		for _, f := range all[:min(len(all), limit)] {
			one := Count{Seeds: f.seeds}
			for i := range by {
				place := i
				if turned {
					place = 1 - i
				}
				id := binary.BigEndian.Uint32(f.key[1+4*place:])
				one.Values = append(one.Values, string(t[inNames].Get(valueKey(by[i], id))))
			}
			counts.Counts = append(counts.Counts, one)
		}
		return nil
	})
	slices.SortFunc(counts.Counts, func(a, b Count) int {
		return cmp.Or(cmp.Compare(b.Seeds, a.Seeds), strings.Compare(strings.Join(a.Values, "\x00"), strings.Join(b.Values, "\x00")))
	})
	return counts, err
}
