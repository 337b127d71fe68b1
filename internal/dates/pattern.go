package dates

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Pattern is a compiled pattern, as strptime has them (POSIX), with the directives that
// Python and Ruby add.
type Pattern struct {
	// Text is the pattern as it was given.
	Text  string
	steps []step
	has   string // the directives that it has
}

// step is a directive, or with zero a literal; a blank stands for any spaces.
type step struct {
	directive byte
	literal   string
	// full says that digits of another directive adjoin, so that this one has all of its own:
	// 1122020 would have two readings by %m%d%Y.
	full bool
}

const (
	maxPattern = 200
	maxSteps   = 20_000 // of one value, so that each ends
	// MaxText is the length in bytes of the longest text that is worth reading.
	MaxText = 200
)

// composed are directives that stand for several.
var composed = map[byte]string{'F': "%Y-%m-%d", 'D': "%m/%d/%y", 'T': "%H:%M:%S", 'R': "%H:%M", 'r': "%I:%M:%S %p",
	'v': "%d-%b-%Y", 'n': " ", 't': " "}

// synonyms are directives that read the same as others.
var synonyms = map[byte]byte{'e': 'd', 'h': 'b', 'B': 'b', 'A': 'a', 'k': 'H', 'l': 'I', 'P': 'p', 'L': 'f',
	'N': 'f', 'u': 'w'}

const directives = "YymbdjHIMSfpazZsGVUWwC"

// Compile reads a pattern. The error says in words that follow the pattern why it is none, or why it gives no time.
func Compile(text string) (*Pattern, error) {
	if len(text) > maxPattern {
		return nil, fmt.Errorf("is longer than %d bytes", maxPattern)
	}
	p := &Pattern{Text: text}
	if err := p.read(strings.TrimSpace(text)); err != nil {
		return nil, err
	}
	for i := 1; i < len(p.steps); i++ {
		_, before := numberDirectives[p.steps[i-1].directive]
		_, after := numberDirectives[p.steps[i].directive]
		if before && after {
			p.steps[i-1].full, p.steps[i].full = true, true
		}
	}
	return p, p.check()
}

