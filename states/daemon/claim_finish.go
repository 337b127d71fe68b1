package daemon

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/rs/zerolog"

	"laundromat/internal/fault"
	"laundromat/internal/files"
	"laundromat/seedlist"
	"laundromat/seedlist/seedfile"
)

// finishing is what is left to do of a claim when its work is done. Its files are put on the disk,
// and then what became of it is written down.
type finishing struct {
	*handled
	runner    *Runner
	stopping  context.Context
	brake     *brake
	log       zerolog.Logger
	completed error // how writing it down ended
	// doubtful are files that the record may not name any more once it is written. With products, only it knows.
	doubtful []discarded
}

// finish finishes a claim, step by step.
func (r *Runner) finish(stopping context.Context, h *handled, brake *brake) {
	f := &finishing{handled: h, runner: r, stopping: stopping, brake: brake, log: r.logOf(h.claim)}
	defer h.cut(nil)
	defer r.atWork.Delete(held{h.claim.Seed.Hash, h.claim.Fence})
	defer h.done.end()
	r.naming.RLock()
	defer r.naming.RUnlock()

	f.commitFiles()
	f.decide()
	f.commitNotices()
	f.abortFiles()
	f.excerptSource()
	f.pause()
	f.chooseDiscarded()
	f.chooseDoubtful()
	defer r.clear(slices.Concat(f.files.discard, f.doubtful))()
	f.writeDown()
	f.measure()
	f.countChain()
	if f.isWritten() {
		f.removeDiscarded()
		f.removeDoubtful()
		f.logEnd()
		f.noteHost()
		f.report()
	}
}

// commitFiles puts the files of work that succeeded on the disk.
func (f *finishing) commitFiles() {
	if f.err == nil {
		f.err = f.store(f.working, f.files.all())
	}
	if cause := context.Cause(f.working); f.err != nil && cause != nil && !errors.Is(cause, context.Canceled) {
		f.err = cause // the lease ran out: that, and not the cut, is why it ended
	}
}

// decide says what becomes of the claim.
func (f *finishing) decide() {
	f.verdict, f.due = settle(f.err, f.claim.Try-1, f.stopping.Err() != nil, f.runner.opt.retries())
}

// commitNotices puts the list of notices on the disk: it goes with the record of a failure, too.
func (f *finishing) commitNotices() {
	if f.verdict != failed {
		return
	}
	if err := f.store(context.WithoutCancel(f.working), f.files.lists()); err != nil {
		f.err = err
		f.decide()
	}
}

// abortFiles gives up the files of work that failed; those that are on the disk already stay.
func (f *finishing) abortFiles() {
	if f.err != nil {
		f.files.abort()
	}
}

// excerptSource keeps the beginning of what came back, for the log of a failure.
func (f *finishing) excerptSource() {
	if f.verdict == failed || f.verdict == retried {
		f.done.common().log.SourceText = f.runner.sourceText(f.claim, f.done)
	}
}

// pause pulls the brake before a claim is given back for this machine's trouble, so that it is not
// claimed at once again.
func (f *finishing) pause() {
	if f.verdict == paused {
		f.brake.pull(f.err)
	}
}

// chooseDiscarded says which files are removed: none of a claim that is given back.
func (f *finishing) chooseDiscarded() {
	switch {
	case f.verdict != succeeded && f.verdict != failed:
		f.files.discard = nil
	case f.verdict == succeeded && f.done.common().next == seedlist.Depleted && f.claim.Seed.Changes != nil:
		for _, suffix := range changeSuffixes { // an archive has no lines that could change
			f.files.discard = append(f.files.discard, f.runner.old(&f.claim.Seed, suffix))
		}
	}
	if f.verdict == succeeded || f.verdict == failed {
		for _, old := range f.runner.replaced(&f.claim.Seed, f.files.named(f.verdict)) {
			if !slices.Contains(f.files.discard, old) {
				f.files.discard = append(f.files.discard, old)
			}
		}
		f.files.discard = f.withoutGood(f.files.discard)
	}
}

