package linesort

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"iter"
	"slices"
	"sync"
)

// Write passes all lines to line, in order, each once and with its key filled in;
// a line is valid until line returns. All else is as with WriteLines.
func (s *Sorter) Write(ctx context.Context, key func(document int) string, line func([]byte) error) (Stats, error) {
	return s.WriteLines(ctx, key, func(text []byte, ends, _ []int, release func()) error {
		defer release()
		from := 0
		for _, end := range ends {
			if err := line(text[from : end-1 : end-1]); err != nil {
				return err
			}
			from = end
		}
		return nil
	})
}

// WriteLines passes all lines to the function lines, in order, each once and with its key filled in, many at
// once. It passes their text, each with its line end, and the indices after each. It also passes how many bytes
// each and the line before begin with in common, up to 32 KiB. That includes the last line of the text before,
// if there was one. The slices are valid until lines returns, the bytes of the text until release is called,
// which must be done once, on any goroutine. There may be no more lines before. key is asked once for each
// document, if any line has a place for it; "" leaves nothing there.
//
// An error of lines ends the work and is returned as it is, as is that of ctx.
// Trouble with the disk is a fault.Error of kind Local. Lines can be written once.
func (s *Sorter) WriteLines(ctx context.Context, key func(document int) string, lines func(text []byte, ends, shared []int,
	release func()) error) (Stats, error) {
	switch {
	case s.err != nil:
		return Stats{}, s.err
	case s.closed:
		return Stats{}, errClosed
	case s.written:
		return Stats{}, errWritten
	}
	s.written = true
	s.intake.settle()
	if err := s.intake.failed(); err != nil {
		s.err = localFault("linesort.Write", err)
		return Stats{}, s.err
	}
	s.intake.close()
	s.spill.release()
	longestKey := s.askKeys(key)
	err := s.settleLoose(ctx)
	if err == nil {
		err = s.makeRoom(longestKey)
	}
	if err != nil {
		s.err = localFault("linesort.Write", err)
		return Stats{}, s.err
	}
	for document := range s.void {
		// What was counted before is what its lines repeated of its own.
		if document < s.documents {
			s.stats.Duplicates -= s.stats.PerDocument[document]
			s.stats.PerDocument[document] = 0
		}
	}
	out := &output{lines: lines, stats: &s.stats}
	if err := s.writeLeaves(ctx, s.leaves(ctx, longestKey), out); err != nil {
		var refused *refusal
		if errors.As(err, &refused) {
			s.err = refused.err
		} else {
			s.err = localFault("linesort.Write", err)
		}
		return Stats{}, s.err
	}
	return s.stats, nil
}

// refusal carries an error of the function that takes the lines.
type refusal struct{ err error }

func (r *refusal) Error() string { return r.err.Error() }

// askKeys asks for the keys, if any line needs one, and returns the length of the longest.
func (s *Sorter) askKeys(key func(int) string) (longest int64) {
	marks := s.loose.marks
	for _, b := range s.ranges.buckets {
		marks += b.marks
	}
	if marks == 0 {
		return 0
	}
	s.keys = make([]string, s.documents)
	for document := range s.keys {
		s.keys[document] = key(document)
		longest = max(longest, int64(len(s.keys[document])))
	}
	return longest
}

// appendReal appends line with the key of its document filled in.
func (s *Sorter) appendReal(dst, line []byte, document int) []byte {
	for {
		i := bytes.IndexByte(line, keyMark)
		if i < 0 || s.keys == nil {
			return append(dst, line...)
		}
		dst = append(append(dst, line[:i]...), s.keys[document]...)
		line = line[i+1:]
	}
}

// task is a piece to be loaded and sorted, or a bucket to be passed on as it comes.
type task struct {
	extents []*extent
	chunks  []chunk
	lines   int64  // about
	bytes   int64  // about
	common  []byte // what all begin with, which is not in the chunks
	ordered bool
	stream  *bucket

	stretch *stretch
	done    chan error
}

