package bolt

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/hex"
	"fmt"

	"laundromat/seedlist"
)

var _ seedlist.RowSource = (*Store)(nil)

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
