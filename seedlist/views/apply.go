package views

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"time"

	"laundromat/internal/ordered"
	"laundromat/seedlist"
	"laundromat/seedlist/quality"
)

// change is one transaction that writes.
type change struct {
	tables
	ids     *knownIDs
	was, is entry
	marks   []mark
	spare   *[]mark // for the next transaction
	deltas  map[countKey]int64
	sums    sumDeltas
	stored  []byte // what is put lives in it until the commit, since bbolt does not copy it
	values  []string
	key     [64]byte
	// archives are those whose members are listed otherwise now.
	archives []uint32
	// told are the changes of seeds that the feed told, in its order.
	told   []seedlist.Change
	lastOf map[uint64]int // the index in told of the last change of a seed; nil until one is asked for
	now    time.Time
	loaded loaded
	err    error // the first
}

// In place of a facet in the keys of lists: of seeds whose record can't be read, and of relative references.
const (
	unreadList   Facet = 0xFF
	relativeList Facet = 0xFE
)

// mark says that a seed comes into a list, or leaves it.
type mark struct {
	which uint8  // inRows or inOrders
	kind  byte   // the facet or the sort
	value uint64 // the id, or the place in the order
	// seed is twice the seed's number, and one more where it comes.
	seed uint64
}

// countKey is the key of a count of inCounts, or of inPairs.
type countKey struct {
	which int
	kind  byte // the facet or the pair
	a, b  uint32
}

func (v *Views) newChange(tx ordered.Tx) *change {
	ids := &v.ids
	c := &change{
		tables: tablesOf(tx), ids: ids, marks: v.marks, spare: &v.marks, loaded: loaded{terms: v.terms, log: v.log},
		deltas: map[countKey]int64{}, sums: newSumDeltas(), now: time.Now(),
	}
	if epoch := c.number64(epochKey); epoch != ids.epoch {
		*ids = knownIDs{epoch: epoch}
	}
	return c
}

// number64 is a number that is said of the tables.
func (t *tables) number64(key []byte) uint64 {
	if value := t[inMeta].Get(key); len(value) == 8 {
		return binary.BigEndian.Uint64(value)
	}
	return 0
}

func (t *tables) setNumber64(key []byte, n uint64) {
	t[inMeta].Put(key, binary.BigEndian.AppendUint64(nil, n))
}

// keep is the part of stored from a place on, which is never moved again.
func (c *change) keep(from int) []byte {
	kept := c.stored[from:len(c.stored):len(c.stored)]
	const piece = 64 << 10
	if cap(c.stored)-len(c.stored) < largestStored {
		c.stored = make([]byte, 0, piece)
	}
	return kept
}

// largestStored is more than an entry or a block takes most often. One that takes more is
// moved while it is made, and never later.
const largestStored = 1 << 10

// set makes the lists say of a seed what is so now; nil: it is no longer there. No seed is set
// twice in a transaction.
func (c *change) set(number uint64, seed *seedlist.Seed) {
	if number > largestSeed {
		c.err = fmt.Errorf("the seed number %d is larger than lists can hold", number)
		return
	}
	key := appendSeed(c.key[:0], number)
	old := c.tables[inEntries].Get(key)
	c.was.decode(old)
	c.is.reset()
	var data []byte
	if seed != nil {
		c.fill(listed(seed))
		c.fillTerms(seed)
		c.is.steps = quality.Steps(seed)
	}
	if old != nil {
		c.depart(number, seed)
	}
	if seed != nil {
		from := len(c.stored)
		c.stored = c.is.append(c.stored)
		data = c.stored[from:]
		if bytes.Equal(old, data) {
			c.stored = c.stored[:from]
			return
		}
		data = c.keep(from)
	}
	if old == nil && data == nil {
		return
	}
	c.tally()
	c.tallySums()
	c.move(number, old != nil, data != nil)
	if old != nil && data != nil {
		c.passOn(seed)
	}
	if data == nil {
		c.tables[inEntries].Delete(key)
	} else {
		c.tables[inEntries].Put(key, data)
	}
}

