package spinn3r

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"laundromat/internal/fault"
)

// DefaultLimit is the length of a record that a reader takes, in bytes, unless it is told another.
const DefaultLimit = 64 << 20

// Reader reads records one after another. It holds one at a time.
type Reader struct {
	Limit int // the longest record, in bytes; 0 is DefaultLimit

	in     *bufio.Reader
	form   Form
	notice func(fault.Notice)
	line   int64 // of the next line, from 1
	offset int64 // of the next line
	// next is a line that was read and not used: the first of the record that follows.
	next     []byte
	hasNext  bool
	passed   int // lines passed over that belong to the record that follows
	Articles Count
}

// Count is what became of the articles.
type Count struct{ Read, Kept, Dropped int }

// NewReader reads records of a form. Notice is called for each finding, and may be nil.
func NewReader(r io.Reader, form Form, notice func(fault.Notice)) *Reader {
	if notice == nil {
		notice = func(fault.Notice) {}
	}
	return &Reader{in: bufio.NewReaderSize(r, 64<<10), form: form, notice: notice, line: 1}
}

// Next is the next record, or io.EOF behind the last.
func (r *Reader) Next() (*Record, error) {
	for {
		record, err := r.record()
		if err != nil || record != nil {
			return record, err
		}
	}
}

// record reads one record. It is nil if all of it had to be dropped.
func (r *Reader) record() (*Record, error) {
	record := &Record{Form: r.form, Line: r.line}
	broken := r.passed
	if r.passed = 0; broken > 0 && r.form == F5 {
		return r.finish(record, broken), nil
	}
	for {
		line, err := r.readLine(len(record.raw))
		if len(line) == 0 && err != nil {
			if errors.Is(err, io.EOF) && len(record.raw)+broken > 0 {
				return r.finish(record, broken), nil
			}
			return nil, err
		}
		if line == nil { // too long
			broken++
			if r.form == F5 {
				return r.finish(record, broken), nil
			}
			continue
		}
		at := fault.Pos{Line: r.line, Column: 1, Offset: r.offset}
		text := strings.TrimSuffix(strings.TrimSuffix(string(line), "\n"), "\r")
		if text == "" {
			r.advance(line)
			record.raw = append(record.raw, line...)
			if len(record.Fields)+broken > 0 {
				r.blanks(record)
				return r.finish(record, broken), nil
			}
			record.Line = r.line
			continue
		}
		if !r.fields(record, text, at) {
			broken++
		} else {
			record.raw = append(record.raw, line...)
		}
		r.advance(line)
		if r.form == F5 {
			r.blanks(record)
			return r.finish(record, broken), nil
		}
	}
}

// blanks takes the further empty lines behind a record.
func (r *Reader) blanks(record *Record) {
	for {
		line, err := r.readLine(0)
		if err != nil && len(line) == 0 {
			return
		}
		if line == nil {
			r.passed++
			return
		}
		if len(strings.TrimRight(string(line), "\r\n")) > 0 {
			r.next, r.hasNext = line, true
			return
		}
		record.raw = append(record.raw, line...)
		r.advance(line)
	}
}

// finish counts a record. One without fields is dropped; that was told.
func (r *Reader) finish(record *Record, broken int) *Record {
	if len(record.Fields) == 0 {
		if broken > 0 {
			r.Articles.Read++
			r.Articles.Dropped++
		}
		return nil
	}
	r.Articles.Read++
	r.Articles.Kept++
	r.check(record)
	return record
}

// advance moves the place behind a line.
func (r *Reader) advance(line []byte) {
	r.offset += int64(len(line))
	r.line++
}

