package search

import (
	"context"
	"errors"
	"slices"
	"time"

	"laundromat/seedlist"
)

const (
	// pause is how long changes are gathered: a seed that changes twice meanwhile is read once.
	pause = time.Second
	// again is the pause after trouble, and how long a file that was deleted stays unnoticed while nothing changes.
	again = 5 * time.Second
	// maxChanges is how many changes are read at once, maxReads how often before their seeds are taken, and maxBuilt
	// how many seeds are read at once.
	maxChanges, maxReads, maxBuilt = 10_000, 5, 1000
	// maxEntries is how many entries one transaction writes, where those of terms, which cost less, count a part of
	// one.
	maxEntries, termsPerEntry = 4000, 8
)

// follow makes the index what the list is, until ctx ends.
func (s *Search) follow(ctx context.Context) {
	defer close(s.stopped)
	isChecked := false
	seedlist.Follow(ctx, again, func(ctx context.Context) error { return s.advance(ctx, &isChecked) }, s.opt.Log)
}

// advance takes the next step: some seeds of the list while the index is being made, else the changes that came
// since.
func (s *Search) advance(ctx context.Context, isChecked *bool) error {
	if s.index.isGone() {
		*isChecked = false
		if err := s.renew(); err != nil {
			return err
		}
	}
	known, err := s.index.standing(ctx)
	if err != nil {
		return err
	}
	if !*isChecked {
		isSame, err := s.isOfList(ctx, known)
		if err != nil {
			return err
		}
		*isChecked = true
		if !isSame {
			return s.restart(ctx, known)
		}
	}
	s.setAsOf(known.asOf())
	if known.Building {
		return s.build(ctx, known)
	}
	waits, end := context.WithTimeout(ctx, again)
	err = s.list.WaitChange(waits, known.Revision)
	isEnd := waits.Err() != nil && ctx.Err() == nil
	end()
	if err != nil {
		if isEnd {
			return nil
		}
		return err
	}
	seedlist.Rest(ctx, pause)
	next, numbers, err := s.changed(ctx, known)
	var late *seedlist.LateError
	switch {
	case errors.As(err, &late):
		return s.restart(ctx, known)
	case err != nil:
		return err
	case next.Revision == known.Revision:
		return s.index.tidy(ctx)
	}
	return s.take(ctx, known, next, numbers)
}

// changed are the seeds that changed since, each once, and how far the index will have come with them. While more
// changes come than are read at once, there is no pause: what clean files say is held for a few seconds alone.
func (s *Search) changed(ctx context.Context, known standing) (next standing, numbers []uint64, err error) {
	next = known
	for range maxReads {
		changes, err := s.list.Changes(ctx, next.Revision, maxChanges)
		if err != nil {
			return next, nil, err
		}
		for i := range changes {
			next.Revision, next.Time = changes[i].Revision, changes[i].Time
			if changes[i].To != seedlist.Cleaned { // a clean file is its dirty seed's
				numbers = append(numbers, changes[i].Number)
			}
		}
		if len(changes) < maxChanges {
			break
		}
	}
	slices.Sort(numbers)
	return next, slices.Compact(numbers), nil
}

// renew has the index written into a new file, since its own was deleted. Until that holds all, the deleted one
// answers, which stays as it is.
func (s *Search) renew() error {
	s.opt.Log(errors.New("the file of the search index was deleted: it is made again"))
	next, err := openIndex(s.path)
	if err != nil {
		return err
	}
	s.mu.Lock()
	isAnswering := s.answers.store == s.index
	s.mu.Unlock()
	if !isAnswering { // it had not come far
		s.index.close()
	}
	s.index = next
	return nil
}

// isOfList says that the index is of this list: its last change is one of the list's.
func (s *Search) isOfList(ctx context.Context, known standing) (bool, error) {
	if known.Layout != layout || !known.hasLabels(s.opt.Labels) {
		return false, nil
	}
	if known.Revision == 0 {
		return !known.Time.IsZero() || known.Building, nil
	}
	last, ok, err := seedlist.ChangeOf(ctx, s.list, known.Revision)
	return ok && last.Time.Equal(known.Time), err
}

