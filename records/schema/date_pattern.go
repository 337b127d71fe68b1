package schema

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"laundromat/internal/dates"
)

// compileDatePattern compiles a pattern of strptime, from which a value of the type can be made.
func compileDatePattern(text, kind string) (*dates.Pattern, error) {
	p, err := dates.Compile(text)
	switch {
	case err != nil:
	case kind != "time" && !p.HasDay():
		err = errors.New("gives no whole date: it needs year, month and day")
	case kind == "time" && !p.HasTime():
		err = errors.New("gives no hour")
	}
	if err != nil {
		return nil, fmt.Errorf("the pattern %q %w", text, err)
	}
	return p, nil
}

// readDate reads a text by a pattern, and writes it in ISO 8601. A schema holds texts to what strptime reads: unlike a
// map, which is to understand what people write, it takes no "3rd", and no hour 24.
func readDate(p *dates.Pattern, text, kind string) (iso, why string) {
	reader := dates.Reader{Names: dates.English(), Exact: true}
	parts, fits := dates.Parts{}, false
	if len(text) <= dates.MaxText {
		parts, fits = reader.Read(p, text)
	}
	if !fits {
		return "", "it does not match the pattern " + p.Text
	}
	at := time.Unix(parts.Epoch, 0).UTC()
	zone := "Z"
	if !p.Has("s") {
		seconds, why := parts.Clock()
		if why != "" {
			return "", why
		}
		if at = time.Unix(int64(seconds), 0).UTC(); kind != "time" {
			day, why := parts.Day(parts.Year(dates.PosixPivot))
			if why != "" {
				return "", why
			}
			at = day.Add(time.Duration(seconds) * time.Second)
		}
		if zone, why = zoneOf(&parts); why != "" {
			return "", why
		}
	}
	layout := map[string]string{"date": time.DateOnly, "time": time.TimeOnly, "datetime": "2006-01-02T15:04:05"}[kind]
	if iso = at.Format(layout); kind == "date" {
		return iso, ""
	}
	if parts.Fraction != "" {
		iso += "." + parts.Fraction
	}
	return iso + zone, ""
}

// zoneOf writes the zone of a date; "" where it has none.
func zoneOf(parts *dates.Parts) (zone, why string) {
	offset, named := parts.Offset, parts.UTC
	if parts.Zone != "" {
		var known bool
		if offset, known = dates.Abbreviation(parts.Zone); !known {
			return "", fmt.Sprintf("the time zone %q is not known, or has several meanings", parts.Zone)
		}
		named = offset == 0
	} else if !parts.HasOffset {
		return "", ""
	}
	if named {
		return "Z", ""
	}
	if offset%60 != 0 {
		return "", "the offset has seconds, which ISO 8601 has not"
	}
	sign := '+'
	if offset < 0 {
		sign, offset = '-', -offset
	}
	return fmt.Sprintf("%c%02d:%02d", sign, offset/3600, offset/60%60), ""
}

// anyForms are what the format "any" reads, by type. Day and month as numbers are tried both ways: what can be read as
// two dates is none.
var anyForms = sync.OnceValue(func() map[string][]*dates.Pattern {
	days := []string{"%Y-%m-%d", "%Y/%m/%d", "%Y.%m.%d", "%Y%m%d", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%m-%d-%Y", "%d.%m.%Y",
		"%d %B %Y", "%B %d, %Y", "%d-%b-%Y", "%A, %d %B %Y"}
	clocks := []string{"T%H:%M:%S", " %H:%M:%S", " %H:%M", "T%H:%M:%S%z", " %H:%M:%S%z", " %H:%M:%S %z", " %H:%M:%S %Z", " %I:%M %p"}
	forms := map[string][]*dates.Pattern{}
	add := func(kind, text string) {
		if p, err := compileDatePattern(text, kind); err == nil {
			forms[kind] = append(forms[kind], p)
		}
	}
	for _, day := range days {
		add("date", day)
		for _, clock := range clocks {
			add("datetime", day+clock)
		}
	}
	for _, clock := range []string{"%H:%M:%S", "%H:%M", "%H:%M:%S.%f", "%I:%M %p", "%I:%M:%S %p", "%I %p"} {
		add("time", clock)
	}
	return forms
})

func anyDate(s, kind string) (iso, why string) {
	if isISO(kind, s) {
		return s, ""
	}
	for _, p := range anyForms()[kind] {
		if got, why := readDate(p, s, kind); why == "" {
			if iso != "" && iso != got {
				return "", "it can be read as " + iso + " and as " + got
			}
			iso = got
		}
	}
	if iso == "" {
		return "", "it isn't a " + kind
	}
	return iso, ""
}
