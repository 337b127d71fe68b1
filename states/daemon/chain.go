package daemon

import (
	"context"
	"errors"
	"slices"

	"laundromat/internal/files"
	"laundromat/seedlist"
)

// mostChained is the longest document that goes on at once through the stages after its download,
// or after the depletion of its archive. It is in bytes, as the document came. What waiting for
// the disk after each of them costs is the same for any document. Of a longer one it is a small
// part, and its bytes are not kept in memory.
const mostChained = 64 << 10

// errOwnClaim says that a stage wants a claim of its own on the seed. The work on an archive writes
// before it ends, and may take long.
var errOwnClaim = errors.New("this is not done on the way")

// chain goes on with a seed that was downloaded, or is no archive, through the stages after. One
// that fails ends it. Before one that has to be done again the seed is left. The claim then holds
// the work of all stages: the last one's outcome, the files of all, and the links.
func (r *Runner) chain(stopping context.Context, h *handled) {
	seed := h.claim.Seed.Hash
	h.links = append(make([]stageResult, 0, len(r.stages)), h.stageResult)
	if err := r.seeds.Rest(context.WithoutCancel(h.working), h.claim, h.done.common().load); err != nil {
		r.log.Warn().Err(err).Str("seed", seed).Msg("its host can't be asked by others before its work has ended")
	}
	if body := bodyOf(h.done); body != nil {
		r.fresh.keep(seed, body)
		defer r.fresh.forget(seed)
	}
	var o seedlist.Outcome
	for {
		last := &h.links[len(h.links)-1]
		if last.verdict != succeeded || !last.done.common().next.IsReady() || stopping.Err() != nil || h.working.Err() != nil {
			break
		}
		r.outcome(&o, last, seedlist.Attempt{})
		next, err := r.seeds.Foresee(last.claim, o)
		if errors.Is(err, seedlist.ErrHeld) {
			break
		}
		if err != nil {
			r.log.Error().Err(err).Str("seed", seed).Msg("could not go on with a seed at once")
			break
		}
		link, goesOn := r.goOn(stopping, h.working, next)
		if !goesOn {
			break // it is claimed by itself, and settled there
		}
		h.links = append(h.links, link)
	}
	for _, l := range h.links {
		if d, ok := l.done.(*downloadOutcome); ok {
			d.body = nil // they may wait long for the disk
		}
	}
	h.done = h.links[len(h.links)-1].done
	h.files = filesOf(h.links)
}

// goOn has the next stage of a chain do its work. It is false if that needs a claim of its own:
// to be tried again, or for an archive.
func (r *Runner) goOn(stopping, working context.Context, next seedlist.Claim) (stageResult, bool) {
	l := stageResult{claim: next}
	l.do(working, r.stages[next.Stage])
	if errors.Is(l.err, errOwnClaim) {
		return l, false
	}
	l.verdict, _ = settle(l.err, 0, stopping.Err() != nil, r.opt.retries())
	w := l.done.common()
	if l.err != nil {
		abort(w.files.made)
		w.files.made = nil
	}
	switch l.verdict {
	case succeeded:
		return l, true
	case failed:
		w.log.SourceText = r.sourceText(next, l.done)
		return l, true
	}
	abort(w.files.lists())
	return l, false
}

// filesOf are the files of a whole chain. The lists of notices are made durable with the others:
// the record of a stage in it that failed names its own.
func filesOf(links []stageResult) (all changedFiles) {
	for _, l := range links {
		of := &l.done.common().files
		all.made = append(all.made, of.all()...)
		all.discard = append(all.discard, of.discard...)
	}
	if links[0].claim.Fence == 1 {
		all.discard = nil // nobody has worked on the seed before: there is nothing to be removed
	}
	// What one stage has removed, a later one may have written again.
	all.discard = slices.DeleteFunc(all.discard, func(old discarded) bool {
		return slices.ContainsFunc(all.made, func(p files.Pending) bool { return p.Hash() == old.Key && p.Suffix() == old.Suffix })
	})
	return all
}

// completeChain writes down the links of a chain.
func (r *Runner) completeChain(ctx context.Context, links []stageResult) error {
	outcomes := make([]seedlist.Outcome, len(links))
	for i := range links {
		r.outcome(&outcomes[i], &links[i], r.attempt(ctx, &links[i]))
	}
	return r.seeds.CompleteAll(ctx, links[0].claim, outcomes)
}
