package schema

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"laundromat/internal/dates"
	"unicode/utf8"
)

// signs are a decimal sign and what stands between groups of digits; 0 for nothing.
type signs struct{ decimal, group byte }

// numberSigns are the ways to write numbers that are tried. The simplest come first.
var numberSigns = [...]signs{{'.', 0}, {',', 0}, {'.', ','}, {',', '.'}, {'.', ' '}, {',', ' '}, {'.', '\''}, {',', '\''}}

// maxAffixes is how many different texts beside numbers are counted in a column.
const maxAffixes = 8

// numberTrial counts how many values of a column are numbers by each of numberSigns.
type numberTrial struct {
	plain   int64 // whole numbers without a sign
	trials  [len(numberSigns)]signTrial
	affixes []affixCount
	bare    int64 // numbers with nothing beside them, without a word for which they would differ
	inMinus int64 // numbers in brackets
	codes   int64 // with zeros before
	// shortest and longest are the digits of the values.
	shortest, longest int
}

// signTrial is how one way to write numbers does.
type signTrial struct {
	fits, decimals, groups int64
	against                *Counterexample
}

// affixCount is how many values have a text beside the number.
type affixCount struct {
	text  string
	times int64
}

// numeral is a text taken apart: the digits with the signs between them, and what is around them.
type numeral struct {
	core     string
	beside   [2]string // before and behind
	brackets bool
}

// see looks at a text.
func (t *numberTrial) see(text string, at func() *Counterexample) {
	n, ok := numeralOf(text)
	if ok && (!t.addAffix(n.beside[0]) || !t.addAffix(n.beside[1])) {
		ok = false
	}
	var example *Counterexample
	found := false
	for i := range t.trials {
		trial := &t.trials[i]
		fits, decimal, group := false, false, false
		if ok {
			fits, decimal, group = numberSigns[i].fit(n.core)
		}
		if !fits {
			if trial.against == nil {
				if example == nil {
					example = at()
				}
				trial.against = example
			}
			continue
		}
		found = true
		trial.fits++
		if decimal {
			trial.decimals++
		}
		if group {
			trial.groups++
		}
	}
	switch {
	case !found:
		if ok && hasZerosBefore(n.core) {
			t.codes++
		}
		return
	case n.brackets:
		t.inMinus++
	}
	if n.beside == [2]string{} {
		t.bare++
	}
	digits := strings.Count(n.core, "") - 1 - strings.Count(n.core, ".") - strings.Count(n.core, ",") - strings.Count(n.core,
		" ") - strings.Count(n.core, "'")
	if t.longest = max(t.longest, digits); t.shortest == 0 || digits < t.shortest {
		t.shortest = digits
	}
}

// hasZerosBefore says that a number begins with a zero that its worth does not need.
func hasZerosBefore(core string) bool {
	return len(core) > 1 && core[0] == '0' && core[1] >= '0' && core[1] <= '9'
}

// addAffix counts what stands beside a number; false if a number can't have it.
func (t *numberTrial) addAffix(text string) bool {
	if text == "" {
		return true
	}
	for i := range t.affixes {
		if t.affixes[i].text == text {
			t.affixes[i].times++
			return true
		}
	}
	if len(t.affixes) == maxAffixes {
		return false
	}
	t.affixes = append(t.affixes, affixCount{text, 1})
	return true
}

// numeralOf takes a text apart; false if it is no number with what may stand around one.
func numeralOf(s string) (n numeral, ok bool) {
	if len(s) > 60 {
		return n, false
	}
	if strings.HasPrefix(s, "(") && strings.HasSuffix(s, ")") {
		n.brackets, s = true, s[1:len(s)-1]
	}
	from := strings.IndexAny(s, "0123456789")
	if from < 0 {
		return n, false
	}
	if from > 0 && (s[from-1] == '.' || s[from-1] == ',') && (from == 1 || !isLetterBefore(s[:from-1])) {
		from-- // a bare fraction, as .5
	}
	to := strings.LastIndexAny(s, "0123456789") + 1
	before, after := strings.TrimSpace(s[:from]), strings.TrimSpace(s[to:])
	before, minus := cutMinus(before)
	if !minus && !n.brackets && !strings.HasPrefix(after, ",") && !strings.HasPrefix(after, ".") {
		after, minus = cutMinus(after)
	}
	if n.brackets && minus {
		return n, false
	}
	if before == "+" && to-from <= 8 { // more are the number of a telephone
		before = ""
	}
	n.beside = [2]string{before, after}
	for _, b := range n.beside {
		if b != "" && affixKind(b) == "" {
			return n, false
		}
	}
	n.core, ok = plainSigns(s[from:to])
	return n, ok
}

func isLetterBefore(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return unicode.IsLetter(r)
}

// cutMinus takes a minus sign off either end of what stands beside a number.
func cutMinus(s string) (rest string, found bool) {
	for _, sign := range [...]string{"-", "−"} {
		if rest, found = strings.CutPrefix(s, sign); found {
			return strings.TrimSpace(rest), true
		}
		if rest, found = strings.CutSuffix(s, sign); found {
			return strings.TrimSpace(rest), true
		}
	}
	return s, false
}

