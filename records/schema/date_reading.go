package schema

import (
	"slices"
	"strings"

	"laundromat/internal/dates"
)

// maxDateForms is how many forms of dates one column may have.
const maxDateForms = 6

// dateTrial counts how many values of a column are dates of some form.
type dateTrial struct {
	forms []*dateForm
	seen  int64
	fit   int64 // values of any form
	other *Counterexample
	words monthWords
	names map[string]*dateName // words that were looked up
	// seasons are values as 2010-11, which may be a month or two years.
	seasons int64
}

// dateForm is a form of dates: how many digits stand between which signs. Their order is not known.
type dateForm struct {
	name   string
	times  int64
	orders []*dateOrder
}

// dateOrder is an order of day, month and year, as a pattern of strptime.
type dateOrder struct {
	pattern    string
	fits       int64
	impossible int64 // of them, the days that their month does not have
	noDay      *Counterexample
	against    *Counterexample // of the same form
}

// datePieces is a text taken apart.
type datePieces struct {
	numbers [3]string
	between string // the same sign twice
	behind  string // the pattern of a time
}

// see looks at a text.
func (t *dateTrial) see(text string, at func() *Counterexample) {
	if t.seen++; !t.fits(text, at) && t.other == nil {
		t.other = at()
	}
}

// others says that a value is no date.
func (t *dateTrial) others(at func() *Counterexample) {
	if t.seen++; t.other == nil {
		t.other = at()
	}
}

func (t *dateTrial) fits(text string, at func() *Counterexample) bool {
	if len(text) < 6 || len(text) > 60 {
		return false
	}
	head, behind, ok := cutTime(text)
	if !ok {
		return false
	}
	if p, ok := datePiecesOf(head); ok {
		p.behind = behind
		return t.seeNumbers(&p, at)
	}
	if year, month, found := strings.Cut(head, "-"); found && behind == "" && len(year) == 4 && len(month) == 2 {
		return t.seeMonth(year, month)
	}
	return t.seeWords(head, behind, at)
}

// seeMonth looks at a month of a year, as 2024-04.
func (t *dateTrial) seeMonth(year, month string) bool {
	y, ok := dates.Digits(year)
	m, ok2 := dates.Digits(month)
	if !ok || !ok2 || m < 1 || m > 12 {
		return false
	}
	if m == (y+1)%100 {
		t.seasons++
	}
	f := t.form("YYYY-MM", "%Y-%m")
	if f == nil {
		return false
	}
	f.times++
	f.orders[0].fits++
	t.fit++
	return true
}

// form is the form of that name; nil if there are too many.
func (t *dateTrial) form(name string, patterns ...string) *dateForm {
	for _, f := range t.forms {
		if f.name == name {
			return f
		}
	}
	if len(t.forms) == maxDateForms {
		return nil
	}
	f := &dateForm{name: name}
	for _, p := range patterns {
		f.orders = append(f.orders, &dateOrder{pattern: p})
	}
	t.forms = append(t.forms, f)
	return f
}

// seeNumbers looks at a date of three numbers, in each order that it may have.
func (t *dateTrial) seeNumbers(p *datePieces, at func() *Counterexample) bool {
	orders := []string{"dmy", "mdy", "ymd"}
	year := "%y"
	switch {
	case len(p.numbers[0]) == 4:
		orders, year = orders[2:], "%Y"
	case len(p.numbers[2]) == 4:
		orders, year = orders[:2], "%Y"
	}
	patterns := make([]string, len(orders))
	for i, order := range orders {
		var parts []string
		for _, c := range order {
			parts = append(parts, map[rune]string{'d': "%d", 'm': "%m", 'y': year}[c])
		}
		patterns[i] = strings.Join(parts, p.between) + p.behind
	}
	fitting := make([]int, 0, 3) // 0 does not fit, 1 is a date, 2 is one that there is not
	found := false
	for _, order := range orders {
		fits := p.fit(order)
		fitting = append(fitting, fits)
		found = found || fits > 0
	}
	if !found {
		return false
	}
	f := t.form(strings.Join(patterns, " "), patterns...)
	if f == nil {
		return false
	}
	f.times++
	t.fit++
	for i, o := range f.orders {
		o.count(fitting[i], at)
	}
	return true
}