// readLine reads a line with its end. It is nil if it makes the record of held bytes longer than the limit; then it
// was told and passed over.
func (r *Reader) readLine(held int) ([]byte, error) {
	if r.hasNext {
		r.hasNext = false
		return r.next, nil
	}
	limit := r.Limit
	if limit <= 0 {
		limit = DefaultLimit
	}
	var line []byte
	for {
		part, err := r.in.ReadSlice('\n')
		if held+len(line)+len(part) > limit {
			return nil, r.skip(len(line)+len(part), err, limit)
		}
		line = append(line, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// skip passes over the rest of a line that is too long.
func (r *Reader) skip(length int, err error, limit int) error {
	at := fault.Pos{Line: r.line, Column: 1, Offset: r.offset}
	for errors.Is(err, bufio.ErrBufferFull) {
		var part []byte
		part, err = r.in.ReadSlice('\n')
		length += len(part)
	}
	r.notice(fault.Notice{Code: fault.LimitToken, Severity: fault.Drop, Pos: at, Lost: 1, Bytes: int64(length),
		Message: fmt.Sprintf("a line makes an article longer than %d bytes", limit)})
	r.line++
	r.offset += int64(length)
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// fields reads the fields of a line. It says whether there are any.
func (r *Reader) fields(record *Record, line string, at fault.Pos) bool {
	if r.form == Full5 {
		if len(line) < 2 || line[1] != '\t' || !isCapital(line[0]) {
			r.broken(line, at, "a line without a letter and a tab at its beginning")
			return false
		}
		record.Fields = append(record.Fields, Field{line[0], line[2:], at})
		return true
	}
	var fields []Field
	known, place := false, at
	for part := range strings.SplitSeq(line, "\t") {
		f := Field{Value: part, pos: place}
		if len(part) >= 2 && part[1] == ':' && isCapital(part[0]) {
			f = Field{part[0], part[2:], place}
			known = true
		}
		fields = append(fields, f)
		place.Column += int64(utf8.RuneCountInString(part)) + 1
		place.Offset += int64(len(part)) + 1
	}
	if !known {
		r.broken(line, at, "a line without a column of a letter and a colon")
		return false
	}
	record.Fields = fields
	return true
}

func isCapital(c byte) bool { return c >= 'A' && c <= 'Z' }

func (r *Reader) broken(line string, at fault.Pos, message string) {
	lost := 0
	if r.form == F5 {
		lost = 1
	}
	r.notice(fault.Notice{Code: fault.TextBrokenLine, Severity: fault.Drop, Pos: at, Lost: lost, Bytes: int64(len(line)),
		Message: message, Excerpt: fault.Excerpt([]byte(line))})
}

// check tells what is doubtful in a record that is kept.
func (r *Reader) check(record *Record) {
	content := record.index()
	for i := range record.Fields {
		f := &record.Fields[i]
		switch {
		case strings.IndexByte(letters, f.Letter) < 0 || f.Letter == 0:
			r.notice(fault.Notice{Code: fault.TextUnknownField, Severity: fault.Warning, Pos: f.pos,
				Message: "a field of an unknown letter", Excerpt: fault.Excerpt([]byte(f.Value))})
		case f.Letter == 'D' && !validDate(f.Value):
			r.notice(fault.Notice{Code: fault.TextUnknownField, Severity: fault.Warning, Pos: f.pos,
				Message: "a date in neither of the two ways", Excerpt: fault.Excerpt([]byte(f.Value))})
		case f.Letter == 'L' || f.Letter == 'Q':
			if message := doubt(f, record.Form, content); message != "" {
				r.notice(fault.Notice{Code: fault.TextBadOffset, Severity: fault.Warning, Pos: f.pos, Message: message,
					Excerpt: fault.Excerpt([]byte(f.Value))})
			}
		}
	}
}

func validDate(s string) bool {
	_, ok := Date(s)
	return ok || s == ""
}

// doubt says what is wrong with the place of a link or quote, or "".
func doubt(f *Field, form Form, content *index) string {
	p, rest, ok := place(f.Value, form.separator(), content)
	switch {
	case !ok:
		return "a place that isn't a number"
	case p.Start < 0:
		if f.Letter == 'Q' {
			return "a quote without a place"
		}
	case p.Start > content.size || p.Length > content.size-p.Start:
		return "a place that the content does not have"
	case f.Letter == 'Q' && p.Length >= 0 && content.cut(p) != rest:
		return "the text of a quote is not what is at its place"
	}
	return ""
}