// fill numbers the values of a seed.
func (c *change) fill(seed *seedlist.Seed) {
	c.is.sums = quality.Of(seed)
	for f := range firstTerm {
		begin := len(c.is.ids)
		if f == Judged {
			c.values = append(c.values[:0], quality.Parts(&c.is.sums)...)
			c.appendNumbers(f)
		} else if f == Host && (seed.URI != "" || seed.Parent != "") && !seed.Relative && len(c.was.values(Host)) == 1 {
			// A seed keeps its URI or its root, and finding the host in it takes longer than all else here.
			c.is.ids = append(c.is.ids, c.was.values(Host)[0])
		} else {
			c.values = appendValues(c.values[:0], f, seed)
			c.appendNumbers(f)
		}
		c.endFacet(f, begin)
	}
	c.fillFindings(seed)
	c.is.order, c.is.relative, c.is.unread = ordersOf(seed), seed.Relative, seed.Hash == ""
}

// appendNumbers appends the numbers of the values at hand.
func (c *change) appendNumbers(f Facet) {
	for _, value := range c.values {
		c.is.ids = append(c.is.ids, c.number(f, value))
	}
}

// endFacet brings the numbers of a facet, which begin at a place, into their order.
func (c *change) endFacet(f Facet, begin int) {
	if of := c.is.ids[begin:]; len(of) > 1 {
		slices.Sort(of)
		c.is.ids = c.is.ids[:begin+len(slices.Compact(of))]
	}
	c.is.ends[f] = len(c.is.ids)
}

// number is that of a value; a new one gets the next.
func (c *change) number(f Facet, value string) uint32 {
	if id, ok := c.ids.find(f, value); ok {
		return id
	}
	key := append([]byte{byte(f)}, value...)
	if stored := c.tables[inValues].Get(key); len(stored) == 4 {
		id := binary.BigEndian.Uint32(stored)
		c.ids.add(f, value, id)
		return id
	}
	n := c.number64(lastIDKey) + 1
	if n > 1<<32-1 && c.err == nil {
		c.err = fmt.Errorf("there are more values of %s than lists can hold", f)
	}
	c.setNumber64(lastIDKey, n)
	id := uint32(n)
	c.tables[inValues].Put(key, binary.BigEndian.AppendUint32(nil, id))
	c.tables[inNames].Put(appendValue(nil, f, id), []byte(value))
	c.ids.add(f, value, id)
	return id
}

// knownIDs are the numbers of values that were met lately. Those of a transaction that was not
// committed must be forgotten.
type knownIDs struct {
	ids   map[namedValue]uint32
	epoch uint64 // of the tables that they are of
}

type namedValue struct {
	f     Facet
	value string
}

// maxKnown bounds the memory: the values of hosts, sources and parents can be many.
const maxKnown = 1 << 15

func (k *knownIDs) find(f Facet, value string) (uint32, bool) {
	id, ok := k.ids[namedValue{f, value}]
	return id, ok
}

func (k *knownIDs) add(f Facet, value string, id uint32) {
	if k.ids == nil || len(k.ids) >= maxKnown {
		k.ids = map[namedValue]uint32{}
	}
	k.ids[namedValue{f, value}] = id
}

func (k *knownIDs) forget() { k.ids = nil }

// move takes a seed out of the lists that it is no longer in, and puts it into others.
func (c *change) move(number uint64, wasThere, isThere bool) {
	for f := range facetCount {
		was, is := c.was.values(f), c.is.values(f)
		if slices.Equal(was, is) {
			continue
		}
		for _, id := range was {
			if !c.is.has(f, id) {
				c.marks = append(c.marks, mark{inRows, byte(f), uint64(id), 2 * number})
			}
		}
		for _, id := range is {
			if !c.was.has(f, id) {
				c.marks = append(c.marks, mark{inRows, byte(f), uint64(id), 2*number + 1})
			}
		}
	}
	c.moveIn(unreadList, number, c.was.unread, c.is.unread)
	c.moveIn(relativeList, number, c.was.relative, c.is.relative)
	for s := BySize; s < sortCount; s++ {
		if isThere && wasThere && c.is.order[s] == c.was.order[s] {
			continue
		}
		isTurn := s >= ByTurn // which most documents did not take: they are in no list of it
		if wasThere && !(isTurn && c.was.order[s] == 0) {
			c.marks = append(c.marks, mark{inOrders, byte(s), c.was.order[s], 2 * number})
		}
		if isThere && !(isTurn && c.is.order[s] == 0) {
			c.marks = append(c.marks, mark{inOrders, byte(s), c.is.order[s], 2*number + 1})
		}
	}
}

