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
		if err := s.loadAgain(part, &again); err != nil {
			return nil, err
		}
		for _, hash := range part {
			done, err := retain(s, hash, &kept, isDry)
			if err != nil {
				return nil, err
			}
			if done.Trimmed != (seedlist.Trimmed{}) {
				all = append(all, done)
			}
		}
		return all, nil
	})
}

// retain takes what is not kept off one record.
func retain(s *Session, hash string, kept *seedlist.Retention, isDry bool) (done seedlist.Retained, err error) {
	r, err := s.byHash(hash)
	if err != nil || r == nil || r.Clean || r.Damage != nil {
		return done, err
	}
	rests, err := s.isEndAtRest(r)
	if err == nil && rests {
		rests, err = s.archivesRest(r)
	}
	if err != nil || !rests {
		return done, err
	}
	stored, err := s.document(r)
	if err != nil {
		return done, err
	}
	cleans := stored.Cleans()
	done.Before = bareOf(r, &stored)
	done.After = done.Before
	if done.Trimmed = kept.Trim(&done.After, s.now); isDry || done.Trimmed == (seedlist.Trimmed{}) {
		return done, nil
	}
	stored.Record = done.After.Record
	if err := s.encode(r, &stored); err != nil {
		return done, err
	}
	countRemoved(s, done.Trimmed)
	return done, s.unlinkOld(r, cleans, &stored)
}

// RetainAttempts takes entries off the log that are not kept any more.
func (l *retainer) RetainAttempts(ctx context.Context, age seedlist.Age, isDry bool, after uint64) (removed int64, next uint64, err error) {
	err = transactionOf(l.list, isDry)(ctx, func(s *Session) error {
		removed, next = 0, 0
		entries, err := s.tx.Log(nil, after, atOnce)
		if err != nil || len(entries) == 0 {
			return err
		}
		old, err := oldEntries(s, entries, age)
		if err != nil {
			return err
		}
		if len(old) > 0 {
			next = entries[len(entries)-1].Number
		}
		last, err := lastEntries(s, old)
		if err != nil {
			return err
		}
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
func oldEntries(s *Session, entries []Entry, age seedlist.Age) (old []Entry, err error) {
	for _, e := range entries {
		var a seedlist.Attempt
		if err := json.Unmarshal(e.Data, &a); err != nil {
			return nil, err
		}
		if age.IsPast(a.AccessDatetime, s.now) {
			old = append(old, e)
		}
	}
	return old, nil
}

// lastEntries are the numbers of the last entries of the seeds and catalogs that some entries are of.
func lastEntries(s *Session, of []Entry) (map[uint64]bool, error) {
	if len(of) == 0 {
		return nil, nil
	}
	var hashes []string
	for i := range of {
		hashes = append(hashes, of[i].Hash)
	}
	entries, err := s.tx.Log(distinct(hashes), 0, 1)
	last := map[uint64]bool{}
	for _, e := range entries {
		last[e.Number] = true
	}
	return last, err
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