func (p *Pattern) read(s string) error {
	for s != "" {
		c, size := utf8.DecodeRuneInString(s)
		switch {
		case unicode.IsSpace(c):
			if n := len(p.steps); n == 0 || p.steps[n-1] != (step{literal: " "}) {
				p.steps = append(p.steps, step{literal: " "})
			}
		case c != '%':
			p.steps = append(p.steps, step{literal: Fold(s[:size])})
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

func (p *Pattern) directive(c byte) error {
	if c == '%' {
		p.steps = append(p.steps, step{literal: "%"})
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
		return fmt.Errorf("has the unknown directive %%%c, which is none of %%Y %%y %%m %%B %%b %%h %%d %%e %%j %%H %%k %%I %%l %%M %%S %%f %%L %%N %%p %%P "+
			"%%A %%a %%z %%Z %%s %%G %%V %%u %%U %%W %%w %%F %%D %%T %%R %%r %%v %%n %%t %%%%", c)
	}
	if strings.IndexByte(p.has, as) >= 0 {
		return fmt.Errorf("has %%%c twice, or the same in another form", c)
	}
	p.has += string(as)
	p.steps = append(p.steps, step{directive: as})
	return nil
}

func (p *Pattern) Has(these string) bool { return strings.ContainsAny(p.has, these) }

// check refuses patterns that contradict themselves.
func (p *Pattern) check() error {
	if p.Has("s") {
		if len(p.has) > 1 {
			return fmt.Errorf("has %%s, which is a whole time, beside others")
		}
		return nil
	}
	week := p.Has("VUW")
	switch {
	case p.Has("Y") && p.Has("y"), p.Has("b") && p.Has("m"), p.Has("H") && p.Has("I"):
		return fmt.Errorf("says the same twice")
	case p.Has("C"):
		return fmt.Errorf("has %%C, which is not read: write %%Y")
	case p.Has("d") && !p.Has("mb"):
		return fmt.Errorf("has a day without a month")
	case p.Has("G") != p.Has("V"):
		return fmt.Errorf("has one of %%G and %%V, which belong together")
	case week && p.Has("G") && p.Has("UW"), week && !p.Has("aw"):
		return fmt.Errorf("has a week without its day: %%u, %%w or %%a")
	case week && p.Has("mbdj"), p.Has("j") && p.Has("mbd"):
		return fmt.Errorf("says the day twice")
	case p.Has("I") && !p.Has("p"):
		return fmt.Errorf("has %%I, hours up to 12, without %%p")
	case p.Has("M") && !p.Has("HI"), p.Has("S") && !p.Has("M"), p.Has("f") && !p.Has("S"):
		return fmt.Errorf("has a part of a time without the larger part")
	}
	return nil
}

// HasYear says that the pattern reads a year.
func (p *Pattern) HasYear() bool { return p.Has("YyGs") }

// HasDay says that the pattern reads a day of a year: a whole date.
func (p *Pattern) HasDay() bool { return p.HasYear() && p.Has("djVUWs") }

// HasTime says that the pattern reads a time of day.
func (p *Pattern) HasTime() bool { return p.Has("HIs") }

// Reader reads texts by patterns. It goes back where a shorter reading fits.
type Reader struct {
	// Names are those of months and weekdays.
	Names *Names
	// Exact holds a text to what strptime reads (POSIX): names are whole or of three letters, without a full stop; no
	// ending follows the number of a day; nothing surrounds a date; and the last hour is 23.
	Exact bool
	steps int
}

// Read reads a text, and reports whether all of it fits the pattern.
func (r *Reader) Read(p *Pattern, text string) (Parts, bool) {
	folded := Fold(text)
	if !r.Exact {
		folded = strings.TrimSpace(folded)
	}
	r.steps = 0
	d := Parts{year: -1, ShortYear: -1, month: -1, day: -1, yearDay: -1, hour: -1, hour12: -1, minute: -1, second: -1,
		half: -1, weekday: -1, isoYear: -1, isoWeek: -1, weekSunday: -1, weekMonday: -1}
	return r.match(p.steps, folded, d)
}

func (r *Reader) match(steps []step, s string, d Parts) (Parts, bool) {
	if r.steps++; r.steps > maxSteps {
		return d, false
	}
	if len(steps) == 0 {
		return d, s == ""
	}
	now, rest := steps[0], steps[1:]
	if now.directive == 0 {
		if now.literal == " " {
			trimmed := strings.TrimLeft(s, " \t\r\n")
			if len(trimmed) == len(s) {
				return d, false
			}
			return r.match(rest, trimmed, d)
		}
		after, found := strings.CutPrefix(s, now.literal)
		if !found {
			return d, false
		}
		return r.match(rest, after, d)
	}
	var result Parts
	found := false
	try := func(length int, d Parts) bool {
		result, found = r.match(rest, s[length:], d)
		return found
	}
	r.directive(now, s, d, try)
	return result, found
}

// number is a directive of digits: how many it has, and which numbers are sound.
type number struct {
	least, most, from, to int
	field                 func(*Parts) *int
}

var numberDirectives = map[byte]number{
	'Y': {4, 4, 1, 9999, func(d *Parts) *int { return &d.year }},
	'y': {2, 2, 0, 99, func(d *Parts) *int { return &d.ShortYear }},
	'm': {1, 2, 1, 12, func(d *Parts) *int { return &d.month }},
	'd': {1, 2, 1, 31, func(d *Parts) *int { return &d.day }},
	'j': {1, 3, 1, 366, func(d *Parts) *int { return &d.yearDay }},
	'H': {1, 2, 0, 24, func(d *Parts) *int { return &d.hour }},
	'I': {1, 2, 1, 12, func(d *Parts) *int { return &d.hour12 }},
	'M': {1, 2, 0, 59, func(d *Parts) *int { return &d.minute }},
	'S': {1, 2, 0, 59, func(d *Parts) *int { return &d.second }},
	'G': {4, 4, 1, 9999, func(d *Parts) *int { return &d.isoYear }},
	'V': {1, 2, 1, 53, func(d *Parts) *int { return &d.isoWeek }},
	'U': {1, 2, 0, 53, func(d *Parts) *int { return &d.weekSunday }},
	'W': {1, 2, 0, 53, func(d *Parts) *int { return &d.weekMonday }},
	'w': {1, 1, 0, 7, func(d *Parts) *int { return &d.weekday }},
}

// directive tries each way to read a directive, the longest first, until one lets the rest
// match too.
func (r *Reader) directive(now step, s string, d Parts, try func(int, Parts) bool) {
	c := now.directive
	if n, known := numberDirectives[c]; known {
		if now.full {
			n.least = n.most
		}
		r.number(c, n, s, d, try)
		return
	}
	switch c {
	case 'b', 'a':
		table := &r.Names.months
		if c == 'a' {
			table = &r.Names.weekdays
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
			word := s[:end]
			if !r.Exact {
				word = strings.TrimSuffix(word, ".")
			} else if table.names[word] == 0 && len(word) != 3 {
				continue
			}
			if n := table.find(word); n > 0 && named(end, n) {
				return
			}
		}
	case 'f':
		n := len(s) - len(strings.TrimLeft(s, "0123456789"))
		for n = min(n, 9); n >= 1; n-- {
			if d.Fraction = s[:n]; try(n, d) {
				return
			}
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

func (r *Reader) number(c byte, n number, s string, d Parts, try func(int, Parts) bool) {
	start := 0
	if c == 'd' && strings.HasPrefix(s, " ") {
		start = 1 // as %e pads
	}
	for digits := n.most; digits >= n.least; digits-- {
		if start+digits > len(s) {
			continue
		}
		value, ok := Digits(s[start : start+digits])
		if !ok || value < n.from || value > n.to || value == 24 && c == 'H' && r.Exact {
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
		if c != 'd' || r.Exact {
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
	{"π.μ.", 0}, {"μ.μ.", 1}, {"πμ", 0}, {"μμ", 1}, {"上午", 0}, {"下午", 1}, {"午前", 0}, {"午後", 1}, {Fold("오전"), 0},
	{Fold("오후"), 1},
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
