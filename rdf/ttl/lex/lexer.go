// Package lex cuts texts of Turtle and its relatives into tokens. It knows the
// terminals of the grammar and the faults in them, and nothing of statements.
//
// A reader asks [Lexer.Next] for one token after the other. To look ahead it takes a
// [Lexer.Mark], reads on, and goes back with [Lexer.Reset]. What it looks over stays
// in the [Window]; how much that may be, [Lexer.Beyond] says.
//
//	l := lex.New(lex.NewWindow(text, ctx.Err, 0), 16<<20)
//	for l.Next(); l.Tok.Kind != lex.EndOfText && l.Tok.Kind != lex.Stopped; l.Next() {
//		fmt.Println(l.Tok.Kind, l.Tok.Pos, string(l.Bytes(&l.Tok)))
//	}
//
// A faulty token is of the kind [Broken], [Unclosed] or [Symbol], with a code and a message. The
// lexer gives no notice itself: who knows what the token was meant for does.
package lex

import (
	"bytes"

	"laundromat/internal/fault"
)

// Lexer cuts the text into tokens. Tok is the current one. Its bytes are in the window until the next
// call of Next, unless Keep holds them.
//
// It goes over each byte once, except for a string in three quotes that is never closed. It holds no more
// than one token and a little before it.
type Lexer struct {
	*window
	Tok        Token
	MaxToken   int
	LineFormat bool // the format is N-Triples or N-Quads

	Pos       int   // index in buf of the next byte
	Line      int64 // from 1
	LineStart int64 // offset where the line begins
	Extra     int64 // bytes of this line, so far, that are not the first of a character
	AfterCR   int64 // offset after the last CR: a LF there is part of its line end

	// Ended is where the token before tok ended: there a missing dot is missing.
	Ended fault.Pos
	// Keep is the offset from which the window must hold the text, while the parser
	// looks ahead; -1 else.
	Keep int64
	// Back is the offset of a string that the window should hold as well, since what
	// follows may prove that it ended earlier; -1 else. It is let go when it is too far back.
	Back int64
	// skipLine says that the rest of the line belongs to a token that was given up.
	skipLine bool
	// noLong is where no """ (0) and no ''' (1) ends a string that begins there, as an earlier search
	// has found. Without it a text of nothing but openings would cost the square of its length.
	noLong [2]stretch
	// Marks are the places before a token where a mark that can't be seen was skipped. Those of
	// which a notice was given are taken out. Marked is the offset after which none was found yet.
	Marks  []UnseenMark
	Marked int64
	// BehindHole says that a hole is before the current token. Holes counts such tokens.
	BehindHole bool
	Holes      int
}

// stretch is a piece of the text, by offsets.
type stretch struct{ from, to int64 }

// slack is how many bytes before a token stay in the window, for excerpts.
const slack = 512

// New makes a lexer of the text in w. A token longer than maxToken bytes is lost.
func New(w *window, maxToken int) *Lexer {
	return &Lexer{window: w, MaxToken: maxToken, Line: 1, Keep: -1, Back: -1, AfterCR: -1, Marked: -1}
}

// NewLines makes a lexer of single lines, which BeginLine gives to it.
func NewLines(maxToken int) *Lexer {
	l := New(&window{EOF: true}, maxToken)
	l.LineFormat = true
	return l
}

// BeginLine makes l read text, a line or the rest of one that begins at an offset. The line itself begins at
// the offset lineStart. What l has read before is forgotten.
func (l *Lexer) BeginLine(text []byte, offset, line, lineStart int64) {
	*l.window = window{EOF: true, Buf: text, Base: offset}
	l.Pos, l.Line, l.LineStart, l.Extra = 0, line, lineStart, 0
	l.noLong, l.Keep, l.skipLine = [2]stretch{}, -1, false
	l.Marks, l.Marked = l.Marks[:0], -1
}

// Offset is that of the next byte in the text.
func (l *Lexer) Offset() int64 { return l.Base + int64(l.Pos) }

// Place is the position of the next byte.
func (l *Lexer) Place() fault.Pos {
	at := l.Offset()
	return fault.Pos{Line: l.Line, Column: at - l.LineStart - l.Extra + 1, Offset: at}
}

// Bytes returns the text of t, which must be in the window.
func (l *Lexer) Bytes(t *Token) []byte { return l.Buf[t.From-l.Base : t.To-l.Base] }

