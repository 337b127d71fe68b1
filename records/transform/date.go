package transform

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"laundromat/internal/fault"
	"laundromat/internal/pattern"
	"laundromat/records"
	"laundromat/records/spec"
)

// dating is the verb date.
type dating struct {
	patterns         []*datePattern
	months, weekdays *nameTable
	zone             *time.Location // nil where the rule has none
	zoneField        string         // the field that names the zone
	pivot            int            // two-digit years from here on are of the 1900s
	day              bool           // the day alone is written
	zones            zones
}

// posixPivot is that of POSIX, strptime: 69 to 99 are of the 1900s.
const posixPivot = 69

// isoPatterns are read where a rule has no pattern: the forms of ISO 8601 and RFC 3339.
var isoPatterns = []string{"%Y-%m-%dT%H:%M:%S.%f%z", "%Y-%m-%dT%H:%M:%S,%f%z", "%Y-%m-%dT%H:%M:%S%z",
	"%Y-%m-%dT%H:%M%z",
	"%Y-%m-%dT%H:%M:%S.%f", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M:%S.%f%z", "%Y-%m-%d %H:%M:%S%z",
	"%Y-%m-%d %H:%M:%S.%f", "%Y-%m-%d %H:%M:%S", "%Y-%m-%d %H:%M", "%Y%m%dT%H%M%S%z", "%Y%m%dT%H%M%S", "%Y-%m-%d",
	"%Y%m%d",
	"%Y-%j", "%G-W%V-%u", "%Y-%m", "%Y"}

func compileDate(r *rule, n *spec.Node, _ Options) (verb, error) {
	v := &dating{pivot: posixPivot, months: &nameTable{names: map[string]uint16{}, shortest: 3},
		weekdays: &nameTable{names: map[string]uint16{}, shortest: 2}}
	patterns := n
	if n.Kind == spec.Map {
		if err := n.Only("key of date", "pattern", "language", "timezone", "pivot", "as", "missing"); err != nil {
			return nil, err
		}
		patterns = n.Get("pattern")
	}
	if err := v.readPatterns(patterns); err != nil {
		return nil, err
	}
	if err := v.readLanguages(n.Get("language")); err != nil {
		return nil, err
	}
	if z := n.Get("timezone"); z != nil && z.Kind == spec.Map {
		if err := z.Only("key of timezone", "from"); err != nil {
			return nil, err
		}
		from := z.Get("from")
		if from == nil || from.Kind != spec.Text {
			return nil, z.Errorf("timezone is the name of a time zone, or {from: FIELD}")
		}
		v.zoneField = from.Text
	} else if z != nil {
		var err error
		if v.zone, err = readZoneName(z); err != nil {
			return nil, err
		}
	}
	if err := r.setMissing(n.Get("missing")); err != nil {
		return nil, err
	}
	if as := n.Get("as"); as != nil {
		if v.day = as.IsText("date"); !v.day && !as.IsText("datetime") {
			return nil, as.Errorf(`as is "date", for the day alone, or "datetime"`)
		}
		for _, p := range v.patterns {
			if v.day && p.hasTime() {
				return nil, as.Errorf("the pattern %q has a time, which a date alone has not", p.text)
			}
		}
	}
	if p := n.Get("pivot"); p != nil {
		year, err := strconv.Atoi(p.Text)
		if err != nil || p.Kind != spec.Number || year < 0 || year > 100 {
			return nil, p.Errorf("pivot is a number from 0 to 100: two-digit years from it on are of the 1900s")
		}
		v.pivot = year
	}
	return v, nil
}

func (v *dating) readPatterns(n *spec.Node) error {
	if n == nil || n.Kind == spec.Null || n.Kind == spec.Bool && n.Text == "true" {
		for _, text := range isoPatterns {
			p, err := compileDatePattern(&spec.Node{Kind: spec.Text, Text: text})
			if err != nil {
				return err
			}
			v.patterns = append(v.patterns, p)
		}
		return nil
	}
	items := []*spec.Node{n}
	if n.Kind == spec.List {
		items = n.Items
	}
	for _, i := range items {
		p, err := compileDatePattern(i)
		if err != nil {
			return err
		}
		v.patterns = append(v.patterns, p)
	}
	if len(v.patterns) == 0 {
		return n.Errorf("the list is empty")
	}
	return nil
}

