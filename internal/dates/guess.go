package dates

import (
	"strconv"
	"strings"
	"time"
	"unicode"
)

// Guess is a date as a person or a program wrote it. It may have a time, which may have a zone. What a caller may not
// want to take is marked.
type Guess struct {
	Year, Month, Day     int
	Hour, Minute, Second int
	HasTime, HasZone     bool
	Offset               int // of the zone, in minutes

	IsCount   bool // digits alone, of a day with its time or of the time since 1970
	ShortYear bool // the year has two digits
	Dotted    bool // the numbers of day and month, with dots, could be taken for each other
	OtherZone bool // a zone is named that is not known
}

// ReadAny reads a date whose form is not known. It knows ISO 8601 in its many dresses, RFC 822, RFC 2822 and
// what JavaScript prints. It also knows a count of seconds or milliseconds, and English dates with the month as a
// word. It never adds what is not there. Not ok for what has two readings (03/04/2013), and for what no calendar has.
func ReadAny(s string) (d Guess, ok bool) {
	if s = strings.TrimSpace(s); len(s) < 8 || len(s) > 80 {
		return d, false
	}
	found := parseDigits(s)
	if found == nil {
		found = parseWords(s)
	}
	if found == nil || !found.exists() {
		return d, false
	}
	return *found, true
}

// Time is the moment; without a zone as if it were UTC, without a time the beginning of the day.
func (d *Guess) Time() time.Time {
	return time.Date(d.Year, time.Month(d.Month), d.Day, d.Hour, d.Minute-d.Offset, min(d.Second, 59), 0, time.UTC)
}

func (d *Guess) exists() bool {
	switch {
	case d.Year < 1, d.Month < 1, d.Month > 12, d.Day < 1, d.Day > DaysIn(d.Year, d.Month):
		return false
	case d.Hour > 24, d.Minute > 59, d.Second > 60, d.Hour == 24 && d.Minute+d.Second > 0:
		return false
	}
	return -15*60 <= d.Offset && d.Offset <= 15*60
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
func parseDigits(s string) *Guess {
	n := 0
	for n < len(s) && '0' <= s[n] && s[n] <= '9' {
		n++
	}
	c := cursor{s}
	d := &Guess{}
	switch {
	case n == len(s) && (n == 10 || n == 13):
		return parseUnix(s)
	case n == 8 || n == 14 || n == 12: // 20130409, 20130409022600
		d.Year, d.Month, d.Day = numberOf(s[:4]), numberOf(s[4:6]), numberOf(s[6:8])
		c.rest = s[8:]
		if n > 8 {
			d.HasTime = true
			d.Hour, d.Minute = numberOf(s[8:10]), numberOf(s[10:12])
			c.rest = s[12:]
			if n == 14 {
				d.Second = numberOf(s[12:14])
				c.rest = s[14:]
			}
			d.IsCount = true
			return c.zone(d)
		}
	case n == 4:
		d.Year = c.digits(4, 4)
		sign := c.any("-/. ")
		if word := c.letters(); word != "" {
			d.Month = month(word)
			c.apart()
			d.Day = c.digits(1, 2)
			break
		}
		if sign == 0 || sign == ' ' {
			return nil
		}
		d.Month = c.digits(1, 2)
		if c.any(string(sign)) == 0 {
			return nil
		}
		d.Day = c.digits(1, 2)
	case n == 1 || n == 2:
		if d = c.dayOrMonth(); d == nil {
			return nil
		}
	default:
		return nil
	}
	return c.clock(d)
}

// Ahead is how far a date may be in the future: clocks differ, and a day begins earlier in the east.
const Ahead = 36 * time.Hour

func numberOf(s string) int {
	n, ok := Digits(s)
	if !ok {
		return -1
	}
	return n
}

// parseUnix reads a count of seconds or milliseconds. Ten digits that are a moment in the future are a day and its
// hour.
func parseUnix(s string) *Guess {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return nil
	}
	if len(s) == 13 {
		n /= 1000
	}
	t := time.Unix(n, 0).UTC()
	if len(s) == 10 && t.After(time.Now().Add(Ahead)) {
		return &Guess{Year: numberOf(s[:4]), Month: numberOf(s[4:6]), Day: numberOf(s[6:8]), Hour: numberOf(s[8:]),
			HasTime: true, IsCount: true}
	}
	return &Guess{Year: t.Year(), Month: int(t.Month()), Day: t.Day(), Hour: t.Hour(), Minute: t.Minute(), Second: t.Second(),
		HasTime: true, HasZone: true, IsCount: true}
}

// dayOrMonth takes 9.4.2013, which has one reading, or 25/12/2013; nil for 03/04/2013, and what is no date.
func (c *cursor) dayOrMonth() *Guess {
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
	case b > 12 && a <= 12:
		return &Guess{Year: year, Month: a, Day: b}
	case sign == '.', a > 12, a == b:
		return &Guess{Year: year, Month: b, Day: a, Dotted: a <= 12 && b <= 12 && a != b}
	}
	return nil
}