// tooFar says that the parser looks ahead over more than may be held: a very long
// comment, most likely. It then sees the end of the text there.
func (l *Lexer) tooFar() bool { return l.Keep >= 0 && l.Offset()-l.Keep > 4*int64(l.MaxToken)+slack }

// Beyond says that the current token begins further ahead than the parser may look. That is less than
// tooFar allows, so it is the same however much the window holds.
func (l *Lexer) Beyond() bool { return l.Keep >= 0 && l.Tok.From-l.Keep > 2*int64(l.MaxToken) }

// Refill makes the window hold more; false at the end of the text, where it may have moved for all that.
func (l *Lexer) Refill() bool {
	if l.tooFar() {
		return false
	}
	from := max(l.Pos-slack, 0)
	if l.Keep >= 0 {
		from = min(from, max(int(l.Keep-l.Base)-slack, 0))
	}
	if l.reachesBack() {
		from = min(from, max(int(l.Back-l.Base), 0))
	}
	end := l.Base + int64(len(l.Buf))
	l.Pos -= l.more(from)
	return l.Base+int64(len(l.Buf)) > end
}

// reachesBack says that the window holds the text from back on.
func (l *Lexer) reachesBack() bool {
	at := l.Offset()
	if l.Keep >= 0 {
		at = l.Keep // the parser only looks ahead
	}
	return l.Back >= 0 && at-l.Back <= 2*int64(l.MaxToken)
}

// Seek puts the lexer at an offset after that of start, which is a place in the window, as if a token
// ended there.
func (l *Lexer) Seek(start fault.Pos, offset int64) {
	l.Pos, l.Line, l.Extra, l.AfterCR, l.skipLine = int(start.Offset-l.Base), start.Line, 0, -1, false
	l.LineStart = start.Offset - start.Column + 1
	for end := int(offset - l.Base); l.Pos < end; {
		c := l.Buf[l.Pos]
		l.Pos++
		switch {
		case c == '\n' || c == '\r':
			l.newline(l.Pos)
		case c&0xC0 == 0x80:
			l.Extra++
		}
	}
}

// Mark remembers the place of the lexer, so that the parser can look ahead.
type Mark struct {
	Tok             Token
	offset          int64
	line, lineStart int64
	extra, afterCR  int64
	ended           fault.Pos
	Keep            int64
	skipLine        bool
	behindHole      bool
}

// Mark is the current place, for Reset. The text from there on stays in the window until Reset.
func (l *Lexer) Mark() Mark {
	m := Mark{l.Tok, l.Offset(), l.Line, l.LineStart, l.Extra, l.AfterCR, l.Ended, l.Keep, l.skipLine, l.BehindHole}
	if l.Keep < 0 {
		l.Keep = l.Tok.From
	}
	return m
}

// MarkBefore is the place before t, a token of the current line, where nothing of the line was read.
func (l *Lexer) MarkBefore(t *Token) Mark {
	return Mark{
		offset: t.From, line: t.Pos.Line, lineStart: l.LineStart,
		extra:   t.From - l.LineStart - t.Pos.Column + 1,
		afterCR: -1, Keep: -1,
	}
}

// Reset goes back to m.
func (l *Lexer) Reset(m Mark) {
	l.Tok, l.Pos = m.Tok, int(m.offset-l.Base)
	l.Line, l.LineStart, l.Extra, l.AfterCR = m.line, m.lineStart, m.extra, m.afterCR
	l.Ended, l.Keep, l.skipLine, l.BehindHole = m.ended, m.Keep, m.skipLine, m.behindHole
}

// Next reads the next token into tok. After the end of the text it gives
// endOfText again and again.
func (l *Lexer) Next() {
	l.Ended = l.Place()
	l.skipSpace()
	for {
		if l.Pos < len(l.Buf) {
			l.Tok = Token{From: l.Offset(), Pos: l.Place()}
			if l.scanWithin() {
				return
			}
		}
		switch {
		case l.Refill():
			// the token goes on: look at it again, with more of it
			if l.Pos >= len(l.Buf) {
				continue
			}
		case l.Err != nil:
			l.Tok = Token{Kind: Stopped, From: l.Offset(), To: l.Offset(), Pos: l.Place()}
			return
		case l.Pos >= len(l.Buf), l.tooFar():
			l.Tok = Token{Kind: EndOfText, From: l.Offset(), To: l.Offset(), Pos: l.Place()}
			return
		}
	}
}

