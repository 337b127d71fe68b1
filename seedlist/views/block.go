package views

import (
	"encoding/binary"
	"math/bits"
)

// block is the part of a list of seeds that falls on 4,096 consecutive numbers. A list is a row of
// blocks, under keys that rise. So thousands of seeds that share a value and came together cost
// one write.
//
// Few seeds are their offsets in the block, rising, in two bytes each. Many are a bitmap, which is as
// long as 256 offsets are. An empty block is not stored.
type block []byte

const (
	blockBits  = 12
	blockSeeds = 1 << blockBits
	bitmapSize = blockSeeds / 8
)

// blockOf is the block that a seed falls into, and its offset there.
func blockOf(number uint64) (at uint32, offset uint16) {
	return uint32(number >> blockBits), uint16(number % blockSeeds)
}

func (b block) isBitmap() bool { return len(b) == bitmapSize }

// has says that a seed is in the list.
func (b block) has(offset uint16) bool {
	if b.isBitmap() {
		return b[offset/8]&(1<<(offset%8)) != 0
	}
	low, high := 0, len(b)/2
	for low < high {
		middle := (low + high) / 2
		switch o := binary.BigEndian.Uint16(b[2*middle:]); {
		case o == offset:
			return true
		case o < offset:
			low = middle + 1
		default:
			high = middle
		}
	}
	return false
}

// appendOffsets appends the offsets of all seeds, rising.
func (b block) appendOffsets(all []uint16) []uint16 {
	if !b.isBitmap() {
		for ; len(b) >= 2; b = b[2:] {
			all = append(all, binary.BigEndian.Uint16(b))
		}
		return all
	}
	for i := 0; i < bitmapSize; i += 8 {
		for word := binary.LittleEndian.Uint64(b[i:]); word != 0; word &= word - 1 {
			all = append(all, uint16(8*i+bits.TrailingZeros64(word)))
		}
	}
	return all
}

// blockSet is a block while it is changed.
type blockSet [blockSeeds / 64]uint64

func (s *blockSet) read(b block) {
	if b.isBitmap() {
		for i := range s {
			s[i] = binary.LittleEndian.Uint64(b[8*i:])
		}
		return
	}
	*s = blockSet{}
	for ; len(b) >= 2; b = b[2:] {
		s.set(binary.BigEndian.Uint16(b)%blockSeeds, true)
	}
}

func (s *blockSet) set(offset uint16, isIn bool) {
	if isIn {
		s[offset/64] |= 1 << (offset % 64)
	} else {
		s[offset/64] &^= 1 << (offset % 64)
	}
}

// append appends the block; nothing if it is empty.
func (s *blockSet) append(to []byte) []byte {
	n := 0
	for _, word := range s {
		n += bits.OnesCount64(word)
	}
	if 2*n >= bitmapSize {
		for _, word := range s {
			to = binary.LittleEndian.AppendUint64(to, word)
		}
		return to
	}
	for i, word := range s {
		for ; word != 0; word &= word - 1 {
			to = binary.BigEndian.AppendUint16(to, uint16(64*i+bits.TrailingZeros64(word)))
		}
	}
	return to
}
