package views

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"

	"go.etcd.io/bbolt"

	"laundromat/seedlist"
)

// The buckets of the file. "seed" is a seed's number in five bytes, "id" the number of a value
// in four.
const (
	inMeta    = iota // what is said of the file itself
	inValues         // facet, value → id
	inNames          // facet, id → value
	inEntries        // seed → entry
	inRows           // facet, id, seed → nothing
	inOrders         // sort, its number, seed → nothing
	inCounts         // facet, id → seeds that have it
	inPairs          // pair, id, id → seeds that have both
	bucketCount
)

var bucketNames = [bucketCount]string{"meta", "values", "names", "entries", "rows", "orders", "counts", "pairs"}

// tables are the buckets of one transaction.
type tables [bucketCount]*bbolt.Bucket

func openTables(tx *bbolt.Tx) (t tables) {
	for which, name := range bucketNames {
		t[which] = tx.Bucket([]byte(name))
	}
	return t
}

// change is one transaction that writes.
type change struct {
	tables
	deltas [2]map[string]int64 // of inCounts and of inPairs
	err    error               // the first
}

func newChange(tx *bbolt.Tx) *change {
	c := &change{tables: openTables(tx), deltas: [2]map[string]int64{{}, {}}}
	for _, which := range []int{inEntries, inRows} {
		c.tables[which].FillPercent = 0.9 // numbers rise
	}
	return c
}

func (c *change) put(which int, key, value []byte) {
	if c.err == nil {
		c.err = c.tables[which].Put(key, value)
	}
}

func (c *change) delete(which int, key []byte) {
	if c.err == nil {
		c.err = c.tables[which].Delete(key)
	}
}

// set makes the lists say of a seed what is so now; nil: it is no longer there.
func (c *change) set(number uint64, seed *seedlist.Seed) {
	if number > largestSeed {
		c.err = fmt.Errorf("the seed number %d is larger than lists can hold", number)
		return
	}
	key := appendSeed(nil, number)
	old := c.tables[inEntries].Get(key)
	var was, is *entry
	if old != nil {
		decoded := decodeEntry(old)
		was = &decoded
	}
	var data []byte
	if seed != nil {
		e := c.entryOf(rowOf(seed))
		is, data = &e, e.encode()
	}
	if bytes.Equal(old, data) {
		return
	}
	c.tally(was, -1)
	c.tally(is, +1)
	c.move(number, was, is)
	if is == nil {
		c.delete(inEntries, key)
	} else {
		c.put(inEntries, key, data)
	}
}

// entryOf numbers the values of a row.
func (c *change) entryOf(r row) (e entry) {
	for f := range facetCount {
		for _, value := range r.values[f] {
			e.values[f] = append(e.values[f], c.number(f, value))
		}
		slices.Sort(e.values[f])
		e.values[f] = slices.Compact(e.values[f])
	}
	e.order, e.relative = r.order, r.relative
	return e
}

// number is that of a value; a new one gets the next.
func (c *change) number(f Facet, value string) uint32 {
	key := append([]byte{byte(f)}, value...)
	if id := c.tables[inValues].Get(key); len(id) == 4 {
		return binary.BigEndian.Uint32(id)
	}
	n, err := c.tables[inValues].NextSequence()
	if err == nil && n > 1<<32-1 {
		err = fmt.Errorf("there are more values of %s than lists can hold", f)
	}
	if err != nil && c.err == nil {
		c.err = err
	}
	c.put(inValues, key, binary.BigEndian.AppendUint32(nil, uint32(n)))
	c.put(inNames, valueKey(f, uint32(n)), []byte(value))
	return uint32(n)
}

// move takes a seed out of the lists that it is no longer in, and puts it into others.
func (c *change) move(number uint64, was, is *entry) {
	var none entry
	if was == nil {
		was = &none
	}
	if is == nil {
		is = &none
	}
	for f := range facetCount {
		for _, id := range was.values[f] {
			if !is.has(f, id) {
				c.delete(inRows, appendSeed(valueKey(f, id), number))
			}
		}
		for _, id := range is.values[f] {
			if !was.has(f, id) {
				c.put(inRows, appendSeed(valueKey(f, id), number), nil)
			}
		}
	}
	for s := BySize; s < sortCount; s++ {
		isThere, wasThere := is != &none, was != &none
		if isThere && wasThere && is.order[s] == was.order[s] {
			continue
		}
		if wasThere {
			c.delete(inOrders, orderKey(s, was.order[s], number))
		}
		if isThere {
			c.put(inOrders, orderKey(s, is.order[s], number), nil)
		}
	}
}

// tally adds to the counts what an entry does, so many times.
func (c *change) tally(e *entry, times int64) {
	if e == nil {
		return
	}
	for f := range facetCount {
		for _, id := range e.values[f] {
			c.deltas[0][string(valueKey(f, id))] += times
		}
	}
	for i, p := range pairs {
		for _, a := range e.values[p[0]] {
			for _, b := range e.values[p[1]] {
				key := binary.BigEndian.AppendUint32(valueKey(Facet(i), a), b)
				c.deltas[1][string(key)] += times
			}
		}
	}
}

// end writes the counts, and says what went wrong.
func (c *change) end() error {
	for i, which := range []int{inCounts, inPairs} {
		for _, key := range slices.Sorted(maps.Keys(c.deltas[i])) {
			delta := c.deltas[i][key]
			if delta == 0 {
				continue
			}
			n := readCount(c.tables[which].Get([]byte(key))) + delta
			if n == 0 {
				c.delete(which, []byte(key))
			} else {
				c.put(which, []byte(key), binary.AppendUvarint(nil, uint64(n)))
			}
		}
	}
	return c.err
}

func readCount(value []byte) int64 {
	n, _ := binary.Uvarint(value)
	return int64(n)
}
