package reconcile

import (
	"math"
)

// alike is the likeness of two values of a field, 0 to 1.
func alike(a, b *value, kind Kind) float64 {
	if a.text == b.text {
		return 1
	}
	switch kind {
	case Date:
		if a.dated && b.dated {
			return alikeDates(a, b)
		}
		return alikeCodes(withoutSigns(a.text), withoutSigns(b.text))
	case Number:
		if a.isNum && b.isNum {
			if most := max(math.Abs(a.num), math.Abs(b.num)); most > 0 {
				return max(0, 1-math.Abs(a.num-b.num)/most)
			}
			return 1
		}
		return jaroWinkler(a.text, b.text)
	case Code:
		return alikeCodes(a.bare, b.bare)
	case Text:
		return overlap(a.words, b.words)
	}
	return alikeNames(a, b)
}

func alikeDates(a, b *value) float64 {
	x, y := a.day, b.day
	switch {
	case x == y:
		return 1
	case x.month == 0 || y.month == 0:
		if x.year == y.year {
			return .99
		}
		if x.month == y.month {
			return yearsApart(x, y)
		}
		return 0
	case x.year == y.year && x.month == y.day && x.day == y.month:
		return .9
	}
	digits := func(d date) string {
		n := int(d.year)*10000 + int(d.month)*100 + int(d.day)
		var s [8]byte
		for i := len(s) - 1; i >= 0; i-- {
			s[i] = byte('0' + n%10)
			n /= 10
		}
		return string(s[:])
	}
	switch edits(digits(x), digits(y), 2) {
	case 1:
		return .85
	case 2:
		return .6
	}
	if x.year == y.year {
		return .3
	}
	return 0
}

// yearsApart is the likeness of two years alone.
func yearsApart(x, y date) float64 {
	switch x.year - y.year {
	case 1, -1:
		return .7
	case 2, -2:
		return .5
	}
	return 0
}

func alikeCodes(a, b string) float64 {
	if a == b {
		if a == "" {
			return 0
		}
		return .99
	}
	short, long := a, b
	if len(short) > len(long) {
		short, long = long, short
	}
	if len(short) >= 4 && contains(long, short) {
		return .8
	}
	if len(short) < 3 {
		return 0
	}
	switch edits(a, b, 2) {
	case 1:
		return .85
	case 2:
		if len(short) > 4 {
			return .7
		}
	}
	return 0
}

func contains(long, short string) bool {
	for i := 0; i+len(short) <= len(long); i++ {
		if long[i:i+len(short)] == short {
			return true
		}
	}
	return false
}

// overlap is the share of the information in two texts that they have in common.
func overlap(a, b []term) float64 {
	var total [2]float64
	var common [2]float64
	sum := func(side int, from, in []term) {
		for i := range from {
			w := float64(from[i].idf)
			total[side] += w
			for j := range in {
				if in[j].hash == from[i].hash {
					common[side] += w
					break
				}
			}
		}
	}
	sum(0, a, b)
	sum(1, b, a)
	return blend(common, total)
}

// blend is half of Dice's coefficient and half of how much of the smaller is in the larger.
func blend(common, total [2]float64) float64 {
	if total[0] == 0 || total[1] == 0 {
		return 0
	}
	dice := (common[0] + common[1]) / (total[0] + total[1])
	contained := common[0] / total[0]
	if total[1] < total[0] {
		contained = common[1] / total[1]
	}
	return min(1, .5*dice+.5*contained)
}

// alikeNames compares the words of two names: words that are nearly the same count as the same, initials as half.
func alikeNames(a, b *value) float64 {
	q := alikeWords(a.words, b.words)
	if likelierThan(a.text, b.text, .9) {
		if whole := jaroWinkler(a.text, b.text); whole > .9 {
			q = max(q, whole)
		}
	}
	return min(q, .99)
}

