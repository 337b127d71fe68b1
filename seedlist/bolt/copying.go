package bolt

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"laundromat/seedlist"
)

var _ seedlist.Copier = (*Store)(nil)

// copyingKey is where inMeta says how far a copy into this list has come.
var copyingKey = []byte("copying")

// Settle has nothing to do: one process holds the file, and what another held was given back when it was opened.
func (s *Store) Settle(ctx context.Context) error { return ctx.Err() }

// copyBuckets are the buckets that the rows of a part are read from.
var copyBuckets = map[seedlist.Part]int{
	seedlist.PartSeeds: inHot, seedlist.PartLinks: inDirty, seedlist.PartCatalogs: inCatalogs, seedlist.PartListings: inListings,
	seedlist.PartAttempts: inLog, seedlist.PartHosts: inHostSettings, seedlist.PartOrphans: inOrphans,
	seedlist.PartContexts: inContexts,
}

// Rows returns rows of a part that follow a place.
func (s *Store) Rows(ctx context.Context, part seedlist.Part, after seedlist.Place, limit int) (rows []seedlist.Row, err error) {
	viewErr := s.view(ctx, func(t *tables) error {
		switch part {
		case seedlist.PartSums:
			rows = t.sums(after, limit)
			return nil
		case seedlist.PartWashed:
			rows = t.washedRows(after, limit)
			return nil
		}
		which := copyBuckets[part]
		var row seedlist.Row
		var isRow bool
		t.scan(which, nil, behind(part, after), func(key, value []byte) bool {
			if row, isRow, err = t.row(part, key, value); err == nil && isRow {
				rows = append(rows, row)
			}
			return err == nil && len(rows) < limit
		})
		return nil
	})
	if err == nil {
		err = viewErr
	}
	return rows, err
}

// behind is the first key that may follow a place.
func behind(part seedlist.Part, after seedlist.Place) []byte {
	switch part {
	case seedlist.PartLinks, seedlist.PartListings:
		return append(appendNumber(appendNumber(nil, after.Number), after.Other), 0)
	case seedlist.PartHosts:
		return append([]byte(after.Name), 0)
	case seedlist.PartOrphans, seedlist.PartContexts:
		raw, _ := hex.DecodeString(after.Name)
		return append(raw, 0)
	}
	return appendNumber(nil, after.Number+1)
}

// row makes a row of an entry of a bucket.
func (t *tables) row(part seedlist.Part, key, value []byte) (row seedlist.Row, is bool, err error) {
	switch part {
	case seedlist.PartSeeds:
		row, err = t.seedRow(lastNumber(key))
		return row, true, err
	case seedlist.PartLinks:
		if len(key) != 16 {
			return row, false, nil // the number of links
		}
		row.Number, row.Other = binary.BigEndian.Uint64(key), lastNumber(key)
	case seedlist.PartCatalogs:
		row.Number = lastNumber(key)
		c, err := t.catalog(row.Number)
		if err != nil {
			return row, false, err
		}
		row.Hash, row.More = c.Hash, bytes.Clone(t.get(inRefusals, key))
		row.Data, err = c.Encode()
		return row, true, err
	case seedlist.PartListings:
		if len(key) != 16 || len(value) != 9 {
			return row, false, nil
		}
		row.Number, row.Other = binary.BigEndian.Uint64(key), lastNumber(key)
		row.Sums[0], row.Flag = int64(binary.BigEndian.Uint64(value)), value[8] != 0
	case seedlist.PartAttempts:
		return t.attemptRow(key, value)
	case seedlist.PartHosts:
		row.Name, row.Data = string(key), bytes.Clone(value)
	case seedlist.PartOrphans:
		row.Name = hex.EncodeToString(key)
		return row, t.number(row.Name) == 0, nil
	case seedlist.PartContexts:
		row.Name, row.Data, row.More = hex.EncodeToString(key), bytes.Clone(value), t.contextText(key)
	}
	return row, true, nil
}

func (t *tables) attemptRow(key, value []byte) (row seedlist.Row, is bool, err error) {
	row.Number = lastNumber(key)
	a, err := readAttempt(key, value, t.mayLackSums)
	if err != nil {
		return row, false, &seedlist.Damage{List: t.list, Place: fmt.Sprintf("entry %d of the log", row.Number), Why: err.Error(),
			Lost: "an attempt"}
	}
	said, _ := checkSum(inLog, key, value, t.mayLackSums)
	row.Hash, row.Data = a.Seed, bytes.Clone(said)
	// A URI may be a seed and a catalog: the index says which of them it is of.
	if id := t.catalogNumber(a.Seed); id != 0 {
		row.Flag = t.bucket(inAttempts).Get(append(appendNumber(nil, id), key...)) != nil
	}
	if !row.Flag {
		id := t.number(a.Seed)
		is = id != 0 && t.bucket(inAttempts).Get(append(appendNumber(nil, id), key...)) != nil
	}
	return row, is || row.Flag, nil
}

