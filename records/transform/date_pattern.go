package transform

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"laundromat/records/spec"
)

// datePattern is a compiled pattern, as strptime has them (POSIX), with the directives that
// Python and Ruby add.
type datePattern struct {
	text  string
	steps []dateStep
	has   string // the directives that it has
}

// dateStep is a directive, or with zero a literal; a blank stands for any spaces.
type dateStep struct {
	directive byte
	literal   string
	// full says that digits of another directive adjoin, so that this one has all of its own:
	// 1122020 would have two readings by %m%d%Y.
	full bool
}

const (
	maxDatePattern = 200
	maxDateText    = 200
	maxDateSteps   = 20_000 // of one value, so that each ends
)

// composed are directives that stand for several.
var composed = map[byte]string{'F': "%Y-%m-%d", 'D': "%m/%d/%y", 'T': "%H:%M:%S", 'R': "%H:%M", 'r': "%I:%M:%S %p",
	'v': "%d-%b-%Y", 'n': " ", 't': " "}

// synonyms are directives that read the same as others.
var synonyms = map[byte]byte{'e': 'd', 'h': 'b', 'B': 'b', 'A': 'a', 'k': 'H', 'l': 'I', 'P': 'p', 'L': 'f',
	'N': 'f', 'u': 'w'}

const directives = "YymbdjHIMSfpazZsGVUWwC"

func compileDatePattern(n *spec.Node) (*datePattern, error) {
	if n.Kind != spec.Text {
		return nil, n.Errorf("a pattern is a text, not %s", n.Kind)
	}
	if len(n.Text) > maxDatePattern {
		return nil, n.Errorf("the pattern is longer than %d bytes", maxDatePattern)
	}
	p := &datePattern{text: n.Text}
	if err := p.read(strings.TrimSpace(n.Text)); err != nil {
		return nil, n.Errorf("the pattern %q %v", n.Text, err)
	}
	for i := 1; i < len(p.steps); i++ {
		_, before := numberDirectives[p.steps[i-1].directive]
		_, after := numberDirectives[p.steps[i].directive]
		if before && after {
			p.steps[i-1].full, p.steps[i].full = true, true
		}
	}
	if err := p.check(); err != nil {
		return nil, n.Errorf("the pattern %q %v", n.Text, err)
	}
	return p, nil
}

func (p *datePattern) read(s string) error {
	for s != "" {
		c, size := utf8.DecodeRuneInString(s)
		switch {
		case unicode.IsSpace(c):
			if n := len(p.steps); n == 0 || p.steps[n-1] != (dateStep{literal: " "}) {
				p.steps = append(p.steps, dateStep{literal: " "})
			}
		case c != '%':
			p.steps = append(p.steps, dateStep{literal: fold(s[:size])})
		default:
			// Flags of glibc and modifiers of POSIX change how a date is written, not read.
			s = strings.TrimLeft(s[1:], "-_0^#:EO")
			if s == "" {
				return fmt.Errorf("ends after %%")
			}
			if err := p.directive(s[0]); err != nil {
				return err
			}
			size = 1
		}
		s = s[size:]
	}
	return nil
}

func (p *datePattern) directive(c byte) error {
	if c == '%' {
		p.steps = append(p.steps, dateStep{literal: "%"})
		return nil
	}
	if to, known := composed[c]; known {
		return p.read(to)
	}
	if c == 'x' || c == 'X' || c == 'c' {
		return fmt.Errorf("has %%%c, whose form depends on a machine's settings: write it out", c)
	}
	as := c
	if to, known := synonyms[c]; known {
		as = to
	}
	if strings.IndexByte(directives, as) < 0 {
		return fmt.Errorf("has %%%c, which is none of %%Y %%y %%m %%B %%b %%d %%e %%j %%H %%I %%M %%S %%f %%p %%A "+
			"%%a %%z %%Z %%s "+
			"%%G %%V %%u %%U %%W %%w %%F %%D %%T %%R %%r %%%%", c)
	}
	if strings.IndexByte(p.has, as) >= 0 {
		return fmt.Errorf("has %%%c twice, or the same in another form", c)
	}
	p.has += string(as)
	p.steps = append(p.steps, dateStep{directive: as})
	return nil
}

func (p *datePattern) hasAny(these string) bool { return strings.ContainsAny(p.has, these) }

