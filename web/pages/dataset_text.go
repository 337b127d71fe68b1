package pages

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"unicode/utf8"

	"laundromat/seedlist"
)

const (
	linesAround   = 12   // of a document, before and after the one that is asked for
	lineShown     = 2000 // bytes of a line, before and after the place
	lineShownElse = 300  // bytes of another line
)

// textPage is a part of the text of a document.
type textPage struct {
	Hash, Name   string
	Line, Column int64
	Lines        []textLine
	Total        int64 // lines of the document; 0 if not known
	Earlier      int64 // a line to go to; 0 if there is none
	Later        int64
}

// textLine is a line, or the part of it that lies near the place.
type textLine struct {
	Number int64
	// Before, Marked and After make the line. Only that of the place has a mark.
	Before, Marked, After string
	IsHere                bool
	CutLeft, CutRight     bool
}

// textAt shows the text of a document around a line, or around a column of it.
func (s *site) textAt(r *http.Request) (page, error) {
	_, document, err := s.find(r)
	if err != nil {
		return page{}, err
	}
	document = document.Served()
	t := textPage{Hash: document.Hash, Name: s.read.Name(r.Context(), &document)}
	if t.Line, t.Column, err = s.placeIn(r, &document); err != nil {
		return page{}, err
	}
	err = s.read.Text(r.Context(), &document, func(in io.Reader) (err error) {
		t.Lines, err = linesOf(in, t.Line, t.Column)
		return err
	})
	if errors.Is(err, errNoLine) {
		return page{}, nothing(t.Name + " has no line " + number(t.Line))
	}
	if err != nil {
		return page{}, err
	}
	t.Total = linesTotal(&document)
	if first := t.Lines[0].Number; first > 1 {
		t.Earlier = max(1, t.Line-2*linesAround)
	}
	last := t.Lines[len(t.Lines)-1].Number
	if t.Total > last || t.Total == 0 && last == t.Line+linesAround {
		t.Later = t.Line + 2*linesAround
		if t.Total > 0 {
			t.Later = min(t.Later, t.Total)
		}
	}
	return page{title: "Text of " + t.Name, template: "dataset_text.html", data: t}, nil
}

// placeIn is the place that is asked for: a line, perhaps with a column, or the offset of a byte, from 0.
func (s *site) placeIn(r *http.Request, document *seedlist.Seed) (line, column int64, err error) {
	if text := r.FormValue("offset"); text != "" {
		offset, err := strconv.ParseInt(text, 10, 64)
		if err != nil || offset < 0 {
			return 0, 0, unprocessable(fmt.Sprintf("offset is a number from 0, not %q", text))
		}
		at, err := s.read.OffsetPlace(r.Context(), document, offset)
		return at.Line, at.Column, err
	}
	if line, err = numberIn(r, "line", 1); err != nil {
		return 0, 0, err
	}
	column, err = numberIn(r, "column", 0)
	return line, column, err
}

// linesTotal is how many lines the text of a document has; 0 if not known.
func linesTotal(seed *seedlist.Seed) int64 {
	if seed.Text == nil {
		return 0
	}
	return seed.Text.NumberOfLines
}

// errNoLine says that a text has not so many lines.
var errNoLine = errors.New("there is no such line")

