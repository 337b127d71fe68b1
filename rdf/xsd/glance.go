package xsd

import "encoding/binary"

// roomIn is the number of digits of which all positive integers are in bounds.
func roomIn(least, most bound) int {
	switch {
	case most.set && (most.negative || len(most.digits) == 0):
		return 0
	case most.set:
		return len(most.digits) - 1
	}
	return 1 << 30
}

// roomBelow is the number of digits of which all negative integers are in bounds.
func roomBelow(least, most bound) int {
	switch {
	case least.set && (!least.negative || len(least.digits) == 0), most.set && most.negative:
		return 0
	case least.set:
		return len(least.digits) - 1
	}
	return 1 << 30
}

// isPlainInteger knows integers other than 0 without leading zeros, well in bounds.
func (d *Datatype) isPlainInteger(lexical []byte) bool {
	room := d.digits
	if len(lexical) > 1 && lexical[0] == '-' {
		room, lexical = d.below, lexical[1:]
	}
	if len(lexical) == 0 || len(lexical) > room || lexical[0] == '0' {
		return false
	}
	return areDigits(lexical)
}

// isPlainDecimal knows numbers without a leading zero, or a final one after a point.
func (d *Datatype) isPlainDecimal(lexical []byte) bool {
	if len(lexical) > 0 && lexical[0] == '-' {
		lexical = lexical[1:]
	}
	n := 0
	for n < len(lexical) && isDigit(lexical[n]) {
		n++
	}
	if n == 0 || lexical[0] == '0' {
		return false
	}
	if n == len(lexical) {
		return true
	}
	fraction := lexical[n+1:]
	return lexical[n] == '.' && len(fraction) > 0 && fraction[len(fraction)-1] != '0' && areDigits(fraction)
}

func (d *Datatype) isPlainBoolean(lexical []byte) bool {
	return string(lexical) == "true" || string(lexical) == "false"
}

func (d *Datatype) isPlainFloat(lexical []byte) bool  { return isCanonicalFloating(lexical, 32) }
func (d *Datatype) isPlainDouble(lexical []byte) bool { return isCanonicalFloating(lexical, 64) }

// isPlainDate knows the days of years of four digits but 29 February, without a timezone
// or in Z.
func (d *Datatype) isPlainDate(lexical []byte) bool {
	if len(lexical) == 11 && lexical[10] == 'Z' {
		lexical = lexical[:10]
	}
	return len(lexical) == 10 && isPlainDay(lexical)
}

// isPlainDateTime knows whole seconds of such days.
func (d *Datatype) isPlainDateTime(lexical []byte) bool {
	if len(lexical) == 20 && lexical[19] == 'Z' {
		lexical = lexical[:19]
	}
	return len(lexical) == 19 && isPlainDay(lexical[:10]) && lexical[10] == 'T' && lexical[13] == ':' && lexical[16] == ':' &&
		twoUpTo(lexical[11:], 23) && twoUpTo(lexical[14:], 59) && twoUpTo(lexical[17:], 59)
}

// isPlainDay says that day, of ten bytes, is one that its month has in every year.
func isPlainDay(day []byte) bool {
	// A digit becomes its value, and a hyphen in its place 0.
	const zeros, most = 0x2D30302D30303030, 0x7F76767F76767676
	word := binary.LittleEndian.Uint64(day) ^ zeros // YYYY-MM-
	if (word|(word&^high8+most))&high8 != 0 || !isDigit(day[8]) || !isDigit(day[9]) {
		return false
	}
	month, number := word>>40&0xF*10+word>>48&0xF, (day[8]-'0')*10+day[9]-'0'
	return month <= 12 && 1 <= number && number <= shortest[month]
}

// shortest is how many days the months have at least, by their numbers.
var shortest = [13]byte{0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}

const high8, high4 = 0x8080808080808080, 0x80808080 // the high bits of so many bytes

// twoUpTo says that text begins with two digits, of a number up to most.
func twoUpTo(text []byte, most int) bool {
	return isDigit(text[0]) && isDigit(text[1]) && int(text[0]-'0')*10+int(text[1]-'0') <= most
}

// areDigits says that text has nothing but digits; it may be empty.
func areDigits(text []byte) bool {
	n := len(text)
	switch {
	case n >= 8:
		odd := oddDigits8(binary.LittleEndian.Uint64(text[n-8:])) // some of them twice
		for ; len(text) > 8; text = text[8:] {
			odd |= oddDigits8(binary.LittleEndian.Uint64(text))
		}
		return odd == 0
	case n >= 4:
		return oddDigits4(binary.LittleEndian.Uint32(text))|oddDigits4(binary.LittleEndian.Uint32(text[n-4:])) == 0
	}
	for _, b := range text {
		if !isDigit(b) {
			return false
		}
	}
	return true
}

// oddDigits8 is not 0 if one of eight bytes is no digit.
func oddDigits8(word uint64) uint64 {
	word ^= 0x3030303030303030 // the value of digits, ten and more of others
	return (word | (word&^high8 + 0x7676767676767676)) & high8
}

// oddDigits4 is not 0 if one of four bytes is no digit.
func oddDigits4(word uint32) uint32 {
	word ^= 0x30303030
	return (word | (word&^high4 + 0x76767676)) & high4
}
