package extract

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
)

// candidates are the delimiters that are tried, each with how rare it is.
var candidates = [...]struct {
	delimiter byte
	name      string
	rare      float64
}{
	{',', "comma", 0}, {';', "semicolon", 0.05}, {'\t', "tab", 0}, {'|', "pipe", 0.1}, {':', "colon", 1.5},
	{'^', "circumflex", 0.5}, {'~', "tilde", 0.5}, {'!', "exclamation mark", 2}, {0x1F, "unit separator", 0}, {0x01, "U+0001", 0},
	{'}', "closing brace", 2}, {'#', "number sign", 2}, {'&', "ampersand", 2}, {'$', "dollar sign", 2}, {'%', "percent sign", 2},
	{'@', "at sign", 2}, {'*', "asterisk", 2}, {' ', "space", 2},
}

// found is a dialect with what its reading of the sample costs.
type found struct {
	dialect
	bill     bill
	evidence string
}

// The dialect is found in so many bytes and rows at the beginning of the document.
const (
	searchBytes = 64 << 10
	searchRows  = 300
)

// errSampleEnds ends the reading of a sample that is not the whole document: a row that it cuts does not count.
var errSampleEnds = errors.New("extract: the sample ends here")

// search is the search for the dialect of a sample.
type search struct {
	ctx    context.Context
	text   []byte
	held   string // the same, for the cells of all readings
	whole  bool   // the sample is all of the document
	source *Source
	hint   byte
	signs  *sampleSigns
	best   found
	second found
	rows   []*row // of the best
	spare  []*row // of readings that were given up, to be used again
}

// findDialect tries all candidates on the beginning of a table. whole says that it is all of it.
func findDialect(ctx context.Context, text []byte, whole bool, s *Source, hint byte) found {
	text, said, _ := separatorLine(text)
	return newSearch(ctx, text, whole, s, hint).find(said)
}

func newSearch(ctx context.Context, text []byte, whole bool, s *Source, hint byte) *search {
	return &search{ctx: ctx, text: text, held: string(text), whole: whole, source: s, hint: hint, signs: countSampleSigns(text)}
}

// find tries all candidates. said is the delimiter that the text names, or 0.
func (x *search) find(said byte) found {
	s, text := x.source, x.text
	fixed := s.Delimiter
	if fixed == 0 {
		fixed = said
	}
	tried := []byte{fixed}
	if fixed == 0 {
		tried = []byte{0}
		for _, c := range candidates {
			if bytes.IndexByte(text, c.delimiter) >= 0 && (c.rare < 2 || c.delimiter == ' ' || x.signs.regular[c.delimiter]) {
				tried = append(tried, c.delimiter)
			}
		}
	}
	for _, delimiter := range tried {
		x.tryQuotes(delimiter)
	}
	if fixed == 0 && s.Quote == nil {
		x.tryForms()
	}
	best := x.best
	switch {
	case s.Delimiter != 0:
		best.evidence = "the spec says so"
	case said != 0:
		best.evidence = "the line sep= says so"
	default:
		best.evidence = x.evidence()
	}
	if best.form == delimited && fixed == 0 {
		best.form = x.spacing(&best.dialect)
	}
	return best
}

// evidence says what the reading that was taken costs, and the next.
func (x *search) evidence() string {
	text := fmt.Sprintf("it costs %.1f", x.best.bill.total())
	if x.second.evidence != "" {
		text += fmt.Sprintf("; %s costs %.1f, %s", x.second.evidence, x.second.bill.total(), x.second.bill.explain())
		if x.second.bill.total() < x.best.bill.total()+0.2 {
			text += "; that is as likely"
		}
	}
	return text
}

// tryQuotes tries a delimiter with each sort of quotation marks that the sample may have.
func (x *search) tryQuotes(delimiter byte) {
	d := dialect{delimiter: delimiter, quote: '"', comment: x.source.Comment}
	if x.source.Quote != nil {
		d.quote = *x.source.Quote
	}
	if x.source.Escape != nil {
		d.escape = *x.source.Escape
	}
	if d.quote == delimiter && d.quote != 0 {
		return
	}
	tries := []dialect{d}
	if x.source.Quote == nil {
		if bytes.IndexByte(x.text, '"') >= 0 {
			none := d
			none.quote = 0
			tries = append(tries, none)
		}
		if x.hasApostrophes(delimiter) {
			single := d
			single.quote = '\''
			tries = append(tries, single)
		}
	}
	for _, d := range tries {
		x.tryComments(d)
		if x.source.Escape == nil && d.quote != 0 && bytes.Contains(x.text, []byte{'\\', d.quote}) {
			d.escape = '\\'
			x.tryComments(d)
		}
	}
}

