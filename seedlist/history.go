package seedlist

import (
	"slices"
	"time"
)

// Version is one version of a document as it came: bytes that were there from
// Retrieved on, and were last seen at Seen.
type Version struct {
	MD5           string    `json:"hash"`
	NumberOfBytes int64     `json:"number_of_bytes"`
	Retrieved     time.Time `json:"retrieved"`
	Seen          time.Time `json:"seen"`
	Unchanged     int64     `json:"unchanged"`         // fetches that found it as it was
	Clean         string    `json:"clean,omitempty"`   // what it was washed to last
	Written       *int64    `json:"written,omitempty"` // statements of that
}

// MaxHistory is the number of versions that a record tells of.
const MaxHistory = 50

// paces are the bounds of intervals that adapt.
type paces struct{ least, most time.Duration }

// remember notes in the history what a fetch or a wash came to, and lets the interval
// follow it: was is the record before, is that after it.
func (o *Outcome) remember(c *Claim, was, is *Record, now time.Time, paces paces) {
	is.History, is.Interval, is.IntervalAdapts = was.History, was.Interval, was.IntervalAdapts
	switch {
	case o.Unchanged:
		is.adapt(2, 1, paces)
		if last := len(is.History) - 1; last >= 0 {
			is.History = slices.Clone(is.History)
			is.History[last].Seen = now.UTC()
			is.History[last].Unchanged++
		}
	case c.Stage == table[0].working && o.Next == table[0].next[0] && is.Content != nil:
		last := len(was.History) - 1
		if last >= 0 && was.History[last].MD5 == is.Content.MD5 {
			// The same bytes are washed again: by another version, or for another base.
			is.History = slices.Clone(is.History)
			is.History[last].Seen = now.UTC()
			return
		}
		if last >= 0 {
			is.adapt(1, 2, paces)
		}
		is.History = append(slices.Clone(is.History[max(0, len(is.History)-MaxHistory+1):]), Version{
			MD5: is.Content.MD5, NumberOfBytes: is.Content.NumberOfBytes, Retrieved: now.UTC(), Seen: now.UTC(),
		})
	case o.Clean != nil && len(is.History) > 0:
		is.History = slices.Clone(is.History)
		v := &is.History[len(is.History)-1]
		v.Clean = is.Clean
		if is.Statements != nil {
			written := is.Statements.Written
			v.Written = &written
		}
	}
}

// adapt makes an interval that adapts times/by as long, within the bounds.
func (r *Record) adapt(times, by int64, paces paces) {
	if !r.IntervalAdapts || r.Interval == nil || *r.Interval <= 0 {
		return
	}
	seconds := *r.Interval * times / by
	seconds = max(min(seconds, int64(paces.most/time.Second)), int64(paces.least/time.Second), 1)
	r.Interval = &seconds
}
