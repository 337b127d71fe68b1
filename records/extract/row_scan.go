package extract

import (
	"bytes"
	"context"
	"io"
	"slices"
	"strings"

	"laundromat/internal/fault"
	"laundromat/records"
)

// row is a row of a table as a scanner finds it: its cells are texts, and it belongs to no
// table yet.
type row struct {
	texts []string
	offs  []int32 // where each cell begins, in bytes from the beginning of the row
	raw   string  // the row as written in the document, without its line end
	pos   fault.Pos
	next  fault.Pos // the place after the row and its line end

	simple   bool // the row is one line of ASCII: a cell's column follows from its offset
	blank    bool // no cell holds anything, and none is quoted
	comment  bool
	lost     bool // the row is lost: its fault is a drop
	byWidth  bool // the row can be read in several ways, by the number of its cells
	repaired bool
	faults   []rowFault
	places   []fault.Pos    // of the cells, where they do not follow from offs
	element  string         // of a page, as a selector
	kinds    []records.Kind // of the cells of a sheet; nil where all are texts
	cells    int            // of a grid up to here, this row included
	more     int            // so many further blank rows it stands for
	looks    []cellKind     // what the cells look like, where that was asked for
}

// rowFault is a finding about a row, not reported yet: the label of its cell is not known.
type rowFault struct {
	fault.Notice
	cell int // from 0; -1 for the row as a whole
}

func (r *row) reset(at fault.Pos) {
	*r = row{texts: r.texts[:0], offs: r.offs[:0], pos: at, faults: r.faults[:0], places: r.places[:0], looks: r.looks[:0]}
}

// place is where a cell begins.
func (r *row) place(i int) fault.Pos {
	switch {
	case len(r.places) > 0:
		return r.places[i]
	case r.simple:
		n := int64(r.offs[i])
		return fault.Pos{Line: r.pos.Line, Column: r.pos.Column + n, Offset: r.pos.Offset + n}
	}
	return advance(r.pos, r.raw[:r.offs[i]])
}

// locate works out the places of all cells in one pass.
func (r *row) locate() {
	if r.simple || len(r.places) > 0 {
		return
	}
	at, from := r.pos, 0
	for _, n := range r.offs {
		at, from = advance(at, r.raw[from:n]), int(n)
		r.places = append(r.places, at)
	}
}

// advance is the place after text that begins at a place.
func advance(at fault.Pos, text string) fault.Pos {
	at.Offset += int64(len(text))
	for i := 0; i < len(text); i++ {
		switch b := text[i]; {
		case b == '\n', b == '\r' && (i+1 == len(text) || text[i+1] != '\n'):
			at.Line, at.Column = at.Line+1, 1
		case b == '\r':
		case b&0xC0 != 0x80:
			at.Column++
		}
	}
	return at
}

// scanner cuts the text of a document into rows. It holds the rows that were looked at ahead,
// and no more of the text than those take.
type scanner struct {
	ctx     context.Context
	from    io.Reader
	dialect dialect
	want    int // how many cells a sound row has; 0 if that is not known
	maxRow  int

	buf   []byte
	end   int // of what was read into buf
	base  int64
	eof   bool
	first int       // where the first row that was not taken yet begins, in buf
	front int       // where the next row to be scanned begins, in buf
	at    fault.Pos // of front

	text     string // what buf holds from textFrom on
	textFrom int64  // as an offset of the document

	// Where the next of these bytes is, in buf, or end.
	nextQuote, nextCR, nextNUL, nextHigh int
	returnsFrom                          int // where the search for nextCR began

	ahead []*row
	free  []*row
	spare [3]reading
	stray int     // where a quotation mark is that is text, in buf; -1 if there is none
	kinds [3]bool // which line ends were seen: LF, CRLF, CR
	mixed fault.Pos
}

const (
	lineFeed = iota
	carriageReturnLineFeed
	carriageReturn
)

