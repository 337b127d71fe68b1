package bolt

import (
	"context"

	"laundromat/seedlist"
)

// Retry lets seeds that rest be worked on again, and answers for each hash. With
// from "" they begin again: a seed with a URI is added, a child that failed is put
// before the stage that failed. With from a ready state, only seeds that failed
// in its stage are put there; what the stages before it found is kept.
func (s *Store) Retry(ctx context.Context, from seedlist.State, hashes ...string) (errs []error, err error) {
	answers, err := s.WashAgain(ctx, seedlist.Again{To: from}, hashes...)
	for _, a := range answers {
		errs = append(errs, a.Err)
	}
	return errs, err
}

// planRetry is the state to which a retry moves a seed.
func (t *tables) planRetry(was *hot, from seedlist.State) (to seedlist.State, err error) {
	switch {
	case was.is(isClean):
		return "", seedlist.ErrNoURI
	case was.is(isRelative):
		return "", seedlist.ErrNoURI
	case !was.state.IsEnd() || !was.atRest() || !t.archivesRest(was):
		return "", seedlist.ErrNotAtRest
	}
	to, by := seedlist.Added, seedlist.ByInterval
	if from != "" || !was.is(isFetchable) {
		to, by = was.stage.Ready(), seedlist.ByRetry
	}
	switch {
	case !by.Allows(was.state, to):
		if from == "" {
			return "", seedlist.ErrNoURI
		}
		return "", seedlist.ErrNotFailed
	case from != "" && to != from:
		return "", seedlist.ErrNotFailed
	}
	return to, nil
}

// archivesRest says that all archives above a seed rest. Were one at work, it
// might replace the seed's bytes.
func (t *tables) archivesRest(h *hot) bool {
	for h.parent != 0 {
		parent, ok := t.hot(h.parent)
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
