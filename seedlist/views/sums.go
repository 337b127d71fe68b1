package views

import (
	"cmp"
	"encoding/binary"
	"maps"
	"slices"
	"time"

	"laundromat/internal/fault"
	"laundromat/seedlist"
	"laundromat/seedlist/quality"
)

// groups are the facets by whose values sums are kept. Answers have them in this order.
var groups = [...]Facet{Host, Catalog, Publisher, Licence}

// Groups are the names of the facets by which there are sums.
func Groups() (names []string) {
	for _, f := range groups {
		names = append(names, f.String())
	}
	return names
}

// IsGroup says that there are sums by a facet.
func IsGroup(f Facet) bool { return slices.Contains(groups[:], f) }

// Sums are kept in the table of pairs. Their keys begin with these bytes, which are the places of no pairs.
const (
	ofSums     byte = 0xF0 + iota // facet, id → the sums of the documents that have the value
	ofFindings                    // facet, id, id of a notice → documents with it, and how often they have it
	byMonth                       // facet, id, month → what documents changed by; a value has its months together
	byDay                         // day, facet, id → the same; days that are over are together
)

// sumKey is that of the sums of a value, and of a notice among them.
type sumKey struct {
	f        Facet
	id, code uint32
}

func (k sumKey) appendSums(key []byte) []byte { return appendValue(append(key, ofSums), k.f, k.id) }

func (k sumKey) appendFinding(key []byte) []byte {
	return binary.BigEndian.AppendUint32(appendValue(append(key, ofFindings), k.f, k.id), k.code)
}

// sumDeltas are what sums change by in a transaction.
type sumDeltas struct {
	sums     map[sumKey]*quality.Sums
	findings map[sumKey]finding
	spans    map[spanKey]quality.Tally
	departed map[departedKey]finding
	firstDay int64 // of those that are kept by day
}

// finding is how many documents have a notice, and how often they have it.
type finding struct{ documents, times int64 }

// spanKey is a day or a month of a value.
type spanKey struct {
	kind  byte
	f     Facet
	id    uint32
	begin int64
}

func newSumDeltas() sumDeltas {
	return sumDeltas{
		sums: map[sumKey]*quality.Sums{}, findings: map[sumKey]finding{}, spans: map[spanKey]quality.Tally{},
		departed: map[departedKey]finding{}, firstDay: firstDay(time.Now()),
	}
}

// fillFindings fills in how often a seed, which is as it is listed, has its notices.
func (c *change) fillFindings(seed *seedlist.Seed) {
	codes := c.is.values(Notice)
	c.is.findings = append(c.is.findings[:0], make([]int64, len(codes))...)
	for code, n := range seed.Notices {
		if at, ok := slices.BinarySearch(codes, c.number(Notice, string(code))); ok {
			c.is.findings[at] += n
		}
	}
}

// tallySums takes from the sums what a seed was, and adds what it is.
func (c *change) tallySums() {
	same := c.was.sums == c.is.sums && slices.Equal(c.was.findings, c.is.findings) && sameValues(&c.was, &c.is, Notice)
	sameSteps := slices.Equal(c.was.steps, c.is.steps)
	for _, f := range groups {
		sameGroup := sameValues(&c.was, &c.is, f)
		if !same || !sameGroup {
			c.tallyGroup(f, &c.was, -1)
			c.tallyGroup(f, &c.is, +1)
		}
		if !sameSteps || !sameGroup {
			c.tallySteps(f, c.was.values(f), &c.was, -1)
			c.tallySteps(f, c.is.values(f), &c.is, +1)
		}
	}
	if !sameSteps {
		c.tallySteps(everything, []uint32{0}, &c.was, -1)
		c.tallySteps(everything, []uint32{0}, &c.is, +1)
	}
}

// everything stands for a facet in the keys of spans: all documents have its one value, 0.
const everything Facet = 0xFD

// tallySteps adds the steps of a document to the spans of values.
func (c *change) tallySteps(f Facet, ids []uint32, e *entry, times int64) {
	for _, id := range ids {
		for i := range e.steps {
			c.sums.step(f, id, &e.steps[i], times)
		}
	}
}

func (c *change) tallyGroup(f Facet, e *entry, times int64) {
	if e.sums.Documents == 0 {
		return
	}
	codes := e.values(Notice)
	for _, id := range e.values(f) {
		key := sumKey{f, id, 0}
		if c.sums.sums[key] == nil {
			c.sums.sums[key] = &quality.Sums{}
		}
		c.sums.sums[key].Add(&e.sums, times)
		for i, code := range codes {
			key := sumKey{f, id, code}
			n := c.sums.findings[key]
			c.sums.findings[key] = finding{n.documents + times, n.times + times*e.findings[i]}
		}
	}
}

// writeSums writes the sums that changed, in the order of the keys.
func (c *change) writeSums() {
	table := c.tables[inPairs]
	keys := slices.SortedFunc(maps.Keys(c.sums.sums), compareKeys)
	c.prefetchSums(keys, sumKey.appendSums)
	for _, k := range keys {
		key := k.appendSums(c.key[:0])
		var sums quality.Sums
		if stored := table.Get(key); stored != nil {
			sums.Decode(stored)
		}
		if sums.Add(c.sums.sums[k], 1); sums == (quality.Sums{}) {
			table.Delete(key)
			continue
		}
		from := len(c.stored)
		c.stored = sums.Append(c.stored)
		table.Put(key, c.keep(from))
	}
	codes := slices.SortedFunc(maps.Keys(c.sums.findings), compareKeys)
	c.prefetchSums(codes, sumKey.appendFinding)
	for _, k := range codes {
		key := k.appendFinding(c.key[:0])
		was, delta := readFinding(table.Get(key)), c.sums.findings[k]
		is := finding{was.documents + delta.documents, was.times + delta.times}
		switch is {
		case was:
		case finding{}:
			table.Delete(key)
		default:
			from := len(c.stored)
			c.stored = binary.AppendVarint(binary.AppendVarint(c.stored, is.documents), is.times)
			table.Put(key, c.keep(from))
		}
	}
	c.writeSpans()
}

func compareKeys(a, b sumKey) int {
	return cmp.Or(cmp.Compare(a.f, b.f), cmp.Compare(a.id, b.id), cmp.Compare(a.code, b.code))
}

func (c *change) prefetchSums(keys []sumKey, appendKey func(sumKey, []byte) []byte) {
	if !c.isFar() {
		return
	}
	all := make([][]byte, len(keys))
	for i, k := range keys {
		all[i] = appendKey(k, nil)
	}
	c.tables[inPairs].Prefetch(all...)
}

func readFinding(value []byte) (n finding) {
	documents, size := binary.Varint(value)
	n.documents = documents
	n.times, _ = binary.Varint(value[max(size, 0):])
	return n
}

// Group is the sums of the documents that have a value.
type Group struct {
	Value string `json:"value"`
	quality.Sums
}

// Finding is a notice of a group's documents.
type Finding struct {
	Code      fault.Code `json:"code"`
	Documents int64      `json:"documents"`
	Times     int64      `json:"times" doc:"how often the documents have it"`
}

// sameValues says that two entries have the same values of a facet.
func sameValues(a, b *entry, f Facet) bool { return slices.Equal(a.values(f), b.values(f)) }
