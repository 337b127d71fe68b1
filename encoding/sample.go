package encoding

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
	"unicode/utf8"
)

// sample collects the words of a document that have bytes ≥ 0x80, and apart those
// of them that are not UTF-8. Each has the byte before and the byte after it, too.
type sample struct {
	words, strays collection
	rare          collection // a word for each byte ≥ 0x80, the first that has it
	has           [256]bool  // the bytes that rare has

	// recent are hashes of words that were looked at, each at the place that its first bits show.
	recent [1 << 12]uint64

	before byte   // the byte that the next word begins after
	held   []byte // of a word that the next piece goes on with, its byte before first
	skips  bool   // the word went past maxWord; wait for its end
}

// collection keeps words, each once, from the whole of a document: those whose hash is
// small. When it is full, it halves what is small, and lets go of the others.
type collection struct {
	words []kept
	size  int
	seen  map[string]bool
	least uint64 // hashes from here on are too large; 0: none is
}

// kept is a word as it is in a text.
type kept struct {
	hash uint64
	text []byte
}

const (
	maxSample    = 16 << 10
	maxWord      = 256
	maxNeighbour = 24
	maxSeen      = 4 << 10
)

// isWord recognises the bytes that a word is made of. Bytes from 0x40 and digits are the
// second halves of characters in encodings of eastern Asia, so these can't end one.
var isWord = func() (t [256]bool) {
	for b := range t {
		t[b] = b >= 0x40 && b != 0x7F || '0' <= b && b <= '9'
	}
	return t
}()

// write takes the next piece of a document.
func (s *sample) write(p []byte) {
	if len(s.held) > 0 || s.skips {
		end := wordEnd(p, 0)
		if !s.skips {
			s.hold(p[:end])
		}
		if end == len(p) {
			return
		}
		if len(s.held) > 0 {
			s.takeHeld(p[end])
		}
		s.held, s.skips = s.held[:0], false
		s.before, p = p[end], p[end+1:]
	}
	if len(p) == 0 {
		return
	}
	for i := 0; i < len(p); {
		at := i + firstHigh(p[i:])
		begin := at
		for begin > i && isWord[p[begin-1]] {
			begin--
		}
		if begin == len(p) {
			break
		}
		end := wordEnd(p, at)
		if begin > 0 && end < len(p) && end-begin <= maxWord {
			s.take(p, begin-1, end+1)
			i = end + 1
			continue
		}
		before := s.before
		if begin > 0 {
			before = p[begin-1]
		}
		s.held = append(s.held[:0], before)
		s.hold(p[begin:end])
		if end == len(p) { // it goes on in the next piece, perhaps
			return
		}
		if len(s.held) > 0 {
			s.takeHeld(p[end])
		}
		s.held, s.skips = s.held[:0], false
		i = end + 1
	}
	s.before = p[len(p)-1]
}

// hold takes more of a word. One that is too long is cut, and its rest skipped.
func (s *sample) hold(p []byte) {
	s.held = append(s.held, p[:min(len(p), maxWord+2)]...)
	if len(s.held) > maxWord+1 {
		s.held = s.held[:maxWord+1]
		s.takeHeld(' ')
		s.held, s.skips = s.held[:0], true
	}
}

// close takes the word at the end of the document.
func (s *sample) close() {
	if len(s.held) > 0 {
		s.takeHeld(' ')
		s.held = s.held[:0]
	}
	s.words.join(&s.rare)
}

func wordEnd(p []byte, i int) int {
	for i < len(p) && isWord[p[i]] {
		i++
	}
	return i
}

// firstHigh is where the first byte ≥ 0x80 is; len(p) if there is none.
func firstHigh(p []byte) int {
	const high = 0x8080808080808080
	i := 0
	for ; i+32 <= len(p) && isASCII32(p[i:]); i += 32 {
	}
	for ; i+8 <= len(p); i += 8 {
		if word := binary.LittleEndian.Uint64(p[i:]) & high; word != 0 {
			return i + bits.TrailingZeros64(word)/8
		}
	}
	for i < len(p) && p[i] < utf8.RuneSelf {
		i++
	}
	return i
}

