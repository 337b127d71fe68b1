// Package spinn3r reads and writes the two forms in which articles of the Spinn3r corpus are passed on.
//
// F5 is an article a line, in columns apart by tabs: a letter, a colon and the value. Full5 is a field a line: a
// letter, a tab and the value, with an empty line behind each article. A record that is written in the form that it
// was read in comes out byte for byte. Where it is written in the other form, what that can't hold is told.
//
//	r := spinn3r.NewReader(file, spinn3r.F5, notice)
//	for record, err := r.Next(); err == nil; record, err = r.Next() {
//		out = record.Append(out, spinn3r.Full5, spinn3r.Options{Notice: notice})
//	}
//
// The letters:
//
//   - I: id
//   - V: phase of the encoding
//   - S: a language with its probability
//   - G: whether the text is garbled, and the share of useful characters
//   - U: URL
//   - D: date
//   - T, F: title in tokens, and as it was
//   - C, H: content in tokens, and as it was
//   - L: a link
//   - Q: a quote
//
// Places count code points of C from 0.
package spinn3r

import (
	"bytes"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"laundromat/internal/fault"
)

// Form is one of the two forms.
type Form uint8

const (
	F5 Form = iota
	Full5
)

func (f Form) String() string { return [...]string{"f5", "full5"}[f] }

// separator stands behind a letter and between the parts of a value.
func (f Form) separator() byte {
	if f == F5 {
		return ':'
	}
	return '\t'
}

// letters are the fields in the order in which full5 has them.
const letters = "IVSGUDTFCHLQ"

// Guess says whether the first line of a text is one of either form.
func Guess(text []byte) (Form, bool) {
	line, _, _ := bytes.Cut(bytes.TrimLeft(text, "\r\n"), []byte("\n"))
	if len(line) < 2 || strings.IndexByte(letters, line[0]) < 0 {
		return F5, false
	}
	switch line[1] {
	case '\t':
		return Full5, true
	case ':':
		// One line of prose may begin so: a second column must follow.
		i := bytes.IndexByte(line, '\t')
		return F5, i > 0 && i+2 < len(line) && strings.IndexByte(letters, line[i+1]) >= 0 && line[i+2] == ':'
	}
	return F5, false
}

// Record is one article. Its fields are in the order in which they were read.
type Record struct {
	Form   Form
	Line   int64 // of its first field, from 1
	Fields []Field

	raw  []byte // as it was read, with the line ends behind it; nil once it has changed
	made bool   // of an article, not read
}

// Field is a letter and what is written behind it in the form of the record.
type Field struct {
	Letter byte // 0 where a column has none
	Value  string
	pos    fault.Pos
}

// Place is a stretch of C, in code points. Length is -1 where none is given; both are -1 for a link of the title.
type Place struct{ Start, Length int }

// Value is the first value of a letter as plain text: full5's references to tab and newline are read.
func (r *Record) Value(letter byte) (string, bool) {
	for i := range r.Fields {
		if r.Fields[i].Letter == letter {
			return r.plain(r.Fields[i].Value), true
		}
	}
	return "", false
}

// Has says whether a letter is there.
func (r *Record) Has(letter byte) bool {
	_, ok := r.Value(letter)
	return ok
}

// Add appends a field. The value is plain text; what the form of the record can't hold in it is replaced.
func (r *Record) Add(letter byte, value string) {
	r.Fields = append(r.Fields, Field{Letter: letter, Value: written(value, letter, r.Form)})
	r.raw = nil
}

// plain reads a value as it is written in the form of the record.
func (r *Record) plain(value string) string {
	if r.Form == Full5 && strings.Contains(value, "&#") {
		return references.Replace(value)
	}
	return value
}

var references = strings.NewReplacer("&#10;", "\n", "&#9;", "\t")

