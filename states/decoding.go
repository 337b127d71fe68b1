package states

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"slices"
	"unicode/utf8"

	"laundromat/encoding"
	"laundromat/internal/digest"
	"laundromat/internal/fault"
)

// decoding is the text of a document in one reading, and what that finds of its encoding.
type decoding struct {
	text    io.Reader
	meter   *digest.Meter
	doubled *encoding.Doubled
	lost    *encoding.Lost
}

// decode begins to decode the bytes of a document, as g presumes them to be. Findings go to notice.
func (g *Guessed) decode(raw io.Reader, notice func(fault.Notice)) (*decoding, error) {
	decoded, err := encoding.NewReader(raw, g.Encoding.Name, encoding.Options{
		Tolerate: g.tolerate, Notice: notice, Undouble: g.Encoding.Doubled,
	})
	if err != nil {
		return nil, err
	}
	d := &decoding{meter: &digest.Meter{}, doubled: &encoding.Doubled{}, lost: &encoding.Lost{}}
	d.text = io.TeeReader(decoded, io.MultiWriter(d.meter, d.doubled, d.lost))
	return d, nil
}

// finish tells what was found, once the text is read to its end. A text that is read back as a whole is told of by
// whoever does that.
func (d *decoding) finish(g *Guessed, notice func(fault.Notice), readsBack bool) digest.Text {
	d.doubled.Close()
	d.lost.Close()
	doubled := d.doubled.Notices()
	if readsBack && d.doubled.Whole() {
		doubled = nil
	}
	for _, n := range slices.Concat(doubled, d.lost.Notices(d.doubled.Outside())) {
		notice(n)
	}
	text := d.meter.Text()
	for _, n := range g.Encoding.Proved(text.NumberOfBytes == text.NumberOfChars) {
		notice(n)
	}
	return text
}

// withoutStrays is a text whose stray bytes are read as what they mean, where that is clear: the same as in
// statements. Others stay.
func (g *Guessed) withoutStrays(text io.Reader, notice func(fault.Notice)) io.Reader {
	if g.Encoding.Strays == nil {
		return text
	}
	return &strayReader{from: bufio.NewReaderSize(text, longestStray), meaning: g.Encoding.Strays, notice: notice,
		at: fault.Pos{Line: 1, Column: 1}}
}

// longestStray is how much of a line is judged as one text, in bytes.
const longestStray = 64 << 10

// strayReader reads stray bytes as letters, line by line.
type strayReader struct {
	from    *bufio.Reader
	meaning *encoding.Strays
	notice  func(fault.Notice)
	line    []byte // what is left of it
	at      fault.Pos
	err     error
}

func (s *strayReader) Read(p []byte) (int, error) {
	for len(s.line) == 0 {
		if s.err != nil {
			return 0, s.err
		}
		var line []byte
		line, s.err = s.from.ReadSlice('\n')
		if errors.Is(s.err, bufio.ErrBufferFull) {
			s.err = nil
		}
		s.line = s.judge(line)
	}
	n := copy(p, s.line)
	s.line = s.line[n:]
	return n, nil
}

// judge is what a line means.
func (s *strayReader) judge(line []byte) []byte {
	at := s.at
	if s.at.Offset += int64(len(line)); bytes.HasSuffix(line, []byte("\n")) {
		s.at.Line++
	}
	if utf8.Valid(line) {
		return line
	}
	meant, name := s.meaning.Read(line)
	if name == "" {
		return line
	}
	s.notice(fault.Notice{Code: fault.EncodingMixedBytes, Severity: fault.Warning, Pos: at, Meant: name,
		Excerpt: fault.Excerpt(meant), Message: "single bytes were read as letters of " + name})
	return bytes.Clone(meant)
}
