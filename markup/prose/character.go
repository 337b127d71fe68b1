package prose

import (
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// class is what is known at a glance of a character outside ASCII, up to U+FFFF. Those below firstMark are in normal
// form C, leave what is before them alone, and have a public meaning. Which roles they may have, leads and rests say.
// Those below unclear are marks of that combining class (UAX 15), which are in
// normal form C where their classes do not fall.
type class uint8

const (
	leads class = 1 << iota // may be a lead byte of UTF-8 that was misread
	rests                   // may be another

	firstMark class = 4
	joins     class = 254 // a vowel sign that normal form C joins with some signs before it: see isJoined
	unclear   class = 255
)

// classPages are the classes of characters, 256 by 256, each made when the first of it comes.
var classPages [256]atomic.Pointer[[256]class]

// classOf is the class of r, which is not ASCII.
func classOf(r rune) class {
	if r > 0xFFFF {
		return unclear
	}
	page := classPages[r>>8].Load()
	if page == nil {
		page = classPage(r &^ 0xFF)
	}
	return page[r&0xFF]
}

func classPage(from rune) *[256]class {
	page := new([256]class)
	q := quick()
	for i := range page {
		page[i] = findClass(from+rune(i), q)
	}
	classPages[from>>8].Store(page)
	return page
}

func findClass(r rune, q *quickRoles) class {
	switch {
	case r < 0xA1, 0xD800 <= r && r <= 0xDFFF, r == utf8.RuneError, r&0xFFFE == 0xFFFE, 0xFDD0 <= r && r <= 0xFDEF,
		unicode.In(r, unicode.Co, unicode.Cf, unicode.Z, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector),
		r == 0x2800, 0xFFF0 <= r: // the empty pattern of Braille; specials
		return unclear
	}
	if known := q.of(r); isVowelSign(r) && known.lead|known.rest == 0 {
		return joins
	}
	// A span that is known to be normal ends before what composition may change.
	text := string(r)
	if norm.NFC.QuickSpanString("q"+text) != 1+len(text) {
		return unclear
	}
	properties := norm.NFC.PropertiesString(text)
	known, found := q.of(r), class(0)
	if combining := class(properties.CCC()); combining > 0 {
		if combining < firstMark || known.lead|known.rest != 0 {
			return unclear
		}
		return combining
	}
	if !properties.BoundaryBefore() {
		return unclear
	}
	if known.lead != 0 {
		found |= leads
	}
	if known.rest != 0 {
		found |= rests
	}
	return found
}

// isVowelSign says that isJoined knows r.
func isVowelSign(r rune) bool {
	switch r {
	case 0x9BE, 0x9D7, 0xB3E, 0xB56, 0xB57, 0xBBE, 0xBD7, 0xCC2, 0xCD6, 0xD3E, 0xD57, 0xDCF, 0xDDF:
		return true
	}
	return false
}

// isJoined says that normal form C writes a vowel sign and the character before it as one (Unicode,
// UnicodeData.txt). The signs are those of Bengali, Oriya, Tamil, Kannada, Malayalam and Sinhala.
func isJoined(before, sign rune) bool {
	switch sign {
	case 0x9BE, 0x9D7:
		return before == 0x9C7
	case 0xB3E, 0xB56, 0xB57:
		return before == 0xB47
	case 0xBBE:
		return before == 0xBC6 || before == 0xBC7
	case 0xBD7:
		return before == 0xBC6 || before == 0xB92
	case 0xCC2, 0xCD6:
		return before == 0xCC6
	case 0xD3E:
		return before == 0xD46 || before == 0xD47
	case 0xD57:
		return before == 0xD46
	case 0xDCF, 0xDDF:
		return before == 0xDD9
	}
	return true
}

// decode is utf8.DecodeRune of text that does not begin with ASCII, quicker for what most texts hold.
func decode(text []byte) (r rune, size int) {
	switch lead := text[0]; {
	case lead < 0xE0:
		if len(text) > 1 && lead >= 0xC2 && text[1]&0xC0 == 0x80 {
			return rune(lead&0x1F)<<6 | rune(text[1]&0x3F), 2
		}
	case lead < 0xED: // after E0, the next byte is A0 at least
		if lead == 0xE0 && len(text) > 1 && text[1] < 0xA0 {
			break
		}
		if len(text) > 2 && text[1]&0xC0 == 0x80 && text[2]&0xC0 == 0x80 {
			return rune(lead&0xF)<<12 | rune(text[1]&0x3F)<<6 | rune(text[2]&0x3F), 3
		}
	}
	return utf8.DecodeRune(text)
}
