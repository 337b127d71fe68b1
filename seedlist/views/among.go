package views

import (
	"cmp"
	"context"
	"encoding/binary"
	"slices"
	"strings"

	"laundromat/internal/ordered"
)

// Among says which values the seeds of a query have, and how many have each.
type Among struct {
	// Seeds is how many match. It is exact unless IsCut; then there are more.
	Seeds int64
	IsCut bool
	// Looked is how many rows were looked at, where no counts are kept; at most [MostLooked].
	Looked int
	Facets map[Facet]FacetCounts
	AsOf   AsOf
}

// FacetCounts are the values of one facet, the largest count first.
type FacetCounts struct {
	Counts []Count
	Total  int // of values, also of those that the limit leaves out
	// IsPartial says that only the first rows were looked at: counts may be larger.
	IsPartial bool
}

// Among counts the values of facets among the seeds of a query, whose order and cursor are of no matter. Counts
// that are kept are taken where there are some. For the others, at most [MostLooked] rows are looked
// at. The limit is of values of a facet.
func (v *Views) Among(ctx context.Context, q Query, by []Facet, limit int) (among Among, err error) {
	err = v.tables.View(ctx, func(tx ordered.Tx) error {
		t := tablesOf(tx)
		among = Among{Facets: map[Facet]FacetCounts{}, AsOf: v.asOfIn(&t)}
		a := amongCount{tables: &t, query: q, limit: limit, among: &among}
		if a.known() {
			a.count(by)
		}
		return nil
	})
	return among, err
}

// amongCount is an Among being counted.
type amongCount struct {
	*tables
	query Query
	ids   map[Facet]uint32
	files uint32 // as in a search
	limit int
	among *Among
}

// known finds the numbers of the values asked for; false if no seed has one of them.
func (a *amongCount) known() bool {
	a.ids = map[Facet]uint32{}
	for f, value := range a.query.Where {
		id := a.tables[inValues].Get(append([]byte{byte(f)}, value...))
		if len(id) != 4 {
			return false
		}
		a.ids[f] = binary.BigEndian.Uint32(id)
	}
	a.files = a.filesLeftOut(&a.query)
	return true
}

// filesOf is how many clean files have a value. They have a state and a format, and nothing else that is counted.
func (a *amongCount) filesOf(f Facet, id uint32) int64 {
	switch {
	case a.files == 0:
	case f == State && id == a.files:
		return readCount(a.tables[inCounts].Get(appendValue(nil, State, id)))
	case f == Format:
		prefix, turned, _ := countedBy([]Facet{State, Format})
		key := pairKey(prefix, a.files, id)
		if turned {
			key = pairKey(prefix, id, a.files)
		}
		return readCount(a.tables[inPairs].Get(key))
	}
	return 0
}

func (a *amongCount) count(by []Facet) {
	kept, isKept := a.keptSeeds()
	a.among.Seeds = kept
	var rest []Facet
	for _, f := range by {
		if counts, ok := a.keptValues(f); ok {
			a.leaveFiles(f, counts)
			a.among.Facets[f] = a.named(f, counts, false)
		} else {
			rest = append(rest, f)
		}
	}
	if len(rest) == 0 && isKept {
		return
	}
	seeds, looked, isCut := a.walkCount(rest)
	a.among.Looked = looked
	if !isKept {
		a.among.Seeds, a.among.IsCut = seeds, isCut
	}
}

// keptSeeds is how many seeds match, where that is counted.
func (a *amongCount) keptSeeds() (n int64, isKept bool) {
	if a.query.Relative != nil {
		return 0, false
	}
	switch len(a.ids) {
	case 0:
		for _, n1 := range a.all(State) {
			n += n1
		}
		return n - a.filesOf(State, a.files), true
	case 1:
		for f, id := range a.ids {
			return readCount(a.tables[inCounts].Get(appendValue(nil, f, id))) - a.filesOf(f, id), true
		}
	case 2:
		var two []Facet
		for f := range a.ids {
			two = append(two, f)
		}
		prefix, turned, ok := countedBy(two)
		if !ok {
			return 0, false
		}
		if turned {
			slices.Reverse(two)
		}
		return readCount(a.tables[inPairs].Get(pairKey(prefix, a.ids[two[0]], a.ids[two[1]]))), true
	}
	return 0, false
}

