package bolt

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"math"
	"slices"
	"strconv"
	"strings"

	"laundromat/seedlist"
	"laundromat/seedlist/engine"
)

// Write writes all that changed.
func (t *tx) Write(w *engine.Writes) error {
	b := t.batch
	hashes := make(map[string]uint64, len(w.Seeds))
	for _, r := range w.Seeds {
		if r.Erased {
			t.erase(r)
			continue
		}
		t.writeSeed(r)
		if r.Hash != "" {
			hashes[r.Hash] = r.Number
		}
	}
	var fresh []*engine.Seed
	for _, r := range w.Seeds {
		if r.IsNew && !r.Erased {
			fresh = append(fresh, r)
		}
	}
	slices.SortFunc(fresh, func(a, b *engine.Seed) int { return strings.Compare(a.Hash, b.Hash) })
	for _, r := range fresh {
		b.name(r.Hash, r.Number)
	}
	for old, id := range w.OldKeys {
		if raw, err := hex.DecodeString(old); err == nil {
			b.alias(raw, t.hashAt(id))
		}
	}
	t.writeLinks(w)
	for _, c := range w.Catalogs {
		t.writeCatalog(c)
	}
	for _, h := range w.Hosts {
		t.writeHost(h)
	}
	for _, key := range w.Served {
		b.served(hostOfKey(key))
	}
	for i := range w.Log {
		t.writeEntry(&w.Log[i], hashes)
	}
	for i := range w.Unlog {
		t.removeEntry(&w.Unlog[i])
	}
	for i := range w.Items {
		b.writeItem(&w.Items[i])
	}
	for _, hash := range w.Orphans {
		if raw, err := hex.DecodeString(hash); err == nil && len(raw) > 0 {
			b.put(inOrphans, raw, nil)
		}
	}
	for _, hash := range w.Swept {
		if raw, err := hex.DecodeString(hash); err == nil && len(raw) > 0 && b.get(inOrphans, raw) != nil {
			b.delete(inOrphans, raw)
		}
	}
	b.feed = append(b.feed, w.Changes...)
	addCounts(b.deltas, w.Counts)
	b.addWashed(w.Washed)
	t.writeMeta(w.Meta)
	return b.err
}

// writeSeed writes what changed of a seed.
func (t *tx) writeSeed(r *engine.Seed) {
	b := t.batch
	var was *hot
	if !r.IsNew {
		h, ok := b.hot(r.Number)
		if !ok {
			return // its record is damaged, and stays as it is
		}
		was = &h
	}
	is := hotOf(r, was, b.now.UnixNano())
	if r.IsWritten {
		is.set(isServed, r.Served)
		t.listAlike(r, was)
		key := appendNumber(nil, r.Number)
		b.put(inCold, key, withSum(inCold, key, r.Data))
	} else if was.state == seedlist.Parsed && is.state != seedlist.Parsed {
		is.set(isServed, true) // its clean file stays
	}
	if was == nil || *was != is {
		b.place(r.Number, was, &is)
		b.restChanged(was, &is)
	}
	if r.IsNew && r.Parent != 0 {
		raw, _ := hex.DecodeString(r.Hash)
		b.put(inChildren, appendNumber(appendNumber(nil, r.Parent), r.Number), raw)
		b.add(inChildren, appendNumber(nil, r.Parent), +1, true)
	}
	if r.IsArchive && (r.IsNew || !r.Saved.IsArchive) {
		b.add(inChildren, appendNumber(nil, r.Number), 0, true)
	}
	if r.Asking != r.Saved.Asking {
		t.store.hosts.ask(r.Number, r.Asking)
		b.undo = append(b.undo, func() { t.store.hosts.ask(r.Number, !r.Asking) })
	}
}

