package reconcile

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"math/bits"
	"slices"
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

// wordBits, gramBits and pairBits are how many keys the tables of counts have, as powers of two. A key has at most
// 24 bits.
func wordBits(n int) uint { return min(uint(math.Ceil(math.Log2(float64(n+2))))+8, 23) }
func gramBits(n int) uint { return min(uint(math.Ceil(math.Log2(float64(n+2))))+9, 21) }

const pairBits = 24

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
	few          []rareWord
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

// count counts in how many records the keys are, and holds the keys.
func (x *index) count(ctx context.Context) error {
	n := x.table.compared
	x.words, x.grams = newCounts(wordBits(n)), newCounts(gramBits(n))
	large := x.isLarge()
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
	x.families = []*family{x.newFamily(x.words, func(r *keyed) []uint32 { return r.words })}
	if x.opt.lacks(gramCandidates) {
		return x.weighKeys(ctx, held)
	}
	if !large {
		x.families = append(x.families, x.newFamily(x.grams, func(r *keyed) []uint32 { return r.grams }))
		return x.weighKeys(ctx, held)
	}
	pairs := newCounts(pairBits)
	err = x.eachHeld(ctx, held, 0, n, func() func(n uint32, b []byte) []byte {
		r := &keyed{}
		return func(_ uint32, b []byte) []byte {
			b = r.read(b)
			x.rarestWords(r)
			for i := range r.few {
				for j := range i {
					pairs.add(pairs.slot(pairKeyOf(r.few[i].slot, r.few[j].slot)))
				}
			}
			return b
		}
	})
	if err != nil {
		return err
	}
	x.families = append(x.families, x.newPairs(pairs))
	return x.weighKeys(ctx, held)
}

