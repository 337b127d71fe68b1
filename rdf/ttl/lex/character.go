package lex

import (
	"encoding/binary"
	"math/bits"
	"strings"
	"unicode/utf8"

	"laundromat/rdf"
)

// Classes of the bytes of ASCII, as bits. Bytes from 0x80 on have none but inIRI and
// inString: the character they begin is looked at where it matters.
const (
	InIRI      uint8 = 1 << iota // may be in an IRIREF as it is
	NameInside                   // PN_CHARS: also digits, -
	Letter                       // PN_CHARS_BASE: begins a prefix or a word
	inString                     // means itself in a short "string" or 'string': neither quote, \, CR nor LF
	Digit
	Space // blank, tab
	White // also CR, LF
)

// Class has the classes of each byte.
var Class = func() (t [256]uint8) {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	for classes, bytes := range map[uint8]string{
		NameInside | Letter: letters, NameInside | Digit: "0123456789", NameInside: "_-", Space | White: " \t", White: "\n\r",
	} {
		for _, c := range []byte(bytes) {
			t[c] = classes
		}
	}
	for b := range t {
		if c := byte(b); c > ' ' && strings.IndexByte("<>\"{}|^`\\", c) < 0 {
			t[b] |= InIRI
		}
		if strings.IndexByte("\"'\\\n\r", byte(b)) < 0 {
			t[b] |= inString
		}
	}
	return t
}()

// What a line is read by: the kinds of bytes (rdf.Bytes), and where terms end.
const (
	EndsIRI    = 1 << 6 // is in no IRI
	EndsQuoted = 1 << 7 // does not mean itself in a string
)

var seenAs = func() (t [256]uint8) {
	for b := range t {
		t[b] = uint8(rdf.BytesOf([]byte{byte(b)}))
		if Class[b]&InIRI == 0 {
			t[b] |= EndsIRI
		}
		if Class[b]&inString == 0 && b != '\'' {
			t[b] |= EndsQuoted
		}
	}
	return t
}()

// SeeUntil returns the index, from i on, of the first byte of b that ends what is read (EndsIRI,
// EndsQuoted). If there is none, that is len(b). seen are the kinds of bytes before it.
func SeeUntil(b []byte, i int, ends uint8) (end int, seen uint8) {
	seen = uint8(rdf.BytesSeen)
	for ; i+4 <= len(b); i += 4 { // four at once, since most terms are many times as long
		q := b[i : i+4 : i+4]
		c := seenAs[q[0]] | seenAs[q[1]] | seenAs[q[2]] | seenAs[q[3]]
		if c&ends != 0 {
			break
		}
		seen |= c
	}
	for i < len(b) {
		c := seenAs[b[i]]
		if c&ends != 0 {
			break
		}
		seen |= c
		i++
	}
	return i, seen
}

// Continuations counts the bytes of b that are not the first of a character.
func Continuations(b []byte) (n int64) {
	for ; len(b) >= 8; b = b[8:] {
		word := binary.LittleEndian.Uint64(b) // of each byte, the high bit is set and the next is not
		n += int64(bits.OnesCount64(word & (^word << 1) & 0x8080808080808080))
	}
	for _, c := range b {
		if c&0xC0 == 0x80 {
			n++
		}
	}
	return n
}

// baseRanges are the characters of PN_CHARS_BASE outside ASCII.
var baseRanges = [...][2]rune{
	{0xC0, 0xD6}, {0xD8, 0xF6}, {0xF8, 0x2FF}, {0x370, 0x37D}, {0x37F, 0x1FFF},
	{0x200C, 0x200D}, {0x2070, 0x218F}, {0x2C00, 0x2FEF}, {0x3001, 0xD7FF},
	{0xF900, 0xFDCF}, {0xFDF0, 0xFFFD}, {0x10000, 0xEFFFF},
}

// wideName looks at a character outside ASCII: its length in bytes, and whether it may begin a name
// and be within one. A byte that is not UTF-8 may do both. It is most likely a letter in another
// encoding, and who gets the term knows what to make of it.
func wideName(b []byte) (size int, start, inside bool) {
	r, size := utf8.DecodeRune(b)
	if r == utf8.RuneError && size <= 1 {
		return 1, true, true
	}
	for _, x := range baseRanges {
		if x[0] <= r && r <= x[1] {
			return size, true, true
		}
	}
	return size, false, r == 0xB7 || 0x300 <= r && r <= 0x36F || r == 0x203F || r == 0x2040
}
