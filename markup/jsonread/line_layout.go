package jsonread

import (
	"bytes"
	"math"
)

// rows says how the items of an array are on lines. Of those that were sound it counts those that
// began a line in the column of the others, with no such bracket inside. It counts
// the rest, too. Where most did, a line that begins with a brace in that column begins an item,
// whatever is open before it. A broken item can't take in those behind it.
type rows struct{ good, bad int }

// trusted says that lines tell where items begin.
func (r rows) trusted() bool { return r.good > 0 && 8*r.bad <= r.good }

// see notes how a sound item stands, of which first says that it begins a line.
func (p *parser) see(s *shape, first bool, column int64) {
	switch {
	case !s.nodes:
	case !first:
		if s.rows.good+s.rows.bad > 0 || s.seen { // but the first may stand behind the bracket
			s.rows.bad++
		}
	case s.column > 0 && s.column != column:
		s.rows.bad++
	case s.rows.good < enoughRows && p.rowIn(p.window[p.keep:p.at], column):
		s.rows.bad++
	default:
		s.rows.good++
	}
	s.seen = true
}

// rowsToTell is how many items must begin lines before one that does not, behind a sound
// one, makes that one doubtful.
const rowsToTell = 4

// runsOn says that what follows a sound item on its line shows that it had not ended. Items begin
// lines there, or it ends in another column than it began, and what is there instead is no row of
// sound items.
func (p *parser) runsOn(s *shape, outer []shape, first bool, column int64) bool {
	if (s.rows.good < rowsToTell || !s.rows.trusted()) && !p.endsAskew(first, column) || !p.nextOnLine() {
		return false
	}
	at, known, knownAt, afterCR := p.at-p.keep, p.known, p.knownAt-p.keep, p.afterCR
	depth, deep := p.depth, p.deep
	p.skipping = true
	defer func() {
		p.skipping, p.long, p.depth, p.deep = false, false, depth, deep
		p.at, p.known, p.knownAt, p.afterCR = p.keep+at, known, p.keep+knownAt, afterCR
	}()
	for p.nextOnLine() {
		p.at += p.behind(0) + 1
		p.depth = len(outer)
		if p.value() == nil || !p.sound(outer) {
			return !p.long && p.err == nil
		}
	}
	return false
}

// laidWrong says that lines show a sound item to have taken in what is not its own, or to have lost
// its end. The value that it is in is not sound. It ends in another column than it began, or a line in
// it looks like one that begins an item.
func (p *parser) laidWrong(s *shape, first bool, column int64) bool {
	if !s.nodes || !first || column <= s.indent {
		return false
	}
	if _, more := p.ahead(p.behind(0)); more && !p.faulty {
		return false
	}
	return p.endsAskew(first, column) ||
		s.rows.trusted() && s.column == column && p.rowIn(p.window[p.keep:p.at], column)
}

// endsAskew says that an item which began a line in a column has just ended with a bracket that
// begins one in another.
func (p *parser) endsAskew(first bool, column int64) bool {
	if !first {
		return false
	}
	first, ended := p.lineAt(p.at - 1)
	return first && ended != column
}

// nextOnLine says that another item follows on the line, behind a comma.
func (p *parser) nextOnLine() bool {
	n := 0
	for b, _ := p.ahead(n); b == ' ' || b == '\t'; b, _ = p.ahead(n) {
		n++
	}
	if b, _ := p.ahead(n); b != ',' {
		return false
	}
	for n++; n < nearBytes; n++ {
		if b, _ := p.ahead(n); b != ' ' && b != '\t' {
			return b == '{'
		}
	}
	return false
}

// enoughRows is how many items are searched for lines that look like others.
const enoughRows = 1 << 10

// rowIn says that a line of some text, but the first, begins with a brace in a column.
func (p *parser) rowIn(text []byte, column int64) bool {
	for i := bytes.IndexByte(text, '\n'); i >= 0; i = bytes.IndexByte(text, '\n') {
		text = text[i+1:]
		n := 0
		for n < len(text) && (text[n] == ' ' || text[n] == '\t') {
			n++
		}
		if int64(n+1) == column && n < len(text) && text[n] == '{' {
			return true
		}
	}
	return false
}

// aheadBytes is how far the text is searched for the next line that begins an item. It is surveyBytes
// while it is not yet known whether lines show that.
const aheadBytes, surveyBytes = 1 << 20, 32 << 10

// findRow learns from the lines where the item at the mark ends at the latest.
func (t *tokens) findRow(outer []shape) {
	t.row, t.bound, t.left.from = 0, 0, -1
	if t.home == 0 || t.certain {
		return
	}
	s := &outer[t.home-1]
	switch {
	case s.rows.trusted():
		if t.row = s.column; !t.rules.on(lineOfItem) {
			t.row = 0
		}
	case s.rows == rows{} && t.home == len(outer):
		if t.row = t.survey(); t.row > 0 && !t.rules.on(lineSurvey) {
			t.row = 0
		}
	}
	if t.row == 0 {
		return
	}
	t.eachLine(aheadBytes, func(n int, column int64, behind byte) bool {
		switch b := t.byte(n); {
		case column == t.row && b == '{':
			if behind != '[' || s.rows.trusted() { // of another array, unless the line is cut off
				t.bound = n
			}
			return false
		case column <= t.row && b == ']':
			return false
		}
		return true
	})
}

