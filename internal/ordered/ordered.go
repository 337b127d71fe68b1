// Package ordered says what tables of keys and values are that views are kept in. The keys of a table are in
// the order of their bytes. A file on this disk implements it, and a database that many processes share.
package ordered

import (
	"context"
	"errors"
)

// Table is one of the tables, by its number, from 0.
type Table uint8

// ErrBusy says that another process changes the tables now, and does what there is to do.
var ErrBusy = errors.New("another process brings the lists up to date")

// Tables are open tables.
type Tables interface {
	// View has look read the tables as they are at one moment. Its transaction is not to be used after look.
	View(ctx context.Context, look func(tx Tx) error) error
	// Update has change read and write them, in one transaction, which an error of change undoes. One
	// process at a time may do so: ErrBusy is the error where another does.
	Update(ctx context.Context, change func(tx Tx) error) error
	// Shared says that other processes may change them too.
	Shared() bool
	// Close ends their use.
	Close() error
}

// Tx is a transaction. Once a call has failed, all others find nothing, and View or Update returns the error. Slices
// that it gives are those of the tables: they hold as long as the transaction, and are not to be changed. Values
// that it takes must hold as long; keys are copied.
type Tx interface {
	// Get is the value of a key; nil if there is none.
	Get(table Table, key []byte) []byte
	// IsFar says that each Get asks another process, so that Prefetch is worth its while.
	IsFar() bool
	// Prefetch says which keys Get will be asked for.
	Prefetch(table Table, keys [][]byte)
	// Walk goes through the keys that begin with a prefix, rising or descending. It begins at from, which need not
	// be there; nil: at the first, or the last, of all. What it returns gives the next key; nil at the end.
	Walk(table Table, prefix, from []byte, descending bool) func() (key, value []byte)
	Put(table Table, key, value []byte)
	Delete(table Table, key []byte)
	// Clear empties a table.
	Clear(table Table)
}

// End is the first key after all that begin with prefix; nil if that is no key.
func End(prefix []byte) []byte {
	end := append([]byte(nil), prefix...)
	for len(end) > 0 {
		if end[len(end)-1]++; end[len(end)-1] != 0 {
			return end
		}
		end = end[:len(end)-1]
	}
	return nil
}
