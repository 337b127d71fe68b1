package csvw

import (
	"strings"
	"time"
	"unicode/utf8"
)

// dateFormat is a pattern of dates and times (UAX #35 part 4), with the fields that the standard names.
type dateFormat struct {
	text  string
	steps []dateStep
}

// dateStep is a field with its number of letters, or a literal with letter 0.
type dateStep struct {
	letter  byte
	n       int
	literal string
}

// compileDate takes a pattern apart; nil if it has a field that is not read.
func compileDate(text string) *dateFormat {
	f := &dateFormat{text: text}
	if text == "" {
		return nil
	}
	for i := 0; i < len(text); {
		c := text[i]
		n := 1
		for i+n < len(text) && text[i+n] == c {
			n++
		}
		switch c {
		case 'y', 'M', 'd', 'H', 'm', 's', 'S', 'X', 'x':
			most := map[byte]int{'y': 4, 'M': 4, 'd': 2, 'H': 2, 'm': 2, 's': 2, 'S': 9, 'X': 3, 'x': 3}[c]
			if n > most || c == 'y' && n != 4 {
				return nil
			}
			f.steps = append(f.steps, dateStep{letter: c, n: n})
			i += n
		case 'T', ' ', '-', '/', '.', ':', ',':
			f.steps = append(f.steps, dateStep{literal: string(c)})
			i++
		case '\'':
			end := strings.IndexByte(text[i+1:], '\'')
			if end < 0 {
				return nil
			}
			literal := text[i+1 : i+1+end]
			if literal == "" {
				literal = "'"
			}
			f.steps = append(f.steps, dateStep{literal: literal})
			i += end + 2
		default:
			return nil
		}
	}
	return f
}

// parse is the lexical form of a date or time that is written so, as the datatype has it.
func (f *dateFormat) parse(text, name string) (lexical string, ok bool) {
	value := map[byte]string{}
	rest := text
	digits := func(least, most int) (string, bool) {
		n := 0
		for n < len(rest) && n < most && rest[n] >= '0' && rest[n] <= '9' {
			n++
		}
		if n < least {
			return "", false
		}
		d := rest[:n]
		rest = rest[n:]
		return d, true
	}
	for i, s := range f.steps {
		switch s.letter {
		case 0:
			if rest, ok = strings.CutPrefix(rest, s.literal); !ok {
				if s.literal == "." && i+1 < len(f.steps) && f.steps[i+1].letter == 'S' {
					continue // a fraction need not be there
				}
				return "", false
			}
		case 'y':
			value['y'], ok = digits(4, 4)
		case 'S':
			value['S'], ok = digits(0, s.n)
		case 'X', 'x':
			value['X'], rest, ok = zoneOf(rest, s)
		case 'M':
			if s.n > 2 {
				value['M'], rest, ok = monthOf(rest)
				break
			}
			fallthrough
		default:
			if value[s.letter], ok = digits(s.n, 2); ok && len(value[s.letter]) == 1 {
				value[s.letter] = "0" + value[s.letter]
			}
		}
		if s.letter != 0 && !ok {
			return "", false
		}
	}
	if rest != "" {
		return "", false
	}
	return composed(value, name)
}

// composed writes the fields as XML Schema does.
func composed(v map[byte]string, name string) (string, bool) {
	has := func(letters string) bool {
		for i := range len(letters) {
			if v[letters[i]] == "" {
				return false
			}
		}
		return true
	}
	or := func(letter byte, otherwise string) string {
		if v[letter] == "" {
			return otherwise
		}
		return v[letter]
	}
	clock := or('H', "00") + ":" + or('m', "00") + ":" + or('s', "00")
	if v['S'] != "" {
		clock += "." + v['S']
	}
	day := v['y'] + "-" + v['M'] + "-" + v['d']
	switch name {
	case "date":
		return day + v['X'], has("yMd")
	case "time":
		return clock + v['X'], has("H")
	case "gDay":
		return "---" + v['d'] + v['X'], has("d")
	case "gMonth":
		return "--" + v['M'] + v['X'], has("M")
	case "gMonthDay":
		return "--" + v['M'] + "-" + v['d'] + v['X'], has("Md")
	case "gYear":
		return v['y'] + v['X'], has("y")
	case "gYearMonth":
		return v['y'] + "-" + v['M'] + v['X'], has("yM")
	}
	return day + "T" + clock + v['X'], has("yMd")
}

