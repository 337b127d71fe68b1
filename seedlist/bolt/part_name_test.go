package bolt_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"go.etcd.io/bbolt"

	"laundromat/seedlist"
	"laundromat/seedlist/bolt"
	"laundromat/seedlist/storetest"
)

// A list of which the name of a part is damaged is not begun anew beside what is in it, and an empty file is no damage.
func TestAPartWhoseNameIsDamagedIsNotMadeAnew(t *testing.T) {
	path := filepath.Join(t.TempDir(), "seeds.db")
	washed(t, path, 5)
	db := storetest.Must[*bbolt.DB](t)(bbolt.Open(path, 0o600, nil))
	var names []string
	db.View(func(tx *bbolt.Tx) error {
		return tx.ForEach(func(name []byte, _ *bbolt.Bucket) error { names = append(names, string(name)); return nil })
	})
	db.Close()
	whole := storetest.Must[[]byte](t)(os.ReadFile(path))
	for _, name := range names {
		os.WriteFile(path, whole, 0o600)
		rename(t, path, name, name[:len(name)-1]+"\x7f")
		for _, isRead := range []bool{true, false} {
			store, err := bolt.Open(path, seedlist.Options{ReadOnly: isRead})
			if err == nil {
				store.Close()
			}
			if !errors.As(err, new(*seedlist.Damage)) && !(isRead && err == nil && name != "meta") {
				t.Errorf("%s, read %v: %v", name, isRead, err)
			}
		}
	}
	empty := filepath.Join(t.TempDir(), "seeds.db")
	storetest.Must[*bbolt.DB](t)(bbolt.Open(empty, 0o600, nil)).Close()
	if _, err := bolt.Open(empty, seedlist.Options{ReadOnly: true}); err != seedlist.ErrNoStore {
		t.Errorf("a file in which no list was made yet: %v", err)
	}
	storetest.Must[*bolt.Store](t)(bolt.Open(empty, seedlist.Options{})).Close()
}

// rename gives a part of a list another name.
func rename(t *testing.T, path, from, to string) {
	t.Helper()
	db := storetest.Must[*bbolt.DB](t)(bbolt.Open(path, 0o600, nil))
	defer db.Close()
	err := db.Update(func(tx *bbolt.Tx) error {
		old, made := tx.Bucket([]byte(from)), storetest.Must[*bbolt.Bucket](t)(tx.CreateBucket([]byte(to)))
		if err := copyBucket(old, made); err != nil {
			return err
		}
		return tx.DeleteBucket([]byte(from))
	})
	if err != nil {
		t.Fatal(err)
	}
}

func copyBucket(from, to *bbolt.Bucket) error {
	return from.ForEach(func(key, value []byte) error {
		if value != nil {
			return to.Put(key, value)
		}
		made, err := to.CreateBucket(key)
		if err == nil {
			err = copyBucket(from.Bucket(key), made)
		}
		return err
	})
}