// leaveFiles takes clean files from the kept counts of a facet, where these are left out. Only lists of a format, or of
// all, have any.
func (a *amongCount) leaveFiles(f Facet, counts map[uint32]int64) {
	if a.files == 0 || f != State && f != Format {
		return
	}
	format, isOfFormat := a.ids[Format]
	if len(a.ids) > 0 && !isOfFormat {
		return
	}
	if f == State && isOfFormat {
		counts[a.files] -= a.filesOf(Format, format)
		return
	}
	for id := range counts {
		counts[id] -= a.filesOf(f, id)
	}
}

func pairKey(prefix []byte, first, second uint32) []byte {
	return binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(slices.Clone(prefix), first), second)
}

// keptValues are the counts of a facet among the seeds that match, where they are kept.
func (a *amongCount) keptValues(f Facet) (counts map[uint32]int64, isKept bool) {
	switch {
	case a.query.Relative != nil || len(a.ids) > 1:
		return nil, false
	case len(a.ids) == 0:
		return a.all(f), true
	}
	for given, id := range a.ids {
		if given == f {
			// A seed may have others beside this one.
			return map[uint32]int64{id: readCount(a.tables[inCounts].Get(appendValue(nil, f, id)))}, !f.isManifold()
		}
		prefix, turned, ok := countedBy([]Facet{given, f})
		if !ok {
			return nil, false
		}
		counts = map[uint32]int64{}
		if turned { // the other facet comes first: it is one with few values
			all := a.all(f)
			if a.isFar() {
				var keys [][]byte
				for other := range all {
					keys = append(keys, pairKey(prefix, other, id))
				}
				a.tables[inPairs].Prefetch(keys...)
			}
			for other := range all {
				if n := readCount(a.tables[inPairs].Get(pairKey(prefix, other, id))); n > 0 {
					counts[other] = n
				}
			}
			return counts, true
		}
		prefix = binary.BigEndian.AppendUint32(slices.Clone(prefix), id)
		next := a.tables[inPairs].Walk(prefix)
		for key, value := next(); key != nil && len(counts) < mostCounts; key, value = next() {
			counts[binary.BigEndian.Uint32(key[len(prefix):])] = readCount(value)
		}
	}
	return counts, true
}

// all are the counts of a facet's values among all seeds.
func (t *tables) all(f Facet) map[uint32]int64 {
	counts := map[uint32]int64{}
	prefix := []byte{byte(f)}
	next := t[inCounts].Walk(prefix)
	for key, value := next(); key != nil && len(counts) < mostCounts; key, value = next() {
		counts[binary.BigEndian.Uint32(key[1:])] = readCount(value)
	}
	return counts
}

// walkCount counts the values of facets in the rows of a list.
func (a *amongCount) walkCount(by []Facet) (seeds int64, looked int, isCut bool) {
	s := a.rows(nil)
	counts := map[Facet]map[uint32]int64{}
	for _, f := range by {
		counts[f] = map[uint32]int64{}
	}
	if len(by) > 0 {
		a.prefetchSeeds(s.page.Numbers)
		for _, number := range s.page.Numbers {
			eachValue(a.tables[inEntries].Get(appendSeed(nil, number)), func(f Facet, id uint32) {
				if of := counts[f]; of != nil {
					of[id]++
				}
			})
		}
	}
	isCut = s.page.Next != ""
	for f, of := range counts {
		a.among.Facets[f] = a.named(f, of, isCut)
	}
	return int64(len(s.page.Numbers)), s.page.Looked, isCut
}

// rows walks the list of the query, from a place on, as far as one page may.
func (a *amongCount) rows(after *place) *search {
	walked := a.query
	walked.Sort, walked.Descending, walked.Limit = ByAge, false, MostLooked
	s := &search{tables: a.tables, query: &walked, ids: map[Facet]uint32{}, after: after}
	s.run()
	return s
}

// eachValue calls visit for each value of a seed, whose stored entry this is.
func eachValue(stored []byte, visit func(Facet, uint32)) {
	if len(stored) == 0 {
		return
	}
	rest := afterMark(stored)
	next := func() uint64 {
		n, size := binary.Uvarint(rest)
		rest = rest[max(size, 0):]
		return n
	}
	for f := range facetCount {
		for range min(next(), uint64(len(rest))) {
			visit(f, uint32(next()))
		}
	}
}

