// Package branch undoes what packers do to programs, and to tables of numbers, so that they
// pack better: the filters of xz and 7z. Branches in machine code have the place in the
// program added to their distance; here it is taken off again. Delta has bytes less those
// some places before them.
package branch

import (
	"encoding/binary"
	"io"
	"math/bits"
)

// Kind is a processor.
type Kind int

// The processors whose branches are known.
const (
	X86 Kind = iota
	PPC
	IA64
	ARM
	ARMThumb
	SPARC
	ARM64
)

// reader converts in place what was read. What a converter leaves, since more must follow,
// is converted with that.
type reader struct {
	in      io.Reader
	convert func(b []byte, place uint32) int
	place   uint32
	buf     []byte
	done    int // of buf: bytes that can be handed out, from given on
	given   int
	err     error
}

// NewReader undoes the filter of a processor, for a program that begins at a place.
func NewReader(in io.Reader, kind Kind, start uint32) io.Reader {
	r := &reader{in: in, place: start, buf: make([]byte, 0, 32<<10)}
	switch kind {
	case X86:
		r.convert = new(x86).convert
	case PPC:
		r.convert = ppc
	case IA64:
		r.convert = ia64
	case ARM:
		r.convert = arm
	case ARMThumb:
		r.convert = armThumb
	case SPARC:
		r.convert = sparc
	case ARM64:
		r.convert = arm64
	}
	return r
}

func (r *reader) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	for r.given == r.done {
		if r.err != nil {
			return 0, r.err
		}
		r.buf = r.buf[:copy(r.buf[:cap(r.buf)], r.buf[r.done:])]
		r.given, r.done = 0, 0
		n, err := r.in.Read(r.buf[len(r.buf):cap(r.buf)])
		r.buf = r.buf[:len(r.buf)+n]
		r.done = r.convert(r.buf, r.place)
		r.place += uint32(r.done)
		if r.err = err; err != nil {
			r.done = len(r.buf) // less than an instruction
		}
		if n == 0 && err == nil {
			return 0, nil
		}
	}
	n := copy(p, r.buf[r.given:r.done])
	r.given += n
	return n, nil
}

func ppc(b []byte, place uint32) (i int) {
	for ; i+4 <= len(b); i += 4 {
		if v := binary.BigEndian.Uint32(b[i:]); v&0xFC000003 == 0x48000001 {
			v = 0x48000001 | (v-place-uint32(i))&0x03FFFFFC
			binary.BigEndian.PutUint32(b[i:], v)
		}
	}
	return i
}

func arm(b []byte, place uint32) (i int) {
	for ; i+4 <= len(b); i += 4 {
		if b[i+3] == 0xEB {
			v := binary.LittleEndian.Uint32(b[i:]) - (place+uint32(i)+8)>>2
			binary.LittleEndian.PutUint32(b[i:], 0xEB000000|v&0x00FFFFFF)
		}
	}
	return i
}

func armThumb(b []byte, place uint32) (i int) {
	le := binary.LittleEndian
	for ; i+4 <= len(b); i += 2 {
		high, low := uint32(le.Uint16(b[i:])), uint32(le.Uint16(b[i+2:]))
		if high&0xF800 != 0xF000 || low&0xF800 != 0xF800 {
			continue
		}
		v := (high&0x7FF<<11|low&0x7FF)<<1 - (place + uint32(i) + 4)
		v >>= 1
		le.PutUint16(b[i:], uint16(0xF000|v>>11&0x7FF))
		le.PutUint16(b[i+2:], uint16(0xF800|v&0x7FF))
		i += 2
	}
	return i
}

func sparc(b []byte, place uint32) (i int) {
	for ; i+4 <= len(b); i += 4 {
		v := binary.BigEndian.Uint32(b[i:])
		if top := v >> 22; top != 0x100 && top != 0x1FF {
			continue
		}
		v = (v<<2 - place - uint32(i)) >> 2
		v = 0x40000000 - v&0x00400000 | 0x40000000 | v&0x003FFFFF
		binary.BigEndian.PutUint32(b[i:], v)
	}
	return i
}

