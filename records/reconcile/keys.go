package reconcile

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"sync"
	"sync/atomic"
)

// counts are how many records have a key, for keys by their hashes. Keys whose hashes fall together count as one.
type counts struct {
	of    []uint32
	shift uint
}

func newCounts(bits uint) *counts { return &counts{make([]uint32, 1<<bits), 64 - bits} }

func (c *counts) slot(h uint64) uint32 { return uint32(h >> c.shift) }
func (c *counts) get(h uint64) uint32  { return c.of[h>>c.shift] }
func (c *counts) add(slot uint32)      { atomic.AddUint32(&c.of[slot], 1) }

// wordBits and gramBits are how many keys the tables of counts have, as powers of two. A key has at most 24 bits.
func wordBits(n int) uint { return min(uint(math.Ceil(math.Log2(float64(n+2))))+8, 23) }
func gramBits(n int) uint { return min(uint(math.Ceil(math.Log2(float64(n+2))))+9, 21) }

// A held key is its slot in the table of counts, how often the record has it, and whether it was joined of two.
const (
	slotMask   = 1<<24 - 1
	joinedFlag = 1 << 31
	mostTimes  = 1<<7 - 1
)

func heldKey(slot uint32, times int, isJoined bool) uint32 {
	k := slot | uint32(min(times, mostTimes))<<24
	if isJoined {
		k |= joinedFlag
	}
	return k
}

func slotOf(k uint32) uint32       { return k & slotMask }
func timesOf(k uint32) int         { return int(k >> 24 & mostTimes) }
func wasJoined(k uint32) bool      { return k&joinedFlag != 0 }
func pairKeyOf(a, b uint32) uint64 { return mix(uint64(min(a, b))<<32 | uint64(max(a, b))) }

// keyed is the keys of a record, by their hashes, each once.
type keyed struct {
	words, grams []uint32
}

// index finds candidates by the keys of records.
type index struct {
	*Engine
	families []*family
	keys     *keyStore
}

func (x *index) close() {
	if x.keys != nil {
		x.keys.arena.close()
	}
}

// keyStore holds the keys of all records, so that their texts are read once. They are read in the order of the
// records, chunk by chunk.
type keyStore struct {
	arena  arena
	lock   sync.Mutex
	chunks []keyChunk
}

// keyChunk is where the keys of a chunk of records are.
type keyChunk struct {
	offset int64
	length int
}

// count counts in how many records the keys are, and holds those that are looked up.
func (x *index) count(ctx context.Context) error {
	n := x.table.compared
	large := x.isLarge()
	x.words, x.grams = newCounts(wordBits(n)), newCounts(0)
	if !large {
		x.grams = newCounts(gramBits(n))
	}
	x.idfs = make([]float32, frequencies)
	for df := range x.idfs {
		x.idfs[df] = idf(n, uint32(df))
	}
	held := x.newKeyStore()
	defer held.arena.close()
	err := x.inChunks(ctx, n, func() func(from, to int) error {
		v := &view{}
		var b []byte
		return func(from, to int) error {
			b = b[:0]
			for i := from; i < to; i++ {
				if err := x.view(v, uint32(i), load{words: true, digits: large, grams: !large, counting: true}); err != nil {
					return err
				}
				b = binary.AppendUvarint(b, uint64(len(v.words)))
				for k := range v.words {
					slot := x.words.slot(v.words[k].hash)
					x.words.add(slot)
					b = binary.LittleEndian.AppendUint32(b, heldKey(slot, int(v.words[k].times), v.words[k].kind == joined))
				}
				b = binary.AppendUvarint(b, uint64(len(v.grams)))
				for k := range v.grams {
					slot := x.grams.slot(v.grams[k].hash)
					x.grams.add(slot)
					b = binary.LittleEndian.AppendUint32(b, heldKey(slot, int(v.grams[k].times), false))
				}
			}
			return held.put(from/chunk, b)
		}
	})
	if err != nil {
		return err
	}
	if err := held.arena.seal(); err != nil {
		return err
	}
	x.families = []*family{x.newFamily(x.words, 0, func(r *keyed) []uint32 { return r.words })}
	switch {
	case x.opt.lacks(gramCandidates):
	case !large:
		x.families = append(x.families, x.newFamily(x.grams, 1<<31, func(r *keyed) []uint32 { return r.grams }))
	default:
		pairs := newWordPairs(x)
		defer pairs.close()
		if err := pairs.count(ctx, held); err != nil {
			return err
		}
		x.families = append(x.families, &family{cut: pairs.cut, reader: pairs.reader})
	}
	return x.weighKeys(ctx, held)
}