// check refuses patterns that don't give a date.
func (p *datePattern) check() error {
	if p.hasAny("s") {
		if len(p.has) > 1 {
			return fmt.Errorf("has %%s, which is a whole time, beside others")
		}
		return nil
	}
	week := p.hasAny("VUW")
	switch {
	case !p.hasAny("YyG"):
		return fmt.Errorf("has no year: %%Y, or %%y for two digits")
	case p.hasAny("Y") && p.hasAny("y"), p.hasAny("b") && p.hasAny("m"), p.hasAny("H") && p.hasAny("I"):
		return fmt.Errorf("says the same twice")
	case p.hasAny("C"):
		return fmt.Errorf("has %%C, which is not read: write %%Y")
	case p.hasAny("d") && !p.hasAny("mb"):
		return fmt.Errorf("has a day without a month")
	case p.hasAny("G") != p.hasAny("V"):
		return fmt.Errorf("has one of %%G and %%V, which belong together")
	case week && p.hasAny("G") && p.hasAny("UW"), week && !p.hasAny("aw"):
		return fmt.Errorf("has a week without its day: %%u, %%w or %%a")
	case week && p.hasAny("mbdj"), p.hasAny("j") && p.hasAny("mbd"):
		return fmt.Errorf("says the day twice")
	case p.hasAny("I") && !p.hasAny("p"):
		return fmt.Errorf("has %%I, hours up to 12, without %%p")
	case p.hasAny("M") && !p.hasAny("HI"), p.hasAny("S") && !p.hasAny("M"), p.hasAny("f") && !p.hasAny("S"):
		return fmt.Errorf("has a part of a time without the larger part")
	}
	return nil
}

// hasTime says that the pattern reads a time of day.
func (p *datePattern) hasTime() bool { return p.hasAny("HIs") }

// parsedDate is what a pattern read; -1 where it read nothing.
type parsedDate struct {
	year, shortYear, month, day, yearDay     int
	hour, hour12, minute, second             int
	half                                     int // 0 before noon, 1 after
	weekday                                  int // 1 is Monday
	isoYear, isoWeek, weekSunday, weekMonday int
	offset                                   int // in seconds, where hasOffset
	hasOffset                                bool
	zone                                     string // of %Z
	epoch                                    int64
}

// dateReader reads one value by one pattern. It goes back where a shorter reading fits.
type dateReader struct {
	months, weekdays *nameTable
	steps            int
}

func (r *dateReader) read(p *datePattern, folded string) (parsedDate, bool) {
	r.steps = 0
	d := parsedDate{year: -1, shortYear: -1, month: -1, day: -1, yearDay: -1, hour: -1, hour12: -1, minute: -1,
		second: -1,
		half:   -1, weekday: -1, isoYear: -1, isoWeek: -1, weekSunday: -1, weekMonday: -1}
	return r.match(p.steps, folded, d)
}

func (r *dateReader) match(steps []dateStep, s string, d parsedDate) (parsedDate, bool) {
	if r.steps++; r.steps > maxDateSteps {
		return d, false
	}
	if len(steps) == 0 {
		return d, s == ""
	}
	step, rest := steps[0], steps[1:]
	if step.directive == 0 {
		if step.literal == " " {
			trimmed := strings.TrimLeft(s, " \t\r\n")
			if len(trimmed) == len(s) {
				return d, false
			}
			return r.match(rest, trimmed, d)
		}
		after, found := strings.CutPrefix(s, step.literal)
		if !found {
			return d, false
		}
		return r.match(rest, after, d)
	}
	var result parsedDate
	found := false
	try := func(length int, d parsedDate) bool {
		result, found = r.match(rest, s[length:], d)
		return found
	}
	r.directive(step, s, d, try)
	return result, found
}

// number is a directive of digits: how many it has, and which numbers are sound.
type number struct {
	least, most, from, to int
	field                 func(*parsedDate) *int
}

var numberDirectives = map[byte]number{
	'Y': {4, 4, 1, 9999, func(d *parsedDate) *int { return &d.year }},
	'y': {2, 2, 0, 99, func(d *parsedDate) *int { return &d.shortYear }},
	'm': {1, 2, 1, 12, func(d *parsedDate) *int { return &d.month }},
	'd': {1, 2, 1, 31, func(d *parsedDate) *int { return &d.day }},
	'j': {1, 3, 1, 366, func(d *parsedDate) *int { return &d.yearDay }},
	'H': {1, 2, 0, 24, func(d *parsedDate) *int { return &d.hour }},
	'I': {1, 2, 1, 12, func(d *parsedDate) *int { return &d.hour12 }},
	'M': {1, 2, 0, 59, func(d *parsedDate) *int { return &d.minute }},
	'S': {1, 2, 0, 59, func(d *parsedDate) *int { return &d.second }},
	'G': {4, 4, 1, 9999, func(d *parsedDate) *int { return &d.isoYear }},
	'V': {1, 2, 1, 53, func(d *parsedDate) *int { return &d.isoWeek }},
	'U': {1, 2, 0, 53, func(d *parsedDate) *int { return &d.weekSunday }},
	'W': {1, 2, 0, 53, func(d *parsedDate) *int { return &d.weekMonday }},
	'w': {1, 1, 0, 7, func(d *parsedDate) *int { return &d.weekday }},
}