func (t *tables) seedRow(id uint64) (row seedlist.Row, err error) {
	key := appendNumber(nil, id)
	h, err := readHot(key, t.get(inHot, key), t.mayLackSums)
	if err != nil {
		return row, t.damageOf(id, "the state of record", err)
	}
	c, err := t.cold(id)
	if err == seedlist.ErrNotFound {
		err = t.damageOf(id, "record", errAbsent)
	}
	if err != nil {
		return row, err
	}
	said, _ := t.record(inCold, key)
	_, isArchive := t.total(inChildren, id)
	row = seedlist.Row{Place: seedlist.Place{Number: id}, Hash: c.Hash, Data: bytes.Clone(said), Moves: seedlist.Moves{
		State: h.state, Last: h.last, Stage: h.stage, Fence: h.fence, Tries: int(h.tries), Failures: int(h.failures),
		Crashes:  int(h.crashes),
		Priority: h.priority, Due: h.due, Relative: h.is(isRelative), Fragment: h.is(isFragment), Fetchable: h.is(isFetchable),
		Clean: h.is(isClean), Gone: h.is(isGone), IsArchive: isArchive, Parent: h.parent, Host: c.HostName(),
	}}
	if raw, _ := hex.DecodeString(c.Hash); c.URI != "" {
		if old := seedlist.OldKey(c.URI, c.Hash); old != nil && bytes.Equal(t.get(inOldKeys, old), raw) {
			row.Moves.OldKey = hex.EncodeToString(old)
		}
	}
	return row, nil
}

// washedRows are the sums by spans of time.
func (t *tables) washedRows(after seedlist.Place, limit int) (rows []seedlist.Row) {
	t.scan(inWashed, nil, nil, func(key, value []byte) bool {
		w := readWashed(value)
		row := seedlist.Row{Sums: [3]int64{w.Documents, w.Bytes, w.Statements}}
		row.Number, row.Name = uint64(readTime(key[1:])), string(seedlist.Spans()[key[0]])
		rows = append(rows, row)
		return true
	})
	return seedlist.Following(rows, after, limit)
}

// sums are what is derived from nothing.
func (t *tables) sums(after seedlist.Place, limit int) (rows []seedlist.Row) {
	add := func(name string, n int64) {
		rows = append(rows, seedlist.Row{Place: seedlist.Place{Name: name}, Sums: [3]int64{n}})
	}
	add(seedlist.SumAttempts, int64(t.bucket(inLog).Sequence()))
	add(seedlist.SumNumbers, int64(t.bucket(inHot).Sequence()))
	var unchanged int64
	if value := t.get(inCounts, []byte(countUnchanged)); len(value) == 8 {
		unchanged = int64(binary.BigEndian.Uint64(value))
	}
	add(seedlist.SumUnchanged, unchanged)
	return seedlist.Following(rows, after, limit)
}

// PutRows writes rows of a part.
func (s *Store) PutRows(ctx context.Context, part seedlist.Part, rows []seedlist.Row) error {
	if len(rows) == 0 {
		return nil
	}
	return s.do(ctx, func(b *batch) error {
		var c seedlist.Copying
		mark := b.get(inMeta, copyingKey)
		if mark != nil {
			if err := json.Unmarshal(mark, &c); err != nil {
				return err
			}
		}
		for i := range rows {
			if err := b.putRow(part, &rows[i]); err != nil {
				return fmt.Errorf("copy the %s: %w", part, err)
			}
		}
		if mark == nil {
			return nil
		}
		c.Part, c.At = part, rows[len(rows)-1].Place
		return b.putCopying(&c)
	})
}

func (b *batch) putCopying(c *seedlist.Copying) error {
	data, err := json.Marshal(c)
	if err == nil {
		b.put(inMeta, copyingKey, data)
	}
	return err
}

