package linesort

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"math/rand/v2"
	"slices"
)

// leaves goes through the buckets in order, each of a size that can be written; those that are
// larger are cut when their turn comes.
func (s *Sorter) leaves(ctx context.Context, longestKey int64) iter.Seq2[*bucket, error] {
	return func(yield func(*bucket, error) bool) {
		s.forgetEmpty()
		todo := slices.Clone(s.ranges.buckets)
		slices.Reverse(todo)
		for len(todo) > 0 {
			b := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			switch size := cost(b.lines, b.bytes+b.marks*longestKey); {
			case b.lines == 0:
			case b.ordered, b.lines == 1, size <= s.pieceCost:
				if !yield(b, nil) {
					return
				}
			default:
				parts, err := s.cut(ctx, b, size)
				if err != nil {
					yield(nil, err)
					return
				}
				slices.Reverse(parts)
				todo = append(todo, parts...)
			}
		}
	}
}

// makeRoom sees to it that there is memory for the pieces that are sorted at once. Where few lines are left in memory,
// or pieces are small, it is there. Else the last ranges are written to disk.
func (s *Sorter) makeRoom(longestKey int64) error {
	all, used := s.memory.lower(s.held)
	if used <= s.held {
		return nil
	}
	largest := int64(leastPiece)
	for _, b := range s.ranges.buckets {
		if !b.ordered {
			largest = max(largest, cost(b.lines, b.bytes+b.marks*longestKey))
		}
	}
	if each := (all - used) / int64(2*s.opt.Workers+piecesInWaiting); each >= largest {
		s.pieceCost = min(s.pieceCost, each) // ordered lines are cut anywhere
		return nil
	}
	for i := len(s.ranges.buckets) - 1; i >= 0 && used > s.held; i-- {
		b := s.ranges.buckets[i]
		used -= b.resident(true)
		s.evict(b, true)
	}
	err := s.spill.settle()
	s.memory.mu.Lock()
	s.memory.drop()
	s.memory.mu.Unlock()
	return err
}

// settleLoose puts the lines whose range is known only with their key into it.
func (s *Sorter) settleLoose(ctx context.Context) error {
	if s.loose.lines == 0 {
		return nil
	}
	loose := s.loose
	s.loose = newBucket()
	s.active = slices.Clone(s.ranges.buckets)
	return s.route(ctx, loose, s.ranges)
}

// cut divides a bucket into ranges that are fit to be pieces, or at least smaller.
func (s *Sorter) cut(ctx context.Context, b *bucket, size int64) ([]*bucket, error) {
	most := min(256, s.memory.limit/int64(4*s.memory.size))
	count := int(max(2, min(size/(s.pieceCost/2)+1, most)))
	sample, err := s.sample(ctx, b, 16*count)
	if err != nil {
		return nil, err
	}
	r := newRanges(realSplitters(sample, count))
	s.forget(b)
	onDisk := len(b.extents) > 0
	fits := b.bytes <= s.memory.limit/8*5 // in addition to the chunks of pieces that are loaded meanwhile
	if onDisk && fits {
		// What comes later has to leave the memory to the parts, which are needed next.
		for _, other := range s.active {
			s.evict(other, true)
		}
	}
	s.active = append(s.active, r.buckets...)
	if err := s.route(ctx, b, r); err != nil {
		return nil, err
	}
	if onDisk && !fits {
		for _, part := range r.buckets {
			s.evict(part, true)
		}
	}
	s.forgetEmpty()
	return r.buckets, s.spill.failed()
}

// route moves the lines of b, their keys filled in, to the buckets of r.
func (s *Sorter) route(ctx context.Context, b *bucket, r *ranges) error {
	var buffer []byte
	return s.drain(ctx, b, func(line []byte, document int) error {
		if s.void[document] {
			return nil
		}
		if bytes.IndexByte(line, keyMark) >= 0 {
			buffer = s.appendReal(buffer[:0], line, document)
			line = buffer
		}
		b, shared := r.at(line)
		return s.put(b, line, document, 0, shared)
	})
}

// forget keeps a bucket from being written to disk.
func (s *Sorter) forget(b *bucket) {
	s.active = slices.DeleteFunc(s.active, func(other *bucket) bool { return other == b })
}

func (s *Sorter) forgetEmpty() {
	s.active = slices.DeleteFunc(s.active, func(b *bucket) bool { return b.resident(true) == 0 })
}

// sample returns copies of about n lines of b from all over it, in no order; fewer
// where they are long, but at least one. Keys are filled in if they are known.
func (s *Sorter) sample(ctx context.Context, b *bucket, n int) ([][]byte, error) {
	var sample [][]byte
	left := s.opt.Memory / 16
	each := 1
	fits := func(size int64) bool { return size <= left || len(sample) == 0 }
	take := func(c chunk) {
		skip := max(1, int(c.lines)/each)
		due := 0
		for at, i := (cursor{data: c.data, common: b.common}), 0; at.next(); i++ {
			if i >= due && !at.same && fits(int64(at.size())) {
				sample = append(sample, s.appendReal(make([]byte, 0, at.size()+1), at.line(), at.document))
				left -= int64(at.size()) + 24
				due = i + skip
			}
		}
	}

	if len(b.extents) > 0 {
		if err := s.spill.settle(); err != nil {
			return nil, err
		}
	}
	chunks := append(slices.Clone(b.full), b.cur)
	sources := len(b.extents) + len(chunks)
	picked := min(sources, 256)
	each = max(1, n/picked)
	random := rand.New(rand.NewPCG(1, 2)) // any order, but the same each time
	for _, i := range random.Perm(picked) {
		i = i * sources / picked
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if i >= len(b.extents) {
			take(chunks[i-len(b.extents)])
			continue
		}
		e := b.extents[i]
		if e.length > giantBlock && !fits(e.length) {
			continue // a single line
		}
		err := s.reader.each(&s.spill, e, func(c chunk) error {
			take(c)
			return errEnough
		})
		if err != nil && err != errEnough {
			return nil, err
		}
	}
	if len(sample) == 0 {
		return nil, errNoSample
	}
	return sample, nil
}

var (
	errEnough   = errors.New("enough")
	errNoSample = errors.New("a range of lines without a line")
)
