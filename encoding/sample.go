package encoding

import "unicode/utf8"

// sample collects the words of a document that have bytes ≥ 0x80, and apart those
// of them that are not UTF-8.
type sample struct {
	words, strays collection

	word    []byte
	high    bool // the word has a byte ≥ 0x80
	skipped bool // the word went past maxWord; wait for its end
}

// collection keeps words, each once, from the whole of a document: when it is full,
// it lets go of every second word and takes only half as many from then on.
type collection struct {
	words [][]byte
	size  int
	seen  map[string]bool
	every int // takes one new word in so many
	count int
}

const (
	maxSample = 16 << 10
	maxWord   = 256
)

// inWord tells the bytes that a word is made of. Bytes from 0x40 and digits are the
// second halves of characters in encodings of eastern Asia, so these can't end one.
func inWord(b byte) bool { return b >= 0x40 && b != 0x7F || '0' <= b && b <= '9' }

func (s *sample) write(p []byte) {
	for _, b := range p {
		switch {
		case !inWord(b):
			if len(s.word) > 0 {
				s.take()
			}
			s.skipped = false
		case s.skipped:
		default:
			s.word = append(s.word, b)
			s.high = s.high || b >= 0x80
			if len(s.word) == maxWord {
				s.take()
				s.skipped = true
			}
		}
	}
}

func (s *sample) close() { s.take() }

func (s *sample) take() {
	word, high := s.word, s.high
	s.word, s.high = s.word[:0], false
	if !high || s.words.seen[string(word)] {
		return
	}
	s.words.add(word)
	if !utf8.Valid(word) && !s.strays.seen[string(word)] {
		s.strays.add(word)
	}
}

// add offers a word that is not in the collection.
func (c *collection) add(word []byte) {
	if c.seen == nil {
		c.seen, c.every = map[string]bool{}, 1
	}
	c.count++
	if c.count%c.every != 0 {
		return
	}
	kept := string(word)
	c.seen[kept] = true
	c.words = append(c.words, []byte(kept))
	c.size += len(kept)
	if c.size <= maxSample {
		return
	}
	c.every *= 2
	half := c.words[:0]
	c.size = 0
	clear(c.seen)
	for i, w := range c.words {
		if i%2 == 1 {
			half = append(half, w)
			c.size += len(w)
			c.seen[string(w)] = true
		}
	}
	clear(c.words[len(half):])
	c.words = half
}
