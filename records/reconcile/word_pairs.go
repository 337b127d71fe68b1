package reconcile

import (
	"context"
	"encoding/binary"
	"math/bits"
	"slices"
	"sync/atomic"
)

// wordPairs finds the pairs of rare words that several records have. Of many records there are too many pairs to count
// all at once, so they are counted part by part, by their hashes.
type wordPairs struct {
	*index
	rare     *keyStore // of each record, its rarest words by their slots
	bits     uint      // of the slots of all pairs
	partBits uint      // of those of a part
	parts    []*keyStore
	most     uint32 // records that have a pair, for it to be looked up
	cut      int64  // pairs that more have
}

// mostParts is in how many parts pairs are counted, as a power of two; each has a file.
const mostParts = 6

// sampleBits are those of the slots of a sample of the pairs. It is the same whatever memory there is.
const sampleBits = 20

// slotsPerRecord is how many slots there are for the pairs of a record, so that most that fall together are equal.
const slotsPerRecord = 64

func newWordPairs(x *index) *wordPairs {
	p := &wordPairs{index: x, rare: x.newKeyStore(), bits: uint(bits.Len(uint(slotsPerRecord * x.table.compared)))}
	p.partBits = min(p.bits, max(min(25, max(16, uint(bits.Len64(uint64(x.opt.Memory/16))))), p.bits-min(p.bits, mostParts)))
	for range 1 << (p.bits - p.partBits) {
		s := x.newKeyStore()
		s.arena.limit >>= p.bits - p.partBits
		p.parts = append(p.parts, s)
	}
	return p
}

func (p *wordPairs) close() {
	p.rare.arena.close()
	for _, s := range p.parts {
		s.arena.close()
	}
}

// rarest is how many of the rarest words of a record are paired.
const rarest = 10

// rareWord is a word of a record with how many records have it.
type rareWord struct{ slot, df uint32 }

// rarestWords finds the rarest words of a record; those that were joined say nothing that their parts do not.
func (x *index) rarestWords(few []rareWord, words []uint32) []rareWord {
	few = few[:0]
	for _, k := range words {
		if wasJoined(k) {
			continue
		}
		w := rareWord{slotOf(k), x.words.of[slotOf(k)]}
		at := len(few)
		for at > 0 && (few[at-1].df > w.df || few[at-1].df == w.df && few[at-1].slot > w.slot) {
			at--
		}
		if at == rarest {
			continue
		}
		if len(few) == rarest {
			few = few[:rarest-1]
		}
		few = slices.Insert(few, at, w)
	}
	return few
}

// count counts the pairs, and holds those of each record that are looked up.
func (p *wordPairs) count(ctx context.Context, held *keyStore) error {
	err := p.inChunks(ctx, p.table.compared, func() func(from, to int) error {
		r := &keyed{}
		var few []rareWord
		var buffer, out []byte
		return func(from, to int) error {
			b, err := held.get(from/chunk, &buffer)
			if err != nil {
				return err
			}
			out = out[:0]
			for range to - from {
				b = r.read(b)
				few = p.rarestWords(few, r.words)
				out = append(out, byte(len(few)))
				for _, w := range few {
					out = binary.LittleEndian.AppendUint32(out, w.slot)
				}
			}
			return p.rare.put(from/chunk, out)
		}
	})
	if err != nil {
		return err
	}
	if err := p.rare.arena.seal(); err != nil {
		return err
	}
	// Some slots are as good a sample of all as any, since they are of hashes.
	of := make([]uint8, 1<<min(p.bits, sampleBits))
	if err := p.countPart(ctx, 0, of); err != nil {
		return err
	}
	var byCount frequencyCounts
	for _, n := range of {
		byCount.add(uint32(n), float64(uint64(1)<<p.bits/uint64(len(of))))
	}
	p.most = min(byCount.bound(p.table.compared, p.work(pairWork)), mostCounted-1)
	workers := max(1, min(p.opt.Workers, int(p.opt.Memory/4>>p.partBits), len(p.parts)))
	var next atomic.Int64
	return p.parallelBy(ctx, workers, 1, func(int) func(int) error {
		return func(int) error {
			var of []uint8
			for {
				part := int(next.Add(1)) - 1
				if part >= len(p.parts) {
					return nil
				}
				if of == nil {
					of = make([]uint8, 1<<p.partBits)
				}
				if err := p.hold(ctx, part, of); err != nil {
					return err
				}
			}
		}
	})
}

