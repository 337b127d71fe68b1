package extract

import (
	"math"
	"strconv"
	"strings"
	"time"

	"laundromat/markup/xmltext"
)

// dateFormat is what of a date or time a format of numbers shows.
type dateFormat uint8

const (
	noDate dateFormat = iota
	dateOnly
	timeOnly
	dateAndTime
)

// readStyles finds the styles whose format is one of dates.
func (w *xlsx) readStyles(name string) error {
	codes := map[string]dateFormat{}
	inCells := false
	return w.elements(name, func(d *xmltext.Reader, _ func() xmltext.Kind) error {
		switch string(d.Local()) {
		case "numFmt":
			codes[attribute(d, "numFmtId")] = formatOf(attribute(d, "formatCode"))
		case "cellXfs":
			inCells = true
		case "cellStyles", "dxfs":
			inCells = false
		case "xf":
			if !inCells {
				return nil
			}
			id := attribute(d, "numFmtId")
			f, ok := codes[id]
			if n, err := strconv.Atoi(id); !ok && err == nil {
				f = builtIn(n)
			}
			w.formats = append(w.formats, f)
		}
		return nil
	})
}

// builtIn are the formats of dates and times that have a number of their own (ECMA-376 part 1,
// §18.8.30).
func builtIn(n int) dateFormat {
	switch {
	case n >= 14 && n <= 17, n >= 27 && n <= 31, n == 36, n >= 50 && n <= 54, n == 57, n == 58:
		return dateOnly
	case n >= 18 && n <= 21, n == 45, n == 47, n >= 32 && n <= 35, n == 55, n == 56:
		return timeOnly
	case n == 22:
		return dateAndTime
	}
	return noDate
}

// formatOf finds the letters of dates in the code of a format, outside of its texts. What counts hours
// beyond a day ([h]) is a length of time and no date.
func formatOf(code string) dateFormat {
	code, _, _ = strings.Cut(code, ";")
	day, clock, quoted := false, false, false
	for i := 0; i < len(code); i++ {
		switch c := code[i] | 0x20; {
		case code[i] == '"':
			quoted = !quoted
		case quoted:
		case code[i] == '\\' || code[i] == '_' || code[i] == '*':
			i++
		case code[i] == '[':
			end := strings.IndexByte(code[i:], ']')
			if end < 0 {
				return noDate
			}
			if in := strings.ToLower(code[i+1 : i+end]); strings.Trim(in, "hms") == "" {
				return noDate
			}
			i += end
		case c == 'd' || c == 'y':
			day = true
		case c == 'h' || c == 's':
			clock = true
		case isNumberFormat(code[i:]) && !clock && !day:
			return noDate
		}
	}
	switch {
	case day && clock:
		return dateAndTime
	case day, !clock && strings.Contains(strings.ToLower(code), "mmm"):
		return dateOnly
	case clock:
		return timeOnly
	}
	return noDate
}

// isNumberFormat says that a part of a format that is for numbers is next.
func isNumberFormat(code string) bool {
	return code[0] == '0' || code[0] == '#' || code[0] == '?' || code[0]|0x20 == 'g' && strings.HasPrefix(strings.ToLower(code), "general")
}

// isoDate is a number of days as ISO 8601 writes it, without a time zone, which sheets do not know.
func isoDate(value string, f dateFormat, date1904 bool) (string, bool) {
	days, err := strconv.ParseFloat(value, 64)
	if err != nil || days < 0 || days >= 2958466 || math.IsNaN(days) { // the year 10000
		return "", false
	}
	seconds := int64(math.Round(days * 86400))
	clock := time.Unix(seconds%86400, 0).UTC().Format("15:04:05")
	if f == timeOnly && days < 1 {
		return clock, true
	}
	start := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	switch {
	case date1904:
		start = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	case days < 1:
		return "", false
	case seconds < 60*86400: // Excel has a 29 February 1900, as Lotus had
		start = start.AddDate(0, 0, 1)
	case seconds < 61*86400:
		return "", false
	}
	text := start.AddDate(0, 0, int(seconds/86400)).Format("2006-01-02")
	if f != dateOnly || seconds%86400 != 0 {
		text += "T" + clock
	}
	return text, true
}
