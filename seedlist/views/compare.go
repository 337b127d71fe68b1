package views

import (
	"context"
	"encoding/binary"
	"time"

	"laundromat/internal/ordered"
	"laundromat/seedlist/quality"
)

// Comparison is what became of documents since a time.
type Comparison struct {
	// Since is the beginning of a day, and of a month where days are no longer kept.
	Since time.Time     `json:"since"`
	Then  quality.Tally `json:"then" doc:"what was so then, of documents that are in the list now"`
	Now   quality.Tally `json:"now"`
	quality.Turns
	AsOf AsOf `json:"as_of"`
}

// Compare says what became since a time of the documents that have a value of a facet, which [IsGroup]; with the value
// "", of all documents. False: there are none.
func (v *Views) Compare(ctx context.Context, by Facet, value string, since time.Time) (all Comparison, found bool, err error) {
	now := time.Now()
	err = v.tables.View(ctx, func(tx ordered.Tx) error {
		t := tablesOf(tx)
		all, found = Comparison{AsOf: v.asOfIn(&t)}, false
		id := uint32(0)
		if value == "" {
			by = everything
		} else if stored := t[inValues].Get(append([]byte{byte(by)}, value...)); len(stored) == 4 {
			id = binary.BigEndian.Uint32(stored)
		} else {
			return nil
		}
		all.Since, found = t.compare(&all, by, id, quality.DayOf(since), now)
		return nil
	})
	return all, found, err
}

// compare reads the spans of a value.
func (t *tables) compare(all *Comparison, by Facet, id uint32, day int64, now time.Time) (since time.Time, found bool) {
	areDays := day >= firstDay(now)
	if !areDays {
		day = monthOf(max(0, day))
	}
	var turned quality.Tally
	prefix := appendValue([]byte{byMonth}, by, id)
	next := t[inPairs].Walk(prefix)
	for key, value := next(); key != nil; key, value = next() {
		var tally quality.Tally
		tally.Decode(value)
		all.Now.Add(&tally, 1)
		found = true
		if !areDays && int64(binary.BigEndian.Uint32(key[len(prefix):])) >= day {
			turned.Add(&tally, 1)
		}
	}
	if areDays {
		var keys [][]byte
		for one := day; one <= quality.DayOf(now); one++ {
			keys = append(keys, (&spanKey{byDay, by, id, one}).appendKey(nil))
		}
		t[inPairs].Prefetch(keys...)
		for _, key := range keys {
			if value := t[inPairs].Get(key); value != nil {
				var tally quality.Tally
				tally.Decode(value)
				turned.Add(&tally, 1)
			}
		}
	}
	all.Then, all.Turns = all.Now, turned.Turns
	all.Then.Add(&turned, -1)
	return dayTime(day), found
}
