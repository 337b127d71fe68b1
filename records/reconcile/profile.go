package reconcile

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Kind says how the values of a field are compared.
type Kind uint8

// The kinds of fields.
const (
	Name     Kind = iota // some words
	Text                 // many words
	Category             // one of a few values
	Code                 // digits and letters that name something
	Date
	Number  // an amount
	Ignored // not compared by itself
)

var kindNames = [...]string{"name", "text", "category", "code", "date", "number", "ignore"}

func (k Kind) String() string { return kindNames[k] }

// profileRows is how many records of an input the kinds of its fields are found from: those whose ids have the least
// hashes, so a sample that does not depend on their order.
const profileRows = 20_000

// column is what is found of a field in an input.
type column struct {
	field                        int
	filled, dates, days, numbers int
	decimals, wholes, withDigits int
	words                        int
	values                       map[uint64]int
	bag                          map[uint64]float64 // its words, counted
	// Of its words: so many are in other fields of the record, and in the best single one
	found, foundInOne int
	foundIn           map[int]int
	derived           bool
	kind              Kind
}

// profile finds the columns of the records from…to.
func (t *table) profile(from, to int) (columns []*column, err error) {
	byField := map[int]*column{}
	type cell struct {
		column *column
		tokens []token
	}
	var buffer []byte
	var row []cell
	rows := min(to-from, profileRows)
	for n := from; n < from+rows; n++ {
		row = row[:0]
		err := t.values(uint32(n), &buffer, func(field int, text string) {
			if field == mostFields {
				return
			}
			c := byField[field]
			if c == nil {
				c = &column{field: field, values: map[uint64]int{}, bag: map[uint64]float64{}, foundIn: map[int]int{}}
				byField[field] = c
			}
			c.see(text)
			row = append(row, cell{c, wordsOf(text)})
		})
		if err != nil {
			return nil, err
		}
		in := map[uint64][]int{}
		for _, c := range row {
			for _, w := range c.tokens {
				c.column.bag[w.hash]++
				if f := in[w.hash]; len(f) == 0 || f[len(f)-1] != c.column.field {
					in[w.hash] = append(f, c.column.field)
				}
			}
		}
		for _, c := range row {
			for _, w := range c.tokens {
				c.column.words++
				if len(in[w.hash]) > 1 {
					c.column.found++
				}
				for _, f := range in[w.hash] {
					c.column.foundIn[f]++
				}
			}
		}
	}
	for _, c := range byField {
		c.settle()
		columns = append(columns, c)
	}
	slices.SortFunc(columns, func(a, b *column) int { return strings.Compare(t.names[a.field], t.names[b.field]) })
	return columns, nil
}

// wordsOf are the words and numbers of a text alone.
func wordsOf(text string) []token {
	return slices.DeleteFunc(tokens(nil, text), func(t token) bool { return t.kind > number })
}

// see counts a value.
func (c *column) see(text string) {
	c.filled++
	c.values[hashOf(text)]++
	// A year alone may be a postcode, too, so it counts where it is likely.
	if d, ok := parseDate(text); ok && (d.month > 0 || d.year >= 1500 && d.year <= 2100) {
		c.dates++
		if d.month > 0 {
			c.days++
		}
	}
	if _, decimal, ok := parseNumber(text); ok {
		c.numbers++
		if decimal {
			c.decimals++
		}
		if !decimal {
			c.wholes++
		}
	}
	if strings.ContainsAny(text, "0123456789") {
		c.withDigits++
	}
}

// leastDays is the share of whole days of a column of dates. The others may be misspelt: a day and a month that were
// swapped are often none, and so is each second typing error.
const leastDays = .6

