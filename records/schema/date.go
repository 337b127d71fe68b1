package schema

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"laundromat/records"
)

// castDate reads a date, a time or a datetime. What is read by a pattern or by "any" is
// written in ISO 8601.
func castDate(f *field, v *records.Value) string {
	if v.Kind != records.Text {
		return "it is " + article(v.Kind) + ", no text of a " + f.kind
	}
	switch {
	case f.pattern != nil:
		iso, why := f.pattern.read(v.Text, f.kind)
		if why == "" {
			v.Text = iso
		}
		return why
	case f.format == "any":
		iso, why := anyDate(v.Text, f.kind)
		if why == "" {
			v.Text = iso
		}
		return why
	}
	if isISO(f.kind, v.Text) {
		return ""
	}
	switch f.kind {
	case "date":
		return "it is no date as YYYY-MM-DD"
	case "time":
		return "it is no time as hh:mm:ss"
	}
	return "it is no datetime as YYYY-MM-DDThh:mm:ssZ"
}

func isISO(kind, s string) bool {
	switch kind {
	case "date":
		return len(s) == 10 && isoDate(s)
	case "time":
		return isoTime(s)
	}
	return len(s) > 10 && isoDate(s) && s[10] == 'T' && isoTime(s[11:])
}

// isoDate says that s begins with a date as YYYY-MM-DD.
func isoDate(s string) bool {
	if len(s) < 10 || s[4] != '-' || s[7] != '-' {
		return false
	}
	y, ok := digits(s[:4])
	m, ok2 := digits(s[5:7])
	d, ok3 := digits(s[8:10])
	return ok && ok2 && ok3 && isDay(y, m, d)
}

func isDay(y, m, d int) bool {
	return 1 <= m && m <= 12 && 1 <= d && d <= daysIn(y, m)
}

func daysIn(y, m int) int {
	switch m {
	case 4, 6, 9, 11:
		return 30
	case 2:
		if y%4 == 0 && (y%100 != 0 || y%400 == 0) {
			return 29
		}
		return 28
	}
	return 31
}

// digits reads a number of digits alone.
func digits(s string) (n int, ok bool) {
	for i := range len(s) {
		c := s[i] - '0'
		if c > 9 {
			return 0, false
		}
		n = n*10 + int(c)
	}
	return n, s != ""
}

// isoTime says that s is a time as hh:mm:ss, perhaps with a fraction and a time zone.
func isoTime(s string) bool {
	if len(s) < 8 || s[2] != ':' || s[5] != ':' {
		return false
	}
	h, ok := digits(s[:2])
	m, ok2 := digits(s[3:5])
	sec, ok3 := digits(s[6:8])
	if !ok || !ok2 || !ok3 || m > 59 || sec > 59 || h > 24 || h == 24 && m+sec > 0 {
		return false
	}
	rest := s[8:]
	if rest != "" && rest[0] == '.' {
		fraction := rest[1:]
		n := 0
		for n < len(fraction) && fraction[n]-'0' <= 9 {
			n++
		}
		if n == 0 || h == 24 && strings.Trim(fraction[:n], "0") != "" {
			return false
		}
		rest = fraction[n:]
	}
	return rest == "" || isZone(rest)
}

// isZone says that s is Z or an offset as +hh:mm, of at most 14 hours.
func isZone(s string) bool {
	if s == "Z" {
		return true
	}
	if len(s) != 6 || s[0] != '+' && s[0] != '-' || s[3] != ':' {
		return false
	}
	h, ok := digits(s[1:3])
	m, ok2 := digits(s[4:6])
	return ok && ok2 && m < 60 && (h < 14 || h == 14 && m == 0)
}

// castYear reads a year of four digits, perhaps with a minus; it becomes a number.
func castYear(_ *field, v *records.Value) string {
	if v.Kind == records.Number && plainInteger(v.Text) && len(strings.TrimPrefix(v.Text, "-")) <= 4 {
		return ""
	}
	if v.Kind != records.Text {
		return "it is " + article(v.Kind) + ", no year"
	}
	s := strings.TrimPrefix(v.Text, "-")
	if _, ok := digits(s); !ok || len(s) != 4 {
		return "it is no year of four digits"
	}
	v.Kind = records.Number
	v.Text, _ = integerOf(v.Text, true)
	return ""
}

