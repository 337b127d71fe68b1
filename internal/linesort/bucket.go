package linesort

import (
	"bytes"
	"context"
	"encoding/binary"
	"slices"

	"laundromat/internal/commonprefix"
)

// bucket holds the lines of one range, in the order in which they came. They are in extents
// on disk, then in full chunks, then in the chunk that is being filled.
type bucket struct {
	extents []*extent
	full    []chunk
	cur     chunk
	curDoc  int // the document of the last record in cur; each chunk begins with 0

	lines int64
	bytes int64 // of their text, as added
	marks int64 // bytes 0x01 in them

	// ordered says that no line came before a smaller one. The largest is then in last, and its document in
	// lastDoc. If the range holds a single line, equal is true.
	ordered, equal bool
	last           []byte
	lastDoc        int

	// base is the text of the last whole record in cur. Whether all lines that begin with its first word, and the
	// blank after that, are in this bucket's range, whole says, once it was asked. The range is from low up to
	// high; nil means no end.
	base      []byte
	whole     answer
	low, high []byte
	common    []byte // what all lines of the range begin with, which no record holds
}

// chunk is a buffer of records. A record is a varint, then the number of the document if that differs from the
// one before in the chunk. Then comes the text. It is without what all lines of the bucket's range begin with:
//
//	length<<3 | sharesBase | sameText | otherDocument
//
// sharesBase means: the text begins like that of the last record without this mark, in as
// many bytes as the varint before it says. The number length is that of the bytes of the rest. Lines that have
// the first word in common, as those of one subject, are stored so.
//
// sameText means: the text of the record before. Only in a bucket of equal lines
// may the first record of a chunk be such.
type chunk struct {
	data  []byte
	lines int64
	cost  int64
}

const (
	otherDocument = 1 << iota
	sameText
	sharesBase
	recordFlags = 3
	longestHead = 3 * binary.MaxVarintLen64

	smallestChunk = 4 << 10
)

// keyMark is the place in a line for the key of its document.
const keyMark = 0x01

func newBucket() *bucket { return &bucket{ordered: true} }

// cost is what a piece takes in memory: text, and what there is in addition to it for each line.
func cost(lines, bytes int64) int64 { return bytes + lines*lineSize }

// shares is how much of the text of line is the beginning of b's base, if that is a word at least; else 0. The
// text is what comes after what all lines of the range begin with.
func (b *bucket) shares(line []byte) int {
	if len(b.base) == 0 || !bytes.HasPrefix(line, b.common) {
		return 0
	}
	n := commonprefix.Common(b.base, line[len(b.common):], 0)
	if n == 0 || bytes.IndexByte(b.base[:n], ' ') < 0 {
		return 0
	}
	return n
}

// rebase makes the text of the record that was appended last the base.
func (b *bucket) rebase(text []byte) {
	b.base, b.whole = text, unasked // by most, where lines come in no order
}

// answer is one that is found when it is asked for.
type answer uint8

const (
	unasked answer = iota
	yes
	no
)

// isWhole says that all lines that begin with the first word of the base are in b's range. There is one.
func (b *bucket) isWhole() bool {
	if b.whole == unasked {
		word := b.base[:bytes.IndexByte(b.base, ' ')+1]
		b.whole = no
		n := len(b.common) // as both begin
		if !bytes.HasPrefix(b.low[min(n, len(b.low)):], word) && !bytes.HasPrefix(b.high[min(n, len(b.high)):], word) {
			b.whole = yes
		}
	}
	return b.whole == yes
}

// repeats says whether a line is the last one again. It is asked as long as the lines come
// in order, and notes when they no longer do.
func (b *bucket) repeats(line []byte, marks int) bool {
	switch {
	case b.equal:
		return b.lines > 0
	case marks > 0:
		b.ordered, b.last = false, nil
	case b.lines > 0:
		switch c := bytes.Compare(line, b.last); {
		case c < 0:
			b.ordered, b.last = false, nil
		case c == 0:
			return true
		}
	}
	return false
}

