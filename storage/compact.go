package storage

import (
	"context"
	"errors"

	"laundromat/seedlist/bolt"
	"laundromat/web"
)

// errInDatabase says that there is no file to be copied.
var errInDatabase = errors.New("the seed list is in a database, which uses the room of what was removed again by itself (autovacuum): " +
	"\"VACUUM FULL\" in PostgreSQL gives it back to the disk, and locks each table meanwhile")

// compact copies the seed list into a file without the room that was left.
func (f *Folder) compact(ctx context.Context) (web.Compacted, error) {
	list, isFile := f.Seeds.(*bolt.Store)
	if !isFile {
		return web.Compacted{}, web.Conflict(errInDatabase.Error())
	}
	before, after, err := list.Compact(ctx)
	return web.Compacted{Before: before, After: after}, err
}
