package bolt

import (
	"encoding/binary"
	"encoding/hex"
	"maps"
	"slices"
	"time"

	"laundromat/internal/digest"
	"laundromat/seedlist"
	"laundromat/seedlist/engine"
)

// writer collects what is to be written, and writes some of it at a time.
type writer struct {
	s     *salvage
	queue []func(*batch)
}

const mostQueued = 500

func (w *writer) add(write func(*batch)) error {
	if w.queue = append(w.queue, write); len(w.queue) < mostQueued {
		return nil
	}
	return w.flush()
}

func (w *writer) flush() error {
	if len(w.queue) == 0 {
		return nil
	}
	err := w.s.to.do(w.s.ctx, func(b *batch) error {
		for _, write := range w.queue {
			write(b)
		}
		return nil
	})
	w.queue = nil
	return err
}

// writeSeeds writes the seeds whose larger record can be read.
func (s *salvage) writeSeeds() error {
	// What an archive waits for, from the last to the first: an entry comes after its archive.
	for _, id := range slices.Backward(slices.Sorted(maps.Keys(s.hots))) {
		h := s.hots[id]
		if parent, ok := s.hots[h.parent]; ok && h.parent < id {
			if _, isThere := s.readable[id]; isThere && !s.readyAgain(h).atRest() {
				parent.open++
				s.hots[h.parent] = parent
			}
		}
	}
	// The first number reserves all that are taken, those of seeds that are lost, too.
	if err := s.to.do(s.ctx, func(b *batch) error {
		b.changed = true
		return b.bucket(inHot).SetSequence(s.highest)
	}); err != nil || s.source == nil {
		return err
	}
	w := writer{s: s}
	written := map[uint64]time.Time{}
	var failure error
	s.each(func(which int, e element, isStray bool) {
		if which != inCold || failure != nil {
			return
		}
		c, err := readStored(e.key, e.value)
		if err != nil {
			return
		}
		id := lastNumber(e.key)
		changed := latestOf(&c)
		if before, known := written[id]; known && (!isStray || !changed.After(before)) {
			return
		}
		_, again := written[id]
		written[id] = changed
		failure = w.add(func(b *batch) { s.writeSeed(b, id, &c, again) })
	})
	if failure == nil {
		failure = w.flush()
	}
	return failure
}

// latestOf is when a record was written last, as far as it says.
func latestOf(c *seedlist.Stored) time.Time {
	at := c.Added
	for _, t := range []time.Time{c.Retrieved, c.Processed} {
		if t.After(at) {
			at = t
		}
	}
	return at
}

// readyAgain is the small record of a seed as the new list has it, before the entries of an archive are counted
// in it.
func (s *salvage) readyAgain(h hot) *hot {
	h.set(isDamaged, false)
	if h.state.IsWorking() {
		now := time.Now().UnixNano()
		h.makeReady(h.state.Ready(), min(h.due, now), now)
	}
	return &h
}

func (s *salvage) writeSeed(b *batch, id uint64, c *seedlist.Stored, again bool) {
	if again {
		// Another version of the record was read before, on a page that is no longer in use.
		if was, ok := b.hot(id); ok {
			b.salvaged(id, &was, nil)
		}
		if old, err := b.cold(id); err == nil {
			tally(&old, b.deltas, -1)
		}
		s.sums.Seeds--
	} else if b.number(c.Hash) != 0 {
		return // a stray copy under another number
	}
	h, isKnown := s.hots[id]
	is := s.readyAgain(h)
	if !isKnown {
		is = s.restate(id, c)
	}
	switch {
	case again:
	case isKnown:
		s.sums.Whole++
	default:
		s.sums.Restated++
	}
	s.put(b, id, c, is)
}

// put writes a seed, but for its links.
func (s *salvage) put(b *batch, id uint64, c *seedlist.Stored, h *hot) {
	data, err := c.Encode()
	b.fail(inCold, err)
	key := appendNumber(nil, id)
	b.put(inCold, key, withSum(inCold, key, data))
	tally(c, b.deltas, +1)
	b.salvaged(id, nil, h)
	b.name(c.Hash, id)
	if raw, err := hex.DecodeString(c.Hash); c.URI != "" && err == nil {
		b.alias(seedlist.OldKey(c.URI, c.Hash), raw)
	}
	b.list(id, nil, alike(&c.Record))
	s.sums.Seeds++
}

