package deflate

import "math/bits"

// tokens are literals and matches: from bit 16 on 9 bits of the literal, or of the length less
// 3 and 256. Below it is the distance less 1, above it the symbol of the distance, or none.
type tokens struct {
	list []uint32 // never longer than it is made
	n    int

	literals  [literals]uint32 // how often each symbol occurs, once counted
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

const (
	literals  = 286 // and lengths
	distances = 30

	// blockTokens is how many tokens a block has at most. That is enough for its codes to
	// be worth their room, and few enough to stay in the processor's cache.
	blockTokens = 12 << 10
)

// lengthSymbols has the symbol of each length less 3, less 257. The least length less 3 of
// each symbol is in lengthBases, the least distance less 1 in distanceBases. With each is
// its number of extra bits (RFC 1951 §3.2.5).
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

// distanceSymbol is the symbol of a distance less 1.
func distanceSymbol(d uint32) uint32 {
	if d < 2 {
		return d
	}
	n := uint32(bits.Len32(d)) - 2
	return 2*n + d>>(n&31)
}
