package sevenzip

import (
	"bufio"
	"encoding/binary"
	"io"
)

// bcj2Reader undoes BCJ2, a filter for programs of x86. The targets of calls and of jumps
// are streams of their own, with the place in the program added. A fourth stream has a bit
// for each instruction that says whether that was done to it, packed by a range coder.
type bcj2Reader struct {
	main, calls, jumps, bits *bufio.Reader

	rng, code uint32
	prob      [2 + 256]uint16
	before    byte
	place     uint32
	target    []byte // what is to be handed out
	err       error
	started   bool
}

func newBCJ2(in []*bufio.Reader) *bcj2Reader {
	r := &bcj2Reader{main: in[0], calls: in[1], jumps: in[2], bits: in[3], rng: 1<<32 - 1}
	for i := range r.prob {
		r.prob[i] = 1 << 10
	}
	return r
}

func (r *bcj2Reader) Read(p []byte) (n int, err error) {
	for n < len(p) && r.err == nil {
		if len(r.target) > 0 {
			k := copy(p[n:], r.target)
			r.target = r.target[k:]
			n += k
			continue
		}
		var b byte
		if b, r.err = r.main.ReadByte(); r.err != nil {
			break
		}
		p[n] = b
		n++
		r.place++
		isBranch := b&0xFE == 0xE8 || r.before == 0x0F && b&0xF0 == 0x80
		before := r.before
		r.before = b
		if isBranch {
			r.err = r.branch(before, b)
		}
	}
	if n > 0 {
		return n, nil
	}
	return 0, r.err
}

// branch reads the target of an instruction, if it was taken out.
func (r *bcj2Reader) branch(before, b byte) error {
	prob, targets := &r.prob[1], r.jumps // conditional jumps
	switch b {
	case 0xE8:
		prob, targets = &r.prob[2+int(before)], r.calls
	case 0xE9:
		prob = &r.prob[0]
	}
	isOut, err := r.bit(prob)
	if err != nil || !isOut {
		return err
	}
	var target [4]byte
	if _, err := io.ReadFull(targets, target[:]); err != nil {
		return cutShort(err)
	}
	r.place += 4
	binary.LittleEndian.PutUint32(target[:], binary.BigEndian.Uint32(target[:])-r.place)
	r.target = target[:]
	r.before = target[3]
	return nil
}

// bit reads one bit. The next byte is not read before it is needed: behind the last bit there
// is none.
func (r *bcj2Reader) bit(prob *uint16) (bool, error) {
	if !r.started {
		var head [5]byte
		if _, err := io.ReadFull(r.bits, head[:]); err != nil {
			return false, cutShort(err)
		}
		r.code = binary.BigEndian.Uint32(head[1:])
		r.started = true
	}
	if r.rng < 1<<24 {
		b, err := r.bits.ReadByte()
		if err != nil {
			return false, cutShort(err)
		}
		r.rng <<= 8
		r.code = r.code<<8 | uint32(b)
	}
	bound := r.rng >> 11 * uint32(*prob)
	if r.code < bound {
		r.rng = bound
		*prob += (1<<11 - *prob) >> 5
		return false, nil
	}
	r.rng -= bound
	r.code -= bound
	*prob -= *prob >> 5
	return true, nil
}

func cutShort(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
