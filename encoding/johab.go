package encoding

import (
	"slices"
	"sync"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/korean"
)

// johab is the other way to write KS X 1001 (its annex 3). Two bytes hold the first, middle and last
// part of a Korean syllable, in five bits each. Signs and Chinese characters are in the order of
// KS X 1001. A backslash is one, as in the other encodings of eastern Asia here.
type johab struct{}

// What the value of five bits means for a part: its place among such parts in Unicode. A 0
// means that the syllable has no such part, and -1 that the value is not used.
var (
	johabFirsts = [32]int{-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
		-1}
	johabVowels = [32]int{-1, -1, 0, 1, 2, 3, 4, 5, -1, -1, 6, 7, 8, 9, 10, 11, -1, -1, 12, 13, 14, 15, 16, 17, -1, -1, 18, 19, 20, 21, -1,
		-1}
	johabLasts = [32]int{-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, -1, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, -1,
		-1}
)

// Parts that are alone, in the order of those at the beginning and at the end of a syllable.
var (
	loneFirsts = []rune("ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ")
	loneLasts  = []rune("ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ")
)

// johabRune is the character of two bytes; U+FFFD for none.
func johabRune(lead, trail byte) rune {
	if lead >= 0xD9 {
		return johabSign(lead, trail)
	}
	if lead < 0x84 || lead > 0xD3 || trail < 0x41 || trail == 0x7F || trail == 0xFF {
		return utf8.RuneError
	}
	bits := int(lead)<<8 | int(trail)
	first, vowel, last := johabFirsts[bits>>10&31], johabVowels[bits>>5&31], johabLasts[bits&31]
	switch {
	case first < 0 || vowel < 0 || last < 0:
		return utf8.RuneError
	case first > 0 && vowel > 0:
		return rune(0xAC00 + ((first-1)*21+vowel-1)*28 + last)
	case first > 0 && last == 0:
		return loneFirsts[first-1]
	case first == 0 && vowel > 0 && last == 0:
		return rune(0x314F + vowel - 1)
	case first == 0 && vowel == 0 && last > 0:
		if r := loneLasts[last-1]; !slices.Contains(loneFirsts, r) { // that has its place there
			return r
		}
	}
	return utf8.RuneError
}

// johabSign is the sign or Chinese character of two bytes. Each first byte has two rows of KS X 1001.
func johabSign(lead, trail byte) rune {
	row := 2*int(lead-0xD9) + 1
	switch {
	case lead >= 0xE0 && lead <= 0xF9:
		row = 2*int(lead-0xE0) + 42
	case lead > 0xDE:
		return utf8.RuneError
	}
	column := 0
	switch {
	case 0x31 <= trail && trail <= 0x7E:
		column = int(trail) - 0x31 + 1
	case 0x91 <= trail && trail <= 0xA0:
		column = int(trail) - 0x91 + 79
	case 0xA1 <= trail && trail <= 0xFE:
		row, column = row+1, int(trail)-0xA1+1
	default:
		return utf8.RuneError
	}
	if row == 4 && column <= 51 { // these are syllables' parts, which have places of their own
		return utf8.RuneError
	}
	return ksRune(row, column)
}

// ksRune is the character of a row and a column of KS X 1001.
func ksRune(row, column int) rune {
	text, err := korean.EUCKR.NewDecoder().Bytes([]byte{byte(row + 0xA0), byte(column + 0xA0)})
	if r, size := utf8.DecodeRune(text); err == nil && size == len(text) {
		return r
	}
	return utf8.RuneError
}

func (johab) NewDecoder() *encoding.Decoder {
	return &encoding.Decoder{Transformer: sequenceDecoder{
		length: func([]byte) int { return 2 },
		runeOf: func(pair []byte) rune { return johabDecoded()[int(pair[0]-0x80)<<8|int(pair[1])] },
	}}
}

func (johab) NewEncoder() *encoding.Encoder {
	return &encoding.Encoder{Transformer: mapEncoder{bytesOf: johabEncoded}}
}

// johabDecoded are the characters of all pairs of bytes whose first is 0x80 or more.
var johabDecoded = sync.OnceValue(func() *[0x8000]rune {
	all := new([0x8000]rune)
	for i := range all {
		all[i] = johabRune(byte(i>>8)+0x80, byte(i))
	}
	return all
})

var johabEncoded = sync.OnceValue(func() map[rune][]byte {
	all := map[rune][]byte{}
	for i, r := range johabDecoded() {
		if r != utf8.RuneError {
			all[r] = []byte{byte(i>>8) + 0x80, byte(i)}
		}
	}
	return all
})