// newline notes that a line ends with the byte before index i.
func (l *Lexer) newline(i int) {
	at := l.Base + int64(i)
	if l.Buf[i-1] == '\n' && l.AfterCR == at-1 {
		l.LineStart = at
		return
	}
	if l.Buf[i-1] == '\r' {
		l.AfterCR = at
	}
	l.Line++
	l.LineStart, l.Extra = at, 0
}

// skipSpace goes over white space and comments, which are never held.
func (l *Lexer) skipSpace() {
	comment := l.skipLine
	l.skipLine = false
	l.BehindHole = false
	zeros := int64(0)
	for noted := false; ; {
		i := l.Pos
		for ; i < len(l.Buf); i++ {
			c := l.Buf[i]
			if c == '\n' || c == '\r' {
				l.newline(i + 1)
				comment = false
				continue
			}
			if comment {
				if c&0xC0 == 0x80 {
					l.Extra++
				}
				continue
			}
			if c == '#' {
				comment = true
			} else if c != ' ' && c != '\t' {
				if c == 0 {
					i = l.skipZeros(i, &zeros) - 1
					continue
				}
				if c >= 0xC2 && !(l.EOF || i+3 <= len(l.Buf)) {
					break
				}
				size := 0
				if c >= 0xC2 {
					size = Unseen(l.Buf[i:])
				}
				if size == 0 {
					l.Pos = i
					return
				}
				if l.Pos = i; !noted {
					noted = true
					l.noteMark()
				}
				l.Extra += int64(size - 1)
				i += size - 1
			}
		}
		l.Pos = i
		if !l.Refill() {
			return
		}
	}
}

// Unseen is the length of the mark that can't be seen, if b begins with one; else 0. That is U+FEFF, as it is between
// files that were put together, U+200B, or a space of copied text: U+00A0, U+2000 to U+200A, U+202F, U+3000.
func Unseen(b []byte) int {
	switch {
	case len(b) > 1 && b[0] == 0xC2 && b[1] == 0xA0:
		return 2
	case len(b) < 3:
	case b[0] == 0xEF && b[1] == 0xBB && b[2] == 0xBF, b[0] == 0xE3 && b[1] == 0x80 && b[2] == 0x80,
		b[0] == 0xE2 && b[1] == 0x80 && (b[2] <= 0x8B || b[2] == 0xAF):
		return 3
	}
	return 0
}

// noteMark notes the mark at pos, if it was not met before in a look ahead.
func (l *Lexer) noteMark() {
	if at := l.Place(); at.Offset > l.Marked {
		l.Marks, l.Marked = append(l.Marks, UnseenMark{At: at}), at.Offset
	}
}

// finish ends the token at index end, on the line on which it began.
func (l *Lexer) finish(kind Kind, end int) bool {
	l.Tok.Kind, l.Tok.To = kind, l.Base+int64(end)
	l.Pos = end
	return true
}

// finishWide is finish for a token that may hold characters outside ASCII.
func (l *Lexer) finishWide(kind Kind, end int) bool {
	l.Extra += Continuations(l.Buf[l.Pos:end])
	return l.finish(kind, end)
}

// wrong ends the token at index end as a faulty one.
func (l *Lexer) wrong(kind Kind, end int, code fault.Code, message string) bool {
	l.Tok.Code, l.Tok.Message = code, message
	return l.finishWide(kind, end)
}

// scanWithin is scan, but what is after MaxToken is out of sight. So a token that is too long is
// found at the same place however much the window holds.
func (l *Lexer) scanWithin() bool {
	limit := l.Pos + l.MaxToken + 1
	if len(l.Buf) <= limit {
		return l.scan()
	}
	buf, eof := l.Buf, l.EOF
	l.Buf, l.EOF = buf[:limit], true
	ok := l.scan()
	l.Buf, l.EOF = buf, eof
	return ok
}

