package xsd

import "bytes"

// Dates and times are XSD 1.1 Part 2 §3.3.7 to §3.3.14. Their canonical forms keep the timezone,
// since in XSD 1.1 it is a part of the value. In 1.0 it was not, and they were converted to UTC. Only
// no offset at all is written Z. The end of a day, 24:00:00, is the beginning of the next. Zeros at
// the end of the fraction of a second go. There is a year 0000 and there are no leap seconds.

// moment takes a date or time apart, piece by piece. A piece that is not there
// makes it bad.
type moment struct {
	rest []byte
	bad  bool
}

// literal cuts off a fixed text.
func (m *moment) literal(text string) {
	if len(m.rest) < len(text) || string(m.rest[:len(text)]) != text {
		m.bad = true
		return
	}
	m.rest = m.rest[len(text):]
}

// two cuts off two digits, whose number lies between least and most.
func (m *moment) two(least, most int) int {
	if len(m.rest) < 2 || !isDigit(m.rest[0]) || !isDigit(m.rest[1]) {
		m.bad = true
		return 0
	}
	n := int(m.rest[0]-'0')*10 + int(m.rest[1]-'0')
	m.rest = m.rest[2:]
	m.bad = m.bad || n < least || n > most
	return n
}

// year cuts off a year: four digits, or more without a leading zero.
func (m *moment) year() (digits []byte, negative bool) {
	if len(m.rest) > 0 && m.rest[0] == '-' {
		negative, m.rest = true, m.rest[1:]
	}
	digits, m.rest = cutDigits(m.rest)
	m.bad = m.bad || len(digits) < 4 || len(digits) > 4 && digits[0] == '0'
	return digits, negative && string(digits) != "0000"
}

// date cuts off a day of the calendar.
func (m *moment) date() (year []byte, negative bool, month, day int) {
	year, negative = m.year()
	m.literal("-")
	month = m.two(1, 12)
	m.literal("-")
	day = m.two(1, 31)
	m.bad = m.bad || day > daysIn(year, month)
	return year, negative, month, day
}

// fraction cuts off the fraction of a second, without its point and the zeros at
// its end.
func (m *moment) fraction() (digits []byte) {
	if len(m.rest) == 0 || m.rest[0] != '.' {
		return nil
	}
	digits, m.rest = cutDigits(m.rest[1:])
	m.bad = m.bad || len(digits) == 0
	return bytes.TrimRight(digits, "0")
}

// clock cuts off a time of day. The end of the day is hour 24.
func (m *moment) clock() (hour, minute, second int, fraction []byte) {
	hour = m.two(0, 24)
	m.literal(":")
	minute = m.two(0, 59)
	m.literal(":")
	second = m.two(0, 59)
	fraction = m.fraction()
	m.bad = m.bad || hour == 24 && (minute != 0 || second != 0 || len(fraction) > 0)
	return hour, minute, second, fraction
}

// appendZone cuts off the timezone, which must be all that is left and may be
// missing, and appends it.
func (m *moment) appendZone(dst []byte) ([]byte, Verdict) {
	zone := m.rest
	if len(zone) > 0 {
		if zone[0] == 'Z' {
			m.rest = m.rest[1:]
		} else {
			m.bad = m.bad || zone[0] != '+' && zone[0] != '-'
			m.rest = m.rest[1:]
			hours := m.two(0, 14)
			m.literal(":")
			minutes := m.two(0, 59)
			m.bad = m.bad || hours == 14 && minutes > 0
			if hours == 0 && minutes == 0 {
				zone = []byte("Z")
			}
		}
	}
	if m.bad || len(m.rest) > 0 {
		return dst, IllTyped
	}
	return append(dst, zone...), Valid
}

func appendDateTime(dst, lexical []byte) ([]byte, Verdict) {
	m := moment{rest: lexical}
	year, negative, month, day := m.date()
	m.literal("T")
	hour, minute, second, fraction := m.clock()
	if m.bad {
		return dst, IllTyped
	}
	dst = appendYear(dst, year, negative, 0)
	if hour == 24 {
		hour = 0
		if day++; day > daysIn(year, month) {
			day = 1
			if month++; month > 12 {
				month = 1
				dst = appendYear(dst[:len(dst)-len(year)-signLength(negative)], year, negative, 1)
			}
		}
	}
	dst = appendTwo(append(dst, '-'), month)
	dst = appendTwo(append(dst, '-'), day)
	return m.appendZone(appendClock(append(dst, 'T'), hour, minute, second, fraction))
}

// appendDateTimeStamp is dateTime with a timezone (§3.4.28).
func appendDateTimeStamp(dst, lexical []byte) ([]byte, Verdict) {
	if n := len(lexical); n < 20 || lexical[n-1] != 'Z' && lexical[n-6] != '+' && lexical[n-6] != '-' {
		return dst, IllTyped
	}
	return appendDateTime(dst, lexical)
}

func appendTime(dst, lexical []byte) ([]byte, Verdict) {
	m := moment{rest: lexical}
	hour, minute, second, fraction := m.clock()
	return m.appendZone(appendClock(dst, hour%24, minute, second, fraction))
}

func appendDate(dst, lexical []byte) ([]byte, Verdict) {
	m := moment{rest: lexical}
	year, negative, month, day := m.date()
	if m.bad {
		return dst, IllTyped
	}
	dst = appendYear(dst, year, negative, 0)
	dst = appendTwo(append(dst, '-'), month)
	dst = appendTwo(append(dst, '-'), day)
	return m.appendZone(dst)
}

func appendGYear(dst, lexical []byte) ([]byte, Verdict) {
	m := moment{rest: lexical}
	year, negative := m.year()
	return m.appendZone(appendYear(dst, year, negative, 0))
}

func appendGYearMonth(dst, lexical []byte) ([]byte, Verdict) {
	m := moment{rest: lexical}
	year, negative := m.year()
	m.literal("-")
	month := m.two(1, 12)
	return m.appendZone(appendTwo(append(appendYear(dst, year, negative, 0), '-'), month))
}

func appendGMonth(dst, lexical []byte) ([]byte, Verdict) {
	m := moment{rest: lexical}
	m.literal("--")
	month := m.two(1, 12)
	return m.appendZone(appendTwo(append(dst, "--"...), month))
}

func appendGMonthDay(dst, lexical []byte) ([]byte, Verdict) {
	m := moment{rest: lexical}
	m.literal("--")
	month := m.two(1, 12)
	m.literal("-")
	day := m.two(1, 31)
	m.bad = m.bad || day > daysIn([]byte("0000"), month) // 29 February exists in some years
	return m.appendZone(appendTwo(append(appendTwo(append(dst, "--"...), month), '-'), day))
}

func appendGDay(dst, lexical []byte) ([]byte, Verdict) {
	m := moment{rest: lexical}
	m.literal("---")
	day := m.two(1, 31)
	return m.appendZone(appendTwo(append(dst, "---"...), day))
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

// daysIn is the length of a month (§3.3.7.1). Four digits show a leap year, since
// 10,000 is a multiple of 400; the sign does not matter.
func daysIn(year []byte, month int) int {
	if month != 2 {
		return 30 + (month+month/8)%2
	}
	last := 0
	for _, b := range year[len(year)-4:] {
		last = last*10 + int(b-'0')
	}
	if last%4 == 0 && (last%100 != 0 || last%400 == 0) {
		return 29
	}
	return 28
}
