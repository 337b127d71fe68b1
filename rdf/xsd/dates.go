package xsd

import "laundromat/internal/dates"

// Dates and times are XSD 1.1 Part 2 §3.3.7 to §3.3.14. Their canonical forms keep the timezone,
// since in XSD 1.1 it is a part of the value. In 1.0 it was not, and they were converted to UTC. Only
// no offset at all is written Z. The end of a day, 24:00:00, is the beginning of the next. Zeros at
// the end of the fraction of a second go. There is a year 0000 and there are no leap seconds.

// appendZone appends the timezone, which must be all that is left and may be missing.
func appendZone(m *dates.ISO, dst []byte) ([]byte, Verdict) {
	zone := m.Text[min(m.At, len(m.Text)):]
	offset := m.Zone()
	switch {
	case m.Bad:
		return dst, IllTyped
	case offset == 0 && len(zone) > 0:
		return append(dst, 'Z'), Valid
	}
	return append(dst, zone...), Valid
}

func appendDateTime(dst, lexical []byte) ([]byte, Verdict) {
	m := dates.ISO{Text: lexical}
	year, negative, month, day := m.Date()
	m.Literal('T')
	hour, minute, second, fraction := m.Clock()
	if m.Bad {
		return dst, IllTyped
	}
	dst = appendYear(dst, year, negative, 0)
	if hour == 24 {
		hour = 0
		if day++; day > dates.DaysIn(dates.CycleYear(year), month) {
			day = 1
			if month++; month > 12 {
				month = 1
				dst = appendYear(dst[:len(dst)-len(year)-signLength(negative)], year, negative, 1)
			}
		}
	}
	dst = appendTwo(append(dst, '-'), month)
	dst = appendTwo(append(dst, '-'), day)
	return appendZone(&m, appendClock(append(dst, 'T'), hour, minute, second, fraction))
}

// appendDateTimeStamp is dateTime with a timezone (§3.4.28).
func appendDateTimeStamp(dst, lexical []byte) ([]byte, Verdict) {
	if n := len(lexical); n < 20 || lexical[n-1] != 'Z' && lexical[n-6] != '+' && lexical[n-6] != '-' {
		return dst, IllTyped
	}
	return appendDateTime(dst, lexical)
}

func appendTime(dst, lexical []byte) ([]byte, Verdict) {
	m := dates.ISO{Text: lexical}
	hour, minute, second, fraction := m.Clock()
	return appendZone(&m, appendClock(dst, hour%24, minute, second, fraction))
}

func appendDate(dst, lexical []byte) ([]byte, Verdict) {
	m := dates.ISO{Text: lexical}
	year, negative, month, day := m.Date()
	if m.Bad {
		return dst, IllTyped
	}
	dst = appendYear(dst, year, negative, 0)
	dst = appendTwo(append(dst, '-'), month)
	dst = appendTwo(append(dst, '-'), day)
	return appendZone(&m, dst)
}

func appendGYear(dst, lexical []byte) ([]byte, Verdict) {
	m := dates.ISO{Text: lexical}
	year, negative := m.Year()
	return appendZone(&m, appendYear(dst, year, negative, 0))
}

func appendGYearMonth(dst, lexical []byte) ([]byte, Verdict) {
	m := dates.ISO{Text: lexical}
	year, negative := m.Year()
	m.Literal('-')
	month := m.Two(1, 12)
	return appendZone(&m, appendTwo(append(appendYear(dst, year, negative, 0), '-'), month))
}

func appendGMonth(dst, lexical []byte) ([]byte, Verdict) {
	m := dates.ISO{Text: lexical}
	m.Literal('-')
	m.Literal('-')
	month := m.Two(1, 12)
	return appendZone(&m, appendTwo(append(dst, "--"...), month))
}

func appendGMonthDay(dst, lexical []byte) ([]byte, Verdict) {
	m := dates.ISO{Text: lexical}
	m.Literal('-')
	m.Literal('-')
	month := m.Two(1, 12)
	m.Literal('-')
	day := m.Two(1, 31)
	m.Bad = m.Bad || day > dates.DaysIn(0, month) // 29 February exists in some years
	return appendZone(&m, appendTwo(append(appendTwo(append(dst, "--"...), month), '-'), day))
}

func appendGDay(dst, lexical []byte) ([]byte, Verdict) {
	m := dates.ISO{Text: lexical}
	m.Literal('-')
	m.Literal('-')
	m.Literal('-')
	day := m.Two(1, 31)
	return appendZone(&m, appendTwo(append(dst, "---"...), day))
}

func appendClock(dst []byte, hour, minute, second int, fraction []byte) []byte {
	dst = appendTwo(dst, hour)
	dst = appendTwo(append(dst, ':'), minute)
	dst = appendTwo(append(dst, ':'), second)
	if len(fraction) > 0 {
		dst = append(append(dst, '.'), fraction...)
	}
	return dst
}

func appendTwo(dst []byte, n int) []byte { return append(dst, byte('0'+n/10), byte('0'+n%10)) }

// appendYear appends a year, or the one after it. Years may have any number of digits.
func appendYear(dst, digits []byte, negative bool, later int) []byte {
	if negative {
		dst = append(dst, '-')
	}
	begin := len(dst)
	dst = append(dst, digits...)
	if later == 0 {
		return dst
	}
	// Up is away from zero for positive years, and towards it for negative ones.
	from, to, next := byte('9'), byte('0'), 1
	if negative {
		from, to, next = '0', '9', -1
	}
	i := len(dst) - 1
	for i >= begin && dst[i] == from {
		dst[i] = to
		i--
	}
	if i >= begin {
		dst[i] = byte(int(dst[i]) + next)
	} else {
		dst = append(dst, 0)
		copy(dst[begin+1:], dst[begin:])
		dst[begin] = '1'
	}
	year := dst[begin:]
	if negative {
		for len(year) > 4 && year[0] == '0' {
			copy(year, year[1:])
			dst = dst[:len(dst)-1]
			year = dst[begin:]
		}
		if string(year) == "0000" {
			dst = append(dst[:begin-1], "0000"...)
		}
	}
	return dst
}

func signLength(negative bool) int {
	if negative {
		return 1
	}
	return 0
}
