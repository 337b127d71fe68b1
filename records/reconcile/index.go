package reconcile

import (
	"context"
	"math"
	"math/bits"
	"sync"
	"sync/atomic"
)

// candidate is a record that is like another.
type candidate struct {
	record uint32
	score  float32
}

// candidateBytes is how many bytes are held of a candidate.
const candidateBytes = 8

// retrieve finds the k likest of each record: of those of the other table if apart, else of all others.
func (x *index) retrieve(ctx context.Context, k int) (*pairList, error) {
	best, err := newLists(x.table.compared, k, x.opt.Temp, x.opt.Memory/4)
	if err != nil {
		return nil, err
	}
	defer best.close()
	indexed := x.table.compared
	if x.apart { // these are the fewer to go through twice
		indexed = x.table.firsts
	}
	// Slices of the records are indexed one after another, each as large as memory allows. Records that come after
	// those of a slice are looked up in it: two records are as like whichever of them is looked up.
	for from := 0; from < indexed; {
		s := x.slice(from, indexed)
		if err := x.fill(ctx, s); err != nil {
			return nil, err
		}
		if s.best, err = best.load(s.from, s.to, nil); err != nil {
			return nil, err
		}
		if err := x.query(ctx, s, best); err != nil {
			return nil, err
		}
		if err := best.store(s.from, s.best); err != nil {
			return nil, err
		}
		from = s.to
	}
	x.close()
	x.keys = nil
	return x.united(ctx, best)
}

// posting is a record that has a key.
type posting struct {
	tag    uint32 // the record within the slice, and above it those bits of the key that its place does not say
	weight float32
}

// slice is an index of some records by their keys, and the likest of them that were found so far.
type slice struct {
	from, to int
	bits     uint     // of a place: the first bits of a key
	starts   []uint32 // where the postings of each place begin
	postings []posting
	best     []candidate
	least    []atomic.Uint32 // of each record, the bits of the score that it takes to be among its likest
	locks    [1024]sync.Mutex
}

// slice makes an index of the records from…, as far as memory allows.
func (x *index) slice(from, most int) *slice {
	const entryBytes = 12 // a posting, and the start of its place
	budget := max(1, x.opt.Memory*5/8)
	s := &slice{from: from, to: from}
	entries := 0
	for budget > 0 && s.to < most {
		here := x.keys.chunks[s.to/chunk].length / weightedBytes
		budget -= int64(here)*entryBytes + chunk*(2*candidatesPerRecord*candidateBytes+4)
		entries += here
		s.to = min(s.to+chunk, most)
	}
	// A tag has room for the record and for the rest of the key.
	s.bits = uint(max(bits.Len(uint(entries))-1, bits.Len(uint(s.to-s.from)), 1))
	return s
}

func (s *slice) placeOf(key uint32) uint32 { return key >> (32 - s.bits) }
func (s *slice) tagOf(key uint32) uint32   { return key << s.bits }

// fill fills the index. Each goroutine takes the keys of some places, so that postings stand in the order of the
// records whichever is faster.
func (x *index) fill(ctx context.Context, s *slice) error {
	s.starts = make([]uint32, 1<<s.bits+2)
	each := func(do func(n, key uint32, weight float32)) error {
		workers := x.opt.Workers
		return x.parallelBy(ctx, workers, 1, func(int) func(int) error {
			var buffer []byte
			var keys []weightedKey
			return func(part int) error {
				from, to := uint64(part)<<32/uint64(workers), uint64(part+1)<<32/uint64(workers)
				// No two goroutines have a place in common.
				from, to = from>>(32-s.bits)<<(32-s.bits), to>>(32-s.bits)<<(32-s.bits)
				for at := s.from / chunk; at*chunk < s.to; at++ {
					b, err := x.keys.get(at, &buffer)
					if err != nil {
						return err
					}
					for n := at * chunk; len(b) > 0 && n < s.to; n++ {
						keys, b = readWeighted(keys[:0], b)
						for _, k := range keys {
							if uint64(k.key) >= from && uint64(k.key) < to {
								do(uint32(n-s.from), k.key, k.weight)
							}
						}
					}
				}
				return nil
			}
		})
	}
	if err := each(func(_, key uint32, _ float32) { s.starts[s.placeOf(key)+2]++ }); err != nil {
		return err
	}
	for i := 2; i < len(s.starts); i++ {
		s.starts[i] += s.starts[i-1]
	}
	s.postings = make([]posting, s.starts[len(s.starts)-1])
	// The start of the next place is where the next posting goes, until all are there: then it is the start of its own.
	return each(func(n, key uint32, weight float32) {
		at := &s.starts[s.placeOf(key)+1]
		s.postings[*at] = posting{s.tagOf(key) | n, weight}
		*at++
	})
}