// hotOf is the small record of a seed; was is nil for a new one.
func hotOf(r *engine.Seed, was *hot, now int64) (is hot) {
	if was != nil {
		is = *was
	}
	is.state, is.last, is.stage, is.fence, is.due, is.priority = r.State, r.Last, r.Stage, r.Fence, r.Due, r.Priority
	is.tries = uint16(min(r.Tries, math.MaxUint16))
	is.crashes, is.failures = uint8(min(r.Crashes, math.MaxUint8)), uint8(min(r.Failures, math.MaxUint8))
	is.revision, is.parent, is.host = uint32(r.Revision), r.Parent, hostOfKey(r.Host)
	for _, flag := range [...]struct {
		is   bool
		flag uint8
	}{
		{r.Relative, isRelative}, {r.Fragment, isFragment}, {r.Fetchable, isFetchable}, {r.Clean, isClean}, {r.Gone, isGone},
		{r.State.IsReady() && r.Queue != engine.QueueNone && r.Due > now, isWaiting},
	} {
		is.set(flag.flag, flag.is)
	}
	return is
}

// listAlike moves a seed in the index of those whose wash holds for any URI. One that had no clean file was in none.
func (t *tx) listAlike(r *engine.Seed, was *hot) {
	var old []byte
	if was != nil && (was.is(isServed) || was.state == seedlist.Parsed) {
		if c, err := t.cold(r.Number); err == nil {
			old = alike(&c.Record)
		}
	}
	t.batch.list(r.Number, old, alikeKey(r.Alike))
}

// erase removes the record of a seed, and what is found by it.
func (t *tx) erase(r *engine.Seed) {
	b := t.batch
	key := appendNumber(nil, r.Number)
	was, ok := b.hot(r.Number)
	c, err := b.cold(r.Number)
	if err == nil {
		b.list(r.Number, alike(&c.Record), nil)
		b.unalias(&c)
	}
	if ok {
		b.place(r.Number, &was, nil)
		b.restChanged(&was, nil)
	} else {
		b.delete(inHot, key)
	}
	b.delete(inCold, key)
	raw, _ := hex.DecodeString(r.Hash)
	if b.number(r.Hash) == r.Number {
		b.delete(inSeeds, raw)
	}
	b.delete(inChildren, key)
	if t.store.hosts.isAsked(r.Number) {
		t.store.hosts.ask(r.Number, false)
		b.undo = append(b.undo, func() { t.store.hosts.ask(r.Number, true) })
	}
	if parent := r.Parent; parent != 0 {
		b.delete(inChildren, append(appendNumber(nil, parent), key...))
		b.add(inChildren, appendNumber(nil, parent), -1, true)
	}
	b.deleteAttempts(key)
	listed := b.keys(inListed, key, math.MaxInt, nil)
	for _, by := range listed {
		b.delete(inListings, append(bytes.Clone(by[8:]), key...))
	}
	b.deleteKeys(inListed, listed)
}

func (t *tx) writeLinks(w *engine.Writes) {
	for i := range w.Links {
		t.writeLink(&w.Links[i], true, w.Catalogs)
	}
	for i := range w.Unlinks {
		t.writeLink(&w.Unlinks[i], false, w.Catalogs)
	}
}

// writeLink writes a link, or removes it.
func (t *tx) writeLink(l *engine.Link, isLinked bool, catalogs []*engine.Catalog) {
	b, which := t.batch, linksOf[l.Relation]
	key, back := appendNumber(appendNumber(nil, l.Of), l.To), appendNumber(appendNumber(nil, l.To), l.Of)
	was := b.get(which, key) != nil
	switch {
	case l.Relation == engine.Dirty && was == isLinked:
	case l.Relation == engine.Dirty && isLinked:
		b.put(inDirty, key, t.hashAt(l.To))
		b.add(inDirty, appendNumber(nil, l.Of), +1, false)
	case l.Relation == engine.Dirty:
		b.delete(inDirty, key)
		b.add(inDirty, appendNumber(nil, l.Of), -1, false)
	case !isLinked:
		b.delete(inListings, key)
		b.delete(inListed, back)
	default:
		b.put(inListings, key, listingValue(l.Harvest, l.Gone))
		if !was {
			b.put(inListed, back, t.hashOfCatalog(l.Of, catalogs))
		}
	}
}

