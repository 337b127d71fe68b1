package clean

import (
	"bytes"
	"math"
	"strconv"
	"unsafe"
)

// Numbers are handled as text wherever that does, so that they may have any
// number of digits.

// appendDecimal is XSD 1.1 Part 2 §3.3.3: no plus sign, no needless zeros, and no
// point where the value is an integer.
func appendDecimal(dst, lexical []byte) ([]byte, verdict) {
	digits, negative := cutSign(lexical)
	whole, rest := cutDigits(digits)
	var fraction []byte
	if len(rest) > 0 && rest[0] == '.' {
		fraction, rest = cutDigits(rest[1:])
	}
	if len(rest) > 0 || len(whole)+len(fraction) == 0 {
		return dst, illTyped
	}
	whole, fraction = bytes.TrimLeft(whole, "0"), bytes.TrimRight(fraction, "0")
	if negative && len(whole)+len(fraction) > 0 {
		dst = append(dst, '-')
	}
	if len(whole) == 0 {
		dst = append(dst, '0')
	}
	dst = append(dst, whole...)
	if len(fraction) > 0 {
		dst = append(append(dst, '.'), fraction...)
	}
	return dst, wellTyped
}

// appendWhole is XSD 1.1 Part 2 §3.4.13, and the types derived from integer: their
// bounds are inclusive, as text without a sign; "" is none.
func appendWhole(dst, lexical []byte, least, most bound) ([]byte, verdict) {
	digits, negative := cutSign(lexical)
	whole, rest := cutDigits(digits)
	if len(rest) > 0 || len(whole) == 0 {
		return dst, illTyped
	}
	whole = bytes.TrimLeft(whole, "0")
	negative = negative && len(whole) > 0
	if least.exceeds(negative, whole, -1) || most.exceeds(negative, whole, 1) {
		return dst, illTyped
	}
	if negative {
		dst = append(dst, '-')
	}
	if len(whole) == 0 {
		dst = append(dst, '0')
	}
	return append(dst, whole...), wellTyped
}

// bound is the end of a range of integers: none, if set is false.
type bound struct {
	set, negative bool
	digits        string // without leading zeros; "" is zero
}

// exceeds says that a number lies beyond the bound in a direction: 1 up, -1 down.
func (b bound) exceeds(negative bool, digits []byte, direction int) bool {
	if !b.set {
		return false
	}
	order := 0 // of the number to the bound
	switch {
	case negative != b.negative:
		order = 1
		if negative {
			order = -1
		}
	default:
		order = len(digits) - len(b.digits)
		if order == 0 {
			order = bytes.Compare(digits, unsafe.Slice(unsafe.StringData(b.digits), len(b.digits)))
		}
		if negative {
			order = -order
		}
	}
	return order*direction > 0
}

var unbounded = bound{}

func atLeast(digits string) bound  { return bound{set: true, digits: digits} }
func negative(digits string) bound { return bound{set: true, negative: true, digits: digits} }

func appendInteger(dst, lexical []byte) ([]byte, verdict) {
	return appendWhole(dst, lexical, unbounded, unbounded)
}
func appendNonPositiveInteger(dst, lexical []byte) ([]byte, verdict) {
	return appendWhole(dst, lexical, unbounded, atLeast(""))
}
func appendNegativeInteger(dst, lexical []byte) ([]byte, verdict) {
	return appendWhole(dst, lexical, unbounded, negative("1"))
}
func appendNonNegativeInteger(dst, lexical []byte) ([]byte, verdict) {
	return appendWhole(dst, lexical, atLeast(""), unbounded)
}
func appendPositiveInteger(dst, lexical []byte) ([]byte, verdict) {
	return appendWhole(dst, lexical, atLeast("1"), unbounded)
}
func appendLong(dst, lexical []byte) ([]byte, verdict) {
	return appendWhole(dst, lexical, negative("9223372036854775808"), atLeast("9223372036854775807"))
}
func appendInt(dst, lexical []byte) ([]byte, verdict) {
	return appendWhole(dst, lexical, negative("2147483648"), atLeast("2147483647"))
}
func appendShort(dst, lexical []byte) ([]byte, verdict) {
	return appendWhole(dst, lexical, negative("32768"), atLeast("32767"))
}
func appendByte(dst, lexical []byte) ([]byte, verdict) {
	return appendWhole(dst, lexical, negative("128"), atLeast("127"))
}
func appendUnsignedLong(dst, lexical []byte) ([]byte, verdict) {
	return appendWhole(dst, lexical, atLeast(""), atLeast("18446744073709551615"))
}
func appendUnsignedInt(dst, lexical []byte) ([]byte, verdict) {
	return appendWhole(dst, lexical, atLeast(""), atLeast("4294967295"))
}
func appendUnsignedShort(dst, lexical []byte) ([]byte, verdict) {
	return appendWhole(dst, lexical, atLeast(""), atLeast("65535"))
}
func appendUnsignedByte(dst, lexical []byte) ([]byte, verdict) {
	return appendWhole(dst, lexical, atLeast(""), atLeast("255"))
}

