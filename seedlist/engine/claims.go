package engine

import (
	"context"
	"fmt"
	"slices"
	"time"

	"laundromat/seedlist"
)

const (
	// maxClaims is the number of seeds that one claim takes at most.
	maxClaims = 1000
	// maxPromoted is the number of seeds that come due in one transaction.
	maxPromoted = 1000
)

// Wait returns when a claim of stage would find a seed.
func (l *Moves) Wait(ctx context.Context, stage seedlist.State) error {
	return waitFor(ctx, l, string(stage), queueBefore(stage))
}

// WaitSuspect is Wait for ClaimSuspect.
func (l *Moves) WaitSuspect(ctx context.Context) error {
	return waitFor(ctx, l, seedlist.HoldAll, QueueSuspects)
}

// waitFor returns when a queue has something to take and nobody holds a part of the work.
func waitFor(ctx context.Context, l *Moves, part string, q Queue) error {
	if err := l.await(ctx, part); err != nil {
		return err
	}
	return l.wait(ctx, newsOf(q), func(s *Session) (bool, int64) { return s.ready(q) })
}

// ready says whether a claim from a queue would find a seed; if not, when one may.
func (s *Session) ready(q Queue) (bool, int64) {
	next := s.outlook(q, s.now, 0)
	if next.IsReady || q != QueueHosts {
		return next.IsReady, next.At
	}
	rests := s.outlook(QueueRests, s.now, 0)
	return rests.IsReady, Sooner(next.At, rests.At)
}

// Sooner is the earlier of two times in nanoseconds, where 0 is none.
func Sooner(a, b int64) int64 {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}

// ClaimSuspect takes one ready suspect into the working state of its stage.
func (l *Moves) ClaimSuspect(ctx context.Context, worker string) (c seedlist.Claim, found bool, err error) {
	claims, err := claimFrom(ctx, l, claimSource{QueueSuspects, seedlist.HoldAll}, worker, 1)
	if err != nil || len(claims) == 0 {
		return c, false, err
	}
	return claims[0], true, nil
}

// Claim takes up to limit ready seeds into a working state.
func (l *Moves) Claim(ctx context.Context, stage seedlist.State, worker string, limit int) ([]seedlist.Claim, error) {
	if !stage.IsWorking() {
		return nil, fmt.Errorf("claim: %q isn't a working state", stage)
	}
	return claimFrom(ctx, l, claimSource{queueBefore(stage), string(stage)}, worker, max(0, min(limit, maxClaims)))
}

// claimSource is the queue that claims are taken from, and the part of the work that they are: people may hold it.
type claimSource struct {
	queue Queue
	part  string
}

// claimFrom takes up to limit seeds into the working states that follow theirs.
func claimFrom(ctx context.Context, l *Moves, from claimSource, worker string, limit int) ([]seedlist.Claim, error) {
	q := from.queue
	sources, isHeld, err := l.holdsOf(ctx, from.part)
	if err != nil || isHeld {
		return nil, err
	}
	var taken claimed
	err = l.do(ctx, &Op{Late: true, Claims: true, Run: func(s *Session) error {
		taken = claimed{}
		pick := s.first
		if q == QueueHosts {
			pick = s.pick
		}
		picked := park(s, pick(q, limit), sources)
		if taken = s.claim(picked, worker); q == QueueHosts {
			s.serve(picked)
		}
		return nil
	}})
	if err == nil {
		err = taken.decode(&l.leases)
	}
	if err != nil {
		return nil, err
	}
	return taken.claims, nil
}

// first are the seeds of a queue that come first.
func (s *Session) first(q Queue, limit int) []*Seed {
	if limit == 0 {
		return nil
	}
	s.flush()
	found := answer(&s.asking, func(tx Tx) ([]*Seed, error) { return tx.Ready(q, s.now, limit) })
	return slices.DeleteFunc(s.keep(found), func(r *Seed) bool { return r.Queue != q || r.Damage != nil })
}

// promote makes ready what is to be fetched again, or tried again from its stage.
func (s *Session) promote() {
	due := s.first(QueueRests, maxPromoted)
	s.loadAbove(due)
	for _, r := range due {
		switch {
		case !r.isTriedFromItsStage():
			s.restart(r, seedlist.Added, r.Due)
		case s.archivesRest(r):
			s.restart(r, r.Stage.Ready(), r.Due)
		default:
			s.touch(r)
			r.Due = s.now.Add(time.Hour).UnixNano() // its archive is at work, and may replace its bytes
		}
	}
}

// pick chooses seeds to download: rounds over the free hosts in the order of their turns, one seed a host a round.
func (s *Session) pick(q Queue, limit int) (picked []*Seed) {
	if s.promote(); limit == 0 {
		return nil
	}
	s.flush()
	turns := answer(&s.asking, func(tx Tx) ([]Turn, error) { return tx.Turns(s.now, limit) })
	for i := range turns {
		u := &turns[i]
		u.Host = s.keepHost(u.Host)
		u.Seeds = slices.DeleteFunc(s.keep(u.Seeds), func(r *Seed) bool { return r.Queue != q || r.Damage != nil })
	}
	for round := 0; len(picked) < limit; round++ {
		before := len(picked)
		for _, u := range turns {
			if round < len(u.Seeds) && round < s.list.Slots(u.Host, s.now) && len(picked) < limit {
				picked = append(picked, u.Seeds[round])
			}
		}
		if len(picked) == before {
			break
		}
	}
	return picked
}

