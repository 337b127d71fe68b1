package deflate

import (
	"encoding/binary"
	"slices"
)

const (
	endOfBlock = 256
	codeCodes  = 19
)

// blockWriter writes blocks, bit by bit, the lowest of a byte first.
type blockWriter struct {
	out  []byte
	bits uint64
	n    uint

	lengths   [literals + distances]uint8
	codes     [literals + distances]uint16
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

// put writes up to 56 bits.
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
	canonical(w.codes[:literals], literalLengths)
	canonical(w.codes[literals:], distanceLengths)
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
	for l, s := range lengthSymbols {
		n := uint32(w.lengths[257+int(s)])
		firsts[256+l] = uint32(w.codes[257+int(s)]) | uint32(l-int(lengthBases[s]))<<n | (n+uint32(lengthExtras[s]))<<24
	}
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

// The order in which lengths of code lengths are written (RFC 1951 §3.2.7).
var codeOrder = [codeCodes]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// How many bits say how often the last three repeat.
var codeExtra = [codeCodes]uint8{16: 2, 17: 3, 18: 7}

// describe writes the lengths of the codes of a block.
func (w *blockWriter) describe() {
	used := func(lengths []uint8, least int) int {
		n := len(lengths)
		for n > least && lengths[n-1] == 0 {
			n--
		}
		return n
	}
	nLiterals, nDistances := used(w.lengths[:literals], 257), used(w.lengths[literals:], 1)
	var sequence [literals + distances]uint8
	all := append(append(sequence[:0], w.lengths[:nLiterals]...), w.lengths[literals:literals+nDistances]...)

	// Runs: 16 repeats the last 3 to 6 times, 17 and 18 give 3 to 10 and 11 to 138 zeros.
	// What is repeated is above 5 bits.
	w.described = w.described[:0]
	var counts [codeCodes]uint32
	add := func(symbol, extra int) {
		w.described = append(w.described, uint16(symbol|extra<<5))
		counts[symbol]++
	}
	for i := 0; i < len(all); {
		v, n := all[i], 1
		for i+n < len(all) && all[i+n] == v {
			n++
		}
		i += n
		if v != 0 {
			add(int(v), 0)
			n--
			for ; n >= 3; n -= min(n, 6) {
				add(16, min(n, 6)-3)
			}
		} else {
			for ; n >= 11; n -= min(n, 138) {
				add(18, min(n, 138)-11)
			}
			if n >= 3 {
				add(17, n-3)
				n = 0
			}
		}
		for ; n > 0; n-- {
			add(int(v), 0)
		}
	}
	var lengths [codeCodes]uint8
	var codes [codeCodes]uint16
	w.huffman.lengths(lengths[:], counts[:], 7)
	canonical(codes[:], lengths[:])
	n := codeCodes
	for n > 4 && lengths[codeOrder[n-1]] == 0 {
		n--
	}
	w.put(uint64(nLiterals-257)|uint64(nDistances-1)<<5|uint64(n-4)<<10, 14)
	for _, s := range codeOrder[:n] {
		w.put(uint64(lengths[s]), 3)
	}
	for _, d := range w.described {
		s := d & 31
		w.put(uint64(codes[s])|uint64(d>>5)<<lengths[s], uint(lengths[s]+codeExtra[s]))
	}
}