func (o *dateOrder) count(fits int, at func() *Counterexample) {
	switch {
	case fits == 0 && o.against == nil:
		o.against = at()
	case fits == 2:
		if o.impossible++; o.noDay == nil {
			o.noDay = at()
		}
	}
	if fits > 0 {
		o.fits++
	}
}

// fit says whether the numbers may be a date in that order. It is 0 for no, 1 for yes, and 2 for a day that the
// month does not have.
func (p *datePieces) fit(order string) int {
	var d, m, y int
	for i, c := range order {
		n, _ := dates.Digits(p.numbers[i])
		switch c {
		case 'd':
			d = n
		case 'm':
			m = n
		default:
			switch y = n; len(p.numbers[i]) {
			case 1:
				return 0
			case 2:
				if y += 2000; n >= 69 { // as strptime has it
					y -= 100
				}
			}
		}
	}
	switch {
	case m < 1 || m > 12 || d < 1 || d > 31 || y < 1:
		return 0
	case d > dates.DaysIn(y, m):
		return 2
	}
	return 1
}

// datePiecesOf takes three numbers apart that have the same sign between them.
func datePiecesOf(s string) (p datePieces, ok bool) {
	first := strings.IndexFunc(s, notDigit)
	if first < 1 {
		return p, false
	}
	for _, between := range [...]string{". ", ".", "/", "-", " "} {
		if !strings.HasPrefix(s[first:], between) {
			continue
		}
		parts := strings.Split(s, between)
		if len(parts) != 3 {
			return p, false
		}
		for i, part := range parts {
			if _, is := dates.Digits(part); !is || len(part) > 4 || len(part) == 3 || len(part) == 4 && i == 1 {
				return p, false
			}
		}
		if len(parts[0]) == 4 && len(parts[2]) == 4 {
			return p, false
		}
		return datePieces{numbers: [3]string(parts), between: between}, true
	}
	return p, false
}

func notDigit(r rune) bool { return r < '0' || r > '9' }

// cutTime takes a time of day off the end of a date, and gives its pattern with what is before it. A text without
// a time is whole.
func cutTime(s string) (head, pattern string, ok bool) {
	colon := strings.IndexByte(s, ':')
	if colon < 2 {
		return s, "", true
	}
	at := colon
	for at > 0 && s[at-1] >= '0' && s[at-1] <= '9' {
		at--
	}
	head = strings.TrimRight(s[:at], " ")
	joint := s[len(head):at]
	if joint == "" {
		if head, ok = strings.CutSuffix(head, "T"); !ok {
			return s, "", false
		}
		joint = "T"
	} else {
		joint = " "
	}
	if trimmed, comma := strings.CutSuffix(head, ","); comma {
		head, joint = trimmed, ", "
	}
	clock, ok := clockPattern(s[at:])
	return head, joint + clock, ok
}

// halves are how people write the half of the day behind a time.
var halves = [...]string{" AM", " PM", " am", " pm", "AM", "PM", "am", "pm", " a.m.", " p.m."}

// clockPattern is the pattern of a time of day.
func clockPattern(clock string) (pattern string, ok bool) {
	directive, behind := "%H", ""
	for _, half := range halves {
		if before, found := strings.CutSuffix(clock, half); found {
			clock, directive = before, "%I"
			behind = strings.Repeat(" ", strings.Count(half, " ")) + "%p"
			break
		}
	}
	if directive == "%H" {
		clock, behind = cutOffset(clock)
	}
	parts := strings.Split(clock, ":")
	if len(parts) > 3 {
		return "", false
	}
	seconds := ""
	if len(parts) == 3 {
		whole, fraction, has := strings.Cut(parts[2], ".")
		if parts[2], seconds = whole, ":%S"; has {
			if _, is := dates.Digits(fraction); !is || len(fraction) > 9 {
				return "", false
			}
			seconds = ":%S.%f"
		}
	}
	for i, part := range parts {
		if !isTimePart(part, i == 0, directive == "%I") {
			return "", false
		}
	}
	return directive + ":%M" + seconds + behind, true
}

