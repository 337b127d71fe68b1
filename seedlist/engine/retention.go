package engine

import (
	"context"
	"encoding/json"

	"laundromat/seedlist"
)

// retainer takes off a list what is not kept.
type retainer struct{ list *Moves }

// Retain takes what is not kept off the records of seeds: up to a thousand in one transaction.
func (l *retainer) Retain(ctx context.Context, kept seedlist.Retention, isDry bool, hashes ...string) (all []seedlist.Retained, err error) {
	again := seedlist.Again{Asked: seedlist.Rewash, DryRun: isDry}
	return inParts(ctx, hashes, transactionOf(l.list, isDry), func(s *Session, part []string) (all []seedlist.Retained, err error) {
		s.loadAgain(part, &again)
		for _, hash := range part {
			if done := retain(s, hash, &kept, isDry); done.Trimmed != (seedlist.Trimmed{}) {
				all = append(all, done)
			}
		}
		return all, nil
	})
}

// retain takes what is not kept off one record.
func retain(s *Session, hash string, kept *seedlist.Retention, isDry bool) (done seedlist.Retained) {
	r := s.byHash(hash)
	if r == nil || r.Clean || r.Damage != nil || !s.isAllAtRest(r) {
		return done
	}
	stored := s.document(r)
	cleans := stored.Cleans()
	done.Before = bareOf(r, &stored)
	done.After = done.Before
	if done.Trimmed = kept.Trim(&done.After, s.now); isDry || done.Trimmed == (seedlist.Trimmed{}) {
		return done
	}
	stored.Record = done.After.Record
	s.encode(r, &stored)
	countRemoved(s, done.Trimmed)
	s.unlinkOld(r, cleans, &stored)
	return done
}

// RetainAttempts takes entries off the log that are not kept any more.
func (l *retainer) RetainAttempts(ctx context.Context, age seedlist.Age, isDry bool, after uint64) (removed int64, next uint64, err error) {
	err = transactionOf(l.list, isDry)(ctx, func(s *Session) error {
		removed, next = 0, 0
		entries := s.entries(nil, after, atOnce)
		old := oldEntries(s, entries, age)
		if len(old) > 0 {
			next = entries[len(entries)-1].Number
		}
		last := lastEntries(s, old)
		for i := range old {
			e := &old[i]
			if last[e.Number] {
				continue
			}
			removed++
			if !isDry {
				s.touched++
				s.next.Unlog = append(s.next.Unlog, Entry{Number: e.Number, Hash: e.Hash, OfCatalog: e.OfCatalog})
			}
		}
		if !isDry && removed > 0 {
			countRemoved(s, seedlist.Trimmed{Attempts: removed})
		}
		return nil
	})
	return removed, next, err
}

// oldEntries are those that are past an age.
func oldEntries(s *Session, entries []Entry, age seedlist.Age) (old []Entry) {
	for _, e := range entries {
		var a seedlist.Attempt
		s.fail(json.Unmarshal(e.Data, &a))
		if age.IsPast(a.AccessDatetime, s.now) {
			old = append(old, e)
		}
	}
	return old
}

// lastEntries are the numbers of the last entries of the seeds and catalogs that some entries are of.
func lastEntries(s *Session, of []Entry) map[uint64]bool {
	if len(of) == 0 {
		return nil
	}
	var hashes []string
	for i := range of {
		hashes = append(hashes, of[i].Hash)
	}
	last := map[uint64]bool{}
	for _, e := range s.entries(distinct(hashes), 0, 1) {
		last[e.Number] = true
	}
	return last
}

// countRemoved counts what a retention removed. No record says it.
func countRemoved(s *Session, t seedlist.Trimmed) {
	for i, n := range trimmedOf(&t) {
		if *n != 0 {
			s.counts[counted{CountRemoved, trimmedNames[i]}] += *n
		}
	}
}

var trimmedNames = [...]string{"dirty", "dirty_bytes", "notices", "versions", "attempts"}

// trimmedOf are counts in the order of trimmedNames.
func trimmedOf(t *seedlist.Trimmed) [len(trimmedNames)]*int64 {
	return [...]*int64{&t.Dirty, &t.DirtyBytes, &t.Notices, &t.Versions, &t.Attempts}
}
