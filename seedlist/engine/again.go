package engine

import (
	"context"

	"laundromat/seedlist"
)

// Retry lets seeds that rest be worked on again.
func (l *Moves) Retry(ctx context.Context, from seedlist.State, hashes ...string) (errs []error, err error) {
	answers, err := l.WashAgain(ctx, seedlist.Again{To: from}, hashes...)
	for _, a := range answers {
		errs = append(errs, a.Err)
	}
	return errs, err
}

// WashAgain lets seeds that rest be worked on again, whatever is known of them: up to a thousand in one transaction.
func (l *Moves) WashAgain(ctx context.Context, again seedlist.Again, hashes ...string) (answers []seedlist.AgainAnswer, err error) {
	if err := again.Check(); err != nil {
		return nil, err
	}
	transaction := transactionOf(l, again.DryRun)
	return inParts(ctx, hashes, transaction, func(s *Session, part []string) (answers []seedlist.AgainAnswer, err error) {
		if err := s.loadAgain(part, &again); err != nil {
			return nil, err
		}
		var asked []string // hosts
		for _, hash := range part {
			answer, root, err := s.again(hash, &again)
			if err != nil {
				return nil, err
			}
			if answer.Err == nil && answer.To == seedlist.Added && !again.DryRun {
				stored, err := s.document(root)
				if err != nil {
					return nil, err
				}
				asked = append(asked, root.Host)
				for _, host := range hostsLedTo(&stored) {
					asked = append(asked, l.store.HostKey(host))
				}
			}
			answers = append(answers, answer)
		}
		return answers, s.askAtOnce(asked)
	})
}

// loadAgain reads at once what is needed of seeds that are worked on again.
func (s *Session) loadAgain(hashes []string, again *seedlist.Again) error {
	seeds, err := s.named(hashes)
	if err != nil {
		return err
	}
	if !again.DryRun {
		if err := s.loadConditions(seeds, again.If); err != nil {
			return err
		}
	}
	with, err := s.loadAbove(seeds)
	if err != nil {
		return err
	}
	if err := s.documents(with); err != nil {
		return err
	}
	if again.Asked != seedlist.Retry && !again.DryRun {
		if err := s.loadDirty(with, nil); err != nil {
			return err
		}
	}
	return s.loadUnrest(with)
}

// again works on one seed again.
func (s *Session) again(hash string, again *seedlist.Again) (answer seedlist.AgainAnswer, root *Seed, err error) {
	r, err := s.byHash(hash)
	if err != nil {
		return answer, nil, err
	}
	if r != nil && !again.DryRun {
		if answer.Err, err = s.holds(r, again.If); answer.Err != nil || err != nil {
			return answer, nil, err
		}
	}
	root, to, marked, refused, err := s.planAgain(r, again)
	if err == nil && refused == nil && !again.DryRun {
		err = s.washAgain(root, to, marked, again)
	}
	if err != nil || refused != nil {
		return seedlist.AgainAnswer{Err: refused}, nil, err
	}
	return seedlist.AgainAnswer{Root: root.Hash, To: to}, root, nil
}

// hostsLedTo are the hosts that were asked the last time for a document.
func hostsLedTo(stored *seedlist.Stored) (hosts []string) {
	for i := range stored.HTTP {
		if host, err := seedlist.HostOf(stored.HTTP[i].URI); err == nil {
			hosts = append(hosts, host)
		}
	}
	return hosts
}

// planAgain decides what moves for a seed, where to, and what is marked besides.
func (s *Session) planAgain(r *Seed, again *seedlist.Again) (root *Seed, to seedlist.State, marked []*Seed, refused, err error) {
	if r != nil && r.Fragment {
		stored, err := s.document(r)
		if err == nil {
			r, err = s.byHash(stored.Document)
		}
		if err != nil {
			return nil, "", nil, nil, err
		}
	}
	switch {
	case r == nil:
		return nil, "", nil, seedlist.ErrNotFound, nil
	case again.Asked == seedlist.Retry:
		to, refused, err = s.retry(r, again.To)
		return r, to, nil, refused, err
	case r.Clean:
		return nil, "", nil, seedlist.ErrClean, nil
	case r.Relative:
		return nil, "", nil, seedlist.ErrNoURI, nil
	}
	for r.Parent != 0 {
		rests, err := s.isEndAtRest(r)
		switch {
		case err != nil:
			return nil, "", nil, nil, err
		case r.Gone:
			return nil, "", nil, seedlist.ErrGone, nil
		case !rests:
			return nil, "", nil, seedlist.ErrNotAtRest, nil
		}
		marked = append(marked, r)
		above, err := s.at(r.Parent)
		if err != nil || above == nil {
			return nil, "", nil, seedlist.ErrNotFound, err
		}
		r = above
	}
	rests, err := s.isEndAtRest(r)
	if err != nil {
		return nil, "", nil, nil, err
	}
	stored, err := s.document(r)
	switch {
	case r.State != again.To && !rests:
		refused = seedlist.ErrNotAtRest
	case again.To == seedlist.Added && !r.Fetchable:
		refused = seedlist.ErrNoURI
	case again.To == seedlist.Filed && stored.Content == nil:
		refused = seedlist.ErrNoBytes
	case again.To == seedlist.Filed && !stored.HasDirty():
		refused = seedlist.ErrRemoved
	}
	return r, again.To, marked, refused, err
}

// retry decides to which state a retry moves a seed.
func (s *Session) retry(r *Seed, from seedlist.State) (to seedlist.State, answer, err error) {
	if r.Clean || r.Relative {
		return "", seedlist.ErrNoURI, nil
	}
	if r.State.IsReady() && r.Due > s.now.UnixNano() && (from == "" || from == r.State) {
		to = r.State // it need not wait any longer
	} else {
		rests, err := s.isEndAtRest(r)
		if err == nil && rests {
			rests, err = s.archivesRest(r)
		}
		if err != nil || !rests {
			return "", seedlist.ErrNotAtRest, err
		}
		var by seedlist.Cause
		to, by = seedlist.Added, seedlist.ByInterval
		if from != "" || !r.Fetchable {
			to, by = r.Stage.Ready(), seedlist.ByRetry
		}
		switch isMove := by.Allows(r.State, to); {
		case !isMove && from == "":
			return "", seedlist.ErrNoURI, nil
		case !isMove || from != "" && to != from:
			return "", seedlist.ErrNotFailed, nil
		}
	}
	if to != seedlist.Added {
		stored, err := s.document(r)
		if err != nil {
			return "", nil, err
		}
		if stored.Removed.Dirty != nil {
			return "", seedlist.ErrRemoved, nil
		}
	}
	return to, nil, nil
}

// washAgain does what was decided.
func (s *Session) washAgain(root *Seed, to seedlist.State, marked []*Seed, again *seedlist.Again) error {
	if again.Asked != seedlist.Retry {
		for i, r := range append(marked, root) {
			stored, err := s.document(r)
			if err != nil {
				return err
			}
			cleans := stored.Cleans()
			stored.MarkAgain(again.Asked, again.Entries && i == 0)
			if r == root && to == seedlist.Filed {
				stored.ReadAgain()
			}
			if err := s.encode(r, &stored); err != nil {
				return err
			}
			if err := s.unlinkOld(r, cleans, &stored); err != nil {
				return err
			}
		}
	}
	s.restart(root, to, s.now.UnixNano())
	return nil
}
