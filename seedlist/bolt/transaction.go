package bolt

import (
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"time"

	"laundromat/seedlist"
	"laundromat/seedlist/engine"
)

var (
	_ engine.Store = (*Store)(nil)
	_ engine.Tx    = (*tx)(nil)
)

// tx is a transaction as the engine sees it.
type tx struct {
	*tables
	store *Store
	batch *batch // nil: it only reads
}

// View looks at the list as it is at one moment.
func (s *Store) View(ctx context.Context, _ bool, look func(engine.Tx) error) error {
	return s.view(ctx, func(t *tables) error { return look(&tx{tables: t, store: s}) })
}

// Do runs an operation in the next batch. Completions and claims, which look for what was changed before them, share a
// session; any other has one of its own.
func (s *Store) Do(ctx context.Context, o *engine.Op) error {
	return s.await(ctx, &operation{late: o.Late, volatile: o.Volatile, run: func(b *batch) error {
		shares := o.Shared || o.Late
		if !shares {
			b.endSession()
			defer b.endSession()
		}
		if b.session == nil {
			b.session = s.Begin(&tx{tables: &b.tables, store: s, batch: b})
		}
		if err := b.session.Run(o); err != nil {
			if b.err == nil { // nothing of the batch may stay: the others run again without this one
				b.err, b.isRefused = err, !o.Changed
			}
			return err
		}
		return o.Err
	}})
}

// endSession writes what the session of the batch has changed.
func (b *batch) endSession() {
	if b.session == nil || b.err != nil {
		return
	}
	if _, err := b.session.Finish(); err != nil && b.err == nil {
		b.err = err
	}
	b.done = append(b.done, b.session.Committed)
	b.session = nil
}

// Now is the machine's clock.
func (s *Store) Now() time.Time { return time.Now() }

// Holder is nobody: one process has the file.
func (s *Store) Holder() string { return "" }

// HostKey is half of the MD5 of the name of a host, as the indices have it.
func (s *Store) HostKey(name string) string { return keyOfHost(hostKey(name)) }

func keyOfHost(host uint64) string {
	if host == 0 {
		return ""
	}
	return string(appendNumber(nil, host))
}

func hostOfKey(key string) uint64 {
	if len(key) != 8 {
		return 0
	}
	return lastNumber([]byte(key))
}

// Seeds are those of some numbers and of some hashes, without their documents.
func (t *tx) Seeds(numbers []uint64, hashes []string, old bool) (found []*engine.Seed, err error) {
	err = t.guarded(func() error {
		found, err = t.seeds(numbers, hashes, old)
		return err
	})
	return found, err
}

func (t *tx) seeds(numbers []uint64, hashes []string, old bool) (found []*engine.Seed, err error) {
	seen := make(map[uint64]bool, len(numbers)+len(hashes))
	add := func(id uint64, hash string) {
		if id == 0 || seen[id] {
			return
		}
		seen[id] = true
		if r := t.seedAt(id); r != nil {
			r.Hash = cmp.Or(hash, r.Hash)
			found = append(found, r)
		}
	}
	for _, hash := range hashes { // first: they say more
		if id := t.number(hash); id != 0 {
			add(id, hash)
		} else if old {
			if id := t.find(hash); id != 0 {
				if r := t.seedAt(id); r != nil && !seen[id] {
					seen[id] = true
					found = append(found, r)
					err = errors.Join(err, t.Documents(r)) // its hash is another
				}
			}
		}
	}
	for _, id := range numbers {
		add(id, "")
	}
	return found, err
}

// seedAt is the seed of a number, without its document; nil if there is none.
func (t *tx) seedAt(id uint64) *engine.Seed {
	h, is, damage := t.standing(id)
	switch {
	case damage != nil:
		return &engine.Seed{Number: id, Hash: damage.Hash, Damage: damage}
	case !is:
		return nil
	}
	return t.seedOf(id, &h)
}

// seedOf is a seed with the small record of a number.
func (t *tx) seedOf(id uint64, h *hot) *engine.Seed {
	r := &engine.Seed{Number: id, Hot: h.moves()}
	r.Host = keyOfHost(h.host)
	if h.last != "" || h.state != seedlist.Added && h.state != seedlist.Downloading && !r.Clean {
		_, r.IsArchive = t.total(inChildren, id)
	}
	r.Asking = h.state == seedlist.Downloading && t.store.hosts.isAsked(id)
	if r.Queue = engine.QueueOf(&r.Hot); h.is(isDamaged) {
		r.Queue = engine.QueueNone
	}
	r.Saved = r.Hot
	return r
}

// Documents fills in the larger records of seeds.
func (t *tx) Documents(seeds ...*engine.Seed) error {
	for _, r := range seeds {
		if r.Data != nil || r.Damage != nil {
			continue
		}
		if err := t.guarded(func() error { return t.document(r) }); err != nil {
			if r.Data, r.Damage = nil, t.damageOf(inCold, r.Number, cmp.Or(onPage(err), err)); r.Hash == "" {
				r.Hash = r.Damage.Hash
			}
		}
	}
	return nil
}

func (t *tx) document(r *engine.Seed) error {
	key := appendNumber(nil, r.Number)
	said, err := checkSum(inCold, key, t.get(inCold, key))
	if err != nil {
		return err
	}
	if r.Data = bytes.Clone(said); r.Hash == "" {
		r.Hash, err = hashIn(r.Data)
	}
	return err
}

// hashIn is the hash that a larger record begins with.
func hashIn(data []byte) (string, error) {
	const begin, digits = `{"hash":"`, 2 * hashSize
	if len(data) > len(begin)+digits && string(data[:len(begin)]) == begin && data[len(begin)+digits] == '"' {
		return string(data[len(begin) : len(begin)+digits]), nil
	}
	c, err := seedlist.DecodeStored(data)
	return c.Hash, err
}

// hashAt is the hash of a seed as an index has it; nil if it can't be read.
func (t *tx) hashAt(id uint64) []byte {
	r := &engine.Seed{Number: id}
	if err := t.Documents(r); err != nil || r.Damage != nil {
		return nil
	}
	raw, _ := hex.DecodeString(r.Hash)
	return raw
}
