package encoding

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Undoubled is a text that was held whole and read back: see [Undouble].
type Undoubled struct {
	Text  string
	moves []move
}

// move is a character that was there as several: where it was, and where its end is now.
type move struct{ from, until, to int }

// Undouble reads a text back in which each character outside ASCII is there as several, as the reader does with
// Options.Undouble. It is for a text that is held whole; see [IsDouble].
func Undouble(text string) *Undoubled {
	u := &Undoubled{}
	shrunk := 0
	out, _ := appendUndoubled(make([]byte, 0, len(text)), []byte(text), true, func(at, size int, meant rune) {
		shrunk += size - utf8.RuneLen(meant)
		u.moves = append(u.moves, move{at, at + size, at + size - shrunk})
	})
	u.Text = string(out)
	return u
}

// Offset is where an offset in the text that was read back is in Text. One within a character that was there as
// several is its end.
func (u *Undoubled) Offset(offset int) int {
	low, high := 0, len(u.moves) // the moves that begin before offset
	for low < high {
		if half := (low + high) / 2; u.moves[half].from < offset {
			low = half + 1
		} else {
			high = half
		}
	}
	if low == 0 {
		return offset
	}
	last := u.moves[low-1]
	return last.to + max(0, offset-last.until)
}

// IsDouble says that a text that is held whole should be read back: nearly all of its characters outside ASCII are
// there as several. A short text with only one or two of them is asked for more: there must be no other, and none
// that good text may have, such as ã before a no-break space.
func IsDouble(text []byte) bool {
	if firstHigh(text) == len(text) {
		return false
	}
	found := Doubled{}
	found.count(text, true)
	several := found.doubled + found.lowered
	if found.lowered > found.doubled && hasCapital(text) {
		return false // the letters after the first of the several would be small, too
	}
	return found.Whole() || several > 0 && several < doubledLeast && found.sound == 0 && isSurelyDouble(text)
}

// wordSigns are continuation bytes, read as Latin-1 or windows-1252, that may follow a letter in good text.
const wordSigns = "\u00a0ª²³´·¹º°®…’”“šœžŠŒŽŸÿƒ"

// isSurelyDouble says that one of the several characters is none that may follow a letter in good text. A
// guillemet may, but not where another letter follows it.
func isSurelyDouble(text []byte) (sure bool) {
	appendUndoubled(nil, text, true, func(at, size int, _ rune) {
		_, first := utf8.DecodeRune(text[at:])
		second, length := utf8.DecodeRune(text[at+first:])
		next, _ := utf8.DecodeRune(text[at+size:])
		switch {
		case first+length < size:
			sure = true
		case second == '«' || second == '»':
			sure = sure || unicode.IsLetter(next)
		default:
			sure = sure || !strings.ContainsRune(wordSigns, second)
		}
	})
	return sure
}

// hasCapital says that a text has a capital letter of ASCII. The mark of a line end in f5 is none.
func hasCapital(text []byte) bool {
	for {
		i := bytes.IndexFunc(text, func(r rune) bool { return 'A' <= r && r <= 'Z' })
		if i < 0 {
			return false
		}
		if i == 0 || !bytes.HasPrefix(text[i-1:], []byte("*NL*")) {
			return true
		}
		text = text[i+3:]
	}
}