// cutOffset takes a time zone off a time, as Z or +02:00.
func cutOffset(clock string) (before, pattern string) {
	end := strings.LastIndexAny(clock, "+-Z")
	if end < 4 {
		return clock, ""
	}
	if z := strings.Replace(clock[end:], ":", "", 1); z != "Z" && (len(z) != 5 || strings.IndexFunc(z[1:], notDigit) >= 0) {
		return clock, ""
	}
	if before, spaced := strings.CutSuffix(clock[:end], " "); spaced {
		return before, " %z"
	}
	return clock[:end], "%z"
}

// isTimePart says that a text is an hour, or minutes or seconds.
func isTimePart(part string, hour, half bool) bool {
	n, is := dates.Digits(part)
	switch {
	case !is || len(part) > 2:
		return false
	case !hour:
		return len(part) == 2 && n <= 59
	case half:
		return n >= 1 && n <= 12
	}
	return n <= 23
}

// few says that less than half of the values are dates.
func (t *dateTrial) few(int64) bool { return t.fit*2 < t.seen }

// readings are the ways to read the column as dates. Where it has several forms, each must have one order.
func (t *dateTrial) readings(values int64) (all []Reading) {
	if t.fit == 0 || float64(t.fit) < mostWritten*float64(values) {
		return nil
	}
	if language, doubt := t.words.language(); len(t.forms) == 1 {
		f := t.forms[0]
		most := int64(0)
		for _, o := range f.orders {
			most = max(most, o.fits)
		}
		for _, o := range f.orders {
			if o.fits < most {
				continue
			}
			r := t.reading(f, []*dateOrder{o}, values)
			if t.words.used {
				r.Language = language
			}
			if r.Doubt == "" {
				r.Doubt = doubt
			}
			all = append(all, r)
		}
		if len(all) > 1 {
			for i := range all {
				all[i].Doubt = "the order of day and month, or of the year, is not known"
			}
		}
		return all
	}
	var orders []*dateOrder
	doubt := ""
	for _, f := range t.forms {
		whole := slices.DeleteFunc(slices.Clone(f.orders), func(o *dateOrder) bool { return o.fits < f.times })
		if len(whole) != 1 {
			doubt = "the order of day and month, or of the year, is not known in one of several forms"
			whole = append(whole, f.orders[0])
		}
		orders = append(orders, whole[0])
	}
	r := t.reading(t.forms[0], orders, values)
	if r.Doubt == "" {
		r.Doubt = doubt
	}
	if language, doubt := t.words.language(); t.words.used {
		if r.Language = language; r.Doubt == "" {
			r.Doubt = doubt
		}
	}
	return []Reading{r}
}

// reading describes the orders of one form, or one order of each of several.
func (t *dateTrial) reading(f *dateForm, orders []*dateOrder, values int64) Reading {
	r := Reading{Type: "date", Others: values}
	for _, o := range orders {
		r.Patterns = append(r.Patterns, o.pattern)
		r.Values += o.fits
		r.Others -= o.fits
		r.Impossible += o.impossible
		if r.NoDay == nil {
			r.NoDay = o.noDay
		}
		if r.Against == nil {
			r.Against = o.against
		}
		switch {
		case strings.Contains(o.pattern, "%M"):
			r.Type = "datetime"
		case !strings.Contains(o.pattern, "%d"):
			r.Doubt = "there is no day"
		}
	}
	if r.Against == nil && r.Others > 0 {
		r.Against = t.other
	}
	if len(orders) == 1 && f.name == "YYYY-MM" {
		r.Type, r.Doubt = "yearmonth", ""
		if t.seasons == f.times {
			r.Doubt = "each may be two years as well, as 2010-11"
		}
	}
	r.Name = strings.Join(r.Patterns, " or ")
	return r
}
