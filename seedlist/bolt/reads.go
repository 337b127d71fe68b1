package bolt

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"slices"
	"strconv"
	"time"

	"laundromat/seedlist"
	"laundromat/seedlist/engine"
)

// Links are those of seeds and catalogs.
func (t *tx) Links(q engine.LinkQuery) (links []engine.Link, totals map[uint64]int64, err error) {
	err = t.guarded(func() error {
		links, totals = t.links(&q)
		return nil
	})
	return links, totals, err
}

func (t *tx) links(q *engine.LinkQuery) (links []engine.Link, totals map[uint64]int64) {
	totals = map[uint64]int64{}
	if q.Of == nil {
		t.scan(linksOf[q.Relation], nil, append(appendNumber(appendNumber(nil, q.AfterOf), q.After), 0), func(key, value []byte) bool {
			if len(key) == 16 {
				links = append(links, linkOf(q.Relation, key, value))
			}
			return len(links) < q.Most
		})
		return links, totals
	}
	for _, of := range q.Of {
		if q.Totals {
			totals[of] = t.totalOf(q, of)
		}
		links = append(links, t.linksOf(q, of)...)
	}
	return links, totals
}

// linksOf are the buckets of relations.
var linksOf = map[engine.Relation]int{
	engine.Children: inChildren, engine.Dirty: inDirty, engine.Listed: inListed, engine.Listings: inListings,
}

// linkOf reads an entry of one of them.
func linkOf(relation engine.Relation, key, value []byte) engine.Link {
	l := engine.Link{Relation: relation, Of: binary.BigEndian.Uint64(key), To: lastNumber(key)}
	if relation == engine.Listings && len(value) == 9 {
		l.Harvest, l.Gone = binary.BigEndian.Uint64(value), value[8] != 0
	} else if relation != engine.Listings {
		l.Hash = hex.EncodeToString(value)
	}
	return l
}

// linksOf are the links of one of those that are asked for.
func (t *tx) linksOf(q *engine.LinkQuery, of uint64) (links []engine.Link) {
	add := func(key, value []byte) bool {
		if len(key) != 16 {
			return true
		}
		l := linkOf(q.Relation, key, value)
		switch {
		case q.Relation == engine.Listed:
			if value := t.get(inListings, append(appendNumber(nil, l.To), key[:8]...)); len(value) == 9 {
				l.Harvest, l.Gone = binary.BigEndian.Uint64(value), value[8] != 0
			}
		case q.Relation == engine.Children && q.Gone != nil:
			h, _ := t.hot(l.To)
			l.Gone = h.is(isGone)
		case q.Relation == engine.Listings && q.Hashes:
			l.Hash = hex.EncodeToString(t.hashAt(l.To))
		}
		if q.Gone == nil || l.Gone == *q.Gone {
			if l.Harvest >= q.From && (q.Before == 0 || l.Harvest < q.Before) {
				links = append(links, l)
			}
		}
		return len(links) < q.Most
	}
	which, prefix := linksOf[q.Relation], appendNumber(nil, of)
	if q.Among == nil {
		t.scan(which, prefix, append(appendNumber(bytes.Clone(prefix), q.After), 0), add)
		return links
	}
	for _, to := range slices.Sorted(slices.Values(q.Among)) {
		key := appendNumber(bytes.Clone(prefix), to)
		if value := t.get(which, key); value != nil && to > q.After && !add(key, value) {
			break
		}
	}
	return links
}

// totalOf is how many links one has.
func (t *tx) totalOf(q *engine.LinkQuery, of uint64) int64 {
	if q.Relation == engine.Children || q.Relation == engine.Dirty {
		total, _ := t.total(linksOf[q.Relation], of)
		return total
	}
	all := *q
	all.After, all.Among, all.Most, all.Hashes = 0, nil, 1<<62, false
	return int64(len(t.linksOf(&all, of)))
}

// Unrest are those of some seeds that have something below them that moves.
func (t *tx) Unrest(of []uint64) (moving []uint64, err error) {
	for _, id := range of {
		if h, ok := t.hot(id); ok && h.open > 0 {
			moving = append(moving, id)
		}
	}
	return moving, nil
}

