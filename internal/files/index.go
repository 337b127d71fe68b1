package files

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"sort"
)

// The index of a clean file with several members says where each gzip member begins and with which
// subject. So a subject is found without reading all of the clean file, nor all of the index, which is
// a tree. Version 2 is, in order (numbers are unsigned varints, as encoding/binary writes them):
//
//	magic       8 bytes, "nq-index"
//	version     number, 2
//	blocks      each after those that it names; the last, the root, names all others
//	end         8 bytes, little-endian: where the root begins, in bytes
//	            4 bytes, little-endian: CRC-32C of those 8
//
// A block is
//
//	level       number; 0: of members, n: of blocks of level n-1
//	entries     number, 1 to 128 (0: of a file without members)
//	for each entry, in order:
//	  place     number (level > 0 only), where the block begins in the index, in bytes
//	  length    number (level > 0 only), how long it is
//	  packed    number, the length in the clean file of the member, or of all that
//	            the block names, in bytes
//	  text      number, the length of its text, in bytes
//	  lines     number
//	  subject   number, a length of at most 64, then so many bytes: the beginning
//	            of the subject of its first line, with < and >
//	checksum    4 bytes, little-endian: CRC-32C of the block's bytes before
//
// All blocks of a level but the last have 128 entries. Where a member begins is the sum
// of the lengths before it. A subject may be cut, and may go on from one member into the
// next. A search for a subject therefore begins at the last member whose subject is smaller.
const (
	indexMagic     = "nq-index"
	indexVersion   = 2
	longestSubject = 64
	blockEntries   = 128
	longestBlock   = 2*binary.MaxVarintLen64 + blockEntries*(6*binary.MaxVarintLen64+longestSubject) + crc32.Size
	endSize        = 8 + crc32.Size
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// indexEntry is what an index says of a member, or of a block.
type indexEntry struct {
	place, length       uint64 // of a block
	packed, text, lines uint64
	subject             []byte
}

// indexWriter writes an index; with out nil it does nothing.
type indexWriter struct {
	out    io.Writer
	place  uint64 // what is written
	levels []*indexBlock
}

// indexBlock collects the entries of a block.
type indexBlock struct {
	entries int
	text    []byte // of the entries
	all     indexEntry
}

// member adds a member of packed bytes.
func (x *indexWriter) member(packed int64, text []byte, lines int64) error {
	return x.add(0, indexEntry{packed: uint64(packed), text: uint64(len(text)), lines: uint64(lines), subject: subjectOf(text)})
}

// add adds an entry to the block of a level that is being made. It copies the subject.
func (x *indexWriter) add(level int, e indexEntry) error {
	if x.out == nil {
		return nil
	}
	if err := x.begin(); err != nil {
		return err
	}
	if level == len(x.levels) {
		x.levels = append(x.levels, new(indexBlock))
	}
	b := x.levels[level]
	if b.entries == 0 {
		b.all = indexEntry{subject: append(b.all.subject[:0], e.subject...)}
	}
	if level > 0 {
		b.text = binary.AppendUvarint(binary.AppendUvarint(b.text, e.place), e.length)
	}
	for _, n := range [...]uint64{e.packed, e.text, e.lines, uint64(len(e.subject))} {
		b.text = binary.AppendUvarint(b.text, n)
	}
	b.text = append(b.text, e.subject...)
	b.entries++
	b.all.packed += e.packed
	b.all.text += e.text
	b.all.lines += e.lines
	if b.entries < blockEntries {
		return nil
	}
	return x.close(level)
}

// close writes the block of a level, and names it in one of the next.
func (x *indexWriter) close(level int) error {
	b := x.levels[level]
	e := b.all
	e.place = x.place
	if err := x.writeBlock(level); err != nil {
		return err
	}
	e.length = x.place - e.place
	return x.add(level+1, e)
}

func (x *indexWriter) writeBlock(level int) error {
	b := x.levels[level]
	block := binary.AppendUvarint(binary.AppendUvarint(nil, uint64(level)), uint64(b.entries))
	block = append(block, b.text...)
	b.entries, b.text = 0, b.text[:0]
	return x.write(binary.LittleEndian.AppendUint32(block, crc32.Checksum(block, castagnoli)))
}

// end writes what is left: the blocks that are not full, and where the root is.
func (x *indexWriter) end() error {
	if x.out == nil {
		return nil
	}
	if err := x.begin(); err != nil {
		return err
	}
	if len(x.levels) == 0 {
		x.levels = append(x.levels, new(indexBlock))
	}
	for level := 0; level < len(x.levels)-1; level++ { // closing one may add a level
		if x.levels[level].entries == 0 {
			continue
		}
		if err := x.close(level); err != nil {
			return err
		}
	}
	root := x.place
	if err := x.writeBlock(len(x.levels) - 1); err != nil {
		return err
	}
	end := binary.LittleEndian.AppendUint64(nil, root)
	return x.write(binary.LittleEndian.AppendUint32(end, crc32.Checksum(end, castagnoli)))
}

func (x *indexWriter) begin() error {
	if x.place > 0 {
		return nil
	}
	return x.write(binary.AppendUvarint([]byte(indexMagic), indexVersion))
}

func (x *indexWriter) write(p []byte) error {
	x.place += uint64(len(p))
	_, err := x.out.Write(p)
	return err
}

// subjectOf is what the index keeps of the first line of text.
func subjectOf(text []byte) []byte {
	text = text[:min(len(text), longestSubject)]
	if i := bytes.IndexAny(text, " \n"); i >= 0 {
		text = text[:i]
	}
	return text
}

var errIndex = errors.New("the index is damaged")

// errVersion says that an index is of a version that is not read.
var errVersion = errors.New("the index is of another version")

// checkHead looks at what an index begins with.
func checkHead(head []byte) error {
	rest, ok := bytes.CutPrefix(head, []byte(indexMagic))
	if !ok {
		return errIndex
	}
	switch version, n := binary.Uvarint(rest); {
	case n <= 0:
		return errIndex
	case version != indexVersion:
		return fmt.Errorf("%w: %d; this program reads %d", errVersion, version, indexVersion)
	}
	return nil
}

// headSize is how long magic and version are.
const headSize = len(indexMagic) + 1

// index is one that is looked into.
type index struct {
	in     io.ReaderAt
	level  int // of the root
	root   []indexEntry
	packed uint64 // length of the clean file
}

// openIndex reads the end of an index of so many bytes, and the root before it.
func openIndex(in io.ReaderAt, size int64) (*index, error) {
	head := make([]byte, headSize)
	if _, err := in.ReadAt(head, 0); err != nil {
		return nil, cutShort(err, errIndex)
	}
	if err := checkHead(head); err != nil {
		return nil, err
	}
	tail := make([]byte, min(size, longestBlock+endSize))
	if _, err := in.ReadAt(tail, size-int64(len(tail))); err != nil {
		return nil, cutShort(err, errIndex)
	}
	if len(tail) < endSize {
		return nil, errIndex
	}
	tail, end := tail[:len(tail)-endSize], tail[len(tail)-endSize:]
	place, sum := binary.LittleEndian.Uint64(end), binary.LittleEndian.Uint32(end[8:])
	begin := uint64(size) - endSize - uint64(len(tail)) // of the tail
	if crc32.Checksum(end[:8], castagnoli) != sum || place < begin || place > begin+uint64(len(tail)) {
		return nil, errIndex
	}
	level, root, err := decodeBlock(tail[place-begin:])
	if err != nil {
		return nil, err
	}
	x := &index{in: in, level: level, root: root}
	for _, e := range root {
		x.packed += e.packed
	}
	return x, nil
}

// last returns where the last member begins for which before is true of its first place
// and its subject; 0 if there is none. It must be true of all before it, too.
func (x *index) last(before func(at int64, subject []byte) (bool, error)) (_ int64, err error) {
	level, entries := x.level, x.root
	for at := uint64(0); ; {
		places := make([]uint64, len(entries))
		for i, e := range entries {
			places[i] = at
			at += e.packed
		}
		n := sort.Search(len(entries), func(i int) bool {
			if err != nil {
				return true
			}
			var is bool
			is, err = before(int64(places[i]), entries[i].subject)
			return !is
		})
		if err != nil || n == 0 {
			return 0, err
		}
		at = places[n-1]
		if level == 0 {
			return int64(at), nil
		}
		named := entries[n-1]
		if named.length > longestBlock {
			return 0, errIndex
		}
		block := make([]byte, named.length)
		if _, err := x.in.ReadAt(block, int64(named.place)); err != nil {
			return 0, cutShort(err, errIndex)
		}
		above := level
		if level, entries, err = decodeBlock(block); err != nil {
			return 0, err
		}
		if level != above-1 || len(entries) == 0 || !bytes.Equal(entries[0].subject, named.subject) {
			return 0, errIndex
		}
	}
}

// decodeBlock decodes a block. Its entries share its bytes.
func decodeBlock(block []byte) (level int, entries []indexEntry, err error) {
	if len(block) < crc32.Size {
		return 0, nil, errIndex
	}
	rest := block[:len(block)-crc32.Size]
	if crc32.Checksum(rest, castagnoli) != binary.LittleEndian.Uint32(block[len(rest):]) {
		return 0, nil, errIndex
	}
	number := func() uint64 {
		value, n := binary.Uvarint(rest)
		if n <= 0 {
			err, rest = errIndex, nil
			return 0
		}
		rest = rest[n:]
		return value
	}
	top, count := number(), number()
	if err != nil || top > 64 || count > blockEntries {
		return 0, nil, errIndex
	}
	entries = make([]indexEntry, count)
	for i := range entries {
		e := &entries[i]
		if top > 0 {
			e.place, e.length = number(), number()
		}
		e.packed, e.text, e.lines = number(), number(), number()
		length := number()
		if length > min(longestSubject, uint64(len(rest))) {
			return 0, nil, errIndex
		}
		e.subject, rest = rest[:length], rest[length:]
	}
	if err != nil || len(rest) > 0 {
		return 0, nil, errIndex
	}
	return int(top), entries, nil
}
