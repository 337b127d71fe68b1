package archive

import (
	"errors"
	"io"
)

// deflate64 decodes Deflate64 (method 9 of zip): deflate (RFC 1951) with a window of
// 64 KiB, two more distances, and a longest match that tells its length in 16 bits.
type deflate64 struct {
	in      io.ByteReader
	bits    uint32
	n       uint // of bits that are held
	window  [1 << 16]byte
	at      int // in the window
	from    int // what of it was handed out
	came    int // bytes that are in it
	block   func(*deflate64) error
	final   bool
	stored  int // bytes that are left of a stored block
	length  int // and of a match
	back    int
	symbols huffman
	places  huffman
	err     error
}

var errDeflate64 = errors.New("archive: corrupt deflate64 data")

// huffman is a canonical code: how many codes there are of each length, and the
// symbols in the order of their codes.
type huffman struct {
	count   [16]uint16
	symbols [288]uint16
}

// lengths makes the code from the length of each symbol's code (§3.2.2). A code that
// is not full serves for a single distance only.
func (h *huffman) lengths(lengths []byte) bool {
	h.count = [16]uint16{}
	for _, l := range lengths {
		h.count[l]++
	}
	var at [16]uint16
	left := 1
	for l := 1; l < 16; l++ {
		left = left<<1 - int(h.count[l])
		if left < 0 {
			return false
		}
		if l < 15 {
			at[l+1] = at[l] + h.count[l]
		}
	}
	for s, l := range lengths {
		if l > 0 {
			h.symbols[at[l]] = uint16(s)
			at[l]++
		}
	}
	used := len(lengths) - int(h.count[0])
	return left == 0 || used <= 1
}

func newDeflate64(in io.ByteReader) *deflate64 { return &deflate64{in: in, block: (*deflate64).header} }

func (d *deflate64) Read(p []byte) (int, error) {
	for d.from == d.at && d.err == nil {
		d.err = d.fill()
	}
	if d.from == d.at {
		return 0, d.err
	}
	end := d.at
	if end < d.from {
		end = len(d.window)
	}
	n := copy(p, d.window[d.from:end])
	d.from = (d.from + n) % len(d.window)
	return n, nil
}

// fill decodes until half a window is ready.
func (d *deflate64) fill() error {
	for (d.at-d.from)&(len(d.window)-1) < len(d.window)/2 {
		if err := d.block(d); err != nil {
			return err
		}
	}
	return nil
}

func (d *deflate64) put(b byte) {
	d.window[d.at] = b
	d.at = (d.at + 1) % len(d.window)
	d.came = min(d.came+1, len(d.window))
}

func (d *deflate64) take(n uint) (uint32, error) {
	for d.n < n {
		b, err := d.in.ReadByte()
		if err != nil {
			return 0, cutShort(err)
		}
		d.bits |= uint32(b) << d.n
		d.n += 8
	}
	v := d.bits & (1<<n - 1)
	d.bits >>= n
	d.n -= n
	return v, nil
}

func (d *deflate64) symbol(h *huffman) (int, error) {
	code, first, index := 0, 0, 0
	for l := 1; l < 16; l++ {
		bit, err := d.take(1)
		if err != nil {
			return 0, err
		}
		code |= int(bit)
		count := int(h.count[l])
		if code-count < first {
			return int(h.symbols[index+code-first]), nil
		}
		index += count
		first = (first + count) << 1
		code <<= 1
	}
	return 0, errDeflate64
}

// header reads the header of a block (§3.2.3).
func (d *deflate64) header() error {
	if d.final {
		return io.EOF
	}
	head, err := d.take(3)
	if err != nil {
		return err
	}
	d.final = head&1 != 0
	switch head >> 1 {
	case 0:
		d.bits, d.n = 0, 0 // at most 7 bits were held
		length, err := d.take(16)
		if err != nil {
			return err
		}
		inverse, err := d.take(16)
		if err != nil {
			return err
		}
		if length != ^inverse&0xFFFF {
			return errDeflate64
		}
		d.stored, d.block = int(length), (*deflate64).copyStored
	case 1:
		var lengths [288]byte
		for i := range lengths {
			switch {
			case i < 144, i >= 280:
				lengths[i] = 8
			case i < 256:
				lengths[i] = 9
			default:
				lengths[i] = 7
			}
		}
		d.symbols.lengths(lengths[:])
		var places [32]byte
		for i := range places {
			places[i] = 5
		}
		d.places.lengths(places[:])
		d.block = (*deflate64).coded
	case 2:
		if err := d.dynamic(); err != nil {
			return err
		}
		d.block = (*deflate64).coded
	default:
		return errDeflate64
	}
	return nil
}