// listingValue is what is stored of a seed's place in a catalog.
func listingValue(fence uint64, gone bool) []byte {
	value := binary.BigEndian.AppendUint64(nil, fence)
	if gone {
		return append(value, 1)
	}
	return append(value, 0)
}

// hashOfCatalog is the hash of a catalog, which may be about to be written.
func (t *tx) hashOfCatalog(id uint64, written []*engine.Catalog) []byte {
	hash := ""
	if at := slices.IndexFunc(written, func(c *engine.Catalog) bool { return c.Number == id }); at >= 0 {
		hash = written[at].Hash
	} else if c, err := t.catalog(id); err == nil {
		hash = c.Hash
	}
	raw, _ := hex.DecodeString(hash)
	return raw
}

func (t *tx) writeCatalog(c *engine.Catalog) {
	b, key := t.batch, appendNumber(nil, c.Number)
	raw, _ := hex.DecodeString(c.Hash)
	if c.Erased {
		b.delete(inCatalogs, key)
		b.delete(inCatalogKeys, raw)
		b.delete(inRefusals, key)
		b.deleteAttempts(key)
		return
	}
	b.putCatalog(c.Number, &c.Known)
	if c.IsNew {
		b.put(inCatalogKeys, raw, key)
	}
	if len(c.Refusals) > 0 {
		b.put(inRefusals, key, c.Refusals)
	} else if b.get(inRefusals, key) != nil {
		b.delete(inRefusals, key)
	}
}

// writeHost writes the settings of a host. How it is being asked is in memory.
func (t *tx) writeHost(h *engine.Host) {
	b := t.batch
	b.undo = append(b.undo, t.store.hosts.put(h))
	name := []byte(h.Settings.Host)
	if len(name) == 0 {
		return // nobody has set anything
	}
	if !engine.IsOwn(&h.Settings) {
		if b.get(inHostSettings, name) != nil {
			b.delete(inHostSettings, name)
		}
		return
	}
	data, err := seedlist.EncodeJSON(h.Settings)
	if err != nil && b.err == nil {
		b.err = err
	}
	if !bytes.Equal(b.get(inHostSettings, name), data) {
		b.put(inHostSettings, name, data)
	}
}

func (t *tx) writeEntry(e *engine.Entry, hashes map[string]uint64) {
	b := t.batch
	id := hashes[e.Hash]
	switch {
	case e.OfCatalog:
		id = b.catalogNumber(e.Hash)
	case id == 0:
		id = b.number(e.Hash)
	}
	n := e.Number
	if n == 0 {
		n = b.next(inLog)
	}
	key := appendNumber(nil, n)
	b.put(inLog, key, withSum(inLog, key, e.Data))
	b.put(inAttempts, appendNumber(appendNumber(nil, id), n), nil)
}

func (t *tx) writeMeta(meta map[string][]byte) {
	b := t.batch
	for name, data := range meta {
		n, _ := strconv.ParseUint(string(data), 10, 64)
		switch {
		case name == engine.MetaNumbers:
			b.fail(inHot, b.bucket(inHot).SetSequence(n))
			b.changed = true
		case name == engine.MetaAttempts:
			b.fail(inLog, b.bucket(inLog).SetSequence(n))
			b.changed = true
		case data == nil:
			b.delete(inMeta, copyingKey)
		default:
			b.put(inMeta, copyingKey, data)
		}
	}
}

// name lets the hash of a seed lead to it. It is no orphan any more.
func (b *batch) name(hash string, id uint64) {
	raw, _ := hex.DecodeString(hash)
	b.put(inSeeds, raw, appendNumber(nil, id))
	if b.get(inOrphans, raw) != nil {
		b.delete(inOrphans, raw)
	}
}
