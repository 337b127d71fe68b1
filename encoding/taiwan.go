package encoding

import (
	"errors"
	"sync"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/traditionalchinese"
)

// errNoPlace is what an encoder ends with at a character that the encoding lacks.
var errNoPlace = errors.New("the encoding lacks a character")

// eucTW is EUC-TW, which has the characters of CNS 11643. Plane 1 has two bytes a
// character. Planes 1 and 2 have four, the first two of which are 0x8E and 0xA1 or 0xA2.
// Big5 has the same characters in nearly the same order; planes 3 and beyond, which it
// lacks, stand for none here.
type eucTW struct{}

const cnsPlane = 94 * 94

// cns are the characters of the two planes, by their places; 0 for none.
var cns = sync.OnceValue(func() *[2][cnsPlane]rune {
	all := new([2][cnsPlane]rune)
	decoder := traditionalchinese.Big5.NewDecoder()
	table := readCNS()
	for _, run := range table.runs {
		for i := range run.count {
			lead, trail := (run.big5+i)/157+0x81, (run.big5+i)%157+0x40
			if trail >= 0x7F {
				trail += 0xA1 - 0x7F
			}
			if text, err := decoder.Bytes([]byte{byte(lead), byte(trail)}); err == nil {
				all[run.plane][run.place+i], _ = utf8.DecodeRune(text)
			}
		}
	}
	for _, sign := range table.signs {
		all[sign.plane][sign.place] = sign.character
	}
	return all
})

// cnsRune is the character of a plane from 1 on in a place that two bytes from 0xA1 on
// tell; U+FFFD for none.
func cnsRune(plane int, row, column byte) rune {
	if row < 0xA1 || row == 0xFF || column < 0xA1 || column == 0xFF || plane < 1 || plane > 2 {
		return utf8.RuneError
	}
	if r := cns()[plane-1][int(row-0xA1)*94+int(column-0xA1)]; r != 0 {
		return r
	}
	return utf8.RuneError
}

func (eucTW) NewDecoder() *encoding.Decoder {
	return &encoding.Decoder{Transformer: sequenceDecoder{
		length: func(rest []byte) int { return sequenceLength("euc-tw", rest) },
		runeOf: twRune,
	}}
}

func (eucTW) NewEncoder() *encoding.Encoder {
	return &encoding.Encoder{Transformer: mapEncoder{bytesOf: twEncoded}}
}

// twRune is the character of a sequence; U+FFFD for none.
func twRune(sequence []byte) rune {
	switch len(sequence) {
	case 1:
		return utf8.RuneError
	case 4:
		return cnsRune(int(sequence[1])-0xA0, sequence[2], sequence[3])
	}
	return cnsRune(1, sequence[0], sequence[1])
}

var twEncoded = sync.OnceValue(func() map[rune][]byte {
	all := map[rune][]byte{}
	for plane := 1; plane >= 0; plane-- {
		for at, r := range cns()[plane] {
			row, column := byte(at/94)+0xA1, byte(at%94)+0xA1
			switch {
			case r == 0:
			case plane == 0:
				all[r] = []byte{row, column}
			default:
				all[r] = []byte{0x8E, 0xA2, row, column}
			}
		}
	}
	return all
})
