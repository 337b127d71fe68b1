package memory

import (
	"bytes"
	"maps"
	"slices"
	"strconv"
	"time"

	"laundromat/seedlist"
	"laundromat/seedlist/engine"
)

func (t *tx) Write(w *engine.Writes) error {
	for _, r := range w.Seeds {
		t.writeSeed(r)
	}
	for old, n := range w.OldKeys {
		if t.seeds[t.oldKeys[old]] == nil {
			t.oldKeys[old] = n
		}
	}
	for _, l := range w.Links {
		if t.links[l.Relation][l.Of] == nil {
			t.links[l.Relation][l.Of] = map[uint64]engine.Link{}
		}
		t.links[l.Relation][l.Of][l.To] = l
	}
	for _, l := range w.Unlinks {
		delete(t.links[l.Relation][l.Of], l.To)
	}
	for _, c := range w.Catalogs {
		if c.Erased {
			delete(t.catalogs, c.Number)
			t.forget(c.Hash, true)
			continue
		}
		kept := *c
		kept.IsNew = false
		t.catalogs[c.Number] = &kept
	}
	for _, h := range w.Hosts {
		kept := *h
		t.hosts[h.Key] = &kept
	}
	t.writeTurns(w)
	for _, e := range w.Log {
		if e.Number == 0 {
			e.Number = t.last[engine.MetaAttempts] + 1
		}
		t.last[engine.MetaAttempts] = e.Number
		t.log = append(t.log, e)
	}
	for _, e := range w.Unlog {
		t.log = slices.DeleteFunc(t.log, func(is engine.Entry) bool { return is.Number == e.Number })
	}
	for _, i := range w.Items {
		i.Data = bytes.Clone(i.Data)
		if t.items[i.Kind][i.Key] = i; i.Data == nil {
			delete(t.items[i.Kind], i.Key)
		}
	}
	for _, hash := range w.Orphans {
		t.orphans[hash] = true
	}
	for _, hash := range w.Swept {
		delete(t.orphans, hash)
	}
	for name, n := range w.Counts {
		t.counts[name] += n
	}
	for _, c := range w.Changes {
		t.revision++
		c.Revision, c.Time = t.revision, w.Now.Round(0).UTC()
		t.changes = append(t.changes, c)
	}
	t.changes = t.changes[max(0, len(t.changes)-t.options.KeepChanges):]
	t.writeWashed(w)
	return t.writeMeta(w)
}

func (t *tx) writeSeed(r *engine.Seed) {
	if !r.Erased {
		if t.seeds[r.Number] == nil {
			at, _ := slices.BinarySearch(t.order, r.Number)
			t.order = slices.Insert(t.order, at, r.Number)
			delete(t.orphans, r.Hash)
		}
		t.seeds[r.Number], t.hashes[r.Hash] = copyOf(r), r.Number
		return
	}
	delete(t.seeds, r.Number)
	delete(t.hashes, r.Hash)
	t.order = slices.DeleteFunc(t.order, func(n uint64) bool { return n == r.Number })
	maps.DeleteFunc(t.oldKeys, func(_ string, n uint64) bool { return n == r.Number })
	t.forget(r.Hash, false)
}

// forget removes the log of a seed or a catalog.
func (t *tx) forget(hash string, ofCatalog bool) {
	t.log = slices.DeleteFunc(t.log, func(e engine.Entry) bool { return e.Hash == hash && e.OfCatalog == ofCatalog })
}

// writeTurns gives hosts their turns.
func (t *tx) writeTurns(w *engine.Writes) {
	for _, waits := range w.Waits {
		if len(t.those(func(r *engine.Seed) bool { return r.Queue == engine.QueueHosts && r.Host == waits.Host })) == 0 {
			delete(t.turns, waits.Host)
		} else if t.turns[waits.Host] == 0 {
			t.turn++
			t.turns[waits.Host] = t.turn
		}
	}
	for _, host := range w.Served {
		if t.turns[host] != 0 {
			t.turn++
			t.turns[host] = t.turn
		}
	}
}

func byBegin(w seedlist.Washed, at time.Time) int { return w.Begin.Compare(at) }

// writeWashed adds sums, and forgets the oldest.
func (t *tx) writeWashed(w *engine.Writes) {
	for span, all := range w.Washed {
		for _, sum := range all {
			begin := sum.Begin.Round(0).UTC()
			at, isThere := slices.BinarySearchFunc(t.washed[span], begin, byBegin)
			if !isThere {
				t.washed[span] = slices.Insert(t.washed[span], at, seedlist.Washed{Begin: begin})
			}
			t.washed[span][at].Add(sum)
		}
		if kept := span.Kept(); kept > 0 {
			t.washed[span] = slices.DeleteFunc(t.washed[span], func(is seedlist.Washed) bool { return is.Begin.Before(w.Now.Add(-kept)) })
		}
	}
}

func (t *tx) writeMeta(w *engine.Writes) (err error) {
	for name, data := range w.Meta {
		if name == engine.MetaCopying {
			t.copying = data
		} else if t.last[name], err = strconv.ParseUint(string(data), 10, 64); err != nil {
			return err
		}
	}
	return err
}