// withoutGood takes the files of the last good wash off those that are removed. It adds them where a new one takes
// its place.
func (f *finishing) withoutGood(discard []discarded) []discarded {
	seed, ended, last := &f.claim.Seed, f.verdict, f.done
	if n := len(f.links); n > 0 {
		ended, last = f.links[n-1].verdict, f.links[n-1].done
	}
	if ended != succeeded || last.common().next != seedlist.Parsed || f.hasProducts() {
		return spare(seed, discard)
	}
	now := []discarded{f.runner.old(seed, seedfile.DirtyForm(seed))} // what the record goes on to name
	for _, p := range f.files.all() {
		if p.Suffix() == files.Dirty {
			now = nil
		}
	}
	for _, p := range f.files.all() {
		now = append(now, discarded{p.Hash(), p.Suffix()})
	}
	for _, old := range goodFiles(seed) {
		if !slices.Contains(now, old) && !slices.Contains(discard, old) {
			discard = append(discard, old)
		}
	}
	return discard
}

// hasProducts says that the seed has files of products other than statements, or had some.
func (f *finishing) hasProducts() bool {
	return hasProductFiles(&f.claim.Seed) || slices.ContainsFunc(f.files.all(), func(p files.Pending) bool {
		return isProductFile(p.Suffix())
	})
}

// chooseDoubtful says which files the record is asked for when it is written: those that it named, and those that were
// made. Clean files are others' too, and are not among them.
func (f *finishing) chooseDoubtful() {
	if f.verdict != succeeded && f.verdict != failed {
		return
	}
	f.doubtful = leftOfCrashes(&f.claim)
	// Nobody has worked on the seed before, and all that was made is named.
	isFirst := len(f.links) > 0 && f.links[0].claim.Fence == 1 && f.verdict == succeeded
	if isFirst || !f.hasProducts() {
		return
	}
	// The notices of a reading are there until the next has its own, though its record was forgotten.
	f.doubtful = append(f.doubtful, f.runner.old(&f.claim.Seed, files.Notices))
	for n := range seedfile.All(&f.claim.Seed) {
		f.doubtful = append(f.doubtful, discarded{n.Key, n.Suffix})
	}
	for _, p := range f.files.named(f.verdict) {
		f.doubtful = append(f.doubtful, discarded{p.Hash(), p.Suffix()})
	}
	f.doubtful = slices.DeleteFunc(f.doubtful, func(old discarded) bool {
		return old.Suffix == files.Clean || old.Suffix == files.Index || old.Suffix == files.Statistics ||
			files.HashOf(old.Key) != f.claim.Seed.Hash ||
			slices.Contains(f.files.discard, old)
	})
}

// removeDoubtful removes those of the doubtful files that the record does not name any more.
func (f *finishing) removeDoubtful() {
	if len(f.doubtful) == 0 {
		return
	}
	now, err := f.runner.seeds.Record(context.WithoutCancel(f.working), f.claim.Seed.Hash)
	if err != nil { // gc removes what is left
		f.log.Warn().Err(err).Msg("old files of products may be left")
		return
	}
	f.runner.remove(f.log, slices.DeleteFunc(f.doubtful, func(old discarded) bool {
		return seedfile.IsNamed(&now, old.Key, old.Suffix)
	}))
}

// writeDown writes down what became of the claim, and again where this machine could not.
func (f *finishing) writeDown() {
	for f.completed = f.complete(); fault.KindOf(f.completed) == fault.Local && f.stopping.Err() == nil; f.completed = f.complete() {
		f.log.Debug().Err(f.completed).Msg("could not be written down")
		f.brake.pull(f.completed)
		f.brake.await(f.stopping)
	}
}