// weighKeys holds the keys of all records that are in the index, with their weights.
func (x *index) weighKeys(ctx context.Context, held *keyStore) error {
	x.keys = x.newKeyStore()
	err := x.inChunks(ctx, x.table.compared, func() func(from, to int) error {
		r := &keyed{}
		var buffer, out []byte
		var keys []weightedKey
		readers := make([]keyReader, len(x.families))
		for i, f := range x.families {
			readers[i] = f.reader()
		}
		return func(from, to int) error {
			b, err := held.get(from/chunk, &buffer)
			if err != nil {
				return err
			}
			for _, read := range readers {
				if err := read.begin(from / chunk); err != nil {
					return err
				}
			}
			out = out[:0]
			for range to - from {
				b, keys = r.read(b), keys[:0]
				for _, read := range readers {
					keys = read.keys(r, keys)
				}
				out = binary.AppendUvarint(out, uint64(len(keys)))
				for _, k := range keys {
					out = binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(out, k.key), math.Float32bits(k.weight))
				}
			}
			return x.keys.put(from/chunk, out)
		}
	})
	for _, f := range x.families {
		f.reader = nil
	}
	return errors.Join(err, x.keys.arena.seal())
}

func (x *index) newKeyStore() *keyStore {
	return &keyStore{
		arena:  arena{temp: x.opt.Temp, limit: int(x.opt.Memory / 8)},
		chunks: make([]keyChunk, (x.table.compared+chunk-1)/chunk),
	}
}

// put holds the keys of a chunk of records.
func (s *keyStore) put(at int, b []byte) (err error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.chunks[at].length = len(b)
	s.chunks[at].offset, err = s.arena.add(b)
	return err
}

// inChunks calls what begin makes with each chunk of the numbers below n, on several goroutines.
func (e *Engine) inChunks(ctx context.Context, n int, begin func() func(from, to int) error) error {
	return e.parallelBy(ctx, (n+chunk-1)/chunk, 1, func(int) func(i int) error {
		do := begin()
		return func(i int) error { return do(i*chunk, min(n, (i+1)*chunk)) }
	})
}

// get reads the keys of a chunk. They are valid until buffer is used again.
func (s *keyStore) get(at int, buffer *[]byte) ([]byte, error) {
	return s.arena.at(s.chunks[at].offset, s.chunks[at].length, buffer)
}

// readWeighted reads the weighted keys of a record.
func readWeighted(dst []weightedKey, b []byte) ([]weightedKey, []byte) {
	count, size := binary.Uvarint(b)
	b = b[size:]
	for range count {
		dst = append(dst, weightedKey{binary.LittleEndian.Uint32(b), math.Float32frombits(binary.LittleEndian.Uint32(b[4:]))})
		b = b[weightedBytes:]
	}
	return dst, b
}

// read reads what is held of the keys of a record.
func (r *keyed) read(b []byte) []byte {
	r.words, b = readKeys(r.words[:0], b)
	r.grams, b = readKeys(r.grams[:0], b)
	return b
}

func readKeys(dst []uint32, b []byte) ([]uint32, []byte) {
	n, size := binary.Uvarint(b)
	b = b[size:]
	for range n {
		dst = append(dst, binary.LittleEndian.Uint32(b))
		b = b[4:]
	}
	return dst, b
}

// weightedKey is a key of a record by which it is looked up, with its weight.
type weightedKey struct {
	key    uint32
	weight float32
}

// weightedBytes is how many bytes are held of a weighted key.
const weightedBytes = 8

// spread spreads keys over all numbers; no two become one.
func spread(key uint32) uint32 { return key * 0x9E3779B1 }

