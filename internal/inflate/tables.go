package inflate

import (
	"math/bits"
	"sync"
)

// tables are the codes for what a block holds.
type tables struct {
	lit  litTable
	dist distTable
	is64 bool // they are those of Deflate64
}

const (
	maxLit    = 286 // symbols for literals and lengths that may occur (§3.2.6)
	maxDist   = 30
	maxDist64 = 32
	maxBits   = 15 // of a code (§3.2.7)
	codeBits  = 7  // of a code for code lengths
	litBits   = 11 // that a first look takes; longer codes need a second one
	distBits  = 9
)

// litTable gives for the next bits of the input, first bit lowest, the literal,
// the length or the end that their first code stands for.
type litTable struct {
	least uint // bits that every block has left wherever a code begins
	// entries are first those for litBits bits, then those that second looks go to: at
	// most 2342 for codes of 288 symbols.
	entries [4096]litEntry
}

// litEntry is what one sequence of bits means. In bits 0 to 5 it has how many of them it takes,
// with those that follow the code. In bits 8 to 12 it has those of the code alone, and from 16
// on the literal or the length. Bits that follow the code are in the length already, where both
// fit in litBits.
type litEntry uint32

const (
	litByte litEntry = 1 << 31 // a literal
	litRare litEntry = 1 << 15 // one of those below
	// the entry has to be looked up from the value on, by as many bits as stand for the code's
	litSecond  litEntry = 1 << 14
	litEnd     litEntry = 1 << 13 // the end of the block
	litWide    litEntry = 1 << 7  // the bits after the code are to be added
	litInvalid litEntry = 1 << 6  // no code, or one that stands for nothing
)

func (e litEntry) allBits() uint  { return uint(e & 63) }
func (e litEntry) codeBits() uint { return uint(e >> 8 & 31) }
func (e litEntry) value() uint    { return uint(e >> 16 & 0x7FFF) }

// at looks up the entry for the next bits.
func (t *litTable) at(hold uint64) litEntry {
	e := t.entries[hold&(1<<litBits-1)]
	if e&litSecond != 0 {
		e = t.entries[(e.value()+uint(hold>>litBits)&(1<<e.codeBits()-1))&4095]
	}
	return e
}

// distTable gives for the next bits the distance that they stand for.
type distTable struct {
	least   uint
	entries [1024]distEntry
}

// distEntry is what one sequence of bits means. In bits 0 to 5 it has how many of them it
// takes, and in 8 to 12 those of the code alone. Bits 16 to 31 are a mask for the others.
// From 32 on it has the distance to which they are added.
type distEntry uint64

const (
	distSecond distEntry = 1 << 7 // as litSecond
	// noDistance is one that is beyond any window.
	noDistance distEntry = 1 << 24 << 32
)

func (e distEntry) allBits() uint  { return uint(e & 63) }
func (e distEntry) codeBits() uint { return uint(e >> 8 & 31) }
func (e distEntry) base() uint     { return uint(e >> 32) }

// distance is the one that bits stand for.
func (e distEntry) distance(hold uint64) uint {
	return e.base() + uint(hold>>(e>>8&31))&uint(e>>16&0xFFFF)
}

func (t *distTable) at(hold uint64) distEntry {
	e := t.entries[hold&(1<<distBits-1)]
	if e&distSecond != 0 {
		e = t.entries[(e.base()+uint(hold>>distBits)&(1<<e.codeBits()-1))&1023]
	}
	return e
}

// codeTable gives the symbols of the code for code lengths. Bits 0 to 2 of an entry are the
// number of bits of the code, those above the symbol; 0 is no code.
type codeTable struct {
	least   uint
	entries [1 << codeBits]uint8
}

// canon is what code lengths say of a code (§3.2.2).
type canon struct {
	count [maxBits + 1]uint16 // codes of each length
	next  [maxBits + 1]uint16 // the next code of each length
	least uint                // the shortest length; 0: there is no code
	most  uint
}

// read says whether the lengths make a code that compress/flate takes. Every sequence of
// bits belongs to such a code, or it is a single code of one bit, or it has none.
func (c *canon) read(lengths []uint8) bool {
	for _, n := range lengths {
		c.count[n&15]++
	}
	c.count[0] = 0
	code, full := 0, true
	for n, count := range c.count {
		code <<= 1
		c.next[n] = uint16(code)
		if count == 0 {
			continue
		}
		if c.least == 0 {
			c.least = uint(n)
		}
		c.most = uint(n)
		code += int(count)
		full = code == 1<<n || code == 1 && n == 1
	}
	return full
}