func arm64(b []byte, place uint32) (i int) {
	for ; i+4 <= len(b); i += 4 {
		v, at := binary.LittleEndian.Uint32(b[i:]), place+uint32(i)
		switch {
		case v>>26 == 0x25: // BL
			v = 0x94000000 | (v-at>>2)&0x03FFFFFF
		case v&0x9F000000 == 0x90000000: // ADRP, within 512 MiB
			pages := v>>29&3 | v>>3&0x001FFFFC
			if (pages+0x00020000)&0x001C0000 != 0 {
				continue
			}
			pages -= at >> 12
			v = v&0x9000001F | pages&3<<29 | pages&0x0003FFFC<<3 | (0-pages&0x00020000)&0x00E00000
		default:
			continue
		}
		binary.LittleEndian.PutUint32(b[i:], v)
	}
	return i
}

// ia64 has bundles of 16 bytes with three instructions of 41 bits.
func ia64(b []byte, place uint32) (i int) {
	for ; i+16 <= len(b); i += 16 {
		slots := [32]byte{16: 4, 17: 4, 18: 6, 19: 6, 22: 7, 23: 7, 24: 4, 25: 4, 28: 4, 29: 4}[b[i]&0x1F]
		for slot := range 3 {
			if slots>>slot&1 == 0 {
				continue
			}
			bit := 5 + slot*41
			part := b[i+bit/8:]
			var whole uint64
			for j := range 6 {
				whole |= uint64(part[j]) << (8 * j)
			}
			v := whole >> (bit % 8)
			if v>>37&0xF != 5 || v>>9&7 != 0 {
				continue
			}
			target := uint32(v>>13)&0xFFFFF | uint32(v>>36)&1<<20
			target = (target<<4 - (place + uint32(i))) >> 4
			v = v&^(0x8FFFFF<<13) | uint64(target&0xFFFFF)<<13 | uint64(target&0x100000)<<(36-20)
			whole = whole&(1<<(bit%8)-1) | v<<(bit%8)
			for j := range 6 {
				part[j] = byte(whole >> (8 * j))
			}
		}
	}
	return i
}

// x86 remembers which of the last three bytes looked like the beginning of a call or a jump
// and were none. The lowest bit is for the last.
type x86 struct{ mask uint32 }

// convert leaves the last four bytes.
func (x *x86) convert(b []byte, place uint32) int {
	i := 0
	for ; i+5 <= len(b); i++ {
		mask := x.mask & 7
		x.mask = mask << 1
		if b[i]&0xFE != 0xE8 {
			continue
		}
		x.mask |= 1
		back := bits.Len32(mask) // how many bytes before it the farthest of them is
		if bits.OnesCount32(mask) > 1 || mask != 0 && isEdge(b[i+4-back]) || !isEdge(b[i+4]) {
			continue
		}
		at := place + uint32(i) + 5
		v := binary.LittleEndian.Uint32(b[i+1:]) - at
		for mask != 0 && isEdge(byte(v>>(24-8*back))) {
			v = v ^ (1<<(32-8*back) - 1) - at
		}
		v = v&0x00FFFFFF | (0-v>>24&1)<<24
		binary.LittleEndian.PutUint32(b[i+1:], v)
		x.mask = 0
		i += 4
	}
	return i
}

// isEdge says whether a byte may be the highest of a distance.
func isEdge(b byte) bool { return b == 0 || b == 0xFF }

// delta adds to each byte the one that came so many bytes before it.
type delta struct {
	in   io.Reader
	last [256]byte // a ring
	at   byte
	far  byte
}

// NewDelta undoes Delta with a distance from 1 to 256.
func NewDelta(in io.Reader, distance int) io.Reader { return &delta{in: in, far: byte(distance)} }

func (d *delta) Read(p []byte) (int, error) {
	n, err := d.in.Read(p)
	for i, b := range p[:n] {
		b += d.last[d.at-d.far] // 256 before is the same place
		d.last[d.at] = b
		d.at++
		p[i] = b
	}
	return n, err
}