// linesOf reads lines around one. The column, in characters from 1, is where its mark begins; 0: it has
// none. Lines may be of any length: of each a part is held.
func linesOf(in io.Reader, line, column int64) (all []textLine, err error) {
	l := lineReader{in: bufio.NewReaderSize(in, 64<<10)}
	for n := int64(1); n <= line+linesAround; n++ {
		one := textLine{Number: n, IsHere: n == line}
		switch {
		case n < line-linesAround:
			err = l.skip()
		case n == line:
			err = l.here(&one, column)
		default:
			var text []byte
			if text, err = l.head(lineShownElse); err == nil {
				one.Before, one.CutRight = string(text), l.isCut
			}
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		if n >= line-linesAround {
			all = append(all, one)
		}
	}
	if len(all) == 0 || all[len(all)-1].Number < line {
		return nil, errNoLine
	}
	return all, nil
}

// lineReader reads a text line by line; LF, CRLF and CR end lines.
type lineReader struct {
	in    *bufio.Reader
	isCut bool // the last line was longer than what was returned
}

// each passes the pieces of a line on, without its end. It is io.EOF after the last line.
func (l *lineReader) each(piece func([]byte)) error {
	for isBegun := false; ; isBegun = true {
		if _, err := l.in.Peek(1); err != nil {
			if isBegun && errors.Is(err, io.EOF) {
				return nil // the last line has no end
			}
			return err
		}
		part, _ := l.in.Peek(l.in.Buffered())
		end := bytes.IndexAny(part, "\r\n")
		if end < 0 {
			piece(part)
			l.in.Discard(len(part))
			continue
		}
		piece(part[:end])
		isCR := part[end] == '\r'
		l.in.Discard(end + 1)
		if isCR {
			if next, _ := l.in.Peek(1); len(next) == 1 && next[0] == '\n' {
				l.in.Discard(1)
			}
		}
		return nil
	}
}

func (l *lineReader) skip() error { return l.each(func([]byte) {}) }

// head is the beginning of a line.
func (l *lineReader) head(most int) (text []byte, err error) {
	l.isCut = false
	err = l.each(func(part []byte) {
		room := most - len(text)
		if len(part) > room {
			part, l.isCut = part[:room], true
		}
		text = append(text, part...)
	})
	return whole(text), err
}

// here reads the line of the place: what is before its column, the mark, and what comes after.
func (l *lineReader) here(one *textLine, column int64) error {
	var before, after []byte
	at := int64(1) // the column of the next character
	var rest []byte
	err := l.each(func(part []byte) {
		if len(rest) > 0 {
			part = append(rest, part...)
			rest = nil
		}
		for column > 0 && at < column && len(part) > 0 {
			if !utf8.FullRune(part) {
				rest = append([]byte(nil), part...)
				return
			}
			_, size := utf8.DecodeRune(part)
			before = append(before, part[:size]...)
			part = part[size:]
			at++
			if len(before) > 2*lineShown {
				before = append(before[:0], before[len(before)-lineShown:]...)
				one.CutLeft = true
			}
		}
		if room := lineShown - len(after); len(part) > room {
			part, one.CutRight = part[:max(room, 0)], true
		}
		after = append(after, part...)
	})
	if err != nil {
		return err
	}
	before = append(before, rest...)
	if one.CutLeft {
		before = begun(before)
	}
	if column == 0 {
		one.Before = string(whole(after))
		return nil
	}
	end := markEnd(after)
	one.Before, one.Marked = string(before), string(after[:end])
	if after = after[end:]; one.CutRight {
		after = whole(after)
	}
	one.After = string(after)
	return nil
}

// markEnd is where the term, word or character ends that a text begins with.
func markEnd(text []byte) int {
	if len(text) == 0 {
		return 0
	}
	if text[0] == '<' || text[0] == '"' {
		closing := byte('"')
		if text[0] == '<' {
			closing = '>'
		}
		if i := bytes.IndexByte(text[1:], closing); i >= 0 && i < lineShownElse {
			return i + 2
		}
	}
	_, size := utf8.DecodeRune(text)
	if i := bytes.IndexAny(text[size:], " \t,;[](){}<>\""); i >= 0 {
		return min(size+i, lineShownElse)
	}
	return min(len(text), lineShownElse)
}

// whole is a text without a character at its end that was cut.
func whole(text []byte) []byte {
	for back := 1; back < utf8.UTFMax && back <= len(text); back++ {
		if utf8.RuneStart(text[len(text)-back]) {
			if !utf8.FullRune(text[len(text)-back:]) {
				return text[:len(text)-back]
			}
			break
		}
	}
	return text
}

// begun is a text without the rest of a character at its beginning.
func begun(text []byte) []byte {
	for i := 0; i < utf8.UTFMax && i < len(text); i++ {
		if utf8.RuneStart(text[i]) {
			return text[i:]
		}
	}
	return text
}
