// Package entities makes tables of persons, papers and products of which it is known which records are the same.
// Their errors are of the kinds that published studies of such data describe: one or two typing errors (an
// omitted, added, changed or swapped letter), swapped fields, missing values, nicknames, initials, abbreviations,
// other spellings of letters, units and model numbers that are written apart, and relatives at one address.
package entities

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
)

// Set is one table or two. Each row begins with its id.
type Set struct {
	Header [2][]string
	Rows   [2][][]string
	Pairs  map[[2]string]bool // of ids
}

// maker makes a set.
type maker struct {
	*rand.Rand
	given, family, street, town, topic, brand, part []string
}

func newMaker(seed uint64) *maker {
	m := &maker{Rand: rand.New(rand.NewPCG(seed, 7))}
	m.given, m.family, m.street = m.words(400, 2, 3), m.words(4000, 2, 3), m.words(900, 2, 4)
	m.town, m.topic, m.brand, m.part = m.words(300, 2, 3), m.words(1200, 2, 4), m.words(60, 1, 2), m.words(400, 2, 3)
	return m
}

// words makes different words of syllables.
func (m *maker) words(n, least, most int) (words []string) {
	consonants := strings.Split("b c d f g h k l m n p r s t v w z st tr br ch sh gr pl", " ")
	vowels := strings.Split("a e i o u a e i o ai ou ea", " ")
	ends := strings.Split("  n r s l t m  ck nd rt", " ")
	seen := map[string]bool{}
	for len(words) < n {
		var b strings.Builder
		for range least + m.IntN(most-least+1) {
			b.WriteString(consonants[m.IntN(len(consonants))])
			b.WriteString(vowels[m.IntN(len(vowels))])
		}
		b.WriteString(ends[m.IntN(len(ends))])
		if w := b.String(); !seen[w] {
			seen[w] = true
			words = append(words, w)
		}
	}
	return words
}

// pick prefers the first of a list, as names are not all as frequent.
func (m *maker) pick(list []string) string {
	x := m.Float64()
	return list[int(x*x*float64(len(list)))]
}

// typo changes a letter or two.
func (m *maker) typo(s string) string {
	b := []byte(s)
	if len(b) < 3 {
		return s
	}
	i := m.IntN(len(b) - 1)
	letter := byte('a' + m.IntN(26))
	if b[i] >= '0' && b[i] <= '9' {
		letter = byte('0' + m.IntN(10))
	}
	switch m.IntN(4) {
	case 0:
		return string(append(b[:i:i], b[i+1:]...))
	case 1:
		return string(b[:i]) + string(letter) + string(b[i:])
	case 2:
		b[i] = letter
	default:
		b[i], b[i+1] = b[i+1], b[i]
	}
	return string(b)
}

func (m *maker) chance(p float64) bool { return m.Float64() < p }

// Persons makes n persons, of whom some have several records, in one table. hard is how often errors come, 1 as
// studies say.
func Persons(n int, seed uint64, hard float64) *Set {
	m := newMaker(seed)
	s := &Set{Pairs: map[[2]string]bool{}}
	s.Header[0] = []string{"id", "given", "surname", "number", "street", "town", "postcode", "phone", "born"}
	next := 0
	add := func(row []string) string {
		id := "p" + strconv.Itoa(next*7919%1_000_003) + "-" + strconv.Itoa(next)
		next++
		s.Rows[0] = append(s.Rows[0], append([]string{id}, row...))
		return id
	}
	var home []string
	for i := range n {
		row := []string{m.pick(m.given), m.pick(m.family), strconv.Itoa(1 + m.IntN(200)), m.pick(m.street) + " " + []string{
			"street", "road",
			"lane", "avenue"}[m.IntN(4)], m.pick(m.town), "", fmt.Sprintf("%03d %06d", m.IntN(400), m.IntN(1_000_000)),
			fmt.Sprintf("%04d-%02d-%02d", 1925+m.IntN(85), 1+m.IntN(12), 1+m.IntN(28))}
		row[5] = fmt.Sprintf("%05d", 10000+len(row[4])*577+m.IntN(800)*37%70000)
		if i > 0 && m.chance(.15) { // a relative at the address of the one before
			copy(row[1:7], home[1:7])
		}
		home = row
		ids := []string{add(row)}
		if m.chance(.35) {
			for range 1 + m.IntN(3)*m.IntN(2) {
				ids = append(ids, add(m.spoilPerson(row, hard)))
			}
		}
		pairUp(s.Pairs, ids)
	}
	m.Shuffle(len(s.Rows[0]), func(i, j int) { s.Rows[0][i], s.Rows[0][j] = s.Rows[0][j], s.Rows[0][i] })
	return s
}

