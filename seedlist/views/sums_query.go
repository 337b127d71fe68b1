package views

import (
	"cmp"
	"context"
	"encoding/binary"
	"slices"
	"sync"
	"time"

	"laundromat/internal/fault"
	"laundromat/internal/ordered"
	"laundromat/seedlist/quality"
)

// Sums are those of all values of a facet, in the order of the values. They are shared: not to be changed.
type Sums struct {
	Groups []Group
	// IsCut says that there are more values than are looked at.
	IsCut bool
	AsOf  AsOf
}

// knownSums are the last answer about a facet. It holds until the tables change.
type knownSums struct {
	mu    sync.Mutex
	stamp uint64 // of the tables that were read; 0: none
	sums  Sums
}

// Sums are the sums of the documents of each value of a facet, which [IsGroup].
func (v *Views) Sums(ctx context.Context, by Facet) (sums Sums, err error) {
	at := slices.Index(groups[:], by)
	if at < 0 {
		return sums, nil
	}
	known := &v.summed[at]
	known.mu.Lock() // those who ask for the same at once sum up once
	defer known.mu.Unlock()
	err = v.tables.View(ctx, func(tx ordered.Tx) error {
		t := tablesOf(tx)
		stamp := t.stored().stamp
		if known.stamp == stamp {
			return nil
		}
		known.stamp, known.sums = stamp, Sums{AsOf: v.asOfIn(&t)}
		t.sum(&known.sums, by)
		return nil
	})
	if err != nil {
		known.stamp = 0
		return Sums{}, err
	}
	return known.sums, nil
}

// sum reads the sums of all values of a facet.
func (t *tables) sum(sums *Sums, by Facet) {
	var names [][]byte
	next := t[inPairs].Walk([]byte{ofSums, byte(by)})
	for key, value := next(); key != nil; key, value = next() {
		if sums.IsCut = len(names) == mostCounts; sums.IsCut {
			break
		}
		var one Group
		one.Decode(value)
		names = append(names, slices.Clone(key[1:]))
		sums.Groups = append(sums.Groups, one)
	}
	t[inNames].Prefetch(names...)
	for i, key := range names {
		sums.Groups[i].Value = string(t[inNames].Get(key))
	}
	slices.SortFunc(sums.Groups, func(a, b Group) int { return cmp.Compare(a.Value, b.Value) })
}

// Whole is all that is summed up of one value.
type Whole struct {
	Group
	// Findings are in the order of their codes.
	Findings []Finding `json:"findings"`
	// Months are what was so at the end of each month, from the first with a change to the present one. Days are the
	// last two months.
	Months []Span `json:"months"`
	Days   []Span `json:"days"`
	AsOf   AsOf   `json:"as_of"`
}

// Span is what was so of documents at the end of a day or a month.
type Span struct {
	Begin time.Time `json:"begin"`
	quality.Tally
}

// Whole sums up the documents that have a value of a facet, which [IsGroup]; false if none has it.
func (v *Views) Whole(ctx context.Context, by Facet, value string) (whole Whole, found bool, err error) {
	now := time.Now()
	err = v.tables.View(ctx, func(tx ordered.Tx) error {
		t := tablesOf(tx)
		whole, found = Whole{AsOf: v.asOfIn(&t)}, false
		stored := t[inValues].Get(append([]byte{byte(by)}, value...))
		if len(stored) != 4 {
			return nil
		}
		id := binary.BigEndian.Uint32(stored)
		sums := t[inPairs].Get(sumKey{f: by, id: id}.appendSums(nil))
		if found = sums != nil; !found {
			return nil
		}
		whole.Value = value
		whole.Decode(sums)
		whole.Findings = t.findings(by, id)
		whole.Months, whole.Days = t.spans(by, id, now)
		return nil
	})
	return whole, found, err
}

// findings are the notices of the documents of a value.
func (t *tables) findings(by Facet, id uint32) (all []Finding) {
	prefix := appendValue([]byte{ofFindings}, by, id)
	var names [][]byte
	next := t[inPairs].Walk(prefix)
	for key, value := next(); key != nil; key, value = next() {
		n := readFinding(value)
		if n.documents <= 0 {
			continue
		}
		all = append(all, Finding{Documents: n.documents, Times: n.times})
		names = append(names, appendValue(nil, Notice, binary.BigEndian.Uint32(key[len(prefix):])))
	}
	t[inNames].Prefetch(names...)
	for i := range all {
		all[i].Code = fault.Code(t[inNames].Get(names[i]))
	}
	slices.SortFunc(all, func(a, b Finding) int { return cmp.Compare(a.Code, b.Code) })
	return all
}

// spans are the months and the days of a value.
func (t *tables) spans(by Facet, id uint32, now time.Time) (months, days []Span) {
	changes := map[int64]quality.Tally{}
	first, total := int64(-1), quality.Tally{}
	prefix := appendValue([]byte{byMonth}, by, id)
	next := t[inPairs].Walk(prefix)
	for key, value := next(); key != nil; key, value = next() {
		begin := int64(binary.BigEndian.Uint32(key[len(prefix):]))
		var tally quality.Tally
		tally.Decode(value)
		changes[begin] = tally
		total.Add(&tally, 1)
		if first < 0 {
			first = begin
		}
	}
	if first < 0 {
		return nil, nil
	}
	var is quality.Tally
	today := quality.DayOf(now)
	for begin := first; begin <= today; begin = nextMonth(begin) {
		change := changes[begin]
		is.Add(&change, 1)
		months = append(months, Span{dayTime(begin), is})
	}
	begin := firstDay(now)
	var keys [][]byte
	for day := begin; day <= today; day++ {
		keys = append(keys, (&spanKey{byDay, by, id, day}).appendKey(nil))
	}
	t[inPairs].Prefetch(keys...)
	for i := len(keys) - 1; i >= 0; i-- { // back from what is so now
		days = append(days, Span{dayTime(begin + int64(i)), total})
		if value := t[inPairs].Get(keys[i]); value != nil {
			var tally quality.Tally
			tally.Decode(value)
			total.Add(&tally, -1)
		}
	}
	slices.Reverse(days)
	return months, days
}

func dayTime(day int64) time.Time { return time.Unix(day*24*60*60, 0).UTC() }

func nextMonth(day int64) int64 { return quality.DayOf(dayTime(day).AddDate(0, 1, 0)) }