func (b *batch) putRow(part seedlist.Part, row *seedlist.Row) error {
	switch part {
	case seedlist.PartSeeds:
		return b.putSeedRow(row)
	case seedlist.PartLinks:
		raw, err := hex.DecodeString(b.hashOf(row.Other))
		if err != nil || len(raw) == 0 {
			return fmt.Errorf("no seed %d", row.Other)
		}
		b.put(inDirty, appendNumber(appendNumber(nil, row.Number), row.Other), raw)
		b.add(inDirty, appendNumber(nil, row.Number), +1, false)
	case seedlist.PartCatalogs:
		c, err := seedlist.DecodeCatalog(row.Data)
		if err != nil {
			return err
		}
		raw, _ := hex.DecodeString(c.Hash)
		key := appendNumber(nil, row.Number)
		b.putCatalog(row.Number, &c)
		b.put(inCatalogKeys, raw, key)
		if len(row.More) > 0 {
			b.put(inRefusals, key, row.More)
		}
	case seedlist.PartListings:
		c, err := b.catalog(row.Number)
		if err != nil {
			return err
		}
		raw, _ := hex.DecodeString(c.Hash)
		b.put(inListings, appendNumber(appendNumber(nil, row.Number), row.Other), listingValue(uint64(row.Sums[0]), row.Flag))
		b.put(inListed, appendNumber(appendNumber(nil, row.Other), row.Number), raw)
	case seedlist.PartAttempts:
		id := b.number(row.Hash)
		if row.Flag {
			id = b.catalogNumber(row.Hash)
		}
		if id == 0 {
			return fmt.Errorf("no record %s, which an attempt is of", row.Hash)
		}
		key := appendNumber(nil, row.Number)
		b.put(inLog, key, withSum(inLog, key, row.Data))
		b.put(inAttempts, append(appendNumber(nil, id), key...), nil)
	case seedlist.PartHosts:
		var settings seedlist.HostSettings
		if err := json.Unmarshal(row.Data, &settings); err != nil {
			return err
		}
		b.put(inHostSettings, []byte(row.Name), row.Data)
		b.done = append(b.done, func() { b.store.hosts.set(settings) })
	case seedlist.PartOrphans:
		raw, err := hex.DecodeString(row.Name)
		if err != nil {
			return err
		}
		b.put(inOrphans, raw, nil)
	case seedlist.PartContexts:
		raw, err := hex.DecodeString(row.Name)
		if err != nil {
			return err
		}
		b.putContext(raw, row.Data, row.More)
	case seedlist.PartWashed:
		value := make([]byte, 0, washedSize)
		for _, n := range row.Sums {
			value = binary.BigEndian.AppendUint64(value, uint64(n))
		}
		b.put(inWashed, washedKey(slices.Index(seedlist.Spans(), seedlist.Span(row.Name)), time.Unix(int64(row.Number), 0)), value)
	case seedlist.PartSums:
		b.putSum(row.Name, row.Sums[0])
	}
	return nil
}

func (b *batch) putSum(name string, n int64) {
	switch name {
	case seedlist.SumAttempts:
		b.fail(inLog, b.bucket(inLog).SetSequence(uint64(n)))
	case seedlist.SumNumbers:
		b.fail(inHot, b.bucket(inHot).SetSequence(uint64(n)))
	case seedlist.SumUnchanged:
		b.deltas[countUnchanged] += n
	}
	b.changed = true
}

func (b *batch) putSeedRow(row *seedlist.Row) error {
	c, err := seedlist.DecodeStored(row.Data)
	if err != nil {
		return err
	}
	m, id, now := &row.Moves, row.Number, b.now.UnixNano()
	h := hot{
		state: m.State, last: m.Last, stage: m.Stage, crashes: uint8(min(m.Crashes, 255)), failures: uint8(min(m.Failures, 255)),
		tries: uint16(min(m.Tries, 1<<16-1)),
		fence: m.Fence, due: m.Due, priority: m.Priority, revision: 1, parent: m.Parent,
	}
	for _, flag := range []struct {
		is   bool
		flag uint8
	}{
		{m.Relative, isRelative}, {m.Fragment, isFragment}, {m.Fetchable, isFetchable}, {m.Clean, isClean}, {m.Gone, isGone},
		{c.ServedClean() != "", isServed},
		{m.State.IsReady() && !m.Relative && !m.Fragment && m.Due > now, isWaiting},
	} {
		h.set(flag.flag, flag.is)
	}
	if m.Fetchable || m.Fragment {
		h.host = hostKey(m.Host)
	}
	b.putCold(id, row.Data, nil)
	if m.Clean {
		tallyClean(&c, b.deltas, +1)
	} else {
		tally(&c, b.deltas, +1)
	}
	b.name(row.Hash, id)
	b.save(id, nil, &h)
	b.list(id, nil, alike(&c.Record))
	raw, _ := hex.DecodeString(row.Hash)
	if old, _ := hex.DecodeString(m.OldKey); len(old) > 0 {
		b.put(inOldKeys, old, raw)
	}
	if m.IsArchive {
		b.add(inChildren, appendNumber(nil, id), 0, true)
	}
	if m.Parent != 0 {
		b.put(inChildren, appendNumber(appendNumber(nil, m.Parent), id), raw)
		b.add(inChildren, appendNumber(nil, m.Parent), +1, true)
	}
	return nil
}

// Came is where PutRows has come to.
func (s *Store) Came(ctx context.Context) (c *seedlist.Copying, err error) {
	err = s.view(ctx, func(t *tables) error {
		data := t.get(inMeta, copyingKey)
		if data == nil {
			return nil
		}
		c = new(seedlist.Copying)
		return json.Unmarshal(data, c)
	})
	return c, err
}

// SetCopying begins or ends a copy.
func (s *Store) SetCopying(ctx context.Context, c *seedlist.Copying) error {
	return s.do(ctx, func(b *batch) error {
		if c == nil {
			b.delete(inMeta, copyingKey)
			return nil
		}
		return b.putCopying(c)
	})
}
