package quality

import (
	"encoding/binary"
	"iter"
	"time"

	"laundromat/seedlist"
)

// Turns are what documents went through in a time.
type Turns struct {
	Added     int64 `json:"added" doc:"documents that came into the list"`
	Broken    int64 `json:"broken" doc:"documents that began to fail, and have failed since"`
	Mended    int64 `json:"mended" doc:"documents that were washed well after they had failed, the last time"`
	Rewritten int64 `json:"rewritten" doc:"documents whose clean statements became others"`
	// StatementsAdded and StatementsRemoved are of documents that were washed before. Where a wash was not compared
	// with the one before, they are its difference in number alone.
	StatementsAdded   int64 `json:"statements_added"`
	StatementsRemoved int64 `json:"statements_removed"`
}

func (t *Turns) fields() [6]*int64 {
	return [...]*int64{&t.Added, &t.Broken, &t.Mended, &t.Rewritten, &t.StatementsAdded, &t.StatementsRemoved}
}

func (t *Turns) add(o *Turns, times int64) {
	others := o.fields()
	for i, field := range t.fields() {
		*field += times * *others[i]
	}
}

// append appends them as they are stored: which are not 0, and these.
func (t *Turns) append(b []byte) []byte {
	at := len(b)
	b = append(b, 0)
	for i, field := range t.fields() {
		if *field != 0 {
			b[at] |= 1 << i
			b = binary.AppendVarint(b, *field)
		}
	}
	return b
}

func (t *Turns) decode(b []byte) []byte {
	*t = Turns{}
	if len(b) == 0 {
		return b
	}
	mask := b[0]
	b = b[1:]
	for i, field := range t.fields() {
		if mask&(1<<i) != 0 {
			n, size := binary.Varint(b)
			b = b[max(size, 0):]
			*field = n
		}
	}
	return b
}

// Turn is what a document went through.
type Turn int

// The turns, in the order of [TurnNames].
const (
	Added Turn = iota
	Broken
	Mended
	Rewritten
	turnCount
)

// TurnNames are the names of the turns, as the API has them.
func TurnNames() []string { return []string{"added", "broken", "mended", "rewritten"} }

// TurnTimes are when a document last turned in each way; zero times where it did not, or where that isn't known.
func TurnTimes(seed *seedlist.Seed) (times [turnCount]time.Time) {
	if !isDocument(seed) {
		return times
	}
	times[Added], times[Broken], times[Mended] = seed.Record.Added, seed.Broken, seed.Mended
	if seed.Status == seedlist.Failed && seed.Broken.IsZero() { // of an older version of the program
		times[Broken] = seed.Processed
	}
	for v := range washes(seed) {
		if v.isOther {
			times[Rewritten] = v.Washed // the last one stays
		}
	}
	return times
}

// wash is a version of a document that was washed.
type wash struct {
	*seedlist.Version
	before  *seedlist.Version // the one that was washed before; nil: it is the first that is known
	isOther bool              // its statements are others than those before
}

// washes are the versions of a document that were washed, oldest first.
func washes(seed *seedlist.Seed) iter.Seq[wash] {
	return func(yield func(wash) bool) {
		var before *seedlist.Version
		for i := range seed.History {
			v := &seed.History[i]
			if v.Clean == "" || v.Washed.IsZero() {
				continue
			}
			if !yield(wash{v, before, before != nil && before.Clean != v.Clean}) {
				return
			}
			before = v
		}
	}
}

// changed is how many statements it added and removed.
func (w *wash) changed() (added, removed int64) {
	switch c := w.Changes; {
	case !w.isOther:
		return 0, 0
	case c != nil && c.Error == "" && c.From == w.before.Clean:
		return c.Added.Count, c.Removed.Count
	case w.Written == nil || w.before.Written == nil:
		return 0, 0
	}
	more := *w.Written - *w.before.Written
	return max(0, more), max(0, -more)
}

// turnSteps are the days of the turns of a document.
func turnSteps(seed *seedlist.Seed) (steps []Step) {
	for turn, at := range TurnTimes(seed) {
		if at.IsZero() {
			continue
		}
		s := Step{Day: DayOf(at)}
		*s.Turns.fields()[turn] = 1
		steps = append(steps, s)
	}
	for w := range washes(seed) {
		if added, removed := w.changed(); added+removed > 0 {
			steps = append(steps, Step{DayOf(w.Washed), Tally{Turns: Turns{StatementsAdded: added, StatementsRemoved: removed}}})
		}
	}
	return steps
}

// Parts are the parts of the score that a document has a share in, by their names; with ! after it, it loses something.
func Parts(s *Sums) (parts []string) {
	part := func(name string, p Part) {
		switch {
		case p.Of <= 0:
		case p.Good >= p.Of:
			parts = append(parts, name)
		default:
			parts = append(parts, name+seedlist.FailedMark)
		}
	}
	score := s.Score()
	part("reach", score.Reach)
	part("syntax", score.Syntax)
	part("terms", score.Terms)
	part("honesty", score.Honesty)
	return parts
}
