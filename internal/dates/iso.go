package dates

import "bytes"

// ISO takes a date or time of ISO 8601, in the forms of XML Schema, apart, piece by piece, from At on. A piece that is
// not there makes it Bad. Nothing is allocated; the digits that it gives are those of Text.
type ISO struct {
	Text []byte
	At   int
	Bad  bool
}

// Literal passes over one character.
func (m *ISO) Literal(c byte) {
	m.Bad = m.Bad || m.At >= len(m.Text) || m.Text[m.At] != c
	m.At++
}

// Two reads two digits, whose number lies between least and most.
func (m *ISO) Two(least, most int) int {
	if m.At+2 > len(m.Text) || !isDigit(m.Text[m.At]) || !isDigit(m.Text[m.At+1]) {
		m.Bad = true
		return 0
	}
	n := int(m.Text[m.At]-'0')*10 + int(m.Text[m.At+1]-'0')
	m.At += 2
	m.Bad = m.Bad || n < least || n > most
	return n
}

// digits reads the digits that follow.
func (m *ISO) digits() []byte {
	begin := min(m.At, len(m.Text))
	end := begin
	for end < len(m.Text) && isDigit(m.Text[end]) {
		end++
	}
	m.At = end
	return m.Text[begin:end]
}

// Year reads a year: four digits, or more without a leading zero.
func (m *ISO) Year() (digits []byte, negative bool) {
	if m.At < len(m.Text) && m.Text[m.At] == '-' {
		negative = true
		m.At++
	}
	digits = m.digits()
	m.Bad = m.Bad || len(digits) < 4 || len(digits) > 4 && digits[0] == '0'
	return digits, negative && string(digits) != "0000"
}

// Date reads a day of the calendar.
func (m *ISO) Date() (year []byte, negative bool, month, day int) {
	year, negative = m.Year()
	m.Literal('-')
	month = m.Two(1, 12)
	m.Literal('-')
	day = m.Two(1, 31)
	m.Bad = m.Bad || day > 28 && day > DaysIn(CycleYear(year), month)
	return year, negative, month, day
}

// Clock reads a time of day. The end of the day is hour 24. The fraction of a second is without its point and the zeros
// at its end.
func (m *ISO) Clock() (hour, minute, second int, fraction []byte) {
	hour = m.Two(0, 24)
	m.Literal(':')
	minute = m.Two(0, 59)
	m.Literal(':')
	second = m.Two(0, 59)
	if m.At < len(m.Text) && m.Text[m.At] == '.' {
		m.At++
		fraction = m.digits()
		m.Bad = m.Bad || len(fraction) == 0
		fraction = bytes.TrimRight(fraction, "0")
	}
	m.Bad = m.Bad || hour == 24 && (minute != 0 || second != 0 || len(fraction) > 0)
	return hour, minute, second, fraction
}

// Zone reads the timezone, which must be all that is left and may be missing. It gives the offset in minutes.
func (m *ISO) Zone() (offset int) {
	if m.At >= len(m.Text) {
		m.Bad = m.Bad || m.At > len(m.Text)
		return 0
	}
	sign := m.Text[m.At]
	m.At++
	if sign != 'Z' {
		hours := m.Two(0, 14)
		m.Literal(':')
		offset = hours*60 + m.Two(0, 59)
		m.Bad = m.Bad || sign != '+' && sign != '-' || offset > 14*60
	}
	m.Bad = m.Bad || m.At != len(m.Text)
	if sign == '-' {
		return -offset
	}
	return offset
}

// CycleYear is the year of the last four digits of a year. Its leap years are those of the whole, since 10,000 is a
// multiple of 400; the sign does not matter.
func CycleYear(digits []byte) (year int) {
	for _, b := range digits[max(len(digits)-4, 0):] {
		year = year*10 + int(b-'0')
	}
	return year
}

// DaysIn is the length of a month in the Gregorian calendar.
func DaysIn(year, month int) int {
	switch {
	case month != 2:
		return 30 + (month+month/8)%2
	case year%4 == 0 && (year%100 != 0 || year%400 == 0):
		return 29
	}
	return 28
}

func isDigit(b byte) bool { return b-'0' <= 9 }
