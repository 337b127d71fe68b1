package memory

import (
	"context"
	"time"

	"laundromat/seedlist"
)

// WashAgain lets seeds that rest be worked on again, whatever is known of them.
func (s *Store) WashAgain(ctx context.Context, again seedlist.Again, hashes ...string) (answers []seedlist.AgainAnswer, err error) {
	if err := again.Check(); err != nil {
		return nil, err
	}
	transaction := s.write
	if again.DryRun {
		transaction = func(ctx context.Context, look func(time.Time) error) error {
			return s.read(ctx, func() error { return look(time.Now()) })
		}
	}
	err = transaction(ctx, func(now time.Time) error {
		for _, hash := range hashes {
			named := s.byHash(hash)
			if named != nil && !again.DryRun {
				if err := s.holds(named, again.If); err != nil {
					answers = append(answers, seedlist.AgainAnswer{Err: err})
					continue
				}
			}
			root, to, marked, err := s.planAgain(named, &again)
			if err == nil && !again.DryRun {
				err = s.washAgain(root, to, marked, &again, now)
			}
			answer := seedlist.AgainAnswer{Err: err}
			if err == nil {
				answer.Root, answer.To = root.hash, to
			}
			answers = append(answers, answer)
		}
		return nil
	})
	return answers, err
}

// planAgain decides what moves for a seed, where to, and what is marked besides.
func (s *Store) planAgain(r *record, again *seedlist.Again) (root *record, to seedlist.State, marked []*record, err error) {
	if r != nil && r.fragment {
		r = s.byHash(r.stored().Document)
	}
	switch {
	case r == nil:
		return nil, "", nil, seedlist.ErrNotFound
	case again.Asked == seedlist.Retry:
		to, err = s.retry(r, again.To)
		return r, to, nil, err
	case r.clean:
		return nil, "", nil, seedlist.ErrClean
	case r.relative:
		return nil, "", nil, seedlist.ErrNoURI
	}
	for ; r.parent != nil; r = r.parent {
		switch {
		case r.gone:
			return nil, "", nil, seedlist.ErrGone
		case !r.state.IsEnd() || !s.atRest(r):
			return nil, "", nil, seedlist.ErrNotAtRest
		}
		marked = append(marked, r)
	}
	switch isAtRest := r.state.IsEnd() && s.atRest(r); {
	case r.state != again.To && !isAtRest:
		err = seedlist.ErrNotAtRest
	case again.To == seedlist.Added && !r.fetchable:
		err = seedlist.ErrNoURI
	case again.To == seedlist.Filed && r.stored().Content == nil:
		err = seedlist.ErrNoBytes
	}
	return r, again.To, marked, err
}

// washAgain does what was decided.
func (s *Store) washAgain(root *record, to seedlist.State, marked []*record, again *seedlist.Again, now time.Time) error {
	if again.Asked != seedlist.Retry {
		for i, r := range append(marked, root) {
			stored := r.stored()
			cleans := stored.Cleans()
			stored.MarkAgain(again.Asked, again.Entries && i == 0)
			if r == root && to == seedlist.Filed {
				stored.ReadAgain()
			}
			data, err := stored.Encode()
			if err != nil {
				return err
			}
			r.data = data
			s.unlinkOld(r, cleans, &stored, now)
		}
	}
	if h := s.host(root.host); to == seedlist.Added && h.settings.Turned != nil {
		h.rest = now // who asks for a document of it wants to know
	}
	root.restart(to, now)
	s.index(root, now)
	return nil
}
