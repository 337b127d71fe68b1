package daemon

import (
	"context"
	"errors"
	"slices"
	"time"

	"laundromat/internal/files"
	"laundromat/seedlist"
	"laundromat/states"
)

// mostChained is the longest document, in bytes as it came, that is taken on through the stages
// behind its download, or behind the depletion of its archive, at once. What waiting for the disk
// after each of them costs is the same for any document; of a longer one it is a small part, and
// its bytes are not kept in memory.
const mostChained = 64 << 10

// errOwnClaim says that a stage wants a claim of its own on the seed: that of an archive
// writes before it ends, and may take long.
var errOwnClaim = errors.New("this is not done on the way")

// link is one stage of a seed that went through several under one claim.
type link struct {
	claim   seedlist.Claim
	done    result
	err     error
	verdict verdict
	runtime time.Duration
}

// chain goes on with a seed that was downloaded, or is no archive, through the stages behind, until one
// ends it, or has to be done again; then the seed is left before that one. What it
// returns holds the work of all: the result of the whole, and its links.
func (r *Runner) chain(stopping, working context.Context, claim seedlist.Claim, first result, runtime time.Duration) (result, []link) {
	links := append(make([]link, 0, len(r.stages)), link{claim: claim, done: first, runtime: runtime})
	r.seeds.Rest(claim, first.load)
	if first.body != nil {
		r.fresh.keep(claim.Seed.Hash, first.body)
		defer r.fresh.forget(claim.Seed.Hash)
	}
	for {
		last := &links[len(links)-1]
		if last.verdict != succeeded || !last.done.next.IsReady() || stopping.Err() != nil || working.Err() != nil {
			break
		}
		next, err := r.seeds.Foresee(last.claim, r.outcome(last.claim, last.done, nil, succeeded, seedlist.Attempt{}))
		if err != nil {
			r.log.Error().Err(err).Str("seed", claim.Seed.Hash).Msg("could not go on with a seed at once")
			break
		}
		l, start := link{claim: next}, time.Now()
		l.err = states.Safely(func() (err error) {
			l.done, err = r.stages[next.Stage](working, next)
			return err
		})
		if errors.Is(l.err, errOwnClaim) {
			break
		}
		l.runtime = time.Since(start)
		l.verdict, _ = settle(l.err, 0, stopping.Err() != nil, r.opt.Retries)
		if l.err != nil {
			abort(l.done.files)
			l.done.files = nil
		}
		if l.verdict != succeeded && l.verdict != failed {
			abort(l.done.listedFiles())
			break // it is claimed by itself, and settled there
		}
		if l.verdict == failed {
			l.done.sourceText = r.sourceText(next, l.done)
		}
		links = append(links, l)
	}
	for i := range links {
		links[i].done.body = nil // they may wait long for the disk
	}
	return joined(links), links
}

// joined is the result of a whole chain.
func joined(links []link) result {
	done := links[len(links)-1].done
	done.files, done.discard = nil, nil
	for _, l := range links {
		done.files = append(done.files, l.done.files...)
		done.files = append(done.files, l.done.listedFiles()...)
		done.discard = append(done.discard, l.done.discard...)
	}
	done.listed = nil
	if links[0].claim.Fence == 1 {
		done.discard = nil // nobody has worked on the seed before: there is nothing to be removed
	}
	// What one stage has removed, a later one may have written anew.
	done.discard = slices.DeleteFunc(done.discard, func(old discarded) bool {
		return slices.ContainsFunc(done.files, func(p *files.Pending) bool { return p.Hash() == old.hash && p.Suffix() == old.suffix })
	})
	return done
}

// completeChain writes down the links of a chain.
func (r *Runner) completeChain(working context.Context, links []link) error {
	ctx := context.WithoutCancel(working)
	outcomes := make([]seedlist.Outcome, len(links))
	for i, l := range links {
		outcomes[i] = r.outcome(l.claim, l.done, l.err, l.verdict, r.attempt(ctx, l.claim, l.done, l.err, l.runtime))
	}
	return r.seeds.CompleteAll(ctx, links[0].claim, outcomes)
}