func (v *dating) readLanguages(n *spec.Node) error {
	items := []*spec.Node{{Kind: spec.Text, Text: "en"}}
	if n != nil {
		if items = []*spec.Node{n}; n.Kind == spec.List {
			items = n.Items
		}
	}
next:
	for _, i := range items {
		if err := i.Want(spec.Text); err != nil {
			return err
		}
		tag, _, _ := strings.Cut(strings.ReplaceAll(strings.ToLower(i.Text), "_", "-"), "-")
		if to, known := sameAs[tag]; known {
			tag = to
		}
		for _, l := range languages {
			if l.tag == tag {
				v.months.add(l.months)
				v.weekdays.add(l.weekdays)
				continue next
			}
		}
		return i.Errorf("the month names of the language %q are not known%s", i.Text, spec.Meant(i.Text,
			languageTags()...))
	}
	return nil
}

// canonicalDate is the form that the verb writes; such a value needs no pattern.
var canonicalDate = pattern.New(`^\d{4}-(0[1-9]|1[0-2])-\d\dT([01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$`)

func (v *dating) apply(c *call) outcome {
	return c.each(func(value records.Value) outcome {
		if v.day && len(value.Text) == len(time.DateOnly) {
			if _, err := time.Parse(time.DateOnly, value.Text); err == nil {
				return outcome{value: value}
			}
		}
		if canonicalDate.MatchString(value.Text) {
			if _, err := time.Parse(time.RFC3339, value.Text); err == nil {
				return outcome{value: value}
			}
		}
		o := v.read(c, value.Text)
		switch {
		case o.value.Kind == records.Null:
			o.value = value
		case v.day:
			o.value.Text, _, _ = strings.Cut(o.value.Text, "T")
		}
		return o
	})
}

// read reads a date by the first pattern that fits; a null value in the outcome means that
// the text stays as it is.
func (v *dating) read(c *call, text string) outcome {
	if len(text) > maxDateText {
		return outcome{code: fault.MapDate, message: fmt.Sprintf("a text of %d bytes is no date", len(text))}
	}
	folded := strings.TrimSpace(fold(text))
	reader := &dateReader{months: v.months, weekdays: v.weekdays}
	var first outcome
	for _, p := range v.patterns {
		d, fits := reader.read(p, folded)
		if !fits {
			continue
		}
		o := v.date(c, p, d)
		if o.value.Kind != records.Null {
			return o
		}
		if first.code == "" {
			o.message = fmt.Sprintf("%q: %s", shown(text), o.message)
			first = o
		}
	}
	if first.code != "" {
		return first
	}
	tried := "the pattern " + strconv.Quote(v.patterns[0].text)
	if len(v.patterns) > 1 {
		tried = "any of the patterns"
	}
	return outcome{code: fault.MapDate, message: fmt.Sprintf("%q does not fit %s", shown(text), tried)}
}

// date makes the time of what a pattern read.
func (v *dating) date(c *call, p *datePattern, d parsedDate) outcome {
	if p.hasAny("s") {
		return made(time.Unix(d.epoch, 0))
	}
	year := d.year
	if year < 0 && d.shortYear >= 0 {
		if year = 2000 + d.shortYear; d.shortYear >= v.pivot {
			year -= 100
		}
	}
	day, why := d.dayOf(year)
	if why != "" {
		return outcome{code: fault.MapDate, message: why}
	}
	var o outcome
	if !p.hasTime() {
		o = made(day)
		if !p.hasAny("djVUW") {
			o.code, o.severity, o.message = fault.MapDatePart, fault.Note, "there is no day; the first was taken"
		}
	} else {
		o = v.timed(c, p, d, day)
	}
	if o.code == "" && d.shortYear >= 0 {
		o.code, o.severity = fault.MapDateYear, fault.Note
		o.message = fmt.Sprintf("the year %02d was read as %d", d.shortYear, year)
	}
	return o
}

