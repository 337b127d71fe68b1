package encoding

// sample collects words that have bytes ≥ 0x80, each once, from the whole of a
// document: when it is full, it lets go of every second word and takes only half
// as many from then on.
type sample struct {
	words [][]byte
	size  int
	seen  map[string]bool
	every int // takes one new word in so many
	count int

	word    []byte
	high    bool // the word has a byte ≥ 0x80
	skipped bool // the word went past maxWord; wait for its end
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
	if !high || s.seen[string(word)] {
		return
	}
	s.count++
	if s.count%s.every != 0 {
		return
	}
	kept := string(word)
	s.seen[kept] = true
	s.words = append(s.words, []byte(kept))
	s.size += len(kept)
	if s.size <= maxSample {
		return
	}
	s.every *= 2
	half := s.words[:0]
	s.size = 0
	clear(s.seen)
	for i, w := range s.words {
		if i%2 == 1 {
			half = append(half, w)
			s.size += len(w)
			s.seen[string(w)] = true
		}
	}
	clear(s.words[len(half):])
	s.words = half
}
