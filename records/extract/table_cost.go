package extract

import (
	"bytes"
	"fmt"
	"strings"

	"laundromat/internal/fault"
)

// A table can be read in many ways: cut by any delimiter, by edges or not at all, its quotation marks taken
// as marks or as text, with a header of none, one or more rows, and with rows before it. Each reading of
// the sample pays for what it has to explain away. The cheapest one is taken.

// term is something that a reading pays for.
type term uint8

const (
	bareMark term = iota
	markAsText
	rowLost
	rowShort
	rowLong
	titlePassed
	rowPassed
	commentPassed
	uncutTop
	delimiterInCell
	column
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
var prices = [terms]struct {
	points float64
	what   string
}{
	bareMark:        {1, "a quotation mark within a cell that has no marks around it, or behind a mark that closes"},
	markAsText:      {1, "marks that stand around a cell and are taken as its text"},
	rowLost:         {1.5, "a row whose marks make no cells"},
	rowShort:        {1, "a row with fewer cells than the table"},
	rowLong:         {2, "a row with more cells that hold something, or three such rows and more of one width"},
	titlePassed:     {0.6, "a row of one cell of words before the header"},
	rowPassed:       {1.5, "a row of more cells before the header, or one that looks like the values below"},
	commentPassed:   {0.2, "a line that is passed over as a comment"},
	uncutTop:        {0.6, "a row cut by a delimiter that the first line lacks, without a header that is known by its values"},
	delimiterInCell: {1, "signs in a cell that look like delimiters: see delimiterWorth; in the first row three times that"},
	column:          {0.5, "a column beyond the first"},
	rareDelimiter:   {1, "a delimiter that few tables have: see candidates"},
	anotherTable:    {2, "another table in the sample"},
	noHeader:        {1.5, "a table without a header"},
	headerRow:       {1.2, "a row of a header beyond the first"},
	labelLikeValue:  {2.6, "a label of the kind that the values below it have"},
	labelAgain:      {2.2, "labels of which half occur among the values below them"},
	labelMissing:    {1, "a column of values without a label"},
	labelBlank:      {0.5, "a blank label above values"},
	labelSurplus:    {0.3, "a label that another column has"},
	valueOffKind:    {1, "a value of another kind than most of its column"},
	labelAsValue:    {1.5, "a unit or a series of years as a value"},
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

// delimiterWorth is how much a sign in a cell speaks for a cut there, where the cell is not quoted.
func delimiterWorth(text string, cells *sampleSigns) (sum float64) {
	kind := kindOf(text)
	for i := 0; i < len(text); i++ {
		c := text[i]
		next := byte(0)
		if i+1 < len(text) {
			next = text[i+1]
		}
		switch {
		case c == '\t':
			sum++
		case c == ';' && next == ' ':
			sum += 0.3
		case c == ';' || c == '|':
			sum += 0.6
		case c == ' ' && next == ' ' && i > 0 && text[i-1] != ' ' && strings.TrimSpace(text[i:]) != "":
			sum += 0.5
		case c == ',' && next == ' ':
			sum += 0.1
		case c == ',' && kind == number:
			sum += 0.3
		case c == ',':
			sum += 0.6
		case kind <= plainText && cells.everywhere[c]:
			sum += 0.5
		}
	}
	return min(sum, 2)
}

// sampleSigns says which signs each line of the sample has, the first too, in the same number.
type sampleSigns struct{ everywhere [256]bool }

func countSampleSigns(text []byte) *sampleSigns {
	var s sampleSigns
	var first [256]int
	var alike [256]int
	lines := 0
	for line := range bytes.Lines(text) {
		line = bytes.TrimRight(line, "\r\n")
		if len(line) == 0 {
			continue
		}
		var n [256]int
		for _, c := range line {
			n[c]++
		}
		if lines++; lines == 1 {
			first = n
		}
		for c := range n {
			if n[c] == first[c] && n[c] > 0 {
				alike[c]++
			}
		}
		if lines == searchRows {
			break
		}
	}
	for _, c := range candidates {
		s.everywhere[c.delimiter] = c.delimiter != ' ' && lines > 1 && 20*alike[c.delimiter] >= 19*lines
	}
	return &s
}

// weighRows counts what the rows of the sample pay for, whatever their layout: marks and signs in their cells.
func (b *bill) weighRows(rows []*row, d *dialect, signs *sampleSigns) {
	weight := 3.0
	for _, r := range rows {
		switch {
		case r.lost:
			b.add(rowLost, 1)
			continue
		case r.comment:
			b.add(commentPassed, 1)
			continue
		}
		for _, f := range r.faults {
			if d.quote == '"' && isMarkFault(&f) {
				b.add(bareMark, 1)
			} else if isMarkFault(&f) {
				b.add(bareMark, 0.2)
			}
		}
		if r.blank {
			continue
		}
		b.weighCells(r, d, signs, weight)
		weight = 1
	}
}

func (b *bill) weighCells(r *row, d *dialect, signs *sampleSigns, weight float64) {
	open := -1
	for i, text := range r.texts {
		quoted := d.quote != 0 && int(r.offs[i]) < len(r.raw) && strings.HasPrefix(strings.TrimLeft(r.raw[r.offs[i]:], " "), string(rune(d.quote)))
		if quoted || isBlankText(text) {
			continue
		}
		b.add(delimiterInCell, weight*delimiterWorth(text, signs))
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
		b.add(markAsText, 0.5)
	}
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
	return fmt.Sprintf("mostly for %s", prices[best].what)
}

// isMarkFault says that a finding is about a quotation mark that stands where none should.
func isMarkFault(f *rowFault) bool {
	switch f.Code {
	case fault.TableBareQuote, fault.TableQuoteBehind, fault.TableQuoteInner:
		return true
	}
	return false
}