// offer offers a candidate to a record of the slice. Several goroutines may.
func (s *slice) offer(n int, c candidate, k int) {
	if math.Float32bits(c.score) < s.least[n].Load() {
		return
	}
	lock := &s.locks[n%len(s.locks)]
	lock.Lock()
	defer lock.Unlock()
	top := s.best[n*k : (n+1)*k]
	insert(top, c)
	s.least[n].Store(math.Float32bits(top[k-1].score))
}

// query looks the records up that may be like those of a slice.
func (x *index) query(ctx context.Context, s *slice, best *lists) error {
	n, k := x.table.compared, best.k
	first := s.from
	if x.apart {
		first = x.table.firsts
	}
	s.least = make([]atomic.Uint32, s.to-s.from)
	for i := range s.least {
		s.least[i].Store(math.Float32bits(s.best[(i+1)*k-1].score))
	}
	part := 1 / float32(len(x.families))
	return x.parallelBy(ctx, (n+chunk-1)/chunk-first/chunk, 1, func(int) func(i int) error {
		scores := make([]float32, s.to-s.from)
		var touched []uint32
		var buffer []byte
		var rows []candidate
		var keys []weightedKey
		return func(i int) error {
			from := (first/chunk + i) * chunk
			to := min(from+chunk, n)
			b, err := x.keys.get(from/chunk, &buffer)
			if err != nil {
				return err
			}
			// Those of the slice are changed by all goroutines, those of later records by one.
			own := min(to, max(from, s.to, first))
			if rows, err = best.load(own, to, rows); err != nil {
				return err
			}
			for r := from; r < to; r++ {
				keys, b = readWeighted(keys[:0], b)
				if r < first {
					continue
				}
				touched = s.meet(keys, part, scores, touched[:0])
				for _, at := range touched {
					score := scores[at]
					scores[at] = 0
					switch other := int(at) + s.from; {
					case r >= own:
						if top := rows[(r-own)*k : (r-own+1)*k]; score >= top[k-1].score {
							insert(top, candidate{uint32(other), score})
						}
						s.offer(int(at), candidate{uint32(r), score}, k)
					case other < r:
						s.offer(r-s.from, candidate{uint32(other), score}, k)
						s.offer(int(at), candidate{uint32(r), score}, k)
					}
				}
			}
			return best.store(own, rows)
		}
	})
}

// meet adds to the scores of the records of a slice what they have in common with a record, and says which they are.
func (s *slice) meet(keys []weightedKey, part float32, scores []float32, touched []uint32) []uint32 {
	mask := uint32(1)<<s.bits - 1
	for _, key := range keys {
		w, place, tag := key.weight*part, s.placeOf(key.key), s.tagOf(key.key)
		for _, p := range s.postings[s.starts[place]:s.starts[place+1]] {
			if p.tag&^mask != tag {
				continue
			}
			at := p.tag & mask
			if scores[at] == 0 {
				touched = append(touched, at)
			}
			scores[at] += w * p.weight
		}
	}
	return touched
}

// insert puts a candidate among the best. Of those that are as like, the one with the lesser number comes first.
func insert(top []candidate, c candidate) {
	at := len(top)
	for at > 0 && (top[at-1].score < c.score || top[at-1].score == c.score && top[at-1].record > c.record) {
		at--
	}
	if at == len(top) {
		return
	}
	copy(top[at+1:], top[at:])
	top[at] = c
}
