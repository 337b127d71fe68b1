package deflate

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// blockTokens is how many tokens a block has at most: enough for its codes to be worth
// their place, few enough to stay in the processor's cache.
const blockTokens = 12 << 10

const (
	endOfBlock = 256
	literals   = 286 // and lengths
	distances  = 30
	codeLimit  = 15 // bits of a code of either, at most
	codeCodes  = 19
)

// lengthSymbols has the symbol of each length less 3, less 257; lengthBases and
// distanceBases the least length less 3 and the least distance less 1 of each symbol, with
// how many extra bits it has (RFC 1951 §3.2.5).
var (
	lengthSymbols [256]uint8

	lengthBases   [29]uint16
	lengthExtras  [29]uint8
	distanceBases [distances]uint16
	distanceExtra [distances]uint8
)

func init() {
	base := 0
	for s := range lengthBases {
		extra := max(0, s/4-1)
		if s == 28 {
			base, extra = 255, 0
		}
		lengthBases[s], lengthExtras[s] = uint16(base), uint8(extra)
		for n := base; n < min(base+1<<extra, 256); n++ {
			lengthSymbols[n] = uint8(s)
		}
		base += 1 << extra
	}
	base = 0
	for s := range distanceBases {
		extra := max(0, s/2-1)
		distanceBases[s], distanceExtra[s] = uint16(base), uint8(extra)
		base += 1 << extra
	}
}

// tokens are literals and matches: from bit 16 on 9 bits of the literal, or of the length less
// 3 and 256; below it the distance less 1, above it the symbol of the distance, or none.
type tokens struct {
	list []uint32 // never longer than it is made
	n    int

	literals  [literals]uint32 // how often each symbol stands, once counted
	distances [32]uint32
}

const (
	isMatch    = 1 << 24
	noDistance = 31 << 25
)

func (t *tokens) literal(b byte) {
	t.list[t.n] = noDistance | uint32(b)<<16
	t.n++
}

// match takes a length of at least 3, and cuts it where it is too long for one.
func (t *tokens) match(length, distance int) {
	d := uint32(distance - 1)
	d |= isMatch | distanceSymbol(d)<<25
	for length > maxLength {
		n := min(maxLength, length-minLength)
		t.list[t.n] = d | uint32(n-minLength)<<16
		t.n++
		length -= n
	}
	t.list[t.n] = d | uint32(length-minLength)<<16
	t.n++
}

// count counts the symbols.
func (t *tokens) count() {
	var firsts [512]uint32
	clear(t.distances[:])
	for _, token := range t.list[:t.n] {
		firsts[token>>16&511]++
		t.distances[token>>25&31]++
	}
	clear(t.literals[copy(t.literals[:], firsts[:256]):])
	for l, n := range firsts[256:] {
		t.literals[257+int(lengthSymbols[l])] += n
	}
	t.literals[endOfBlock] = 1
}

func distanceSymbol(d uint32) uint32 {
	if d < 2 {
		return d
	}
	n := uint32(bits.Len32(d)) - 2
	return 2*n + d>>(n&31)
}

// blockWriter writes blocks, bit by bit, the lowest of a byte first.
type blockWriter struct {
	out  []byte
	bits uint64
	n    uint

	lengths   [literals + distances]uint8
	codes     [literals + distances]uint16
	matches   [256]uint32 // code and extra bits of each length, and above 24 bits how many bits that is
	huffman   huffman
	described []uint16
}

func (w *blockWriter) begin(dst []byte) { w.out, w.bits, w.n = dst, 0, 0 }

// end fills the last byte.
func (w *blockWriter) end() []byte {
	for ; w.n > 0; w.n -= min(w.n, 8) {
		w.out = append(w.out, byte(w.bits))
		w.bits >>= 8
	}
	out := w.out
	w.out = nil
	return out
}

// put writes up to 48 bits.
func (w *blockWriter) put(v uint64, n uint) {
	w.bits |= v << w.n
	w.n += n
	for w.n >= 8 {
		w.out = append(w.out, byte(w.bits))
		w.bits >>= 8
		w.n -= 8
	}
}

// write writes a block of dynamic Huffman codes (RFC 1951 §3.2.7), and clears the tokens.
func (w *blockWriter) write(t *tokens, last bool) {
	t.count()
	literalLengths, distanceLengths := w.lengths[:literals], w.lengths[literals:]
	w.huffman.lengths(literalLengths, t.literals[:], codeLimit)
	w.huffman.lengths(distanceLengths, t.distances[:distances], codeLimit)
	if len(distanceLengths) == 0 || slices.Max(distanceLengths) == 0 {
		distanceLengths[0] = 1 // one that is not used; some readers refuse none
	}
	canonical(w.codes[:literals], literalLengths)
	canonical(w.codes[literals:], distanceLengths)
	for l := range w.matches {
		s := lengthSymbols[l]
		n := uint32(literalLengths[257+int(s)])
		code := uint32(w.codes[257+int(s)])
		w.matches[l] = code | uint32(l-int(lengthBases[s]))<<n | (n+uint32(lengthExtras[s]))<<24
	}
	final := uint64(0)
	if last {
		final = 1
	}
	w.put(final|2<<1, 3)
	w.describe()
	w.encode(t.list[:t.n])
	w.put(uint64(w.codes[endOfBlock]), uint(w.lengths[endOfBlock]))
	t.n = 0
}

// encode writes the tokens.
func (w *blockWriter) encode(list []uint32) {
	// A literal is written as a match is, with a distance of no bits: one path for both.
	var firsts [512]uint32 // code and extra bits, and above 24 bits how many
	for b := range 256 {
		firsts[b] = uint32(w.codes[b]) | uint32(w.lengths[b])<<24
	}
	copy(firsts[256:], w.matches[:])
	type second struct {
		code, base uint32
		bits, all  uint32
	}
	var seconds [32]second
	for s := range distances {
		n := uint32(w.lengths[literals+s])
		seconds[s] = second{uint32(w.codes[literals+s]), uint32(distanceBases[s]), n, n + uint32(distanceExtra[s])}
	}
	w.out = slices.Grow(w.out, 6*len(list)+16)
	out := w.out[len(w.out):cap(w.out)]
	at := 0
	held, n := w.bits, w.n
	for _, t := range list {
		c := firsts[t>>16&511]
		held |= uint64(c&0xffffff) << (n & 63)
		n += uint(c >> 24)
		distance := t & 0xffff
		d := &seconds[t>>25&31]
		held |= uint64(d.code|(distance-d.base)<<(d.bits&31)) << (n & 63)
		n += uint(d.all)
		binary.LittleEndian.PutUint64(out[at:], held)
		at += int(n >> 3)
		held >>= n &^ 7 & 63
		n &= 7
	}
	w.bits, w.n = held, n
	w.out = w.out[:len(w.out)+at]
}
