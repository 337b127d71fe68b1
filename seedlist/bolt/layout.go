package bolt

import (
	"bytes"
	"fmt"

	"go.etcd.io/bbolt"
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
		_, err := tx.CreateBucketIfNotExists([]byte(bucketNames[inRecipes])) // a list made before there were recipes
		return err
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
