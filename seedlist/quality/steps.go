package quality

import (
	"encoding/binary"
	"slices"
	"time"

	"laundromat/seedlist"
)

// Tally is what a picture over months shows of documents.
type Tally struct {
	Clean    int64 `json:"clean" doc:"documents with a clean file"`
	Failed   int64 `json:"failed" doc:"documents that failed, and have not been washed since"`
	Read     int64 `json:"read" doc:"statements"`
	Repaired int64 `json:"repaired"`
	Dropped  int64 `json:"dropped"`
	// Turns are what they went through until then.
	Turns Turns `json:"-"`
}

// Add adds another, so many times.
func (t *Tally) Add(o *Tally, times int64) {
	t.Clean += times * o.Clean
	t.Failed += times * o.Failed
	t.Read += times * o.Read
	t.Repaired += times * o.Repaired
	t.Dropped += times * o.Dropped
	t.Turns.add(&o.Turns, times)
}

// Append appends it as it is stored.
func (t *Tally) Append(b []byte) []byte {
	for _, n := range [...]int64{t.Clean, t.Failed, t.Read, t.Repaired, t.Dropped} {
		b = binary.AppendVarint(b, n)
	}
	return t.Turns.append(b)
}

// Decode reads a stored one, and returns what follows it.
func (t *Tally) Decode(b []byte) []byte {
	for _, field := range [...]*int64{&t.Clean, &t.Failed, &t.Read, &t.Repaired, &t.Dropped} {
		n, size := binary.Varint(b)
		b = b[max(size, 0):]
		*field = n
	}
	return t.Turns.decode(b)
}

// Step is what the tally of a document changed by on a day.
type Step struct {
	Day int64 // since 1970, in UTC
	Tally
}

// DayOf is the day of a time.
func DayOf(at time.Time) int64 { return at.Unix() / int64(day/time.Second) }

// Steps are the days on which a document became other than it was, oldest first. They add up to what is served of it.
// Only the versions that its record speaks of are known, and only the last failure, until a wash mends it.
func Steps(seed *seedlist.Seed) (steps []Step) {
	if !isDocument(seed) {
		return nil
	}
	var was Tally
	for i := range seed.History {
		v := &seed.History[i]
		if v.Clean == "" || v.Washed.IsZero() {
			continue
		}
		is := Tally{Clean: 1, Read: v.Read, Repaired: v.Repaired, Dropped: v.Dropped}
		if is.Read == 0 && v.Written != nil { // of an older version of the program
			is.Read = *v.Written
		}
		change := is
		change.Add(&was, -1)
		was = is
		steps = append(steps, Step{DayOf(v.Washed), change})
	}
	if seed.Status == seedlist.Failed && !seed.Processed.IsZero() {
		steps = append(steps, Step{DayOf(seed.Processed), Tally{Failed: 1}})
	}
	steps = append(steps, turnSteps(seed)...)
	slices.SortStableFunc(steps, func(a, b Step) int { return int(a.Day - b.Day) })
	merged := steps[:0]
	for _, s := range steps {
		if last := len(merged) - 1; last >= 0 && merged[last].Day == s.Day {
			merged[last].Add(&s.Tally, 1)
		} else {
			merged = append(merged, s)
		}
	}
	return slices.DeleteFunc(merged, func(s Step) bool { return s.Tally == Tally{} })
}
