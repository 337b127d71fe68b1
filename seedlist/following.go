package seedlist

import (
	"context"
	"errors"
	"slices"
	"time"
)

// Follow takes one step of a follower after the other, until ctx ends or the list is closed. After trouble it waits for
// as long as again says. The first trouble of several in a row is told.
func Follow(ctx context.Context, again time.Duration, step func(context.Context) error, tell func(error)) {
	for isTold := false; ctx.Err() == nil; {
		err := step(ctx)
		if errors.Is(err, ErrClosed) {
			return
		}
		if err == nil || ctx.Err() != nil {
			isTold = false
			continue
		}
		if !isTold {
			tell(err)
		}
		isTold = true
		Rest(ctx, again)
	}
}

// Rest waits for a while, or until ctx ends.
func Rest(ctx context.Context, length time.Duration) {
	over := time.NewTimer(length)
	defer over.Stop()
	select {
	case <-over.C:
	case <-ctx.Done():
	}
}

// ChangedSeeds are the numbers of the seeds that changed, in order, each once.
func ChangedSeeds(changes []Change) []uint64 {
	numbers := make([]uint64, len(changes))
	for i := range changes {
		numbers[i] = changes[i].Number
	}
	slices.Sort(numbers)
	return slices.Compact(numbers)
}

// ChangeOf is the change of a revision. The result ok is false if the feed keeps it no longer, or never had it.
// A follower that holds it against the change it took last sees whether the list is still the one it followed.
func ChangeOf(ctx context.Context, feed Feed, revision uint64) (c Change, ok bool, err error) {
	if revision == 0 {
		return Change{}, false, nil
	}
	changes, err := feed.Changes(ctx, revision-1, 1)
	if errors.As(err, new(*LateError)) {
		return Change{}, false, nil
	}
	if err != nil || len(changes) == 0 || changes[0].Revision != revision {
		return Change{}, false, err
	}
	return changes[0], true, nil
}

// LastChange is the last change of a list, from which a follower goes on that reads the whole list first. A list
// without changes has the zero Change; one that keeps none of them any more has a Change of which the Revision alone is
// known.
func LastChange(ctx context.Context, feed Feed) (Change, error) {
	for {
		revision, err := feed.Revision(ctx)
		if err != nil || revision == 0 {
			return Change{}, err
		}
		c, ok, err := ChangeOf(ctx, feed, revision)
		if err != nil || ok {
			return c, err
		}
		// It was trimmed since, and there is a later one; or nothing is kept at all.
		now, err := feed.Revision(ctx)
		if err != nil || now == revision {
			return Change{Revision: revision}, err
		}
	}
}
