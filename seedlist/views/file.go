package views

import (
	"bytes"
	"context"
	"errors"
	"os"
	"time"

	"go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"

	"laundromat/internal/ordered"
)

// file keeps the tables in a file of bbolt.
type file struct {
	db   *bbolt.DB
	path string
}

// openTables opens the file at path, or makes it. One that is no such file, or of another layout, is made anew.
func openTables(path string) (*file, error) {
	if err := dropUnsound(path); err != nil {
		return nil, err
	}
	db, err := openFile(path)
	if err != nil && !errors.Is(err, berrors.ErrTimeout) {
		if err = os.Remove(path); err == nil {
			db, err = openFile(path)
		}
	}
	if err != nil {
		return nil, err
	}
	return &file{db: db, path: path}, markOpen(path)
}

func openFile(path string) (*bbolt.DB, error) {
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{
		Timeout: time.Second, FreelistType: bbolt.FreelistMapType, NoSync: true, NoGrowSync: true, NoFreelistSync: true,
	})
	if err != nil {
		return nil, err
	}
	if err := db.Update(makeBuckets); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// makeBuckets makes the buckets of a new file, and refuses one of another layout.
func makeBuckets(tx *bbolt.Tx) error {
	if meta := tx.Bucket([]byte(tableNames[inMeta])); meta != nil && string(meta.Get(layoutKey)) != layout {
		return errors.New("the views are of another layout")
	}
	for _, name := range tableNames {
		if _, err := tx.CreateBucketIfNotExists([]byte(name)); err != nil {
			return err
		}
	}
	return tx.Bucket([]byte(tableNames[inMeta])).Put(layoutKey, []byte(layout))
}

func (f *file) Shared() bool { return false }

// Close syncs the file, and notes that it is sound.
func (f *file) Close() error {
	if err := errors.Join(f.db.Sync(), f.db.Close()); err != nil {
		return err
	}
	return markClosed(f.path)
}

func (f *file) View(ctx context.Context, look func(ordered.Tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return f.db.View(func(tx *bbolt.Tx) error { return look(bucketsOf(tx)) })
}

func (f *file) Update(ctx context.Context, change func(ordered.Tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return f.db.Update(func(tx *bbolt.Tx) error {
		b := bucketsOf(tx)
		if err := change(b); err != nil {
			return err
		}
		return b.err
	})
}

// buckets are those of one transaction.
type buckets struct {
	all [tableCount]*bbolt.Bucket
	tx  *bbolt.Tx
	err error // the first
}

func bucketsOf(tx *bbolt.Tx) *buckets {
	b := &buckets{tx: tx}
	for which, name := range tableNames {
		b.all[which] = tx.Bucket([]byte(name))
	}
	b.all[inEntries].FillPercent = 0.9 // numbers rise
	return b
}

func (b *buckets) IsFar() bool { return false }

func (b *buckets) Prefetch(ordered.Table, [][]byte) {}

func (b *buckets) Get(table ordered.Table, key []byte) []byte { return b.all[table].Get(key) }

func (b *buckets) Put(table ordered.Table, key, value []byte) {
	if b.err == nil {
		b.err = b.all[table].Put(key, value)
	}
}

func (b *buckets) Delete(table ordered.Table, key []byte) {
	if b.err == nil {
		b.err = b.all[table].Delete(key)
	}
}

func (b *buckets) Clear(table ordered.Table) {
	name := []byte(tableNames[table])
	if b.err == nil {
		b.err = b.tx.DeleteBucket(name)
	}
	if b.err == nil {
		b.all[table], b.err = b.tx.CreateBucket(name)
	}
}

func (b *buckets) Walk(table ordered.Table, prefix, from []byte, descending bool) func() (key, value []byte) {
	c := b.all[table].Cursor()
	step := c.Next
	var key, value []byte
	switch {
	case !descending && from == nil:
		key, value = c.Seek(prefix)
	case !descending:
		key, value = c.Seek(from)
	case from == nil:
		step = c.Prev
		key, value = lastBelow(c, ordered.End(prefix))
	default:
		step = c.Prev
		if key, value = c.Seek(from); !bytes.Equal(key, from) {
			key, value = lastBelow(c, from)
		}
	}
	return func() (k, v []byte) {
		if !bytes.HasPrefix(key, prefix) {
			key = nil
		}
		if k, v = key, value; k != nil {
			key, value = step()
		}
		return k, v
	}
}

// lastBelow is the last key before one; nil if there is none. Without a key, it is the last of all.
func lastBelow(c *bbolt.Cursor, key []byte) (last, value []byte) {
	if key == nil {
		return c.Last()
	}
	if at, _ := c.Seek(key); at == nil {
		return c.Last()
	}
	return c.Prev()
}
