package article

import (
	"strconv"
	"strings"
	"time"
	"unicode"
)

// ParseDate reads a date as pages and feeds write it. It knows ISO 8601 in its many dresses, RFC 822, RFC 2822 and
// what JavaScript prints. It also knows a count of seconds or milliseconds, and English dates with the month as a
// word. The result is ISO 8601: in UTC to the second (2013-04-09T02:26:00Z); without Z where the zone isn't known;
// the date alone where no time is. It never adds what is not there. Not ok for what has two readings (03/04/2013).
// Neither is it for what no article was published on: the year 1, the beginning of Unix time, the future.
func ParseDate(s string) (date string, ok bool) {
	s = strings.TrimSpace(s)
	if len(s) < 8 || len(s) > 80 {
		return "", false
	}
	d := parseDigits(s)
	if d == nil {
		d = parseWords(s)
	}
	if d == nil || !d.isSound() || d.time().After(time.Now().Add(ahead)) {
		return "", false
	}
	return d.String(), true
}

// ahead is how far a date may be in the future: clocks differ, and a day begins earlier in the east.
const ahead = 36 * time.Hour

// instant is a date that may have a time, which may have a zone.
type instant struct {
	year, month, day     int
	hour, minute, second int
	hasTime, hasZone     bool
	offset               int // of the zone, in minutes
}

func (d *instant) time() time.Time {
	return time.Date(d.year, time.Month(d.month), d.day, d.hour, d.minute-d.offset, min(d.second, 59), 0, time.UTC)
}

func (d *instant) isSound() bool {
	if d.year < 1000 || d.year > 2999 || d.month < 1 || d.month > 12 || d.day < 1 || d.hour > 24 || d.minute > 59 || d.second > 60 ||
		d.hour == 24 && d.minute+d.second > 0 {
		return false
	}
	if t := time.Date(d.year, time.Month(d.month), d.day, 0, 0, 0, 0, time.UTC); t.Day() != d.day || d.offset < -15*60 || d.offset > 15*60 {
		return false
	}
	return !(d.year == 1970 && d.month == 1 && d.day == 1 && d.hour+d.minute+d.second == 0)
}

func (d *instant) String() string {
	switch t := d.time(); {
	case !d.hasTime:
		return t.Format("2006-01-02")
	case !d.hasZone:
		return t.Format("2006-01-02T15:04:05")
	default:
		return t.Format("2006-01-02T15:04:05Z")
	}
}

// cursor goes through the text of a date.
type cursor struct{ rest string }

// digits takes a number of so many digits; -1 if there is none.
func (c *cursor) digits(least, most int) int {
	n := 0
	for n < len(c.rest) && '0' <= c.rest[n] && c.rest[n] <= '9' {
		n++
	}
	if n < least || n > most {
		return -1
	}
	value, err := strconv.Atoi(c.rest[:n])
	if err != nil {
		return -1
	}
	c.rest = c.rest[n:]
	return value
}

// any takes one of the characters; 0 if none is next.
func (c *cursor) any(of string) byte {
	if c.rest == "" || strings.IndexByte(of, c.rest[0]) < 0 {
		return 0
	}
	b := c.rest[0]
	c.rest = c.rest[1:]
	return b
}

func (c *cursor) space() { c.rest = strings.TrimLeft(c.rest, " \t\u00a0") }

// parseDigits reads a date that begins with digits; nil if it is none.
func parseDigits(s string) *instant {
	n := 0
	for n < len(s) && '0' <= s[n] && s[n] <= '9' {
		n++
	}
	c := cursor{s}
	d := &instant{}
	switch {
	case n == len(s) && (n == 10 || n == 13):
		return parseUnix(s)
	case n == 8 || n == 14 || n == 12: // 20130409, 20130409022600
		d.year, d.month, d.day = number(s[:4]), number(s[4:6]), number(s[6:8])
		c.rest = s[8:]
		if n > 8 {
			d.hasTime = true
			d.hour, d.minute = number(s[8:10]), number(s[10:12])
			c.rest = s[12:]
			if n == 14 {
				d.second = number(s[12:14])
				c.rest = s[14:]
			}
			return c.zone(d)
		}
	case n == 4:
		d.year = c.digits(4, 4)
		sign := c.any("-/.")
		if sign == 0 {
			return nil
		}
		d.month = c.digits(1, 2)
		if c.any(string(sign)) == 0 {
			return nil
		}
		d.day = c.digits(1, 2)
	case n == 1 || n == 2:
		if d = c.dayOrMonth(); d == nil {
			return nil
		}
	default:
		return nil
	}
	return c.clock(d)
}

func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return -1
	}
	return n
}

// parseUnix reads a count of seconds or milliseconds. Ten digits that are a moment in the future are a day and its
// hour.
func parseUnix(s string) *instant {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return nil
	}
	if len(s) == 13 {
		n /= 1000
	}
	t := time.Unix(n, 0).UTC()
	if len(s) == 10 && t.After(time.Now().Add(ahead)) {
		return &instant{year: number(s[:4]), month: number(s[4:6]), day: number(s[6:8]), hour: number(s[8:]), hasTime: true}
	}
	return &instant{year: t.Year(), month: int(t.Month()), day: t.Day(), hour: t.Hour(), minute: t.Minute(), second: t.Second(),
		hasTime: true, hasZone: true}
}