func alikeWords(a, b []term) float64 {
	if len(a) > 40 || len(b) > 40 {
		return overlap(a, b)
	}
	var total, common [2]float64
	var taken [40]bool
	for i := range b {
		total[1] += float64(b[i].idf)
	}
	for i := range a {
		if a[i].kind == code {
			continue
		}
		wa := float64(a[i].idf)
		total[0] += wa
		best, at, half := 0.0, -1, 1.0
		for j := range b {
			if taken[j] || b[j].kind == code {
				continue
			}
			if q, h := alikeTokens(&a[i], &b[j]); q > best {
				best, at, half = q, j, h
			}
		}
		if at >= 0 {
			taken[at] = true
			wb := float64(b[at].idf)
			common[0] += best * wa * half
			common[1] += best * wb * half
			if half < 1 { // an initial says less, also in the total
				total[0] -= wa * (1 - half)
				total[1] -= wb * (1 - half)
			}
		}
	}
	for i := range b {
		if b[i].kind == code {
			total[1] -= float64(b[i].idf)
		}
	}
	return blend(common, total)
}

// alikeTokens is the likeness of two words, 0 where they are not alike, and how much of their weight counts.
func alikeTokens(a, b *term) (q, weight float64) {
	if a.hash == b.hash {
		return 1, 1
	}
	s, t := a.text, b.text
	if len(s) > len(t) {
		s, t = t, s
	}
	if a.kind == number || b.kind == number {
		if a.kind == b.kind && len(s) >= 4 && edits(s, t, 1) == 1 {
			return .85, 1
		}
		return 0, 1
	}
	if len(s) == 1 && s[0] == t[0] {
		return .75, .5
	}
	return alikeLetters(s, t), 1
}

// alikeLetters is the likeness of two words by their letters.
func alikeLetters(s, t string) float64 {
	if len(s) > len(t) {
		s, t = t, s
	}
	if s[0] == t[0] {
		if len(s) == 1 {
			return .75
		}
		if len(s) >= 3 && len(s) < len(t) && t[:len(s)] == s {
			return max(.7, jaroWinklerAbove(s, t))
		}
	}
	return jaroWinklerAbove(s, t)
}

// jaroWinklerAbove is the likeness of two words, 0 where it is too little to say anything.
func jaroWinklerAbove(s, t string) float64 {
	if 2*len(s) < len(t) || !likelierThan(s, t, .85) {
		return 0
	}
	if q := jaroWinkler(s, t); q >= .85 {
		return q
	}
	return 0
}

// alikeValues is the likeness of two values of a compared field. Most values that differ are single words, which need
// no preparing.
func (e *Engine) alikeValues(x, y *value, column int) float64 {
	c := &e.columns[column]
	switch {
	case x.text == y.text:
		return 1
	case (c.kind == Name || c.kind == Category) && isWord(x.text) && isWord(y.text):
		q := alikeLetters(x.text, y.text)
		if likelierThan(x.text, y.text, .9) {
			if whole := jaroWinkler(x.text, y.text); whole > .9 {
				q = max(q, whole)
			}
		}
		return min(q, .99)
	}
	e.prepare(x, c)
	e.prepare(y, c)
	return alike(x, y, c.kind)
}

// isWord says that a folded text is a single word of plain letters.
func isWord(s string) bool {
	for i := range len(s) {
		if s[i] < 'a' || s[i] > 'z' {
			return false
		}
	}
	return true
}

// alikeFields fills q with the likeness of each field of two records; -1 where one lacks it. In one table, two fields
// that differ, and whose values are the same crosswise, were swapped.
func (e *Engine) alikeFields(q []float64, a, b *view) {
	differ := 0
	for i := range e.columns {
		x, y := &a.fields[i], &b.fields[i]
		if x.text == "" || y.text == "" {
			q[i] = -1
			continue
		}
		if q[i] = e.alikeValues(x, y, i); q[i] < .5 {
			differ++
		}
	}
	if differ < 2 || e.apart || e.opt.lacks(swappedFields) {
		return
	}
	for i := range q {
		for j := range i {
			if q[i] < 0 || q[j] < 0 || q[i] >= .5 || q[j] >= .5 || e.columns[i].kind == Text || e.columns[j].kind == Text {
				continue
			}
			if swapped(a.fields[i].text, b.fields[j].text) && swapped(a.fields[j].text, b.fields[i].text) {
				q[i], q[j] = .9, .9
			}
		}
	}
}

func swapped(s, t string) bool {
	return s == t || len(s) > 3 && len(t) > 3 && likelierThan(s, t, .92) && jaroWinkler(s, t) >= .92
}