// hasApostrophes says that apostrophes may be the quotation marks. At least two cells begin with one, and as many
// end with one. None begins with a quotation mark.
func (x *search) hasApostrophes(delimiter byte) bool {
	begins, ends := 0, 0
	for line := range linesOf(x.text) {
		for len(line) > 0 {
			cell := line
			line = nil
			if delimiter != 0 {
				cell, line, _ = bytes.Cut(cell, []byte{delimiter})
			}
			cell = bytes.Trim(cell, " ")
			switch {
			case len(cell) == 0:
				continue
			case cell[0] == '"':
				return false
			case cell[0] == '\'' && len(cell) > 1:
				begins++
			}
			if len(cell) > 1 && cell[len(cell)-1] == '\'' {
				ends++
			}
		}
	}
	return begins > 1 && begins == ends
}

// tryComments tries a dialect with lines that begin with # as comments, and as rows.
func (x *search) tryComments(d dialect) {
	x.try(d)
	if d.comment == "" && (bytes.HasPrefix(x.text, []byte("#")) || bytes.Contains(x.text, []byte("\n#")) ||
		bytes.Contains(x.text, []byte("\r#"))) {
		d.hash = true
		x.try(d)
	}
}

// tryForms tries a table that a program printed, and one whose cells are aligned.
func (x *search) tryForms() {
	if strings.IndexByte(x.held, '|') >= 0 && x.hasDivider() {
		x.try(dialect{form: printed, delimiter: '|'})
	}
	text := x.text
	if !x.whole {
		text = text[:bytes.LastIndexAny(text, "\r\n")+1]
	}
	if edges := findEdges(text); edges != nil {
		d := dialect{form: aligned, edges: edges}
		x.tryComments(d)
	}
}

// hasDivider says that a line of the sample is one of dashes.
func (x *search) hasDivider() bool {
	for line := range linesOf(x.text) {
		if isDivider(string(line)) {
			return true
		}
	}
	return false
}

// try reads the sample in one dialect, and keeps that if it costs less than others.
func (x *search) try(d dialect) {
	least := bill{rareDelimiter: x.rarity(&d)}
	if x.best.evidence != "" && x.isTooDear(&d, &least) {
		return
	}
	rows := x.read(d)
	if !x.weigh(d, rows) {
		x.spare = append(x.spare, rows...)
	}
}

// weigh says what the reading of the sample in a dialect costs, and whether it is kept as the best.
func (x *search) weigh(d dialect, rows []*row) (isBest bool) {
	if len(rows) == 0 && x.best.evidence != "" {
		return false
	}
	f := found{dialect: d, evidence: describe(&d)}
	f.bill.weighRows(rows, &d, x.signs)
	f.bill.add(rareDelimiter, x.rarity(&d))
	if x.best.evidence != "" && x.isTooDear(&d, &f.bill) {
		return false // the layout only adds to that
	}
	l, layoutBill := weighTables(rows, x.source, false)
	f.bill.join(&layoutBill)
	if l.width > 1 && d.delimiter != 0 && (!l.sure || l.preamble == 0) && l.header < 2 {
		f.bill.add(uncutTop, x.uncutTop(d.delimiter)*float64(len(filled(rows))))
	}
	if d.delimiter == ' ' && (l.width < 2 || shareOf(rows, l.width) < 0.95) && !(x.signs.regular[' '] && l.width > 2) {
		return false
	}
	return x.keep(f, rows)
}

// isTooDear says that a reading in a dialect which costs so much at least is kept neither as the best nor as the
// second: that is of another delimiter than the best.
func (x *search) isTooDear(d *dialect, least *bill) bool {
	cost, best := least.total(), x.best.bill.total()
	if d.delimiter == x.best.delimiter && d.form == x.best.form {
		return cost >= best
	}
	return x.second.evidence != "" && cost > max(best, x.second.bill.total())
}

// rarity is how rare a delimiter and its quotation marks are, in points.
func (x *search) rarity(d *dialect) (points float64) {
	for _, c := range candidates {
		if c.delimiter == d.delimiter && d.form == delimited {
			points += c.rare
		}
	}
	switch {
	case d.form == printed: // spaces around the fields are none of them
		points -= 0.1
	case x.source.Quote != nil || d.form != delimited:
	case d.quote == 0:
		points += 3
	case d.quote == '\'':
		points += 0.4
	}
	if x.hint != 0 && d.delimiter == x.hint {
		points -= 1.5
	}
	return points
}