func made(t time.Time) outcome {
	t = t.UTC()
	if t.Year() < 1 || t.Year() > 9999 {
		return outcome{code: fault.MapDate, message: "in UTC the year has more than four digits, or is before the " +
			"first"}
	}
	return outcome{value: records.TextOf(t.Format("2006-01-02T15:04:05Z"))}
}

// dayOf is the day of a date; why says that there is none.
func (d *parsedDate) dayOf(year int) (day time.Time, why string) {
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

// clock is the time of day in hours; why says that there is none.
func (d *parsedDate) clock() (hour int, why string) {
	hour = d.hour
	if d.hour12 >= 0 {
		hour = d.hour12%12 + 12*d.half
	} else if d.half >= 0 {
		// With %H the half of the day is beside hours up to 24, where it must agree.
		switch {
		case hour >= 1 && hour <= 12:
			hour = hour%12 + 12*d.half
		case (hour > 12) != (d.half == 1):
			return hour, fmt.Sprintf("the hour %d is not in that half of the day", hour)
		}
	}
	if hour == 24 && (d.minute > 0 || d.second > 0) {
		return hour, "the day ends at 24:00:00"
	}
	return hour, ""
}

func (v *dating) timed(c *call, p *datePattern, d parsedDate, day time.Time) outcome {
	hour, why := d.clock()
	if why != "" {
		return outcome{code: fault.MapDate, message: why}
	}
	local := day.Add(time.Duration(hour)*time.Hour + time.Duration(max(d.minute, 0))*time.Minute +
		time.Duration(max(d.second, 0))*time.Second)
	if d.hasOffset {
		return made(local.Add(-time.Duration(d.offset) * time.Second))
	}
	zone, why := v.zoneOf(c)
	if why != "" {
		return outcome{code: fault.MapTimeZone, message: why}
	}
	if d.zone != "" {
		return v.named(d.zone, local, zone)
	}
	if zone == nil {
		return made(local)
	}
	return settled(instants(local, zone), zone)
}

// settled is the one time of several, with a word where there is not one.
func settled(all []time.Time, zone *time.Location) outcome {
	switch len(all) {
	case 0:
		return outcome{code: fault.MapDateGap, message: "the clocks of " + zone.String() + " left this time out"}
	case 1:
		return made(all[0])
	}
	o := made(all[0])
	o.code = fault.MapDateOverlap
	o.message = fmt.Sprintf("the clocks of %s showed this time twice; the earlier was taken", zone)
	return o
}

// zoneOf is the time zone of the rule, or of the record's field; nil where there is none.
func (v *dating) zoneOf(c *call) (*time.Location, string) {
	if v.zoneField == "" {
		return v.zone, ""
	}
	f := c.record.Field(v.zoneField)
	if f == nil || f.Value.Text == "" {
		return nil, fmt.Sprintf("the record has no field %q, which names the time zone", v.zoneField)
	}
	if zone := v.zones.get(strings.TrimSpace(f.Value.Text)); zone != nil {
		return zone, ""
	}
	return nil, fmt.Sprintf("%q is no name of the IANA time zone database", shown(f.Value.Text))
}

// named is a time beside the name of its zone. An abbreviation that the rule's zone uses at
// that time has its meaning there.
func (v *dating) named(name string, local time.Time, zone *time.Location) outcome {
	if zone != nil {
		for _, t := range instants(local, zone) {
			if short, _ := t.In(zone).Zone(); strings.EqualFold(short, name) {
				return made(t)
			}
		}
	}
	if hours, known := abbreviations[name]; known {
		t := local.Add(-time.Duration(hours) * time.Hour)
		if name == "acst" {
			t = t.Add(-30 * time.Minute)
		}
		return made(t)
	}
	if zone := v.zones.loadFolded(name); zone != nil {
		return settled(instants(local, zone), zone)
	}
	return outcome{code: fault.MapTimeZone, message: fmt.Sprintf("the time zone %q is not known, or has several "+
		"meanings", name)}
}
