package transform

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"laundromat/internal/dates"
	"laundromat/internal/fault"
	"laundromat/internal/pattern"
	"laundromat/records"
	"laundromat/records/spec"
)

// dating is the verb date.
type dating struct {
	patterns  []*dates.Pattern
	names     *dates.Names
	zone      *time.Location // nil where the rule has none
	zoneField string         // the field that names the zone
	pivot     int            // two-digit years from here on are of the 1900s
	day       bool           // the day alone is written
	zones     dates.Zones
}

// isoPatterns are read where a rule has no pattern: the forms of ISO 8601 and RFC 3339.
var isoPatterns = []string{"%Y-%m-%dT%H:%M:%S.%f%z", "%Y-%m-%dT%H:%M:%S,%f%z", "%Y-%m-%dT%H:%M:%S%z",
	"%Y-%m-%dT%H:%M%z",
	"%Y-%m-%dT%H:%M:%S.%f", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M:%S.%f%z", "%Y-%m-%d %H:%M:%S%z",
	"%Y-%m-%d %H:%M:%S.%f", "%Y-%m-%d %H:%M:%S", "%Y-%m-%d %H:%M", "%Y%m%dT%H%M%S%z", "%Y%m%dT%H%M%S", "%Y-%m-%d",
	"%Y%m%d",
	"%Y-%j", "%G-W%V-%u", "%Y-%m", "%Y"}

func compileDate(r *rule, n *spec.Node, _ Options) (verb, error) {
	v := &dating{pivot: dates.PosixPivot, names: dates.NewNames()}
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
			if v.day && p.HasTime() {
				return nil, as.Errorf("the pattern %q has a time, which a date alone has not", p.Text)
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

// compileDatePattern reads a pattern that gives a date.
func compileDatePattern(n *spec.Node) (*dates.Pattern, error) {
	if n.Kind != spec.Text {
		return nil, n.Errorf("a pattern is a text, not %s", n.Kind)
	}
	p, err := dates.Compile(n.Text)
	if err == nil && !p.HasYear() {
		err = errors.New("has no year: %Y, or %y for two digits")
	}
	if err != nil {
		return nil, n.Errorf("the pattern %q %v", n.Text, err)
	}
	return p, nil
}

func (v *dating) readLanguages(n *spec.Node) error {
	items := []*spec.Node{{Kind: spec.Text, Text: "en"}}
	if n != nil {
		if items = []*spec.Node{n}; n.Kind == spec.List {
			items = n.Items
		}
	}
	for _, i := range items {
		if err := i.Want(spec.Text); err != nil {
			return err
		}
		if !v.names.Add(i.Text) {
			return i.Errorf("the month names of the language %q are not known%s", i.Text, spec.Meant(i.Text, dates.Languages()...))
		}
	}
	return nil
}

// readZoneName reads the name of a time zone in a spec.
func readZoneName(n *spec.Node) (*time.Location, error) {
	if err := n.Want(spec.Text); err != nil {
		return nil, err
	}
	if l := dates.LoadZone(n.Text); l != nil {
		return l, nil
	}
	return nil, n.Errorf("%q isn't a name of the IANA time zone database%s", n.Text, spec.Meant(n.Text, dates.CommonZones...))
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
	if len(text) > dates.MaxText {
		return outcome{code: fault.MapDate, message: fmt.Sprintf("a text of %d bytes isn't a date", len(text))}
	}
	reader := &dates.Reader{Names: v.names}
	var first outcome
	for _, p := range v.patterns {
		d, fits := reader.Read(p, text)
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
	tried := "the pattern " + strconv.Quote(v.patterns[0].Text)
	if len(v.patterns) > 1 {
		tried = "any of the patterns"
	}
	return outcome{code: fault.MapDate, message: fmt.Sprintf("%q does not fit %s", shown(text), tried)}
}

// date makes the time of what a pattern read.
func (v *dating) date(c *call, p *dates.Pattern, d dates.Parts) outcome {
	if p.Has("s") {
		return made(time.Unix(d.Epoch, 0))
	}
	year := d.Year(v.pivot)
	day, why := d.Day(year)
	if why != "" {
		return outcome{code: fault.MapDate, message: why}
	}
	var o outcome
	if !p.HasTime() {
		o = made(day)
		if !p.Has("djVUW") {
			o.code, o.severity, o.message = fault.MapDatePart, fault.Note, "there is no day; the first was taken"
		}
	} else {
		o = v.timed(c, p, d, day)
	}
	if o.code == "" && d.ShortYear >= 0 {
		o.code, o.severity = fault.MapDateYear, fault.Note
		o.message = fmt.Sprintf("the year %02d was read as %d", d.ShortYear, year)
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

func (v *dating) timed(c *call, p *dates.Pattern, d dates.Parts, day time.Time) outcome {
	clock, why := d.Clock()
	if why != "" {
		return outcome{code: fault.MapDate, message: why}
	}
	local := day.Add(time.Duration(clock) * time.Second)
	if d.HasOffset {
		return made(local.Add(-time.Duration(d.Offset) * time.Second))
	}
	zone, why := v.zoneOf(c)
	if why != "" {
		return outcome{code: fault.MapTimeZone, message: why}
	}
	if d.Zone != "" {
		return v.named(d.Zone, local, zone)
	}
	if zone == nil {
		return made(local)
	}
	return settled(dates.Instants(local, zone), zone)
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
	if zone := v.zones.Get(strings.TrimSpace(f.Value.Text)); zone != nil {
		return zone, ""
	}
	return nil, fmt.Sprintf("%q isn't a name of the IANA time zone database", shown(f.Value.Text))
}

// named is a time beside the name of its zone. An abbreviation that the rule's zone uses at
// that time has its meaning there.
func (v *dating) named(name string, local time.Time, zone *time.Location) outcome {
	if zone != nil {
		for _, t := range dates.Instants(local, zone) {
			if short, _ := t.In(zone).Zone(); strings.EqualFold(short, name) {
				return made(t)
			}
		}
	}
	if offset, known := dates.Abbreviation(name); known {
		return made(local.Add(-time.Duration(offset) * time.Second))
	}
	if zone := v.zones.Folded(name); zone != nil {
		return settled(dates.Instants(local, zone), zone)
	}
	return outcome{code: fault.MapTimeZone, message: fmt.Sprintf("the time zone %q is not known, or has several "+
		"meanings", name)}
}
