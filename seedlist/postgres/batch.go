package postgres

import (
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"laundromat/internal/fault"
	"laundromat/seedlist"
)

// operation is what ends or changes a claim. Several are written in one transaction, and each
// gets its own answer: it refuses before it changes anything.
type operation struct {
	claim  *seedlist.Claim
	hashes []string // of other records that it will look for
	change func(t *tx) error
	answer chan error
}

// inBatch has an operation written with those of others. While there is trouble it tries again for a
// while. Then the claim is given back when there is none any more.
func (s *Store) inBatch(ctx context.Context, o *operation) error {
	if s.options.ReadOnly {
		return seedlist.ErrReadOnly
	}
	leave, err := s.enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	for begin := time.Now(); ; {
		o.answer = make(chan error, 1)
		select {
		case s.queue <- o:
			err = <-o.answer
		case <-s.ctx.Done():
			return seedlist.ErrClosed
		case <-ctx.Done():
			return ctx.Err()
		}
		if err == seedlist.ErrLost {
			s.leases.endIf(o.claim)
		}
		if !isTrouble(err) {
			return err
		}
		if time.Since(begin) > patience {
			s.leases.change(o.claim, func(l *lease) { l.dropped = true })
			return err
		}
		select {
		case <-time.After(pollEvery):
		case <-s.ctx.Done():
			return err
		}
	}
}

// commit writes operations until the store is closed.
func (s *Store) commit() {
	for {
		var all []*operation
		select {
		case o := <-s.queue:
			all = append(all, o)
		case <-s.ctx.Done():
			return
		}
		for more := true; more && len(all) < maxBatch; {
			select {
			case o := <-s.queue:
				all = append(all, o)
			default:
				more = false
			}
		}
		s.commitAll(all)
	}
}

// commitAll writes operations together. If they fail together, each is tried by itself: one may be at
// fault for all.
func (s *Store) commitAll(all []*operation) {
	answers := make([]error, len(all))
	err := s.transact(context.Background(), func(t *tx) error {
		if err := t.gather(all); err != nil {
			return err
		}
		for i, o := range all {
			if answers[i] = o.change(t); answers[i] != nil && !isAnswer(answers[i]) {
				return answers[i]
			}
		}
		return nil
	})
	if err != nil && len(all) > 1 && !isTrouble(err) {
		for _, o := range all {
			s.commitAll([]*operation{o})
		}
		return
	}
	for i, o := range all {
		if err != nil {
			answers[i] = err
		}
		o.answer <- answers[i]
	}
}

// gather reads at once what operations will look for one by one.
func (t *tx) gather(all []*operation) error {
	var numbers []uint64
	var hashes, hosts []string
	for _, o := range all {
		numbers, hashes = append(numbers, o.claim.Number), append(hashes, o.hashes...)
	}
	if err := t.load(numbers...); err != nil {
		return err
	}
	for _, n := range numbers {
		if r := t.records[n]; r != nil && r.asking {
			hosts = append(hosts, r.host)
		}
	}
	if err := t.loadHashes(hashes...); err != nil {
		return err
	}
	hashes = slices.DeleteFunc(distinct(hashes), func(hash string) bool { return t.hashes[hash] != 0 })
	if len(hashes) > 0 {
		// Until this is written down, nobody takes files for removal.
		if err := t.exec("SELECT pg_advisory_xact_lock_shared($1)", t.store.sweepLock()); err != nil {
			return err
		}
		taken, err := query(t, pgx.RowTo[string], "SELECT hash FROM orphans WHERE hash = ANY($1) AND taken", hashes)
		if err != nil {
			return err
		}
		t.swept = map[string]bool{}
		for _, hash := range taken {
			t.swept[hash] = true
		}
	}
	return t.loadHosts(hosts...)
}

// isAnswer says that an error is what an operation answers, and none of the database.
func isAnswer(err error) bool {
	switch err {
	case seedlist.ErrLost, seedlist.ErrCollision, errRevised:
		return true
	}
	return false
}

// isTrouble says that an error is trouble of this machine, its network or the database.
func isTrouble(err error) bool { return err != nil && fault.KindOf(err) == fault.Local }
