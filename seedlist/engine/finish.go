package engine

import (
	"cmp"
	"slices"

	"laundromat/seedlist"
)

// flush writes what was changed until now, so that the store can be asked for it.
func (s *Session) flush() {
	n := &s.next
	if len(s.dirty)+len(n.Links)+len(n.Unlinks)+len(n.Hosts)+len(n.Catalogs)+len(n.Served)+len(n.Log)+len(n.Unlog)+len(n.Items) == 0 {
		return
	}
	s.write(s.take())
}

// take is what is to be written now.
func (s *Session) take() *Writes {
	w := s.next
	s.next = Writes{}
	w.Now = s.now
	for _, r := range s.dirty {
		r.dirty = false
		if r.Erased && r.IsNew {
			continue // it was never there
		}
		if !r.Erased {
			r.Queue = QueueOf(&r.Hot)
		}
		if !r.Erased && !r.IsNew && !r.IsWritten && r.Hot == r.Saved {
			continue
		}
		waited, waits := !r.IsNew && r.Saved.Queue == QueueHosts, !r.Erased && r.Queue == QueueHosts
		if waits && (!waited || r.Due < r.Saved.Due) {
			w.Waits = append(w.Waits, Waits{r.Host, r.Due})
		} else if waited && (!waits || r.Due > r.Saved.Due) {
			w.Waits = append(w.Waits, Waits{Host: r.Host})
		}
		w.Seeds = append(w.Seeds, r)
	}
	s.dirty = s.dirty[:0]
	for _, h := range w.Hosts {
		h.changed = false
	}
	return &w
}

// write has the store write something, and notes that it has it.
func (s *Session) write(w *Writes) {
	if s.err != nil {
		return
	}
	s.fail(s.tx.Write(w))
	for _, r := range w.Seeds {
		r.Saved, r.IsNew, r.IsWritten = r.Hot, false, false
	}
	for _, h := range w.Hosts {
		h.Was = h.Settings
	}
	for _, c := range w.Catalogs {
		c.IsNew = false
	}
}

// Finish writes all that is left, and what follows from it: counts, sums, and the changes that the feed tells. It
// answers whether anything was written at all.
func (s *Session) Finish() (isWritten bool, err error) {
	if s.touched == 0 {
		return false, nil
	}
	w := s.take()
	w.Last = true
	s.tell(w)
	w.Counts = named(s.counts)
	w.Washed = addedTo(w.Washed, s.washed, s.now)
	if len(w.Changes) > 0 {
		w.News |= OfFeed
	}
	s.write(w)
	s.frees |= w.News
	return true, s.err
}

// Committed is called once the transaction is.
func (s *Session) Committed() {
	s.list.leases.end(s.ended...) // first: a seed may have been claimed again
	for _, do := range s.after {
		do()
	}
	s.list.Wake(s.frees)
}

// tell finds the changes of the transaction, and counts them.
func (s *Session) tell(w *Writes) {
	now := s.now.UnixNano()
	w.Changes = make([]seedlist.Change, 0, len(s.changed))
	slices.SortFunc(s.changed, func(a, b *Seed) int { return cmp.Compare(a.Number, b.Number) })
	for _, r := range s.changed {
		w.News |= newsOfSeed(r, now)
		if r.Queue == QueueRests && s.list.sharer == nil {
			// Who waits learns when it is due. Where many share the rows, it looks every second anyway.
			s.frees |= OfDownloads
		}
		switch {
		case r.Erased && r.born:
			continue
		case r.Erased:
			if s.hashes[r.Hash] == r.Number || s.hashes[r.Hash] == 0 {
				w.Orphans = append(w.Orphans, r.Hash) // one that was added again in the same transaction is none
			}
			w.Changes = append(w.Changes, seedlist.Change{Number: r.Number, From: r.was.State, Hash: r.Hash, Name: nameOf(s, r)})
		case r.born:
			w.Changes = append(w.Changes, seedlist.Change{Number: r.Number, To: r.State})
		case r.isChanged():
			w.Changes = append(w.Changes, seedlist.Change{Number: r.Number, From: r.was.State, To: r.State})
		default:
			continue
		}
		s.count(r)
	}
}

// nameOf is the name of a seed, by its document; "" where that is damaged.
func nameOf(s *Session, r *Seed) string {
	if s.documents([]*Seed{r}); r.Damage != nil {
		return ""
	}
	stored := s.document(r)
	return seedlist.NameOf(&stored)
}

// isChanged says that there is something to tell about a seed.
func (r *Seed) isChanged() bool {
	was, is := r.was, r.Hot
	for _, h := range []*Hot{&was, &is} {
		h.Holder, h.Worker, h.Since, h.Asking, h.Revision, h.Crashes, h.Queue = "", "", 0, false, 0, 0, 0
	}
	return r.linked || r.changed || was != is
}
