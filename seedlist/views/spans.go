package views

import (
	"cmp"
	"encoding/binary"
	"maps"
	"slices"
	"time"

	"laundromat/seedlist/quality"
)

// What documents changed by is kept by day for two months, and by month for ever.

// keptDays is how many days are kept: two months.
const keptDays = 62

// firstDay is the first day that is kept at a time.
func firstDay(now time.Time) int64 { return quality.DayOf(now) - keptDays + 1 }

// monthOf is the month of a day, as the first day of it.
func monthOf(day int64) int64 {
	at := time.Unix(day*24*60*60, 0).UTC()
	return quality.DayOf(time.Date(at.Year(), at.Month(), 1, 0, 0, 0, 0, time.UTC))
}

// appendKey appends the key of a span.
func (k *spanKey) appendKey(key []byte) []byte {
	key = append(key, k.kind)
	if k.kind == byDay {
		key = binary.BigEndian.AppendUint32(key, uint32(k.begin))
		return appendValue(key, k.f, k.id)
	}
	return binary.BigEndian.AppendUint32(appendValue(key, k.f, k.id), uint32(k.begin))
}

// step notes a step of a document. Times before 1970 have no place in a key.
func (d *sumDeltas) step(f Facet, id uint32, s *quality.Step, times int64) {
	day := max(0, s.Day)
	keys := []spanKey{{byMonth, f, id, monthOf(day)}, {byDay, f, id, day}}
	if day < d.firstDay {
		keys = keys[:1]
	}
	for _, key := range keys {
		tally := d.spans[key]
		tally.Add(&s.Tally, times)
		d.spans[key] = tally
	}
}

// writeSpans writes the spans that changed, and removes days that are over.
func (c *change) writeSpans() {
	keys := slices.SortedFunc(maps.Keys(c.sums.spans), func(a, b spanKey) int {
		return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.f, b.f), cmp.Compare(a.id, b.id), cmp.Compare(a.begin, b.begin))
	})
	if c.isFar() {
		all := make([][]byte, len(keys))
		for i := range keys {
			all[i] = keys[i].appendKey(nil)
		}
		c.tables[inPairs].Prefetch(all...)
	}
	for _, k := range keys {
		key := k.appendKey(c.key[:0])
		var tally quality.Tally
		if stored := c.tables[inPairs].Get(key); stored != nil {
			tally.Decode(stored)
		}
		delta := c.sums.spans[k]
		if delta == (quality.Tally{}) {
			continue
		}
		if tally.Add(&delta, 1); tally == (quality.Tally{}) {
			c.tables[inPairs].Delete(key)
			continue
		}
		from := len(c.stored)
		c.stored = tally.Append(c.stored)
		c.tables[inPairs].Put(key, c.keep(from))
	}
	c.writeDepartures()
	c.endDays()
}

// mostEnded is how many days of values one transaction removes.
const mostEnded = 1000

// endedKey is the key of the first day that was kept when days were last removed.
var endedKey = []byte("days")