// isASCII32 says that the first 32 bytes, which must be there, are ASCII.
func isASCII32(p []byte) bool {
	q := p[:32:32]
	return (binary.LittleEndian.Uint64(q)|binary.LittleEndian.Uint64(q[8:])|binary.LittleEndian.Uint64(q[16:])|binary.LittleEndian.Uint64(
		q[24:]))&0x8080808080808080 == 0
}

// takeHeld takes the word that is held, with the byte after it.
func (s *sample) takeHeld(behind byte) {
	s.held = append(s.held, behind)
	s.take(s.held, 0, len(s.held))
}

// take takes the word in p[begin:end], which begins and ends with the byte around it, if
// it has a byte ≥ 0x80. What is around that in p may show its language.
func (s *sample) take(p []byte, begin, end int) {
	word := p[begin:end]
	if firstHigh(word[1:]) >= len(word)-2 {
		return
	}
	h := hashOf(word)
	recent := &s.recent[h>>52]
	if *recent == h {
		return
	}
	*recent = h
	for _, b := range word {
		if b >= 0x80 && !s.has[b] {
			s.has[b] = true
			s.rare.add(word, 0, word)
		}
	}
	if s.words.wants(h) {
		s.words.add(word, h, withNeighbours(p, begin, end))
	}
	if s.strays.wants(h) && !utf8.Valid(word) {
		s.strays.add(word, h, word)
	}
}

// withNeighbours is a word with the one before it and the one after it in the same
// text, where these are of letters of ASCII.
func withNeighbours(p []byte, begin, end int) []byte {
	isLetter := func(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' }
	if p[begin] == ' ' {
		at := begin
		for at > 0 && begin-at < maxNeighbour && isLetter(p[at-1]) {
			at--
		}
		if at > 0 && begin-at > 1 && !isWord[p[at-1]] {
			begin = at - 1
		}
	}
	if p[end-1] == ' ' {
		at := end
		for at < len(p) && at-end < maxNeighbour && isLetter(p[at]) {
			at++
		}
		if at < len(p) && at-end > 1 && !isWord[p[at]] {
			end = at + 1
		}
	}
	return p[begin:end]
}

// hashOf is the same for the same word, and spread evenly.
func hashOf(word []byte) uint64 {
	h := uint64(len(word))
	for ; len(word) >= 8; word = word[8:] {
		h = mix(h ^ binary.LittleEndian.Uint64(word))
	}
	var rest uint64
	for i, b := range word {
		rest |= uint64(b) << (8 * i)
	}
	return mix(h^rest) | 1
}

func mix(h uint64) uint64 {
	high, low := bits.Mul64(h^0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93)
	return high ^ low
}

// wants says that words of this hash are kept.
func (c *collection) wants(hash uint64) bool { return c.least == 0 || hash <= c.least }

// add keeps a word as it is in a text, unless it is known.
func (c *collection) add(word []byte, hash uint64, text []byte) {
	if c.seen == nil {
		c.seen, c.least = map[string]bool{}, math.MaxUint64
	}
	if c.seen[string(word)] {
		return
	}
	c.seen[string(word)] = true
	c.words = append(c.words, kept{hash, slices.Clone(text)})
	c.size += len(text)
	for c.size > maxSample {
		c.least /= 2
		few := c.words[:0]
		c.size = 0
		for _, w := range c.words {
			if w.hash <= c.least {
				few = append(few, w)
				c.size += len(w.text)
			}
		}
		clear(c.words[len(few):])
		c.words = few
	}
	if len(c.seen) > maxSeen {
		clear(c.seen) // at worst, some words are kept twice
	}
}

// texts are the words kept.
func (c *collection) texts() [][]byte {
	all := make([][]byte, len(c.words))
	for i, w := range c.words {
		all[i] = w.text
	}
	return all
}

// join adds the words of another collection, however many there are.
func (c *collection) join(other *collection) {
	for _, w := range other.words {
		if !c.seen[string(w.text)] {
			c.words = append(c.words, w)
		}
	}
}