func castYearMonth(_ *field, v *records.Value) string {
	if v.Kind == records.Text && len(v.Text) == 7 && isoDate(v.Text+"-01") {
		return ""
	}
	return "it is no month as YYYY-MM"
}

func castDuration(_ *field, v *records.Value) string {
	if v.Kind == records.Text {
		if _, ok := durationOf(v.Text); ok {
			return ""
		}
	}
	return "it is no duration as P1Y2M3DT4H5M6S"
}

// instant is a place in time, or a length of it: whole seconds and the digits after them.
type instant struct {
	seconds  int64
	fraction string
}

func (a instant) compare(b instant) int {
	if a.seconds != b.seconds {
		return cmp.Compare(a.seconds, b.seconds)
	}
	return strings.Compare(strings.TrimRight(a.fraction, "0"), strings.TrimRight(b.fraction, "0"))
}

// moment reads what has the ISO form of its type, to be ordered. Without a time zone it is
// taken for UTC.
func moment(kind, s string) (instant, bool) {
	switch kind {
	case "duration":
		return durationOf(s)
	case "yearmonth":
		return moment("date", s+"-01")
	case "date":
		if !isISO("date", s) {
			return instant{}, false
		}
		return instant{seconds: dayOf(s)}, true
	case "datetime":
		if !isISO("datetime", s) {
			return instant{}, false
		}
		at := timeOf(s[11:])
		at.seconds += dayOf(s)
		return at, true
	}
	if !isoTime(s) {
		return instant{}, false
	}
	return timeOf(s), true
}

func dayOf(s string) int64 {
	y, _ := digits(s[:4])
	m, _ := digits(s[5:7])
	d, _ := digits(s[8:10])
	return time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC).Unix()
}

func timeOf(s string) (at instant) {
	h, _ := digits(s[:2])
	m, _ := digits(s[3:5])
	sec, _ := digits(s[6:8])
	at.seconds = int64(h*3600 + m*60 + sec)
	rest := s[8:]
	if rest != "" && rest[0] == '.' {
		end := 1
		for end < len(rest) && rest[end]-'0' <= 9 {
			end++
		}
		at.fraction, rest = rest[1:end], rest[end:]
	}
	if len(rest) == 6 {
		h, _ := digits(rest[1:3])
		m, _ := digits(rest[4:6])
		if offset := int64(h*3600 + m*60); rest[0] == '+' {
			at.seconds -= offset
		} else {
			at.seconds += offset
		}
	}
	return at
}

// durationOf reads a duration of XML Schema. To be ordered, a month has the mean length of
// the Gregorian calendar, 30.436875 days.
func durationOf(s string) (length instant, ok bool) {
	negative := strings.HasPrefix(s, "-")
	s, found := strings.CutPrefix(strings.TrimPrefix(s, "-"), "P")
	days, clock, timed := strings.Cut(s, "T")
	if !found || days == "" && clock == "" || timed && clock == "" ||
		!length.add(days, dayUnits) || !length.add(clock, clockUnits) {
		return instant{}, false
	}
	if negative {
		length.seconds = -length.seconds
	}
	return length, true
}

// add adds numbers with the letters of units, each at most once and in their order.
func (length *instant) add(s string, units []timeUnit) bool {
	for s != "" {
		end := strings.IndexFunc(s, func(r rune) bool { return r < '0' || r > '9' })
		if end < 1 {
			return false
		}
		n, err := strconv.ParseInt(s[:end], 10, 32)
		s = s[end:]
		if s[0] == '.' {
			fraction, found := strings.CutSuffix(s[1:], "S")
			if _, ok := digits(fraction); !ok || !found {
				return false
			}
			length.fraction, s = fraction, "S"
		}
		for len(units) > 0 && units[0].letter != s[0] {
			units = units[1:]
		}
		if err != nil || len(units) == 0 {
			return false
		}
		length.seconds += n * units[0].seconds
		units, s = units[1:], s[1:]
	}
	return true
}

// timeUnit is a letter of a duration and its length.
type timeUnit struct {
	letter  byte
	seconds int64
}

var (
	dayUnits   = []timeUnit{{'Y', 31556952}, {'M', 2629746}, {'D', 86400}}
	clockUnits = []timeUnit{{'H', 3600}, {'M', 60}, {'S', 1}}
)
