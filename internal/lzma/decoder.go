// Package lzma unpacks LZMA and LZMA2, as files of LZMA alone, lzip, xz, 7z, zip and xar
// have them.
//
// The window takes memory as the data comes, whatever size the data claims for it. What
// it may take at most is the caller's choice: only data that really refers further back
// ends with [ErrMemory].
//
//	z, err := lzma.NewReader(in, properties, window, lzma.UnknownSize, 1<<27)
//	io.Copy(out, z)
package lzma

import "errors"

var (
	// ErrCorrupt says that no encoder writes such data.
	ErrCorrupt = errors.New("lzma: corrupt data")
	// ErrMemory says that the data refers to bytes that lie further back than the memory
	// of the window reaches.
	ErrMemory = errors.New("lzma: the window needs more memory than it may have")
	// ErrProperties says that there are no such properties.
	ErrProperties = errors.New("lzma: impossible properties")
)

const (
	states       = 12
	positions    = 16 // states of a position, at most
	probTop      = 1 << 11
	probInit     = probTop / 2
	probMove     = 5
	rangeTop     = 1 << 24
	lowest       = 2  // length of the shortest match
	most         = 32 // input bytes that one symbol takes, at most
	firstWindow  = 64 << 10
	literalCoder = 0x300
)

type lengths struct {
	choice, second uint16
	low, mid       [positions][8]uint16
	high           [256]uint16
}

type probabilities struct {
	match               [states][positions]uint16
	rep                 [states]uint16
	rep0, rep1, rep2    [states]uint16
	long                [states][positions]uint16
	slot                [4][64]uint16
	special             [128]uint16
	align               [16]uint16
	matchLen, repLength lengths
}

// window is what came last. It is a ring once it has its full size; until then it grows.
type window struct {
	buf  []byte
	pos  int   // where the next byte goes
	full bool  // all of buf was written since the window was emptied
	size int   // that it may grow to
	cut  bool  // the data claims a larger one
	all  int64 // bytes that were written since it was emptied
}

// begin empties the window. It may take so much memory, and some more for what is to be
// held besides.
func (w *window) begin(size uint64, memory, more int) {
	w.size = int(min(max(size, 1<<12), uint64(max(memory, firstWindow))))
	w.cut = size > uint64(w.size)
	w.size += more
	if len(w.buf) > w.size {
		w.buf = w.buf[:w.size]
	}
	w.empty()
}

func (w *window) empty() { w.pos, w.full, w.all = 0, false, 0 }

// room makes room for a byte or more, and returns for how many in a row.
func (w *window) room() int {
	if w.pos < len(w.buf) {
		return len(w.buf) - w.pos
	}
	if len(w.buf) < w.size {
		larger := make([]byte, min(max(2*len(w.buf), firstWindow), w.size))
		copy(larger, w.buf)
		w.buf = larger
	} else {
		w.pos, w.full = 0, true
	}
	return len(w.buf) - w.pos
}

// decoder is the state of LZMA between two symbols.
type decoder struct {
	window
	prob    probabilities
	literal []uint16
	lc      uint
	lpMask  uint32
	pbMask  uint32
	state   int
	reps    [4]uint32
	length  int // of a match that is still to be copied

	rng, code uint32
	in        []byte // the last most bytes of it may be made up
	at        int
}

// Properties are the three settings of LZMA. LC bits of the byte before and LP of the position
// choose the coder of a literal. PB bits of the position choose that of a match.
type Properties struct{ LC, LP, PB int }

// PropertiesOf reads the byte that has all three.
func PropertiesOf(b byte) (Properties, error) {
	if b >= 9*5*5 {
		return Properties{}, ErrProperties
	}
	return Properties{LC: int(b % 9), LP: int(b / 9 % 5), PB: int(b / 45)}, nil
}

func (d *decoder) reset(p Properties) {
	d.lc, d.lpMask, d.pbMask = uint(p.LC), 1<<p.LP-1, 1<<p.PB-1
	if n := literalCoder << (p.LC + p.LP); cap(d.literal) >= n {
		d.literal = d.literal[:n]
	} else {
		d.literal = make([]uint16, n)
	}
	d.forget()
}

