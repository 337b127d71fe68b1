package schema

import (
	"fmt"
	"strings"

	"laundromat/records/spec"
)

// datePattern is a pattern of strptime: directives and the characters between them.
type datePattern struct {
	text  string
	parts []datePart
}

// datePart is a directive, or characters that are the same in every value.
type datePart struct {
	directive byte // 0 for characters
	text      string
}

const directives = "aAdbBmyYHIpMSfzZj"

func compileDatePattern(text, kind string) (*datePattern, error) {
	p := &datePattern{text: text}
	for rest := text; rest != ""; {
		before, after, found := strings.Cut(rest, "%")
		if before != "" {
			p.parts = append(p.parts, datePart{text: before})
		}
		if !found {
			break
		}
		if after == "" {
			return nil, fmt.Errorf("the pattern ends within a directive")
		}
		switch c := after[0]; {
		case c == '%':
			p.parts = append(p.parts, datePart{text: "%"})
		case strings.IndexByte(directives, c) >= 0:
			p.parts = append(p.parts, datePart{directive: c})
		case c == 'T':
			p.parts = append(p.parts, datePart{directive: 'H'}, datePart{text: ":"}, datePart{directive: 'M'},
				datePart{text: ":"}, datePart{directive: 'S'})
		case c == 'F':
			p.parts = append(p.parts, datePart{directive: 'Y'}, datePart{text: "-"}, datePart{directive: 'm'},
				datePart{text: "-"}, datePart{directive: 'd'})
		default:
			return nil, fmt.Errorf("unknown directive %q of a date pattern%s", "%"+after[:1],
				spec.Meant("%"+after[:1], "%a", "%A", "%d", "%b", "%B", "%m", "%y", "%Y", "%H", "%I", "%p",
					"%M", "%S",
					"%f", "%z", "%Z", "%j", "%T", "%F", "%%"))
		}
		rest = after[1:]
	}
	return p, p.suffices(kind)
}

// suffices refuses a pattern from which no value of the type can be made.
func (p *datePattern) suffices(kind string) error {
	has := func(any string) bool {
		for _, part := range p.parts {
			if part.directive != 0 && strings.IndexByte(any, part.directive) >= 0 {
				return true
			}
		}
		return false
	}
	day := has("yY") && (has("j") || has("mbB") && has("d"))
	switch {
	case kind != "time" && !day:
		return fmt.Errorf("the pattern gives no whole date: it needs year, month and day")
	case kind == "time" && !has("HI"):
		return fmt.Errorf("the pattern gives no hour")
	case has("I") && !has("p"):
		return fmt.Errorf("the pattern has hours of twelve (%%I) without %%p")
	}
	return nil
}

// clock is what a pattern found.
type clock struct {
	year, month, day, hour, minute, second, ofYear int
	weekday                                        int // from 1, Monday; 0 where none is given
	half                                           byte
	fraction, zone                                 string
}

var monthNames = []string{"january", "february", "march", "april", "may", "june", "july", "august", "september",
	"october",
	"november", "december"}
var dayNames = []string{"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"}

// read reads a text by the pattern, and writes it in ISO 8601.
func (p *datePattern) read(s, kind string) (iso, why string) {
	var c clock
	for _, part := range p.parts {
		var ok bool
		if part.directive == 0 {
			s, ok = strings.CutPrefix(s, part.text)
		} else {
			s, ok = c.take(part.directive, s)
		}
		if !ok {
			return "", "it does not match the pattern " + p.text
		}
	}
	if s != "" {
		return "", "it does not match the pattern " + p.text
	}
	return c.iso(kind)
}

// take reads what a directive stands for from the begin of s.
func (c *clock) take(directive byte, s string) (rest string, ok bool) {
	number := func(into *int, least, most int) bool {
		var n int
		if *into, n, ok = leadingNumber(s, least, most); ok {
			s = s[n:]
		}
		return ok
	}
	switch directive {
	case 'Y':
		ok = number(&c.year, 4, 4)
	case 'y':
		ok = number(&c.year, 2, 2)
		c.year = wholeYear(c.year)
	case 'm':
		ok = number(&c.month, 1, 2)
	case 'd':
		ok = number(&c.day, 1, 2)
	case 'j':
		ok = number(&c.ofYear, 1, 3) && c.ofYear > 0
	case 'H', 'I':
		ok = number(&c.hour, 1, 2) && (directive == 'H' && c.hour < 24 || 1 <= c.hour && c.hour <= 12)
	case 'M':
		ok = number(&c.minute, 1, 2) && c.minute < 60
	case 'S':
		ok = number(&c.second, 1, 2) && c.second < 60
	case 'f':
		before, n := s, 0
		ok = number(&n, 1, 6)
		c.fraction = before[:len(before)-len(s)]
	case 'p':
		if ok = len(s) > 1 && strings.ContainsAny(s[:1], "aApP") && s[1]|0x20 == 'm'; ok {
			c.half, s = s[0]|0x20, s[2:]
		}
	case 'b', 'B':
		c.month, s, ok = named(s, monthNames, directive == 'b')
	case 'a', 'A':
		c.weekday, s, ok = named(s, dayNames, directive == 'a')
	case 'z', 'Z':
		return c.takeZone(directive, s)
	}
	return s, ok
}

