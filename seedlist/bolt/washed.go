package bolt

import (
	"encoding/binary"
	"maps"
	"slices"
	"time"

	"laundromat/seedlist"
)

// washedSize is that of the sums of a span of time.
const washedSize = 24

// maxForgotten is how many sums of a span one transaction forgets at most.
const maxForgotten = 100

// addWashed notes sums of what was washed, to be written at the end of the batch.
func (b *batch) addWashed(washed map[seedlist.Span][]seedlist.Washed) {
	for span, all := range washed {
		for _, w := range all {
			key := string(washedKey(slices.Index(seedlist.Spans(), span), w.Begin))
			if b.washed == nil {
				b.washed = map[string]seedlist.Washed{}
			}
			sums := b.washed[key]
			sums.Add(w)
			b.washed[key] = sums
		}
	}
}

// writeWashed adds what was washed to the sums, and forgets the oldest.
func (b *batch) writeWashed() {
	for _, key := range slices.Sorted(maps.Keys(b.washed)) {
		sums := readWashed(b.get(inWashed, []byte(key)))
		sums.Add(b.washed[key])
		value := make([]byte, 0, washedSize)
		for _, n := range []int64{sums.Documents, sums.Bytes, sums.Statements} {
			value = binary.BigEndian.AppendUint64(value, uint64(n))
		}
		b.put(inWashed, []byte(key), value)
		span := seedlist.Spans()[key[0]]
		if span.Kept() == 0 {
			continue
		}
		limit := washedKey(int(key[0]), b.now.Add(-span.Kept()))
		b.deleteKeys(inWashed, b.keys(inWashed, []byte{key[0]}, maxForgotten, func(key []byte) bool { return string(key) < string(limit) }))
	}
	b.washed = nil
}

func washedKey(span int, begin time.Time) []byte {
	return appendTime([]byte{byte(span)}, begin.Unix())
}

func readWashed(value []byte) (w seedlist.Washed) {
	if len(value) != washedSize {
		return w
	}
	for i, n := range []*int64{&w.Documents, &w.Bytes, &w.Statements} {
		*n = int64(binary.BigEndian.Uint64(value[8*i:]))
	}
	return w
}
