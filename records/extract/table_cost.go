package extract

import (
	"slices"
	"strings"

	"laundromat/internal/fault"
)

// A table can be read in many ways. It is cut by any delimiter, by edges or not at all. Its quotation marks are
// marks or text. Its header has no, one or several rows, and rows may be before it. Each reading of the sample
// pays for what it has to explain away. The cheapest one is taken.

// term is something that a reading pays for.
type term uint8

const (
	bareMark term = iota
	markAsText
	rowLost
	rowLong
	titlePassed
	rowPassed
	uncutTop
	delimiterInCell
	rareDelimiter
	anotherTable
	noHeader
	headerRow
	labelLikeValue
	labelAgain
	labelMissing
	labelBlank
	labelSurplus
	valueOffKind
	labelAsValue
	terms
)

// prices is what each term costs. Points have no unit: they are compared with each other alone. What each
// one earns is in docs/records.md.
//
//   - bareMark: each four marks of a row with one within a cell that has none around it, or behind one that closes
//   - markAsText: marks around a cell taken as its text
//   - rowLost: each line of a row that is lost
//   - rowLong: a row with more cells that hold something; of three and more such rows of one width, one counts
//   - titlePassed: a row before the header of one cell of words
//   - rowPassed: one of more cells; four times that if it is as wide as the table or like its values
//   - uncutTop: each row cut by a delimiter that the first line lacks, where no header is known by its values
//   - delimiterInCell: delimiterWorth of a cell that isn't quoted
//   - labelAgain: more than half of the labels occur among the values below them
//   - labelAsValue: a unit or a series of years as a value
var prices = [terms]struct {
	points float64
	what   string
}{
	bareMark:        {1, "stray quotation marks"},
	markAsText:      {1, "quotation marks taken as text"},
	rowLost:         {1.5, "rows that are lost"},
	rowLong:         {1.2, "rows with too many fields"},
	titlePassed:     {0.6, "titles before the header"},
	rowPassed:       {1, "rows passed over before the header"},
	uncutTop:        {0.6, "a delimiter that the first line lacks"},
	delimiterInCell: {1, "signs of delimiters within fields"},
	rareDelimiter:   {1, "a rare sign as the delimiter"},
	anotherTable:    {2, "further tables"},
	noHeader:        {1.2, "the lack of a header"},
	headerRow:       {1.2, "further rows of the header"},
	labelLikeValue:  {2.6, "labels like the values below them"},
	labelAgain:      {2.2, "labels that occur among the values"},
	labelMissing:    {1, "columns without a label"},
	labelBlank:      {0.5, "blank labels"},
	labelSurplus:    {0.3, "equal labels"},
	valueOffKind:    {1, "values unlike their columns"},
	labelAsValue:    {1.5, "units or years as values"},
}

// bill counts what a reading pays for.
type bill [terms]float64

func (b *bill) add(t term, n float64) { b[t] += n }

func (b *bill) join(other *bill) {
	for i, n := range other {
		b[i] += n
	}
}

func (b *bill) total() (sum float64) {
	for i, n := range b {
		sum += n * prices[i].points
	}
	return sum
}

// signWorth is how much a sign in a cell that isn't quoted speaks for a cut there, in points.
func signWorth(text string, i int, kind cellKind, signs *sampleSigns) float64 {
	next := byte(0)
	if i+1 < len(text) {
		next = text[i+1]
	}
	switch c := text[i]; {
	case c == '\t':
		return 1
	case c == ';' && next == ' ':
		return 0.3
	case c == ';' || c == '|':
		return 0.6
	case c == ',' && next == ' ':
		return 0.1
	case c == ',' && kind == number:
		return 0.3
	case c == ',':
		return 0.6
	case c == ' ' && next == ' ' && i > 0 && text[i-1] != ' ' && strings.TrimSpace(text[i:]) != "":
		return 0.5
	case kind <= plainText && signs.regular[c]:
		return 0.5
	}
	return 0
}