// serve begins the requests for seeds that were picked, and sends their hosts to the end of the queue.
func (s *Session) serve(picked []*Seed) {
	var served []string
	for _, r := range picked {
		h := s.hosts[r.Host]
		s.begin(h, r)
		if !slices.Contains(served, h.Key) {
			served = append(served, h.Key)
		}
	}
	s.next.Served = append(s.next.Served, served...)
}

// claimed are claims with their seeds, which are decoded after the transaction: there, others wait.
type claimed struct {
	claims []seedlist.Claim
	seeds  []*Seed
	links  []seedlist.Links
}

// decode fills in the seeds of the claims. The leases get records of their own.
func (c *claimed) decode(leases *leaseTable) error {
	for i, r := range c.seeds {
		stored, err := seedlist.DecodeStored(r.Data)
		if err != nil {
			return err
		}
		claim := &c.claims[i]
		claim.Seed = bareOf(r, &stored)
		claim.Seed.Links, claim.Seed.Worker = c.links[i], claim.Worker
		stored.Record = copied(stored.Record)
		leases.change(claim, func(one *lease) { one.stored = &stored })
	}
	return nil
}

// claim gives seeds to a worker.
func (s *Session) claim(picked []*Seed, worker string) (taken claimed) {
	if len(picked) == 0 {
		return taken
	}
	taken = claimed{claims: make([]seedlist.Claim, len(picked)), seeds: picked}
	leases := make([]*lease, len(picked))
	for _, r := range picked {
		s.touch(r)
		r.State, r.Holder, r.Worker, r.Since = r.State.Working(), s.list.store.Holder(), worker, s.now.UnixNano()
		r.Asking = r.State == seedlist.Downloading
		r.Fence++
	}
	s.documents(picked)
	taken.links = s.links(picked)
	for i, r := range picked {
		leases[i] = &lease{
			number: r.Number, stage: r.State, fence: r.Fence, worker: worker, since: s.now.UTC(),
			try: r.Tries + 1, crashes: r.Crashes, last: r.Last, revision: r.Revision, data: r.Data,
		}
		leases[i].fill(&taken.claims[i])
	}
	s.claims += len(picked)
	s.after = append(s.after, func() { s.list.leases.add(leases) })
	return taken
}

// held is the seed of a claim; nil if that is lost.
func (s *Session) held(c *seedlist.Claim) *Seed {
	r := s.at(c.Number)
	if r == nil || r.Fence != c.Fence || r.State != c.Stage || r.Holder != s.list.store.Holder() {
		return nil
	}
	return r
}

// endLease ends a claim, and frees its host.
func (s *Session) endLease(r *Seed, load seedlist.Load) {
	s.touch(r)
	s.leave(r, load) // which asks who held it
	r.Holder, r.Worker, r.Since = "", "", 0
	s.ended = append(s.ended, r.Number)
}

// GiveBack puts a claimed seed back into the ready state that it came from.
func (l *Moves) GiveBack(ctx context.Context, c seedlist.Claim, back seedlist.Return) error {
	if !c.Stage.IsWorking() {
		return fmt.Errorf("give back: %q isn't a working state", c.Stage)
	}
	return l.end(ctx, &c, &Op{Run: func(s *Session) error {
		r := s.held(&c)
		if r == nil {
			return seedlist.ErrLost
		}
		s.giveBack(r, &c, back)
		return nil
	}})
}

// end runs what ends or changes a claim, together with others of the kind.
func (l *Moves) end(ctx context.Context, c *seedlist.Claim, o *Op) error {
	o.Wants.Numbers = append(o.Wants.Numbers, c.Number)
	o.Shared, o.Patient = true, true
	o.GaveUp = func() { l.leases.change(c, func(one *lease) { one.dropped = true }) }
	err := l.do(ctx, o)
	if err == seedlist.ErrLost {
		l.leases.endIf(c)
	}
	if err == seedlist.ErrLost || err == nil && !o.Changed { // else it held its seed, or may still
		l.endLost(ctx, c)
	}
	return err
}

// endLost ends the use of a host by a claim whose seed was removed, or given to another, while it was downloaded.
func (l *Moves) endLost(ctx context.Context, c *seedlist.Claim) {
	if l.sharer != nil {
		l.sharer.EndLost(c)
		return
	}
	var host string
	l.leases.under(func() {
		if is := l.leases.lost[c.Number]; is.fence == c.Lease() {
			host = is.host
			delete(l.leases.lost, c.Number)
		}
	})
	if host == "" {
		return
	}
	l.write(context.WithoutCancel(ctx), func(s *Session) error { // a list that is closed forgets its hosts
		h := s.host(host)
		h.Claims = max(0, h.Claims-1)
		_, delay := s.list.Bounds(h)
		h.Rest = later(h.Rest, s.now.Add(max(delay, h.Pace))) // what it showed is not known
		s.putHost(h)
		s.next.News |= OfDownloads
		return nil
	})
}

