package xsd

import (
	"bytes"
	"math"
	bits64 "math/bits"
	"strconv"
	"unsafe"
)

// Numbers are handled as text wherever that does, so that they may have any
// number of digits.

// appendDecimal is XSD 1.1 Part 2 §3.3.3: no plus sign, no needless zeros, and no
// point where the value is an integer.
func appendDecimal(dst, lexical []byte) ([]byte, Verdict) {
	digits, negative := cutSign(lexical)
	whole, rest := cutDigits(digits)
	var fraction []byte
	if len(rest) > 0 && rest[0] == '.' {
		fraction, rest = cutDigits(rest[1:])
	}
	if len(rest) > 0 || len(whole)+len(fraction) == 0 {
		return dst, IllTyped
	}
	whole, fraction = trimZeros(whole), bytes.TrimRight(fraction, "0")
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
	return dst, Valid
}

// appendWhole is XSD 1.1 Part 2 §3.4.13, and the types derived from integer: their
// bounds are inclusive, as text without a sign; "" is none.
func appendWhole(dst, lexical []byte, least, most bound) ([]byte, Verdict) {
	digits, negative := cutSign(lexical)
	whole, rest := cutDigits(digits)
	if len(rest) > 0 || len(whole) == 0 {
		return dst, IllTyped
	}
	whole = trimZeros(whole)
	negative = negative && len(whole) > 0
	if least.exceeds(negative, whole, -1) || most.exceeds(negative, whole, 1) {
		return dst, IllTyped
	}
	if negative {
		dst = append(dst, '-')
	}
	if len(whole) == 0 {
		dst = append(dst, '0')
	}
	return append(dst, whole...), Valid
}

// bounds are the least and the greatest value of a kind of integers.
type bounds struct{ least, most bound }

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

func atLeast(digits string) bound  { return bound{set: true, digits: digits} }
func negative(digits string) bound { return bound{set: true, negative: true, digits: digits} }

func appendFloat(dst, lexical []byte) ([]byte, Verdict)  { return appendFloating(dst, lexical, 32) }
func appendDouble(dst, lexical []byte) ([]byte, Verdict) { return appendFloating(dst, lexical, 64) }

// appendFloating is XSD 1.1 Part 2 §3.3.4 and §3.3.5. It writes a mantissa with one digit before its
// point and at least one after it, E, and an exponent. The value is rounded to as few digits as give
// it back.
func appendFloating(dst, lexical []byte, bits int) ([]byte, Verdict) {
	if isCanonicalFloating(lexical, bits) {
		return append(dst, lexical...), Valid
	}
	switch string(lexical) {
	case "INF", "+INF":
		return append(dst, "INF"...), Valid
	case "-INF", "NaN":
		return append(dst, lexical...), Valid
	}
	digits, negative := cutSign(lexical)
	whole, rest := cutDigits(digits)
	var fraction []byte
	if len(rest) > 0 && rest[0] == '.' {
		fraction, rest = cutDigits(rest[1:])
	}
	if len(whole)+len(fraction) == 0 {
		return dst, IllTyped
	}
	if len(rest) > 0 {
		if rest[0]|0x20 != 'e' {
			return dst, IllTyped
		}
		exponent, _ := cutSign(rest[1:])
		if exponent, rest = cutDigits(exponent); len(rest) > 0 || len(exponent) == 0 {
			return dst, IllTyped
		}
	} else if written := appendDigits(dst, whole, fraction, negative, bits); len(written) > len(dst) {
		return written, Valid
	}
	// ParseFloat does not keep its argument, except for the error, which is not kept here.
	value, err := strconv.ParseFloat(unsafe.String(&lexical[0], len(lexical)), bits)
	isZero := len(bytes.Trim(whole, "0"))+len(bytes.Trim(fraction, "0")) == 0
	if err != nil || math.IsInf(value, 0) || value == 0 && !isZero {
		return dst, OutOfRange
	}
	begin := len(dst)
	dst = strconv.AppendFloat(dst, value, 'e', -1, bits)
	if value != 0 {
		dst = roundAsXSD(dst, begin, value, bits)
	}
	return canonicalExponent(dst, begin), Valid
}

// keptDigits is how many digits of any decimal number a type keeps on its way through it and back. An exponent of
// so many digits is far from the ends of its range.
func keptDigits(bits int) (digits, exponent int) {
	if bits == 32 {
		return 6, 1
	}
	return 15, 2
}