// restart empties the index, which is made from the seeds that are there, and then from what changed since now.
func (s *Search) restart(ctx context.Context, known standing) error {
	last, err := seedlist.LastChange(ctx, s.list)
	if err != nil {
		return err
	}
	next := standing{Layout: layout, Building: true, Labels: s.opt.Labels, Revision: last.Revision, Time: last.Time}
	if _, err := s.index.clear(ctx, known, next); err != nil {
		return err
	}
	s.setAsOf(next.asOf())
	return nil
}

// build takes the next seeds of the list.
func (s *Search) build(ctx context.Context, known standing) error {
	some, err := s.list.NumberedAfter(ctx, known.After, maxBuilt)
	if err != nil {
		return err
	}
	next := known
	if len(some) == 0 {
		if err := s.index.compact(ctx); err != nil {
			return err
		}
		next.Building, next.After = false, 0
		done, err := s.index.write(ctx, known, next, nil)
		if done {
			s.setAsOf(next.asOf())
		}
		return err
	}
	next.After = some[len(some)-1].Number
	return s.put(ctx, known, next, some, nil)
}

// take reads seeds that changed, and those that are gone.
func (s *Search) take(ctx context.Context, known, next standing, numbers []uint64) error {
	if len(numbers) == 0 {
		return s.put(ctx, known, next, nil, nil)
	}
	for some := range slices.Chunk(numbers, maxBuilt) {
		here, err := s.list.Numbered(ctx, some...)
		if err != nil {
			return err
		}
		var gone []uint64
		at := 0
		for _, number := range some {
			if at < len(here) && here[at].Number == number {
				at++
			} else {
				gone = append(gone, number)
			}
		}
		to := known // the last part alone says how far the index has come
		if some[len(some)-1] == numbers[len(numbers)-1] {
			to = next
		}
		if err := s.put(ctx, known, to, here, gone); err != nil {
			return err
		}
	}
	return nil
}

// put writes what is so now of some seeds, a part at a time; the last part says how far the index has come.
func (s *Search) put(ctx context.Context, known, next standing, here []seedlist.Numbered, gone []uint64) error {
	numbers := make([]int64, 0, len(here)+len(gone))
	for i := range here {
		numbers = append(numbers, int64(here[i].Number))
	}
	for _, number := range gone {
		numbers = append(numbers, int64(number))
	}
	marks, err := s.index.marks(ctx, numbers)
	if err != nil {
		return err
	}
	var documents []document
	weight := 0 // of their entries, in parts of one
	flush := func(to standing) error {
		done, err := s.index.write(ctx, known, to, documents)
		if err == nil && !done {
			return errMoved
		}
		documents, weight = documents[:0], 0
		return err
	}
	for _, number := range gone {
		if marks[int64(number)] != "" {
			documents = append(documents, document{number: int64(number)})
		}
	}
	for i := range here {
		number, seed := int64(here[i].Number), &here[i].Seed
		mark := markOf(seed)
		if mark == marks[number] {
			continue
		}
		d := document{number: number}
		if mark != "" {
			if d, err = s.documentOf(ctx, number, seed, mark); err != nil {
				return err
			}
		}
		d.isNew = marks[number] == ""
		documents, weight = append(documents, d), weight+d.weight()
		if weight >= maxEntries*termsPerEntry {
			if err := flush(known); err != nil {
				return err
			}
		}
	}
	if err := flush(next); err != nil {
		return err
	}
	s.setAsOf(next.asOf())
	return nil
}

// weight is that of the entries of a document, as transactions are measured.
func (d *document) weight() int {
	weight := termsPerEntry
	for i := range d.entries {
		if d.entries[i].isTerm() {
			weight++
		} else {
			weight += termsPerEntry
		}
	}
	return weight
}

// errMoved says that another process has brought the index further.
var errMoved = errors.New("another process writes the search index")
