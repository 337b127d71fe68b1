// Package deflate compresses sorted lines quickly.
//
// A general compressor looks for what is repeated at each byte. In sorted lines most of a
// line is the beginning of the line before, so that this search is not needed there. The
// rest of a line is looked up in a small table. The result is a gzip member (RFC 1952) of
// dynamic Huffman blocks (RFC 1951), as any gunzip reads it.
package deflate

import (
	"encoding/binary"
	"hash/crc32"
	"math/bits"

	"laundromat/internal/commonprefix"
)

const (
	window    = 32 << 10 // RFC 1951 §3.2.5: distances are at most this
	maxLength = 258      // and lengths
	minLength = 3

	hashBits  = 14
	hashBytes = 6 // shorter repetitions are hardly shorter than their literals

	lineAtOnce = 8 << 10 // longer lines are taken in pieces, so that the tokens of a piece have room
)

// Encoder makes gzip members. It is reused, member after member, by one goroutine at a
// time, and takes about 100 kB. The zero value is ready.
type Encoder struct {
	// table has, for a hash of six bytes, the low bits of a place where they may be. Within
	// reach, these bits determine the place.
	table [1 << hashBits]uint16

	tokens tokens
	block  blockWriter
}

// AppendMember appends a gzip member of text to dst. Its lines are given by the indices after each, in
// rising order up to the end of the text. For each line, shared is how many bytes it has in common with
// the beginning of the line before. It may be less than they have, and that of the first line is not
// used. Text and lines may be any; lines in their order become small. The
// same text given in the same way gives the same bytes.
func (e *Encoder) AppendMember(dst, text []byte, ends, shared []int) []byte {
	dst = append(dst, 0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 255) // RFC 1952 §2.3: no time, fastest, system unknown
	dst = e.appendDeflate(dst, text, ends, shared)
	dst = binary.LittleEndian.AppendUint32(dst, crc32.ChecksumIEEE(text))
	return binary.LittleEndian.AppendUint32(dst, uint32(len(text)))
}

func (e *Encoder) appendDeflate(dst, text []byte, ends, shares []int) []byte {
	clear(e.table[:]) // what it held is of another text, and would make the bytes depend on it
	e.block.begin(dst)
	if e.tokens.list == nil {
		e.tokens.list = make([]uint32, blockTokens)
	}
	at, before := 0, 0
	for i, end := range ends {
		shared, distance := shares[i], at-before
		if distance == 0 || distance > window {
			shared = 0
		}
		before = at
		for at < end {
			to := min(end, at+lineAtOnce)
			if e.tokens.n+(to-at) > blockTokens {
				e.block.write(&e.tokens, false)
			}
			e.line(text, at, to, min(shared, to-at), distance)
			at, shared = to, 0
		}
	}
	e.block.write(&e.tokens, true)
	return e.block.end()
}

// line takes tokens for text[at:end], of which shared bytes are those that are that distance
// before, where the line before begins. Then come those for what is anywhere before, and what both lines end with.
func (e *Encoder) line(text []byte, at, end, shared, distance int) {
	p, middle := at, end
	if shared >= minLength {
		e.tokens.match(shared, distance)
		p += shared
	}
	if end-at <= window {
		if n := commonSuffix(text, at, end, p); n >= minLength {
			middle = end - n
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
			n := commonprefix.Common(text[from:end], text[p:end], hashBytes)
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

// commonSuffix says how many bytes before text[a] are those before text[b], which is
// after it, without going back over from.
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