// put appends a line to b, or only counts it if it repeats the last one. shared is what b.shares
// says of it.
func (s *Sorter) put(b *bucket, line []byte, document, marks, shared int) error {
	same := b.ordered && b.repeats(line, marks)
	if same && document == b.lastDoc {
		s.stats.Duplicates++
		s.stats.PerDocument[document]++
		return nil
	}
	b.lastDoc = document
	b.lines++
	b.bytes += int64(len(line))
	b.marks += int64(marks)

	price := cost(1, int64(len(line)))
	text := line[len(b.common):]
	need := longestHead
	if !same || !b.equal {
		need += len(text)
	}
	if need > s.memory.size {
		return s.putGiant(b, text, document, price)
	}
	if cap(b.cur.data)-len(b.cur.data) < need || !b.equal && b.cur.cost+price > s.groupCost && b.cur.lines > 0 {
		if err := s.roll(b, need); err != nil {
			return err
		}
		same = same && b.equal
		shared = 0 // the base is gone
	}
	data := b.cur.data
	head := uint64(len(text)-shared) << recordFlags
	switch {
	case same:
		head = sameText
	case shared > 0:
		head |= sharesBase
	}
	if document != b.curDoc {
		data = appendNumber(data, head|otherDocument)
		data = appendNumber(data, uint64(document))
		b.curDoc = document
	} else {
		data = appendNumber(data, head)
	}
	if shared > 0 && !same {
		data = appendNumber(data, uint64(shared))
	}
	if !same {
		data = append(data, text[shared:]...)
		if shared == 0 {
			b.rebase(data[len(data)-len(text):])
		}
		if b.ordered && !b.equal {
			b.last = append(b.last[:0], line...)
		}
	}
	b.cur.data = data
	b.cur.lines++
	b.cur.cost += price
	return nil
}

// appendNumber is binary.AppendUvarint; nearly all numbers of a record take one or two bytes.
func appendNumber(dst []byte, n uint64) []byte {
	switch {
	case n < 1<<7:
		return append(dst, byte(n))
	case n < 1<<14:
		return append(dst, byte(n)|1<<7, byte(n>>7))
	}
	return binary.AppendUvarint(dst, n)
}

// roll gives b an empty chunk to fill that takes a record of n bytes.
func (s *Sorter) roll(b *bucket, n int) error {
	size := min(max(smallestChunk, 4*cap(b.cur.data)), s.memory.size)
	if len(b.extents) > 0 {
		size = s.memory.size
	}
	for size < n {
		size = min(2*size, s.memory.size)
	}
	s.seal(b)
	data, err := s.take(size)
	if err != nil {
		return err
	}
	b.cur.data = data
	return nil
}

func (s *Sorter) seal(b *bucket) {
	if b.cur.lines > 0 {
		b.full = append(b.full, b.cur)
	} else if cap(b.cur.data) > 0 {
		s.memory.release(false, b.cur.data)
	}
	b.cur, b.curDoc, b.base = chunk{}, 0, nil
}

// putGiant appends a text that is longer than a chunk: in a chunk of its own if
// there is room, else straight to disk.
func (s *Sorter) putGiant(b *bucket, text []byte, document int, price int64) error {
	if !b.equal {
		b.ordered, b.last = false, nil
	}
	head := binary.AppendUvarint(nil, uint64(len(text))<<recordFlags|otherDocument)
	head = binary.AppendUvarint(head, uint64(document))
	s.seal(b)
	giant := chunk{lines: 1, cost: price}
	if data, _ := s.memory.take(len(head)+len(text), false); data != nil {
		giant.data = append(append(data, head...), text...)
		b.full = append(b.full, giant)
		return nil
	}
	s.evict(b, false)
	e := &extent{cost: giant.cost}
	b.extents = append(b.extents, e)
	return s.spill.writeGiant(e, head, text)
}

// take returns a buffer of n bytes for a chunk; it writes to disk what is in
// the way, and waits for that.
func (s *Sorter) take(n int) ([]byte, error) {
	for force := false; ; {
		buffer, low := s.memory.take(n, force)
		if low {
			s.evictSome()
		}
		if buffer != nil {
			return buffer, s.spill.failed()
		}
		if !s.memory.wait() && !s.evictSome() {
			force = true // every buffer is in use: one more is the smaller evil
		}
	}
}

