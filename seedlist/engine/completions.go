package engine

import (
	"context"
	"slices"
	"strings"
	"time"

	"laundromat/seedlist"
)

// Complete writes the outcome of a claim.
func (l *Moves) Complete(ctx context.Context, c seedlist.Claim, o seedlist.Outcome) error {
	return l.CompleteAll(ctx, c, []seedlist.Outcome{o})
}

// completion is what is to be written, made before the transaction.
type completion struct {
	claim    *seedlist.Claim
	steps    []seedlist.Step
	revision int64
	record   seedlist.Stored
	data     []byte   // the record, encoded
	before   *sums    // what the record counted for
	is       *sums    // what it counts for
	cleans   []string // the clean seeds that it named before
	made     []byte   // the clean seed that is to be made, encoded
	children []seedlist.Entry
	named    []seedlist.URI
	seeds    []seedlist.NewSeed // beside named
	now      time.Time
}

// CompleteAll writes the outcomes of a claim and of the stages that follow.
func (l *Moves) CompleteAll(ctx context.Context, c seedlist.Claim, outcomes []seedlist.Outcome) error {
	steps, err := seedlist.Steps(&c, outcomes)
	if err != nil {
		return err
	}
	data, stored, revision := l.leases.document(&c)
	for {
		if data == nil {
			if data, revision, err = l.recordOf(ctx, &c); err != nil {
				if err == seedlist.ErrLost {
					l.endLost(ctx, &c)
				}
				return err
			}
		}
		done := &completion{claim: &c, steps: steps, revision: revision, now: l.store.Now()}
		if stored != nil {
			done.record = *stored
		} else if done.record, err = seedlist.DecodeStored(data); err != nil {
			return err
		}
		if err = done.prepare(&l.options); err != nil {
			return err
		}
		data, stored = nil, nil // it is read again if it has changed
		var swept bool
		err = l.end(ctx, &c, &Op{Wants: done.wants(), Run: func(s *Session) (err error) {
			swept, err = s.complete(done)
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

// recordOf is the document of a claim, with its revision.
func (l *Moves) recordOf(ctx context.Context, c *seedlist.Claim) (data []byte, revision int64, err error) {
	if l.options.ReadOnly {
		return nil, 0, seedlist.ErrReadOnly
	}
	err = l.read(ctx, func(s *Session) error {
		r := s.held(c)
		if r == nil {
			return seedlist.ErrLost
		}
		if s.documents([]*Seed{r}); r.Damage != nil {
			return r.Damage
		}
		data, revision = r.Data, r.Revision
		return nil
	})
	return data, revision, err
}

// prepare makes all that can be made before the transaction.
func (d *completion) prepare(options *seedlist.Options) (err error) {
	last := d.steps[len(d.steps)-1].Outcome
	d.cleans = d.record.Cleans()
	d.before = sumsOf(&d.record, false)
	for i := range d.steps {
		step := &d.steps[i]
		step.Outcome.Change(step.Claim, step.End, d.now, options)(&d.record.Record)
	}
	if d.data, err = d.record.Encode(); err != nil {
		return err
	}
	d.is = sumsOf(&d.record, false)
	for i := range d.steps {
		step := &d.steps[i]
		step.Attempt, err = step.Outcome.Attempt.Encode(step.Claim, d.record.Place(), step.Outcome.Result(), d.now)
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

// wants are the seeds and files that it will ask for.
func (d *completion) wants() Wants {
	w := Wants{Hashes: d.hashes()}
	if o := d.steps[len(d.steps)-1].Outcome; o.Clean != nil {
		w.Clean = o.Clean.Content.MD5
	}
	return w
}

// complete writes what was prepared. It refuses before it changes anything. swept says that files which the work has
// written are being removed at this moment, since nothing named them, or that a recipe has no room any more for pages
// that the work chose: the seed was given back, to be done again.
func (s *Session) complete(d *completion) (swept bool, err error) {
	r := s.held(d.claim)
	switch {
	case r == nil:
		return false, seedlist.ErrLost
	case r.Revision != d.revision:
		return false, errRevised
	}
	hash := hashOf(r, d.claim)
	last := &d.steps[len(d.steps)-1]
	clean, err := s.findClean(last.Outcome)
	if err != nil {
		return false, err
	}
	isTaken := len(s.taken) > 0 && slices.ContainsFunc(d.hashes(), func(hash string) bool { return s.taken[hash] })
	if isTaken || (recipeSession{s}).isOver(d) {
		s.giveBack(r, d.claim, seedlist.Return{})
		return true, nil
	}
	s.move(r, d)
	for i := range d.steps {
		s.log(hash, d.steps[i].Attempt)
	}
	s.endLease(r, d.steps[0].Outcome.Load)
	for i, u := range d.named {
		s.addNamed(u, d.seeds[i])
	}
	if last.Outcome.Clean != nil && d.record.Clean != "" {
		if clean == nil {
			clean = &Seed{Hash: d.record.Clean, Data: d.made, Hot: Hot{State: seedlist.Cleaned, Clean: true}}
			s.insert(clean)
		}
		s.link(clean, r)
	}
	s.unlinkOld(r, d.cleans, &d.record)
	switch {
	case last.End == seedlist.Depleted && !last.Outcome.Unchanged:
		s.touch(r)
		r.IsArchive = true
		s.deplete(r, append(s.file(r, d.children), last.Outcome.Filed.Numbers()...))
	case slices.ContainsFunc(d.steps, func(step seedlist.Step) bool { return step.End == seedlist.Unarchived }):
		s.deplete(r, nil) // no archive any more, if it was one
	}
	return false, nil
}

// findClean finds the clean seed that an outcome names; nil if it is not there yet.
func (s *Session) findClean(o *seedlist.Outcome) (*Seed, error) {
	if o.Clean == nil {
		return nil, nil
	}
	content := &o.Clean.Content
	clean := s.byHash(content.MD5)
	if clean == nil {
		return nil, nil
	}
	stored := s.document(clean)
	is := stored.Content
	if !clean.Clean || is == nil || is.SHA256 != content.SHA256 || is.NumberOfBytes != content.NumberOfBytes {
		return nil, seedlist.ErrCollision
	}
	return clean, nil
}

// move brings a seed to the state that its outcomes lead to.
func (s *Session) move(r *Seed, d *completion) {
	last := &d.steps[len(d.steps)-1]
	o, end := last.Outcome, last.End
	stage, tries, crashes := seedlist.State(""), 0, r.Crashes
	if !end.IsReady() {
		crashes = 0
	}
	switch {
	case o.Unchanged:
		stage = r.Stage
		s.counts[counted{name: CountUnchanged}]++
	case end == seedlist.Failed:
		stage, tries = last.Claim.Stage, 1
		if len(d.steps) == 1 {
			tries = r.Tries + 1
		}
		if o.Again > 0 && r.Crashes > 1 {
			crashes = r.Crashes - 1 // one more death blames it again
		}
	}
	if r.sums == nil {
		r.sums = d.before
	}
	s.put(r, d.data, d.is)
	r.Fence, r.State, r.Stage, r.Tries, r.Crashes, r.Due = last.Claim.Fence, end, stage, tries, crashes, 0
	switch {
	case end.IsReady():
		r.Due = Nanoseconds(d.now)
	case r.Fetchable, end == seedlist.Failed && o.Again > 0:
		r.Due = Nanoseconds(o.DueAgain(d.now, d.record.Interval, r.Failures))
	}
	switch {
	case end == seedlist.Failed && o.Again > 0:
		r.Failures = min(r.Failures+1, mostFailures)
	case end.IsEnd():
		r.Failures = 0
	}
	if end.IsEnd() {
		r.Last = end
	}
	if end == seedlist.Parsed && !o.Unchanged {
		var w seedlist.Washed
		w.Count(&d.record.Record)
		s.washed = append(s.washed, w)
	}
	s.stirs(r)
}

// mostFailures are those in a row that are counted: more change no due time.
const mostFailures = 255

// addNamed makes a seed of a document that data names.
func (s *Session) addNamed(u seedlist.URI, seed seedlist.NewSeed) {
	if s.byHash(u.Hash()) != nil {
		return
	}
	if seed.Page != nil {
		s.pages.made[strings.TrimPrefix(seed.Source, seedlist.RecipeSource)]++
	}
	if made, err := s.newSeeds(u, seed); err == nil {
		s.createAll([]seedlist.Addition{{}}, [][]*Seed{made})
	}
}