// Scan are seeds after a number, oldest first, with documents.
func (t *tx) Scan(f engine.Scan, after uint64, most int) (found []*engine.Seed, err error) {
	which, prefix := inHot, []byte(nil)
	switch {
	case f.Parent != 0:
		which, prefix = inChildren, appendNumber(nil, f.Parent)
	case f.State != "":
		which, prefix = inStates, []byte{f.State.Number()}
	case f.Alike != "":
		if which, prefix = inAlike, alikeKey(f.Alike); prefix == nil {
			return nil, nil
		}
	}
	scan := func() error {
		t.scan(which, prefix, appendNumber(bytes.Clone(prefix), after+1), func(key, _ []byte) bool {
			after = lastNumber(key)
			var r *engine.Seed
			if r, err = t.scanned(&f, after); r != nil {
				found = append(found, r)
			}
			return err == nil && len(found) < most
		})
		return err
	}
	if !f.Beyond {
		err = scan()
		return found, err
	}
	for len(found) < most && after < nothingBehind {
		err = guarded(t.list, scan)
		var damage *seedlist.Damage
		if !errors.As(err, &damage) {
			return found, err
		}
		if after, damage, err = t.beyond(which, prefix, after, damage); err != nil {
			return found, err
		}
		found = append(found, &engine.Seed{Number: after, Damage: damage})
	}
	return found, nil
}

// scanned is a seed that is scanned, with its document; nil if it is none of those. One that can't be read is, whatever
// it is.
func (t *tx) scanned(f *engine.Scan, id uint64) (*engine.Seed, error) {
	var r *engine.Seed
	find := func() error {
		r = t.seedAt(id)
		return nil
	}
	if !f.Beyond {
		_ = find()
	} else if damage := onPage(guarded(t.list, find)); damage != nil {
		r = &engine.Seed{Number: id, Damage: t.damageOf(inCold, id, damage)}
		r.Hash = r.Damage.Hash
	}
	switch {
	case r == nil || r.Damage != nil:
		return r, nil
	case f.State != "" && r.State != f.State, f.Relative != nil && r.Relative != *f.Relative, f.Host != "" && !t.isOfHost(r, f.Host):
		return nil, nil
	}
	if err := t.Documents(r); err != nil || f.Alike != "" && (r.Damage != nil || !isAlike(r.Data, f.Alike)) {
		return nil, err
	}
	if f.OldKeys {
		r.OldKey = t.oldKeyOf(r)
	}
	return r, nil
}

// isOfHost says that a seed, or the root of a member of an archive, has a host.
func (t *tx) isOfHost(r *engine.Seed, host string) bool {
	if r.Parent == 0 {
		return r.Host == host && !r.Relative
	}
	archive, ok := t.hot(r.Parent)
	for ok && archive.parent != 0 {
		archive, ok = t.hot(archive.parent)
	}
	return ok && keyOfHost(archive.host) == host && !archive.is(isRelative)
}

// isAlike says that a record has bytes of a SHA-256: the index has half of it.
func isAlike(data []byte, sum string) bool { return bytes.Contains(data, []byte(`"`+sum+`"`)) }

// oldKeyOf is the identifier of 2018 that leads to a seed; "" for none.
func (t *tx) oldKeyOf(r *engine.Seed) string {
	if r.Data == nil || !r.Fetchable && !r.Fragment && !r.Relative {
		return ""
	}
	c, err := seedlist.DecodeStored(r.Data)
	if err != nil {
		return ""
	}
	raw, _ := hex.DecodeString(r.Hash)
	if old := seedlist.OldKey(c.URI, r.Hash); old != nil && bytes.Equal(t.get(inOldKeys, old), raw) {
		return hex.EncodeToString(old)
	}
	return ""
}

