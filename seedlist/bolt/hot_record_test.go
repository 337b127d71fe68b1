package bolt

import (
	"math"
	"slices"
	"testing"

	"laundromat/seedlist"
)

func TestHotRecordIsReadAsWritten(t *testing.T) {
	h := hot{
		state: seedlist.Guessing, last: seedlist.Failed, stage: seedlist.Parsing, flags: isFetchable | isGone, crashes: 3, tries: 4,
		fence: 1 << 60, due: -5,
		priority: -7, revision: 9, host: 1 << 63, parent: 11, open: 12,
	}
	key := appendNumber(nil, 7)
	data := withSum(inHot, key, h.encode())
	got, err := readHot(key, data)
	if err != nil || got != h {
		t.Errorf("%+v, want %+v", got, h)
	}
	for at := range data {
		for bit := range 8 {
			data[at] ^= 1 << bit
			if got, err := readHot(key, data); err == nil {
				t.Fatalf("bit %d of byte %d: read as %+v", bit, at, got)
			}
			data[at] ^= 1 << bit
		}
	}
	for n := range data {
		if _, err := readHot(key, data[:n]); err == nil {
			t.Fatalf("%d bytes of a record were read", n)
		}
	}
	if _, err := readHot(appendNumber(nil, 8), data); err != errSum {
		t.Errorf("a record at the place of another: %v", err)
	}
	if _, err := readHot(key, h.encode()); err != errNoSum {
		t.Errorf("a record without its sum: %v", err)
	}
}

func TestIndexKeysSortByPriorityThenDueThenAge(t *testing.T) {
	key := func(priority int32, due int64, id uint64) string {
		h := hot{state: seedlist.Filed, priority: priority, due: due}
		_, k, _ := h.indexKey(id)
		return string(k)
	}
	order := []string{
		key(math.MaxInt32, 5, 9), key(7, 5, 9), key(0, -5, 9), key(0, 5, 1), key(0, 5, 2), key(0, 6, 1),
		key(-1, 0, 0), key(math.MinInt32, 0, 0),
	}
	if !slices.IsSorted(order) {
		t.Errorf("%x", order)
	}
}