// named are the largest of counts, with the names of the values.
func (a *amongCount) named(f Facet, counts map[uint32]int64, isPartial bool) FacetCounts {
	type found struct {
		id    uint32
		seeds int64
	}
	all := make([]found, 0, len(counts))
	for id, n := range counts {
		if n > 0 {
			all = append(all, found{id, n})
		}
	}
	slices.SortFunc(all, func(x, y found) int { return cmp.Or(cmp.Compare(y.seeds, x.seeds), cmp.Compare(x.id, y.id)) })
	result := FacetCounts{Total: len(all), IsPartial: isPartial}
	all = all[:min(len(all), a.limit)]
	keys := make([][]byte, len(all))
	for i, one := range all {
		keys[i] = appendValue(nil, f, one.id)
	}
	a.tables[inNames].Prefetch(keys...)
	for _, one := range all {
		result.Counts = append(result.Counts, Count{[]string{string(a.tables[inNames].Get(appendValue(nil, f, one.id)))}, one.seeds})
	}
	slices.SortStableFunc(result.Counts, func(x, y Count) int {
		return cmp.Or(cmp.Compare(y.Seeds, x.Seeds), strings.Compare(x.Values[0], y.Values[0]))
	})
	return result
}

// Tallied are how many seeds have each tuple of values, of facets that are asked for.
type Tallied struct {
	Counts map[[2]string]int64
	Next   string // the cursor of the rows that follow; "" at the end
	AsOf   AsOf
}

// Tally counts the pairs of values of two facets among the seeds of a query, in at most [MostLooked]
// rows after its cursor. A seed without a value has "" there.
func (v *Views) Tally(ctx context.Context, q Query, by [2]Facet) (tallied Tallied, err error) {
	q.Sort, q.Descending = ByAge, false
	after, err := q.after()
	if err != nil {
		return tallied, err
	}
	err = v.tables.View(ctx, func(tx ordered.Tx) error {
		t := tablesOf(tx)
		tallied = Tallied{Counts: map[[2]string]int64{}, AsOf: v.asOfIn(&t)}
		a := amongCount{tables: &t, query: q}
		s := a.rows(after)
		ids := map[[2]uint32]int64{}
		t.prefetchSeeds(s.page.Numbers)
		for _, number := range s.page.Numbers {
			var pair [2]uint32 // numbers of values begin at 1
			eachValue(t[inEntries].Get(appendSeed(nil, number)), func(f Facet, id uint32) {
				for i := range by {
					if by[i] == f {
						pair[i] = id
					}
				}
			})
			ids[pair]++
		}
		var keys [][]byte
		for pair := range ids {
			for i := range by {
				keys = append(keys, appendValue(nil, by[i], pair[i]))
			}
		}
		t[inNames].Prefetch(keys...)
		for pair, n := range ids {
			var values [2]string
			for i := range by {
				values[i] = string(t[inNames].Get(appendValue(nil, by[i], pair[i])))
			}
			tallied.Counts[values] += n
		}
		tallied.Next = s.page.Next
		return nil
	})
	return tallied, err
}

// Beginning are the values of a facet that begin with a text, in the order of their bytes, with their
// counts; limit is of values.
func (v *Views) Beginning(ctx context.Context, f Facet, prefix string, limit int) (counts []Count, err error) {
	err = v.tables.View(ctx, func(tx ordered.Tx) error {
		counts = nil
		t := tablesOf(tx)
		next := t[inValues].Walk(append([]byte{byte(f)}, prefix...))
		for looked, ended := 0, false; !ended && looked < MostLooked && len(counts) < limit; {
			var values []string // some at a time, so that their counts are fetched together
			var keys [][]byte
			for len(values) < max(limit, 1) {
				at, id := next()
				if ended = at == nil; ended {
					break
				}
				values, keys = append(values, string(at[1:])), append(keys, append([]byte{byte(f)}, id...))
			}
			looked += len(values)
			t[inCounts].Prefetch(keys...)
			for i, value := range values {
				if n := readCount(t[inCounts].Get(keys[i])); n > 0 && len(counts) < limit {
					counts = append(counts, Count{[]string{value}, n})
				}
			}
		}
		return nil
	})
	return counts, err
}
