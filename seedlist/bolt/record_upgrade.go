package bolt

import (
	"bytes"
	"context"

	"go.etcd.io/bbolt"
)

// upgradeKey is in the meta bucket while records of an older list get their sums. Its value is how many of
// the buckets are done (1 byte), and the last key of the next of them.
var upgradeKey = []byte("sums")

// beginLayout makes the buckets of a new list, and checks the layout of one that is there.
func (s *Store) beginLayout(tx *bbolt.Tx) error {
	t := s.openTables(tx)
	isOlder := false
	if t.bucket(inMeta) != nil {
		if err := t.checkLayout(); err != nil {
			return err
		}
		isOlder = string(t.get(inMeta, versionKey)) == olderThan2
	}
	for _, name := range bucketNames {
		if _, err := tx.CreateBucketIfNotExists([]byte(name)); err != nil {
			return err
		}
	}
	t = s.openTables(tx)
	if isOlder {
		// From here on an older version of the program refuses the list: it could not read it.
		if err := t.bucket(inMeta).Put(upgradeKey, []byte{0}); err != nil {
			return err
		}
	}
	s.mayLackSums.Store(t.get(inMeta, upgradeKey) != nil)
	return t.bucket(inMeta).Put(versionKey, []byte(layout))
}

var versionKey = []byte("version")

// mayLack says that records of a list may be without a sum.
func (t *tables) mayLack() bool {
	return string(t.get(inMeta, versionKey)) == olderThan2 || t.get(inMeta, upgradeKey) != nil
}

// addSums gives the records of an older list their sums, some thousand a transaction, and
// goes on where a run before this one was ended. A record that can't be read gets none: so it
// is known as damaged.
func (s *Store) addSums(ctx context.Context) error {
	for s.mayLackSums.Load() {
		n, done := 0, false
		err := s.do(ctx, func(b *batch) error {
			at := bytes.Clone(b.get(inMeta, upgradeKey))
			if n, done = 0, len(at) == 0 || int(at[0]) >= len(summed); done {
				b.delete(inMeta, upgradeKey)
				return nil
			}
			which := summed[at[0]]
			n, at = b.addSumsFrom(which, at)
			b.put(inMeta, upgradeKey, at)
			return nil
		})
		if err != nil {
			return err
		}
		s.upgraded += n
		s.mayLackSums.Store(!done)
	}
	return nil
}

// addSumsFrom gives records of one bucket their sums; next is where the next call goes on.
func (b *batch) addSumsFrom(which int, at []byte) (n int, next []byte) {
	type entry struct{ key, said []byte }
	var entries []entry
	rows := 0
	last := at[1:]
	b.scan(which, nil, append(bytes.Clone(last), 0), func(key, value []byte) bool {
		rows++
		last = bytes.Clone(key)
		if !hasSum(which, value) && canBeRead(which, key, value) {
			entries = append(entries, entry{last, bytes.Clone(value)})
		}
		return rows < maxRows
	})
	for _, e := range entries {
		b.put(which, e.key, withSum(which, e.key, e.said))
	}
	if rows < maxRows {
		return len(entries), []byte{at[0] + 1}
	}
	return len(entries), append([]byte{at[0]}, last...)
}

// canBeRead says that a record can be decoded.
func canBeRead(which int, key, record []byte) bool {
	return recordError(which, key, record, true) == nil
}

// recordError is what is wrong with a record of one of the buckets that have sums; nil if nothing is.
func recordError(which int, key, record []byte, mayLack bool) (err error) {
	switch which {
	case inHot:
		_, err = readHot(key, record, mayLack)
	case inCold:
		_, err = readStored(key, record, mayLack)
	case inLog:
		_, err = readAttempt(key, record, mayLack)
	case inCatalogs:
		_, err = readCatalog(key, record, mayLack)
	}
	return err
}

// Upgraded is the number of records that got their checksums when the store was opened, since
// it was written by an older version.
func (s *Store) Upgraded() int { return s.upgraded }