const defaultMaxRow = 16 << 20

// firstBuffer is how many bytes a scanner holds at first: most tables are small.
const firstBuffer = 16 << 10

func newScanner(ctx context.Context, from io.Reader, maxRow int) *scanner {
	if maxRow <= 0 {
		maxRow = defaultMaxRow
	}
	return &scanner{ctx: ctx, from: from, maxRow: maxRow, at: fault.Pos{Line: 1, Column: 1}, stray: -1, buf: make([]byte, firstBuffer)}
}

// newSampleScanner scans a text that is held, and stays as it is. whole says that it is all of the document.
func newSampleScanner(ctx context.Context, text []byte, whole bool, d dialect) *scanner {
	return &scanner{ctx: ctx, maxRow: defaultMaxRow, at: fault.Pos{Line: 1, Column: 1}, stray: -1, buf: text, end: len(text), eof: whole,
		dialect: d}
}

// fill reads more of the document after what is held.
func (s *scanner) fill() error {
	if s.from == nil {
		return errSampleEnds
	}
	if err := s.ctx.Err(); err != nil {
		return err
	}
	if s.end == len(s.buf) {
		if n := s.first; n > len(s.buf)/2 {
			copy(s.buf, s.buf[n:s.end])
			s.base += int64(n)
			s.end, s.first, s.front = s.end-n, 0, s.front-n
			s.nextQuote, s.nextCR, s.nextNUL, s.nextHigh = s.nextQuote-n, s.nextCR-n, s.nextNUL-n, s.nextHigh-n
			s.returnsFrom -= n
		} else {
			s.buf = append(s.buf, make([]byte, len(s.buf))...)
		}
	}
	for range 100 {
		n, err := s.from.Read(s.buf[s.end:])
		s.end += n
		if err == io.EOF {
			s.eof = true
			return nil
		}
		if err != nil || n > 0 {
			return err
		}
	}
	return io.ErrNoProgress
}

// sample reads on until n bytes are held, or the document ends, and shows them.
func (s *scanner) sample(n int) ([]byte, error) {
	for !s.eof && s.end-s.first < n {
		if err := s.fill(); err != nil {
			return nil, err
		}
	}
	return s.buf[s.first:min(s.end, s.first+n)], nil
}

// skip skips n bytes that belong to no row.
func (s *scanner) skip(n int) {
	s.at = advance(s.at, string(s.buf[s.front:s.front+n]))
	s.front += n
	s.first = s.front
}

// take hands out the next row, which is valid until the next call; nil at the end.
func (s *scanner) take() (*row, error) {
	r, err := s.peek(0)
	if r != nil {
		s.first = max(s.first, int(r.next.Offset-s.base))
		if len(s.ahead) == 1 {
			s.ahead = s.ahead[:0]
		} else {
			s.ahead = s.ahead[1:]
		}
		s.free = append(s.free, r)
	}
	return r, err
}

// peek looks at the n-th row from here, which is not taken by that; nil if there is none.
func (s *scanner) peek(n int) (*row, error) {
	for len(s.ahead) <= n {
		if s.front == s.end && s.eof {
			return nil, nil
		}
		var r *row
		// The row that was handed out last stays as it is until the next is asked for.
		if k := len(s.free); k > 1 {
			r = s.free[k-2]
			s.free = append(s.free[:k-2], s.free[k-1])
		} else {
			cells := 1
			if n := len(s.ahead); n > 0 {
				cells += len(s.ahead[n-1].texts)
			}
			r = &row{texts: make([]string, 0, cells), offs: make([]int32, 0, cells)}
		}
		for {
			r.reset(s.at)
			more := s.parse(r)
			if !more {
				break
			}
			if err := s.fill(); err != nil {
				return nil, err
			}
		}
		if r.next.Offset == r.pos.Offset { // only the end stood there
			s.free = append(s.free, r)
			return nil, nil
		}
		s.ahead = append(s.ahead, r)
	}
	return s.ahead[n], nil
}

