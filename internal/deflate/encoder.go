// Package deflate compresses sorted lines quickly.
//
// A general compressor looks for what is repeated at each byte. In sorted lines most of
// a line is the beginning of the line before, so that the first question has its answer
// before it is asked; what is left of a line is looked for in a small table. The result is
// a gzip member (RFC 1952) of dynamic Huffman blocks (RFC 1951), as any gunzip reads it.
package deflate

import (
	"encoding/binary"
	"hash/crc32"
	"math/bits"
)

const (
	window    = 32 << 10 // RFC 1951 §3.2.5: distances are at most this
	maxLength = 258      // and lengths
	minLength = 3

	hashBits  = 14
	hashBytes = 6 // shorter repetitions are hardly shorter than their literals

	lineAtOnce = 8 << 10 // longer lines are taken in pieces, so that the tokens of a piece have room
)

// Encoder makes gzip members. It serves again, member after member, by one goroutine at a
// time, and takes about 100 kB. The zero value is ready.
type Encoder struct {
	// table has, for a hash of six bytes, the low bits of a place at which they may stand: all
	// that is within reach is told by them.
	table [1 << hashBits]uint16

	tokens tokens
	block  blockWriter
}

// AppendMember appends a gzip member of text to dst, where ends are the indices behind each
// line: in rising order, the last that of the end of the text. Text and lines may be any; lines in their
// order become small. The same text in the same lines gives the same bytes.
func (e *Encoder) AppendMember(dst, text []byte, ends []int) []byte {
	dst = append(dst, 0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 255) // RFC 1952 §2.3: no time, fastest, system unknown
	dst = e.appendDeflate(dst, text, ends)
	dst = binary.LittleEndian.AppendUint32(dst, crc32.ChecksumIEEE(text))
	return binary.LittleEndian.AppendUint32(dst, uint32(len(text)))
}

func (e *Encoder) appendDeflate(dst, text []byte, ends []int) []byte {
	clear(e.table[:]) // what it held is of another text, and would make the bytes depend on it
	e.block.begin(dst)
	if e.tokens.list == nil {
		e.tokens.list = make([]uint32, blockTokens)
	}
	at, before := 0, -1
	for _, end := range ends {
		for at < end {
			to := min(end, at+lineAtOnce)
			if e.tokens.n+(to-at) > blockTokens {
				e.block.write(&e.tokens, false)
			}
			e.line(text, at, to, before)
			before, at = at, to
		}
	}
	e.block.write(&e.tokens, true)
	return e.block.end()
}

// line takes tokens for text[at:end], where text[before:at] is the line before it, or before is
// negative: what both begin with, what stands anywhere before, and what both end with.
func (e *Encoder) line(text []byte, at, end, before int) {
	p, middle := at, end
	if before >= 0 {
		if at-before <= window {
			if n := commonPrefix(text, before, at, end); n >= minLength {
				e.tokens.match(n, at-before)
				p += n
			}
		}
		if end-at <= window {
			if n := commonSuffix(text, at, end, p); n >= minLength {
				middle = end - n
			}
		}
	}
	misses := 0
	for p < middle {
		if p+8 > end {
			for ; p < middle; p++ {
				e.tokens.literal(text[p])
			}
			break
		}
		v := binary.LittleEndian.Uint64(text[p:]) << (64 - 8*hashBytes)
		slot := &e.table[v*0x9e3779b97f4a7c15>>(64-hashBits)]
		distance := int(uint16(p) - *slot)
		*slot = uint16(p)
		if from := p - distance; from >= 0 && binary.LittleEndian.Uint64(text[from:])<<(64-8*hashBytes) == v && uint(distance-1) < window {
			n := hashBytes + commonPrefix(text, from+hashBytes, p+hashBytes, end)
			e.tokens.match(n, distance)
			p += n
			misses = 0
			continue
		}
		for skip := 1 + misses>>4; skip > 0 && p < middle; skip-- {
			e.tokens.literal(text[p])
			p++
		}
		misses++
	}
	if n := end - p; n >= minLength {
		e.tokens.match(n, end-at)
	} else {
		for ; p < end; p++ {
			e.tokens.literal(text[p])
		}
	}
}

// commonPrefix says how many bytes from text[a] are those from text[b], which is behind
// it, up to end.
func commonPrefix(text []byte, a, b, end int) int {
	n := 0
	x, y := text[a:end], text[b:end]
	for len(y)-n >= 16 {
		// Two words at once, since where the first difference is can't be foreseen.
		first := binary.LittleEndian.Uint64(x[n:]) ^ binary.LittleEndian.Uint64(y[n:])
		second := binary.LittleEndian.Uint64(x[n+8:]) ^ binary.LittleEndian.Uint64(y[n+8:])
		if first|second != 0 {
			at := bits.TrailingZeros64(first) >> 3
			behind := 8 + bits.TrailingZeros64(second)>>3
			if first == 0 {
				at = behind
			}
			return n + at
		}
		n += 16
	}
	for n < len(y) && x[n] == y[n] {
		n++
	}
	return n
}

// commonSuffix says how many bytes before text[a] are those before text[b], which is
// behind it, without going back over from.
func commonSuffix(text []byte, a, b, from int) int {
	n := 0
	most := min(a, b-from)
	for most-n >= 8 {
		if diff := binary.LittleEndian.Uint64(text[a-n-8:]) ^ binary.LittleEndian.Uint64(text[b-n-8:]); diff != 0 {
			return n + bits.LeadingZeros64(diff)>>3
		}
		n += 8
	}
	for n < most && text[a-n-1] == text[b-n-1] {
		n++
	}
	return n
}