// delimiterWorth is how much the signs in a cell speak for a cut. Those that are in all lines alike count each, others
// together at most half a point: they are those of prose. Those that count each are worth most at most.
func delimiterWorth(text string, kind cellKind, signs *sampleSigns, first bool, most float64) float64 {
	regular, other, common := 0.0, 0.0, 0.0
	for i := range len(text) {
		c := text[i]
		if !signs.watched[c] {
			continue
		}
		worth := signWorth(text, i, kind, signs)
		if signs.regular[c] || c == '\t' {
			regular += worth
		} else {
			other += worth
		}
		if c == ',' || c == ';' || c == '|' || c == '\t' {
			common += worth
		}
	}
	if first { // a label seldom holds a common delimiter
		return max(min(3*common, most), min(regular, most))
	}
	if other >= 3 { // prose has not so many
		return min(regular, most) + 1.5
	}
	return min(regular, most) + min(other, 0.5)
}

// The regular signs of a cell cost so much at most: of one among others, and of one that is the whole row. A wide row
// that is cut pays for each of its cells, so one that is not cut must pay as if it were.
const (
	mostPerCell = 3.0
	mostPerRow  = 300.0
)

// sampleSigns says which signs may be delimiters, and which of them are regular. Most lines of the sample have those in
// the same number. Where no sign is so in nearly all lines, it is enough that most have as many as the first, if
// that is above two. Rare ones are in nearly all lines, the first too.
type sampleSigns struct{ watched, regular [256]bool }

func countSampleSigns(text []byte) *sampleSigns {
	var s sampleSigns
	var counts signCounts
	var places [256]uint8 // of the candidates, from 1
	for i, c := range candidates {
		s.watched[c.delimiter] = true
		places[c.delimiter] = uint8(i + 1)
	}
	lines := 0
	for line := range linesOf(text) {
		if len(line) == 0 || line[0] == '#' && lines == 0 {
			continue
		}
		var n [len(candidates) + 1]int
		for _, c := range line {
			n[places[c]]++
		}
		lines++
		for i, k := range n[1:] {
			if lines == 1 {
				counts[i].first = k
			}
			if k > 0 {
				counts[i].add(k)
			}
		}
		if lines == searchRows {
			break
		}
	}
	s.judge(&counts, lines)
	s.regular[' '] = s.regular[' '] || isSpaced(text)
	return &s
}

// signCounts says of each candidate how many of it lines have.
type signCounts [len(candidates)]signCount

type signCount struct {
	first   int // in the first line
	numbers []signNumber
}

// signNumber is how many lines have a sign so many times.
type signNumber struct{ times, lines int }

func (c *signCount) add(times int) {
	for i := range c.numbers {
		if c.numbers[i].times == times {
			c.numbers[i].lines++
			return
		}
	}
	c.numbers = append(c.numbers, signNumber{times, 1})
}

// judge says which signs are regular, by how many lines have each in which number, and by how many the first has.
func (s *sampleSigns) judge(counts *signCounts, lines int) {
	strict := false
	for i, c := range candidates {
		share := 0
		for _, n := range counts[i].numbers {
			if c.rare < 0.5 || n.times == counts[i].first {
				share = max(share, n.lines)
			}
		}
		nine := lines > 1 && 10*share >= 9*lines
		s.regular[c.delimiter] = c.delimiter != ' ' && (nine || lines > 1 && c.rare < 0.5 && 10*share >= 7*lines)
		strict = strict || nine && c.rare < 0.5
	}
	for i, c := range candidates {
		same, atLeast := counts[i].first, 0
		for _, n := range counts[i].numbers {
			if n.times >= same {
				atLeast += n.lines
			}
		}
		if !strict && c.rare < 0.5 && same > 2 && lines > 1 && 10*atLeast >= 7*lines {
			s.regular[c.delimiter] = true
		}
	}
}

