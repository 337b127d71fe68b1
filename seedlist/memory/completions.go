package memory

import (
	"context"
	"errors"
	"slices"
	"time"

	"laundromat/seedlist"
)

// Complete writes the outcome of a claim.
func (s *Store) Complete(ctx context.Context, c seedlist.Claim, o seedlist.Outcome) error {
	return s.CompleteAll(ctx, c, []seedlist.Outcome{o})
}

// completion is what is to be written, once nothing can be refused any more.
type completion struct {
	steps    []seedlist.Step
	record   seedlist.Stored
	data     []byte   // the record, encoded
	cleans   []string // the clean seeds that it named before
	clean    *record  // the clean seed that is there already
	made     []byte   // the clean seed that is to be made, encoded
	children []seedlist.Entry
}

// CompleteAll writes the outcomes of a claim and of the stages that follow.
func (s *Store) CompleteAll(ctx context.Context, c seedlist.Claim, outcomes []seedlist.Outcome) error {
	steps, err := seedlist.Steps(c, outcomes)
	if err != nil {
		return err
	}
	for {
		done := completion{steps: steps}
		now := time.Now()
		was, err := s.recordOf(ctx, &c)
		if err == nil {
			done.record = was.stored()
			err = s.prepare(&done, now)
		}
		if err != nil {
			return err
		}
		err = s.write(ctx, func(time.Time) error {
			r, err := s.unrevised(&c, was)
			if err == nil {
				err = s.findClean(&done)
			}
			if err != nil {
				return err
			}
			s.complete(r, &done, now)
			return nil
		})
		if err != errRevised {
			return err
		}
	}
}

// errRevised says that what a change was made from is no longer what is there.
var errRevised = errors.New("changed meanwhile")

// recordOf is a copy of the record of a claim.
func (s *Store) recordOf(ctx context.Context, c *seedlist.Claim) (was record, err error) {
	if s.options.ReadOnly {
		return was, seedlist.ErrReadOnly
	}
	err = s.read(ctx, func() error {
		r := s.held(c)
		if r == nil {
			return seedlist.ErrLost
		}
		was = *r
		return nil
	})
	return was, err
}

// unrevised is the record of a claim, if its document is still the one that was copied.
func (s *Store) unrevised(c *seedlist.Claim, was record) (*record, error) {
	r := s.held(c)
	switch {
	case r == nil:
		return nil, seedlist.ErrLost
	case &r.data[0] != &was.data[0]:
		return nil, errRevised
	}
	return r, nil
}

// findClean finds the clean seed that an outcome names, if it is there.
func (s *Store) findClean(done *completion) error {
	o := done.steps[len(done.steps)-1].Outcome
	if o.Clean == nil {
		return nil
	}
	content := &o.Clean.Content
	if done.clean = s.byHash(content.MD5); done.clean != nil {
		is := done.clean.stored().Content
		if !done.clean.clean || is == nil || is.SHA256 != content.SHA256 || is.NumberOfBytes != content.NumberOfBytes {
			return seedlist.ErrCollision
		}
	}
	return nil
}

// prepare makes all that may be refused.
func (s *Store) prepare(done *completion, now time.Time) (err error) {
	last := done.steps[len(done.steps)-1].Outcome
	done.cleans = done.record.Cleans()
	for i := range done.steps {
		step := &done.steps[i]
		step.Outcome.Change(&step.Claim, step.End, now, &s.options)(&done.record.Record)
	}
	if done.data, err = done.record.Encode(); err != nil {
		return err
	}
	for i := range done.steps {
		step := &done.steps[i]
		step.Attempt, err = step.Outcome.Attempt.Encode(&step.Claim, done.record.Place(), step.Outcome.Result(), now)
		if err != nil {
			return err
		}
	}
	if last.Clean != nil {
		content := &last.Clean.Content
		made := seedlist.Stored{Hash: content.MD5, Record: seedlist.Record{Added: now, Content: content, Format: "N-Quads"}}
		if done.made, err = made.Encode(); err != nil {
			return err
		}
	}
	done.children, err = seedlist.Entries(&done.record, last.Children, now)
	return err
}

