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

// eucTW is EUC-TW, which has the characters of CNS 11643: two bytes for one of plane 1,
// four, of which the first two are 0x8E and 0xA1 or 0xA2, for one of planes 1 and 2.
// Big5 has the same characters in nearly the same order; planes 3 and beyond, which it
// lacks, stand for none here.
type eucTW struct{}

// cnsRuns are the runs of characters that CNS 11643 has in the order of Big5: the place
// in the plane (94 in a row), the place in Big5 (157 in a row from 0x8140 on), and how many.
var cnsRuns = [2][][3]int{
	{
		{0, 5024, 5}, {6, 5030, 15}, {21, 5047, 2}, {24, 5046, 1}, {29, 5053, 44}, {73, 5098, 1}, {74, 5097, 1},
		{75, 5099, 22}, {98, 5122, 1}, {100, 5124, 27}, {127, 5152, 1}, {128, 5151, 1}, {129, 5153, 19},
		{148, 5173, 1}, {149, 5172, 1}, {150, 5174, 4}, {155, 5045, 1}, {156, 5182, 2}, {158, 5182, 76},
		{282, 5258, 29}, {312, 5288, 1}, {314, 5290, 142}, {470, 11125, 20}, {3290, 5495, 1412}, {4702, 6908, 424},
		{5126, 6907, 1}, {5127, 7332, 1876}, {7003, 9595, 1}, {7004, 9208, 387}, {7391, 9596, 525},
		{7916, 10310, 1}, {7917, 10121, 105}, {8023, 10227, 83}, {8106, 10311, 84}, {8190, 10541, 1},
		{8191, 10395, 54}, {8245, 10450, 1}, {8246, 10449, 1}, {8247, 10451, 90}, {8337, 10542, 354},
	},
	{
		{0, 11304, 10}, {10, 11315, 33}, {43, 11396, 1}, {44, 11348, 48}, {92, 11397, 46}, {138, 11610, 1},
		{139, 11443, 167}, {306, 11611, 1840}, {2146, 14098, 1}, {2147, 13452, 108}, {2255, 13561, 537},
		{2792, 13451, 1}, {2793, 14099, 100}, {2893, 13560, 1}, {2894, 14199, 399}, {3293, 14599, 1637},
		{4930, 16785, 1}, {4931, 16236, 146}, {5077, 16923, 1}, {5078, 16382, 287}, {5365, 17532, 1},
		{5366, 16669, 116}, {5482, 16786, 137}, {5619, 16924, 104}, {5723, 17449, 1}, {5724, 17028, 222},
		{5946, 17251, 198}, {6144, 17450, 82}, {6226, 17533, 86}, {6312, 17250, 1}, {6313, 17619, 8},
		{6321, 17628, 153}, {6474, 17782, 56}, {6530, 18138, 1}, {6531, 17838, 113}, {6644, 17627, 1},
		{6645, 17951, 142}, {6787, 17781, 1}, {6788, 18093, 45}, {6833, 18139, 71}, {6904, 18404, 1},
		{6905, 18210, 194}, {7099, 18405, 490}, {7589, 18938, 1}, {7590, 18895, 43}, {7633, 18939, 1},
		{7634, 18941, 11}, {7645, 18940, 1}, {7646, 18952, 4},
	},
}

// cnsSingles are characters of plane 1 that Big5 lacks, by their places.
var cnsSingles = map[int]rune{
	5: '・', 23: '︲', 154: '‖', 490: 'ⅰ', 491: 'ⅱ', 492: 'ⅲ', 493: 'ⅳ', 494: 'ⅴ', 495: 'ⅵ', 496: 'ⅶ', 497: 'ⅷ',
	498: 'ⅸ', 499: 'ⅹ', 571: '亠', 578: '冫', 583: '勹', 3102: '␀', 3103: '␁', 3104: '␂', 3105: '␃', 3106: '␄',
	3107: '␅', 3108: '␆', 3109: '␇', 3110: '␈', 3111: '␉', 3112: '␊', 3113: '␋', 3114: '␌', 3115: '␍',
	3116: '␎', 3117: '␏', 3118: '␐', 3119: '␑', 3120: '␒', 3121: '␓', 3122: '␔', 3123: '␕', 3124: '␖',
	3125: '␗', 3126: '␘', 3127: '␙', 3128: '␚', 3129: '␛', 3130: '␜', 3131: '␝', 3132: '␞', 3133: '␟',
	3134: '␡', 8022: '彞',
}

const cnsPlane = 94 * 94

var cns = sync.OnceValue(func() *[2][cnsPlane]rune {
	all := new([2][cnsPlane]rune)
	decoder := traditionalchinese.Big5.NewDecoder()
	for plane, runs := range cnsRuns {
		for _, run := range runs {
			for i := range run[2] {
				lead, trail := (run[1]+i)/157+0x81, (run[1]+i)%157+0x40
				if trail >= 0x7F {
					trail += 0xA1 - 0x7F
				}
				if text, err := decoder.Bytes([]byte{byte(lead), byte(trail)}); err == nil {
					r, _ := utf8.DecodeRune(text)
					all[plane][run[0]+i] = r
				}
			}
		}
	}
	for at, r := range cnsSingles {
		all[0][at] = r
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
