package sevenzip

import "encoding/binary"

// reader reads the parts of a directory. After a fault, or past the end,
// everything is zero and err says why.
type reader struct {
	rest []byte
	err  error
}

func (r *reader) fail(err error) {
	if r.err == nil {
		r.err = err
	}
	r.rest = nil
}

func (r *reader) bytes(n uint64) []byte {
	if n > uint64(len(r.rest)) {
		r.fail(ErrCorrupt)
		return nil
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}

func (r *reader) byte() byte {
	if b := r.bytes(1); b != nil {
		return b[0]
	}
	return idEnd
}

// number reads a number whose first byte shows by its leading ones how many
// bytes follow.
func (r *reader) number() uint64 {
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
func (r *reader) count() int {
	n := r.number()
	if n > uint64(len(r.rest)) {
		r.fail(ErrCorrupt)
		return 0
	}
	return int(n)
}

// size reads a length in bytes, far from any overflow.
func (r *reader) size() uint64 {
	n := r.number()
	if n > 1<<60 {
		r.fail(ErrCorrupt)
	}
	return n
}

// bits is a bit for each of some things.
type bits []byte

func (b bits) has(i int) bool { return i/8 < len(b) && b[i/8]>>(7-i%8)&1 == 1 }

func (b bits) count(n int) (set int) {
	for i := range n {
		if b.has(i) {
			set++
		}
	}
	return set
}

// bits reads a bit for each of n things.
func (r *reader) bits(n int) bits { return r.bytes((uint64(n) + 7) / 8) }

// defined reads which of n things have a value, if they do not all have one.
func (r *reader) defined(n int) func(i int) bool {
	if r.byte() != 0 {
		return func(int) bool { return true }
	}
	return r.bits(n).has
}

// checksum is a CRC-32 that may be absent.
type checksum struct {
	sum uint32
	has bool
}

// checksums reads those of n things.
func (r *reader) checksums(n int) []checksum {
	if n > maxDirectory {
		r.fail(ErrCorrupt)
		return nil
	}
	defined := r.defined(n)
	var sums []checksum
	for i := 0; i < n && r.err == nil; i++ {
		c := checksum{has: defined(i)}
		if c.has {
			if b := r.bytes(4); b != nil {
				c.sum = binary.LittleEndian.Uint32(b)
			}
		}
		sums = append(sums, c)
	}
	return sums
}

// each reads a value of some bytes for each of n files, of which some may have none.
func (r *reader) each(n, size int, take func(i int, value []byte)) {
	defined := r.defined(n)
	if r.byte() != 0 { // said elsewhere: no writer does that
		r.fail(ErrCorrupt)
	}
	for i := 0; i < n && r.err == nil; i++ {
		if !defined(i) {
			continue
		}
		if value := r.bytes(uint64(size)); value != nil {
			take(i, value)
		}
	}
}