// moveIn puts a seed into a list without values, or takes it out.
func (c *change) moveIn(list Facet, number uint64, was, is bool) {
	if was == is {
		return
	}
	turn := uint64(0)
	if is {
		turn = 1
	}
	c.marks = append(c.marks, mark{inRows, byte(list), 0, 2*number + turn})
}

// tally takes from the counts what a seed was, and adds what it is.
func (c *change) tally() {
	var same [facetCount]bool
	for f := range facetCount {
		was, is := c.was.values(f), c.is.values(f)
		if same[f] = slices.Equal(was, is); same[f] {
			continue
		}
		for _, id := range was {
			c.deltas[countKey{inCounts, byte(f), id, 0}]--
		}
		for _, id := range is {
			c.deltas[countKey{inCounts, byte(f), id, 0}]++
		}
	}
	for i, p := range pairs {
		if same[p[0]] && same[p[1]] {
			continue
		}
		c.tallyPair(byte(i), &c.was, -1)
		c.tallyPair(byte(i), &c.is, +1)
	}
}

func (c *change) tallyPair(pair byte, e *entry, times int64) {
	p := pairs[pair]
	for _, a := range e.values(p[0]) {
		for _, b := range e.values(p[1]) {
			c.deltas[countKey{inPairs, pair, a, b}] += times
		}
	}
}

// end writes the lists and the counts, and says what went wrong.
func (c *change) end() error {
	c.writeMarks()
	c.writeCounts()
	c.writeSums()
	c.writeArchives()
	c.setNumber64(stampKey, c.number64(stampKey)+1)
	return c.err
}

// mostSpare is how many marks memory is kept for between transactions: 1.5 MiB.
const mostSpare = 1 << 16

// writeMarks writes each block once, in the order of the keys.
func (c *change) writeMarks() {
	slices.SortFunc(c.marks, func(a, b mark) int {
		switch {
		case a.which != b.which:
			return cmp.Compare(a.which, b.which)
		case a.kind != b.kind:
			return cmp.Compare(a.kind, b.kind)
		case a.value != b.value:
			return cmp.Compare(a.value, b.value)
		}
		return cmp.Compare(a.seed, b.seed)
	})
	c.prefetchBlocks()
	var set blockSet
	for rest := c.marks; len(rest) > 0 && c.err == nil; {
		first := rest[0]
		at, _ := blockOf(first.seed / 2)
		n := 1
		for n < len(rest) && rest[n].which == first.which && rest[n].kind == first.kind && rest[n].value == first.value {
			if next, _ := blockOf(rest[n].seed / 2); next != at {
				break
			}
			n++
		}
		c.writeBlock(&set, rest[:n])
		rest = rest[n:]
	}
	if c.marks = c.marks[:0]; cap(c.marks) <= mostSpare {
		*c.spare = c.marks
	}
}

// prefetchBlocks says which blocks writeMarks will change.
func (c *change) prefetchBlocks() {
	if !c.isFar() {
		return
	}
	var keys [tableCount][][]byte
	for i, m := range c.marks {
		if i == 0 || m.which != c.marks[i-1].which || m.kind != c.marks[i-1].kind || m.value != c.marks[i-1].value ||
			m.seed>>(blockBits+1) != c.marks[i-1].seed>>(blockBits+1) {
			keys[m.which] = append(keys[m.which], m.appendKey(nil))
		}
	}
	c.tables[inRows].Prefetch(keys[inRows]...)
	c.tables[inOrders].Prefetch(keys[inOrders]...)
}