// complete writes down what became of the claim. The write is not cut by a stop: it
// is short, and what was done would be lost.
func (f *finishing) complete() error {
	r, ctx := f.runner, context.WithoutCancel(f.working)
	if f.verdict == succeeded && len(f.links) > 0 {
		return r.completeChain(ctx, f.links)
	}
	f.runtime = time.Since(f.start)
	attempt := r.attempt(ctx, &f.stageResult)
	load := f.done.common().load
	switch f.verdict {
	case succeeded, failed:
		var o seedlist.Outcome
		r.outcome(&o, &f.stageResult, attempt)
		return r.seeds.Complete(ctx, f.claim, o)
	case retried:
		return r.seeds.GiveBack(ctx, f.claim, seedlist.Return{
			CountTry: true, Due: time.Now().Add(f.due), Error: recordError(f.claim, f.err), Attempt: attempt, Load: load,
		})
	default:
		back := seedlist.Return{Attempt: attempt, Load: load}
		if f.due > 0 {
			back.Due = time.Now().Add(f.due)
		}
		if fault.CodeOf(f.err) == fault.TransportHostResting && f.due >= r.opt.retries().First {
			back.Error = recordError(f.claim, f.err) // so long a wait needs its reason in the record
		}
		return r.seeds.GiveBack(ctx, f.claim, back)
	}
}

// countChain counts the stages of a chain but the last, and lets the log say how the last ended.
func (f *finishing) countChain() {
	n := len(f.links)
	if f.verdict != succeeded || n == 0 {
		return
	}
	last := f.links[n-1]
	f.verdict, f.err = last.verdict, last.err
	f.log = f.runner.logOf(last.claim)
	f.runner.done.Add(int64(n - 1))
}

// isWritten says that what became of the claim is written down. If not, it logs why.
func (f *finishing) isWritten() bool {
	switch {
	case errors.Is(f.completed, seedlist.ErrLost):
		f.log.Warn().Msg("the claim was no longer held; the work is thrown away")
		f.runner.disown(f.working, f.files.all())
	case f.completed != nil:
		f.log.Error().Err(f.completed).Msg("could not be written down; it is done again at the next start")
	}
	return f.completed == nil
}

// removeDiscarded removes the files that no record names any more.
func (f *finishing) removeDiscarded() { f.runner.remove(f.log, f.files.discard) }

// logEnd logs how the claim ended, and counts it.
func (f *finishing) logEnd() {
	f.runner.done.Add(1)
	event := f.log.WithLevel(f.endLevel())
	if !event.Enabled() {
		return
	}
	work := f.done.common()
	if f.err != nil {
		event = event.Str("code", string(codeOf(f.err))).Str("kind", fault.KindOf(f.err).String()).Str("error",
			seedlist.ShownIn(f.err.Error()))
	} else {
		event = event.Str("next", string(work.next))
		if len(work.log.Counts) > 0 {
			event = event.Interface("counts", work.log.Counts)
		}
	}
	event.Str("uri", seedlist.Shown(f.runner.place(context.WithoutCancel(f.working), f.claim.Seed))).
		Dur("runtime", time.Since(f.start)).Msg(f.endName())
}

// endLevel is how much what became of the claim concerns an operator.
func (f *finishing) endLevel() zerolog.Level {
	switch {
	case f.verdict == failed && fault.CodeOf(f.err) == fault.BugProcessDied:
		return zerolog.ErrorLevel
	case f.verdict == failed && fault.KindOf(f.err) == fault.Bug:
		return zerolog.ErrorLevel
	case f.verdict == failed, f.verdict == retried:
		return zerolog.InfoLevel // the other side's trouble, or the data's: no work for an operator
	case f.verdict == succeeded && f.runner.opt.LogEvents && f.done.common().next.IsEnd():
		return zerolog.InfoLevel
	}
	return zerolog.DebugLevel
}

var verdictNames = [...]string{succeeded: "done", failed: "failed", retried: "to be tried again", givenBack: "given back",
	paused: "given back: trouble on this machine"}

