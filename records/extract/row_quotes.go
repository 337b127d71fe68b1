package extract

import (
	"bytes"

	"laundromat/internal/fault"
)

// policy is how a reading takes a quotation mark in a quoted cell that neither is doubled nor
// ends the cell.
type policy uint8

const (
	strict policy = iota // the reading ends there
	inner                // it is text, if a mark that does end the cell follows on the line
	behind               // it ends the quotation; what follows up to the delimiter is text too
)

// outcome says how a reading ended.
type outcome uint8

const (
	sound  outcome = iota
	more           // the row goes on behind what is held
	broken         // a mark neither is doubled nor ends the cell
	open           // the quotation never ends
)

// cell is a cell of a reading: where its text is, in buf, and how it was written.
type cell struct {
	at, from, to int
	escaped      bool // marks in it are doubled or escaped
}

// reading is one way to take a row apart.
type reading struct {
	policy    policy
	lim       int // so much of buf is read, and final says that no more follows
	final     bool
	cells     []cell
	end, next int
	quoted    bool
	lines     int // line ends within cells
	opened    int // where the quotation begins that is broken or open
	fault     int // where it is broken
	faults    []quoteFault
}

type quoteFault struct {
	at, cell int
	code     fault.Code
	severity fault.Severity
	message  string
}

// read takes apart the row that begins at from.
func (s *scanner) read(from, lim int, final bool, p policy, r *reading) outcome {
	*r = reading{policy: p, lim: lim, final: final, cells: r.cells[:0], faults: r.faults[:0]}
	lineEnd, next, wait := s.lineEnd(from, lim, final)
	if wait {
		return more
	}
	for at := from; ; {
		c := cell{at: at, from: at}
		after := at
		begin := s.opening(at, lineEnd)
		if begin < 0 {
			c.to = s.plainEnd(at, lineEnd)
			after = c.to
			c.escaped = s.dialect.escape != 0 && bytes.IndexByte(s.buf[c.from:c.to], s.dialect.escape) >= 0
			if q := s.dialect.quote; q != 0 && s.dialect.escape == 0 {
				if n := bytes.IndexByte(s.buf[c.from:c.to], q); n >= 0 {
					r.faults = append(r.faults, quoteFault{c.from + n, len(r.cells), fault.TableBareQuote, fault.Warning,
						"a quotation mark in a field without quotation marks around it; the field is kept as written"})
				}
			}
		} else {
			r.quoted = true
			var how outcome
			if after, how = s.closing(begin, r, &c); how != sound {
				return how
			}
			if after > lineEnd {
				if lineEnd, next, wait = s.lineEnd(after, lim, final); wait {
					return more
				}
			}
		}
		r.cells = append(r.cells, c)
		if after >= lineEnd {
			r.end, r.next = lineEnd, next
			return sound
		}
		at = after + 1 // the delimiter
	}
}

// opening is where a quotation begins in the cell at a place; -1 if the cell is not quoted.
// Spaces before the mark are passed over if the quotation ends on the line.
func (s *scanner) opening(at, lineEnd int) int {
	q := s.dialect.quote
	if q == 0 || at == lineEnd || at == s.stray {
		return -1
	}
	if s.buf[at] == q {
		return at
	}
	if s.dialect.form == padded && s.buf[at] == ' ' && at+1 < lineEnd && s.buf[at+1] == q {
		return at + 1
	}
	k := at
	for k < lineEnd && s.buf[k] == ' ' && s.dialect.delimiter != ' ' {
		k++
	}
	if k == at || k == lineEnd || s.buf[k] != q || !s.endsOnLine(k, lineEnd) {
		return -1
	}
	return k
}

// endsOnLine says that the quotation that begins at a mark ends on its line.
func (s *scanner) endsOnLine(k, lineEnd int) bool {
	q := s.dialect.quote
	for j := k + 1; j < lineEnd; j++ {
		if s.buf[j] != q || j > 0 && s.dialect.escape != 0 && s.buf[j-1] == s.dialect.escape {
			continue
		}
		if j+1 < lineEnd && s.buf[j+1] == q {
			j++
			continue
		}
		for j++; j < lineEnd && s.buf[j] == ' '; j++ {
		}
		return j == lineEnd || s.buf[j] == s.dialect.delimiter
	}
	return false
}

