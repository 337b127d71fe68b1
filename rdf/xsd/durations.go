package xsd

import (
	"bytes"
	"math/big"
	"strconv"
)

// Durations are XSD 1.1 Part 2 §3.3.6, §3.4.26 and §3.4.27: a number of months and one of seconds.
// Their canonical forms have each part below the next larger one (P1Y for P12M, PT1H for PT60M), and
// no part that is zero. Days do not become months, which differ in length.
//
// Of seconds, PT.5S and PT1.S are durations by the productions, which define the lexical space:
// duSecondFrag takes any unsignedDecimalPtNumeral. A regular expression that the section also gives
// takes neither. They are taken, and written as it asks.

// duration is a duration that was taken apart.
type duration struct {
	negative           bool
	months, seconds    int64
	fraction           []byte // of a second, without zeros at its end
	hasMonths, hasRest bool   // which parts were written
	huge               bool   // a part has too many digits for months and seconds
}

// hugeDigits is the most digits that a part may have to be calculated with as int64:
// so many days still fit it as seconds. Longer ones are calculated with in any length.
const hugeDigits = 13

func parseDuration(text []byte) (d duration, ok bool) {
	if d.negative = len(text) > 0 && text[0] == '-'; d.negative {
		text = text[1:]
	}
	if len(text) < 2 || text[0] != 'P' {
		return d, false
	}
	text = text[1:]
	units := []byte("YMD")
	inTime := false
	for len(text) > 0 {
		if text[0] == 'T' {
			if inTime || len(text) == 1 {
				return d, false
			}
			inTime, units, text = true, []byte("HMS"), text[1:]
		}
		digits, rest := cutDigits(text)
		if len(rest) == 0 || len(digits) == 0 && rest[0] != '.' {
			return d, false
		}
		if rest[0] == '.' {
			if d.fraction, rest = cutDigits(rest[1:]); len(digits)+len(d.fraction) == 0 || len(rest) == 0 || !inTime || rest[0] != 'S' {
				return d, false
			}
			d.fraction = bytes.TrimRight(d.fraction, "0")
		}
		i := bytes.IndexByte(units, rest[0])
		if i < 0 {
			return d, false
		}
		units = units[i+1:]
		digits = bytes.TrimLeft(digits, "0")
		if len(digits) > hugeDigits {
			d.huge = true
			digits = nil
		}
		n := int64(0)
		for _, b := range digits {
			n = n*10 + int64(b-'0')
		}
		d.add(n, rest[0], inTime)
		text = rest[1:]
	}
	return d, true
}

// add adds n of a unit. inTime says that it follows the T.
func (d *duration) add(n int64, unit byte, inTime bool) {
	isMonths := !inTime && unit != 'D'
	d.hasMonths, d.hasRest = d.hasMonths || isMonths, d.hasRest || !isMonths
	switch {
	case unit == 'Y':
		d.months += 12 * n
	case isMonths:
		d.months += n
	case unit == 'D':
		d.seconds += 86400 * n
	case unit == 'H':
		d.seconds += 3600 * n
	case unit == 'M':
		d.seconds += 60 * n
	default:
		d.seconds += n
	}
}

func appendDuration(dst, lexical []byte) ([]byte, Verdict) {
	d, ok := parseDuration(lexical)
	return d.appendTo(dst, lexical, ok, "PT0S")
}

func appendYearMonthDuration(dst, lexical []byte) ([]byte, Verdict) {
	d, ok := parseDuration(lexical)
	return d.appendTo(dst, lexical, ok && !d.hasRest, "P0M")
}

func appendDayTimeDuration(dst, lexical []byte) ([]byte, Verdict) {
	d, ok := parseDuration(lexical)
	return d.appendTo(dst, lexical, ok && !d.hasMonths, "PT0S")
}

func (d *duration) appendTo(dst, lexical []byte, ok bool, zero string) ([]byte, Verdict) {
	switch {
	case !ok:
		return dst, IllTyped
	case d.huge:
		return d.appendHuge(dst, lexical), Valid
	case d.months == 0 && d.seconds == 0 && len(d.fraction) == 0:
		return append(dst, zero...), Valid
	case d.negative:
		dst = append(dst, '-')
	}
	dst = append(dst, 'P')
	part := func(n int64, unit byte) {
		if n != 0 {
			dst = append(strconv.AppendInt(dst, n, 10), unit)
		}
	}
	part(d.months/12, 'Y')
	part(d.months%12, 'M')
	part(d.seconds/86400, 'D')
	second := d.seconds % 86400
	if second == 0 && len(d.fraction) == 0 {
		return dst, Valid
	}
	dst = append(dst, 'T')
	part(second/3600, 'H')
	part(second/60%60, 'M')
	if len(d.fraction) > 0 {
		dst = strconv.AppendInt(dst, second%60, 10)
		dst = append(append(append(dst, '.'), d.fraction...), 'S')
	} else {
		part(second%60, 'S')
	}
	return dst, Valid
}

// appendHuge appends the canonical form of a duration that was found sound, with
// numbers of any length.
func (d *duration) appendHuge(dst, lexical []byte) []byte {
	months, seconds := new(big.Int), new(big.Int)
	inTime := false
	for text := bytes.TrimLeft(lexical, "-P"); len(text) > 0; {
		if text[0] == 'T' {
			inTime, text = true, text[1:]
		}
		digits, rest := cutDigits(text)
		if rest[0] == '.' {
			_, rest = cutDigits(rest[1:])
		}
		n, _ := new(big.Int).SetString("0"+string(digits), 10) // of .5S there are none
		factor, sum := int64(1), seconds
		switch {
		case rest[0] == 'Y':
			factor, sum = 12, months
		case rest[0] == 'M' && !inTime:
			sum = months
		case rest[0] == 'D':
			factor = 86400
		case rest[0] == 'H':
			factor = 3600
		case rest[0] == 'M':
			factor = 60
		}
		sum.Add(sum, n.Mul(n, big.NewInt(factor)))
		text = rest[1:]
	}
	// What does not fit is whole years and days; the rest is a duration like others.
	years, days := new(big.Int), new(big.Int)
	small := *d
	small.huge = false
	years.QuoRem(months, big.NewInt(12), months)
	days.QuoRem(seconds, big.NewInt(86400), seconds)
	small.months, small.seconds, small.negative = months.Int64(), seconds.Int64(), false
	if d.negative {
		dst = append(dst, '-')
	}
	dst = append(dst, 'P')
	if years.Sign() != 0 {
		dst = append(years.Append(dst, 10), 'Y')
	}
	if small.months != 0 {
		dst = append(strconv.AppendInt(dst, small.months, 10), 'M')
	}
	if days.Sign() != 0 {
		dst = append(days.Append(dst, 10), 'D')
	}
	if small.seconds == 0 && len(small.fraction) == 0 {
		return dst
	}
	begin := len(dst)
	small.months = 0
	dst, _ = small.appendTo(dst, lexical, true, "") // PT…
	return append(dst[:begin], dst[begin+1:]...)
}