// directive tries each way to read a directive, the longest first, until one lets the rest
// match too.
func (r *dateReader) directive(step dateStep, s string, d parsedDate, try func(int, parsedDate) bool) {
	c := step.directive
	if n, known := numberDirectives[c]; known {
		if step.full {
			n.least = n.most
		}
		r.number(c, n, s, d, try)
		return
	}
	switch c {
	case 'b', 'a':
		table := r.months
		if c == 'a' {
			table = r.weekdays
		}
		named := func(end, n int) bool {
			if c == 'a' {
				d.weekday = n
			} else {
				d.month = n
			}
			return try(end, d)
		}
		if table.begins(s, named) {
			return
		}
		for _, end := range words(s) {
			if n := table.find(strings.TrimSuffix(s[:end], ".")); n > 0 && named(end, n) {
				return
			}
		}
	case 'f':
		n := len(s) - len(strings.TrimLeft(s, "0123456789"))
		for n = min(n, 9); n >= 1 && !try(n, d); n-- {
		}
	case 'p':
		for _, h := range halves {
			if strings.HasPrefix(s, h.text) {
				if d.half = h.half; try(len(h.text), d) {
					return
				}
			}
		}
	case 'z':
		readOffset(s, d, try)
	case 'Z':
		readZone(s, d, try)
	case 's':
		readEpoch(s, d, try)
	}
}

func (r *dateReader) number(c byte, n number, s string, d parsedDate, try func(int, parsedDate) bool) {
	start := 0
	if c == 'd' && strings.HasPrefix(s, " ") {
		start = 1 // as %e pads
	}
	for digits := n.most; digits >= n.least; digits-- {
		if start+digits > len(s) || !isDigits(s[start:start+digits]) {
			continue
		}
		value := 0
		for _, b := range []byte(s[start : start+digits]) {
			value = 10*value + int(b-'0')
		}
		if value < n.from || value > n.to {
			continue
		}
		if c == 'w' && value == 0 {
			value = 7
		}
		*n.field(&d) = value
		end := start + digits
		if try(end, d) {
			return
		}
		if c != 'd' {
			continue
		}
		for _, suffix := range ordinals {
			if strings.HasPrefix(s[end:], suffix) && try(end+len(suffix), d) {
				return
			}
		}
	}
}

// ordinals follow a day in some languages, folded: 1st, 1er, 1º (o), 1. and 3-án.
var ordinals = []string{"st", "nd", "rd", "th", "er", "re", "ere", "eme", "e", "de", "ste", "o", "a", "°", ".",
	":a", ":e",
	"-an", "-en", "-jen", "-je", "-e", "-a", "-го", "-е", "日", "일"}

// halves are the halves of the day, the longest first.
var halves = []struct {
	text string
	half int
}{{"a. m.", 0}, {"p. m.", 1}, {"a.m.", 0}, {"p.m.", 1}, {"a.m", 0}, {"p.m", 1}, {"a m", 0}, {"p m", 1}, {"am", 0},
	{"pm", 1},
	{"π.μ.", 0}, {"μ.μ.", 1}, {"πμ", 0}, {"μμ", 1}, {"上午", 0}, {"下午", 1}, {"午前", 0}, {"午後", 1}, {fold("오전"), 0},
	{fold("오후"), 1},
	{"de.", 0}, {"du.", 1}, {"a", 0}, {"p", 1}}

// words are the ends of the words that begin s, the longest first. A word is letters and
// their inner hyphens and apostrophes, with or without a full stop. Where letters need no
// space between, each shorter one is a word too.
func words(s string) []int {
	var ends []int
	i := 0
	for i < len(s) {
		c, size := utf8.DecodeRuneInString(s[i:])
		if !unicode.IsLetter(c) {
			after, _ := utf8.DecodeRuneInString(s[i+size:])
			if i == 0 || c != '-' && c != '\'' || !unicode.IsLetter(after) {
				break
			}
			ends = append(ends, i)
		} else if (c >= 0x1100 || 0x0E00 <= c && c < 0x0F00) && i > 0 { // Thai, Lao, Hangul, Kana, Han
			ends = append(ends, i)
		}
		i += size
	}
	if i > 0 {
		ends = append(ends, i)
		if i < len(s) && s[i] == '.' {
			ends = append(ends, i+1)
		}
	}
	slices.Reverse(ends)
	return ends
}
