package entities

import (
	"fmt"
	"strconv"
	"strings"
)

// Lives makes one table of n persons of the past as registers and encyclopedias name them, of each some ten
// records: names with titles and without, nicknames, a first of January where the year alone is known, fields that
// are missing, swapped or of another spelling.
func Lives(n int, seed uint64, hard float64) *Set {
	m := newMaker(seed)
	s := &Set{Pairs: map[[2]string]bool{}}
	s.Header[0] = []string{"id", "full_name", "first_name", "surname", "dob", "birth_place", "postcode", "gender", "occupation"}
	work := m.words(30, 2, 3)
	next := 0
	for range n {
		given, family, place := m.pick(m.given), m.pick(m.family), m.IntN(len(m.town))
		place = place * place / len(m.town)
		names := []string{given}
		for range m.IntN(3) {
			names = append(names, m.pick(m.given))
		}
		var title []string
		if m.chance(.15) {
			title = []string{[]string{"sir", "baron", "reverend", "1st earl of"}[m.IntN(4)]}
		}
		year := 1600 + int(320*max(m.Float64(), m.Float64()))
		born := fmt.Sprintf("%04d-%02d-%02d", year, 1+m.IntN(12), 1+m.IntN(28))
		if m.chance(.25) {
			born = fmt.Sprintf("%04d-01-01", year)
		}
		outward := fmt.Sprintf("%s%d", m.town[place][:2], 1+m.IntN(6))
		postcode := outward + " " + m.inward()
		gender, does := []string{"male", "female"}[m.IntN(5)/4], m.pick(work)
		var ids []string
		size := 1 + m.IntN(19)
		for k := range size {
			first, last := given, family
			all := append([]string(nil), names...)
			if k > 0 {
				switch {
				case m.chance(.12 * hard):
					first = first[:min(3, len(first))] + "y"
				case m.chance(.06 * hard):
					first = first[:1]
				case m.chance(.12 * hard):
					first = m.typo(first)
				case len(names) > 1 && m.chance(.05*hard): // known by another name
					first = names[1]
				}
				if m.chance(.15 * hard) {
					last = m.typo(last)
				}
				if len(all) > 1 && m.chance(.4) {
					all = all[:1]
				}
			}
			all[0] = first
			whole := append(append([]string(nil), all...), last)
			if len(title) > 0 && !m.chance(.3*hard) {
				whole = append(append([]string(nil), title...), whole...)
			}
			row := []string{strings.Join(whole, " "), first, last, born, m.town[place], postcode, gender, does}
			if k > 0 {
				m.spoilLife(row, m.town, work, outward, hard)
			}
			id := "q" + strconv.Itoa(next*7919%1_000_003) + "-" + strconv.Itoa(next)
			next++
			s.Rows[0] = append(s.Rows[0], append([]string{id}, row...))
			ids = append(ids, id)
		}
		pairUp(s.Pairs, ids)
	}
	s.shuffle(m)
	return s
}

// inward is the second half of a postcode.
func (m *maker) inward() string {
	return fmt.Sprintf("%d%c%c", m.IntN(10), 'a'+m.IntN(26), 'a'+m.IntN(26))
}

func (m *maker) spoilLife(row, towns, work []string, outward string, hard float64) {
	if m.chance(.04 * hard) {
		row[1], row[2] = row[2], row[1]
		row[0] = row[1] + " " + row[2]
	}
	switch {
	case m.chance(.10 * hard):
		row[3] = row[3][:4] + "-01-01"
	case m.chance(.10 * hard):
		row[3] = m.typo(row[3])
	}
	if m.chance(.10 * hard) {
		row[4] = towns[m.IntN(len(towns))]
	}
	switch {
	case m.chance(.15 * hard):
		row[5] = outward + " " + m.inward()
	case m.chance(.06 * hard):
		row[5] = m.town[m.IntN(len(m.town))][:2] + strconv.Itoa(1+m.IntN(6)) + " " + m.inward()
	}
	if m.chance(.15 * hard) {
		row[7] = m.pick(work)
	}
	for i, missing := range [...]float64{0, .02, .02, .12, .12, .2, .3, .2} {
		if m.chance(missing * hard) {
			row[i] = ""
		}
	}
}
