package near

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"os"

	"laundromat/internal/linesort"
)

// A line of a block is as one of an article, with the number of the block after that of the article.
const (
	blockTag    = 'z' // after all others
	indexLength = 3
	mostBlocks  = 1 << (7 * indexLength)
)

// blocks finds the blocks that several articles of a host have.
type blocks struct {
	opt    Options
	sorter *linesort.Sorter // of what was found, by article
	key    []byte           // of the group at hand
	group  []place
	pages  int // of the group
	file   *os.File
	in     *bufio.Reader
	next   onPages
	ended  bool
}

// place is a block of an article.
type place struct{ number, index int32 }

// onPages is a block that several articles have, with their number.
type onPages struct{ number, index, pages uint32 }

func (r *Run) addBlocks(e *Entry) error {
	for i, hash := range e.blocks[:min(len(e.blocks), mostBlocks)] {
		if hash == 0 {
			continue
		}
		r.line = append(r.line[:0], blockTag)
		r.line = appendBits(r.line, hash, exactLength)
		r.line = appendBits(r.line, uint64(r.count), numberLength)
		r.line = appendBits(r.line, uint64(i), indexLength)
		if err := r.sorter.Add(0, r.line); err != nil {
			return err
		}
	}
	return nil
}

// line takes a line of a block. Those of one text come together, and in the order of articles.
func (b *blocks) line(line []byte) error {
	group := line[:1+exactLength]
	if string(group) != string(b.key) {
		if err := b.end(); err != nil {
			return err
		}
		b.key = append(b.key[:0], group...)
	}
	p := place{int32(bitsOf(line[1+exactLength : len(line)-indexLength])), int32(bitsOf(line[len(line)-indexLength:]))}
	if n := len(b.group); n == 0 || b.group[n-1].number != p.number {
		b.pages++
	}
	b.group = append(b.group, p)
	return nil
}

// end ends a group: what only one article has is passed over.
func (b *blocks) end() error {
	if b.pages > 1 {
		if b.sorter == nil {
			b.sorter = linesort.New(linesort.Options{Temp: b.opt.Temp, Memory: b.opt.Memory / 4})
		}
		var line []byte
		for _, p := range b.group {
			line = appendBits(line[:0], uint64(p.number), numberLength)
			line = appendBits(line, uint64(p.index), indexLength)
			line = appendBits(line, uint64(b.pages), numberLength)
			if err := b.sorter.Add(0, line); err != nil {
				return err
			}
		}
	}
	b.group, b.pages = b.group[:0], 0
	return nil
}

// settle writes what was found to a file, in the order of articles.
func (b *blocks) settle(ctx context.Context) error {
	b.ended = true
	if err := b.end(); err != nil || b.sorter == nil {
		return err
	}
	file, err := temporary(b.opt.Temp, "laundromat-blocks-*")
	if err != nil {
		return err
	}
	b.file = file
	out := bufio.NewWriterSize(file, 64<<10)
	var record [12]byte
	_, err = b.sorter.Write(ctx, func(int) string { return "" }, func(line []byte) error {
		binary.LittleEndian.PutUint32(record[0:], uint32(bitsOf(line[:numberLength])))
		binary.LittleEndian.PutUint32(record[4:], uint32(bitsOf(line[numberLength:numberLength+indexLength])))
		binary.LittleEndian.PutUint32(record[8:], uint32(bitsOf(line[numberLength+indexLength:])))
		_, err := out.Write(record[:])
		return err
	})
	if err == nil {
		err = out.Flush()
	}
	if err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err != nil {
		return localDisk(err)
	}
	b.in, b.ended = bufio.NewReaderSize(file, 64<<10), false
	return b.read()
}

// read reads the next block that several articles have.
func (b *blocks) read() error {
	var record [12]byte
	_, err := io.ReadFull(b.in, record[:])
	if errors.Is(err, io.EOF) {
		b.ended = true
		return nil
	}
	if err != nil {
		return localDisk(err)
	}
	b.next = onPages{binary.LittleEndian.Uint32(record[0:]), binary.LittleEndian.Uint32(record[4:]), binary.LittleEndian.Uint32(record[8:])}
	return nil
}

// Blocks calls found for each block of an article that others of its host have, too, with the number of all of these.
// Articles must be asked for in their order.
func (r *Repeats) Blocks(number int, found func(index, pages int)) error {
	b := &r.blocks
	for !b.ended && int(b.next.number) <= number {
		if int(b.next.number) == number {
			found(int(b.next.index), int(b.next.pages))
		}
		if err := b.read(); err != nil {
			return err
		}
	}
	return nil
}

func (b *blocks) close() error {
	var err error
	if b.sorter != nil {
		err = b.sorter.Close()
	}
	return errors.Join(err, closed(b.file))
}