// endName is what became of the claim, in the words of the log.
func (f *finishing) endName() string {
	if d, ok := f.done.(*downloadOutcome); ok && f.verdict == succeeded && d.unchanged {
		return "unchanged"
	}
	if f.verdict == succeeded {
		switch f.done.common().next {
		case seedlist.Parsed:
			return "washed"
		case seedlist.Depleted:
			return "unpacked"
		}
	}
	return verdictNames[f.verdict]
}

// logOf is the log of the work on a claim.
func (r *Runner) logOf(claim seedlist.Claim) zerolog.Logger {
	return r.log.With().Str("seed", claim.Seed.Hash).Str("stage", string(claim.Stage)).Uint64("fence", claim.Fence).Logger()
}

// commit puts the files of a claim on the disk, if it is still held: another claim
// of the seed may have written them otherwise.
func (r *Runner) commit(ctx context.Context, claim seedlist.Claim, pending []files.Pending) error {
	if len(pending) == 0 {
		return nil
	}
	if holds, err := r.seeds.Holds(ctx, claim); err != nil || !holds {
		return errors.Join(err, seedlist.ErrLost)
	}
	return r.files.Commit(ctx, pending...)
}

// disown has the files removed that were committed for a claim that was lost.
func (r *Runner) disown(working context.Context, made []files.Pending) {
	var hashes []string
	for _, p := range made {
		hashes = append(hashes, files.HashOf(p.Hash()))
	}
	if err := r.seeds.Disown(context.WithoutCancel(working), hashes...); err != nil {
		r.log.Warn().Err(err).Msg("files of a removed seed may be left")
	}
}

// remove removes files that no record names any more. One that can't be removed is logged.
func (r *Runner) remove(log zerolog.Logger, discard []discarded) {
	for _, old := range discard {
		if err := r.files.Remove(old.Key, old.Suffix); err != nil {
			log.Warn().Err(err).Msg("an old file could not be removed")
		}
	}
}

// clear announces that files will be removed; what it returns ends that.
func (r *Runner) clear(discard []discarded) func() {
	if len(discard) == 0 {
		return func() {}
	}
	cleared := make(chan struct{})
	for _, old := range discard {
		r.clearing.Store(files.HashOf(old.Key), cleared)
	}
	return func() {
		for _, old := range discard {
			r.clearing.CompareAndDelete(files.HashOf(old.Key), cleared)
		}
		close(cleared)
	}
}

// outcome puts what became of a claim that succeeded or failed into the words of the list, as o.
func (r *Runner) outcome(o *seedlist.Outcome, s *stageResult, attempt seedlist.Attempt) {
	w := s.done.common()
	hash, made := s.claim.Seed.Hash, w.files.named(s.verdict)
	seed := &s.claim.Seed
	if s.verdict == succeeded {
		*o = seedlist.Outcome{Next: w.next, Attempt: attempt, Load: w.load, Update: func(record *seedlist.Record) {
			if w.update != nil {
				w.update(record)
			}
			noteFiles(record, hash, made)
		}}
		s.done.succeed(o)
		if o.Unchanged && s.claim.Last == seedlist.Failed { // what it failed with is there still
			o.Again = seed.Decide("", seedlist.Try{Error: seed.Error}, time.Now()).Again
		}
		return
	}
	failure := recordError(s.claim, s.err)
	decided := seed.Decide("", seedlist.Try{Error: failure, Reply: w.reply}, time.Now())
	*o = seedlist.Outcome{
		Next: seedlist.Failed, Attempt: attempt, Load: w.load, Again: again(s.err, decided),
		Update: func(record *seedlist.Record) {
			if w.update != nil {
				w.update(record)
			}
			noteFiles(record, hash, made)
			record.Error = failure
			record.Washer = r.opt.Version
		},
	}
	s.done.fail(o)
}
