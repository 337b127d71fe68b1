// Package linesort sorts lines by their bytes and writes each once, in memory that
// is bounded by its options and not by its input.
//
// Lines are added in any order, each with the number of the document it comes
// from; then they are written in order:
//
//	s := linesort.New(linesort.Options{})
//	defer s.Close()
//	for … {
//		err := s.Add(document, line)
//	}
//	stats, err := s.Write(ctx, key, func(line []byte) error { … })
//
// # Keys
//
// The byte 0x01 in a line is a placeholder for the key of the line's document, which need
// not be known before Write. Then the key is asked for and filled in. Only then does Write
// decide the order of the lines and which are equal.
//
// # How it works
//
// Once there are many lines, Add copies them to a goroutine that does the following,
// so that whoever makes lines need not wait for it.
//
// The first lines are looked at to choose splitters, strings that cut the order of
// all lines into ranges. From then on each line is put into the bucket of its
// range. A bucket is a list of chunks of text. What all lines of a range begin with is stored once.
// A line that begins with the same word as one before it is stored without what both begin with.
// While lines are added, chunks may take the memory that pieces need later. When the memory for
// chunks is used up, the fullest buckets are written to a
// temporary file. It is compressed if it is large or slow. Write goes through the buckets in order. It cuts those
// again that are larger than a piece, which is some MiB: what the caches of a processor hold. It does so in
// memory if there is room. It sorts the pieces on several goroutines, and writes them in order. What fits in
// memory never touches the disk. A bucket whose lines came in order, as those of sorted input do, is neither cut
// nor sorted.
//
// The order of a line with 0x01 against a splitter is known only if the text
// before the 0x01 settles it. Splitters are cut so that this is nearly always so;
// lines for which it is not wait in a bucket of their own until Write.
package linesort

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"
	"sync/atomic"

	"laundromat/internal/fault"
)

// Options say what a Sorter may use.
type Options struct {
	// Memory bounds the buffers of the sort, in bytes: by default 256 MiB, at least
	// 8 MiB. A single line that does not fit is held in addition, up to four times.
	Memory int64
	// Temp is the folder for what does not fit in memory; by default os.TempDir().
	Temp string
	// Workers is how many goroutines sort; by default GOMAXPROCS. There are fewer
	// where Memory is too small to give each a sensible piece.
	Workers int
	// Room is asked each time before the temporary file takes some more of the disk, tens of
	// megabytes; its error ends the sort. It is called on another goroutine. nil: it may
	// take all there is.
	Room func() error
}

const (
	defaultMemory = 256 << 20
	leastMemory   = 8 << 20
	leastPiece    = 256 << 10
	largestPiece  = 8 << 20 // what caches hold; larger pieces sort slower a line
)

func (o *Options) applyDefaults() {
	if o.Memory <= 0 {
		o.Memory = defaultMemory
	}
	o.Memory = max(o.Memory, leastMemory)
	if o.Temp == "" {
		o.Temp = os.TempDir()
	}
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	o.Workers = int(min(int64(o.Workers), (o.piecesMemory()/leastPiece-piecesInWaiting)/2))
}

// piecesMemory is the memory for what is sorted at once. Each worker has a piece. When its lines
// are sorted, they are gathered in as much memory again, which waits to be written.
func (o *Options) piecesMemory() int64 { return o.Memory / 8 * 3 }

// Stats counts what Write wrote and left out.
type Stats struct {
	Lines      int64 // lines written
	Duplicates int64 // lines added that equal one written
	// PerDocument holds, for each document up to the last that had a line, how many
	// of its lines equal another of its own.
	PerDocument []int64
}

// Sorter sorts lines. It is used from one goroutine.
type Sorter struct {
	opt       Options
	pieceCost int64 // the largest piece that a worker loads: see cost
	groupCost int64 // the most of one bucket that is written to disk as one extent
	held      int64 // what chunks may take while pieces are sorted; before, they may have the memory of these too
	memory    memory
	spill     spill
	reader    extentReader // for all but the workers of Write, which have their own

	intake intake
	taken  int64 // bytes of lines added, until the intake has its goroutine

	// Once the intake has its goroutine, only that uses what follows, until settle.

	ranges    *ranges // the first buckets of lines
	loose     *bucket // lines whose range is known only with their key
	active    []*bucket
	threshold int64 // text at which the first splitters are chosen

	documents int
	keys      []string
	void      map[int]bool // documents whose lines are not written
	stats     Stats

	written bool
	closed  bool
	err     error // the first error of Add, kept

	cancelled atomic.Bool // makes the workers of Write stop

	removing sync.WaitGroup // for the temporary file, once Write has no need of it
	removed  error          // what came of that
}

// New returns a Sorter that holds nothing yet. It must be closed.
func New(opt Options) *Sorter {
	opt.applyDefaults()
	s := &Sorter{opt: opt}
	if opt.Workers > 1 {
		s.intake.room = intakeRoom(opt.Memory / 32)
	}
	s.pieceCost = min(largestPiece, opt.piecesMemory()/int64(2*opt.Workers+piecesInWaiting))
	s.groupCost = min(1<<20, s.pieceCost/4)
	// An eighth is left for splitters, samples, the intake and the buffers of compression.
	chunk := int64(1) << 16
	for chunk > 8<<10 && chunk*2048 > opt.Memory {
		chunk >>= 1
	}
	s.held = opt.Memory / 2
	s.memory.init(s.held+opt.piecesMemory(), int(chunk))
	s.spill.init(opt.Temp, &s.memory)
	s.spill.allowed = opt.Room
	s.spill.extentSize = int(s.groupCost)
	s.threshold = min(16<<20, s.held/2)
	s.ranges = newRanges(nil)
	s.loose = newBucket()
	s.active = append([]*bucket{s.loose}, s.ranges.buckets...)
	return s
}