// keep keeps a reading if it costs less than those before it, and the best one of another delimiter.
func (x *search) keep(f found, rows []*row) (isBest bool) {
	switch cost := f.bill.total(); {
	case x.best.evidence == "" || cost < x.best.bill.total():
		if x.best.delimiter != f.delimiter || x.best.form != f.form {
			x.second = x.best
		}
		x.spare = append(x.spare, x.rows...)
		x.best, x.rows = f, rows
		return true
	case f.delimiter == x.best.delimiter && f.form == x.best.form:
	case x.second.evidence == "" || cost < x.second.bill.total():
		x.second = f
	}
	return false
}

func describe(d *dialect) string {
	switch {
	case d.form == aligned:
		return "by columns of characters"
	case d.delimiter == 0:
		return "one field"
	}
	return delimiterName(d.delimiter)
}

// shareOf is the share of the rows that have so many cells.
func shareOf(rows []*row, width int) float64 {
	full := filled(rows)
	n := 0
	for _, r := range full {
		if len(r.texts) == width {
			n++
		}
	}
	return float64(n) / float64(max(len(full), 1))
}

// read cuts the sample into rows, twice: marks that can be read in several ways are read by the number of cells.
func (x *search) read(d dialect) (rows []*row) {
	scan := newSampleScanner(x.ctx, x.text, x.whole, d)
	scan.text = x.held
	scan.free = x.spare
	defer func() { x.spare = scan.free }()
	for pass := range 2 {
		rows = rows[:0]
		for len(rows) < searchRows {
			r, err := scan.peek(len(rows))
			if err != nil || r == nil {
				break
			}
			rows = append(rows, r)
		}
		if pass == 1 { // the rows that were read are not to be scanned once more
			break
		}
		width := tableWidth(rows)
		if width < 2 || !d.hash && !slices.ContainsFunc(rows, func(r *row) bool { return r.byWidth }) ||
			!slices.ContainsFunc(rows, func(r *row) bool { return r.lost || len(r.faults) > 0 }) {
			break
		}
		scan.setWidth(width)
	}
	return rows
}

// uncutTop is 1 if the first line lacks the delimiter, and 0 if it has it. A title of several words that lacks it
// counts half.
func (x *search) uncutTop(delimiter byte) float64 {
	for line := range linesOf(x.text) {
		line = bytes.TrimSpace(line)
		switch {
		case len(line) == 0 || line[0] == '#':
			continue
		case bytes.IndexByte(line, delimiter) >= 0:
			return 0
		case bytes.IndexByte(line, ' ') > 0:
			return 0.5
		}
		return 1
	}
	return 0
}

// spacing says whether a space follows each delimiter.
func (x *search) spacing(d *dialect) form {
	if d.delimiter == 0 || d.delimiter == ' ' {
		return delimited
	}
	with, without := 0, 0
	for _, r := range x.rows {
		if r.comment || r.lost || r.blank {
			continue
		}
		for i := 1; i < len(r.texts); i++ {
			at := int(r.offs[i])
			switch {
			case at >= len(r.raw) || r.texts[i] == "":
			case r.raw[at] == ' ' && !strings.HasPrefix(r.raw[at:], "  "):
				with++
			default:
				without++
			}
		}
	}
	if with > 1 && without == 0 {
		return padded
	}
	return delimited
}

// linesOf gives the lines of a text, however they end, without their ends.
func linesOf(text []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for len(text) > 0 {
			n := bytes.IndexAny(text, "\r\n")
			if n < 0 {
				yield(text)
				return
			}
			if !yield(text[:n]) {
				return
			}
			if text[n] == '\r' && n+1 < len(text) && text[n+1] == '\n' {
				n++
			}
			text = text[n+1:]
		}
	}
}

// separatorLine takes a first line sep=; away, which says what the delimiter is.
func separatorLine(text []byte) (rest []byte, delimiter byte, skip int) {
	line, _, _ := bytes.Cut(text, []byte{'\n'})
	line = bytes.TrimSuffix(line, []byte{'\r'})
	bare := bytes.Trim(line, `"`)
	if len(bare) == 5 && strings.EqualFold(string(bare[:4]), "sep=") {
		skip = min(len(line)+1, len(text))
		if skip < len(text) && text[skip-1] == '\r' && text[skip] == '\n' {
			skip++
		}
		return text[skip:], bare[4], skip
	}
	return text, 0, 0
}