// within says that a row ends so near to the next row to be taken that it may be looked at.
// What is decided by looking ahead then costs no more than that much memory.
func (s *scanner) within(r *row, bytes int) bool {
	return r.next.Offset-(s.base+int64(s.first)) <= int64(bytes)
}

// setWidth says how many cells a sound row has. Rows that were looked at are scanned again.
func (s *scanner) setWidth(want int) {
	if s.want == want {
		return
	}
	s.want = want
	if len(s.ahead) == 0 || s.ahead[0].pos.Offset < s.base+int64(s.first) {
		return
	}
	s.at, s.front = s.ahead[0].pos, s.first
	s.free = slices.Insert(s.free, 0, s.ahead...)
	s.ahead = s.ahead[:0]
	s.nextQuote, s.nextCR, s.nextNUL, s.nextHigh, s.returnsFrom = 0, 0, 0, 0, 0
}

// find is the place of a byte, from a place on, or end. The last place that was found is kept.
func (s *scanner) find(kept *int, b byte, from int) int {
	if *kept >= from && (*kept == s.end || *kept < s.end && s.buf[*kept] == b) {
		return *kept
	}
	n := bytes.IndexByte(s.buf[from:s.end], b)
	if n < 0 {
		*kept = s.end
	} else {
		*kept = from + n
	}
	return *kept
}

// carriageReturn is the place of the next carriage return, from a place on, or end. Lines are looked at ahead, and then
// again: one that was found further on need not be the next.
func (s *scanner) carriageReturn(from int) int {
	if from < s.returnsFrom {
		if n := bytes.IndexByte(s.buf[from:s.returnsFrom], '\r'); n >= 0 {
			s.nextCR = from + n
		}
		s.returnsFrom = from
	}
	before := s.nextCR
	if s.find(&s.nextCR, '\r', from) != before {
		s.returnsFrom = from
	}
	return s.nextCR
}

// high is the place of the first byte outside ASCII, from a place on, or end.
func (s *scanner) high(from int) int {
	if s.nextHigh >= from && (s.nextHigh == s.end || s.nextHigh < s.end && s.buf[s.nextHigh] >= 0x80) {
		return s.nextHigh
	}
	i := from
	for ; i+8 <= s.end; i += 8 {
		b := s.buf[i : i+8]
		if (b[0]|b[1]|b[2]|b[3]|b[4]|b[5]|b[6]|b[7])&0x80 != 0 {
			break
		}
	}
	for i < s.end && s.buf[i] < 0x80 {
		i++
	}
	s.nextHigh = i
	return i
}

// view is what a row may take: buf up to lim. If nothing follows that could belong to the
// row, final is true. Then the document ends or the row is too long.
func (s *scanner) view(from int) (lim int, final, tooLong bool) {
	if s.end-from > s.maxRow {
		return from + s.maxRow, true, true
	}
	return s.end, s.eof, false
}

// lineEnd finds the end of the line that goes on at from, and where the next begins. more
// says that this can't be known yet.
func (s *scanner) lineEnd(from, lim int, final bool) (end, next int, more bool) {
	n := bytes.IndexByte(s.buf[from:lim], '\n')
	lf := lim
	if n >= 0 {
		lf = from + n
	}
	cr := s.carriageReturn(from)
	if cr >= lf {
		if lf == lim {
			return lim, lim, !final
		}
		return lf, lf + 1, false
	}
	// Two returns before a line feed are one line end, written twice in text mode.
	k := cr + 1
	if k < lim && s.buf[k] == '\r' && (k+1 < lim && s.buf[k+1] == '\n') {
		k++
	} else if k < lim && s.buf[k] == '\r' && k+1 == lim && !final {
		return 0, 0, true
	}
	switch {
	case k < lim && s.buf[k] == '\n':
		return cr, k + 1, false
	case k == lim && !final:
		return 0, 0, true
	}
	return cr, cr + 1, false
}

