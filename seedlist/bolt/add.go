package bolt

import (
	"context"
	"encoding/hex"
	"slices"
	"time"

	"laundromat/seedlist"
)

// Add puts seeds into the list and answers for each, in order. A seed that is
// there already stays as it is: that is no error. What is no URI gets a
// [*seedlist.URIError] and costs only itself. The second error is the store's: what was
// added before it stays, and adding all again does no harm.
func (s *Store) Add(ctx context.Context, seeds []seedlist.NewSeed) ([]seedlist.Addition, error) {
	added := make([]seedlist.Addition, len(seeds))
	for start := 0; start < len(seeds); start += maxBatch {
		end := min(start+maxBatch, len(seeds))
		if err := s.addBatch(ctx, seeds[start:end], added[start:end]); err != nil {
			return added, err
		}
	}
	return added, nil
}

// newRecords makes the records of seeds; added says of each what its key is, or why it
// is refused.
func (s *Store) newRecords(seeds []seedlist.NewSeed, added []seedlist.Addition, now time.Time) []newRecord {
	records := make([]newRecord, len(seeds))
	for i, seed := range seeds {
		u, err := seedlist.ParseURI(seed.URI)
		if err == nil {
			added[i] = seedlist.Addition{Hash: u.Hash(), Relative: u.Relative}
			if document, ok := u.Document(); ok {
				added[i].Document = document.Hash()
			}
			records[i], err = s.newSeed(u, seed, now)
		}
		added[i].Err = err
	}
	return records
}

func (s *Store) addBatch(ctx context.Context, seeds []seedlist.NewSeed, added []seedlist.Addition) error {
	now := time.Now()
	records := s.newRecords(seeds, added, now)
	return s.do(ctx, func(b *batch) error {
		for i := range records {
			if added[i].Err != nil {
				continue
			}
			added[i].New = b.number(added[i].Hash) == 0
			if added[i].New {
				b.create(records[i])
			} else {
				b.createDocument(&records[i])
				b.alias(records[i].old, records[i].hash)
			}
		}
		return nil
	})
}

// newRecord is a seed that has no number yet.
type newRecord struct {
	hash   string
	hot    hot
	cold   []byte
	counts map[string]int64 // of the cold record
	old    []byte           // its old key
	again  bool             // see Child.Again
	within *seedlist.Mark   // see Child.Within
	// document is that which a URI with a fragment names a thing in.
	document *newRecord
}

func (s *Store) newSeed(u seedlist.URI, seed seedlist.NewSeed, now time.Time) (newRecord, error) {
	c := seed.Stored(u, now, &s.options)
	n := newRecord{hash: c.Hash, old: seedlist.OldKey(u.Given, c.Hash),
		hot: hot{state: seedlist.Added, priority: clampPriority(seed.Priority)}}
	if u.Relative {
		n.hot.flags = isRelative
	} else {
		n.hot.flags, n.hot.host, n.hot.due = isFetchable, hostKey(u.Host), now.UnixNano()
	}
	if document, ok := u.Document(); ok {
		if err := s.ofDocument(&n, &c, document, seed); err != nil {
			return n, err
		}
	}
	var err error
	n.cold, err = c.Encode()
	return n, err
}

// create gives a new record its number and writes it.
func (b *batch) create(n newRecord) uint64 {
	b.createDocument(&n)
	id := b.createUnnamed(n)
	b.name(n.hash, id)
	b.alias(n.old, n.hash)
	return id
}

// createUnnamed writes a new record that can't be found by its hash yet.
func (b *batch) createUnnamed(n newRecord) uint64 {
	id := b.next(inHot)
	b.putCold(id, n.cold, n.counts)
	b.save(id, nil, &n.hot)
	return id
}

func (b *batch) name(hash string, id uint64) {
	raw, _ := hex.DecodeString(hash)
	b.put(inSeeds, raw, appendNumber(nil, id))
	if b.get(inOrphans, raw) != nil {
		b.delete(inOrphans, raw)
	}
}

// each runs change for every hash, a thousand a transaction, and answers for each.
func (s *Store) each(ctx context.Context, hashes []string, change func(*batch, uint64) error) ([]error, error) {
	var answers []error
	for chunk := range slices.Chunk(hashes, maxBatch) {
		errs := make([]error, len(chunk))
		err := s.do(ctx, func(b *batch) error {
			for i, hash := range chunk {
				if id := b.number(hash); id == 0 {
					errs[i] = seedlist.ErrNotFound
				} else {
					errs[i] = change(b, id)
				}
			}
			return nil
		})
		if err != nil {
			return answers, err
		}
		answers = append(answers, errs...)
	}
	return answers, nil
}