func appendFloat(dst, lexical []byte) ([]byte, verdict)  { return appendFloating(dst, lexical, 32) }
func appendDouble(dst, lexical []byte) ([]byte, verdict) { return appendFloating(dst, lexical, 64) }

// appendFloating is XSD 1.1 Part 2 §3.3.4 and §3.3.5: a mantissa with one digit
// before its point and at least one behind it, E, and an exponent; as few digits
// as give the value back.
func appendFloating(dst, lexical []byte, bits int) ([]byte, verdict) {
	switch string(lexical) {
	case "INF", "+INF":
		return append(dst, "INF"...), wellTyped
	case "-INF", "NaN":
		return append(dst, lexical...), wellTyped
	}
	digits, _ := cutSign(lexical)
	whole, rest := cutDigits(digits)
	var fraction []byte
	if len(rest) > 0 && rest[0] == '.' {
		fraction, rest = cutDigits(rest[1:])
	}
	if len(whole)+len(fraction) == 0 {
		return dst, illTyped
	}
	if len(rest) > 0 {
		if rest[0]|0x20 != 'e' {
			return dst, illTyped
		}
		exponent, _ := cutSign(rest[1:])
		if exponent, rest = cutDigits(exponent); len(rest) > 0 || len(exponent) == 0 {
			return dst, illTyped
		}
	}
	// ParseFloat does not keep its argument, but for the error, which is not kept here.
	value, err := strconv.ParseFloat(unsafe.String(&lexical[0], len(lexical)), bits)
	isZero := len(bytes.Trim(whole, "0"))+len(bytes.Trim(fraction, "0")) == 0
	if err != nil || math.IsInf(value, 0) || value == 0 && !isZero {
		return dst, outOfRange
	}
	begin := len(dst)
	dst = strconv.AppendFloat(dst, value, 'e', -1, bits)
	return canonicalExponent(dst, begin), wellTyped
}

// canonicalExponent turns 1e+00 and 1.5e-07, from begin on, into 1.0E0 and 1.5E-7.
func canonicalExponent(text []byte, begin int) []byte {
	e := begin + bytes.IndexByte(text[begin:], 'e')
	exponent := text[e+1:]
	var kept [8]byte // a sign and up to four digits
	n := 0
	if exponent[0] == '-' {
		kept[0], n = '-', 1
	}
	exponent = bytes.TrimLeft(exponent[1:], "0")
	if len(exponent) == 0 {
		kept[0], n = '0', 1
	} else {
		n += copy(kept[n:], exponent)
	}
	if bytes.IndexByte(text[begin:e], '.') < 0 {
		text = append(text[:e], ".0E"...)
	} else {
		text = append(text[:e], 'E')
	}
	return append(text, kept[:n]...)
}

// cutSign cuts off a plus or minus sign.
func cutSign(text []byte) (rest []byte, negative bool) {
	if len(text) > 0 && (text[0] == '+' || text[0] == '-') {
		return text[1:], text[0] == '-'
	}
	return text, false
}

// cutDigits cuts off the digits that text begins with.
func cutDigits(text []byte) (digits, rest []byte) {
	n := 0
	for n < len(text) && isDigit(text[n]) {
		n++
	}
	return text[:n], text[n:]
}
