package postgres

import (
	"context"
	"errors"
	"slices"
	"time"

	"laundromat/seedlist"
)

// errRevised says that what a change was made from is no longer what is there.
var errRevised = errors.New("changed meanwhile")

// Complete writes the outcome of a claim.
func (s *Store) Complete(ctx context.Context, c seedlist.Claim, o seedlist.Outcome) error {
	return s.CompleteAll(ctx, c, []seedlist.Outcome{o})
}

// completion is what is to be written, made before the transaction.
type completion struct {
	claim    *seedlist.Claim
	steps    []seedlist.Step
	revision int64
	record   seedlist.Stored
	data     []byte   // the record, encoded
	cleans   []string // the clean seeds that it named before
	made     []byte   // the clean seed that is to be made, encoded
	children []seedlist.Entry
	named    []seedlist.URI
	seeds    []seedlist.NewSeed // beside named
	now      time.Time
}

// CompleteAll writes the outcomes of a claim and of the stages that follow.
func (s *Store) CompleteAll(ctx context.Context, c seedlist.Claim, outcomes []seedlist.Outcome) (err error) {
	steps, err := seedlist.Steps(c, outcomes)
	if err != nil {
		return err
	}
	defer func() { s.endLost(&c, err) }()
	was, isAtHand := s.leases.of(&c)
	for {
		if !isAtHand {
			if was, err = s.recordOf(ctx, &c); err != nil {
				return err
			}
		}
		isAtHand = false
		done := &completion{claim: &c, steps: slices.Clone(steps), revision: was.revision, now: s.now()}
		if done.record, err = seedlist.DecodeStored(was.data); err == nil {
			err = done.prepare(&s.options)
		}
		if err != nil {
			return err
		}
		var swept bool
		err = s.inBatch(ctx, &operation{claim: &c, hashes: done.hashes(), change: func(t *tx) error {
			err := t.complete(done)
			if swept = err == errSwept; swept {
				return nil // what was given back is to be written
			}
			return err
		}})
		if err == nil && swept {
			return seedlist.ErrLost
		}
		if err != errRevised {
			return err
		}
	}
}

// recordOf is the record of a claim, with its revision.
func (s *Store) recordOf(ctx context.Context, c *seedlist.Claim) (was lease, err error) {
	if s.options.ReadOnly {
		return was, seedlist.ErrReadOnly
	}
	err = s.read(ctx, func(t *tx) error {
		r, err := t.held(c)
		if err != nil {
			return err
		}
		if r == nil {
			return seedlist.ErrLost
		}
		was.data, was.revision = r.data, r.revision
		return nil
	})
	return was, err
}

// prepare makes all that can be made before the transaction.
func (d *completion) prepare(options *seedlist.Options) (err error) {
	last := d.steps[len(d.steps)-1].Outcome
	d.cleans = d.record.Cleans()
	for i := range d.steps {
		step := &d.steps[i]
		step.Outcome.Change(&step.Claim, step.End, d.now, options)(&d.record.Record)
	}
	if d.data, err = d.record.Encode(); err != nil {
		return err
	}
	for i := range d.steps {
		step := &d.steps[i]
		step.Attempt, err = step.Outcome.Attempt.Encode(&step.Claim, d.record.Place(), step.Outcome.Result(), d.now)
		if err != nil {
			return err
		}
		for _, seed := range step.Outcome.Named {
			u, err := seedlist.ParseURI(seed.URI)
			if err != nil || u.Relative {
				continue
			}
			u, _ = u.Document() // nobody asked for a thing in it
			d.named, d.seeds = append(d.named, u), append(d.seeds, seed)
		}
	}
	if last.Clean != nil {
		content := &last.Clean.Content
		made := seedlist.Stored{Hash: content.MD5, Record: seedlist.Record{Added: d.now, Content: content, Format: "N-Quads"}}
		if d.made, err = made.Encode(); err != nil {
			return err
		}
	}
	d.children, err = seedlist.Entries(&d.record, last.Children, d.now)
	return err
}

// hashes are those of the records that have a part in it.
func (d *completion) hashes() (all []string) {
	all = append(all, d.cleans...)
	if o := d.steps[len(d.steps)-1].Outcome; o.Clean != nil {
		all = append(all, o.Clean.Content.MD5)
	}
	for _, u := range d.named {
		all = append(all, u.Hash())
	}
	for _, e := range d.children {
		all = append(all, e.Hash)
	}
	return all
}