// forget sets all probabilities to one half.
func (d *decoder) forget() {
	half := func(p []uint16) {
		for i := range p {
			p[i] = probInit
		}
	}
	half(d.literal)
	p := &d.prob
	for i := range states {
		half(p.match[i][:])
		half(p.long[i][:])
	}
	for _, few := range [][]uint16{p.rep[:], p.rep0[:], p.rep1[:], p.rep2[:], p.special[:], p.align[:]} {
		half(few)
	}
	for i := range p.slot {
		half(p.slot[i][:])
	}
	for _, l := range []*lengths{&p.matchLen, &p.repLength} {
		l.choice, l.second = probInit, probInit
		half(l.high[:])
		for i := range positions {
			half(l.low[i][:])
			half(l.mid[i][:])
		}
	}
	d.state, d.reps, d.length = 0, [4]uint32{}, 0
}

func (d *decoder) normalise() {
	if d.rng < rangeTop {
		d.rng <<= 8
		d.code = d.code<<8 | uint32(d.in[d.at])
		d.at++
	}
}

func (d *decoder) bit(p *uint16) bool {
	if d.rng < rangeTop {
		d.rng <<= 8
		d.code = d.code<<8 | uint32(d.in[d.at])
		d.at++
	}
	v := uint32(*p)
	bound := (d.rng >> 11) * v
	if d.code < bound {
		d.rng = bound
		*p = uint16(v + (probTop-v)>>probMove)
		return false
	}
	d.rng -= bound
	d.code -= bound
	*p = uint16(v - v>>probMove)
	return true
}

// tree reads as many bits as the table is for, the highest first.
func (d *decoder) tree(p []uint16) uint32 {
	rng, code, in, at := d.rng, d.code, d.in, d.at
	m := 1
	for m < len(p) {
		if rng < rangeTop {
			rng <<= 8
			code = code<<8 | uint32(in[at])
			at++
		}
		v := uint32(p[m])
		bound := (rng >> 11) * v
		if code < bound {
			rng = bound
			p[m] = uint16(v + (probTop-v)>>probMove)
			m <<= 1
		} else {
			rng -= bound
			code -= bound
			p[m] = uint16(v - v>>probMove)
			m = m<<1 | 1
		}
	}
	d.rng, d.code, d.at = rng, code, at
	return uint32(m - len(p))
}

// reverse reads so many bits, the lowest first.
func (d *decoder) reverse(p []uint16, bits int) (v uint32) {
	m := 1
	for i := range bits {
		if d.bit(&p[m]) {
			m = m<<1 | 1
			v |= 1 << i
		} else {
			m <<= 1
		}
	}
	return v
}

func (d *decoder) direct(bits int) (v uint32) {
	for range bits {
		d.normalise()
		d.rng >>= 1
		d.code -= d.rng
		below := 0 - d.code>>31
		d.code += d.rng & below
		v = v<<1 + below + 1
	}
	return v
}

func (d *decoder) matchLength(l *lengths, position uint32) int {
	switch {
	case !d.bit(&l.choice):
		return lowest + int(d.tree(l.low[position][:]))
	case !d.bit(&l.second):
		return lowest + 8 + int(d.tree(l.mid[position][:]))
	}
	return lowest + 16 + int(d.tree(l.high[:]))
}

func (d *decoder) distance(length int) uint32 {
	slot := int(d.tree(d.prob.slot[min(length-lowest, 3)][:]))
	if slot < 4 {
		return uint32(slot)
	}
	bits := slot>>1 - 1
	v := uint32(2|slot&1) << bits
	if slot < 14 {
		return v + d.reverse(d.prob.special[int(v)-slot:], bits)
	}
	v += d.direct(bits-4) << 4
	return v + d.reverse(d.prob.align[:], 4)
}

// farBack is a byte of the window that was written so many bytes ago, and one more.
func (d *decoder) farBack(distance uint32) byte {
	i := d.pos - 1 - int(distance)
	if i < 0 {
		i += len(d.buf)
	}
	return d.buf[i]
}

// reaches says whether the window has what was written so many bytes ago, and one more.
func (d *decoder) reaches(distance uint32) error {
	switch {
	case int64(distance) < int64(d.pos) || d.full && int64(distance) < int64(len(d.buf)):
		return nil
	case d.cut && int64(distance) < d.all:
		return ErrMemory
	}
	return ErrCorrupt
}

// errMark says that the mark of the end came.
var errMark = errors.New("lzma: end mark")

