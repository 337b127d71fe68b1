package csvw

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"laundromat/internal/fault"
)

// row is a row of a table. It is valid until the next is read.
type row struct {
	cells  []string
	places []fault.Pos
	number int64 // from 1, in the document
	pos    fault.Pos
	faulty bool // the marks of a cell are wrong
}

// maxRow is the length in bytes of the longest row.
const maxRow = 16 << 20

// rowReader reads the rows of a table by a dialect.
type rowReader struct {
	ctx     context.Context
	text    *bufio.Reader
	dialect *Dialect
	notice  func(fault.Notice)

	pos    fault.Pos // of what is read next
	line   []byte    // of the row at hand
	cell   []byte
	row    row
	marks  []int // the offset in the line at which each cell begins
	number int64
}

func newRowReader(ctx context.Context, text io.Reader, d *Dialect, notice func(fault.Notice)) *rowReader {
	r := &rowReader{ctx: ctx, text: bufio.NewReaderSize(text, 64<<10), dialect: d, notice: notice, pos: fault.Pos{Line: 1, Column: 1}}
	if head, _ := r.text.Peek(3); string(head) == "\uFEFF" {
		_, _ = r.text.Discard(3)
		r.pos.Offset = 3
	}
	head, _ := r.text.Peek(64 << 10)
	if len(d.LineTerminators) == 0 && !bytes.Contains(head, []byte("\n")) && bytes.Contains(head, []byte("\r")) {
		old := *d // a table of an old Macintosh, which else would be a header without rows
		old.LineTerminators = []string{"\r"}
		r.dialect = &old
	}
	return r
}

// more adds a line with its end to the row at hand.
func (r *rowReader) more() error {
	if len(r.dialect.LineTerminators) == 0 {
		for {
			part, err := r.text.ReadSlice('\n')
			r.line = append(r.line, part...)
			if !errors.Is(err, bufio.ErrBufferFull) || len(r.line) > maxRow {
				return err
			}
		}
	}
	for {
		c, err := r.text.ReadByte()
		if err != nil {
			return err
		}
		r.line = append(r.line, c)
		if r.lineEnd() > 0 || len(r.line) > maxRow {
			return nil
		}
	}
}

// lineEnd is the length of the terminator that the line ends with.
func (r *rowReader) lineEnd() (n int) {
	if len(r.dialect.LineTerminators) == 0 {
		switch {
		case bytes.HasSuffix(r.line, []byte("\r\n")):
			return 2
		case bytes.HasSuffix(r.line, []byte("\n")):
			return 1
		}
		return 0
	}
	for _, end := range r.dialect.LineTerminators {
		if len(end) > n && strings.HasSuffix(string(r.line[max(0, len(r.line)-len(end)):]), end) {
			n = len(end)
		}
	}
	return n
}

// next reads the next row. It is nil at the end.
func (r *rowReader) next() (*row, error) {
	if err := r.ctx.Err(); err != nil {
		return nil, err
	}
	r.line = r.line[:0]
	start := r.pos
	err := r.more()
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if len(r.line) == 0 {
		return nil, nil
	}
	r.number++
	r.row = row{cells: r.row.cells[:0], places: r.row.places[:0], number: r.number, pos: start}
	for !r.split() {
		if len(r.line) > maxRow {
			return nil, fault.New("csvw", fault.Limit, fault.LimitMemory,
				"the row that begins in line %d has more than %d bytes: a quotation mark "+
					"may be missing in it", start.Line, maxRow)
		}
		before := len(r.line)
		if err := r.more(); err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		if len(r.line) == before { // the mark is not closed at all
			r.row.faulty = true
			break
		}
	}
	r.locate(start)
	return &r.row, nil
}

// split takes the line apart. It is false where a quotation mark is open at its end; the cells are those up to there.
func (r *rowReader) split() bool {
	d := r.dialect
	line := r.line[:len(r.line)-r.lineEnd()]
	r.row.cells, r.marks, r.row.faulty = r.row.cells[:0], r.marks[:0], false
	at := 0
	for {
		if d.SkipInitialSpace {
			for at < len(line) && line[at] == ' ' {
				at++
			}
		}
		r.marks = append(r.marks, at)
		r.cell = r.cell[:0]
		if d.QuoteChar != "" && bytes.HasPrefix(line[at:], []byte(d.QuoteChar)) {
			end, closed := r.quoted(at+len(d.QuoteChar), line)
			if !closed {
				r.row.cells = append(r.row.cells, string(r.cell))
				return false
			}
			at = end
		}
		end := bytes.Index(line[at:], []byte(d.Delimiter))
		if end < 0 {
			end = len(line) - at
		}
		if len(r.cell) > 0 && len(bytes.TrimSpace(line[at:at+end])) > 0 {
			r.row.faulty = true
		}
		r.cell = append(r.cell, line[at:at+end]...)
		r.row.cells = append(r.row.cells, r.trimmed(string(r.cell)))
		if at += end; at >= len(line) {
			return true
		}
		at += len(d.Delimiter)
	}
}

// quoted reads a quoted text up to its end.
func (r *rowReader) quoted(at int, line []byte) (end int, closed bool) {
	quote := r.dialect.QuoteChar
	for at < len(line) {
		switch {
		case !r.dialect.DoubleQuote && line[at] == '\\' && at+1 < len(line):
			_, size := utf8.DecodeRune(line[at+1:])
			r.cell = append(r.cell, line[at+1:at+1+size]...)
			at += 1 + size
		case !bytes.HasPrefix(line[at:], []byte(quote)):
			r.cell = append(r.cell, line[at])
			at++
		case r.dialect.DoubleQuote && bytes.HasPrefix(line[at+len(quote):], []byte(quote)):
			r.cell = append(r.cell, quote...)
			at += 2 * len(quote)
		default:
			return at + len(quote), true
		}
	}
	r.cell = append(r.cell, r.line[len(line):]...) // the line end is in the cell
	return at, false
}

func (r *rowReader) trimmed(s string) string {
	if r.dialect.TrimStart {
		s = strings.TrimLeft(s, " \t\r\n\u00A0")
	}
	if r.dialect.TrimEnd {
		s = strings.TrimRight(s, " \t\r\n\u00A0")
	}
	return s
}

// locate gives each cell its place, and moves on.
func (r *rowReader) locate(p fault.Pos) {
	at := 0
	move := func(to int) {
		for at < to {
			c := r.line[at]
			if c == '\n' || c == '\r' && (at+1 >= len(r.line) || r.line[at+1] != '\n') {
				p.Line, p.Column = p.Line+1, 1
			} else if c&0xC0 != 0x80 && c != '\r' {
				p.Column++
			}
			at++
		}
		p.Offset = r.row.pos.Offset + int64(at)
	}
	for _, mark := range r.marks {
		move(mark)
		r.row.places = append(r.row.places, p)
	}
	move(len(r.line))
	r.pos = p
}

// isComment says that a row is a comment of the dialect.
func (r *rowReader) isComment() bool {
	return r.dialect.CommentPrefix != "" && bytes.HasPrefix(r.line, []byte(r.dialect.CommentPrefix))
}

// isBlank says that nothing is in a row.
func (r *row) isBlank() bool {
	for _, c := range r.cells {
		if c != "" {
			return false
		}
	}
	return true
}