// appendDigits appends the canonical form of a number of so few digits that the type keeps them all. They are those
// before its point and those after; it has no exponent. It appends nothing to others, and to zero.
func appendDigits(dst, whole, fraction []byte, negative bool, bits int) []byte {
	for len(whole) > 0 && whole[0] == '0' {
		whole = whole[1:]
	}
	exponent := len(whole) - 1
	for len(whole) == 0 && len(fraction) > 0 && fraction[0] == '0' {
		fraction = fraction[1:]
		exponent--
	}
	for len(fraction) > 0 && fraction[len(fraction)-1] == '0' {
		fraction = fraction[:len(fraction)-1]
	}
	for len(fraction) == 0 && len(whole) > 0 && whole[len(whole)-1] == '0' {
		whole = whole[:len(whole)-1]
	}
	n := len(whole) + len(fraction)
	if most, _ := keptDigits(bits); n == 0 || n > most || exponent > 9 || exponent < -9 {
		return dst
	}
	if negative {
		dst = append(dst, '-')
	}
	first := len(dst)
	dst = append(append(append(dst, '0'), whole...), fraction...) // the first digit changes places with a point
	dst[first], dst[first+1] = dst[first+1], '.'
	if n == 1 {
		dst = append(dst, '0')
	}
	dst = append(dst, 'E')
	if exponent < 0 {
		dst = append(dst, '-')
		exponent = -exponent
	}
	return append(dst, '0'+byte(exponent))
}

// isCanonicalFloating says that text is canonical by its look. It has no more digits than any decimal
// number keeps on its way through the type and back. It is far from the ends of its range.
// What it denies may still be canonical.
func isCanonicalFloating(text []byte, bits int) bool {
	digits, largest := keptDigits(bits)
	if len(text) > 0 && text[0] == '-' {
		text = text[1:]
	}
	if len(text) < 5 || text[0] < '1' || text[0] > '9' || text[1] != '.' {
		return false
	}
	fraction, rest := cutDigits(text[2:])
	if n := len(fraction); n == 0 || n >= digits || n > 1 && fraction[n-1] == '0' || len(rest) < 2 || rest[0] != 'E' {
		return false
	}
	exponent := rest[1:]
	negative := exponent[0] == '-'
	if negative {
		exponent = exponent[1:]
	}
	whole, rest := cutDigits(exponent)
	return len(rest) == 0 && len(whole) > 0 && len(whole) <= largest && (whole[0] != '0' || len(whole) == 1 && !negative)
}

// roundAsXSD mends what strconv wrote from begin on, where the specification rounds otherwise
// (appendix E.1, floatCanonicalMap). There the exact value is rounded half up to each number of
// digits, and the least number that gives the value back is taken. The package strconv takes as few
// digits, but the nearest ones that give the value back. That differs in two cases. One is a power
// of two, below which values are closer together than above it. The other is an exact value halfway
// between two roundings.
func roundAsXSD(text []byte, begin int, value float64, bits int) []byte {
	fraction := math.Float64bits(value) << 12
	behind := max(bytes.IndexByte(bytes.TrimPrefix(text[begin:], []byte("-")), 'e')-2, 0) // digits after the point
	if fraction == 0 {
		var kept [32]byte
		for ; behind < 20; behind++ {
			try := halfUp(strconv.AppendFloat(kept[:0], value, 'e', behind, bits), value, behind)
			if back, err := strconv.ParseFloat(string(try), bits); err == nil && back == value {
				return append(text[:begin], try...)
			}
		}
	}
	// A number that is halfway has one more place after its decimal point than is written, of which the last is 5. That
	// is as many as it has after its binary point.
	_, exponent := math.Frexp(value)
	places := 53 - exponent - bits64.TrailingZeros64(fraction>>12|1<<52)
	decimal, _ := strconv.Atoi(string(text[begin+bytes.IndexByte(text[begin:], 'e')+1:]))
	if places == behind-decimal+1 {
		halfUp(text[begin:], value, behind)
	}
	return text
}

// halfUp mends a number that was rounded down, half to even, to some digits
// after the point. Its digits never end in 9 then: half to even makes them even.
func halfUp(text []byte, value float64, behind int) []byte {
	var kept [64]byte
	exact := strconv.AppendFloat(kept[:0], value, 'e', behind+12, 64)
	e := bytes.IndexByte(text, 'e')
	if string(exact[e:e+12]) == "500000000000" && exact[e-1] == text[e-1] {
		text[e-1]++
	}
	return text
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

// trimZeros cuts off leading zeros.
func trimZeros(digits []byte) []byte {
	for len(digits) > 0 && digits[0] == '0' {
		digits = digits[1:]
	}
	return digits
}
