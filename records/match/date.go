package match

import (
	"strings"
	"time"

	"laundromat/internal/pattern"
)

// dateLayouts are the forms of a date that have a single reading, beside those of numbers.
var dateLayouts = []string{"2006-01-02", "2006-1-2", "2006/01/02", "2006/1/2", "2006.01.02", "20060102",
	"2 January 2006", "2 Jan 2006", "January 2 2006", "Jan 2 2006", "2-Jan-2006", "2-January-2006", "2006 January 2", "2006 Jan 2",
	"2006-Jan-2"}

// timeLayouts are the forms of a time of the day.
var timeLayouts = []string{"15:04:05.999999999", "15:04", "15", "3:04:05 PM", "3:04 PM", "3 PM", "3:04:05PM", "3:04PM", "3PM"}

var (
	ordinal   = pattern.New(`(\d)(st|nd|rd|th)\b`)
	weekday   = pattern.New(`(?i)^(mon|tues?|wed(nes)?|thu(rs)?|fri|sat(ur)?|sun)(day)?\.?,?\s+`)
	zoneEnd   = pattern.New(`(?i)\s*(z|utc|gmt|[+-]\d{2}:?\d{2}|[+-]\d{2})$`)
	timeBegin = pattern.New(`^(.*\d)(?:[tT]|,?\s+(?:at\s+)?)(\d{1,2}(?::\d{2}(?::\d{2}(?:\.\d{1,9})?)?)?(?:\s*[aApP]\.?[mM]\.?)?)$`)
	dayMonth  = pattern.New(`^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$`)
	halfDay   = pattern.New(`(?i)\s*([ap])\.?m\.?$`)
)

// parseDate reads a date that has a single reading, and writes it in ISO 8601 in UTC, to the
// second. A date without a time is 00:00:00Z of that day. zone is false for a time without one.
func parseDate(text string) (iso string, zone, ok bool) {
	if len(text) > 64 {
		return "", true, false
	}
	s := strings.Join(strings.Fields(text), " ")
	s = weekday.ReplaceAllString(s, "")
	s = ordinal.ReplaceAllString(s, "$1")
	if day, ok := parseDay(s); ok {
		return day.Format(time.RFC3339), true, true
	}
	offset := 0
	if m := zoneEnd.FindStringSubmatch(s); m != nil && strings.Contains(s[:len(s)-len(m[0])], ":") {
		offset, zone = zoneOffset(m[1]), true
		s = s[:len(s)-len(m[0])]
	}
	m := timeBegin.FindStringSubmatch(s)
	if m == nil || !strings.ContainsAny(m[2], ":aApP") {
		return "", true, false
	}
	day, ok := parseDay(strings.TrimSuffix(m[1], ","))
	if !ok {
		return "", true, false
	}
	clock := halfDay.Regexp().ReplaceAllStringFunc(m[2], func(s string) string {
		return " " + strings.ToUpper(strings.Trim(s, " .")[:1]) + "M"
	})
	for _, layout := range timeLayouts {
		if t, err := time.Parse(layout, clock); err == nil {
			sum := day.Add(time.Duration(t.Hour())*time.Hour + time.Duration(t.Minute())*time.Minute +
				time.Duration(t.Second()-offset)*time.Second)
			return sum.UTC().Format(time.RFC3339), zone, true
		}
	}
	return "", true, false
}

// parseDay reads a day. Of day and month in numbers, one must be over 12, or both the same.
func parseDay(s string) (time.Time, bool) {
	if m := dayMonth.FindStringSubmatch(s); m != nil {
		a, b := atoi(m[1]), atoi(m[2])
		if a <= 12 && b <= 12 && a != b {
			return time.Time{}, false
		}
		if b > 12 {
			a, b = b, a
		}
		t := time.Date(atoi(m[3]), time.Month(b), a, 0, 0, 0, 0, time.UTC)
		return t, t.Day() == a && b >= 1 && b <= 12
	}
	plain := strings.Join(strings.Fields(strings.NewReplacer(",", " ", "Sept ", "Sep ", ". ", " ").Replace(s)), " ")
	for _, layout := range dateLayouts {
		if t, err := time.Parse(layout, plain); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

func atoi(s string) (n int) {
	for i := 0; i < len(s); i++ {
		n = n*10 + int(s[i]-'0')
	}
	return n
}

// zoneOffset is how many seconds a zone is before UTC.
func zoneOffset(zone string) int {
	if zone[0] != '+' && zone[0] != '-' {
		return 0
	}
	digits := strings.ReplaceAll(zone[1:], ":", "")
	seconds := atoi(digits[:2]) * 3600
	if len(digits) == 4 {
		seconds += atoi(digits[2:]) * 60
	}
	if zone[0] == '-' {
		return -seconds
	}
	return seconds
}