// tasks makes one task of a leaf; several of an ordered one.
func (s *Sorter) tasks(leaves iter.Seq2[*bucket, error]) iter.Seq2[*task, error] {
	return func(yieldTask func(*task, error) bool) {
		yield := func(t *task) bool { return yieldTask(t, nil) }
		for b, err := range leaves {
			if err != nil {
				yieldTask(nil, err)
				return
			}
			s.seal(b)
			size := cost(b.lines, b.bytes)
			switch {
			case b.equal, b.lines == 1 && size > s.pieceCost:
				if !yield(&task{stream: b}) { // it may still be written to disk before its turn
					return
				}
				continue
			}
			s.forget(b)
			if err := s.spill.settle(); err != nil {
				yieldTask(nil, err)
				return
			}
			switch {
			case size <= s.pieceCost || !b.ordered:
				if !yield(&task{extents: b.extents, chunks: b.full, lines: b.lines, bytes: b.bytes, common: b.common, ordered: b.ordered}) {
					return
				}
				continue
			}
			t, sum := &task{common: b.common, ordered: true}, int64(0)
			next := func(more int64) bool {
				going := true
				if sum > 0 && sum+more > s.pieceCost {
					t.lines = b.lines * sum / size
					t.bytes = b.bytes * sum / size
					going = yield(t)
					t, sum = &task{common: b.common, ordered: true}, 0
				}
				sum += more
				return going
			}
			for _, e := range b.extents {
				if !next(e.cost) {
					return
				}
				t.extents = append(t.extents, e)
			}
			for _, c := range b.full {
				if !next(c.cost) {
					return
				}
				t.chunks = append(t.chunks, c)
			}
			if !yield(t) {
				return
			}
		}
	}
}

// smallSort is below how many bytes of lines a sort needs no goroutine.
const smallSort = 64 << 10

// piecesInWaiting is how many stretches there are in addition to those of the workers. One is being
// written, and one is not yet given back by whoever takes the lines.
const piecesInWaiting = 2

