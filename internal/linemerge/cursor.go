package linemerge

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
)

const (
	// blocksEach is how many blocks an input has: one that is compared, one that waits, one that is filled.
	blocksEach = 3
	leastBlock = 16 << 10
	mostBlock  = 512 << 10
	// longestLine is the most that one line may take, in bytes.
	longestLine = 1 << 30
)

// blockSize is how large the blocks of n inputs may be.
func blockSize(memory int64, n int) int {
	each := max(memory, 1<<20) / int64(max(n, 1)*blocksEach)
	return int(min(max(each, leastBlock), mostBlock))
}

// block is some whole lines of an input, each with its end. With err, it is the last.
type block struct {
	text []byte
	err  error // io.EOF at the end of the input
}

// cursor is an input that is being merged, at one of its lines.
type cursor struct {
	source
	blocks chan *block // that were read; closed at the end
	used   chan *block // that may be filled again

	now   *block
	rest  []byte // of now, behind the line
	line  []byte // without its end; valid until the next
	of    origin // of the line
	taken int64  // lines that were read
}

// next goes on to the next line. It reports false at the end.
func (c *cursor) next() (bool, error) {
	for len(c.rest) == 0 {
		if c.now != nil {
			if errors.Is(c.now.err, io.EOF) {
				return false, nil
			}
			if c.now.err != nil {
				return false, c.now.err
			}
			c.used <- c.now // there is room for all that there are
		}
		now, more := <-c.blocks
		if !more {
			return false, context.Canceled
		}
		c.now, c.rest = now, now.text
	}
	end := bytes.IndexByte(c.rest, '\n')
	c.line, c.rest = c.rest[:end], c.rest[end+1:]
	c.taken++
	c.of = origin(c.number)
	if c.grouped {
		var err error
		if c.line, c.of, err = splitGrouped(c.line); err != nil {
			return false, err
		}
	}
	return true, nil
}

// readAhead reads the input in blocks until its end, or until ctx ends.
func (c *cursor) readAhead(ctx context.Context, size int, check func([]byte) error) {
	defer close(c.blocks)
	send := func(b *block) bool {
		select {
		case c.blocks <- b:
			return true
		case <-ctx.Done():
			return false
		}
	}
	in, err := c.Open()
	if err != nil {
		send(&block{err: err})
		return
	}
	defer in.Close()
	order := &lineOrder{name: c.Name, check: check}
	if c.grouped {
		order = nil
	}
	var carry []byte
	for made := 0; ; {
		var b *block
		if made < blocksEach {
			b, made = &block{text: make([]byte, 0, size)}, made+1
		} else {
			select {
			case b = <-c.used:
			case <-ctx.Done():
				return
			}
		}
		carry = b.fill(in, carry)
		if order != nil {
			if at, err := order.lines(b.text); err != nil {
				b.text, b.err = b.text[:at], err
			}
		}
		if b.err != nil && !errors.Is(b.err, io.EOF) {
			b.err = named(c.Name, b.err)
		}
		last := b.err != nil
		if !send(b) || last {
			return
		}
	}
}

// named puts the name of the input before an error that does not have it.
func named(name string, err error) error {
	if errors.As(err, new(*UnsortedError)) {
		return err
	}
	return fmt.Errorf("%s: %w", name, err)
}

// fill fills the block with carry, which was read before, and what follows, up to the end of a line. It returns
// what was read beyond that, which is valid until the block is filled again.
func (b *block) fill(in io.Reader, carry []byte) (beyond []byte) {
	b.err = nil
	b.text = append(b.text[:0], carry...)
	for {
		for len(b.text) < cap(b.text) && b.err == nil {
			var n int
			n, b.err = in.Read(b.text[len(b.text):cap(b.text)])
			b.text = b.text[:len(b.text)+n]
		}
		if b.err != nil {
			if !errors.Is(b.err, io.EOF) {
				b.text = b.text[:bytes.LastIndexByte(b.text, '\n')+1] // the line that was cut off is nobody's
			} else if len(b.text) > 0 && b.text[len(b.text)-1] != '\n' {
				b.text = append(b.text, '\n')
			}
			return nil
		}
		if end := bytes.LastIndexByte(b.text, '\n') + 1; end > 0 {
			beyond, b.text = b.text[end:], b.text[:end]
			return bytes.Clone(beyond)
		}
		if cap(b.text) >= longestLine {
			b.text, b.err = b.text[:0], fmt.Errorf("a line is longer than %d bytes", longestLine)
			return nil
		}
		b.text = append(make([]byte, 0, 2*cap(b.text)), b.text...)
	}
}

// lineOrder sees to it that the lines of an input rise.
type lineOrder struct {
	name   string
	check  func([]byte) error
	number int64
	last   []byte // the last line of the block before
}

// lines looks at whole lines. With an error it returns how many bytes of them are good.
func (o *lineOrder) lines(text []byte) (good int, err error) {
	last := o.last
	for good < len(text) {
		end := good + bytes.IndexByte(text[good:], '\n')
		line := text[good:end]
		o.number++
		if o.number > 1 && bytes.Compare(last, line) >= 0 {
			return good, &UnsortedError{Name: o.name, Line: o.number, Text: bytes.Clone(line)}
		}
		if o.check != nil {
			if err := o.check(line); err != nil {
				return good, fmt.Errorf("line %d: %w", o.number, err)
			}
		}
		last, good = line, end+1
	}
	o.last = append(o.last[:0], last...)
	return good, nil
}