// appendKey appends the key of the block that a mark is in.
func (m *mark) appendKey(key []byte) []byte {
	if m.which == inRows {
		key = appendValue(key, Facet(m.kind), uint32(m.value))
	} else {
		key = appendOrder(key, Sort(m.kind), m.value)
	}
	at, _ := blockOf(m.seed / 2)
	return appendBlock(key, at)
}

// writeBlock changes one block of a list.
func (c *change) writeBlock(set *blockSet, marks []mark) {
	which := marks[0].which
	key := marks[0].appendKey(c.key[:0])
	set.read(c.tables[which].Get(key))
	for _, m := range marks {
		_, offset := blockOf(m.seed / 2)
		set.set(offset, m.seed%2 == 1)
	}
	from := len(c.stored)
	if c.stored = set.append(c.stored); len(c.stored) == from {
		c.tables[which].Delete(key)
	} else {
		c.tables[which].Put(key, c.keep(from))
	}
}

// writeCounts writes the counts that changed, in the order of the keys.
func (c *change) writeCounts() {
	keys := make([]countKey, 0, len(c.deltas))
	for key, delta := range c.deltas {
		if delta != 0 {
			keys = append(keys, key)
		}
	}
	slices.SortFunc(keys, func(a, b countKey) int {
		return cmp.Or(cmp.Compare(a.which, b.which), cmp.Compare(a.kind, b.kind), cmp.Compare(a.a, b.a), cmp.Compare(a.b, b.b))
	})
	if c.isFar() {
		var all [tableCount][][]byte
		for _, k := range keys {
			all[k.which] = append(all[k.which], k.appendKey(nil))
		}
		c.tables[inCounts].Prefetch(all[inCounts]...)
		c.tables[inPairs].Prefetch(all[inPairs]...)
	}
	for _, k := range keys {
		key := k.appendKey(c.key[:0])
		n := readCount(c.tables[k.which].Get(key)) + c.deltas[k]
		if n == 0 {
			c.tables[k.which].Delete(key)
		} else {
			from := len(c.stored)
			c.stored = binary.AppendUvarint(c.stored, uint64(n))
			c.tables[k.which].Put(key, c.keep(from))
		}
	}
}

func (k countKey) appendKey(key []byte) []byte {
	if key = appendValue(key, Facet(k.kind), k.a); k.which == inPairs {
		key = binary.BigEndian.AppendUint32(key, k.b)
	}
	return key
}

// prefetch says of which seeds, and of which values, numbers will be asked for.
func (c *change) prefetch(seeds []seedlist.Numbered) {
	if !c.isFar() {
		return
	}
	var keys [][]byte
	asked := map[namedValue]bool{}
	for i := range seeds {
		c.was.decode(c.tables[inEntries].Get(appendSeed(c.key[:0], seeds[i].Number)))
		seed := listed(&seeds[i].Seed)
		if seed.Hash != "" && len(seed.ListedBy())+len(seed.ListedClaims())+len(c.was.values(Catalog))+len(c.was.values(Publisher))+
			len(c.was.values(Licence)) > 0 {
			keys = append(keys, append([]byte{byte(Parent)}, seed.Hash...)) // see passOn
		}
		counted := c.loaded.by[cleanOf(&seeds[i].Seed)]
		for f := range facetCount {
			switch {
			case f == Host && len(c.was.values(Host)) == 1:
				continue
			case f < firstTerm:
				c.values = appendValues(c.values[:0], f, seed)
			case counted == nil:
				continue
			default:
				c.values = appendTerms(c.values[:0], f, counted)
			}
			for _, value := range c.values {
				if _, ok := c.ids.find(f, value); ok || asked[namedValue{f, value}] {
					continue
				}
				asked[namedValue{f, value}] = true
				keys = append(keys, append([]byte{byte(f)}, value...))
			}
		}
	}
	c.tables[inValues].Prefetch(keys...)
}

func readCount(value []byte) int64 {
	n, _ := binary.Uvarint(value)
	return int64(n)
}