// complete writes what was prepared. It refuses before it changes anything.
func (t *tx) complete(d *completion) error {
	r, err := t.held(d.claim)
	switch {
	case err != nil:
		return err
	case r == nil:
		return seedlist.ErrLost
	case r.revision != d.revision:
		return errRevised
	}
	last := &d.steps[len(d.steps)-1]
	clean, err := t.findClean(last.Outcome)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(d.hashes(), func(hash string) bool { return t.swept[hash] }) {
		err := t.giveBack(r, d.claim, seedlist.Return{})
		if err == nil {
			err = errSwept
		}
		return err
	}
	t.move(r, d)
	for i := range d.steps {
		t.log(r.hash, d.steps[i].Attempt)
	}
	if err := t.endLease(r, d.steps[0].Outcome.Load); err != nil {
		return err
	}
	for i, u := range d.named {
		if err := t.addNamed(u, d.seeds[i]); err != nil {
			return err
		}
	}
	if last.Outcome.Clean != nil && d.record.Clean != "" {
		if clean == nil {
			clean = &record{hash: d.record.Clean, data: d.made, hot: hot{state: seedlist.Cleaned, clean: true}}
			if err := t.insert(clean); err != nil {
				return err
			}
		}
		if !slices.Contains(d.cleans, clean.hash) { // else they are linked already
			t.link(clean, r)
		}
	}
	if err := t.unlinkOld(r, d.cleans, &d.record); err != nil {
		return err
	}
	switch {
	case last.End == seedlist.Depleted && !last.Outcome.Unchanged:
		r.isArchive = true
		here, err := t.file(r, d.children)
		if err != nil {
			return err
		}
		return t.deplete(r, append(here, last.Outcome.Filed.Numbers()...))
	case slices.ContainsFunc(d.steps, func(step seedlist.Step) bool { return step.End == seedlist.Unarchived }):
		return t.deplete(r, nil) // no archive any more, if it was one
	}
	return nil
}

// errSwept says that files which the work has written are being removed at this moment, since nothing
// named them. The seed was given back.
var errSwept = errors.New("the files of this work are being removed: it is done again")

// findClean finds the clean seed that an outcome names; nil if it is not there yet.
func (t *tx) findClean(o *seedlist.Outcome) (*record, error) {
	if o.Clean == nil {
		return nil, nil
	}
	content := &o.Clean.Content
	clean, err := t.byHash(content.MD5)
	if clean == nil || err != nil {
		return nil, err
	}
	stored, err := clean.stored()
	if err != nil {
		return nil, err
	}
	is := stored.Content
	if !clean.clean || is == nil || is.SHA256 != content.SHA256 || is.NumberOfBytes != content.NumberOfBytes {
		return nil, seedlist.ErrCollision
	}
	return clean, nil
}

// move brings a seed to the state that its outcomes lead to.
func (t *tx) move(r *record, d *completion) {
	last := &d.steps[len(d.steps)-1]
	o, end := last.Outcome, last.End
	stage, tries, crashes := seedlist.State(""), 0, r.crashes
	if !end.IsReady() {
		crashes = 0
	}
	switch {
	case o.Unchanged:
		stage = r.stage
		t.counts[countUnchanged]++
	case end == seedlist.Failed:
		stage, tries = last.Claim.Stage, 1
		if len(d.steps) == 1 {
			tries = r.tries + 1
		}
		if o.Again > 0 && r.crashes > 1 {
			crashes = r.crashes - 1 // one more death blames it again
		}
	}
	r.put(d.data)
	r.fence, r.state, r.stage, r.tries, r.crashes, r.due = last.Claim.Fence, end, stage, tries, crashes, 0
	switch {
	case end.IsReady():
		r.makeReady(end, d.now)
	case r.fetchable, end == seedlist.Failed && o.Again > 0:
		r.due = nanoseconds(o.DueAgain(d.now, d.record.Interval, r.failures))
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
		t.countWashed(&d.record.Record)
	}
}

// addNamed makes a seed of a document that data names.
func (t *tx) addNamed(u seedlist.URI, seed seedlist.NewSeed) error {
	is, err := t.byHash(u.Hash())
	if is != nil || err != nil {
		return err
	}
	if made, err := t.newRecords(u, seed); err == nil {
		_, err = t.create(made)
		return err
	}
	return nil
}

// unlinkOld ends the links with clean seeds that a record no longer names. One goes with
// the last that names it.
func (t *tx) unlinkOld(r *record, old []string, is *seedlist.Stored) error {
	var names []string
	if is != nil {
		names = is.Cleans()
	}
	for _, hash := range old {
		if slices.Contains(names, hash) {
			continue
		}
		clean, err := t.byHash(hash)
		if err != nil {
			return err
		}
		if clean == nil {
			continue
		}
		if err := t.save(); err != nil { // links too
			return err
		}
		deleted, err := t.sql.Exec(t.ctx, "DELETE FROM links WHERE clean = $1 AND dirty = $2", int64(clean.number), int64(r.number))
		if err != nil || deleted.RowsAffected() == 0 {
			if err != nil {
				return err
			}
			continue
		}
		clean.linked = true
		isNamed, err := t.is("SELECT EXISTS (SELECT FROM links WHERE clean = $1)", int64(clean.number))
		if err != nil {
			return err
		}
		if !isNamed {
			if err := t.erase(clean); err != nil {
				return err
			}
		}
	}
	return nil
}
