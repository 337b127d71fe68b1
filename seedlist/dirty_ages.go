package seedlist

import (
	"slices"
	"time"
)

// DirtyAges finds which bytes are not among the last that came, where a [Retention] keeps so many of them. It holds
// a number for each second in which some came.
type DirtyAges struct {
	bytes map[int64]int64
	total int64
}

// Add counts the bytes of a seed, if they are stored.
func (a *DirtyAges) Add(s *Seed) {
	if s.Status == Cleaned || !s.HasDirty() {
		return
	}
	if a.bytes == nil {
		a.bytes = map[int64]int64{}
	}
	a.bytes[s.Came().Unix()] += s.Content.NumberOfBytes
	a.total += s.Content.NumberOfBytes
}

// Before is the time before which bytes came that have to go, so that no more than most are left. All of one second
// go together.
func (a *DirtyAges) Before(most int64) (before time.Time) {
	seconds := make([]int64, 0, len(a.bytes))
	for second := range a.bytes {
		seconds = append(seconds, second)
	}
	slices.Sort(seconds)
	left := a.total
	for _, second := range seconds {
		if left <= most {
			break
		}
		left -= a.bytes[second]
		before = time.Unix(second+1, 0)
	}
	return before
}