// evictSome sends an eighth of the memory to disk, that of the fullest buckets. It
// reports false if there is nothing to send.
func (s *Sorter) evictSome() bool {
	for _, partly := range []bool{false, true} {
		type candidate struct {
			b    *bucket
			size int64
		}
		var candidates []candidate
		for _, b := range s.active {
			if size := b.resident(partly); size > 0 {
				candidates = append(candidates, candidate{b, size})
			}
		}
		slices.SortFunc(candidates, func(x, y candidate) int { return int(y.size - x.size) })
		var sent int64
		for _, c := range candidates {
			if sent >= s.memory.limit/8 {
				break
			}
			s.evict(c.b, partly)
			sent += c.size
		}
		if sent > 0 {
			return true
		}
	}
	return false
}

// resident is the size of b's full chunks, with partly also of that being filled.
func (b *bucket) resident(partly bool) (n int64) {
	for _, c := range b.full {
		n += int64(cap(c.data))
	}
	if partly {
		n += int64(cap(b.cur.data))
	}
	return n
}

// evict sends the full chunks of b to disk, with partly also that being filled.
func (s *Sorter) evict(b *bucket, partly bool) {
	if partly {
		s.seal(b)
	}
	for len(b.full) > 0 {
		n, sum := 1, b.full[0].cost
		for n < len(b.full) && sum+b.full[n].cost <= s.groupCost {
			sum += b.full[n].cost
			n++
		}
		e := &extent{cost: sum}
		b.extents = append(b.extents, e)
		s.spill.send(e, slices.Clone(b.full[:n]))
		b.full = b.full[n:]
	}
	b.full = nil
}

// drain passes the lines of b on and empties it, so that its memory serves for
// where they go. b must not be active.
func (s *Sorter) drain(ctx context.Context, b *bucket, fn func(line []byte, document int) error) error {
	s.seal(b)
	extents, full := b.extents, b.full
	b.extents, b.full = nil, nil
	if len(extents) > 0 {
		if err := s.spill.settle(); err != nil {
			return err
		}
	}
	for _, e := range extents {
		err := s.reader.each(&s.spill, e, func(c chunk) error {
			if err := ctx.Err(); err != nil {
				return err
			}
			return c.each(b.common, fn)
		})
		if err != nil {
			return err
		}
		s.spill.discard(e)
	}
	for i, c := range full {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := c.each(b.common, fn); err != nil {
			return err
		}
		full[i] = chunk{}
		s.memory.release(false, c.data)
	}
	return nil
}

// each passes the lines of a chunk on, which begin with common, repeated ones too; a line is valid until fn
// returns. The chunk must not begin with a repeated one.
func (c *chunk) each(common []byte, fn func(line []byte, document int) error) error {
	var line []byte
	for at := (cursor{data: c.data, common: common}); at.next(); {
		if !at.same {
			line = at.line()
		}
		if err := fn(line, at.document); err != nil {
			return err
		}
	}
	return nil
}

// cursor goes through the records of a chunk. The text of one is shared and rest; its line begins with common.
type cursor struct {
	data         []byte
	common       []byte
	base         []byte
	shared, rest []byte
	document     int
	same         bool
	buffer       []byte
}

// line returns the line as one slice, valid until the next call.
func (c *cursor) line() []byte {
	if len(c.shared)+len(c.common) == 0 {
		return c.rest
	}
	c.buffer = append(append(append(c.buffer[:0], c.common...), c.shared...), c.rest...)
	return c.buffer
}

// text returns what comes after common as one slice, valid until the next call.
func (c *cursor) text() []byte {
	if len(c.shared) == 0 {
		return c.rest
	}
	c.buffer = append(append(c.buffer[:0], c.shared...), c.rest...)
	return c.buffer
}

// size is the length of the line.
func (c *cursor) size() int { return len(c.common) + len(c.shared) + len(c.rest) }

func (c *cursor) next() bool {
	if len(c.data) == 0 {
		return false
	}
	head, n := uint64(c.data[0]), 1
	if head >= 0x80 {
		head, n = binary.Uvarint(c.data)
	}
	data := c.data[n:]
	if head&otherDocument != 0 {
		document, n := binary.Uvarint(data)
		c.document = int(document)
		data = data[n:]
	}
	if c.same = head&sameText != 0; c.same {
		c.data = data
		return true
	}
	shared := uint64(0)
	if head&sharesBase != 0 {
		shared, n = binary.Uvarint(data)
		data = data[n:]
	}
	length := head >> recordFlags
	c.rest, c.data = data[:length:length], data[length:]
	if c.shared = c.base[:shared]; shared == 0 {
		c.base = c.rest
	}
	return true
}