// scan reads the token that begins at pos. It returns false if the window ends
// before the token surely does; nothing has changed then but tok.
func (l *Lexer) scan() bool {
	c := l.Buf[l.Pos]
	switch c {
	case '<':
		if l.Offset() == l.LineStart && l.mayBeMark(c) {
			return l.scanMark()
		}
		return l.scanIRI()
	case '"', '\'':
		return l.scanString(c)
	case '_':
		return l.scanLabel()
	case '@':
		return l.scanAt()
	case ':':
		return l.scanName()
	case ',':
		return l.finish(Comma, l.Pos+1)
	case ';':
		return l.finish(Semicolon, l.Pos+1)
	case '[':
		return l.scanBracket()
	case ']':
		return l.finish(CloseProperties, l.Pos+1)
	case '(':
		return l.finish(OpenList, l.Pos+1)
	case ')':
		if !l.Has(l.Pos+1) || l.At(l.Pos+1) == '>' && !l.Has(l.Pos+2) {
			return false
		}
		if l.At(l.Pos+1) == '>' && l.At(l.Pos+2) == '>' {
			return l.finish(CloseTriple, l.Pos+3)
		}
		return l.finish(CloseList, l.Pos+1)
	case '{':
		if !l.Has(l.Pos + 1) {
			return false
		}
		if l.At(l.Pos+1) == '|' {
			return l.finish(OpenNotes, l.Pos+2)
		}
		return l.finish(OpenGraph, l.Pos+1)
	case '>', '|', '=':
		if l.Offset() == l.LineStart && l.mayBeMark(c) {
			return l.scanMark()
		}
		if !l.Has(l.Pos + 1) {
			return false
		}
		if next := l.At(l.Pos + 1); c == '>' && next == '>' {
			return l.finish(CloseReified, l.Pos+2)
		} else if c == '|' && next == '}' {
			return l.finish(CloseNotes, l.Pos+2)
		}
	case '~':
		return l.finish(Tilde, l.Pos+1)
	case '}':
		return l.finish(CloseGraph, l.Pos+1)
	case '.':
		if !l.Has(l.Pos + 1) {
			return false
		}
		if l.At(l.Pos+1) == '.' && l.Line > l.Ended.Line && !l.LineFormat {
			if ok, known := l.scanDots(); ok || !known {
				return ok
			}
		}
		if l.At(l.Pos+1)-'0' > 9 {
			return l.finish(Dot, l.Pos+1)
		}
		return l.scanNumber()
	case '^':
		if !l.Has(l.Pos + 1) {
			return false
		}
		if l.At(l.Pos+1) == '^' {
			return l.finish(Carets, l.Pos+2)
		}
	case '+', '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return l.scanNumber()
	default:
		if Class[c]&Letter != 0 || c >= 0x80 {
			return l.scanName()
		}
	}
	return l.scanSymbol()
}

// scanReified reads << or <<(. Two signs before a scheme and :// are none: there an
// IRI has one < too many.
func (l *Lexer) scanReified() bool {
	i := l.Pos + 2
	if !l.Has(i) {
		return false
	}
	if l.At(i) == '(' {
		return l.finish(OpenTriple, i+1)
	}
	for Class[l.At(i)]&NameInside != 0 {
		i++
	}
	if !l.Has(i + 2) {
		return false
	}
	if l.At(i) == ':' && l.At(i+1) == '/' && l.At(i+2) == '/' {
		return l.unclosedIRI(l.Pos + 1)
	}
	return l.finish(OpenReified, l.Pos+2)
}

// Has says that the byte at index i is in the window, or that the text ends before it.
func (l *Lexer) Has(i int) bool { return i < len(l.Buf) || l.EOF }

// At is the byte at index i, or 0 after the end of the text.
func (l *Lexer) At(i int) byte {
	if i < len(l.Buf) {
		return l.Buf[i]
	}
	return 0
}

// scanSymbol reads characters that begin nothing in the grammar: => of N3 as well as
// a stray & or a byte that is not UTF-8.
func (l *Lexer) scanSymbol() bool {
	end := l.Pos
	for {
		if !l.Has(end) {
			return false
		}
		c := l.At(end)
		if end-l.Pos >= 64 || end >= len(l.Buf) || c <= ' ' || bytes.IndexByte([]byte(`<"'_@:.,;[](){}#`), c) >= 0 && end > l.Pos ||
			Class[c]&NameInside != 0 && end > l.Pos {
			break
		}
		end++
	}
	if end == l.Pos {
		end++ // a control character
	}
	if !l.Has(end) {
		return false // what is after it shows whether it is alone
	}
	return l.wrong(Symbol, end, fault.SyntaxSymbol, "these characters begin nothing that can stand here")
}