// plainSigns writes spaces and apostrophes of all kinds as those of ASCII; false if there is anything else than
// digits and their signs.
func plainSigns(s string) (string, bool) {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r >= '0' && r <= '9', r == '.', r == ',', r == '\'':
			b.WriteByte(byte(r))
		case r == '’':
			b.WriteByte('\'')
		case unicode.IsSpace(r):
			b.WriteByte(' ')
		default:
			return "", false
		}
	}
	return b.String(), true
}

// fit says whether a number is written with these signs, and which of them it has.
func (s signs) fit(core string) (fits, decimal, group bool) {
	whole, fraction := core, ""
	if at := strings.LastIndexByte(core, s.decimal); at >= 0 {
		whole, fraction, decimal = core[:at], core[at+1:], true
		if _, ok := dates.Digits(fraction); !ok {
			return false, false, false
		}
	}
	if whole == "" {
		return decimal, decimal, false
	}
	if s.group == 0 || strings.IndexByte(whole, s.group) < 0 {
		_, ok := dates.Digits(whole)
		return ok && (len(whole) == 1 || whole[0] != '0'), decimal, false
	}
	groups := strings.Split(whole, string(s.group))
	last, size := len(groups)-1, 3
	if s.group == ',' && last > 1 && len(groups[1]) == 2 {
		size = 2 // as in India: 12,34,567
	}
	for i, g := range groups {
		_, ok := dates.Digits(g)
		switch {
		case !ok, i == last && len(g) != 3, i > 0 && i < last && len(g) != size, i == 0 && (len(g) > size || g[0] == '0'):
			return false, false, false
		}
	}
	return true, decimal, true
}

// few says that less than half of the values are numbers.
func (t *numberTrial) few(values int64) bool {
	most := int64(0)
	for i := range t.trials {
		most = max(most, t.trials[i].fits)
	}
	return (t.plain+most)*2 < values
}

// readings are the ways in which the column is written, as far as its values tell.
func (t *numberTrial) readings(values int64) (all []Reading) {
	if t.codes > 0 {
		return nil
	}
	most := int64(0)
	for i := range t.trials {
		most = max(most, t.trials[i].fits)
	}
	if float64(t.plain+most) < mostWritten*float64(values) {
		return nil
	}
	for i, trial := range t.trials {
		// A sign that no value has says nothing; the way to write without it is the same.
		if trial.fits < most || i > 0 && trial.decimals == 0 && trial.groups == 0 || numberSigns[i].group != 0 && trial.groups == 0 ||
			trial.decimals == 0 && trial.groups > 0 && t.written(all, numberSigns[i].group) {
			continue
		}
		all = append(all, t.reading(i, values))
	}
	if len(all) > 1 {
		for i := range all {
			all[i].Doubt = "the values can be read in several ways"
		}
	}
	return all
}

// written says that a reading with this grouping, which has no decimal sign, is there already.
func (t *numberTrial) written(all []Reading, group byte) bool {
	return slices.ContainsFunc(all, func(r Reading) bool { return r.Group == string(group) && r.Decimal == "" })
}

func (t *numberTrial) reading(i int, values int64) Reading {
	trial := t.trials[i]
	r := Reading{Type: "number", Values: t.plain + trial.fits, Others: values - t.plain - trial.fits, Against: trial.against,
		Brackets: t.inMinus > 0}
	var name []string
	if trial.decimals > 0 {
		r.Decimal = string(numberSigns[i].decimal)
		name = append(name, "decimal "+r.Decimal)
	}
	if trial.groups > 0 {
		r.Group = string(numberSigns[i].group)
		name = append(name, map[byte]string{',': "group ,", '.': "group .", ' ': "group by spaces", '\'': "group '"}[numberSigns[i].group])
	}
	if len(name) == 0 {
		name = append(name, "whole numbers")
	}
	for _, a := range t.affixes {
		r.Beside = append(r.Beside, a.text)
	}
	if len(r.Beside) > 0 {
		name = append(name, "beside "+strings.Join(r.Beside, " "))
	}
	if r.Brackets {
		name = append(name, "negative in ()")
	}
	r.Name, r.Doubt = strings.Join(name, " "), t.doubt(trial)
	return r
}

// doubt is why numbers that are all written alike may still mean something else.
func (t *numberTrial) doubt(trial signTrial) string {
	kinds := map[string]int64{}
	for _, a := range t.affixes {
		kinds[affixKind(a.text)] += a.times
	}
	numbers := t.plain + trial.fits
	switch {
	case len(kinds) > 1:
		return "different units or currencies are in one column"
	case len(kinds) == 1 && t.bare+t.plain > 0:
		return fmt.Sprintf("%d of %d numbers have nothing beside them", t.bare+t.plain, numbers)
	case t.inMinus == numbers:
		return "all values are in brackets"
	case trial.decimals == 0 && trial.groups > 0 && trial.groups == numbers && t.shortest == t.longest && t.longest > 6:
		return "all values have the same number of digits, as those of an identifier"
	}
	return ""
}
