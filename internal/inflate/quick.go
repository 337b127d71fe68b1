package inflate

import "encoding/binary"

const (
	// quickInput is how many bytes of input the quick way wants: two looks at eight, of
	// which the first uses up to seven.
	quickInput = 16
	// quickRoom is how much of the window it wants: three literals and the longest copy.
	quickRoom = 3 + 258
)

// quick decodes literals and copies as long as there is much input and room. It stops
// before what is neither, or not sound, or at the end of both.
func (r *Reader) quick() {
	// The masks change nothing: they let the compiler see that no index is out of bounds.
	w := r.work
	i, filled := uint(r.taken), uint(r.filled)
	lastIn := uint(r.ahead - quickInput)
	hold, nhold := r.hold, r.nhold
	for i <= lastIn && filled <= windowSize-quickRoom {
		// The bits that are loaded above nhold are the same that the next look brings.
		hold |= binary.LittleEndian.Uint64(w.in[i&(inputSize-1):]) << (nhold & 63)
		i += (63 - nhold) >> 3
		nhold |= 56
		e := w.lit.entries[hold&(1<<litBits-1)]
		if e&litByte != 0 {
			w.window[filled&(windowSize-1)] = byte(e >> 16)
			filled++
			hold >>= e & 63
			nhold -= uint(e & 63)
			e = w.lit.entries[hold&(1<<litBits-1)]
			if e&litByte != 0 {
				w.window[filled&(windowSize-1)] = byte(e >> 16)
				filled++
				hold >>= e & 63
				nhold -= uint(e & 63)
				e = w.lit.entries[hold&(1<<litBits-1)]
				if e&litByte != 0 {
					w.window[filled&(windowSize-1)] = byte(e >> 16)
					filled++
					hold >>= e & 63
					nhold -= uint(e & 63)
					continue
				}
			}
		}
		length := uint(e>>16) & 0x1FF
		if e&litRare != 0 {
			if e&litSecond != 0 {
				e = w.lit.entries[(e.value()+uint(hold>>litBits)&(1<<e.codeBits()-1))&4095]
				length = e.value()
				if e&litByte != 0 {
					w.window[filled&(windowSize-1)] = byte(length)
					filled++
					hold >>= e & 63
					nhold -= uint(e & 63)
					continue
				}
			}
			if e&(litEnd|litInvalid) != 0 {
				break
			}
			if e&litWide != 0 {
				length += uint(hold>>(e>>8&31)) & (1<<(e.allBits()-e.codeBits()) - 1)
			}
		}
		hold >>= e & 63
		nhold -= uint(e & 63)
		if nhold < 29 { // the longest code of a distance and what follows it, in Deflate64
			hold |= binary.LittleEndian.Uint64(w.in[i&(inputSize-1):]) << (nhold & 63)
			i += (63 - nhold) >> 3
			nhold |= 56
		}
		d := w.dist.entries[hold&(1<<distBits-1)]
		if d&distSecond != 0 {
			d = w.dist.entries[(d.base()+uint(hold>>distBits)&(1<<d.codeBits()-1))&1023]
		}
		distance := uint(d>>32) + uint(hold>>(d>>8&31))&uint(d>>16&0xFFFF)
		if distance > filled {
			nhold += uint(e & 63)
			break
		}
		hold >>= d & 63
		nhold -= uint(d & 63)
		if distance >= 16 {
			to, from := filled&(windowSize-1), (filled-distance)&(windowSize-1)
			copy64((*[64]byte)(w.window[to:]), (*[64]byte)(w.window[from:]))
			filled += length
			for length > 64 {
				length -= 64
				to, from = (to+64)&(windowSize-1), (from+64)&(windowSize-1)
				copy64((*[64]byte)(w.window[to:]), (*[64]byte)(w.window[from:]))
			}
			continue
		}
		from := filled - distance
		for to := filled + length; filled < to; {
			filled += uint(copy(w.window[filled:to], w.window[from:filled]))
		}
	}
	r.filled = int(filled)
	r.giveBack(int(i)*8 - int(nhold))
}

// giveBack makes a place in work.in, in bits, the one where the next bit is. It may lie
// before r.taken as far as r.hold reaches.
func (r *Reader) giveBack(place int) {
	start := r.taken*8 - int(r.nhold)
	if place < r.taken*8 {
		r.hold >>= uint(place-start) & 63
		r.nhold -= uint(place - start)
		return
	}
	r.taken = (place + 7) / 8
	r.nhold = uint(-place & 7)
	r.hold = 0
	if r.nhold > 0 {
		r.hold = uint64(r.work.in[r.taken-1]) >> (8 - r.nhold)
	}
}

// copy64 copies 64 bytes, 16 at a time, so that those of one step may be copied by the next.
func copy64(to, from *[64]byte) {
	*(*[16]byte)(to[:]) = *(*[16]byte)(from[:])
	*(*[16]byte)(to[16:]) = *(*[16]byte)(from[16:])
	*(*[16]byte)(to[32:]) = *(*[16]byte)(from[32:])
	*(*[16]byte)(to[48:]) = *(*[16]byte)(from[48:])
}
