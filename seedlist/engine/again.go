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
		s.loadAgain(part, &again)
		var asked []string // hosts
		for _, hash := range part {
			answer, root := s.again(hash, &again)
			if answer.Err == nil && answer.To == seedlist.Added && !again.DryRun {
				stored := s.document(root)
				asked = append(asked, root.Host)
				for _, host := range hostsLedTo(&stored) {
					asked = append(asked, l.store.HostKey(host))
				}
			}
			answers = append(answers, answer)
		}
		s.askAtOnce(asked)
		return answers, nil
	})
}

// loadAgain reads at once what is needed of seeds that are worked on again.
func (s *Session) loadAgain(hashes []string, again *seedlist.Again) {
	seeds := s.named(hashes)
	if !again.DryRun {
		s.loadConditions(seeds, again.If)
	}
	with := s.loadAbove(seeds)
	s.documents(with)
	if again.Asked != seedlist.Retry && !again.DryRun {
		s.loadDirty(with, nil)
	}
	s.loadUnrest(with)
}

// again works on one seed again.
func (s *Session) again(hash string, again *seedlist.Again) (answer seedlist.AgainAnswer, root *Seed) {
	r := s.byHash(hash)
	if r != nil && !again.DryRun {
		if answer.Err = s.holds(r, again.If); answer.Err != nil {
			return answer, nil
		}
	}
	root, to, marked, refused := s.planAgain(r, again)
	if refused != nil {
		return seedlist.AgainAnswer{Err: refused}, nil
	}
	if !again.DryRun {
		s.washAgain(root, to, marked, again)
	}
	return seedlist.AgainAnswer{Root: root.Hash, To: to}, root
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
func (s *Session) planAgain(r *Seed, again *seedlist.Again) (root *Seed, to seedlist.State, marked []*Seed, refused error) {
	if r != nil && r.Fragment {
		stored := s.document(r)
		r = s.byHash(stored.Document)
	}
	switch {
	case r == nil:
		return nil, "", nil, seedlist.ErrNotFound
	case again.Asked == seedlist.Retry:
		to, refused = s.retry(r, again.To)
		return r, to, nil, refused
	case r.Clean:
		return nil, "", nil, seedlist.ErrClean
	case r.Relative:
		return nil, "", nil, seedlist.ErrNoURI
	}
	for r.Parent != 0 {
		switch {
		case r.Gone:
			return nil, "", nil, seedlist.ErrGone
		case !s.isEndAtRest(r):
			return nil, "", nil, seedlist.ErrNotAtRest
		}
		marked = append(marked, r)
		if r = s.at(r.Parent); r == nil {
			return nil, "", nil, seedlist.ErrNotFound
		}
	}
	stored := s.document(r)
	switch {
	case r.State != again.To && !s.isEndAtRest(r):
		refused = seedlist.ErrNotAtRest
	case again.To == seedlist.Added && !r.Fetchable:
		refused = seedlist.ErrNoURI
	case again.To == seedlist.Filed && stored.Content == nil:
		refused = seedlist.ErrNoBytes
	case again.To == seedlist.Filed && !stored.HasDirty():
		refused = seedlist.ErrRemoved
	}
	return r, again.To, marked, refused
}

// retry decides to which state a retry moves a seed.
func (s *Session) retry(r *Seed, from seedlist.State) (to seedlist.State, refused error) {
	if r.Clean || r.Relative {
		return "", seedlist.ErrNoURI
	}
	if r.State.IsReady() && r.Due > s.now.UnixNano() && (from == "" || from == r.State) {
		to = r.State // it need not wait any longer
	} else {
		if !s.isAllAtRest(r) {
			return "", seedlist.ErrNotAtRest
		}
		var by seedlist.Cause
		to, by = seedlist.Added, seedlist.ByInterval
		if from != "" || !r.Fetchable {
			to, by = r.Stage.Ready(), seedlist.ByRetry
		}
		switch isMove := by.Allows(r.State, to); {
		case !isMove && from == "":
			return "", seedlist.ErrNoURI
		case !isMove || from != "" && to != from:
			return "", seedlist.ErrNotFailed
		}
	}
	if to != seedlist.Added {
		stored := s.document(r)
		if stored.Removed.Dirty != nil {
			return "", seedlist.ErrRemoved
		}
	}
	return to, nil
}

// washAgain does what was decided.
func (s *Session) washAgain(root *Seed, to seedlist.State, marked []*Seed, again *seedlist.Again) {
	if again.Asked != seedlist.Retry {
		for i, r := range append(marked, root) {
			stored := s.document(r)
			cleans := stored.Cleans()
			stored.MarkAgain(again.Asked, again.Entries && i == 0)
			if r == root && to == seedlist.Filed {
				stored.ReadAgain()
			}
			s.encode(r, &stored)
			s.unlinkOld(r, cleans, &stored)
		}
	}
	s.restart(root, to, s.now.UnixNano())
}