// parse scans the row that begins at front. more says that the row goes on after what is held.
func (s *scanner) parse(r *row) (more bool) {
	from := s.front
	lim, final, tooLong := s.view(from)
	end, next, more := s.lineEnd(from, lim, final)
	if more {
		return true
	}
	d := &s.dialect
	if tooLong && end == lim {
		return s.passLong(r)
	}
	if d.isComment(s.buf[from:end], s.want) {
		r.comment = true
		s.finish(r, from, end, next)
		r.texts, r.offs = append(r.texts, r.raw), append(r.offs, 0)
		return false
	}
	if d.form == aligned {
		s.finish(r, from, end, next)
		r.simple = false
		r.splitAligned(d.edges)
		s.close(r, end)
		return false
	}
	if (d.quote == 0 || s.find(&s.nextQuote, d.quote, from) >= end) &&
		(d.escape == 0 || bytes.IndexByte(s.buf[from:end], d.escape) < 0) {
		s.finish(r, from, end, next)
		r.split(d.delimiter)
		s.close(r, end)
		return false
	}
	if d.escape == 0 && r.splitQuoted(s.hold(from, end), d.delimiter, d.quote) {
		s.finish(r, from, end, next)
		s.close(r, end)
		r.blank = false
		return false
	}
	r.texts, r.offs = r.texts[:0], r.offs[:0]
	return s.parseQuoted(r, from)
}

// splitQuoted makes the cells of a row on one line in which all quotation marks are around
// whole cells and none is doubled. For any other row it returns false.
func (r *row) splitQuoted(raw string, delimiter, quote byte) bool {
	mark := strings.IndexByte(raw, quote) // the next one
	for at := 0; ; {
		from, to, after := at, 0, 0
		if mark == at {
			n := strings.IndexByte(raw[at+1:], quote)
			if n < 0 {
				return false
			}
			from, to = at+1, at+1+n
			if after = to + 1; after < len(raw) && raw[after] != delimiter {
				return false
			}
			if mark = strings.IndexByte(raw[after:], quote); mark >= 0 {
				mark += after
			}
		} else {
			if n := strings.IndexByte(raw[at:], delimiter); n < 0 || delimiter == 0 {
				to = len(raw)
			} else {
				to = at + n
			}
			if after = to; mark >= 0 && mark < to {
				return false
			}
		}
		r.texts, r.offs = append(r.texts, raw[from:to]), append(r.offs, int32(at))
		if after >= len(raw) {
			return true
		}
		at = after + 1
	}
}

// split makes the cells of a row without quotation marks.
func (r *row) split(delimiter byte) {
	rest, at := r.raw, int32(0)
	if delimiter == 0 {
		r.texts, r.offs = append(r.texts, rest), append(r.offs, at)
		return
	}
	for {
		n := strings.IndexByte(rest, delimiter)
		if n < 0 {
			r.texts, r.offs = append(r.texts, rest), append(r.offs, at)
			return
		}
		r.texts, r.offs = append(r.texts, rest[:n]), append(r.offs, at)
		rest, at = rest[n+1:], at+int32(n)+1
	}
}

// batch is how many bytes of rows share one allocation: kept strings hold no more than that.
const batch = 4 << 10

// hold is a stretch of buf as a string that may be kept.
func (s *scanner) hold(from, end int) string {
	low, high := s.base+int64(from), s.base+int64(end)
	if low < s.textFrom || high > s.textFrom+int64(len(s.text)) {
		s.text, s.textFrom = string(s.buf[from:max(end, min(from+batch, s.end))]), low
	}
	return s.text[low-s.textFrom : high-s.textFrom]
}

