package bolt

import (
	"context"
	"fmt"
	"slices"

	"laundromat/seedlist"
)

// log appends an entry of a seed to the log.
func (b *batch) log(id uint64, entry []byte) {
	n := b.next(inLog)
	key := appendNumber(nil, n)
	b.put(inLog, key, withSum(inLog, key, entry))
	b.put(inAttempts, appendNumber(appendNumber(nil, id), n), nil)
}

// Attempts returns the log's entries of a seed, oldest first: of more than 1,000
// the last. Those of a catalog with that hash are among them: a URI may be both.
func (s *Store) Attempts(ctx context.Context, hash string) ([]seedlist.Attempt, error) {
	var attempts []seedlist.Attempt
	err := s.view(ctx, func(t *tables) error {
		var numbers []uint64
		known := false
		for _, id := range []uint64{t.find(hash), t.catalogNumber(hash)} {
			if id == 0 {
				continue
			}
			known = true
			t.scan(inAttempts, appendNumber(nil, id), nil, func(key, _ []byte) bool {
				numbers = append(numbers, lastNumber(key))
				return true
			})
		}
		if !known {
			return seedlist.ErrNotFound
		}
		slices.Sort(numbers)
		for _, n := range numbers[max(0, len(numbers)-maxRows):] {
			key := appendNumber(nil, n)
			a, err := readAttempt(key, t.get(inLog, key), t.mayLackSums)
			if err != nil {
				s.met(&seedlist.Damage{
					List: t.list, Place: fmt.Sprintf("entry %d of the log", n), Why: err.Error(), Lost: "an attempt of the seed " + hash,
				})
				continue
			}
			attempts = append(attempts, a)
		}
		return nil
	})
	return attempts, err
}
