package microformats

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"laundromat/internal/pattern"
	"laundromat/markup/page"
)

// time is the value of a dt- property. Where the value-class pattern gives a time without a date, the date
// is that of another date of the item.
func (s *scan) time(e *page.Element) string {
	if joined := s.joinTime(s.valueParts(e)); joined != "" {
		return joined
	}
	text, ok := "", false
	switch e.Name {
	case "time", "ins", "del":
		text, ok = e.Get("datetime")
	case "abbr", "data", "input":
		text, ok = attribute(e)
	}
	if ok {
		return text
	}
	return trim(s.text(e, withImages))
}

var (
	clock     = pattern.New(`^(\d{1,2})(?::(\d\d))?(?::(\d\d))?\s*(?:([aApP])\.?[mM]\.?)?([Zz]|[+-]\d{1,2}(?::?\d\d)?)?$`)
	calendar  = pattern.New(`^\d{4}(?:-\d\d(?:-\d\d)?|-\d{3})?$`)
	zoneAlone = pattern.New(`^([Zz]|[+-]\d{1,2}(?::?\d\d)?)$`)
)

// joinTime makes one value of the parts of a date and time: the first date, the first time of day with its
// zone, or the first zone alone. It is "" if they give neither a date nor a time.
func (s *scan) joinTime(parts []valuePart) string {
	var date, hours, zone string
	for _, part := range parts {
		text := part.text
		if name := part.element.Name; !part.isTitle && (name == "time" || name == "ins" || name == "del") {
			if v, ok := part.element.Get("datetime"); ok {
				text = v
			}
		}
		text = trim(text)
		if isWholeTime(text) {
			if date == "" && hours == "" {
				return text
			}
			continue
		}
		h, z, isClock := clockOf(text)
		switch {
		case calendar.MatchString(text):
			date = cmp.Or(date, text)
		case isClock && hours == "":
			hours, zone = h, cmp.Or(zone, z)
		case zoneAlone.MatchString(text):
			zone = cmp.Or(zone, zoneOf(text))
		}
	}
	if hours == "" {
		return date
	}
	if date == "" {
		date = s.otherDate()
	}
	return strings.TrimPrefix(date+" "+hours, " ") + zone
}

// isWholeTime says that a text is a date with a time of day.
func isWholeTime(text string) bool {
	for _, between := range [...]string{"T", "t", " "} {
		if date, hours, ok := strings.Cut(text, between); ok && calendar.MatchString(date) && clock.MatchString(hours) {
			return true
		}
	}
	return false
}

// otherDate is the date of another time of the item, the last before this one.
func (s *scan) otherDate() (date string) {
	for _, p := range s.item.Properties {
		for _, v := range p.Values {
			if v.prefix == 't' && len(v.Text) >= len("2006-01-02") && calendar.MatchString(v.Text[:len("2006-01-02")]) {
				date = v.Text[:len("2006-01-02")]
			}
		}
	}
	return date
}

// clockOf reads a time of day, in twelve or twenty-four hours, and its zone.
func clockOf(text string) (hours, zone string, ok bool) {
	m := clock.FindStringSubmatch(text)
	if m == nil || m[2] == "" && m[4] == "" {
		return "", "", false
	}
	hour, _ := strconv.Atoi(m[1]) // one or two digits
	switch {
	case (m[4] == "p" || m[4] == "P") && hour < 12:
		hour += 12
	case (m[4] == "a" || m[4] == "A") && hour == 12:
		hour = 0
	}
	hours = fmt.Sprintf("%02d:%s", hour, cmp.Or(m[2], "00"))
	if m[3] != "" {
		hours += ":" + m[3]
	}
	return hours, zoneOf(m[5]), true
}

// zoneOf writes a zone without its colon, as the suite of microformats has it for all but "+00:00".
func zoneOf(zone string) string {
	if zone == "+00:00" {
		return zone
	}
	return strings.ReplaceAll(strings.ToUpper(zone), ":", "")
}
