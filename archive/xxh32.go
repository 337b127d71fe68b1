package archive

import (
	"encoding/binary"
	"math/bits"
)

// xxh32 is the checksum of lz4 frames, xxHash of 32 bits with the seed 0. The zero
// value is ready.
type xxh32 struct {
	lanes [4]uint32
	total uint64
	rest  [16]byte
	n     int // bytes of rest
}

const (
	xxhPrime1 = 2654435761
	xxhPrime2 = 2246822519
	xxhPrime3 = 3266489917
	xxhPrime4 = 668265263
	xxhPrime5 = 374761393
)

func (x *xxh32) Write(p []byte) {
	if x.total == 0 {
		var one uint32 = xxhPrime1
		x.lanes = [4]uint32{one + xxhPrime2, xxhPrime2, 0, -one}
	}
	x.total += uint64(len(p))
	if x.n > 0 {
		n := copy(x.rest[x.n:], p)
		p = p[n:]
		if x.n += n; x.n < len(x.rest) {
			return
		}
		x.stripe(x.rest[:])
		x.n = 0
	}
	for ; len(p) >= 16; p = p[16:] {
		x.stripe(p)
	}
	x.n = copy(x.rest[:], p)
}

func (x *xxh32) stripe(p []byte) {
	for i := range x.lanes {
		x.lanes[i] = bits.RotateLeft32(x.lanes[i]+binary.LittleEndian.Uint32(p[4*i:])*xxhPrime2, 13) * xxhPrime1
	}
}

// Sum is the checksum of what was written so far.
func (x *xxh32) Sum() uint32 {
	h := uint32(xxhPrime5)
	if x.total >= 16 {
		h = bits.RotateLeft32(x.lanes[0], 1) + bits.RotateLeft32(x.lanes[1], 7) +
			bits.RotateLeft32(x.lanes[2], 12) + bits.RotateLeft32(x.lanes[3], 18)
	}
	h += uint32(x.total)
	rest := x.rest[:x.n]
	for ; len(rest) >= 4; rest = rest[4:] {
		h = bits.RotateLeft32(h+binary.LittleEndian.Uint32(rest)*xxhPrime3, 17) * xxhPrime4
	}
	for _, b := range rest {
		h = bits.RotateLeft32(h+uint32(b)*xxhPrime5, 11) * xxhPrime1
	}
	h = (h ^ h>>15) * xxhPrime2
	h = (h ^ h>>13) * xxhPrime3
	return h ^ h>>16
}