// salvaged writes a small record, and counts it.
func (b *batch) salvaged(id uint64, was, is *hot) {
	b.changedSeed(id, was, is)
	b.place(id, was, is)
	if was != nil {
		was.tally(b.deltas, -1)
	}
	if is != nil {
		is.tally(b.deltas, +1)
	}
}

// restate derives the small record of a seed from the rest of the list.
func (s *salvage) restate(id uint64, c *seedlist.Stored) *hot {
	now := time.Now()
	h := hot{fence: s.fences[c.Hash] + 1, revision: 1}
	if isCleanRecord(c) {
		h.state, h.flags, h.fence = seedlist.Cleaned, isClean, 0
		return &h
	}
	if raw, _ := hex.DecodeString(c.Parent); len(raw) > 0 {
		h.parent = s.keys[string(raw)]
	}
	if u, err := seedlist.ParseURI(c.URI); c.URI != "" && err == nil {
		if _, isOfDocument := u.Document(); isOfDocument {
			h.flags = isFragment
		} else if u.Relative {
			h.flags = isRelative
		} else {
			h.flags, h.host = isFetchable, hostKey(u.Host)
		}
	}
	state := s.states[id]
	switch {
	case state.Number() != 0:
	case c.Error != nil && c.Error.Stage.IsWorking():
		state = seedlist.Failed
	case c.Clean != "":
		state = seedlist.Parsed
	case s.depleted[id]:
		state = seedlist.Depleted
	case c.Parent != "":
		state = seedlist.Filed
	default:
		state = seedlist.Added
	}
	switch {
	case state == seedlist.Failed && c.Error != nil && c.Error.Stage.IsWorking():
		h.stage = c.Error.Stage
	case state.IsWorking():
		state = state.Ready()
	}
	h.state = state
	switch {
	case h.is(isRelative) || h.is(isFragment):
		h.state = seedlist.Added
	case state.IsEnd():
		h.last = state
		if h.is(isFetchable) {
			h.due = engine.Nanoseconds(seedlist.DueAfter(c.Processed, c.Interval))
		}
	default:
		h.makeReady(state, now.UnixNano(), now.UnixNano())
	}
	return &h
}