func pairUp(pairs map[[2]string]bool, ids []string) {
	for i, a := range ids {
		for _, b := range ids[i+1:] {
			pairs[[2]string{a, b}] = true
		}
	}
}

func (m *maker) spoilPerson(row []string, hard float64) []string {
	out := append([]string(nil), row...)
	if m.chance(.12 * hard) { // moved
		out[2], out[3], out[4], out[5] = strconv.Itoa(1+m.IntN(200)), m.pick(m.street)+" street", m.pick(m.town),
			strconv.Itoa(10000+m.IntN(80000))
	}
	for i := range out {
		if m.chance(.15 * hard) {
			out[i] = m.typo(out[i])
		}
		if m.chance(.06 * hard) {
			out[i] = ""
		}
	}
	switch {
	case m.chance(.08*hard) && out[0] != "":
		out[0] = out[0][:1]
	case m.chance(.06*hard) && len(out[0]) > 4:
		out[0] = out[0][:3] + "y" // a nickname
	}
	if m.chance(.05 * hard) {
		out[0], out[1] = out[1], out[0]
	}
	if len(out[7]) == 10 && m.chance(.08*hard) { // day and month
		out[7] = out[7][:5] + out[7][8:] + "-" + out[7][5:7]
	}
	if m.chance(.3) {
		out[6] = strings.ReplaceAll(out[6], " ", "-")
	}
	out[3] = strings.NewReplacer("street", "st", "road", "rd", "avenue", "ave").Replace(out[3])
	return out
}

// Papers makes two tables of papers, with common of both in them.
func Papers(common, onlyA, onlyB int, seed uint64, hard float64) *Set {
	m := newMaker(seed)
	s := &Set{Pairs: map[[2]string]bool{}}
	s.Header = [2][]string{{"id", "title", "authors", "venue", "year"}, {"id", "title", "authors", "venue", "year"}}
	venues := [][2]string{{"International Conference on Very Large Data Bases", "VLDB"},
		{"SIGMOD Conference", "International Conference on Management of Data"},
		{"ACM Transactions on Database Systems", "ACM Trans. Database Syst."},
		{"SIGMOD Record", "ACM SIGMOD Record"}, {"VLDB Journal", "The VLDB Journal"}}
	var last []string
	for i := range common + onlyA + onlyB {
		var title, authors []string
		for range 4 + m.IntN(7) {
			title = append(title, m.pick(m.topic))
			if m.chance(.3) {
				title = append(title, []string{"of", "for", "in", "with", "and"}[m.IntN(5)])
			}
		}
		if last != nil && m.chance(.06) { // a work of two parts, or the journal's form of a paper
			title = append(append([]string(nil), last...), "part", "ii")
		}
		last = title
		for range 1 + m.IntN(4) {
			authors = append(authors, m.pick(m.given)+" "+m.pick(m.family))
		}
		venue, year := venues[m.IntN(len(venues))], 1994+m.IntN(10)
		a := []string{"a" + strconv.Itoa(i), strings.Join(title, " "), strings.Join(authors, ", "), venue[0], strconv.Itoa(year)}
		b := []string{"b" + strconv.Itoa(i), a[1], a[2], venue[1], a[4]}
		if m.chance(.5 * hard) {
			short := make([]string, len(authors))
			for k, name := range authors {
				short[k] = name[:1] + ". " + name[strings.IndexByte(name, ' ')+1:]
			}
			b[2] = strings.Join(short, "; ")
		}
		if m.chance(.25 * hard) {
			b[1] = m.typo(b[1])
		}
		if m.chance(.15*hard) && len(title) > 5 {
			b[1] = strings.Join(title[:len(title)-2], " ")
		}
		if m.chance(.1*hard) && len(authors) > 1 {
			b[2] = authors[0]
		}
		for k := 2; k < 5; k++ {
			if m.chance(.05 * hard) {
				b[k] = ""
			}
		}
		if m.chance(.03 * hard) {
			b[4] = strconv.Itoa(year + 1)
		}
		s.put(i, common, onlyA, a, b)
	}
	s.shuffle(m)
	return s
}