// dayOrMonth takes 9.4.2013, which has one reading, or 25/12/2013; nil for 03/04/2013, and what is no date.
func (c *cursor) dayOrMonth() *instant {
	a := c.digits(1, 2)
	sign := c.any("./-")
	if sign == 0 {
		return nil
	}
	c.space()
	b := c.digits(1, 2)
	if c.any(string(sign)) == 0 {
		return nil
	}
	c.space()
	year := c.digits(4, 4)
	switch {
	case sign == '.', a > 12, a == b:
		return &instant{year: year, month: b, day: a}
	case b > 12:
		return &instant{year: year, month: a, day: b}
	}
	return nil
}

// clock takes the time behind a date, and its zone; nil if something else follows.
func (c *cursor) clock(d *instant) *instant {
	spaced := c.rest
	c.space()
	c.any(",")
	c.space()
	if c.rest == "" {
		return d
	}
	if c.any("Tt") == 0 && len(spaced) == len(c.rest) {
		if z := c.any("Zz"); z != 0 && c.rest == "" {
			return d // a date with a zone
		}
		return nil
	}
	c.word("at")
	c.space()
	return c.timeOfDay(d)
}

// timeOfDay takes a time and its zone.
func (c *cursor) timeOfDay(d *instant) *instant {
	d.hasTime = true
	if d.hour = c.digits(1, 2); d.hour < 0 {
		before := len(c.rest)
		all := c.digits(4, 6) // 0226, 022600
		if n := before - len(c.rest); n == 6 {
			d.second = all % 100
			all /= 100
		} else if n != 4 {
			return nil
		}
		d.hour, d.minute = all/100, all%100
		return c.zone(d)
	}
	if c.any(":.") != 0 {
		if d.minute = c.digits(1, 2); d.minute < 0 {
			return nil
		}
		if c.any(":.") != 0 {
			if d.second = c.digits(1, 2); d.second < 0 {
				return nil
			}
			if c.any(".,:") != 0 && c.digits(1, 18) < 0 {
				return nil
			}
		}
	} else if !startsWithHalf(c.rest) {
		return nil
	}
	c.space()
	switch half := strings.ToLower(strings.ReplaceAll(c.rest[:min(len(c.rest), 4)], ".", "")); {
	case strings.HasPrefix(half, "am") || strings.HasPrefix(half, "pm"):
		if d.hour < 1 || d.hour > 12 {
			return nil
		}
		d.hour = d.hour%12 + 12*strings.Count(half[:1], "p")
		c.rest = strings.TrimLeft(c.rest, "aApPmM.")
	}
	return c.zone(d)
}

func startsWithHalf(s string) bool {
	s = strings.ToLower(strings.TrimSpace(s))
	return strings.HasPrefix(s, "am") || strings.HasPrefix(s, "pm") || strings.HasPrefix(s, "a.m") || strings.HasPrefix(s, "p.m")
}

// zones are those of RFC 822, and the few others that feeds have, in hours. Of IST and BST there are several.
var zones = map[string]int{"z": 0, "gmt": 0, "ut": 0, "utc": 0, "wet": 0, "est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7, "mdt": -6,
	"pst": -8, "pdt": -7, "cet": 1, "met": 1, "mest": 2, "cest": 2, "mez": 1, "mesz": 2, "eet": 2, "eest": 3, "msk": 3, "jst": 9, "kst": 9,
	"akst": -9, "akdt": -8, "hst": -10}

// zone takes the zone at the end; nil if something else follows.
func (c *cursor) zone(d *instant) *instant {
	c.space()
	if c.rest == "" {
		return d
	}
	n := 0
	for n < len(c.rest) && unicode.IsLetter(rune(c.rest[n])) {
		n++
	}
	if n > 0 {
		name := strings.ToLower(c.rest[:n])
		rest := c.rest[n:]
		if name == "etc" && strings.HasPrefix(rest, "/") {
			return c.etc(d, rest[1:])
		}
		hours, known := zones[name]
		switch {
		case known:
			d.hasZone, d.offset = true, hours*60
		case !isZoneName(c.rest):
			return nil
		}
		c.rest = rest
		if !known { // it says nothing: RFC 2822 §4.3
			c.rest = strings.TrimLeftFunc(c.rest, func(r rune) bool { return unicode.IsLetter(r) || r == '/' || r == '_' })
		}
		c.space()
	}
	if sign := c.any("+-"); sign != 0 {
		c.space()
		before := len(c.rest)
		h := c.digits(1, 4)
		switch {
		case h < 0:
			return nil
		case before-len(c.rest) > 2:
			d.offset = h/100*60 + h%100
		default:
			d.offset = h * 60
			if c.any(":.") != 0 {
				m := c.digits(2, 2)
				if m < 0 || m > 59 {
					return nil
				}
				d.offset += m
			}
		}
		if sign == '-' {
			d.offset = -d.offset
		}
		d.hasZone = true
		c.space()
	}
	if strings.HasPrefix(c.rest, "(") && strings.HasSuffix(c.rest, ")") || strings.HasPrefix(c.rest, "[") &&
		strings.HasSuffix(c.rest, "]") {
		c.rest = "" // the zone by its name once more
	}
	if c.rest != "" {
		return nil
	}
	return d
}