// writeLost makes seeds again of which the key is known, and no larger record: by their URI, or
// as clean ones by their file.
func (s *salvage) writeLost() error {
	lost := map[uint64]string{} // number → hash; "" is not known
	for raw, id := range s.keys {
		if _, ok := s.readable[id]; !ok {
			lost[id] = hex.EncodeToString([]byte(raw))
		}
	}
	for _, ids := range []func(func(uint64) bool){keysOf(s.hots), keysOf(s.states)} {
		for id := range ids {
			if _, ok := s.readable[id]; !ok && lost[id] == "" {
				lost[id] = ""
			}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(lost)) {
		hash := lost[id]
		if hash != "" && s.isThere(hash) {
			continue // an index led astray
		}
		if hash == "" {
			if err := s.lose("seed", "", id, "its record and its key can't be read"); err != nil {
				return err
			}
			continue
		}
		isMade, err := s.remake(id, hash)
		if err != nil {
			return err
		}
		if !isMade {
			if err := s.lose("seed", hash, id, "its record can't be read, and no entry of the log names its URI"); err != nil {
				return err
			}
		}
	}
	return nil
}

// keysOf are the keys of a map.
func keysOf[V any](m map[uint64]V) func(func(uint64) bool) { return maps.Keys(m) }

func (s *salvage) isThere(hash string) (is bool) {
	_ = s.to.view(s.ctx, func(t *tables) error {
		is = t.number(hash) != 0
		return nil
	})
	return is
}

// remake makes a seed again of what is known of its hash; false if that is not enough. With id 0 it
// gets a new number.
func (s *salvage) remake(id uint64, hash string) (isMade bool, err error) {
	if clean, ok := s.cleanFile(hash); ok {
		err := s.to.do(s.ctx, func(b *batch) error {
			c := seedlist.Stored{Hash: clean.MD5, Record: seedlist.Record{Added: b.now, Content: clean, Format: "N-Quads"}}
			s.put(b, b.numberOr(id), &c, s.restate(0, &c))
			return nil
		})
		s.sums.FromFiles++
		return true, err
	}
	u, err := seedlist.ParseURI(s.uri(hash))
	if err != nil || u.Hash() != hash {
		return false, nil
	}
	now := time.Now()
	seed := seedlist.NewSeed{URI: u.Given}
	c := seed.Stored(u, now, &s.to.options)
	h := s.restate(0, &c)
	isFromFile := false
	if h.is(isFetchable) && s.options.Dirty != nil {
		if dirty, fence, ok := s.options.Dirty(hash); ok {
			c.Content, c.Fences.Dirty, isFromFile = dirty, fence, true
			h.makeReady(seedlist.Filed, now.UnixNano(), now.UnixNano())
		}
	}
	err = s.to.do(s.ctx, func(b *batch) error {
		if of, isOf := u.Document(); isOf && b.number(of.Hash()) == 0 {
			document := seed.Stored(of, now, &s.to.options)
			s.put(b, b.next(inHot), &document, s.restate(0, &document))
		}
		s.put(b, b.numberOr(id), &c, h)
		return nil
	})
	if isFromFile {
		s.sums.FromFiles++
	} else {
		s.sums.Refetched++
	}
	return true, err
}

func (b *batch) numberOr(id uint64) uint64 {
	if id == 0 {
		return b.next(inHot)
	}
	return id
}

func (s *salvage) cleanFile(hash string) (*digest.Content, bool) {
	if s.options.Clean == nil {
		return nil, false
	}
	return s.options.Clean(hash)
}

// writeFiles makes seeds of files that no record is of. These are clean ones, whose name is the sum of what they
// hold, and those as they were downloaded of which the URI is known.
func (s *salvage) writeFiles() error {
	if s.options.Files == nil {
		return nil
	}
	var without []string
	err := s.options.Files(func(hash string, isClean, isDirty bool) error {
		if (isClean || isDirty && s.uri(hash) != "") && !s.isThere(hash) {
			without = append(without, hash)
		}
		return nil
	})
	if err != nil {
		return err
	}
	slices.Sort(without)
	for _, hash := range slices.Compact(without) {
		if _, err := s.remake(0, hash); err != nil {
			return err
		}
	}
	return nil
}

// writeLinks links the entries with their archives, and the clean seeds with what they were washed from.
func (s *salvage) writeLinks() error {
	w := writer{s: s}
	for after := uint64(0); ; {
		var ids []uint64
		err := s.to.view(s.ctx, func(t *tables) error {
			t.scan(inCold, nil, appendNumber(nil, after+1), func(key, _ []byte) bool {
				ids = append(ids, lastNumber(key))
				return len(ids) < maxRows
			})
			return nil
		})
		if err != nil {
			return err
		}
		for _, id := range ids {
			if err := w.add(func(b *batch) { s.link(b, id) }); err != nil {
				return err
			}
			after = id
		}
		if len(ids) < maxRows {
			return w.flush()
		}
	}
}

func (s *salvage) link(b *batch, id uint64) {
	c, err := b.cold(id)
	if err != nil {
		return
	}
	raw, _ := hex.DecodeString(c.Hash)
	if c.Parent != "" {
		was, _ := b.hot(id)
		is := was
		if parent := b.number(c.Parent); parent != 0 {
			is.parent = parent
		}
		if is != was {
			b.salvaged(id, &was, &is)
		}
		if is.parent != 0 {
			b.put(inChildren, appendNumber(appendNumber(nil, is.parent), id), raw)
			b.add(inChildren, appendNumber(nil, is.parent), +1, true)
		}
	}
	for _, hash := range c.Cleans() {
		clean := b.number(hash)
		if clean == 0 {
			continue // its file is gone, too: verify tells of it
		}
		b.put(inDirty, appendNumber(appendNumber(nil, clean), id), raw)
		b.add(inDirty, appendNumber(nil, clean), +1, false)
	}
}

// writeCatalogs writes the catalogs, and which seeds they list.
func (s *salvage) writeCatalogs() error {
	w := writer{s: s}
	there, listed, gone := map[uint64]bool{}, map[uint64]int64{}, map[uint64]int64{}
	for key, value := range s.copied[inListings] {
		catalog, isListing := s.listing(key, value)
		if isListing && value[8] == 0 {
			listed[catalog]++
		} else if isListing {
			gone[catalog]++
		}
	}
	for key, record := range s.copied[inCatalogs] {
		id := lastNumber([]byte(key))
		c, err := readCatalog([]byte(key), record)
		if err != nil {
			if err := s.lose("catalog", "", id, "its record "+err.Error()); err != nil {
				return err
			}
			continue
		}
		there[id] = true
		c.Listed, c.Gone = listed[id], gone[id]
		raw, _ := hex.DecodeString(c.Hash)
		refusals := s.copied[inRefusals][key]
		s.sums.Catalogs++
		if err := w.add(func(b *batch) {
			if c.Status == seedlist.CatalogHarvesting {
				c.Status, c.Worker, c.Due = seedlist.CatalogWaiting, "", b.now.UTC()
			}
			b.putCatalog(id, &c)
			b.put(inCatalogKeys, raw, []byte(key))
			if len(refusals) > 0 {
				b.put(inRefusals, []byte(key), refusals)
			}
		}); err != nil {
			return err
		}
	}
	for key, value := range s.copied[inListings] {
		catalog, isListing := s.listing(key, value)
		if !isListing || !there[catalog] {
			continue
		}
		seed := lastNumber([]byte(key))
		if err := w.add(func(b *batch) {
			c, err := b.catalog(catalog)
			if err != nil {
				return
			}
			raw, _ := hex.DecodeString(c.Hash)
			b.put(inListings, []byte(key), value)
			b.put(inListed, appendNumber(appendNumber(nil, seed), catalog), raw)
			b.setSeedGone(seed)
		}); err != nil {
			return err
		}
	}
	return w.flush()
}

// listing is the catalog of an entry of the listings; false if it is none of a seed that is in the new list.
func (s *salvage) listing(key string, value []byte) (catalog uint64, is bool) {
	if len(key) != 16 || len(value) != 9 || !s.isNumbered(lastNumber([]byte(key))) {
		return 0, false
	}
	return binary.BigEndian.Uint64([]byte(key)), true
}

// isNumbered says that the new list has a seed of a number.
func (s *salvage) isNumbered(id uint64) (is bool) {
	_ = s.to.view(s.ctx, func(t *tables) error {
		_, is = t.hot(id)
		return nil
	})
	return is
}

// writeLog writes the attempts of the seeds and catalogs that are in the new list.
func (s *salvage) writeLog() error {
	if s.source == nil {
		return nil
	}
	w := writer{s: s}
	last := uint64(0)
	seen := map[uint64]bool{}
	var failure error
	s.each(func(which int, e element, isStray bool) {
		if which != inLog || failure != nil {
			return
		}
		a, err := readAttempt(e.key, e.value)
		n := lastNumber(e.key)
		if err != nil || isStray && seen[n] {
			return
		}
		seen[n] = isStray || s.source.headless != nil || seen[n]
		last = max(last, n)
		said, _ := checkSum(inLog, e.key, e.value)
		key, entry := appendNumber(nil, n), append([]byte(nil), said...)
		failure = w.add(func(b *batch) {
			id := b.number(a.Seed)
			if a.ParserName == "harvesting" || id == 0 {
				if catalog := b.catalogNumber(a.Seed); catalog != 0 {
					id = catalog
				}
			}
			if id == 0 {
				s.sums.LostAttempts++
				return
			}
			b.put(inLog, key, withSum(inLog, key, entry))
			b.put(inAttempts, appendNumber(appendNumber(nil, id), n), nil)
			s.sums.Attempts++
		})
	})
	if failure == nil {
		failure = w.add(func(b *batch) {
			b.fail(inLog, b.bucket(inLog).SetSequence(last))
			b.changed = true
		})
	}
	if failure == nil {
		failure = w.flush()
	}
	return failure
}

// writeRest writes settings of hosts, what is to be swept, and the count that nothing else says.
func (s *salvage) writeRest() error {
	return s.to.do(s.ctx, func(b *batch) error {
		for key, value := range s.copied[inHostSettings] {
			b.put(inHostSettings, []byte(key), value)
		}
		for key := range s.copied[inOrphans] {
			if len(key) == 16 && b.number(hex.EncodeToString([]byte(key))) == 0 {
				b.put(inOrphans, []byte(key), nil)
			}
		}
		s.writeContexts(b)
		s.writeRecipes(b)
		b.deltas[countUnchanged] += s.unchanged
		b.changed = true
		return nil
	})
}
