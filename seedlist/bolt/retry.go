package bolt

import (
	"context"
	"fmt"

	"laundromat/seedlist"
)

// Retry lets seeds that rest be worked on again, and answers for each hash. With
// from "" they begin again: a seed with a URI is added, a child that failed is put
// before the stage that failed. With from a ready state, only seeds that failed
// in its stage are put there; what the stages before it found is kept.
func (s *Store) Retry(ctx context.Context, from seedlist.State, hashes ...string) ([]error, error) {
	if from != "" && !from.IsReady() {
		return nil, fmt.Errorf("retry: %q is no ready state", from)
	}
	return s.each(ctx, hashes, func(b *batch, id uint64) error { return b.retry(id, from) })
}

func (b *batch) retry(id uint64, from seedlist.State) error {
	was, ok := b.hot(id)
	if ok && was.is(isFragment) {
		id = b.documentOf(id, &was)
		was, ok = b.hot(id)
	}
	switch {
	case !ok:
		return seedlist.ErrNotFound
	case was.is(isClean):
		return seedlist.ErrNoURI
	case was.is(isRelative):
		return seedlist.ErrNoURI
	case !was.state.IsEnd() || !was.atRest() || !b.archivesRest(&was):
		return seedlist.ErrNotAtRest
	}
	to, by := seedlist.Added, seedlist.ByInterval
	if from != "" || !was.is(isFetchable) {
		to, by = was.stage.Ready(), seedlist.ByRetry
	}
	switch {
	case !by.Allows(was.state, to):
		if from == "" {
			return seedlist.ErrNoURI
		}
		return seedlist.ErrNotFailed
	case from != "" && to != from:
		return seedlist.ErrNotFailed
	}
	is := was
	is.restart(to, b.now.UnixNano(), b.now.UnixNano())
	b.save(id, &was, &is)
	return nil
}

// archivesRest says that all archives above a seed rest. Were one at work, it
// might replace the seed's bytes.
func (b *batch) archivesRest(h *hot) bool {
	for h.parent != 0 {
		parent, ok := b.hot(h.parent)
		if !ok {
			return true
		}
		if !parent.state.IsFinal() {
			return false
		}
		h = &parent
	}
	return true
}
