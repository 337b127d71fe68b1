package dates

import (
	"fmt"
	"time"
)

// Parts are what a pattern read; numbers that it did not read are -1.
type Parts struct {
	ShortYear                                int // of two digits
	year, month, day, yearDay                int
	hour, hour12, minute, second             int
	half                                     int // 0 before noon, 1 after
	weekday                                  int // 1 is Monday
	isoYear, isoWeek, weekSunday, weekMonday int
	Fraction                                 string // the digits of a fraction of a second
	// Offset is that of the zone in seconds, where HasOffset. UTC says that the zone was named: Z, UTC or GMT.
	Offset         int
	HasOffset, UTC bool
	Zone           string // of %Z, folded
	Epoch          int64  // of %s
}

// PosixPivot is that of POSIX, strptime: 69 to 99 are of the 1900s.
const PosixPivot = 69

// Year is the year. Of two digits those from pivot on are of the 1900s.
func (d *Parts) Year(pivot int) int {
	if d.year >= 0 || d.ShortYear < 0 {
		return d.year
	}
	if d.ShortYear >= pivot {
		return 1900 + d.ShortYear
	}
	return 2000 + d.ShortYear
}

// Day is the day of a date in that year; why says that there is none.
func (d *Parts) Day(year int) (day time.Time, why string) {
	month := max(d.month, 1)
	switch {
	case d.isoWeek >= 0:
		// The fourth of January is in the first week (ISO 8601).
		fourth := time.Date(d.isoYear, 1, 4, 0, 0, 0, 0, time.UTC)
		day = fourth.AddDate(0, 0, 7*(d.isoWeek-1)+d.weekday-isoWeekday(fourth))
		if y, w := day.ISOWeek(); y != d.isoYear || w != d.isoWeek {
			return day, fmt.Sprintf("the year %d has no week %d", d.isoYear, d.isoWeek)
		}
	case d.weekMonday >= 0 || d.weekSunday >= 0:
		first := time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC)
		week, start, weekday := d.weekMonday, isoWeekday(first)-1, d.weekday-1
		if week < 0 {
			week, start, weekday = d.weekSunday, int(first.Weekday()), d.weekday%7
		}
		// Week 1 begins on the first Monday, or Sunday; what is before it is week 0.
		day = first.AddDate(0, 0, (7-start)%7+7*(week-1)+weekday)
		if day.Year() != year {
			return day, fmt.Sprintf("the year %d has no such week and day", year)
		}
	case d.yearDay >= 0:
		if day = time.Date(year, 1, d.yearDay, 0, 0, 0, 0, time.UTC); day.Year() != year {
			return day, fmt.Sprintf("the year %d has no day %d", year, d.yearDay)
		}
	default:
		number := max(d.day, 1)
		if day = time.Date(year, time.Month(month), number, 0, 0, 0, 0, time.UTC); day.Day() != number {
			return day, fmt.Sprintf("%s %d has no day %d", time.Month(month), year, number)
		}
	}
	if d.weekday >= 0 && d.day >= 0 && isoWeekday(day) != d.weekday {
		return day, fmt.Sprintf("that day is a %s, and another weekday is beside it", day.Weekday())
	}
	return day, ""
}

// isoWeekday is 1 on Monday.
func isoWeekday(t time.Time) int { return (int(t.Weekday())+6)%7 + 1 }

// Clock is the time of day in whole seconds; why says that there is none.
func (d *Parts) Clock() (seconds int, why string) {
	hour := max(d.hour, 0)
	if d.hour12 >= 0 {
		hour = d.hour12%12 + 12*d.half
	} else if d.half >= 0 {
		// With %H the half of the day is beside hours up to 24, where it must agree.
		switch {
		case hour >= 1 && hour <= 12:
			hour = hour%12 + 12*d.half
		case (hour > 12) != (d.half == 1):
			return 0, fmt.Sprintf("the hour %d is not in that half of the day", hour)
		}
	}
	if hour == 24 && (d.minute > 0 || d.second > 0) {
		return 0, "the day ends at 24:00:00"
	}
	return hour*3600 + max(d.minute, 0)*60 + max(d.second, 0), ""
}