// weighRows counts what the rows of the sample pay for, whatever their layout: marks and signs in their cells.
func (b *bill) weighRows(rows []*row, d *dialect, signs *sampleSigns) {
	first := true
	for _, r := range rows {
		switch {
		case r.lost:
			b.add(rowLost, float64(1+countLineEnds([]byte(r.raw))))
			continue
		case r.comment:
			continue
		}
		if slices.ContainsFunc(r.faults, isMarkFault) {
			n := 0.25 * float64(strings.Count(r.raw, string(rune(d.quote))))
			if d.quote == '\'' { // words have it too
				n /= 5
			}
			b.add(bareMark, max(n, 0.5))
		}
		if r.blank || r.isDivider() {
			continue
		}
		if d.form != printed && isDivider(r.raw) {
			b.add(delimiterInCell, 1)
		}
		b.weighCells(r, d, signs, first)
		first = false
	}
}

func (b *bill) weighCells(r *row, d *dialect, signs *sampleSigns, first bool) {
	open, kinds := -1, r.cellKinds()
	for i, text := range r.texts {
		if r.isQuoted(i, d.quote) || isBlankText(text) {
			continue
		}
		if kinds[i] != number || !d.sparesCommas() {
			most := mostPerCell
			if len(r.texts) == 1 {
				most = mostPerRow
			}
			b.add(delimiterInCell, delimiterWorth(text, kinds[i], signs, first, most))
		}
		if d.form == aligned && hasGap(text) {
			b.add(delimiterInCell, mostPerCell)
		}
		for _, mark := range `"'` {
			if byte(mark) == d.quote {
				continue
			}
			begins, ends := strings.HasPrefix(text, string(mark)), strings.HasSuffix(text, string(mark))
			switch {
			case begins && ends && len(text) > 1:
				b.add(markAsText, 1)
			case mark != '"':
			case begins:
				open = i
			case ends && open >= 0:
				b.add(markAsText, 3)
				open = -1
			case strings.IndexByte(text, '"') >= 0:
				b.add(markAsText, 0.1)
			}
		}
	}
	if open >= 0 {
		b.add(markAsText, 0.1)
	}
}

// hasGap says that a cell has two spaces and more between two numbers, as between cells: the edges of its column are
// not those of the table.
func hasGap(text string) bool {
	for i := 1; i < len(text); i++ {
		if text[i] != ' ' || !isDigit(text[i-1]) {
			continue
		}
		rest := strings.TrimLeft(text[i:], " ")
		if len(text)-i-len(rest) > 1 && rest != "" && (isDigit(rest[0]) || len(rest) > 1 && rest[0] == '-' && isDigit(rest[1])) {
			return true
		}
	}
	return false
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// isQuoted says that marks are around a cell, so that the signs in it are text. Where a mark within the cell, or text
// behind the closing one, shows that they are around a part of it, they say nothing.
func (r *row) isQuoted(i int, quote byte) bool {
	if quote == 0 || int(r.offs[i]) >= len(r.raw) || !strings.HasPrefix(strings.TrimLeft(r.raw[r.offs[i]:], " "), string(rune(quote))) {
		return false
	}
	return !slices.ContainsFunc(r.faults, func(f rowFault) bool { return f.cell == i && isMarkFault(f) })
}

// explain names the dearest terms of a bill.
func (b *bill) explain() string {
	best, cost := -1, 0.0
	for i, n := range b {
		if c := n * prices[i].points; c > cost {
			best, cost = i, c
		}
	}
	if best < 0 {
		return "nothing speaks against it"
	}
	return "mostly for " + prices[best].what
}

// isMarkFault says that a finding is about a quotation mark that stands where none should.
func isMarkFault(f rowFault) bool {
	switch f.Code {
	case fault.TableBareQuote, fault.TableQuoteBehind, fault.TableQuoteInner:
		return true
	}
	return false
}