// isZoneName says that a text begins with what may name a zone: a few letters, or a region and a city.
func isZoneName(s string) bool {
	name, _, _ := strings.Cut(s, " ")
	name, _, _ = strings.Cut(name, "(")
	name = strings.TrimRight(strings.TrimRight(name, "0123456789:"), "+-")
	region, city, isCity := strings.Cut(name, "/")
	letters := func(s string) bool {
		return s != "" && strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && r != '_' && r != '/' && r != '-' }) < 0
	}
	if isCity {
		return letters(region) && letters(city)
	}
	return letters(name) && len(name) <= 5
}

// etc takes a zone by its name in the database of zones, where signs are those of POSIX: Etc/GMT+5 is behind.
func (c *cursor) etc(d *instant, name string) *instant {
	c.rest = name
	if c.letters(); c.rest == "" {
		d.hasZone, d.offset = true, 0
		return d
	}
	sign := c.any("+-")
	hours := c.digits(1, 2)
	if sign == 0 || hours < 0 || c.rest != "" {
		return nil
	}
	d.hasZone, d.offset = true, hours*60
	if sign == '+' {
		d.offset = -d.offset
	}
	return d
}

var months = []string{"january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
	"december"}

// month is the number of an English name or of its first letters; 0 if it is none.
func month(s string) int {
	s = strings.ToLower(strings.TrimRight(s, "."))
	for i, name := range months {
		if len(s) >= 3 && strings.HasPrefix(name, s) || s == "sept" && i == 8 {
			return i + 1
		}
	}
	return 0
}

var days = []string{"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"}

func isDay(s string) bool {
	s = strings.ToLower(strings.TrimRight(s, ".,"))
	for _, name := range days {
		if len(s) >= 3 && strings.HasPrefix(name, s) {
			return true
		}
	}
	return strings.HasPrefix(s, "tues") || strings.HasPrefix(s, "thur")
}

// word takes a word if it is next.
func (c *cursor) word(w string) bool {
	if len(c.rest) >= len(w) && strings.EqualFold(c.rest[:len(w)], w) {
		c.rest = c.rest[len(w):]
		return true
	}
	return false
}

// letters takes the word that is next.
func (c *cursor) letters() string {
	n := 0
	for n < len(c.rest) && 'a' <= c.rest[n]|0x20 && c.rest[n]|0x20 <= 'z' {
		n++
	}
	w := c.rest[:n]
	c.rest = c.rest[n:]
	return w
}

func (c *cursor) apart() {
	for c.any(" \t,-./") != 0 {
	}
}

// parseWords reads a date whose month is a word: Tue, 09 Apr 2013 02:26:00 GMT; April 9, 2013; Mon Apr 8 22:26:00 2013.
func parseWords(s string) *instant {
	c := &cursor{s}
	d := &instant{}
	word := c.letters()
	if isDay(word) {
		c.apart()
		if d := parseDigits(c.rest); d != nil && len(c.rest) > 8 {
			return d
		}
		word = c.letters()
	}
	if word != "" {
		if d.month = month(word); d.month == 0 {
			return nil
		}
		c.apart()
	}
	if d.day = c.digits(1, 2); d.day < 0 {
		return nil
	}
	for _, ending := range []string{"st", "nd", "rd", "th"} {
		if c.word(ending) {
			break
		}
	}
	c.apart()
	if d.month == 0 {
		if d.month = month(c.letters()); d.month == 0 {
			return nil
		}
		c.apart()
	}
	if len(c.rest) > 2 && c.rest[2] == ':' { // the year stands behind the time
		clock, rest, _ := strings.Cut(c.rest, " ")
		t := &cursor{clock}
		if d = t.timeOfDay(d); d == nil {
			return nil
		}
		c.rest = strings.TrimSpace(rest)
		if year := c.digits(4, 4); year >= 0 {
			d.year = year
			return c.zone(d)
		}
		zone, rest, _ := strings.Cut(c.rest, " ")
		z := &cursor{zone}
		c.rest = strings.TrimSpace(rest)
		if d = z.zone(d); d == nil {
			return nil
		}
		d.year = c.digits(4, 4)
		return d
	}
	if d.year = c.digits(4, 4); d.year < 0 {
		if d.year = c.digits(2, 2); d.year < 0 {
			return nil
		}
		d.year += 1900
		if d.year < 1970 {
			d.year += 100 // RFC 2822 §4.3 has 50 here; no feed is older than Unix
		}
	}
	c.apart()
	if c.rest == "" {
		return d
	}
	c.word("at ")
	c.space()
	return c.timeOfDay(d)
}
