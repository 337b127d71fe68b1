package postgres

import (
	"context"

	"laundromat/seedlist"
)

// WashAgain lets seeds that rest be worked on again, whatever is known of them.
func (s *Store) WashAgain(ctx context.Context, again seedlist.Again, hashes ...string) (answers []seedlist.AgainAnswer, err error) {
	if err := again.Check(); err != nil {
		return nil, err
	}
	transaction := s.write
	if again.DryRun {
		transaction = s.read
	}
	err = transaction(ctx, func(t *tx) error {
		answers = nil
		var asked []string // hosts
		for _, hash := range hashes {
			r, err := t.byHash(hash)
			if err != nil {
				return err
			}
			var refused error
			if r != nil && !again.DryRun {
				refused, err = t.holds(r, again.If)
			}
			if err != nil {
				return err
			}
			if refused != nil {
				answers = append(answers, seedlist.AgainAnswer{Err: refused})
				continue
			}
			root, to, marked, refused, err := t.planAgain(r, &again)
			if err == nil && refused == nil && !again.DryRun {
				err = t.washAgain(root, to, marked, &again)
			}
			if err != nil {
				return err
			}
			answer := seedlist.AgainAnswer{Err: refused}
			if refused == nil {
				answer.Root, answer.To = root.hash, to
				if to == seedlist.Added && !again.DryRun {
					asked = append(asked, root.host)
				}
			}
			answers = append(answers, answer)
		}
		return t.askAtOnce(asked)
	})
	return answers, err
}

// planAgain decides what moves for a seed, where to, and what is marked besides.
func (t *tx) planAgain(r *record, again *seedlist.Again) (root *record, to seedlist.State, marked []*record, refused, err error) {
	if r != nil && r.fragment {
		stored, err := r.stored()
		if err == nil {
			r, err = t.byHash(stored.Document)
		}
		if err != nil {
			return nil, "", nil, nil, err
		}
	}
	switch {
	case r == nil:
		return nil, "", nil, seedlist.ErrNotFound, nil
	case again.Asked == seedlist.Retry:
		to, refused, err = t.retry(r, again.To)
		return r, to, nil, refused, err
	case r.clean:
		return nil, "", nil, seedlist.ErrClean, nil
	case r.relative:
		return nil, "", nil, seedlist.ErrNoURI, nil
	}
	for r.parent != 0 {
		rests, err := t.isEndAtRest(r)
		switch {
		case err != nil:
			return nil, "", nil, nil, err
		case r.gone:
			return nil, "", nil, seedlist.ErrGone, nil
		case !rests:
			return nil, "", nil, seedlist.ErrNotAtRest, nil
		}
		marked = append(marked, r)
		above, err := t.at(r.parent)
		if err != nil || above == nil {
			return nil, "", nil, seedlist.ErrNotFound, err
		}
		r = above
	}
	rests, err := t.isEndAtRest(r)
	if err != nil {
		return nil, "", nil, nil, err
	}
	stored, err := r.stored()
	switch {
	case r.state != again.To && !rests:
		refused = seedlist.ErrNotAtRest
	case again.To == seedlist.Added && !r.fetchable:
		refused = seedlist.ErrNoURI
	case again.To == seedlist.Filed && stored.Content == nil:
		refused = seedlist.ErrNoBytes
	}
	return r, again.To, marked, refused, err
}

func (t *tx) isEndAtRest(r *record) (bool, error) {
	if !r.state.IsEnd() {
		return false, nil
	}
	return t.atRest(r)
}

// washAgain does what was decided.
func (t *tx) washAgain(root *record, to seedlist.State, marked []*record, again *seedlist.Again) error {
	if again.Asked != seedlist.Retry {
		for i, r := range append(marked, root) {
			stored, err := r.stored()
			if err != nil {
				return err
			}
			cleans := stored.Cleans()
			stored.MarkAgain(again.Asked, again.Entries && i == 0)
			if r == root && to == seedlist.Filed {
				stored.ReadAgain()
			}
			data, err := stored.Encode()
			if err != nil {
				return err
			}
			r.put(data)
			if err := t.unlinkOld(r, cleans, &stored); err != nil {
				return err
			}
		}
	}
	root.restart(to, t.now)
	if to == seedlist.Added {
		t.met = append(t.met, root.host)
	}
	return nil
}
