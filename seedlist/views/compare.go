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
	// Removed are documents that were removed, or left what they were listed by, and did not come back. It is known
	// since the last two months, and no longer than the tables are.
	Removed           int64     `json:"removed" doc:"documents that were removed from the list, or left the catalog, publisher or licence, since removed_since at the earliest"`
	RemovedStatements int64     `json:"removed_statements" doc:"statements that these documents had"`
	RemovedSince      time.Time `json:"removed_since" doc:"since when removed documents are known: of the last two months, and not before views.db was made"`
	AsOf              AsOf      `json:"as_of"`
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
		left, known := t.departures(by, id, quality.DayOf(all.Since), now)
		all.Removed, all.RemovedStatements, all.RemovedSince = left.documents, left.times, known
		found = found || left.documents > 0
		return nil
	})
	return all, found, err
}

// DepartedQuery says which documents that departed to list: those since a day that no longer have a value of a facet,
// which [IsGroup], or with the value "" those that were removed from the list.
type DepartedQuery struct {
	By     Facet
	Value  string
	Since  time.Time
	Cursor string // what the page before gave; "" begins
	Limit  int    // of documents
}

// DepartedPage is one page of the documents that departed, the last first.
type DepartedPage struct {
	Documents []Departed
	Next      string    // the cursor of the next page; "" at the end
	Known     time.Time // since when they are known
	AsOf      AsOf
}

// Departed lists documents that departed. Their number is that of [Views.Compare].
func (v *Views) Departed(ctx context.Context, of DepartedQuery) (page DepartedPage, err error) {
	now := time.Now()
	q := Query{Where: map[Facet]string{of.By: of.Value}, Sort: ByTurn, Descending: true, Turn: "removed", Since: of.Since,
		Cursor: of.Cursor}
	after, err := q.after()
	if err != nil {
		return page, err
	}
	err = v.tables.View(ctx, func(tx ordered.Tx) error {
		t := tablesOf(tx)
		page = DepartedPage{AsOf: v.asOfIn(&t)}
		by, id := of.By, uint32(0)
		if of.Value == "" {
			by = everything
		} else if stored := t[inValues].Get(append([]byte{byte(by)}, of.Value...)); len(stored) == 4 {
			id = binary.BigEndian.Uint32(stored)
		}
		day := max(quality.DayOf(of.Since), firstDay(now))
		_, page.Known = t.departures(by, id, day, now)
		if by != everything && id == 0 {
			return nil // no document ever had it
		}
		var more bool
		if page.Documents, more = t.departedAfter(by, id, t.departedDays(by, id, day, now), after, of.Limit); more {
			last := &page.Documents[len(page.Documents)-1]
			page.Next = q.cursor(place{uint64(last.Left.Unix()), last.Number})
		}
		return nil
	})
	return page, err
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