// settle decides the kind of a column.
func (c *column) settle() {
	if c.filled == 0 {
		return
	}
	share := func(n int) float64 { return float64(n) / float64(c.filled) }
	words := share(c.words)
	distinct := len(c.values)
	for f, n := range c.foundIn {
		if f != c.field {
			c.foundInOne = max(c.foundInOne, n)
		}
	}
	// The words of a full name are those of two other fields; those of a given name are all in one, the full name.
	c.derived = c.words > 0 && 4*c.found > 3*c.words && 4*c.foundInOne < 3*c.found
	switch {
	case share(c.dates) >= .9, share(c.days) >= leastDays: // no more than one code in a hundred is a day by chance
		c.kind = Date
	case share(c.numbers) >= .9 && share(c.decimals) > .1:
		c.kind = Number
	case share(c.wholes) >= .9 || share(c.withDigits) >= .8 && share(distinct) > .3 && words < 5:
		c.kind = Code
		if distinct <= 30 && c.filled > 300 {
			c.kind = Category
		}
	case words > 9:
		c.kind = Text
	case distinct <= 30 && c.filled > 100 || share(distinct) < .01:
		c.kind = Category
	default:
		c.kind = Name
	}
}

// date is a day, or a year alone.
type date struct{ year, month, day int16 }

// dateParts are the numbers of a date, with how many digits they have, and how many signs are between them.
type dateParts struct {
	number, width [3]int
	signs         int
}

// splitDate takes a date apart: numbers of digits, apart by one kind of sign.
func splitDate(s string) (p dateParts, ok bool) {
	sign := byte(0)
	for i := range len(s) {
		c := s[i]
		switch {
		case c >= '0' && c <= '9':
			p.number[p.signs] = p.number[p.signs]*10 + int(c-'0')
			if p.width[p.signs]++; p.width[p.signs] > 8 {
				return p, false
			}
		case (c == '-' || c == '.' || c == '/') && p.width[p.signs] > 0 && p.signs < 2 && (sign == 0 || sign == c):
			sign = c
			p.signs++
		default:
			return p, false
		}
	}
	return p, true
}

func dayOf(y, m, d int) (date, bool) {
	return date{int16(y), int16(m), int16(d)}, y >= 1000 && y <= 2999 && m >= 1 && m <= 12 && d >= 1 && d <= 31
}

// parseDate reads y-m-d, yyyymmdd, d.m.y, d/m/y, m/d/y where only that is one, and a year alone. A time after it is
// passed over.
func parseDate(s string) (date, bool) {
	if len(s) < 4 || len(s) > 40 || s[0] < '0' || s[0] > '9' {
		return date{}, false
	}
	if i := strings.IndexAny(s, "t "); i >= 8 {
		s = s[:i]
	}
	p, ok := splitDate(s)
	if !ok {
		return date{}, false
	}
	n, w := p.number, p.width
	switch {
	case p.signs == 0 && w[0] == 4:
		return date{year: int16(n[0])}, n[0] >= 1000 && n[0] <= 2999
	case p.signs == 0 && w[0] == 8:
		return dayOf(n[0]/10000, n[0]/100%100, n[0]%100)
	case p.signs == 2 && w[0] == 4 && w[1] <= 2 && w[2] <= 2:
		return dayOf(n[0], n[1], n[2])
	case p.signs == 2 && w[2] == 4 && w[0] <= 2 && w[1] <= 2:
		if d, ok := dayOf(n[2], n[1], n[0]); ok {
			return d, true
		}
		return dayOf(n[2], n[0], n[1])
	}
	return date{}, false
}

// parseNumber reads an amount, with a sign of a currency before or after it. decimal says that it has a decimal
// sign, or one of a currency.
func parseNumber(s string) (value float64, decimal, ok bool) {
	cut := func(r rune) bool { return r == '$' || r == '€' || r == '£' || r == '¥' || r == ' ' }
	t := strings.TrimFunc(s, cut)
	decimal = len(t) < len(strings.TrimSpace(s))
	for _, currency := range [...]string{"usd", "eur", "gbp", "chf"} {
		if u := strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(t, currency), currency)); u != t {
			t, decimal = u, true
		}
	}
	if t == "" || len(t) > 24 || strings.Trim(t, "+-0123456789.,") != "" {
		return 0, false, false
	}
	last := strings.LastIndexAny(t, ".,")
	if last >= 0 && (len(t)-last-1 != 3 || strings.Count(t, t[last:last+1]) == 1 && t[last] == '.') {
		whole := strings.NewReplacer(".", "", ",", "").Replace(t[:last])
		t, decimal = whole+"."+t[last+1:], true
	} else {
		t = strings.ReplaceAll(strings.ReplaceAll(t, ",", ""), ".", "")
	}
	value, err := strconv.ParseFloat(t, 64)
	return value, decimal, err == nil
}