// wholeYear is the year of two digits. POSIX: 69 to 99 are of the last century.
func wholeYear(digits int) int {
	if digits < 69 {
		return 2000 + digits
	}
	return 1900 + digits
}

// leadingNumber is the number that a text begins with, and how many digits it has: least to most.
func leadingNumber(s string, least, most int) (number, n int, ok bool) {
	for n < len(s) && n < most && s[n]-'0' <= 9 {
		n++
	}
	if n < least {
		return 0, n, false
	}
	number, ok = digits(s[:n])
	return number, n, ok
}

// named finds a name, or its first three letters, whatever their capitals.
func named(s string, names []string, short bool) (number int, rest string, ok bool) {
	for i, name := range names {
		if short {
			name = name[:3]
		}
		if len(s) >= len(name) && strings.EqualFold(s[:len(name)], name) {
			return i + 1, s[len(name):], true
		}
	}
	return 0, s, false
}

func (c *clock) takeZone(directive byte, s string) (rest string, ok bool) {
	for _, name := range []string{"UTC", "GMT", "Z"} {
		if rest, ok = strings.CutPrefix(s, name); ok && (directive == 'Z') == (name != "Z") {
			c.zone = "Z"
			return rest, true
		}
	}
	if directive == 'Z' || len(s) < 5 {
		return s, false
	}
	zone := s[:5]
	if s[3] == ':' && len(s) >= 6 {
		zone = s[:3] + s[4:6]
		s = s[1:]
	}
	c.zone = zone[:3] + ":" + zone[3:]
	return s[5:], isZone(c.zone)
}

// iso writes what was found in ISO 8601, if it is a day of the calendar.
func (c *clock) iso(kind string) (text, why string) {
	if c.ofYear > 0 {
		if c.ofYear > 365 && daysIn(c.year, 2) == 28 || c.ofYear > 366 {
			return "", "the year has no such day"
		}
		for c.month, c.day = 1, c.ofYear; c.day > daysIn(c.year, c.month); c.month++ {
			c.day -= daysIn(c.year, c.month)
		}
	}
	if kind != "time" && !isDay(c.year, c.month, c.day) {
		return "", "the calendar has no such day"
	}
	if kind != "time" && c.weekday > 0 {
		// Day 0 of the Unix epoch was a Thursday.
		days := dayOf(fmt.Sprintf("%04d-%02d-%02d", c.year, c.month, c.day)) / 86400
		if int((days%7+7+3)%7)+1 != c.weekday {
			return "", "the day is another day of the week"
		}
	}
	switch c.half {
	case 'p':
		c.hour = c.hour%12 + 12
	case 'a':
		c.hour %= 12
	}
	date := fmt.Sprintf("%04d-%02d-%02d", c.year, c.month, c.day)
	if kind == "date" {
		return date, ""
	}
	text = fmt.Sprintf("%02d:%02d:%02d", c.hour, c.minute, c.second)
	if c.fraction != "" {
		text += "." + c.fraction
	}
	text += c.zone
	if kind == "datetime" {
		text = date + "T" + text
	}
	return text, ""
}

// anyForms are what the format "any" reads. Day and month as numbers are tried both ways:
// what can be read as two dates is none.
var anyForms = map[string][]string{
	"date": {"%Y-%m-%d", "%Y/%m/%d", "%Y.%m.%d", "%Y%m%d", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%m-%d-%Y", "%d.%m.%Y",
		"%d %B %Y", "%d %b %Y", "%B %d, %Y", "%b %d, %Y", "%d-%b-%Y", "%A, %d %B %Y", "%a, %d %b %Y"},
	"time": {"%H:%M:%S", "%H:%M", "%H:%M:%S.%f", "%I:%M %p", "%I:%M:%S %p", "%I %p"},
}

func anyDate(s, kind string) (iso, why string) {
	if isISO(kind, s) {
		return s, ""
	}
	forms := anyForms[kind]
	if kind == "datetime" {
		for _, day := range anyForms["date"] {
			for _, clock := range []string{"T%H:%M:%S", " %H:%M:%S", " %H:%M", "T%H:%M:%S%z", " %H:%M:%S%z",
				" %H:%M:%S %z",
				" %H:%M:%S %Z", " %I:%M %p"} {
				forms = append(forms, day+clock)
			}
		}
	}
	for _, form := range forms {
		p, err := compileDatePattern(form, kind)
		if err != nil {
			continue
		}
		if got, why := p.read(s, kind); why == "" {
			if iso != "" && iso != got {
				return "", "it can be read as " + iso + " and as " + got
			}
			iso = got
		}
	}
	if iso == "" {
		return "", "it is no " + kind
	}
	return iso, ""
}