// put puts a thing into both tables, or into one.
func (s *Set) put(i, common, onlyA int, a, b []string) {
	switch {
	case i < common:
		s.Pairs[[2]string{a[0], b[0]}] = true
		s.Rows[0], s.Rows[1] = append(s.Rows[0], a), append(s.Rows[1], b)
	case i < common+onlyA:
		s.Rows[0] = append(s.Rows[0], a)
	default:
		s.Rows[1] = append(s.Rows[1], b)
	}
}

func (s *Set) shuffle(m *maker) {
	for side := range s.Rows {
		rows := s.Rows[side]
		m.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	}
}

// Products makes two tables of products, with common of both in them. Products come in lines: variants that differ
// by a model number, a size or a colour alone.
func Products(common, onlyA, onlyB int, seed uint64, hard float64) *Set {
	m := newMaker(seed)
	s := &Set{Pairs: map[[2]string]bool{}}
	s.Header = [2][]string{{"id", "title", "brand", "modelno", "price", "description"}, {"id", "name", "manufacturer", "price", "details"}}
	colours := []string{"black", "white", "silver", "red", "blue"}
	kinds := m.words(40, 2, 3)
	var brand, kind, model string
	var parts []string
	price := 0.0
	order := m.Perm(common + onlyA + onlyB)
	for _, i := range order {
		if brand == "" || m.chance(.6) { // a new line
			brand, kind = m.pick(m.brand), m.pick(kinds)
			model = strings.ToUpper(m.part[m.IntN(len(m.part))][:2]) + "-" + strconv.Itoa(100+m.IntN(9000))
			parts = []string{m.pick(m.part), m.pick(m.part), m.pick(m.part)}
			price = 10 + 500*m.Float64()*m.Float64()
		} else { // the next of the line
			model = model[:len(model)-1] + strconv.Itoa(m.IntN(10))
			price *= .8 + .5*m.Float64()
		}
		size := strconv.Itoa(1<<m.IntN(8)) + []string{"GB", " GB", "-inch", " oz"}[m.IntN(4)]
		colour := colours[m.IntN(len(colours))]
		a := []string{"a" + strconv.Itoa(i), brand + " " + strings.Join(parts, " ") + " " + kind + " " + size + " " + colour, brand, model,
			strconv.FormatFloat(price, 'f', 2, 64),
			strings.Join([]string{m.pick(m.topic), parts[0], m.pick(m.topic), kind, m.pick(m.topic), size,
				m.pick(m.topic), m.pick(m.topic), m.pick(m.topic), m.pick(m.topic)}, " ")}
		shownModel := model
		if m.chance(.4) {
			shownModel = strings.ReplaceAll(model, "-", "")
		}
		words := []string{brand}
		for _, p := range parts {
			if !m.chance(.2 * hard) {
				words = append(words, p)
			}
		}
		words = append(words, kind)
		if !m.chance(.3 * hard) {
			words = append(words, shownModel)
		}
		if !m.chance(.3 * hard) {
			words = append(words, strings.NewReplacer(" ", "", "-inch", "\"").Replace(size))
		}
		if !m.chance(.4 * hard) {
			words = append(words, colour)
		}
		b := []string{"b" + strconv.Itoa(i), strings.Join(words, " "), brand,
			"$" + strconv.FormatFloat(price*(.9+.2*m.Float64()), 'f', 2, 64),
			strings.Join([]string{parts[1], m.pick(m.topic), size, m.pick(m.topic), m.pick(m.topic)}, " ")}
		if m.chance(.2 * hard) {
			b[1] = m.typo(b[1])
		}
		for k := 2; k < 5; k++ {
			if m.chance(.25 * hard) {
				b[k] = ""
			}
		}
		if m.chance(.3 * hard) {
			a[3] = ""
		}
		s.put(i, common, onlyA, a, b)
	}
	s.shuffle(m)
	return s
}
