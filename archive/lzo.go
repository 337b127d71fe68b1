package archive

// unpackLzo unpacks one block of LZO1X, up to a size, and appends it to out. The kernel of
// Linux describes the instructions (Documentation/staging/lzo.rst). If packed is not
// exactly one whole block, whole is false.
func unpackLzo(out, packed []byte, size int) (block []byte, whole bool) {
	z := lzo{in: packed, out: out, size: size}
	z.block()
	return z.out, z.whole
}

// lzo is the state between two instructions.
type lzo struct {
	in, out []byte
	size    int
	at      int
	whole   bool
	failed  bool
	// literals is how many were copied before: a short instruction's meaning depends on
	// it. 4 stands for all numbers beyond 3.
	literals int
}

func (z *lzo) block() {
	if first := z.byte(); !z.failed && first > 17 {
		z.copyLiterals(int(first) - 17)
	} else {
		z.at = 0
	}
	for !z.failed && !z.whole {
		z.instruction(int(z.byte()))
	}
}

func (z *lzo) instruction(t int) {
	if z.failed {
		return
	}
	length, distance, literals := 0, 0, 0
	switch {
	case t >= 64: // a short match: 3 to 8 bytes from up to 2 KiB back
		length = t>>5 + 1
		distance = int(z.byte())<<3 + t>>2&7 + 1
		literals = t & 3
	case t >= 32: // from up to 16 KiB back
		length = z.length(t&31, 31) + 2
		v := z.word()
		distance, literals = v>>2+1, v&3
	case t >= 16: // from up to 48 KiB back, or the end
		length = z.length(t&7, 7) + 2
		v := z.word()
		distance, literals = 1<<14+t&8<<11+v>>2, v&3
		if distance == 1<<14 {
			z.whole = !z.failed && length == 3 && z.at == len(z.in)
			z.failed = !z.whole
			return
		}
	case z.literals == 0:
		z.copyLiterals(z.length(t, 15) + 3)
		return
	case z.literals < 4:
		length, distance, literals = 2, int(z.byte())<<2+t>>2+1, t&3
	default:
		length, distance, literals = 3, int(z.byte())<<2+t>>2+1<<11+1, t&3
	}
	z.copyMatch(length, distance)
	z.literals = 0
	if literals > 0 {
		z.copyLiterals(literals)
	}
}

func (z *lzo) byte() byte {
	if z.at >= len(z.in) {
		z.failed = true
		return 0
	}
	b := z.in[z.at]
	z.at++
	return b
}

func (z *lzo) word() int {
	low := int(z.byte())
	return low | int(z.byte())<<8
}

// length is a number in the instruction. If that is 0, the bytes after it hold the number:
// most, 255 for each zero, and the first byte that is not zero.
func (z *lzo) length(told, most int) int {
	if told != 0 {
		return told
	}
	n := most
	for !z.failed && n <= z.size {
		b := z.byte()
		if b != 0 {
			return n + int(b)
		}
		n += 255
	}
	z.failed = true
	return 0
}

func (z *lzo) copyLiterals(n int) {
	z.literals = min(n, 4)
	if z.failed {
		return
	}
	has := min(n, len(z.in)-z.at, z.size-len(z.out))
	z.out = append(z.out, z.in[z.at:z.at+has]...)
	z.at += has
	z.failed = has < n
}

func (z *lzo) copyMatch(length, distance int) {
	if z.failed || distance > len(z.out) || length > z.size-len(z.out) {
		z.failed = true
		return
	}
	for from := len(z.out) - distance; length > 0; {
		n := min(length, len(z.out)-from) // a match may reach into what it makes
		z.out = append(z.out, z.out[from:from+n]...)
		from += n
		length -= n
	}
}