// monthOf reads the English name of a month, whole or of three letters.
func monthOf(text string) (number, rest string, ok bool) {
	n := 0
	for n < len(text) {
		r, size := utf8.DecodeRuneInString(text[n:])
		if r < 'A' || r > 'z' || r > 'Z' && r < 'a' {
			break
		}
		n += size
	}
	for m := time.January; m <= time.December; m++ {
		if name := m.String(); n >= 3 && strings.EqualFold(text[:n], name[:min(n, len(name))]) && (n == 3 || n == len(name)) {
			return string([]byte{'0' + byte(m)/10, '0' + byte(m)%10}), text[n:], true
		}
	}
	return "", text, false
}

// zoneOf reads an offset from UTC: X is -08, -0830 or Z, XX is -0830 or Z, XXX is -08:30 or Z; with x there is no Z.
func zoneOf(text string, s dateStep) (zone, rest string, ok bool) {
	if s.letter == 'X' && strings.HasPrefix(text, "Z") {
		return "Z", text[1:], true
	}
	if len(text) < 3 || text[0] != '+' && text[0] != '-' || !isDigits(text[1:3]) {
		return "", text, false
	}
	hours, rest, minutes := text[:3], text[3:], "00"
	colon := strings.HasPrefix(rest, ":")
	after := strings.TrimPrefix(rest, ":")
	hasMinutes := len(after) >= 2 && isDigits(after[:2])
	switch {
	case s.n == 1 && (colon || !hasMinutes):
	case s.n == 2 && (colon || !hasMinutes), s.n == 3 && (!colon || !hasMinutes):
		return "", text, false
	default:
		minutes, rest = after[:2], after[2:]
	}
	return hours + ":" + minutes, rest, true
}

// instant is a date or time as a point in time, for comparisons. One without a zone is in UTC.
func instant(name, lexical string) (t time.Time, ok bool) {
	layout := map[string]string{"date": "2006-01-02", "time": "15:04:05", "gDay": "---02", "gMonth": "--01", "gMonthDay": "--01-02",
		"gYear": "2006", "gYearMonth": "2006-01"}[name]
	if layout == "" {
		layout = "2006-01-02T15:04:05"
	}
	for _, zone := range []string{"", "Z07:00"} {
		if t, err := time.Parse(layout+zone, lexical); err == nil {
			return t, true
		}
	}
	return t, false
}

// months and seconds of a duration, roughly, for comparisons.
func lastingSeconds(lexical string) (seconds float64, ok bool) {
	text, negative := strings.CutPrefix(lexical, "-")
	text, ok = strings.CutPrefix(text, "P")
	if !ok {
		return 0, false
	}
	const day = 86400
	date, clock, _ := strings.Cut(text, "T")
	for _, half := range []struct {
		text  string
		units map[byte]float64
	}{{date, map[byte]float64{'Y': 365.2425 * day, 'M': 30.436875 * day, 'D': day}},
		{clock, map[byte]float64{'H': 3600, 'M': 60, 'S': 1}}} {
		for rest := half.text; rest != ""; {
			n := strings.IndexFunc(rest, func(r rune) bool { return (r < '0' || r > '9') && r != '.' })
			if n < 1 || half.units[rest[n]] == 0 {
				return 0, false
			}
			value, good := rational(rest[:n])
			if !good {
				return 0, false
			}
			f, _ := value.Float64()
			seconds += f * half.units[rest[n]]
			rest = rest[n+1:]
		}
	}
	if negative {
		seconds = -seconds
	}
	return seconds, true
}