// symbol reads one symbol, and writes a literal; a match is in d.length then. There must be
// room in the window.
func (d *decoder) symbol() error {
	position := uint32(d.all) & d.pbMask
	p := &d.prob
	if !d.bit(&p.match[d.state][position]) {
		d.readLiteral()
		return nil
	}
	if !d.bit(&p.rep[d.state]) {
		d.reps[3], d.reps[2], d.reps[1] = d.reps[2], d.reps[1], d.reps[0]
		length := d.matchLength(&p.matchLen, position)
		d.reps[0] = d.distance(length)
		d.state = afterMatch(d.state, 7)
		if d.reps[0] == 1<<32-1 {
			return errMark
		}
		d.length = length
		return d.reaches(d.reps[0])
	}
	if d.all == 0 {
		return ErrCorrupt
	}
	if !d.bit(&p.rep0[d.state]) {
		if !d.bit(&p.long[d.state][position]) {
			d.state = afterMatch(d.state, 9)
			d.length = 1
			return d.reaches(d.reps[0])
		}
	} else {
		distance := d.reps[1]
		if d.bit(&p.rep1[d.state]) {
			distance = d.reps[2]
			if d.bit(&p.rep2[d.state]) {
				distance = d.reps[3]
				d.reps[3] = d.reps[2]
			}
			d.reps[2] = d.reps[1]
		}
		d.reps[1] = d.reps[0]
		d.reps[0] = distance
	}
	d.length = d.matchLength(&p.repLength, position)
	d.state = afterMatch(d.state, 8)
	return d.reaches(d.reps[0])
}

// afterMatch is the state behind a match, by what the state was before it.
func afterMatch(state, after int) int {
	switch {
	case state < 7:
		return after
	case after == 7:
		return 10
	}
	return 11
}

func (d *decoder) readLiteral() {
	before := byte(0)
	if d.all > 0 {
		before = d.farBack(0)
	}
	which := (uint32(d.all)&d.lpMask)<<d.lc + uint32(before)>>(8-d.lc)
	p := (*[literalCoder]uint16)(d.literal[which*literalCoder:])
	rng, code, in, at := d.rng, d.code, d.in, d.at
	m := uint32(1)
	if d.state >= 7 {
		same := uint32(d.farBack(d.reps[0]))
		offset := uint32(0x100)
		for m < 0x100 {
			same <<= 1
			hint := same & offset
			i := offset + hint + m
			if rng < rangeTop {
				rng <<= 8
				code = code<<8 | uint32(in[at])
				at++
			}
			v := uint32(p[i])
			bound := (rng >> 11) * v
			if code < bound {
				rng = bound
				p[i] = uint16(v + (probTop-v)>>probMove)
				m <<= 1
				offset &^= hint
			} else {
				rng -= bound
				code -= bound
				p[i] = uint16(v - v>>probMove)
				m = m<<1 | 1
				offset &= hint
			}
		}
	}
	for m < 0x100 {
		if rng < rangeTop {
			rng <<= 8
			code = code<<8 | uint32(in[at])
			at++
		}
		v := uint32(p[m])
		bound := (rng >> 11) * v
		if code < bound {
			rng = bound
			p[m] = uint16(v + (probTop-v)>>probMove)
			m <<= 1
		} else {
			rng -= bound
			code -= bound
			p[m] = uint16(v - v>>probMove)
			m = m<<1 | 1
		}
	}
	d.rng, d.code, d.at = rng, code, at
	d.buf[d.pos] = byte(m)
	d.pos++
	d.all++
	switch {
	case d.state < 4:
		d.state = 0
	case d.state < 10:
		d.state -= 3
	default:
		d.state -= 6
	}
}

// copyMatch copies of the match as much as there is room for, up to so many bytes.
func (d *decoder) copyMatch(limit int) {
	n := min(d.length, len(d.buf)-d.pos, limit)
	d.length -= n
	d.all += int64(n)
	from := d.pos - 1 - int(d.reps[0])
	if from < 0 {
		from += len(d.buf)
		k := min(n, len(d.buf)-from)
		copy(d.buf[d.pos:d.pos+k], d.buf[from:from+k])
		d.pos += k
		n -= k
		from = 0
	}
	for n > 0 { // what is copied may be copied again
		k := copy(d.buf[d.pos:d.pos+n], d.buf[from:d.pos])
		d.pos += k
		n -= k
	}
}