// writeLeaves sorts pieces on the workers and passes them on in order.
func (s *Sorter) writeLeaves(ctx context.Context, leaves iter.Seq2[*bucket, error], out *output) error {
	window := s.opt.Workers + piecesInWaiting - 1
	work := make(chan *task, window)
	var workers sync.WaitGroup
	noMore := sync.OnceFunc(func() { close(work) })
	defer func() {
		s.cancelled.Store(true)
		noMore()
		workers.Wait()
	}()
	started := 0
	start := func() {
		started++
		workers.Go(func() {
			var l loader
			for t := range work {
				t.done <- s.load(t, &l)
			}
		})
	}

	spare := make(chan *stretch, window+1)
	made := 0
	var queue []*task
	finish := func() error {
		t := queue[0]
		queue = queue[1:]
		if t.stream != nil {
			return s.stream(ctx, t.stream, out)
		}
		select {
		case err := <-t.done:
			if err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
		return out.stretch(t.stretch, func() { spare <- t.stretch }) // has room for all
	}
	small := s.taken < smallSort
	var sorts *loader // a small sort
	if small {
		sorts = smallLoaders.Get().(*loader)
	}
	for t, err := range s.tasks(leaves) {
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return err
		}
		if len(queue) == window {
			if err := finish(); err != nil {
				return err
			}
		}
		queue = append(queue, t)
		if t.stream != nil {
			continue
		}
		t.done = make(chan error, 1)
		switch {
		case made <= window && len(spare) == 0:
			made++
			if small {
				t.stretch = smallStretches.Get().(*stretch)
			} else {
				t.stretch = new(stretch)
			}
		default:
			select {
			case t.stretch = <-spare:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		s.memory.send(t.resident())
		if small { // sorted sooner than a goroutine begins
			t.done <- s.load(t, sorts)
			continue
		}
		if started < s.opt.Workers {
			start()
		}
		work <- t // has room for the whole window
	}
	noMore()
	if !small && !slices.ContainsFunc(queue, func(t *task) bool { return t.stream != nil }) {
		// Only the workers still read chunks and the temporary file. It takes long to give much back,
		// and the last pieces have yet to be written.
		s.removing.Go(func() {
			workers.Wait()
			s.removed = s.spill.close()
			s.memory.close()
		})
	}
	for len(queue) > 0 {
		if err := finish(); err != nil {
			return err
		}
	}
	if small {
		smallLoaders.Put(sorts)
		for range len(spare) {
			smallStretches.Put(<-spare)
		}
	}
	return nil
}

// loader loads pieces and sorts them, one after the other.
type loader struct {
	piece  piece
	reader extentReader
}

// What small sorts use is reused.
var (
	smallLoaders   = sync.Pool{New: func() any { return new(loader) }}
	smallStretches = sync.Pool{New: func() any { return new(stretch) }}
)

// resident is what the chunks of t take of the memory.
func (t *task) resident() (n int64) {
	for _, c := range t.chunks {
		n += int64(cap(c.data))
	}
	return n
}

// load loads the task's lines, gives the memory of its chunks back, and sorts them into its stretch.
func (s *Sorter) load(t *task, l *loader) error {
	if err := s.fill(t, &l.piece, &l.reader); err != nil {
		return err
	}
	t.stretch.gather(&l.piece, t.ordered)
	return nil
}

func (s *Sorter) fill(t *task, p *piece, r *extentReader) error {
	defer func() {
		for _, c := range t.chunks {
			s.memory.release(true, c.data)
		}
		t.chunks = nil
	}()
	p.reset(t)
	add := func(c *chunk) {
		going, document := false, 0 // the run, and whose
		for at := (cursor{data: c.data}); at.next(); {
			if !at.same && len(at.shared) == 0 || s.keys != nil && at.document != document {
				going = false
			}
			if s.void[at.document] {
				continue
			}
			begins := !going && !p.runs.off
			if begins {
				p.runs.open(p)
			}
			p.text = binary.LittleEndian.AppendUint32(p.text, uint32(at.document))
			start := len(p.text)
			if s.keys == nil {
				p.text = append(append(p.text, at.shared...), at.rest...)
			} else {
				p.text = s.appendReal(p.text, at.text(), at.document)
			}
			p.entries = append(p.entries, entry{offset: uint32(start), length: uint32(len(p.text) - start)})
			if begins {
				p.runs.begin(p)
			}
			going, document = true, at.document
		}
	}
	for _, e := range t.extents {
		err := r.each(&s.spill, e, func(c chunk) error {
			if s.cancelled.Load() {
				return context.Canceled
			}
			add(&c)
			return nil
		})
		if err != nil {
			return err
		}
	}
	for i := range t.chunks {
		add(&t.chunks[i])
	}
	if s.cancelled.Load() {
		return context.Canceled
	}
	return nil
}

// stream passes on a bucket of one line, which may be there many times, without
// loading it into a piece.
func (s *Sorter) stream(ctx context.Context, b *bucket, out *output) error {
	s.forget(b)
	if err := s.spill.settle(); err != nil {
		return err
	}
	first := true
	var held []byte // the line with its end: a bucket of equal ones has it with the first alone
	pass := func(c chunk) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		for at := (cursor{data: c.data, common: b.common}); at.next(); {
			if held == nil {
				held = append(s.appendReal(make([]byte, 0, at.size()+1), at.line(), at.document), '\n')
			}
			switch {
			case s.void[at.document]:
			case first:
				first = false
				if err := out.giant(held, at.document); err != nil {
					return err
				}
			default:
				out.again(out.stats.Lines, out.document, at.document)
			}
		}
		return nil
	}
	for _, e := range b.extents {
		if err := s.reader.each(&s.spill, e, pass); err != nil {
			return err
		}
	}
	for _, c := range b.full {
		if err := pass(c); err != nil {
			return err
		}
		s.memory.release(false, c.data)
	}
	b.full = nil
	return nil
}