// take returns the next code of n bits, its first bit lowest.
func (c *canon) take(n uint8) uint {
	code := c.next[n&15]
	c.next[n&15]++
	return uint(bits.Reverse16(code) >> (16 - n&15) & 0x7FFF)
}

// build makes the table from the code lengths of the symbols from 0 on.
func (t *codeTable) build(lengths []uint8) bool {
	var c canon
	if !c.read(lengths) {
		return false
	}
	t.least = c.least
	clear(t.entries[:])
	for symbol, n := range lengths {
		if n == 0 {
			continue
		}
		for at := c.take(n); at < uint(len(t.entries)); at += 1 << n {
			t.entries[at] = uint8(symbol)<<3 | n
		}
	}
	return true
}

// litSymbols are what the symbols for literals and lengths mean (§3.2.5), without bits.
var litSymbols = func() (s [288]litEntry) {
	for i := range 256 {
		s[i] = litByte | litEntry(i)<<16
	}
	s[256] = litRare | litEnd
	length := 3
	for i := range 29 {
		s[257+i] = litEntry(length) << 16
		length += 1 << litExtra[257+i]
	}
	s[285] = 258 << 16
	s[286], s[287] = litRare|litInvalid, litRare|litInvalid
	return s
}()

// litLong is the symbol of Deflate64 for a copy whose length less 3 is in 16 bits. For the quick way
// it is none, so that only the careful one meets it.
const litLong = litRare | litInvalid | 1<<16

// litExtra is how many bits follow the code of a symbol.
var litExtra = func() (s [288]uint8) {
	for i := range 20 {
		s[265+i] = uint8(1 + i/4)
	}
	return s
}()

// distSymbols are what the symbols for distances mean, without bits but with the mask.
var distSymbols = func() (s [32]distEntry) {
	distance := 1
	for i := range maxDist {
		s[i] = distEntry(distance)<<32 | distEntry(1<<distExtra(i)-1)<<16
		distance += 1 << distExtra(i)
	}
	s[30], s[31] = noDistance, noDistance
	return s
}()

// distSymbols64 are those of Deflate64, which has two more.
var distSymbols64 = func() (s [32]distEntry) {
	s = distSymbols
	for i := maxDist; i < maxDist64; i++ {
		s[i] = distEntry(1+(2+i&1)<<14)<<32 | (1<<14-1)<<16
	}
	return s
}()

func distExtra(symbol int) uint {
	if symbol < 4 {
		return 0
	}
	return uint(symbol/2 - 1)
}

// sorted is symbols in the order of the bits that they take of a table. Those with more than the table has are
// in the order of their codes.
type sorted struct {
	symbols [288]uint16
	from    [maxBits + 2]uint16 // where those with so many bits begin
}

func (s *sorted) sort(taken []uint8) {
	var count [maxBits + 1]uint16
	for _, n := range taken {
		count[n&15]++
	}
	at := uint16(0)
	for n := 1; n <= maxBits; n++ {
		s.from[n] = at
		at += count[n]
	}
	s.from[maxBits+1] = at
	next := s.from
	for symbol, n := range taken {
		if n != 0 {
			s.symbols[next[n&15]] = uint16(symbol)
			next[n&15]++
		}
	}
}

// build makes the table from the code lengths of the symbols from 0 on.
func (t *litTable) build(lengths []uint8, is64 bool) bool {
	var c canon
	if !c.read(lengths) {
		return false
	}
	t.least = max(c.least, uint(lengths[256]))
	var taken [288]uint8
	var codes [288]uint16
	for symbol, n := range lengths {
		if n == 0 {
			continue
		}
		codes[symbol] = uint16(c.take(n))
		if all := n + litExtra[symbol]; all <= litBits {
			n = all
		}
		taken[symbol] = n
	}
	var s sorted
	s.sort(taken[:len(lengths)])
	// The table for n bits is twice that for n-1 bits, and then the codes of n bits.
	t.entries[0] = litRare | litInvalid
	for n := 1; n <= litBits; n++ {
		half := 1 << (n - 1)
		copy(t.entries[half:2*half], t.entries[:half])
		for _, symbol := range s.symbols[s.from[n]:s.from[n+1]] {
			code, bits, extra := uint(codes[symbol]), lengths[symbol], litExtra[symbol]
			e := litSymbols[symbol] | litEntry(bits)<<8 | litEntry(bits+extra)
			if is64 && symbol == 285 {
				e = litLong | litEntry(bits)<<8 | litEntry(bits)
			}
			if int(bits) == n {
				if extra > 0 {
					e |= litRare | litWide
				}
				t.entries[code] = e
				continue
			}
			for more := range uint(1) << extra {
				t.entries[code|more<<bits] = e + litEntry(more)<<16
			}
		}
	}
	second := newSecond(&c, litBits)
	for _, symbol := range s.symbols[s.from[litBits+1]:s.from[maxBits+1]] {
		code, bits, extra := uint(codes[symbol]), uint(lengths[symbol]), uint(litExtra[symbol])
		if second.begins(code, bits) {
			t.entries[second.prefix] = litRare | litSecond | litEntry(second.at)<<16 | litEntry(second.bits)<<8
		}
		e := litSymbols[symbol] | litEntry(bits)<<8 | litEntry(bits+extra)
		if is64 && symbol == 285 {
			e = litLong | litEntry(bits)<<8 | litEntry(bits)
		}
		if extra > 0 {
			e |= litRare | litWide
		}
		for at := code >> litBits; at < 1<<second.bits; at += 1 << (bits - litBits) {
			t.entries[(second.at+at)&4095] = e
		}
	}
	return true
}

