package schema

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"laundromat/internal/dates"
)

// dateName is what a word names in each language.
type dateName struct {
	months, weekdays []int
	whole            []bool // the month's name is not cut off
}

// maxDateNames is how many words of a column are looked up.
const maxDateNames = 1000

// monthWords are the languages in which all names of months of a column are names of months.
type monthWords struct {
	used bool
	in   []bool
	// apart are values whose word is another month in another language.
	apart []*dateName
}

// add narrows the languages to those that have these names.
func (m *monthWords) add(name, weekday *dateName) {
	months := name.months
	if !m.used {
		m.used, m.in = true, make([]bool, len(months))
		for i := range m.in {
			m.in[i] = true
		}
	}
	first, several := 0, false
	for i, month := range months {
		m.in[i] = m.in[i] && month > 0 && (weekday == nil || weekday.weekdays[i] > 0)
		switch {
		case !m.in[i]:
		case first == 0:
			first = month
		case month != first:
			several = true
		}
	}
	if several && len(m.apart) < 20 {
		m.apart = append(m.apart, name)
	}
}

// fit says that all names until now, and these, are of one language.
func (m *monthWords) fit(name, weekday *dateName) bool {
	for i, month := range name.months {
		if month > 0 && (!m.used || m.in[i]) && (weekday == nil || weekday.weekdays[i] > 0) {
			return true
		}
	}
	return false
}

// language is the first that has all names; doubt says that one name is another month in another of these languages.
func (m *monthWords) language() (tag, doubt string) {
	chosen := -1
	for i := range m.in {
		if m.in[i] && chosen < 0 {
			chosen = i
		}
	}
	if chosen < 0 {
		return "", ""
	}
	tags := dates.Languages()
	for _, name := range m.apart {
		for i, month := range name.months {
			if m.in[i] && name.whole[i] && month != name.months[chosen] {
				return tags[chosen], "a month has another meaning in the language " + tags[i]
			}
		}
	}
	return tags[chosen], ""
}

// linkWords stand between the parts of a date in some languages.
var linkWords = map[string]bool{"de": true, "del": true, "of": true, "den": true, "le": true, "the": true, "d.": true, "г.": true,
	"року": true, "р.": true}

// seeWords looks at a date with the name of a month.
func (t *dateTrial) seeWords(head, behind string, at func() *Counterexample) bool {
	w := wordDate{trial: t}
	if !w.read(head) || w.year == 0 || w.month == nil || !t.words.fit(w.month, w.weekday) {
		return false
	}
	f := t.form(w.pattern.String()+behind, w.pattern.String()+behind)
	if f == nil {
		return false
	}
	t.words.add(w.month, w.weekday)
	month := 0
	for i := range w.month.months {
		if t.words.in[i] && month == 0 {
			month = w.month.months[i]
		}
	}
	fits := 1
	if w.day > dates.DaysIn(w.year, month) {
		fits = 2
	}
	f.times++
	t.fit++
	f.orders[0].count(fits, at)
	return true
}

// wordDate takes a date with words apart, and makes its pattern.
type wordDate struct {
	trial          *dateTrial
	pattern        strings.Builder
	day, year      int
	month, weekday *dateName
}

func (w *wordDate) read(s string) bool {
	for s != "" {
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case r >= '0' && r <= '9':
			end := strings.IndexFunc(s, notDigit)
			if end < 0 {
				end = len(s)
			}
			rest, ok := w.number(s[:end], s[end:])
			if !ok {
				return false
			}
			s = rest
		case unicode.IsLetter(r):
			end := strings.IndexFunc(s, func(r rune) bool {
				return !unicode.IsLetter(r) && !unicode.Is(unicode.Mn, r) && r != '’' && r != '\''
			})
			if end < 0 {
				end = len(s)
			}
			if end < len(s) && s[end] == '.' {
				end++
			}
			if !w.word(s[:end]) {
				return false
			}
			s = s[end:]
		case unicode.IsSpace(r):
			w.pattern.WriteByte(' ')
			s = strings.TrimLeftFunc(s, unicode.IsSpace)
		case strings.ContainsRune(".,-/", r):
			w.pattern.WriteRune(r)
			s = s[size:]
		default:
			return false
		}
	}
	return true
}

// dayEndings follow the number of a day.
var dayEndings = []string{"st", "nd", "rd", "th", "er", "º", "."}

// number takes a day or a year; rest is what follows it.
func (w *wordDate) number(number, rest string) (string, bool) {
	n, _ := dates.Digits(number)
	switch {
	case len(number) == 4 && w.year == 0 && n > 0:
		w.year = n
		w.pattern.WriteString("%Y")
	case len(number) <= 2 && w.day == 0 && n >= 1 && n <= 31:
		w.day = n
		w.pattern.WriteString("%d")
		for _, ending := range dayEndings {
			if after, found := strings.CutPrefix(rest, ending); found {
				return after, true
			}
		}
	case len(number) == 2 && w.day > 0 && w.year == 0:
		if w.year = 2000 + n; n >= 69 {
			w.year -= 100
		}
		w.pattern.WriteString("%y")
	default:
		return "", false
	}
	return rest, true
}

// word takes a month, a weekday or a word between.
func (w *wordDate) word(word string) bool {
	if linkWords[strings.ToLower(word)] {
		w.pattern.WriteString(word)
		return true
	}
	name := w.trial.nameOf(word)
	switch {
	case w.month == nil && namesAny(name.months):
		w.month = name
		w.pattern.WriteString("%B")
	case w.weekday == nil && namesAny(name.weekdays):
		w.weekday = name
		w.pattern.WriteString("%A")
	default:
		return false
	}
	return true
}

func namesAny(numbers []int) bool {
	for _, n := range numbers {
		if n > 0 {
			return true
		}
	}
	return false
}

// nameOf is what a word names.
func (t *dateTrial) nameOf(word string) *dateName {
	word = strings.ToLower(word)
	if n := t.names[word]; n != nil {
		return n
	}
	n := &dateName{}
	if len(t.names) < maxDateNames && len(word) < 40 {
		n.months, n.weekdays, n.whole = dates.NamedIn(word)
	}
	if t.names == nil {
		t.names = map[string]*dateName{}
	}
	t.names[strings.Clone(word)] = n
	return n
}
