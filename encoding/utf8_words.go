package encoding

import (
	"encoding/binary"
	"unicode/utf8"
)

// validUTF8 is utf8.Valid, eight bytes at a time. Of each word it finds where the bytes are that go on a sequence,
// 10xxxxxx. They must be where the leading ones want them (Unicode, table 3-7).
func validUTF8(p []byte) bool {
	const high = 0x8080808080808080 // what is found of a byte is in its high bit
	// In the next word: where sequences that began before want bytes, and where these follow E0 (in the low byte) or
	// ED (in the next).
	var wanted, second uint64
	i := 0
	for ; i+8 <= len(p); i += 8 {
		word := binary.LittleEndian.Uint64(p[i:])
		outside := word & high
		if outside == 0 {
			if wanted != 0 {
				return false
			}
			for i+40 <= len(p) {
				q := p[i+8 : i+40 : i+40]
				if (binary.LittleEndian.Uint64(q)|binary.LittleEndian.Uint64(q[8:])|binary.LittleEndian.Uint64(
					q[16:])|binary.LittleEndian.Uint64(q[24:]))&high != 0 {
					break
				}
				i += 32
			}
			continue
		}
		if wanted == 0 && areThrees(word) {
			for i += 6; i+8 <= len(p) && areThrees(binary.LittleEndian.Uint64(p[i:])); i += 6 {
			}
			i -= 8
			continue
		}
		// A shift by n brings the bit that is n below the high one to it.
		leads := outside & (word << 1) // 11xxxxxx
		leads3 := leads & (word << 2)  // 111xxxxx
		leads4 := leads3 & (word << 3) // 1111xxxx
		wanted |= leads<<8 | leads3<<16 | leads4<<24
		if wanted != outside&^leads {
			return false
		}
		wanted = leads>>56 | leads3>>48 | leads4>>40
		if leads&^(word<<2|word<<3|word<<4|word<<5|word<<6) != 0 {
			return false // C0 and C1 begin what takes one byte
		}
		if leads3|second == 0 {
			continue
		}
		e0 := leads3 &^ (word<<3 | word<<4 | word<<5 | word<<6 | word<<7)
		ed := leads3 & (word << 4) & (word << 5) & (word << 7) &^ (word<<3 | word<<6)
		if (e0<<8|second&0xFF)&^(word<<2)|(ed<<8|second>>8)&(word<<2) != 0 {
			return false
		}
		second = e0>>56 | ed>>56<<8
		if leads4 == 0 {
			continue
		}
		for j, lead := range p[i : i+8] { // F0 to F4 with what is in the Unicode planes
			if lead >= 0xF0 && (lead > 0xF4 || i+j+1 == len(p) || lead == 0xF0 && p[i+j+1] < 0x90 || lead == 0xF4 && p[i+j+1] > 0x8F) {
				return false
			}
		}
	}
	if wanted != 0 { // the sequence that is not whole is looked at again
		for i--; p[i]&0xC0 == 0x80; i-- {
		}
	}
	return utf8.Valid(p[i:])
}

// areThrees says that a word begins with two sequences of three bytes.
func areThrees(word uint64) bool {
	return word&0xC0C0F0C0C0F0 == 0x8080E08080E0 && isThree(word) && isThree(word>>24)
}

// isThree says that the second byte of a sequence of three is one that its lead allows.
func isThree(word uint64) bool {
	switch word & 0xF {
	case 0x0: // E0
		return word&0x2000 != 0
	case 0xD:
		return word&0x2000 == 0
	}
	return true
}
