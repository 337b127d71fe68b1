package schema

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"laundromat/internal/dates"
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
		iso, why := readDate(f.pattern, v.Text, f.kind)
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
		return "it isn't a date as YYYY-MM-DD"
	case "time":
		return "it isn't a time as hh:mm:ss"
	}
	return "it isn't a datetime as YYYY-MM-DDThh:mm:ssZ"
}

func isISO(kind, s string) bool {
	_, ok := moment(kind, s)
	return ok
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
	if _, ok := dates.Digits(s); !ok || len(s) != 4 {
		return "it isn't a year of four digits"
	}
	v.Kind = records.Number
	v.Text, _ = integerOf(v.Text, true)
	return ""
}

func castYearMonth(_ *field, v *records.Value) string {
	if v.Kind == records.Text && isISO("yearmonth", v.Text) {
		return ""
	}
	return "it isn't a month as YYYY-MM"
}

func castDuration(_ *field, v *records.Value) string {
	if v.Kind == records.Text {
		if _, ok := durationOf(v.Text); ok {
			return ""
		}
	}
	return "it isn't a duration as P1Y2M3DT4H5M6S"
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
func moment(kind, s string) (at instant, ok bool) {
	switch kind {
	case "duration":
		return durationOf(s)
	case "yearmonth":
		kind, s = "date", s+"-01"
	}
	m := dates.ISO{Text: []byte(s)}
	if kind != "time" {
		year, negative, month, day := m.Date()
		if m.Bad || negative || len(year) != 4 {
			return at, false
		}
		at.seconds = time.Date(dates.CycleYear(year), time.Month(month), day, 0, 0, 0, 0, time.UTC).Unix()
	}
	if kind == "datetime" {
		m.Literal('T')
	}
	if kind != "date" {
		hour, minute, second, fraction := m.Clock()
		at.fraction = string(fraction)
		at.seconds += int64(hour*3600 + minute*60 + second - 60*m.Zone())
	}
	return at, !m.Bad && m.At == len(m.Text)
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
			if _, ok := dates.Digits(fraction); !ok || !found {
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