func (s *Store) complete(r *record, done *completion, now time.Time) {
	steps := done.steps
	last := &steps[len(steps)-1]
	o, end := last.Outcome, last.End
	stage, tries := seedlist.State(""), 0
	switch {
	case o.Unchanged:
		stage = r.stage
		s.unchanged++
	case end == seedlist.Failed:
		stage, tries = last.Claim.Stage, 1
		if len(steps) == 1 {
			tries = r.tries + 1
		}
	}
	r.data, r.fence, r.state, r.stage, r.tries, r.due = done.data, last.Claim.Fence, end, stage, tries, time.Time{}
	switch {
	case end.IsReady():
		r.makeReady(end, now)
	case r.fetchable, end == seedlist.Failed && o.Again > 0:
		r.due = wall(o.DueAgain(now, done.record.Interval, r.failures))
	}
	switch {
	case end == seedlist.Failed && o.Again > 0:
		r.failures++
	case end.IsEnd():
		r.failures = 0
	}
	if end.IsEnd() {
		r.last = end
	}
	if end == seedlist.Parsed && !o.Unchanged {
		s.countWashed(&done.record.Record, now)
	}
	s.index(r, now)
	for i := range steps {
		s.log(&r.attempts, steps[i].Attempt)
	}
	s.endLease(r, now, steps[0].Outcome.Load)
	for i := range steps {
		s.addNamed(steps[i].Outcome.Named, now)
	}
	if o.Clean != nil && done.record.Clean != "" {
		if done.clean == nil {
			done.clean = &record{hash: done.record.Clean, data: done.made, state: seedlist.Cleaned, clean: true}
			s.insert(done.clean, now)
		}
		done.clean.dirty = insertNumber(done.clean.dirty, r.number)
	}
	s.unlinkOld(r, done.cleans, &done.record, now)
	switch {
	case end == seedlist.Depleted && !o.Unchanged:
		r.isArchive = true
		s.deplete(r, append(s.file(r, done.children, now), o.Filed.Numbers()...))
	case slices.ContainsFunc(steps, func(step seedlist.Step) bool { return step.End == seedlist.Unarchived }):
		s.deplete(r, nil) // no archive any more, if it was one
	}
}

// addNamed makes seeds of documents that data names; what is no URI is skipped.
func (s *Store) addNamed(named []seedlist.NewSeed, now time.Time) {
	for _, seed := range named {
		u, err := seedlist.ParseURI(seed.URI)
		if err != nil || u.Relative {
			continue
		}
		u, _ = u.Document() // nobody asked for a thing in it
		if s.byHash(u.Hash()) == nil {
			if made, err := s.newRecords(u, seed, now); err == nil {
				s.create(made, now)
			}
		}
	}
}

// unlinkOld ends the links with clean seeds that a record no longer names. One goes with
// the last that names it.
func (s *Store) unlinkOld(r *record, old []string, is *seedlist.Stored, now time.Time) {
	var names []string
	if is != nil {
		names = is.Cleans()
	}
	for _, hash := range old {
		clean := s.byHash(hash)
		if slices.Contains(names, hash) || clean == nil || !slices.Contains(clean.dirty, r.number) {
			continue
		}
		if clean.dirty = deleteNumber(clean.dirty, r.number); len(clean.dirty) == 0 {
			s.erase(clean, now)
		}
	}
}

// FileChildren makes entries of an archive seeds before the claim on it is completed.
func (s *Store) FileChildren(ctx context.Context, c seedlist.Claim, children []seedlist.Child,
	update func(*seedlist.Record)) (filed seedlist.FiledChildren, err error) {
	for {
		was, err := s.recordOf(ctx, &c)
		if err != nil {
			return nil, err
		}
		stored := was.stored()
		if update != nil {
			kept := stored.Record
			update(&stored.Record)
			stored.Parent, stored.Added = kept.Parent, kept.Added
			if kept.Parent != "" {
				stored.Archive = kept.Archive.WithFilters(stored.Archive)
			}
		}
		now := time.Now()
		data, err := stored.Encode()
		if err != nil {
			return nil, err
		}
		made, err := seedlist.Entries(&stored, children, now)
		if err != nil {
			return nil, err
		}
		err = s.write(ctx, func(time.Time) error {
			r, err := s.unrevised(&c, was)
			if err != nil {
				return err
			}
			r.data = data
			filed = seedlist.FiledAs(s.file(r, made, now))
			return nil
		})
		if err != errRevised {
			return filed, err
		}
	}
}

// file makes seeds of entries and returns their numbers.
func (s *Store) file(parent *record, entries []seedlist.Entry, now time.Time) (here []uint64) {
	for i := range entries {
		e := &entries[i]
		child := s.byHash(e.Hash)
		if child == nil {
			child = &record{hash: e.Hash, data: e.Data, priority: parent.priority, parent: parent}
			child.makeReady(seedlist.Filed, now)
			s.insert(child, now)
			parent.children, parent.isArchive = append(parent.children, child.number), true
		} else {
			s.refile(child, parent, e, now)
		}
		here = append(here, child.number)
	}
	return here
}

// refile files a child again if its bytes changed, or if it was marked or is to be worked on again.
func (s *Store) refile(child, parent *record, e *seedlist.Entry, now time.Time) {
	if child.parent != parent {
		return
	}
	old := child.stored()
	if !old.RefilesAs(&e.Stored.Record, e.Again) {
		child.gone = false
		return
	}
	if child.state != seedlist.Filed && !seedlist.ByDepletion.Allows(child.state, seedlist.Filed) {
		return
	}
	cleans := old.Cleans()
	old.Refile(&e.Stored.Record, e.Within)
	data, err := old.Encode()
	if err != nil {
		return
	}
	child.data, child.gone = data, false
	child.restart(seedlist.Filed, now)
	s.unlinkOld(child, cleans, &old, now)
}

// deplete marks the children that are not among the entries of an archive.
func (s *Store) deplete(parent *record, here []uint64) {
	for child := range s.among(parent.children) {
		if !slices.Contains(here, child.number) {
			child.gone = true
		}
	}
}
