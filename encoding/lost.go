package encoding

import (
	"bytes"
	"fmt"
	"math/bits"
	"slices"

	"laundromat/internal/fault"
)

// Lost counts the question marks in place of letters in a text that is written to it. They
// are within a word (M?nchen), or all of it (??????). A program wrote such a text in an
// encoding that lacks the letters. Its zero value is ready. It holds some hundred bytes.
type Lost struct {
	within  int64    // question marks between the letters of a word
	words   []uint64 // hashes of the first few such words, each once
	runs    int64    // question marks in words of nothing else
	lengths uint64   // a bit for each length that these words have

	held    []byte // the end of the last piece
	settled int    // how much of held has been looked at
}

const (
	// lostLeast is how many different words must have lost letters, and how many different
	// lengths words of question marks must have. A ??? alone is somebody's mark for what is
	// not known.
	lostLeast = 3
	// lostShare is the share of the letters outside ASCII that must be lost: where others
	// came through, question marks are most likely what they seem.
	lostShare = 0.5
	// maxLost is how long a word may be, in bytes.
	maxLost = 64
	// lostPart is how much is looked at, and held, at a time.
	lostPart = 4 << 10
)

// Write counts; it never fails.
func (l *Lost) Write(p []byte) (int, error) {
	for part := range slices.Chunk(p, lostPart) {
		l.write(part)
	}
	return len(p), nil
}

// write counts a part of what is written.
func (l *Lost) write(p []byte) {
	if len(p) > maxLost && bytes.IndexByte(p, '?') < 0 && l.settled == len(l.held) {
		l.keep(p, len(p))
		return
	}
	l.held = append(l.held, p...)
	l.keep(l.held, l.count(l.held, l.settled, false))
}

// keep holds the end of p, of which the first done bytes have been looked at, with what
// a word there may begin with.
func (l *Lost) keep(p []byte, done int) {
	from := max(0, done-maxLost-1)
	l.held = append(l.held[:0], p[from:]...)
	l.settled = done - from
}

// Close counts the end of the text.
func (l *Lost) Close() error {
	l.count(l.held, l.settled, true)
	l.held, l.settled = nil, 0
	return nil
}

// count counts in p from the byte at on, and returns how much of it is looked at.
func (l *Lost) count(p []byte, at int, atEOF bool) int {
	for {
		i := bytes.IndexByte(p[at:], '?')
		if i < 0 {
			return len(p)
		}
		at += i
		begin, end := at, at+1
		for begin > 0 && at-begin <= maxLost && isLetterOrLost(p[begin-1]) {
			begin--
		}
		for end < len(p) && end-at <= maxLost && isLetterOrLost(p[end]) {
			end++
		}
		if end == len(p) && !atEOF && end-at <= maxLost {
			return at
		}
		if at-begin <= maxLost && end-at <= maxLost && (begin == 0 || opens[p[begin-1]]) && (end == len(p) || closes[p[end]]) {
			l.word(p[begin:end])
		}
		at = end
	}
}

// word counts a word with question marks.
func (l *Lost) word(word []byte) {
	if n := bytes.Count(word, []byte("?")); n == len(word) {
		if n > 1 {
			l.runs += int64(n)
			l.lengths |= 1 << min(n, 63)
		}
		return
	}
	word = bytes.Trim(word, "?") // those at an end may ask
	if len(word) < 4 {
		return
	}
	within := int64(0)
	for i, b := range word {
		switch {
		// ???, or a sentence after another
		case b == '?' && i > 1 && word[i-1] == '?' && word[i-2] == '?', 'A' <= b && b <= 'Z' && i > 0:
			return
		case b == '?':
			within++
		}
	}
	if within == 0 {
		return
	}
	l.within += within
	if h := hashOf(word); len(l.words) < lostLeast && !slices.Contains(l.words, h) {
		l.words = append(l.words, h)
	}
}

// Notices report a text of which most letters outside ASCII are lost. outside is how many
// characters outside ASCII it has.
func (l *Lost) Notices(outside int64) []fault.Notice {
	lost := int64(0)
	if len(l.words) >= lostLeast {
		lost += l.within
	}
	if bits.OnesCount64(l.lengths) >= lostLeast {
		lost += l.runs
	}
	if all := lost + outside; lost > 0 && float64(lost) >= lostShare*float64(all) {
		return []fault.Notice{warning(fault.EncodingLost,
			fmt.Sprintf("%.0f %% of the letters outside ASCII (%d of %d) are lost: question marks are in their place",
				100*float64(lost)/float64(all), lost, all))}
	}
	return nil
}

// isLetterOrLost recognises the bytes of a word; those of a character outside ASCII are some.
func isLetterOrLost(b byte) bool { return b == '?' || isSmallLetter(b|0x20) || b >= 0x80 }

func isSmallLetter(b byte) bool { return 'a' <= b && b <= 'z' }

// opens and closes say what may come before and after a word of a text. Such a word is no
// part of an address, a path, a variable or a pattern.
var opens, closes = setOf(" \t\r\n\"'>([,;"), setOf(" \t\r\n\"'<)],;:.!")

func setOf(bytes string) (set [256]bool) {
	for i := range len(bytes) {
		set[bytes[i]] = true
	}
	return set
}