// mostCounted is up to which number the records that have a pair are counted.
const mostCounted = 255

// eachRare calls begin with each chunk, and do with the rarest words of each of its records.
func (p *wordPairs) eachRare(ctx context.Context, do func(few []uint32), done func(chunk int) error) error {
	var buffer []byte
	var few []uint32
	for at := range p.rare.chunks {
		if err := ctx.Err(); err != nil {
			return err
		}
		b, err := p.rare.get(at, &buffer)
		if err != nil {
			return err
		}
		for len(b) > 0 {
			few = few[:0]
			n := int(b[0])
			for b = b[1:]; n > 0; n-- {
				few = append(few, binary.LittleEndian.Uint32(b))
				b = b[4:]
			}
			do(few)
		}
		if done != nil {
			if err := done(at); err != nil {
				return err
			}
		}
	}
	return nil
}

// countPart counts the pairs of a part, which has as many slots as there are counts.
func (p *wordPairs) countPart(ctx context.Context, part int, of []uint8) error {
	clear(of)
	shift, partBits, mask := 64-p.bits, bits.Len(uint(len(of)))-1, uint64(len(of))-1
	return p.eachRare(ctx, func(few []uint32) {
		for i, w := range few {
			for _, v := range few[:i] {
				slot := pairKeyOf(w, v) >> shift
				if slot>>partBits == uint64(part) && of[slot&mask] < mostCounted {
					of[slot&mask]++
				}
			}
		}
	}, nil)
}

// pairBytes is how many bytes are held of a pair: its key, and how many records have it.
const pairBytes = 5

// hold holds the pairs of a part that are looked up.
func (p *wordPairs) hold(ctx context.Context, part int, of []uint8) error {
	if err := p.countPart(ctx, part, of); err != nil {
		return err
	}
	cut := int64(0)
	for _, n := range of {
		if uint32(n) > p.most {
			cut++
		}
	}
	atomic.AddInt64(&p.cut, cut)
	shift, mask := 64-p.bits, uint64(1)<<p.partBits-1
	var out []byte
	err := p.eachRare(ctx, func(few []uint32) {
		at := len(out)
		out = append(out, 0)
		for i, w := range few {
			for _, v := range few[:i] {
				h := pairKeyOf(w, v)
				if h>>shift>>p.partBits != uint64(part) {
					continue
				}
				if n := of[h>>shift&mask]; n > 1 && uint32(n) <= p.most {
					// The slot is of the first bits of the hash, and the key of the last: of two pairs in one slot
					// each keeps its own.
					out = append(binary.LittleEndian.AppendUint32(out, uint32(h)|1<<31), n)
					out[at]++
				}
			}
		}
	}, func(chunk int) error {
		err := p.parts[part].put(chunk, out)
		out = out[:0]
		return err
	})
	if err != nil {
		return err
	}
	return p.parts[part].arena.seal()
}

// reader reads the pairs of records that are looked up. Their weights are those of idf, over the length of the vector
// of all pairs; a pair that is not looked up counts as that of a single record.
func (p *wordPairs) reader() keyReader {
	return &pairReader{wordPairs: p, parts: make([][]byte, len(p.parts)), buffers: make([][]byte, len(p.parts)+1)}
}

type pairReader struct {
	*wordPairs
	few     []byte
	parts   [][]byte
	buffers [][]byte
}

func (r *pairReader) begin(chunk int) (err error) {
	for i, s := range r.wordPairs.parts {
		if r.parts[i], err = s.get(chunk, &r.buffers[i]); err != nil {
			return err
		}
	}
	r.few, err = r.rare.get(chunk, &r.buffers[len(r.parts)])
	return err
}

func (r *pairReader) keys(_ *keyed, out []weightedKey) []weightedKey {
	few := int(r.few[0])
	r.few = r.few[1+4*few:]
	from, length := len(out), 0.0
	for i, b := range r.parts {
		n := int(b[0])
		for b = b[1:]; n > 0; n-- {
			w := r.idf(uint32(b[4]))
			out = append(out, weightedKey{spread(binary.LittleEndian.Uint32(b)), w})
			length += float64(w) * float64(w)
			b = b[pairBytes:]
		}
		r.parts[i] = b
	}
	one := float64(r.idf(1))
	length += one * one * float64(few*(few-1)/2-(len(out)-from))
	scale(out[from:], length)
	return out
}