// clock takes the time behind a date, and its zone; nil if something else follows.
func (c *cursor) clock(d *Guess) *Guess {
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
func (c *cursor) timeOfDay(d *Guess) *Guess {
	d.HasTime = true
	if d.Hour = c.digits(1, 2); d.Hour < 0 {
		before := len(c.rest)
		all := c.digits(4, 6) // 0226, 022600
		if n := before - len(c.rest); n == 6 {
			d.Second = all % 100
			all /= 100
		} else if n != 4 {
			return nil
		}
		d.Hour, d.Minute = all/100, all%100
		return c.zone(d)
	}
	if c.any(":.") != 0 {
		if d.Minute = c.digits(1, 2); d.Minute < 0 {
			return nil
		}
		if c.any(":.") != 0 {
			if d.Second = c.digits(1, 2); d.Second < 0 {
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
		if d.Hour > 12 { // 0:30 am is half an hour after midnight
			return nil
		}
		d.Hour = d.Hour%12 + 12*strings.Count(half[:1], "p")
		c.rest = strings.TrimLeft(c.rest, "aApPmM.")
	}
	return c.zone(d)
}

func startsWithHalf(s string) bool {
	s = strings.ToLower(strings.TrimSpace(s))
	return strings.HasPrefix(s, "am") || strings.HasPrefix(s, "pm") || strings.HasPrefix(s, "a.m") || strings.HasPrefix(s, "p.m")
}

// zone takes the zone at the end; nil if something else follows.
func (c *cursor) zone(d *Guess) *Guess {
	c.space()
	if c.rest == "" {
		return d
	}
	n := 0
	for n < len(c.rest) && unicode.IsLetter(rune(c.rest[n])) {
		n++
	}
	if n > 0 {
		c.joinZone()
		name := strings.ToLower(c.rest[:n])
		rest := c.rest[n:]
		if name == "etc" && strings.HasPrefix(rest, "/") {
			return c.etc(d, rest[1:])
		}
		offset, known := Abbreviation(name)
		switch {
		case known:
			d.HasZone, d.Offset = true, offset/60
		case !isZoneName(c.rest):
			return nil
		}
		c.rest = rest
		if d.OtherZone = !known; !known { // it says nothing: RFC 2822 §4.3
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
			d.Offset = h/100*60 + h%100
		default:
			d.Offset = h * 60
			if c.any(":.") != 0 {
				m := c.digits(2, 2)
				if m < 0 || m > 59 {
					return nil
				}
				d.Offset += m
			}
		}
		if sign == '-' {
			d.Offset = -d.Offset
		}
		d.HasZone = true
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

// joinZone gives the name of a zone of the IANA database, which has spaces in it, its underscores.
func (c *cursor) joinZone() {
	end := strings.IndexByte(c.rest, ' ')
	if end < 0 {
		return
	}
	for _, end := range spacedEnds(c.rest, end) {
		if LoadZone(c.rest[:end]) != nil {
			c.rest = strings.ReplaceAll(c.rest[:end], " ", "_") + c.rest[end:]
			return
		}
	}
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
func (c *cursor) etc(d *Guess, name string) *Guess {
	c.rest = name
	if c.letters(); c.rest == "" {
		d.HasZone, d.Offset = true, 0
		return d
	}
	sign := c.any("+-")
	hours := c.digits(1, 2)
	if sign == 0 || hours < 0 || c.rest != "" {
		return nil
	}
	d.HasZone, d.Offset = true, hours*60
	if sign == '+' {
		d.Offset = -d.Offset
	}
	return d
}

func month(s string) int { return English().months.find(strings.ToLower(strings.TrimRight(s, "."))) }

func isDay(s string) bool {
	return len(s) > 2 && English().weekdays.find(strings.ToLower(strings.TrimRight(s, ".,"))) > 0
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
func parseWords(s string) *Guess {
	c := &cursor{s}
	d := &Guess{}
	word := c.letters()
	if isDay(word) {
		c.apart()
		if d := parseDigits(c.rest); d != nil && len(c.rest) > 8 {
			return d
		}
		word = c.letters()
	}
	if word != "" {
		if d.Month = month(word); d.Month == 0 {
			return nil
		}
		c.apart()
	}
	if d.Day = c.digits(1, 2); d.Day < 0 {
		return nil
	}
	for _, ending := range []string{"st", "nd", "rd", "th"} {
		if c.word(ending) {
			break
		}
	}
	c.apart()
	if d.Month == 0 {
		if d.Month = month(c.letters()); d.Month == 0 {
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
			d.Year = year
			return c.zone(d)
		}
		zone, rest, _ := strings.Cut(c.rest, " ")
		z := &cursor{zone}
		c.rest = strings.TrimSpace(rest)
		if d = z.zone(d); d == nil {
			return nil
		}
		d.Year = c.digits(4, 4)
		return d
	}
	if d.Year = c.digits(4, 4); d.Year < 0 {
		if d.Year = c.digits(2, 2); d.Year < 0 {
			return nil
		}
		d.ShortYear = true
		d.Year += 1900
		if d.Year < 1970 {
			d.Year += 100 // RFC 2822 §4.3 has 50 here; no feed is older than Unix
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