// Catalogs are those that a query asks for.
func (t *tx) Catalogs(q engine.CatalogQuery) (found []*engine.Catalog, err error) {
	add := func(id uint64) bool {
		var known seedlist.Catalog
		if known, err = t.catalog(id); err != nil {
			if err == seedlist.ErrNotFound {
				err = nil
			}
			return err == nil
		}
		c := &engine.Catalog{Number: id, Hash: known.Hash, Known: known}
		c.Refusals = bytes.Clone(t.get(inRefusals, appendNumber(nil, id)))
		found = append(found, c)
		return q.Most <= 0 || len(found) < q.Most
	}
	ids := slices.Clone(q.Numbers)
	if q.Hash != "" {
		ids = append(ids, t.catalogNumber(q.Hash))
	}
	if !q.Due.IsZero() {
		if id, at := t.nextCatalog(); !at.After(q.Due) {
			ids = append(ids, id)
		}
	}
	if q.IsAll || q.Left || !q.Moving.IsZero() {
		t.scan(inCatalogs, nil, appendNumber(nil, q.After+1), func(key, value []byte) bool {
			status, due := catalogStanding(value)
			isAtWork := status == seedlist.CatalogHarvesting
			isMoving := isAtWork || status == seedlist.CatalogWaiting || !due.IsZero() && !due.After(q.Moving)
			is := q.IsAll || q.Left && isAtWork && !t.store.isBegun.Load() || !q.Moving.IsZero() && isMoving
			return !is || add(lastNumber(key))
		})
	}
	for at, id := range ids {
		if id != 0 && !slices.Contains(ids[:at], id) && !add(id) {
			break
		}
	}
	return found, err
}

// Log are entries of the log.
func (t *tx) Log(of []string, after uint64, most int) (all []engine.Entry, err error) {
	if of == nil {
		t.scan(inLog, nil, appendNumber(nil, after+1), func(key, value []byte) bool {
			var row seedlist.Row
			var is bool
			if row, is, err = t.attemptRow(key, value); err == nil && is {
				all = append(all, engine.Entry{Number: row.Number, Hash: row.Hash, OfCatalog: row.Flag, Data: row.Data})
			}
			return err == nil && len(all) < most
		})
		return all, err
	}
	for _, hash := range of {
		all = append(all, t.logOf(hash, t.number(hash), false, after, most)...)
		all = append(all, t.logOf(hash, t.catalogNumber(hash), true, after, most)...)
	}
	slices.SortFunc(all, func(a, b engine.Entry) int { return cmp.Compare(a.Number, b.Number) })
	return all, nil
}

// logOf are the last entries of one seed or catalog.
func (t *tx) logOf(hash string, id uint64, isCatalog bool, after uint64, most int) (all []engine.Entry) {
	if id == 0 {
		return nil
	}
	var numbers []uint64
	t.scan(inAttempts, appendNumber(nil, id), nil, func(key, _ []byte) bool {
		if n := lastNumber(key); n > after {
			numbers = append(numbers, n)
		}
		return true
	})
	for _, n := range numbers[max(0, len(numbers)-most):] {
		key := appendNumber(nil, n)
		record := t.get(inLog, key)
		if _, err := readAttempt(key, record); err != nil {
			damage := recordDamage(t.list, inLog, n, err)
			damage.Lost += " of the seed " + hash
			t.store.met(damage)
			continue
		}
		said, _ := checkSum(inLog, key, record)
		all = append(all, engine.Entry{Number: n, Hash: hash, OfCatalog: isCatalog, Data: bytes.Clone(said)})
	}
	return all
}

// Changes are those of the feed after a revision.
func (t *tx) Changes(after uint64, most int) (all []seedlist.Change, first, last uint64, err error) {
	last = t.lastRevision()
	first = last + 1
	t.scan(inChanges, nil, nil, func(key, value []byte) bool {
		first = lastNumber(key) + 1 - uint64(len(readChanges(nil, key, value)))
		return false
	})
	if most <= 0 || after+1 < first || after >= last {
		return nil, first, last, nil
	}
	t.scan(inChanges, nil, appendNumber(nil, after+1), func(key, value []byte) bool {
		all = readChanges(all, key, value)
		return len(all)-maxChanges < most
	})
	all = slices.DeleteFunc(all, func(c seedlist.Change) bool { return c.Revision <= after })
	return all[:min(len(all), most)], first, last, nil
}

