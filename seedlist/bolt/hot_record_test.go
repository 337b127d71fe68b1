package bolt

import (
	"slices"
	"testing"

	"laundromat/seedlist"
)

func TestHotRecordIsReadAsWritten(t *testing.T) {
	h := hot{
		state: seedlist.Guessing, last: seedlist.Failed, stage: seedlist.Parsing, flags: isFetchable | isGone, crashes: 3, tries: 4, fence: 1 << 60, due: -5,
		priority: -7, revision: 9, host: 1 << 63, parent: 11, open: 12,
	}
	data := h.encode()
	got, ok := decodeHot(data)
	if !ok || got != h {
		t.Errorf("%+v, want %+v", got, h)
	}
	if _, ok := decodeHot(data[:20]); ok {
		t.Error("half a record was read")
	}
	if _, ok := decodeHot(nil); ok {
		t.Error("no record was read")
	}
}

func TestIndexKeysSortByPriorityThenDueThenAge(t *testing.T) {
	key := func(priority int, due int64, id uint64) string {
		h := hot{state: seedlist.Filed, priority: clampPriority(priority), due: due}
		_, k, _ := h.indexKey(id)
		return string(k)
	}
	order := []string{
		key(1<<40, 5, 9), key(7, 5, 9), key(0, -5, 9), key(0, 5, 1), key(0, 5, 2), key(0, 6, 1), key(-1, 0, 0), key(-1<<40, 0, 0),
	}
	if !slices.IsSorted(order) {
		t.Errorf("%x", order)
	}
}
