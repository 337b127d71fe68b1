// Package termfilter says which clean files may hold a term, without reading them. Each has a filter of its
// subjects, predicates, classes and graphs; all filters are in one file beside the list. The file may be deleted:
// what it lacks is made again from the clean files.
//
// A filter never says no of a term that is there. It says yes of one in 300 that are not. A file whose filter is not
// made yet, or is damaged, may hold any term.
package termfilter

import (
	"encoding/binary"
	"hash/crc32"

	"github.com/cespare/xxhash/v2"

	"laundromat/rdf"
)

// A filter is a blocked Bloom filter. Each key sets some bits of one block, so that one read answers. A block is 60
// bytes of bits and their CRC-32C: what is damaged must not say no.
const (
	blockSize  = 64
	bitsSize   = blockSize - crc32.Size
	blockBits  = bitsSize * 8
	keysBlock  = 30 // keys of a block, on average: 16 bits each
	bitsPerKey = 8
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Kind is what a term is in statements.
type Kind uint8

// The kinds of terms that filters know.
const (
	Subject Kind = iota
	Predicate
	Class // object of rdf:type
	Graph
)

// key is the hash of a term of a kind.
type key uint64

// keyOf is the key of a term as N-Quads writes it.
func keyOf(kind Kind, term []byte) key {
	return key(mix(xxhash.Sum64(term) + (uint64(kind)+1)*0x9E3779B97F4A7C15))
}

// mix is the finaliser of SplitMix64.
func mix(h uint64) uint64 {
	h = (h ^ h>>30) * 0xBF58476D1CE4E5B9
	h = (h ^ h>>27) * 0x94D049BB133111EB
	return h ^ h>>31
}

// block is the number of the key's block, of so many.
func (k key) block(of uint32) uint32 { return uint32(uint64(k) >> 32 * uint64(of) >> 32) }

// bits calls each for the key's bits in its block.
func (k key) bits(each func(bit uint32) bool) bool {
	h := mix(uint64(k) + 1)
	for i := range bitsPerKey {
		if i == bitsPerKey/2 {
			h = mix(h)
		}
		if !each(uint32(h&0xFFFF) * blockBits >> 16) {
			return false
		}
		h >>= 16
	}
	return true
}

// isIn says that a block may hold the key; ok is false if it is damaged.
func (k key) isIn(block []byte) (is, ok bool) {
	if crc32.Checksum(block[:bitsSize], castagnoli) != binary.LittleEndian.Uint32(block[bitsSize:]) {
		return true, false
	}
	return k.bits(func(bit uint32) bool { return block[bit/8]&(1<<(bit%8)) != 0 }), true
}

// make makes the blocks that hold keys.
func makeBlocks(keys []key) []byte {
	n := uint32(max(1, (len(keys)+keysBlock-1)/keysBlock))
	blocks := make([]byte, int(n)*blockSize)
	for _, k := range keys {
		block := blocks[k.block(n)*blockSize:][:blockSize]
		k.bits(func(bit uint32) bool {
			block[bit/8] |= 1 << (bit % 8)
			return true
		})
	}
	for at := 0; at < len(blocks); at += blockSize {
		block := blocks[at:][:blockSize]
		binary.LittleEndian.PutUint32(block[bitsSize:], crc32.Checksum(block[:bitsSize], castagnoli))
	}
	return blocks
}

// mostKeys is how many keys a filter has. A file with more has several filters.
const mostKeys = 1 << 20

var typeProperty = []byte("<" + rdf.Type + ">")