// finish gives a row its text and its places, and goes on after it.
func (s *scanner) finish(r *row, from, end, next int) {
	r.raw = s.hold(from, end)
	r.simple = s.high(from) >= end
	lineEnd := s.buf[end:next]
	kind := -1
	switch {
	case len(lineEnd) == 0:
	case lineEnd[0] == '\n':
		kind = lineFeed
	case len(lineEnd) > 1:
		kind = carriageReturnLineFeed
	default:
		kind = carriageReturn
	}
	r.next = fault.Pos{Line: r.pos.Line, Column: r.pos.Column + int64(end-from), Offset: r.pos.Offset + int64(next-from)}
	if kind >= 0 {
		r.next.Line, r.next.Column = r.pos.Line+1, 1
		if len(lineEnd) == 3 { // the place counts both returns
			r.next.Line++
		}
		if !s.kinds[kind] {
			if s.mixed.Line == 0 && (s.kinds[0] || s.kinds[1] || s.kinds[2]) {
				s.mixed = advance(r.pos, r.raw)
			}
			s.kinds[kind] = true
		}
	}
	s.at, s.front = r.next, next
}

// close looks at the finished row for what belongs into no cell.
func (s *scanner) close(r *row, end int) {
	if s.find(&s.nextNUL, 0, int(r.pos.Offset-s.base)) < end {
		s.dropNUL(r)
	}
	if len(r.texts) == 0 {
		r.texts, r.offs = append(r.texts, ""), append(r.offs, 0)
	}
	if r.texts[0] == "" || len(r.texts) == 1 || r.raw[0] <= ' ' {
		r.blank = isBlank(r.raw, s.dialect.delimiter)
	}
	if s.dialect.form != delimited {
		s.reshape(r)
	}
}

// isBlank says that a row holds nothing but delimiters, white space and the mark with which
// old systems end a file.
func isBlank(raw string, delimiter byte) bool {
	for i := range len(raw) {
		if b := raw[i]; b != delimiter && b != ' ' && b != '\t' && b != 0x1A && b != 0 {
			return false
		}
	}
	return true
}

// dropNUL takes the characters U+0000 out of the cells of a row.
func (s *scanner) dropNUL(r *row) {
	for i, text := range r.texts {
		n := strings.IndexByte(text, 0)
		if n < 0 {
			continue
		}
		r.texts[i] = strings.ReplaceAll(text, "\x00", "")
		if isBlank(r.raw, s.dialect.delimiter) {
			continue
		}
		r.repaired = true
		at := r.place(i)
		r.faults = append(r.faults, rowFault{fault.Notice{Code: fault.TableNUL, Severity: fault.Repair,
			Pos: at, Message: "the character U+0000 in a field is taken out", Excerpt: fault.Excerpt([]byte(text))}, i})
	}
}

// passLong skips a row that is longer than may be held, up to the end of its line.
func (s *scanner) passLong(r *row) (more bool) {
	from := s.front
	shown := fault.Excerpt(s.buf[from:min(from+200, s.end)])
	passed := int64(0)
	at := r.pos
	for {
		end, next, more := s.lineEnd(s.front, s.end, s.eof)
		if !more {
			at = advance(at, string(s.buf[s.front:next]))
			passed += int64(end - s.front)
			s.front = next
			break
		}
		// The last byte may be half of a line end.
		n := max(0, s.end-s.front-2)
		at = advance(at, string(s.buf[s.front:s.front+n]))
		passed += int64(n)
		s.front += n
		s.first = s.front // rows that were looked at before can't be scanned again
		if s.fill() != nil {
			break
		}
	}
	r.next, s.at = at, at
	r.lost, r.simple = true, true
	r.texts, r.offs = append(r.texts, ""), append(r.offs, 0)
	r.faults = append(r.faults, rowFault{fault.Notice{Code: fault.LimitRow, Severity: fault.Drop, Pos: r.pos, Lost: 1,
		Bytes: passed, Excerpt: shown, Message: "the row is longer than a reader may hold, and is passed over"}, -1})
	return false
}
