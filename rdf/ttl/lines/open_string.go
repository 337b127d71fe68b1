package lines

import (
	"bytes"
	"fmt"

	"laundromat/internal/fault"
	"laundromat/rdf/ttl/lex"
)

// openString is a string of N-Triples or N-Quads that does not end on its line. The lines after it
// that are no statements are the rest of it, most likely: they are lost with it, as one loss. A
// statement among them is kept, since it may as well be one. A line after such a statement belongs to
// the string only if the end of that is found. Else it is a loss of its own. No line is held for this.
type openString struct {
	open  bool
	quote byte
	lost  fault.Notice // of the line on which the string begins; it waits for the lines after
	// lines and bytes are those after that line that are lost with it, or are between such lines.
	lines, bytes int64
	// doubtful are the losses after a statement, at most maxWithinString.
	doubtful []fault.Notice
	// kept and keptBytes are the sound statements among all lines after it so far. The
	// field row is the number of those since the last line that was lost.
	kept, keptBytes, row int64
	swallows             bool // the current line is lost with the string, if it is no statement
}

// maxWithinString is how many statements in a row may be in an open string. After more, it is over.
const maxWithinString = 64

// loses says that the statement in line is lost, or keeps that back where a string of it is open.
func (l *Reader) loses(n fault.Notice, line []byte) {
	l.closeString()
	n.Lost = 1
	if quote, open := l.mender.opensString(&n, line); open {
		l.str = openString{open: true, quote: quote, lost: n, doubtful: l.str.doubtful}
		return
	}
	l.To.Notice(n)
}

// opensString says that a string begins on line, which is at fault as n says, and is not closed there.
func (m *mender) opensString(n *fault.Notice, line []byte) (quote byte, open bool) {
	if n.Code == fault.SyntaxUnclosedString && m.Tok.Kind == lex.Unclosed {
		return m.Bytes(&m.Tok)[0], true
	}
	// A quotation mark within the string seems to end it.
	rest, ok := beginsStatement(line)
	if !ok || len(rest) == 0 || rest[0] != '"' {
		return 0, false
	}
	for _, end := range []string{" .", "\t.", "\".", ">."} {
		if bytes.HasSuffix(bytes.TrimRight(line, " \t"), []byte(end)) {
			return 0, false
		}
	}
	return '"', !endsString(rest[1:], '"')
}

// lookInString looks at the line that comes, the text of which is line, while a string is open.
func (l *Reader) lookInString(line []byte) {
	s := &l.str
	s.swallows = false
	trimmed := bytes.TrimLeft(line, " \t\x00") // which may be gone already
	_, statement := beginsStatement(trimmed)
	switch {
	case len(trimmed) == 0, trimmed[0] == '#':
		if endsString(line, s.quote) {
			l.swallowLine(nil, line, l.Pos)
		}
	case statement && (bytes.IndexByte(line, s.quote) >= 0 || s.row == maxWithinString):
		l.closeString()
	case statement:
		s.row++
		s.kept++
		s.keptBytes += int64(len(trimmed)) + 1
	default:
		s.swallows = true
	}
}

// swallowLine counts the current line, which is no statement and begins at index i, and the comments
// before it as lost with the string. It reports that if the string ends on the line. Otherwise n, the
// notice of the line, is reported if the line is not part of the string.
func (l *Reader) swallowLine(n *fault.Notice, line []byte, i int) {
	s := &l.str
	lines := l.Line - s.lost.Line - s.kept
	bytes := l.Base + int64(i+len(line)) - s.lost.Offset - s.keptBytes
	if endsString(line, s.quote) {
		but := ""
		if s.kept > 0 {
			but = ", but for statements of their own"
		}
		s.lost.Message = fmt.Sprintf("%s; the string goes on up to line %d, and its lines are lost as one%s", s.lost.Message, l.Line, but)
		s.lines, s.bytes, s.doubtful = lines, bytes, s.doubtful[:0]
		l.tellString()
		return
	}
	switch {
	case n == nil: // a comment
	case s.kept == 0:
		s.lines, s.bytes = lines, bytes
	case len(s.doubtful) == maxWithinString:
		l.closeString()
		n.Lost = 1
		l.To.Notice(*n)
		return
	default:
		n.Lost = 1
		s.doubtful = append(s.doubtful, *n)
	}
	s.row = 0
}

// closeString reports the string that is open, if one is, the end of which was not found.
func (l *Reader) closeString() {
	if !l.str.open {
		return
	}
	switch n := &l.str.lost; {
	case l.str.lines == 1:
		n.Message += "; the line behind it is no statement, and lost with it"
	case l.str.lines > 1:
		n.Message = fmt.Sprintf("%s; %d lines behind it are no statements, and lost with it", n.Message, l.str.lines)
	}
	l.tellString()
}

func (l *Reader) tellString() {
	n := l.str.lost
	n.Bytes = l.str.bytes // 0 if no other line is lost
	l.str.open = false
	l.To.Notice(n)
	for _, own := range l.str.doubtful {
		l.To.Notice(own)
	}
	l.str.doubtful = l.str.doubtful[:0]
}

// beginsStatement says that line begins with a subject and a predicate that are whole, and
// returns what is after them.
func beginsStatement(line []byte) (rest []byte, ok bool) {
	rest = bytes.TrimLeft(line, " \t")
	if bytes.HasPrefix(rest, []byte("_:")) {
		rest = rest[max(0, bytes.IndexAny(rest, " \t<")):]
	} else if rest, ok = behindIRI(rest); !ok {
		return nil, false
	}
	rest, ok = behindIRI(bytes.TrimLeft(rest, " \t"))
	return bytes.TrimLeft(rest, " \t"), ok
}

// behindIRI returns what is after the absolute IRI that text begins with.
func behindIRI(text []byte) (rest []byte, ok bool) {
	if len(text) == 0 || text[0] != '<' {
		return nil, false
	}
	end, _ := lex.SeeUntil(text, 1, lex.EndsIRI)
	for end < len(text) && text[end] == '\\' {
		end, _ = lex.SeeUntil(text, end+1, lex.EndsIRI)
	}
	if end == len(text) || text[end] != '>' || !lex.Absolute(text[1:end]) {
		return nil, false
	}
	return text[end+1:], true
}

// endsString says that a quotation mark on line ends a string that began before it. No more follows it
// than what may follow a string in a statement, up to the dot and the end of the line.
func endsString(line []byte, quote byte) bool {
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case quote:
			if endsStatement(line[i+1:]) {
				return true
			}
		}
	}
	return false
}

// endsStatement says that text, which follows a string, ends a statement. It is a language tag or
// datatype, a graph, and a dot, of which only the dot must be there.
func endsStatement(text []byte) bool {
	ok := true
	if len(text) > 1 && text[0] == '@' && lex.Class[text[1]]&lex.Letter != 0 {
		text = text[1:]
		text = text[lex.WordEnd(text):]
	} else if bytes.HasPrefix(text, []byte("^^")) {
		if text, ok = behindIRI(text[2:]); !ok {
			return false
		}
	}
	text = bytes.TrimLeft(text, " \t")
	if bytes.HasPrefix(text, []byte("_:")) {
		text = text[2+lex.WordEnd(text[2:]):]
	} else if len(text) > 0 && text[0] == '<' {
		if text, ok = behindIRI(text); !ok {
			return false
		}
	}
	text = bytes.TrimLeft(text, " \t")
	if len(text) == 0 || text[0] != '.' {
		return false
	}
	text = bytes.TrimLeft(text[1:], " \t")
	return len(text) == 0 || text[0] == '#'
}
