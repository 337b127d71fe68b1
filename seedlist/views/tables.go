package views

import "laundromat/internal/ordered"

// The tables. "seed" is a seed's number in five bytes, "id" the number of a value
// in four.
const (
	inMeta    = iota // what is said of the tables themselves
	inValues         // facet, value → id
	inNames          // facet, id → value
	inEntries        // seed → entry
	inRows           // facet, id, block → the seeds of the block that have the value
	inOrders         // sort, its number, block → the seeds of the block that have that place
	inCounts         // facet, id → seeds that have it
	inPairs          // pair, id, id → seeds that have both; and sums, see sums.go
	tableCount
)

var tableNames = [tableCount]string{"meta", "values", "names", "entries", "rows", "orders", "counts", "pairs"}

// table is one of the tables in a transaction.
type table struct {
	tx    ordered.Tx
	which ordered.Table
}

func (t table) Get(key []byte) []byte   { return t.tx.Get(t.which, key) }
func (t table) Put(key, value []byte)   { t.tx.Put(t.which, key, value) }
func (t table) Delete(key []byte)       { t.tx.Delete(t.which, key) }
func (t table) Prefetch(keys ...[]byte) { t.tx.Prefetch(t.which, keys) }

// Walk goes through the keys that begin with a prefix, rising.
func (t table) Walk(prefix []byte) func() (key, value []byte) {
	return t.tx.Walk(t.which, prefix, nil, false)
}

// walk goes through them from a key on, in either direction: see [ordered.Tx].
func (t table) walk(prefix, from []byte, descending bool) func() (key, value []byte) {
	return t.tx.Walk(t.which, prefix, from, descending)
}

// tables are those of one transaction.
type tables [tableCount]table

func tablesOf(tx ordered.Tx) (t tables) {
	for which := range tableCount {
		t[which] = table{tx, ordered.Table(which)}
	}
	return t
}

// isFar says that each key that is asked for asks another process.
func (t *tables) isFar() bool { return t[inMeta].tx.IsFar() }

// prefetchSeeds says that the entries of seeds will be asked for.
func (t *tables) prefetchSeeds(numbers []uint64) {
	if !t.isFar() {
		return
	}
	keys := make([][]byte, len(numbers))
	for i, number := range numbers {
		keys[i] = appendSeed(nil, number)
	}
	t[inEntries].Prefetch(keys...)
}