func (d *deflate64) copyStored() error {
	for ; d.stored > 0; d.stored-- {
		if (d.at-d.from)&(len(d.window)-1) >= len(d.window)/2 {
			return nil
		}
		b, err := d.in.ReadByte()
		if err != nil {
			return cutShort(err)
		}
		d.put(b)
	}
	d.block = (*deflate64).header
	return nil
}

// dynamic reads the codes of a block (§3.2.7).
func (d *deflate64) dynamic() error {
	head, err := d.take(14)
	if err != nil {
		return err
	}
	literals, places, codes := int(head&31)+257, int(head>>5&31)+1, int(head>>10)+4
	if literals > 286 {
		return errDeflate64
	}
	var lengths [286 + 32]byte
	order := [19]int{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}
	var first [19]byte
	for _, i := range order[:codes] {
		v, err := d.take(3)
		if err != nil {
			return err
		}
		first[i] = byte(v)
	}
	var code huffman
	if !code.lengths(first[:]) {
		return errDeflate64
	}
	for i := 0; i < literals+places; {
		s, err := d.symbol(&code)
		if err != nil {
			return err
		}
		if s < 16 {
			lengths[i] = byte(s)
			i++
			continue
		}
		var repeat byte
		extra, least := uint(2), 3
		switch s {
		case 16:
			if i == 0 {
				return errDeflate64
			}
			repeat = lengths[i-1]
		case 17:
			extra = 3
		case 18:
			extra, least = 7, 11
		}
		v, err := d.take(extra)
		if err != nil {
			return err
		}
		times := least + int(v)
		if i+times > literals+places {
			return errDeflate64
		}
		for range times {
			lengths[i] = repeat
			i++
		}
	}
	if lengths[256] == 0 || !d.symbols.lengths(lengths[:literals]) || !d.places.lengths(lengths[literals:literals+places]) {
		return errDeflate64
	}
	return nil
}

// coded decodes one symbol, or some of a match.
func (d *deflate64) coded() error {
	if d.length > 0 {
		for ; d.length > 0 && (d.at-d.from)&(len(d.window)-1) < len(d.window)/2; d.length-- {
			d.put(d.window[(d.at-d.back)&(len(d.window)-1)])
		}
		return nil
	}
	s, err := d.symbol(&d.symbols)
	switch {
	case err != nil:
		return err
	case s < 256:
		d.put(byte(s))
		return nil
	case s == 256:
		d.block = (*deflate64).header
		return nil
	}
	if d.length, err = d.matchLength(s); err != nil {
		return err
	}
	place, err := d.symbol(&d.places)
	if err != nil {
		return err
	}
	if place >= 32 {
		return errDeflate64
	}
	extra := uint(max(place/2-1, 0))
	v, err := d.take(extra)
	if err != nil {
		return err
	}
	d.back = 1 + place + int(v)
	if place >= 4 {
		d.back = 1 + (2+place&1)<<extra + int(v)
	}
	if d.back > d.came {
		return errDeflate64
	}
	return nil
}

// matchLength reads the length of a match. Its codes go up in groups of four that
// share a number of extra bits, but for the last, which is all extra bits.
func (d *deflate64) matchLength(s int) (int, error) {
	switch {
	case s < 265:
		return s - 257 + 3, nil
	case s == 285:
		v, err := d.take(16)
		return 3 + int(v), err
	case s > 285:
		return 0, errDeflate64
	}
	extra := uint(s-261) / 4
	v, err := d.take(extra)
	return 3 + (4+(s-261)%4)<<extra + int(v), err
}
