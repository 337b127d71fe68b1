package article

import (
	"time"

	"laundromat/internal/dates"
)

// ParseDate reads a date as pages and feeds write it ([dates.ReadAny]). The result is ISO 8601: in UTC to the second
// (2013-04-09T02:26:00Z); without Z where the zone isn't known; the date alone where no time is. Not ok for what no
// article was published on: a year of less than four digits, the beginning of Unix time, the future.
func ParseDate(s string) (date string, ok bool) {
	d, ok := dates.ReadAny(s)
	if !ok || d.Year < 1000 || d.Year > 2999 || d.Time().After(time.Now().Add(dates.Ahead)) {
		return "", false
	}
	if d.Year == 1970 && d.Month == 1 && d.Day == 1 && d.Hour+d.Minute+d.Second == 0 {
		return "", false
	}
	switch t := d.Time(); {
	case !d.HasTime:
		return t.Format("2006-01-02"), true
	case !d.HasZone:
		return t.Format("2006-01-02T15:04:05"), true
	default:
		return t.Format("2006-01-02T15:04:05Z"), true
	}
}