// survey looks for the column of the lines that begin items, 0 if there seems to be none. It is the
// outermost one in which lines begin with braces, and hardly ever with anything else that is not a
// bracket.
func (t *tokens) survey() int64 {
	var seen columns
	inside := int64(math.MaxInt64) // the column of the members of an item that has lost its brace
	if t.fresh && t.byte(0) == '"' {
		inside = t.indent
	}
	if t.fresh && t.byte(0) == '{' {
		seen.note(t.indent, '{')
	}
	t.eachLine(surveyBytes, func(n int, column int64, behind byte) bool {
		b := t.byte(n)
		if column >= inside {
			return true
		}
		if b == '{' && behind == '[' && seen.outermost(column) {
			return false
		}
		if b == '{' && behind != ',' && behind != '[' { // a value of its own
			seen.others++
		} else {
			seen.note(column, b)
		}
		return b != ']' || !seen.outermost(column)
	})
	if seen.braces < 2 || 4*seen.others > seen.braces {
		return 0
	}
	return seen.least
}

// columns counts the lines of a survey that begin with a brace in the least column in which any does.
// It also counts the other lines that begin there or before it. least is 0 if there was no brace yet.
type columns struct {
	least          int64
	braces, others int
}

// note counts a line by its column and its first byte.
func (c *columns) note(column int64, b byte) {
	switch {
	case b == '{' && (c.least == 0 || column < c.least):
		c.least, c.braces, c.others = column, 1, 0
	case b == '{' && column == c.least:
		c.braces++
	case column <= c.least && b != '{' && b != '}' && b != ']' && b != ',':
		c.others++
	}
}

// outermost says that a column is the least one or before it.
func (c *columns) outermost(column int64) bool { return c.least > 0 && column <= c.least }

// eachLine calls something for the lines behind the mark that are not blank. It is given where the
// text begins, its column, and the last byte before the line that is not blank.
func (t *tokens) eachLine(most int, do func(n int, column int64, behind byte) bool) {
	for n := 0; n < most; {
		end := n
		for {
			text := t.window[t.keep+end:]
			if i := bytes.IndexByte(text, '\n'); i >= 0 {
				end += i
				break
			}
			if end += len(text); end > most || !t.fill() {
				return
			}
		}
		behind := byte(0)
		for i := t.keep + end - 1; i >= t.keep; i-- {
			if b := t.window[i]; b != ' ' && b != '\t' && b != '\r' && b != '\n' {
				behind = b
				break
			}
		}
		column := int64(1)
		for n = end + 1; t.byte(n) == ' ' || t.byte(n) == '\t'; n++ {
			column++
		}
		for size := t.nothing(n); size > 0; size = t.nothing(n) {
			for n += size; t.byte(n) == ' '; n++ {
			}
		}
		if t.ends(n) || t.byte(n) != '\n' && t.byte(n) != '\r' && !do(n, column, behind) {
			return
		}
	}
}

// beyond says that a token stands behind the item at the mark, as lines tell.
func (t *tokens) beyond(one *token) bool {
	if t.until > 0 && t.began+int64(one.from) >= t.until {
		return true
	}
	return t.bound > 0 && one.from >= t.bound || t.row > 0 && one.first && one.kind == '{' && one.pos.Column == t.row
}

// leaves says that a closing bracket can be one of those around all nodes.
func (t *tokens) leaves(one *token, all []shape) bool {
	ok, _ := t.leaving(one, all)
	return ok
}

// leaving says so, and whether what follows was seen to be the end of all.
func (t *tokens) leaving(one *token, all []shape) (ok, sure bool) {
	if t.certain {
		return true, true
	}
	if t.within(one) {
		return false, true
	}
	if s := &all[len(all)-1]; one.first {
		switch {
		case s.column > s.indent && s.indent > 0 && one.pos.Column >= s.column:
			return false, true // it stands where items do, or further in
		case s.column != s.indent || s.indent == 0 || one.kind == s.closer() && one.pos.Column == s.indent && s.column > s.indent:
			return true, true
		}
	}
	if t.left.from != one.from || t.left.open != len(all) {
		t.left.from, t.left.open = one.from, len(all)
		t.left.yes, t.left.sure = t.followsAt(one.from+1, all, false)
	}
	return t.left.yes, t.left.sure
}

// within says that a token stands in the item at the mark, since lines tell that
// others follow.
func (t *tokens) within(one *token) bool { return one.from < t.bound }