// cosine is the likeness of two bags of words.
func cosine(a, b map[uint64]float64) float64 {
	var ab, aa, bb float64
	for _, h := range slices.Sorted(maps.Keys(a)) {
		ab += a[h] * b[h]
		aa += a[h] * a[h]
	}
	for _, h := range slices.Sorted(maps.Keys(b)) {
		bb += b[h] * b[h]
	}
	if aa == 0 || bb == 0 {
		return 0
	}
	return ab / math.Sqrt(aa*bb)
}

// localName is a field's name after the last sign of an IRI or a path, without case and signs.
func localName(name string) string {
	name = strings.TrimRight(name, "/#")
	if i := strings.LastIndexAny(name, "/#"); i >= 0 {
		name = name[i+1:]
	}
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r == ' ' || r == '.' {
			return -1
		}
		return r
	}, fold(name))
}

// compared is a field that is compared: a column of the first table and one of the second, which are the same in the
// mode clusters.
type compared struct {
	fields  [2]int // in the names of the table
	kind    Kind
	name    string
	derived bool
}

// align finds which columns of two tables say the same: by their names, and by the words of their values.
// With lone, codes of one table are compared with all words of the other.
func (t *table) align(a, b []*column, wanted map[string]string, lone bool) []compared {
	type match struct {
		a, b  *column
		score float64
	}
	var all []match
	for _, x := range a {
		for _, y := range b {
			nameA, nameB := t.names[x.field], t.names[y.field]
			score := 0.0
			with, isWanted := wanted[nameA]
			switch m, n := localName(nameA), localName(nameB); {
			case isWanted && with == nameB:
				score = 10
			case isWanted:
				continue
			case nameA == nameB:
				score = 1.1
			case m == n:
				score = 1
			case strings.HasPrefix(m, n) || strings.HasPrefix(n, m):
				score = .3
			}
			if x.kind == Date && y.kind == Date { // their days and months are alike, whatever they are the dates of
				score += .2
			} else {
				score += cosine(x.bag, y.bag)
			}
			if score > .25 {
				all = append(all, match{x, y, score})
			}
		}
	}
	slices.SortFunc(all, func(m, n match) int {
		return cmp.Or(cmp.Compare(n.score, m.score), strings.Compare(t.names[m.a.field], t.names[n.a.field]),
			strings.Compare(t.names[m.b.field], t.names[n.b.field]))
	})
	taken := map[*column]bool{}
	var aligned []compared
	for _, m := range all {
		if taken[m.a] || taken[m.b] {
			continue
		}
		taken[m.a], taken[m.b] = true, true
		aligned = append(aligned, compared{[2]int{m.a.field, m.b.field}, joinKinds(m.a.kind, m.b.kind), t.names[m.a.field],
			m.a.derived || m.b.derived})
	}
	for _, side := range [...][2][]*column{{a, b}, {b, a}} {
		for _, x := range side[0] {
			isThere := slices.ContainsFunc(side[1], func(y *column) bool { return y.field == x.field })
			if lone && !taken[x] && !isThere && x.kind == Code { // its words may be anywhere in the other record
				aligned = append(aligned, compared{[2]int{x.field, x.field}, x.kind, t.names[x.field], x.derived})
			}
		}
	}
	slices.SortFunc(aligned, func(x, y compared) int { return strings.Compare(x.name, y.name) })
	return aligned
}

// joinKinds is how columns of two kinds are compared.
func joinKinds(a, b Kind) Kind {
	if a == b {
		return a
	}
	for _, k := range [...]Kind{Text, Name, Code, Category} {
		if a == k || b == k {
			return k
		}
	}
	return Name
}