// plainEnd is where a cell without quotation marks ends.
func (s *scanner) plainEnd(at, lineEnd int) int {
	d := &s.dialect
	if d.delimiter == 0 {
		return lineEnd
	}
	for k := at; ; {
		n := bytes.IndexByte(s.buf[k:lineEnd], d.delimiter)
		if n < 0 {
			return lineEnd
		}
		if d.escape == 0 || !s.isEscaped(at, k+n) {
			return k + n
		}
		k += n + 1
	}
}

// isEscaped says that a byte is escaped: an escape that is not escaped itself comes before it.
func (s *scanner) isEscaped(from, at int) bool {
	n := 0
	for at-n > from && s.buf[at-n-1] == s.dialect.escape {
		n++
	}
	return n%2 == 1
}

// closing finds the end of the quotation that begins at a mark. after is the delimiter or
// line end behind it.
func (s *scanner) closing(begin int, r *reading, c *cell) (after int, how outcome) {
	q, d, lim, final := s.dialect.quote, &s.dialect, r.lim, r.final
	c.from = begin + 1
	if begin > c.at && (s.dialect.form != padded || begin > c.at+1) {
		r.faults = append(r.faults, quoteFault{c.at, len(r.cells), fault.TableQuoteSpace, fault.Repair,
			"spaces come before the opening quotation mark of a field"})
	}
	told, at := false, begin+1
	for {
		n := bytes.IndexByte(s.buf[at:lim], q)
		if n < 0 {
			r.opened = begin
			if !final {
				return 0, more
			}
			return 0, open
		}
		j := at + n
		if d.escape != 0 && s.isEscaped(begin+1, j) {
			at, c.escaped = j+1, true
			continue
		}
		k := j + 1
		if k < lim && s.buf[k] == q {
			if r.policy != inner || k+1 == lim || !s.endsCell(k+1) {
				at, c.escaped = k+1, true
				continue
			}
			r.tellInner(j, &told)
			j, k = k, k+1 // the first mark ends a quotation within the cell, the second the cell
		}
		k = s.passSpaces(k, lim)
		if k == lim && !final {
			return 0, more
		}
		if k == lim || s.endsCell(k) {
			if k > j+1 {
				r.faults = append(r.faults, quoteFault{j + 1, len(r.cells), fault.TableQuoteSpace, fault.Repair,
					"spaces follow the closing quotation mark of a field"})
			}
			c.to = j
			c.escaped = c.escaped || d.escape != 0
			r.lines += countLineEnds(s.buf[c.from:c.to])
			return k, sound
		}
		if r.policy == strict || r.policy == inner && !s.closesOnLine(j+1, lim) {
			r.opened, r.fault = begin, j
			return 0, broken
		}
		if r.policy == behind {
			return s.textBehind(j, r, c)
		}
		r.tellInner(j, &told)
		at = j + 1
	}
}

// tellInner tells of a mark within a quoted cell that is not doubled, once a cell.
func (r *reading) tellInner(at int, told *bool) {
	if !*told {
		r.faults = append(r.faults, quoteFault{at, len(r.cells), fault.TableQuoteInner, fault.Repair,
			"a quotation mark in a quoted field is not doubled"})
	}
	*told = true
}

// passSpaces is the place behind white space that is no delimiter.
func (s *scanner) passSpaces(k, lim int) int {
	for k < lim && s.buf[k] != s.dialect.delimiter && (s.buf[k] == ' ' || s.buf[k] == '\t') {
		k++
	}
	return k
}

// endsCell says that a byte ends a cell: a delimiter or a line end.
func (s *scanner) endsCell(k int) bool {
	return s.buf[k] == s.dialect.delimiter && s.buf[k] != 0 || s.buf[k] == '\n' || s.buf[k] == '\r'
}

// textBehind takes a cell with text behind the mark that closes it as it is written.
func (s *scanner) textBehind(mark int, r *reading, c *cell) (after int, how outcome) {
	lineEnd, _, wait := s.lineEnd(mark, r.lim, r.final)
	if wait {
		return 0, more
	}
	r.faults = append(r.faults, quoteFault{mark + 1, len(r.cells), fault.TableQuoteBehind, fault.Warning,
		"text follows the closing quotation mark of a field; the field is kept as written, marks included"})
	c.from, c.to, c.escaped = c.at, s.plainEnd(mark, lineEnd), false
	return c.to, sound
}