// weighKeys holds the keys of all records that are in the index, with their weights.
func (x *index) weighKeys(ctx context.Context, held *keyStore) error {
	x.keys = x.newKeyStore()
	err := x.inChunks(ctx, x.table.compared, func() func(from, to int) error {
		r := &keyed{}
		var buffer, out []byte
		var keys []weightedKey
		return func(from, to int) error {
			b, err := held.get(from/chunk, &buffer)
			if err != nil {
				return err
			}
			out = out[:0]
			for range to - from {
				b = r.read(b)
				for _, f := range x.families {
					keys = f.keys(r, keys[:0])
					out = binary.AppendUvarint(out, uint64(len(keys)))
					for _, k := range keys {
						out = binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(out, k.at), math.Float32bits(k.weight))
					}
				}
			}
			return x.keys.put(from/chunk, out)
		}
	})
	for _, f := range x.families {
		f.keys, f.kept.bits, f.kept.before = nil, nil, nil
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

// eachHeld calls what begin makes with what is held of each record from…to, on several goroutines; it says what is left
// for the next records.
func (x *index) eachHeld(ctx context.Context, held *keyStore, from, to int, begin func() func(n uint32, b []byte) []byte) error {
	first := from / chunk
	return x.parallelBy(ctx, (to+chunk-1)/chunk-first, 1, func(int) func(i int) error {
		do := begin()
		var buffer []byte
		return func(i int) error {
			b, err := held.get(first+i, &buffer)
			for n := (first + i) * chunk; n < to && len(b) > 0; n++ {
				b = do(uint32(n), b)
			}
			return err
		}
	})
}

// ofFamily takes the keys of a record that are of a family.
type ofFamily func(n uint32, f *family, keys []weightedKey)

// eachKey calls do with the weighted keys of each record from…to, family by family, on several goroutines. The first
// is the first of a chunk. The keys are valid until do returns; done, if there is one, follows those of a record.
func (x *index) eachKey(ctx context.Context, from, to int, begin func() (do ofFamily, done func(n uint32))) error {
	return x.eachHeld(ctx, x.keys, from, to, func() func(n uint32, b []byte) []byte {
		do, done := begin()
		var keys []weightedKey
		return func(n uint32, b []byte) []byte {
			for _, f := range x.families {
				count, size := binary.Uvarint(b)
				b = b[size:]
				keys = keys[:0]
				for range count {
					keys = append(keys, weightedKey{binary.LittleEndian.Uint32(b), math.Float32frombits(binary.LittleEndian.Uint32(b[4:]))})
					b = b[8:]
				}
				do(n, f, keys)
			}
			if done != nil {
				done(n)
			}
			return b
		}
	})
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

// rareWord is a word of a record with how many records have it.
type rareWord struct{ slot, df uint32 }

// rarest is how many of the rarest words of a record are paired.
const rarest = 10

// rarestWords finds the rarest words of a record; those that were joined say nothing that their parts do not.
func (x *index) rarestWords(r *keyed) {
	r.few = r.few[:0]
	for _, k := range r.words {
		if wasJoined(k) {
			continue
		}
		w := rareWord{slotOf(k), x.words.of[slotOf(k)]}
		at := len(r.few)
		for at > 0 && (r.few[at-1].df > w.df || r.few[at-1].df == w.df && r.few[at-1].slot > w.slot) {
			at--
		}
		if at == rarest {
			continue
		}
		if len(r.few) == rarest {
			r.few = r.few[:rarest-1]
		}
		r.few = slices.Insert(r.few, at, w)
	}
}

// weightedKey is a key of a record that is in the index, by its number there, with its weight.
type weightedKey struct {
	at     uint32
	weight float32
}

// family is a kind of keys of records by which candidates are found: words, sequences of characters, pairs of rare
// words.
type family struct {
	kept slots
	cut  int64 // how many keys too many records have to be looked up
	most uint32
	// keys appends those of a record that are in the index.
	keys     func(r *keyed, to []weightedKey) []weightedKey
	postings []posting
}

// slots are the keys that are in the index, numbered in the order of their slots.
type slots struct {
	bits   []uint64
	before []uint32 // keys before each word of bits
	df     []uint32 // of each key
	starts []uint32 // where the postings of each begin
}

// number is the number of the key of a slot.
func (s *slots) number(slot uint32) (at uint32, kept bool) {
	word, bit := s.bits[slot>>6], uint64(1)<<(slot&63)
	if word&bit == 0 {
		return 0, false
	}
	return s.before[slot>>6] + uint32(bits.OnesCount64(word&(bit-1))), true
}

// keep keeps the keys that 2 to most records have.
func (f *family) keep(df []uint32) {
	f.kept.bits, f.kept.before = make([]uint64, (len(df)+63)/64), make([]uint32, (len(df)+63)/64)
	n := uint32(0)
	for slot, d := range df {
		if slot&63 == 0 {
			f.kept.before[slot>>6] = n
		}
		switch {
		case d > f.most:
			f.cut++
		case d > 1:
			f.kept.bits[slot>>6] |= 1 << (slot & 63)
			n++
		}
	}
	f.kept.df = make([]uint32, 0, n)
	for _, d := range df {
		if d > 1 && d <= f.most {
			f.kept.df = append(f.kept.df, d)
		}
	}
}

// newFamily makes a family of keys that all records hold. Their weights are tf·idf, over the length of the record's
// vector.
func (x *index) newFamily(df *counts, of func(r *keyed) []uint32) *family {
	n := x.table.compared
	f := &family{most: bound(df.of, n, x.work(wordWork))}
	f.keep(df.of)
	f.keys = func(r *keyed, out []weightedKey) []weightedKey {
		var length float64
		for _, k := range of(r) {
			w := logarithm(timesOf(k)) * x.idf(df.of[slotOf(k)])
			length += float64(w) * float64(w)
			if at, kept := f.kept.number(slotOf(k)); kept {
				out = append(out, weightedKey{at, w})
			}
		}
		scale(out, length)
		return out
	}
	return f
}

// newPairs makes the family of pairs of rare words. A pair that is not in the index weighs as one of a single record.
func (x *index) newPairs(df *counts) *family {
	f := &family{most: bound(df.of, x.table.compared, x.work(pairWork))}
	f.keep(df.of)
	f.keys = func(r *keyed, out []weightedKey) []weightedKey {
		x.rarestWords(r)
		var length float64
		for i := range r.few {
			for j := range i {
				w := x.idf(1)
				if at, kept := f.kept.number(df.slot(pairKeyOf(r.few[i].slot, r.few[j].slot))); kept {
					w = x.idf(f.kept.df[at])
					out = append(out, weightedKey{at, w})
				}
				length += float64(w) * float64(w)
			}
		}
		scale(out, length)
		return out
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
	if records > manyRecords {
		counts += 4 << pairBits
	} else {
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

// bound is how many records may have a key, so that the index is looked at not too often.
func bound(all []uint32, n int, work float64) uint32 {
	most := uint32(max(2, min(n/5, 3000)))
	if n < 50 {
		most = uint32(n)
	}
	var byCount [3001]float64
	for _, df := range all {
		if df > 1 && df <= most {
			byCount[df]++
		}
	}
	total := 0.0
	last := uint32(1)
	for df := uint32(2); df <= most; df++ {
		if total += byCount[df] * float64(df) * float64(df); total > work {
			break
		}
		last = df
	}
	return last
}
