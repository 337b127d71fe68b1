package lines

import (
	"bytes"
	"fmt"

	"laundromat/internal/fault"
	"laundromat/internal/pattern"
	"laundromat/rdf/ttl/lex"
)

// A string of N-Triples or N-Quads may not end on its line. The lines after it that are no statements are the rest of
// it, most likely: they are lost with it, as one loss. A statement among them is kept, since it may as well be one.
// Lines after such a statement belong to the string only if the end of that is found. Else each is a loss of its own.

// maxWithinString is how many lines may be in a string from its first line that is a statement on.
const maxWithinString = 128

// lose reports that the statement on the current line is lost, as n says. If a string of it is open, so is what follows
// of that.
func (l *Reader) lose(n fault.Notice) {
	n.Lost = 1
	if quote, isOpen := l.opensString(&n); isOpen {
		l.findEnd(&n, quote)
	}
	l.To.Notice(n)
}

// isInString says that the current line belongs to a string that was lost.
func (l *Reader) isInString(line []byte) bool {
	if l.Line > l.stringEnd {
		return false
	}
	_, isStatement := beginsStatement(line)
	return !isStatement
}

// opensString says that a string begins on the current line, which is at fault as n says, and is not closed there.
func (l *Reader) opensString(n *fault.Notice) (quote byte, isOpen bool) {
	if n.Code == fault.SyntaxUnclosedString && l.Tok.Kind == lex.Unclosed {
		return l.Bytes(&l.Tok)[0], true
	}
	// A quotation mark within the string seems to end it.
	line := bytes.TrimRight(l.Buf[l.tokens.from-l.Base:l.tokens.to-l.Base], " \t")
	if n := len(line); n > 1 && line[n-1] == '.' && bytes.IndexByte([]byte(" \t\">"), line[n-2]) >= 0 {
		return 0, false
	}
	rest, ok := beginsStatement(line)
	return '"', ok && len(rest) > 0 && rest[0] == '"' && !endsString(rest[1:], '"')
}

// findEnd looks for the line on which a string ends. The string begins on the current line. What is lost with it is
// added to its notice. If the end is not found, those are the lines up to one that may be a statement.
func (l *Reader) findEnd(n *fault.Notice, quote byte) {
	_, next, _ := l.lineAt(l.tokens.from)
	var kept, keptBytes, left int64 // left are lines from the first statement on
	number := l.Line
	for isOpen := true; next-n.Offset < int64(l.MaxToken) && left < maxWithinString; {
		at := next
		line, behind, ok := l.lineAt(at)
		if !ok {
			break
		}
		number, next = number+1, behind
		ink := bytes.TrimLeft(line, " \t\x00")
		_, isStatement := beginsStatement(ink)
		mayBe := isStatement || mayBeStatement(ink)
		if mayBe && bytes.IndexByte(line, quote) >= 0 {
			break
		}
		end := at + int64(len(line)) - n.Offset - keptBytes
		isOpen = isOpen && !mayBe
		switch {
		case isStatement:
			kept++
			keptBytes += int64(len(ink)) + 1
		case endsString(line, quote):
			l.stringEnd, n.Bytes = number, end
			n.Message = fmt.Sprintf("%s; the string goes on up to line %d, and its lines are lost as one", n.Message, number)
			if kept > 0 {
				n.Message += ", but for statements of their own"
			}
			return
		case isOpen && len(ink) > 0 && ink[0] != '#':
			l.stringEnd, n.Bytes = number, end
		}
		if kept > 0 {
			left++
		}
	}
	switch lines := l.stringEnd - l.Line; {
	case lines == 1:
		n.Message += "; the line after it isn't a statement, and lost with it"
	case lines > 1:
		n.Message = fmt.Sprintf("%s; %d lines after it aren't statements, and lost with it", n.Message, lines)
	}
}

// mayBeStatement says that line looks like one that a repair may make a statement of. It begins with a label, or one of
// its first two IRIs is absolute.
func mayBeStatement(line []byte) bool {
	if bytes.HasPrefix(line, []byte("_:")) {
		return true
	}
	subject, rest, _ := bytes.Cut(line, []byte(">"))
	if rest = bytes.TrimLeft(rest, " \t"); len(rest) == 0 || line[0] != '<' || rest[0] != '<' {
		return false
	}
	return lex.Absolute(subject[1:]) || lex.Absolute(rest[1:])
}

var (
	// begin is a subject and a predicate that are whole.
	begin = pattern.New(
		`^[ \t]*(?:_:[^ \t<]*|<[A-Za-z][A-Za-z0-9+.-]*:[^\x00- <>"{}|^\x60]*>)[ \t]*<[A-Za-z][A-Za-z0-9+.-]*:[^\x00- <>"{}|^\x60]*>[ \t]*`)
	object = pattern.New(`^(?:<[^\x00- <>"{}|^\x60]*>|_:[\w\x{80}-\x{10FFFF}-]+|"(?:[^"\\]|\\.)*")`)
	// tail is what may follow an object in a statement, up to the end of the line. Only the dot must be there.
	tail = pattern.New(
		`^(?:@[A-Za-z][\w\x{80}-\x{10FFFF}-]*|\^\^<[^\x00- <>"{}|^\x60]*>)?[ \t]*(?:_:[\w\x{80}-\x{10FFFF}-]*|<[^\x00- <>"{}|^\x60]*>)?[ \t]*\.[ \t]*(?:$|#)`)
)

// beginsStatement says that line begins with a subject and a predicate that are whole, and
// returns what is after them.
func beginsStatement(line []byte) (rest []byte, ok bool) {
	if found := begin.FindIndex(line); found != nil {
		return line[found[1]:], true
	}
	return nil, false
}

// isWhole says that text is a statement up to the end of its line.
func isWhole(text []byte) bool {
	rest, ok := beginsStatement(text)
	found := object.FindIndex(rest)
	return ok && found != nil && tail.Match(rest[found[1]:])
}

// endsString says that a quotation mark on line ends a string that began before it. No more follows it
// than what may follow a string in a statement, up to the dot and the end of the line.
func endsString(line []byte, quote byte) bool {
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case quote:
			if tail.Match(line[i+1:]) {
				return true
			}
		}
	}
	return false
}