// build makes the table from the code lengths of the symbols from 0 on.
func (t *distTable) build(lengths []uint8, is64 bool) bool {
	symbols := &distSymbols
	if is64 {
		symbols = &distSymbols64
	}
	var c canon
	if !c.read(lengths) {
		return false
	}
	t.least = c.least
	var s sorted
	s.sort(lengths)
	t.entries[0] = noDistance
	for n := uint(1); n <= distBits; n++ {
		half := 1 << (n - 1)
		copy(t.entries[half:2*half], t.entries[:half])
		for _, symbol := range s.symbols[s.from[n]:s.from[n+1]] {
			t.entries[c.take(uint8(n))] = symbols[symbol] | distEntry(n)<<8 | distEntry(n+distExtra(int(symbol)))
		}
	}
	second := newSecond(&c, distBits)
	for _, symbol := range s.symbols[s.from[distBits+1]:s.from[maxBits+1]] {
		n := uint(lengths[symbol])
		code := c.take(uint8(n))
		if second.begins(code, n) {
			t.entries[second.prefix] = distSecond | distEntry(second.at)<<32 | distEntry(second.bits)<<8
		}
		e := symbols[symbol] | distEntry(n)<<8 | distEntry(n+distExtra(int(symbol)))
		for at := code >> distBits; at < 1<<second.bits; at += 1 << (n - distBits) {
			t.entries[(second.at+at)&1023] = e
		}
	}
	return true
}

// second is where the second looks go of codes with one beginning.
type second struct {
	first  uint // bits of the first look
	prefix uint // what all codes begin with
	at     uint // where their entries begin
	bits   uint // that the second look takes
	next   uint // the first free place for entries
	most   uint // bits of the longest code
	left   [maxBits + 1]uint16
}

func newSecond(c *canon, first uint) second {
	return second{first: first, prefix: 1 << first, next: 1 << first, most: c.most, left: c.count}
}

// begins says whether a code of n bits is the first with its beginning. Codes are to come
// in their order.
func (s *second) begins(code, n uint) bool {
	prefix := code & (1<<s.first - 1)
	fresh := prefix != s.prefix
	if fresh {
		s.prefix, s.at, s.bits = prefix, s.next, n-s.first
		// As many bits as it takes for the codes that are left to fill them.
		for free := 1<<s.bits - int(s.left[n]); free > 0 && s.first+s.bits < s.most; {
			s.bits++
			free = free<<1 - int(s.left[s.first+s.bits])
		}
		s.next += 1 << s.bits
	}
	s.left[n]--
	return fresh
}

// fix makes the tables those of the fixed codes (§3.2.6).
func (t *tables) fix() {
	fixed := fixedTables()
	if t.is64 {
		fixed = fixedTables64()
	}
	t.lit.least, t.dist.least = fixed.lit.least, fixed.dist.least
	copy(t.lit.entries[:1<<litBits], fixed.lit.entries[:]) // no code is longer
	copy(t.dist.entries[:1<<distBits], fixed.dist.entries[:])
}

var (
	fixedTables   = sync.OnceValue(func() *tables { return newFixedTables(false) })
	fixedTables64 = sync.OnceValue(func() *tables { return newFixedTables(true) })
)

func newFixedTables(is64 bool) *tables {
	var lit [288]uint8
	for i := range lit {
		switch {
		case i < 144 || i >= 280:
			lit[i] = 8
		case i < 256:
			lit[i] = 9
		default:
			lit[i] = 7
		}
	}
	var dist [32]uint8
	for i := range dist {
		dist[i] = 5
	}
	t := new(tables)
	t.lit.build(lit[:], is64)
	t.dist.build(dist[:], is64)
	return t
}
