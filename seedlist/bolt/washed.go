package bolt

import (
	"context"
	"encoding/binary"
	"slices"
	"time"

	"laundromat/seedlist"
)

// washedSize is that of the sums of a span of time.
const washedSize = 24

// maxForgotten is how many sums of a span one transaction forgets at most.
const maxForgotten = 100

// writeWashed adds what was washed in this batch to the sums, and forgets the oldest.
func (b *batch) writeWashed() {
	if b.feed.washed.Documents == 0 {
		return
	}
	for i, span := range seedlist.Spans() {
		key := washedKey(i, b.now.Truncate(span.Length()))
		sums := readWashed(b.get(inWashed, key))
		sums.Add(b.feed.washed)
		value := make([]byte, 0, washedSize)
		for _, n := range []int64{sums.Documents, sums.Bytes, sums.Statements} {
			value = binary.BigEndian.AppendUint64(value, uint64(n))
		}
		b.put(inWashed, key, value)
		if span.Kept() == 0 {
			continue
		}
		limit := washedKey(i, b.now.Add(-span.Kept()))
		var old [][]byte
		b.scan(inWashed, []byte{byte(i)}, nil, func(key, _ []byte) bool {
			if string(key) >= string(limit) || len(old) == maxForgotten {
				return false
			}
			old = append(old, slices.Clone(key))
			return true
		})
		for _, key := range old {
			b.delete(inWashed, key)
		}
	}
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

// Washed are the sums of what was washed by spans of time, oldest first.
func (s *Store) Washed(ctx context.Context, span seedlist.Span, from, to time.Time) (all []seedlist.Washed, err error) {
	which := slices.Index(seedlist.Spans(), span)
	if which < 0 {
		return nil, nil
	}
	err = s.view(ctx, func(t *tables) error {
		t.scan(inWashed, []byte{byte(which)}, washedKey(which, from), func(key, value []byte) bool {
			w := readWashed(value)
			w.Begin = time.Unix(readTime(key[1:]), 0).UTC()
			if !w.Begin.Before(to) {
				return false
			}
			if !w.Begin.Before(from) {
				all = append(all, w)
			}
			return true
		})
		return nil
	})
	return all, err
}
