package bolt

import (
	"bytes"
	"fmt"
	"slices"

	"go.etcd.io/bbolt"

	"laundromat/seedlist"
)

// lastOfOlderLists is the last build that reads the lists of older ones, and brings them to this layout.
const lastOfOlderLists = "f6570a6e"

// versionKey is in the meta bucket. The marks beside it have been in each list since it is made in one piece. A list
// that lacks one, or has the mark of sums that are still being added, is of an older build.
var (
	versionKey = []byte("version")
	marks      = map[string][]byte{"oldkeys": {1}, "syntaxes": {1}}
	addingSums = []byte("sums")
)

// beginLayout makes the buckets of a new list, and checks the layout of one that is there.
func (s *Store) beginLayout(tx *bbolt.Tx) error {
	t := s.openTables(tx)
	if t.bucket(inMeta) != nil {
		if err := t.checkLayout(); err != nil {
			return err
		}
		if damage := s.strangePart(tx); damage != nil {
			return damage
		}
		_, err := tx.CreateBucketIfNotExists([]byte(bucketNames[inRecipes])) // a list made before there were recipes
		return err
	}
	if damage := s.lostParts(tx); damage != nil {
		return damage
	}
	for _, name := range bucketNames {
		if _, err := tx.CreateBucketIfNotExists([]byte(name)); err != nil {
			return err
		}
	}
	t = s.openTables(tx)
	for name, value := range marks {
		if err := t.bucket(inMeta).Put([]byte(name), value); err != nil {
			return err
		}
	}
	return t.bucket(inMeta).Put(versionKey, []byte(layout))
}

// strangePart is the damage of a list that has a part by a name that none has: its name is damaged, and a new part by
// the right one would be empty. nil: there is none.
func (s *Store) strangePart(tx *bbolt.Tx) (damage *seedlist.Damage) {
	tx.ForEach(func(name []byte, _ *bbolt.Bucket) error {
		if !slices.Contains(bucketNames[:], string(name)) {
			damage = &seedlist.Damage{List: s.name, Why: fmt.Sprintf("it has a part %q, and no part of a list is called that", name),
				Lost: "what was in it, until the list is salvaged"}
		}
		return nil
	})
	return damage
}

// emptyFile is the number of the transaction in which bbolt makes a file.
const emptyFile = 1

// lostParts is the damage of a file without the part that says what it is, if something has been written to it; nil of
// one in which no list was made yet.
func (s *Store) lostParts(tx *bbolt.Tx) *seedlist.Damage {
	written := tx.ID()
	if tx.Writable() {
		written--
	}
	if damage := s.strangePart(tx); damage != nil || written <= emptyFile {
		return damage
	}
	return &seedlist.Damage{List: s.name, Why: "the part that says which layout it has is not there", Lost: "where parts of the list begin"}
}

// checkLayout refuses a list of another layout.
func (t *tables) checkLayout() error {
	version := string(t.get(inMeta, versionKey))
	isOlder := version != layout || t.get(inMeta, addingSums) != nil
	for name, value := range marks {
		isOlder = isOlder || !bytes.Equal(t.get(inMeta, []byte(name)), value)
	}
	if isOlder {
		return fmt.Errorf("the seed list has the layout %q of another build of Laundromat, and this one reads %q: "+
			"the build %s brings older lists to it when it opens them", version, layout, lastOfOlderLists)
	}
	return nil
}