var (
	errWritten = errors.New("linesort: the lines are already written")
	errClosed  = errors.New("linesort: closed")
)

// Add takes a line, without its line end, of a document; documents are numbered
// from 0. The line is copied. It waits while the disk is slower than the lines
// come. Trouble with the disk is a fault.Error of kind Local, comes back from this
// or a later call, or from Write, and ends the sort.
func (s *Sorter) Add(document int, line []byte) error {
	switch {
	case s.err != nil:
		return s.err
	case s.closed:
		return errClosed
	case s.written:
		return errWritten
	case document < 0:
		return fmt.Errorf("linesort: document %d", document)
	}
	if err := s.takeLine(document, line); err != nil {
		s.err = localFault("linesort.Add", err)
		return s.err
	}
	return nil
}

// AddLines takes text of lines, each with its line end, of a document, as Add takes each
// of them.
func (s *Sorter) AddLines(document int, text []byte) error {
	for len(text) > 0 {
		if s.err == nil && s.intake.full != nil && document >= 0 {
			if n := s.intake.addLines(document, text); n > 0 {
				text = text[n:]
				continue
			}
		}
		end := bytes.IndexByte(text, '\n')
		if err := s.Add(document, text[:end:end]); err != nil {
			return err
		}
		text = text[end+1:]
	}
	if err := s.intake.failed(); err != nil && s.err == nil {
		s.err = localFault("linesort.Add", err)
	}
	return s.err
}

// takeLine gives a line to the intake, once there are so many that it pays, or puts it
// into its bucket itself.
func (s *Sorter) takeLine(document int, line []byte) error {
	if s.intake.full == nil {
		s.taken += int64(len(line))
		if s.taken < intakeFrom || s.intake.room == 0 {
			return s.add(document, line, false)
		}
		s.intake.start(s.add)
	}
	if !s.intake.fits(line) {
		s.intake.settle()
		if err := s.intake.failed(); err != nil {
			return err
		}
		return s.add(document, line, false)
	}
	s.intake.add(document, line)
	return s.intake.failed()
}

// add puts a line into its bucket; keyless says that a key is known to have no place in it.
func (s *Sorter) add(document int, line []byte, keyless bool) error {
	if document >= s.documents {
		s.documents = document + 1
		s.stats.PerDocument = append(s.stats.PerDocument, make([]int64, s.documents-len(s.stats.PerDocument))...)
	}
	b, shared := s.ranges.at(line)
	marks := 0
	if !keyless {
		if first := bytes.IndexByte(line, keyMark); first >= 0 {
			marks = bytes.Count(line[first:], []byte{keyMark})
			if s.ranges.unsettled(line[:first]) {
				b = s.loose
				shared = b.shares(line)
			}
		}
	}
	if err := s.put(b, line, document, marks, shared); err != nil {
		return err
	}
	if s.threshold > 0 && b.bytes >= s.threshold {
		s.threshold = 0
		return s.chooseRanges()
	}
	return nil
}

// chooseRanges cuts the one bucket that all lines went to so far.
func (s *Sorter) chooseRanges() error {
	b := s.ranges.buckets[0]
	count := int(min(512, s.held/int64(3*s.memory.size)))
	sample, err := s.sample(context.Background(), b, count*16)
	if err != nil {
		return err
	}
	splitters := rawSplitters(sample, count)
	if len(splitters) == 0 {
		return nil
	}
	s.ranges = newRanges(splitters)
	s.active = append([]*bucket{s.loose}, s.ranges.buckets...)
	return s.drain(context.Background(), b, func(line []byte, document int) error {
		return s.add(document, line, false)
	})
}

// Discard makes Write skip all lines of a document, as if they had not been added. It was
// read wrongly, and may come again under another number. It has no effect once Write has
// begun.
func (s *Sorter) Discard(document int) {
	if s.void == nil {
		s.void = map[int]bool{}
	}
	s.void[document] = true
}

// Close ends the sort and removes all it left on disk. It may be called again.
func (s *Sorter) Close() error {
	if s.closed {
		return nil
	}
	s.closed = true
	s.intake.settle()
	s.intake.close()
	s.removing.Wait()
	err := cmp.Or(s.removed, s.spill.close())
	s.ranges, s.loose, s.active = newRanges(nil), newBucket(), nil
	s.memory.close()
	s.reader = extentReader{}
	if err != nil {
		return localFault("linesort.Close", err)
	}
	return nil
}

// localFault marks trouble with temporary files as ours; what carries a kind
// already keeps it, and so does the end of a context.
func localFault(op string, err error) error {
	if kind := fault.KindOf(err); kind == fault.Stopped {
		return err
	}
	return fault.New(op, fault.Local, fault.LocalDisk, "sort: temporary file: %w", err)
}