// Washed are the sums of a span.
func (t *tx) Washed(span seedlist.Span, from, to time.Time) (all []seedlist.Washed, err error) {
	which := slices.Index(seedlist.Spans(), span)
	if which < 0 {
		return nil, nil
	}
	t.scan(inWashed, []byte{byte(which)}, nil, func(key, value []byte) bool {
		w := readWashed(value)
		w.Begin = time.Unix(readTime(key[1:]), 0).UTC()
		if to.IsZero() || !w.Begin.Before(from) && w.Begin.Before(to) {
			all = append(all, w)
		}
		return to.IsZero() || w.Begin.Before(to)
	})
	return all, nil
}

// Orphans are hashes without a record.
func (t *tx) Orphans(q engine.OrphanQuery) (all []string, err error) {
	if q.Taken != nil {
		return nil, nil // nobody writes files while this process sweeps
	}
	raw, _ := hex.DecodeString(q.After)
	if q.After != "" {
		raw = append(raw, 0)
	}
	t.scan(inOrphans, nil, raw, func(key, _ []byte) bool {
		if len(all) >= q.Most {
			return false
		}
		if hash := hex.EncodeToString(key); t.number(hash) == 0 { // older versions could leave one with a record
			all = append(all, hash)
		}
		return true
	})
	return all, nil
}

// Items are contexts of JSON-LD, whose keys are kept as bytes, or rows about recipes.
func (t *tx) Items(q engine.ItemQuery) (all []engine.Item, err error) {
	which := inRecipes
	if q.Kind == engine.Contexts {
		which = inContexts
	}
	add := func(key, data []byte) bool {
		i := engine.Item{Kind: q.Kind, Key: string(key), Data: bytes.Clone(data)}
		if q.Kind == engine.Contexts {
			i.Key = hex.EncodeToString(key)
		}
		if q.Texts {
			i.Text = t.contextText(key)
		}
		all = append(all, i)
		return len(all) < q.Most
	}
	for _, name := range q.Keys {
		key := itemKey(q.Kind, name)
		if data := t.get(which, key); data != nil && len(all) < q.Most {
			add(key, data)
		}
	}
	if q.Keys != nil || q.Most <= 0 {
		return all, nil
	}
	var from []byte
	if q.After != "" {
		from = append(itemKey(q.Kind, q.After), 0)
	}
	t.scan(which, []byte(q.Prefix), from, add)
	return all, nil
}

// itemKey is the key of an item as it is kept.
func itemKey(kind engine.ItemKind, name string) []byte {
	if kind == engine.Recipes {
		return []byte(name)
	}
	key, _ := hex.DecodeString(name)
	return key
}

// Meta is what was written of a name.
func (t *tx) Meta(name string) ([]byte, error) {
	switch name {
	case engine.MetaNumbers:
		return strconv.AppendUint(nil, t.bucket(inHot).Sequence(), 10), nil
	case engine.MetaAttempts:
		return strconv.AppendUint(nil, t.bucket(inLog).Sequence(), 10), nil
	}
	return bytes.Clone(t.get(inMeta, copyingKey)), nil
}

// Numbers are new numbers of seeds and catalogs.
func (t *tx) Numbers(n int) (numbers []uint64, err error) {
	for range n {
		numbers = append(numbers, t.batch.next(inHot))
	}
	return numbers, t.batch.err
}

// nextCatalog is the catalog that is due first; 0 if none ever is.
func (t *tables) nextCatalog() (id uint64, at time.Time) {
	t.scan(inCatalogs, nil, nil, func(key, value []byte) bool {
		status, due := catalogStanding(value)
		if status != seedlist.CatalogHarvesting && !due.IsZero() && (id == 0 || due.Before(at)) {
			id, at = lastNumber(key), due
		}
		return true
	})
	return id, at
}
