package report

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"unicode"
	"unicode/utf8"
)

// Passage is the text around a finding: its line, and those before and after it.
type Passage struct {
	Lines []PassageLine
}

// PassageLine is a line of a passage, or the part of it that lies near the finding.
// Characters that can't be printed are shown by their number.
type PassageLine struct {
	Number int64 // from 1
	// Before, Marked and After make the line; only that of the finding has a mark.
	Before, Marked, After string
}

// reach is how many bytes of text on each side of a finding its passage is made of.
const reach = 600

// shownBefore and shownAfter are how many characters of a line are shown on each side of the
// finding. Of a line before or after it, lineShown characters are shown.
const (
	shownBefore = 60
	shownAfter  = 120
	lineShown   = 140
)

// Quote reads the text of a document, in UTF-8, and gives each of its samples the passage that it
// is in. The text may be of any length; the samples need not be in order.
func (d *Document) Quote(text io.Reader) error { return quote(d.Samples, text, printable) }

// QuoteAsIs is [Document.Quote] with passages in which every character is as it was, and so is each byte
// that belongs to none.
func QuoteAsIs(samples []Sample, text io.Reader) error { return quote(samples, text, asIs) }

func quote(samples []Sample, text io.Reader, show func([]byte) []rune) error {
	var open []*Sample
	for i := range samples {
		if samples[i].Line > 0 {
			open = append(open, &samples[i])
		}
	}
	slices.SortStableFunc(open, func(a, b *Sample) int { return int(min(max(a.Offset-b.Offset, -1), 1)) })
	var window []byte // the text from at on
	var at int64
	block := make([]byte, 64<<10)
	for len(open) > 0 {
		n, err := io.ReadFull(text, block)
		window = append(window, block[:n]...)
		ended := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
		if err != nil && !ended {
			return fmt.Errorf("read the text again: %w", err)
		}
		for len(open) > 0 && (ended || open[0].Offset+reach <= at+int64(len(window))) {
			if s := open[0]; s.Offset >= at && s.Offset <= at+int64(len(window)) {
				here := int(s.Offset - at)
				from, to := max(here-reach, 0), min(here+reach, len(window))
				around := window[from:to]
				s.Passage = passage(around, here-from, s.Line, ends{at+int64(from) == 0, ended && to == len(window)}, show)
			}
			open = open[1:]
		}
		if ended {
			return nil
		}
		if keep := len(window) - reach; keep > 0 && (len(open) == 0 || open[0].Offset-reach > at) {
			if len(open) > 0 {
				keep = min(keep, int(open[0].Offset-reach-at))
			}
			window = append(window[:0], window[keep:]...)
			at += int64(keep)
		}
	}
	return nil
}

// ends says whether a text is that of the document's beginning, and of its end.
type ends struct{ first, last bool }

// passage makes a passage of the text around text[here], which is on line.
func passage(text []byte, here int, line int64, of ends, show func([]byte) []rune) *Passage {
	p := &Passage{}
	begin, end := lineStart(text, here), lineEnd(text, here)
	if before, ok := lineBefore(text, begin); ok {
		start := lineStart(text, before)
		p.Lines = append(p.Lines, beside(line-1, show(text[start:before]), start > 0 || of.first))
	}
	marked := markEnd(text[here:end])
	own := PassageLine{
		Number: line,
		Before: tailOf(show(text[begin:here]), shownBefore, begin == 0 && !of.first),
		Marked: headOf(show(text[here:here+marked]), shownAfter, false),
		After:  headOf(show(text[here+marked:end]), shownAfter, end == len(text) && !of.last),
	}
	p.Lines = append(p.Lines, own)
	if next, ok := lineBehind(text, end); ok {
		stop := lineEnd(text, next)
		if next < stop || stop < len(text) {
			p.Lines = append(p.Lines, beside(line+1, show(text[next:stop]), true))
		}
	}
	return p
}

func beside(number int64, text []rune, whole bool) PassageLine {
	shown := headOf(text, lineShown, false)
	if !whole {
		shown = "…" + shown
	}
	return PassageLine{Number: number, Before: shown}
}

// lineStart is where the line of text[i] begins in text; LF, CRLF and CR end lines.
func lineStart(text []byte, i int) int {
	if i > 0 && i < len(text) && text[i] == '\n' && text[i-1] == '\r' {
		i--
	}
	return bytes.LastIndexAny(text[:i], "\r\n") + 1
}

func lineEnd(text []byte, i int) int {
	if n := bytes.IndexAny(text[i:], "\r\n"); n >= 0 {
		return i + n
	}
	return len(text)
}

// lineBefore is the end of the line before the one that begins at begin.
func lineBefore(text []byte, begin int) (end int, ok bool) {
	switch {
	case begin == 0:
		return 0, false
	case begin > 1 && text[begin-1] == '\n' && text[begin-2] == '\r':
		return begin - 2, true
	}
	return begin - 1, true
}

// lineBehind is the start of the line after the one that ends at end.
func lineBehind(text []byte, end int) (start int, ok bool) {
	switch {
	case end >= len(text):
		return 0, false
	case text[end] == '\r' && end+1 < len(text) && text[end+1] == '\n':
		return end + 2, true
	}
	return end + 1, true
}

// markEnd is how much of a line is marked for a finding at its beginning. It is an IRI or a string
// up to its end, else a word, else a character.
func markEnd(line []byte) int {
	if len(line) == 0 {
		return 0
	}
	switch line[0] {
	case '<':
		if i := bytes.IndexByte(line, '>'); i > 0 {
			return i + 1
		}
	case '"', '\'':
		for i := 1; i < len(line); i++ {
			switch line[i] {
			case '\\':
				i++
			case line[0]:
				return i + 1
			}
		}
	}
	_, first := utf8.DecodeRune(line)
	if i := bytes.IndexAny(line[first:], " \t,;[](){}<>\""); i >= 0 {
		return first + i
	}
	return len(line)
}

// printable shows what can't be printed by its number.
func printable(text []byte) []rune {
	var out []rune
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		switch {
		case r == utf8.RuneError && size == 1:
			out = append(out, []rune(fmt.Sprintf(`\x%02X`, text[0]))...)
		case r == '\t':
			out = append(out, ' ')
		case unicode.IsPrint(r):
			out = append(out, r)
		default:
			out = append(out, []rune(fmt.Sprintf(`\u%04X`, r))...)
		}
		text = text[size:]
	}
	return out
}

// strayByte and more are bytes that belong to no character, in a text as it is.
const strayByte = unicode.MaxRune + 1

// asIs is a text by its characters.
func asIs(text []byte) []rune {
	var out []rune
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		if r == utf8.RuneError && size == 1 {
			r = strayByte + rune(text[0])
		}
		out = append(out, r)
		text = text[size:]
	}
	return out
}

// written is the text of characters, and of bytes that are none.
func written(text []rune) string {
	var out []byte
	for _, r := range text {
		if r >= strayByte {
			out = append(out, byte(r-strayByte))
			continue
		}
		out = utf8.AppendRune(out, r)
	}
	return string(out)
}

// headOf is the beginning of a text, with … where it goes on.
func headOf(text []rune, most int, goesOn bool) string {
	if len(text) > most {
		text, goesOn = text[:most], true
	}
	if goesOn {
		return written(text) + "…"
	}
	return written(text)
}

func tailOf(text []rune, most int, cut bool) string {
	if len(text) > most {
		text, cut = text[len(text)-most:], true
	}
	if cut {
		return "…" + written(text)
	}
	return written(text)
}
