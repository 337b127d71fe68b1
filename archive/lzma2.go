package archive

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"

	"laundromat/internal/lzma"
)

// LZMA2, the usual way of packing in a 7z, is a row of chunks whose headers say how long they
// are. Some need nothing that came before them: there the reading goes on after damage.

// lzma2Chain is a row of chunks, as their headers show it.
type lzma2Chain struct {
	chunks   int
	end      int64 // where it ends: after the end mark, or where no further chunk is
	unpacked int64
	marked   bool // it has its end mark
	stored   bool // its first chunk is not packed
	cut      bool // its last chunk goes on after the end of the input
}

// lzma2Hops is how many headers of chunks are looked at in one search. Chunks of one
// byte would make every step of a search a walk through all of the input.
const lzma2Hops = 1 << 20

// followLzma2 goes from header to header, from a place up to an end, and takes the
// headers that it reads off hops.
func followLzma2(in io.ReaderAt, at, end int64, hops *int) (c lzma2Chain) {
	for c.end = at; *hops > 0; *hops-- {
		var h [6]byte
		n, _ := in.ReadAt(h[:min(6, max(end-c.end, 0))], c.end)
		length, packed, unpacked, ok := lzma2Chunk(h[:n])
		switch {
		case n == 0 || !ok:
			c.cut = n == 0 && c.chunks > 0
			return c
		case h[0] == 0:
			c.end++
			c.marked = true
			return c
		}
		c.stored = c.stored || c.chunks == 0 && h[0] <= 2
		c.chunks++
		c.unpacked += unpacked
		if c.end += int64(length) + packed; c.end > end || n < length {
			c.end, c.cut = end, true
			return c
		}
	}
	return c
}

// lzma2Chunk reads the header of a chunk, or as much as there is of it.
func lzma2Chunk(h []byte) (length int, packed, unpacked int64, ok bool) {
	var whole [6]byte
	copy(whole[:], h)
	first := int64(binary.BigEndian.Uint16(whole[1:])) + 1
	switch c := whole[0]; {
	case len(h) == 0, c > 2 && c < 0x80:
		return 0, 0, 0, false
	case c == 0:
		return 1, 0, 0, true
	case c <= 2:
		return 3, first, first, true
	case c>>5&3 < 2:
		return 5, int64(binary.BigEndian.Uint16(whole[3:])) + 1, int64(c&0x1F)<<16 + first, true
	default:
		return 6, int64(binary.BigEndian.Uint16(whole[3:])) + 1, int64(c&0x1F)<<16 + first, len(h) < 6 || isLzma2Properties(whole[5])
	}
}

// isLzma2Properties says whether a byte may hold the properties of LZMA in LZMA2:
// contexts of a literal and positions, together at most four bits.
func isLzma2Properties(b byte) bool { return b < 9*5*5 && b%9+b/9%5 <= 4 }

// isLzma2Start says whether a chunk that needs nothing before it may begin with head. Such
// a chunk empties the window. It is stored, or has its own properties and a range coder
// that begins with a zero.
func isLzma2Start(head []byte) bool {
	return len(head) >= 4 && head[0] == 1 || len(head) >= 7 && head[0] >= 0xE0 && isLzma2Properties(head[5]) && head[6] == 0
}

// nextLzma2Start looks from a place on for a chunk that needs nothing before it, and from
// which on the headers make a row that fits.
func nextLzma2Start(in io.ReaderAt, from, end int64, hops *int, fits func(lzma2Chain) bool) (at int64, c lzma2Chain, found bool) {
	r := bufio.NewReaderSize(io.NewSectionReader(in, from, end-from), layerBuffer)
	for at = from; ; at++ {
		head, _ := r.Peek(7)
		if len(head) < 4 || *hops <= 0 {
			return 0, c, false
		}
		if isLzma2Start(head) {
			if c = followLzma2(in, at, end, hops); fits(c) && startsLzma2(in, at, end) {
				return at, c, true
			}
		}
		r.Discard(1)
	}
}

// lzma2Sure is how many bytes must come of a chunk that is cut short. Bytes that are
// none fail much sooner, when they repeat what was not there.
const lzma2Sure = 1 << 10

// startsLzma2 says whether the first chunk at a place is sound, or as much of it as
// there is.
func startsLzma2(in io.ReaderAt, at, end int64) bool {
	var h [6]byte
	n, _ := in.ReadAt(h[:min(6, end-at)], at)
	length, packed, unpacked, ok := lzma2Chunk(h[:n])
	if !ok || h[0] == 0 {
		return false
	}
	z := lzma.NewReader2(bufio.NewReader(io.NewSectionReader(in, at, min(end-at, int64(length)+packed))), uint64(unpacked), int(unpacked))
	came, err := io.Copy(io.Discard, z)
	return errors.Is(err, io.ErrUnexpectedEOF) && (came == unpacked || came >= lzma2Sure && at+int64(length)+packed > end)
}