// written is a plain value as a form has it.
func written(value string, letter byte, f Form) string {
	if !strings.ContainsAny(value, "\t\n") {
		return value
	}
	switch {
	case f == Full5:
		return toReferences.Replace(value)
	case letter == 'H':
		return newlines(strings.ReplaceAll(value, "\t", ""))
	}
	return toSpaces.Replace(value)
}

var (
	toReferences = strings.NewReplacer("\n", "&#10;", "\t", "&#9;")
	toSpaces     = strings.NewReplacer("\n", " ", "\t", " ")
)

// newline stands for a run of newlines in the H of f5.
const newline = "*NL*"

// newlines writes each run of newlines as one mark.
func newlines(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\n' {
			b.WriteByte(s[i])
		} else if i == 0 || s[i-1] != '\n' {
			b.WriteString(newline)
		}
	}
	return b.String()
}

// The ways in which dates are written, both in UTC.
const (
	f5Date    = "2006-01-02T15:04:05Z"
	full5Date = "2006-01-02 15:04:05"
)

// Date reads a date of either form.
func Date(s string) (time.Time, bool) {
	for _, form := range [...]string{f5Date, full5Date} {
		if t, err := time.Parse(form, s); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

func date(s string, f Form) string {
	t, ok := Date(s)
	switch {
	case !ok:
		return s
	case f == F5:
		return t.Format(f5Date)
	}
	return t.Format(full5Date)
}

// place reads the place before the rest of an L or a Q. Content is C, which decides where the length may be missing.
func place(value string, separator byte, content *index) (p Place, rest string, ok bool) {
	first, rest, ok := strings.Cut(value, string(separator))
	if p.Start, ok = number(first, ok); !ok {
		return p, "", false
	}
	p.Length = -1
	second, behind, ok := strings.Cut(rest, string(separator))
	n, isNumber := number(second, ok)
	if !isNumber {
		return p, rest, true
	}
	if p.Start >= 0 && n >= 0 && content.cut(Place{p.Start, n}) != behind {
		// It may be a text that begins with a number, such as “4: a list”.
		if content.cut(Place{p.Start, utf8.RuneCountInString(rest)}) == rest {
			return p, rest, true
		}
	}
	p.Length = n
	return p, behind, true
}

// number reads a part of a place; an empty one and -1 are of the title.
func number(s string, ok bool) (int, bool) {
	if !ok {
		return 0, false
	}
	if s == "" || s == "-1" {
		return -1, true
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
	}
	n, err := strconv.Atoi(s)
	return n, err == nil
}

// index finds code points in a text by their number.
type index struct {
	text  string
	size  int   // in code points
	marks []int // the byte of each code point whose number step divides; nil where all are one byte long
}

const step = 128

func newIndex(s string) *index {
	x := &index{text: s, size: utf8.RuneCountInString(s)}
	if x.size == len(s) {
		return x
	}
	n := 0
	for i := range s {
		if n%step == 0 {
			x.marks = append(x.marks, i)
		}
		n++
	}
	return x
}

// offset is the byte at which the n-th code point begins.
func (x *index) offset(n int) (int, bool) {
	switch {
	case n < 0 || n > x.size:
		return 0, false
	case n == x.size:
		return len(x.text), true
	case x.marks == nil:
		return n, true
	}
	from := x.marks[n/step]
	left := n % step
	for i := range x.text[from:] {
		if left == 0 {
			return from + i, true
		}
		left--
	}
	return len(x.text), true
}

// span is the bytes of a place.
func (x *index) span(p Place) (from, to int, ok bool) {
	if p.Length < 0 || p.Length > x.size {
		return 0, 0, false
	}
	from, ok = x.offset(p.Start)
	to, inside := x.offset(p.Start + p.Length)
	return from, to, ok && inside
}

// cut is the text at a place, or "" if it isn't in there.
func (x *index) cut(p Place) string {
	from, to, ok := x.span(p)
	if !ok {
		return ""
	}
	return x.text[from:to]
}

// index is the index of C.
func (r *Record) index() *index {
	content, _ := r.Value('C')
	return newIndex(content)
}