func (s *Session) giveBack(r *Seed, c *seedlist.Claim, back seedlist.Return) {
	result := "given back"
	if back.CountTry {
		result = "retry"
	}
	entry, err := back.Attempt.Encode(c, c.Seed.Place(), result, s.now)
	s.fail(err)
	if back.Error != nil {
		stored := s.document(r)
		stored.Error = back.Error
		s.encode(r, &stored)
	}
	due := min(r.Due, s.now.UnixNano()) // it was claimed, so that only a clock that ran ahead can have said otherwise
	if !back.Due.IsZero() {
		due = back.Due.UnixNano()
	}
	s.touch(r)
	if back.CountTry {
		r.Tries++
	}
	s.makeReady(r, c.Stage.Ready(), due)
	s.log(hashOf(r, c), entry)
	s.endLease(r, back.Load)
}

// hashOf is the hash of a claimed seed, which a store may not have read.
func hashOf(r *Seed, c *seedlist.Claim) string {
	if r.Hash == "" {
		r.Hash = c.Seed.Hash
	}
	return r.Hash
}

// Foresee is [seedlist.Foresee] with the options of the list.
func (l *Moves) Foresee(c seedlist.Claim, outcome seedlist.Outcome) (seedlist.Claim, error) {
	next, err := seedlist.Foresee(c, outcome, &l.options)
	if err == nil && l.hasLately(string(next.Stage)) {
		err = seedlist.ErrHeld
	}
	return next, err
}

// Rest lets the host of a claimed seed be asked by others.
func (l *Moves) Rest(ctx context.Context, c seedlist.Claim, load seedlist.Load) error {
	if c.Stage != seedlist.Downloading && !c.Foreseen() {
		return ctx.Err()
	}
	return l.end(ctx, &c, &Op{Volatile: true, Run: func(s *Session) error {
		if r := s.at(c.Number); r != nil && r.Asking && r.Fence == c.Lease() {
			s.leave(r, load)
		}
		return nil
	}})
}

// Holds says whether a claim still holds its seed.
func (l *Moves) Holds(ctx context.Context, c seedlist.Claim) (bool, error) {
	return found(ctx, l.ask, func(s *Session) (bool, error) { return s.held(&c) != nil, nil })
}

// free makes a seed ready again that is held by a process which does not work on it.
func (s *Session) free(r *Seed) {
	s.makeReady(r, r.State.Ready(), min(r.Due, s.now.UnixNano()))
	s.endLease(r, seedlist.Load{})
}

// rescued is how much is given back in one transaction.
const rescued = 500

// Rescue gives back what is held by processes that are gone: no try is counted, and the seeds become suspects. It
// returns how many seeds and catalogs there were; there may be more.
func (l *Moves) Rescue(ctx context.Context) (int, error) {
	return found(ctx, l.write, func(s *Session) (n int, err error) {
		held := s.first(QueueWork, rescued)
		var hosts []string
		for _, r := range held {
			if r.Asking {
				hosts = append(hosts, r.Host)
			}
		}
		s.loadHosts(hosts...)
		for _, r := range held {
			// A download blames nobody, but what is washed on the way at its end is seen by nobody else.
			s.touch(r)
			if r.Crashes == 0 || r.State != seedlist.Downloading {
				r.Crashes++
			}
			s.free(r)
			n++
		}
		for _, c := range s.catalogsOf(CatalogQuery{Left: true, Most: rescued}) {
			c = s.keepCatalog(c)
			if c.Known.Status != seedlist.CatalogHarvesting {
				continue
			}
			c.Known.Crashes++
			s.giveBackCatalog(c, s.now)
			n++
		}
		return n, nil
	})
}

// Reclaim gives back a seed, and one of its fence alone, that this process holds without knowing of it: the
// connection broke while it was claimed.
func (l *Moves) Reclaim(ctx context.Context, number, fence uint64) error {
	return l.write(ctx, func(s *Session) error {
		if r := s.at(number); r != nil && r.Holder == l.store.Holder() && r.Fence == fence {
			s.free(r)
		}
		return nil
	})
}

// ReclaimCatalog is Reclaim for a catalog, where isKnown does not say in the transaction that it is held after all.
func (l *Moves) ReclaimCatalog(ctx context.Context, number, fence uint64, isKnown func(now time.Time) bool) error {
	return l.write(ctx, func(s *Session) error {
		c := s.catalog(number)
		if c != nil && c.Holder == l.store.Holder() && c.Known.Status == seedlist.CatalogHarvesting && c.Known.Fence == fence &&
			!isKnown(s.now) {
			s.giveBackCatalog(c, s.now)
		}
		return nil
	})
}