// closesOnLine says that a mark which may end a cell follows before the line ends.
func (s *scanner) closesOnLine(from, lim int) bool {
	for j := from; j < lim && s.buf[j] != '\n' && s.buf[j] != '\r'; j++ {
		if s.buf[j] != s.dialect.quote {
			continue
		}
		if k := j + 1; k == lim || s.endsCell(k) {
			return true
		}
	}
	return false
}

func countLineEnds(text []byte) int {
	n := bytes.Count(text, []byte{'\n'})
	if bytes.IndexByte(text, '\r') < 0 {
		return n
	}
	for i, b := range text {
		if b == '\r' && (i+1 == len(text) || text[i+1] != '\n') {
			n++
		}
	}
	return n
}

// parseQuoted scans a row that has a quotation mark.
func (s *scanner) parseQuoted(r *row, from int) (wait bool) {
	lim, final, tooLong := s.view(from)
	plain := &s.spare[0]
	how := s.read(from, lim, final, strict, plain)
	if how == more {
		return true
	}
	r.byWidth = how != sound || plain.lines > 0
	if how == sound && (plain.lines == 0 || s.want == 0 || len(plain.cells) == s.want) {
		s.build(r, from, plain)
		return false
	}
	// What follows tells whether the quotation was meant to go on over the line.
	if !final && lim-max(plain.opened, plain.fault, plain.end, from) < 2*resyncWindow {
		return true
	}
	cut, next := s.resync(from, lim, final, plain, how)
	var fits, closes *reading
	if how == broken {
		if cut < 0 {
			next = len(s.buf)
		}
		if fits, closes, wait = s.alternatives(from, next, plain); wait {
			return true
		}
	}
	if fits == nil && how != sound && s.want > 1 {
		fits = s.strayMark(from, lim, final, plain)
	}
	switch {
	case fits != nil:
		s.build(r, from, fits)
	case how == sound && cut < 0:
		s.build(r, from, plain)
	case closes != nil && s.want == 0:
		s.build(r, from, closes)
	default:
		if cut < 0 {
			if cut, next, wait = s.lineEnd(plain.opened, lim, final); wait {
				cut, next = lim, lim
			}
		}
		code, message := fault.TableQuoteOpen, "a quotation mark opens a field that never ends; the row is lost"
		switch {
		case closes != nil:
			code = fault.TableQuoteDoubt
			message = "the quotation marks of the row can be read in several ways, and none gives the number of fields of the table; the " +
				"row is lost"
		case tooLong:
			message = "a quotation mark opens a field that does not end within the longest row that is read; the row is lost"
		}
		s.drop(r, lostRow{from, cut, next, plain.opened}, code, message)
	}
	return false
}

// strayMark reads a row whose quotation does not end with the mark that opens it as text. The row has then the
// number of cells that is wanted, and sound rows follow.
func (s *scanner) strayMark(from, lim int, final bool, plain *reading) *reading {
	other := &s.spare[2]
	s.stray = plain.opened
	how := s.read(from, lim, final, strict, other)
	s.stray = -1
	// The last row may be cut off within a quotation.
	if how != sound || len(other.cells) != s.want || other.next >= lim {
		return nil
	}
	if good, place := s.soundRows(other.next, lim, final); good < 2 && !(final && place >= lim) {
		return nil
	}
	return other
}

// alternatives reads a row whose quotation is broken in other ways, of which none may reach beyond most. The result
// fits is the first that has the number of cells that is wanted, closes the first that is sound.
func (s *scanner) alternatives(from, most int, plain *reading) (fits, closes *reading, wait bool) {
	for i, p := range [...]policy{inner, behind} {
		other := &s.spare[1+i]
		switch got := s.read(from, plain.lim, plain.final, p, other); {
		case got == more:
			return nil, nil, true
		case got != sound || other.next > most:
			continue
		}
		if closes == nil {
			closes = other
		}
		if fits == nil && (s.want == 0 || len(other.cells) == s.want) {
			fits = other
		}
	}
	return fits, closes, false
}

// resyncWindow is how far behind a broken quotation is looked for rows that are sound.
const resyncWindow = 64 << 10