// family is a kind of keys of records by which candidates are found: words, sequences of characters, pairs of rare
// words.
type family struct {
	cut    int64 // how many keys too many records have to be looked up
	reader func() keyReader
}

// keyReader reads the keys of records that are looked up, chunk by chunk, on one goroutine.
type keyReader interface {
	begin(chunk int) error
	// keys appends those of the next record of the chunk.
	keys(r *keyed, to []weightedKey) []weightedKey
}

// countedKeys are the keys of a family that all records hold, and that 2 to most records have. Their weights are
// tf·idf, over the length of the record's vector.
type countedKeys struct {
	x      *index
	df     *counts
	most   uint32
	prefix uint32 // what tells its keys from those of other families
	of     func(r *keyed) []uint32
}

func (c *countedKeys) begin(int) error { return nil }

func (c *countedKeys) keys(r *keyed, out []weightedKey) []weightedKey {
	var length float64
	from := len(out)
	for _, k := range c.of(r) {
		df := c.df.of[slotOf(k)]
		w := logarithm(timesOf(k)) * c.x.idf(df)
		length += float64(w) * float64(w)
		if df > 1 && df <= c.most {
			out = append(out, weightedKey{spread(c.prefix | slotOf(k)), w})
		}
	}
	scale(out[from:], length)
	return out
}

// newFamily makes a family of keys that all records hold.
func (x *index) newFamily(df *counts, prefix uint32, of func(r *keyed) []uint32) *family {
	var byCount frequencyCounts
	for _, n := range df.of {
		byCount.add(n, 1)
	}
	c := &countedKeys{x, df, byCount.bound(x.table.compared, x.work(wordWork)), prefix, of}
	f := &family{reader: func() keyReader { return c }}
	for _, n := range df.of {
		if n > c.most {
			f.cut++
		}
	}
	return f
}

// scale divides weights by the length of their vector.
func scale(keys []weightedKey, square float64) {
	if square == 0 {
		return
	}
	by := float32(1 / math.Sqrt(square))
	for i := range keys {
		keys[i].weight *= by
	}
}

// bytesPerRecord is what memory holds of each record beside what Options.Memory bounds: its entry, its candidates with
// their levels of likeness, and its cluster.
const bytesPerRecord = 256

// MemoryOf is how many bytes a run takes for so many records, beside the merged record that is being made: memory,
// which is that of the Options, and what grows with the records.
func MemoryOf(records int, memory int64) int64 {
	counts := int64(4) << wordBits(records)
	if records <= manyRecords {
		counts += 4 << gramBits(records)
	}
	return memory + counts + bytesPerRecord*int64(records)
}

// manyRecords is from how many records on sequences of characters are not indexed, but pairs of rare words are.
const manyRecords = 150_000

// isLarge says that there are many records.
func (e *Engine) isLarge() bool { return e.table.compared > e.opt.many }

// The entries of the index that may be looked at: for each record, where there are many, by words alone and by pairs
// of them, which tell more; else in each family for the whole run and for each record.
const (
	wordWork  = 120
	pairWork  = 150
	smallWork = 3e8
	eachWork  = 2500
)

// work is how many entries of the index may be looked at by a family.
func (x *index) work(large float64) float64 {
	n := float64(x.table.compared)
	if x.isLarge() {
		return large * n
	}
	return smallWork + eachWork*n
}

// mostFrequent is how many records may have a key that is looked up.
const mostFrequent = 3000

// frequencyCounts are how many keys so many records have.
type frequencyCounts [mostFrequent + 1]float64

func (c *frequencyCounts) add(df uint32, keys float64) {
	if df <= mostFrequent {
		c[df] += keys
	}
}

// bound is how many records may have a key, so that the index is looked at not too often.
func (c *frequencyCounts) bound(n int, work float64) uint32 {
	most := uint32(max(2, min(n/5, mostFrequent)))
	if n < 50 {
		most = uint32(n)
	}
	total := 0.0
	last := uint32(1)
	for df := uint32(2); df <= most; df++ {
		if total += c[df] * float64(df) * float64(df); total > work {
			break
		}
		last = df
	}
	return last
}
