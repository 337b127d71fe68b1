package archive

import "encoding/binary"

// sevenReader reads the parts of a directory. After a fault, or past the end,
// everything is zero and err says why.
type sevenReader struct {
	rest []byte
	err  error
}

func (r *sevenReader) fail(err error) {
	if r.err == nil {
		r.err = err
	}
	r.rest = nil
}

func (r *sevenReader) bytes(n uint64) []byte {
	if n > uint64(len(r.rest)) {
		r.fail(errSeven)
		return nil
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}

func (r *sevenReader) byte() byte {
	if b := r.bytes(1); b != nil {
		return b[0]
	}
	return sevenEnd
}

// number reads a number whose first byte shows by its leading ones how many
// bytes follow.
func (r *sevenReader) number() uint64 {
	first := r.byte()
	var v uint64
	mask := byte(0x80)
	for i := range 8 {
		if first&mask == 0 {
			return v | uint64(first&(mask-1))<<(8*i)
		}
		v |= uint64(r.byte()) << (8 * i)
		mask >>= 1
	}
	return v
}

// count reads a number of things that each take a byte or more of what follows.
func (r *sevenReader) count() int {
	n := r.number()
	if n > uint64(len(r.rest)) {
		r.fail(errSeven)
		return 0
	}
	return int(n)
}

// size reads a length in bytes, far from any overflow.
func (r *sevenReader) size() uint64 {
	n := r.number()
	if n > 1<<60 {
		r.fail(errSeven)
	}
	return n
}

// bits skips n bits and returns how many are set.
func (r *sevenReader) bits(n int) (set int) {
	for i, b := range r.bytes((uint64(n) + 7) / 8) {
		for bit := range min(8, n-8*i) {
			set += int(b >> (7 - bit) & 1)
		}
	}
	return set
}

// checksums skips the checksums of n things, of which some may have none. It
// returns that of the first.
func (r *sevenReader) checksums(n int) (first uint32, has bool) {
	defined := n
	has = n > 0
	if r.byte() == 0 {
		has = n > 0 && len(r.rest) > 0 && r.rest[0]&0x80 != 0
		defined = r.bits(n)
	}
	sums := r.bytes(uint64(defined) * 4)
	if !has || len(sums) < 4 {
		return 0, false
	}
	return binary.LittleEndian.Uint32(sums), true
}

// each skips a value for each of n files, of which some may have none.
func (r *sevenReader) each(n, size int) {
	defined := n
	if r.byte() == 0 {
		defined = r.bits(n)
	}
	if r.byte() != 0 {
		r.fail(errSeven)
	}
	r.bytes(uint64(defined) * uint64(size))
}