// resync finds where a quotation that is broken or never ends was meant to end at the latest. That is
// the first line end behind which two sound rows follow, or the end of the document. If the whole
// reading may be kept, cut is -1.
func (s *scanner) resync(from, lim int, final bool, r *reading, how outcome) (cut, next int) {
	if how == sound {
		// It has a wrong number of cells. The quotation that holds the first line end is doubted.
		for _, c := range r.cells {
			if countLineEnds(s.buf[c.from:c.to]) > 0 {
				r.opened = c.at
				break
			}
		}
	}
	stop := min(lim, r.opened+resyncWindow)
	if how == sound {
		stop = min(stop, r.end)
	}
	// Rows are looked for in a stretch that does not depend on how much is held.
	if lim > r.opened+2*resyncWindow {
		lim, final = r.opened+2*resyncWindow, false
	}
	for at := r.opened; at < stop; {
		end, following, wait := s.lineEnd(at, lim, final)
		if wait {
			return -1, 0
		}
		good, place := s.soundRows(following, lim, final)
		if good == 2 || final && place >= lim && (good == 1 || how == open && following >= lim) {
			return end, following
		}
		at = max(following, at+1)
	}
	return -1, 0
}

// soundRows counts rows that are sound, from a place on: up to two. Blank lines are passed over.
func (s *scanner) soundRows(place, lim int, final bool) (good, next int) {
	probe := &s.spare[1]
	for good < 2 && place < lim {
		end, following, wait := s.lineEnd(place, lim, final)
		if wait {
			return good, place
		}
		if end == place {
			place = following
			continue
		}
		how := s.read(place, lim, final, strict, probe)
		fits := s.want == 0 || len(probe.cells) == s.want
		if how == sound && fits && (probe.lines == 0 || s.want > 1 && len(probe.faults) == 0) {
			following = probe.next
		} else if s.want < 2 || bytes.Count(s.buf[place:end], []byte{s.dialect.delimiter}) != s.want-1 {
			return good, place
		}
		good, place = good+1, following
	}
	return good, place
}

// build makes the cells of a row out of a reading.
func (s *scanner) build(r *row, from int, by *reading) {
	s.finish(r, from, by.end, by.next)
	if by.lines > 0 {
		r.simple = false
		at := advance(r.pos, string(s.buf[from:by.next]))
		r.next, s.at = at, at
	}
	low := from
	for _, c := range by.cells {
		text := r.raw[c.from-low : c.to-low]
		if c.escaped {
			text = s.dialect.unescape(text, c.from > c.at)
		}
		r.texts, r.offs = append(r.texts, text), append(r.offs, int32(c.at-low))
	}
	for _, f := range by.faults {
		r.repaired = r.repaired || f.severity == fault.Repair
		if s.from == nil { // of a sample nothing is reported
			r.faults = append(r.faults, rowFault{fault.Notice{Code: f.code}, f.cell})
			continue
		}
		r.faults = append(r.faults, rowFault{fault.Notice{Code: f.code, Severity: f.severity, Message: f.message,
			Pos: advance(r.pos, r.raw[:f.at-low]), Excerpt: fault.Excerpt(s.buf[by.cells[f.cell].at:min(by.end, f.at+60)])}, f.cell})
	}
	s.close(r, by.end)
	r.blank = r.blank && !by.quoted
}

// lostRow is where a row that is lost begins and ends in buf, where the next begins, and where the quotation does.
type lostRow struct{ from, end, next, opened int }

// drop loses a row whose quotation does not end, and the lines that go with it.
func (s *scanner) drop(r *row, lost lostRow, code fault.Code, message string) {
	s.finish(r, lost.from, lost.end, lost.next)
	at := advance(r.pos, string(s.buf[lost.from:lost.next]))
	r.next, s.at, r.simple, r.lost = at, at, false, true
	r.texts, r.offs = append(r.texts, r.raw), append(r.offs, 0)
	r.faults = append(r.faults, rowFault{fault.Notice{Code: code, Severity: fault.Drop, Lost: 1,
		Bytes: int64(lost.end - lost.from), Message: message, Pos: advance(r.pos, r.raw[:lost.opened-lost.from]),
		Excerpt: fault.Excerpt(s.buf[lost.opened:min(lost.end, lost.opened+200)])}, -1})
}
