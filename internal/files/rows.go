package files

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// Row is a line of a clean file.
type Row struct {
	Text []byte // without its end; valid until the next row
	Cut  bool   // it goes on: it is longer than was asked for
}

// EachRow passes lines of a clean file on, in order, from the line number from; the first is 1. It
// ends when row wants no more, or at the end of the file. A line is cut after longest bytes. With the
// index, no member before that of the first line is read. Damage is an error that says where.
func EachRow(blobs Opener, hash string, from int64, longest int, row func(Row) (more bool, err error)) error {
	clean, err := blobs.Open(hash, Clean)
	if err != nil {
		return err
	}
	defer clean.Close()
	lookup := lookup{clean: clean, size: clean.Size()}
	skip := max(0, from-1)
	index, err := blobs.Open(hash, Index)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	default:
		defer index.Close()
		at, lines, err := memberOfLine(index, skip, clean.Size())
		if err != nil && !errors.Is(err, errVersion) {
			return fmt.Errorf("the index of %s: %w", hash, err)
		}
		if err == nil {
			lookup.from, skip = at, skip-lines
		}
	}
	if lookup.from == lookup.size {
		return nil // after the last line
	}
	if err := lookup.rows(skip, longest, row); err != nil {
		return fmt.Errorf("the clean file %s: %w", hash, err)
	}
	return nil
}

// memberOfLine finds where the member begins that holds a line, counted from 0, and how many lines
// are before it.
func memberOfLine(file Blob, line, size int64) (at, lines int64, err error) {
	x, err := openIndex(file, file.Size())
	if err != nil {
		return 0, 0, err
	}
	if x.packed != uint64(size) {
		return 0, 0, errIndex
	}
	level, entries := x.level, x.root
	var place, before uint64
	for {
		i := 0
		for ; i < len(entries) && before+entries[i].lines <= uint64(line); i++ {
			place += entries[i].packed
			before += entries[i].lines
		}
		if i == len(entries) || level == 0 {
			return int64(place), int64(before), nil
		}
		above := level
		if level, entries, err = x.block(entries[i]); err != nil {
			return 0, 0, err
		}
		if level != above-1 {
			return 0, 0, errIndex
		}
	}
}

// block reads the block that an entry names.
func (x *index) block(named indexEntry) (level int, entries []indexEntry, err error) {
	if named.length > longestBlock {
		return 0, nil, errIndex
	}
	block := make([]byte, named.length)
	if _, err := x.in.ReadAt(block, int64(named.place)); err != nil {
		return 0, nil, cutShort(err, errIndex)
	}
	return decodeBlock(block)
}

// rows passes lines on from the member at l.from, after the first so many.
func (l *lookup) rows(skip int64, longest int, row func(Row) (bool, error)) error {
	in, err := l.unpacked(l.from)
	if err == io.EOF {
		return nil
	}
	if err != nil {
		return err
	}
	text := bufio.NewReaderSize(in, lookupBuffer)
	var line []byte
	for cut := false; ; {
		part, err := text.ReadSlice('\n')
		if err == io.EOF {
			return nil
		}
		isWhole := err == nil
		if err != nil && err != bufio.ErrBufferFull {
			return err
		}
		if skip > 0 {
			if isWhole {
				skip--
			}
			continue
		}
		if isWhole {
			part = part[:len(part)-1]
		}
		if n := longest - len(line); len(part) > n {
			part, cut = part[:n], true
		}
		line = append(line, part...)
		if !isWhole {
			continue
		}
		more, err := row(Row{Text: line, Cut: cut})
		if err != nil || !more {
			return err
		}
		line, cut = line[:0], false
	}
}
