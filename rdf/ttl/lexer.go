package ttl

import (
	"bytes"

	"laundromat/internal/fault"
)

// lexer cuts the text into tokens. tok is the present one; its bytes are in the
// window until the next call of next, unless keep holds them.
//
// It goes over each byte once, but for a string in three quotes that is never
// closed, and it holds no more than one token and a little before it.
type lexer struct {
	*window
	tok      token
	maxToken int
	lines    bool // the format is N-Triples or N-Quads

	pos       int   // index in buf of the next byte
	line      int64 // from 1
	lineStart int64 // offset where the line begins
	extra     int64 // bytes of this line, so far, that are not the first of a character
	afterCR   int64 // offset behind the last CR: a LF there is part of its line end

	// ended is where the token before tok ended: there a missing dot is missing.
	ended fault.Pos
	// keep is the offset from which the window must hold the text, while the parser
	// looks ahead; -1 else.
	keep int64
	// back is the offset of a string that the window should hold as well, since what
	// follows may prove that it ended earlier; -1 else. It is let go when it is too far back.
	back int64
	// skipLine says that the rest of the line belongs to a token that was given up.
	skipLine bool
	// noLong is where no """ (0) and no ''' (1) ends a string that begins there, as an earlier search has found:
	// without it a text of nothing but openings would cost the square of its length.
	noLong [2]stretch
	// marks are the places where a mark that can't be seen was passed over before a token, but
	// for those already told of; marked is the offset behind which none was found yet.
	marks  []unseenMark
	marked int64
	// behindHole says that a hole stands before the present token; holes counts such tokens.
	behindHole bool
	holes      int
}

// stretch is a piece of the text, by offsets.
type stretch struct{ from, to int64 }

// slack is how many bytes before a token stay in the window, for excerpts.
const slack = 512

func newLexer(w *window, maxToken int) *lexer {
	return &lexer{window: w, maxToken: maxToken, line: 1, keep: -1, back: -1, afterCR: -1, marked: -1}
}

// newLineLexer makes a lexer of single lines, which beginLine gives to it.
func newLineLexer(maxToken int) *lexer {
	l := newLexer(&window{eof: true}, maxToken)
	l.lines = true
	return l
}

// beginLine makes l read text, a line or the rest of one that begins at an offset. lineStart is the offset at
// which the line begins. What l has read before is forgotten.
func (l *lexer) beginLine(text []byte, offset, line, lineStart int64) {
	*l.window = window{eof: true, buf: text, base: offset}
	l.pos, l.line, l.lineStart, l.extra = 0, line, lineStart, 0
	l.noLong, l.keep, l.skipLine = [2]stretch{}, -1, false
	l.marks, l.marked = l.marks[:0], -1
}

// offset is that of the next byte in the text.
func (l *lexer) offset() int64 { return l.base + int64(l.pos) }

// place is the position of the next byte.
func (l *lexer) place() fault.Pos {
	at := l.offset()
	return fault.Pos{Line: l.line, Column: at - l.lineStart - l.extra + 1, Offset: at}
}

// bytes returns the text of t, which must be in the window.
func (l *lexer) bytes(t *token) []byte { return l.buf[t.from-l.base : t.to-l.base] }

// tooFar says that the parser looks ahead over more than may be held: a very long
// comment, most likely. It then sees the end of the text there.
func (l *lexer) tooFar() bool { return l.keep >= 0 && l.offset()-l.keep > 4*int64(l.maxToken)+slack }

// beyond says that the present token begins further ahead than the parser may look, which
// is less than tooFar allows: so it is the same however much the window holds.
func (l *lexer) beyond() bool { return l.keep >= 0 && l.tok.from-l.keep > 2*int64(l.maxToken) }

// refill makes the window hold more; false at the end of the text, where it may have moved for all that.
func (l *lexer) refill() bool {
	if l.tooFar() {
		return false
	}
	from := max(l.pos-slack, 0)
	if l.keep >= 0 {
		from = min(from, max(int(l.keep-l.base)-slack, 0))
	}
	if l.reachesBack() {
		from = min(from, max(int(l.back-l.base), 0))
	}
	end := l.base + int64(len(l.buf))
	l.pos -= l.more(from)
	return l.base+int64(len(l.buf)) > end
}

// reachesBack says that the window holds the text from back on.
func (l *lexer) reachesBack() bool {
	at := l.offset()
	if l.keep >= 0 {
		at = l.keep // the parser only looks ahead
	}
	return l.back >= 0 && at-l.back <= 2*int64(l.maxToken)
}

// seek makes the lexer stand at an offset behind that of start, which is a place in
// the window, as if a token ended there.
func (l *lexer) seek(start fault.Pos, offset int64) {
	l.pos, l.line, l.extra, l.afterCR, l.skipLine = int(start.Offset-l.base), start.Line, 0, -1, false
	l.lineStart = start.Offset - start.Column + 1
	for end := int(offset - l.base); l.pos < end; {
		c := l.buf[l.pos]
		l.pos++
		switch {
		case c == '\n' || c == '\r':
			l.newline(l.pos)
		case c&0xC0 == 0x80:
			l.extra++
		}
	}
}

// mark remembers where the lexer stands, so that the parser can look ahead.
type mark struct {
	tok             token
	offset          int64
	line, lineStart int64
	extra, afterCR  int64
	ended           fault.Pos
	keep            int64
	skipLine        bool
	behindHole      bool
}

func (l *lexer) mark() mark {
	m := mark{l.tok, l.offset(), l.line, l.lineStart, l.extra, l.afterCR, l.ended, l.keep, l.skipLine, l.behindHole}
	if l.keep < 0 {
		l.keep = l.tok.from
	}
	return m
}

// markBefore is the place before t, a token of the present line, where nothing of the line was read.
func (l *lexer) markBefore(t *token) mark {
	return mark{
		offset: t.from, line: t.pos.Line, lineStart: l.lineStart,
		extra:   t.from - l.lineStart - t.pos.Column + 1,
		afterCR: -1, keep: -1,
	}
}

// reset goes back to m.
func (l *lexer) reset(m mark) {
	l.tok, l.pos = m.tok, int(m.offset-l.base)
	l.line, l.lineStart, l.extra, l.afterCR = m.line, m.lineStart, m.extra, m.afterCR
	l.ended, l.keep, l.skipLine, l.behindHole = m.ended, m.keep, m.skipLine, m.behindHole
}

// next reads the next token into tok. After the end of the text it gives
// endOfText again and again.
func (l *lexer) next() {
	l.ended = l.place()
	l.skipSpace()
	for {
		if l.pos < len(l.buf) {
			l.tok = token{from: l.offset(), pos: l.place()}
			if l.scanWithin() {
				return
			}
		}
		switch {
		case l.refill():
			// the token goes on: look at it again, with more of it
			if l.pos >= len(l.buf) {
				continue
			}
		case l.err != nil:
			l.tok = token{kind: stopped, from: l.offset(), to: l.offset(), pos: l.place()}
			return
		case l.pos >= len(l.buf), l.tooFar():
			l.tok = token{kind: endOfText, from: l.offset(), to: l.offset(), pos: l.place()}
			return
		}
	}
}

// newline notes that a line ends with the byte before index i.
func (l *lexer) newline(i int) {
	at := l.base + int64(i)
	if l.buf[i-1] == '\n' && l.afterCR == at-1 {
		l.lineStart = at
		return
	}
	if l.buf[i-1] == '\r' {
		l.afterCR = at
	}
	l.line++
	l.lineStart, l.extra = at, 0
}

// skipSpace goes over white space and comments, which are never held.
func (l *lexer) skipSpace() {
	comment := l.skipLine
	l.skipLine = false
	l.behindHole = false
	zeros := int64(0)
	for noted := false; ; {
		i := l.pos
		for ; i < len(l.buf); i++ {
			c := l.buf[i]
			if c == '\n' || c == '\r' {
				l.newline(i + 1)
				comment = false
				continue
			}
			if comment {
				if c&0xC0 == 0x80 {
					l.extra++
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
				if c >= 0xE2 && !(l.eof || i+3 <= len(l.buf)) {
					break
				}
				if c < 0xE2 || !unseen(l.buf[i:]) {
					l.pos = i
					return
				}
				if l.pos = i; !noted {
					noted = true
					l.noteMark()
				}
				l.extra += 2
				i += 2
			}
		}
		l.pos = i
		if !l.refill() {
			return
		}
	}
}

// unseen says that b begins with a mark that can't be seen: U+FEFF, as it stands between
// files that were put together, or U+200B.
func unseen(b []byte) bool {
	return len(b) > 2 && (b[0] == 0xEF && b[1] == 0xBB && b[2] == 0xBF || b[0] == 0xE2 && b[1] == 0x80 && b[2] == 0x8B)
}

// noteMark notes the mark at pos, if it was not met before in a look ahead.
func (l *lexer) noteMark() {
	if at := l.place(); at.Offset > l.marked {
		l.marks, l.marked = append(l.marks, unseenMark{at: at}), at.Offset
	}
}

// finish ends the token at index end, on the line on which it began.
func (l *lexer) finish(kind tokenKind, end int) bool {
	l.tok.kind, l.tok.to = kind, l.base+int64(end)
	l.pos = end
	return true
}

// finishWide is finish for a token that may hold characters outside ASCII.
func (l *lexer) finishWide(kind tokenKind, end int) bool {
	l.extra += continuations(l.buf[l.pos:end])
	return l.finish(kind, end)
}

// wrong ends the token at index end as a faulty one.
func (l *lexer) wrong(kind tokenKind, end int, code fault.Code, message string) bool {
	l.tok.code, l.tok.message = code, message
	return l.finishWide(kind, end)
}

// scanWithin is scan, but what lies behind maxToken is out of sight: so a token that
// is too long is found at the same place however much the window holds.
func (l *lexer) scanWithin() bool {
	limit := l.pos + l.maxToken + 1
	if len(l.buf) <= limit {
		return l.scan()
	}
	buf, eof := l.buf, l.eof
	l.buf, l.eof = buf[:limit], true
	ok := l.scan()
	l.buf, l.eof = buf, eof
	return ok
}

// scan reads the token that begins at pos. It returns false if the window ends
// before the token surely does; nothing has changed then but tok.
func (l *lexer) scan() bool {
	c := l.buf[l.pos]
	switch c {
	case '<':
		if l.offset() == l.lineStart && l.mayBeMark(c) {
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
		return l.finish(comma, l.pos+1)
	case ';':
		return l.finish(semicolon, l.pos+1)
	case '[':
		return l.scanBracket()
	case ']':
		return l.finish(closeProperties, l.pos+1)
	case '(':
		return l.finish(openList, l.pos+1)
	case ')':
		if !l.has(l.pos+1) || l.at(l.pos+1) == '>' && !l.has(l.pos+2) {
			return false
		}
		if l.at(l.pos+1) == '>' && l.at(l.pos+2) == '>' {
			return l.finish(closeTriple, l.pos+3)
		}
		return l.finish(closeList, l.pos+1)
	case '{':
		if !l.has(l.pos + 1) {
			return false
		}
		if l.at(l.pos+1) == '|' {
			return l.finish(openNotes, l.pos+2)
		}
		return l.finish(openGraph, l.pos+1)
	case '>', '|', '=':
		if l.offset() == l.lineStart && l.mayBeMark(c) {
			return l.scanMark()
		}
		if !l.has(l.pos + 1) {
			return false
		}
		if next := l.at(l.pos + 1); c == '>' && next == '>' {
			return l.finish(closeReified, l.pos+2)
		} else if c == '|' && next == '}' {
			return l.finish(closeNotes, l.pos+2)
		}
	case '~':
		return l.finish(tilde, l.pos+1)
	case '}':
		return l.finish(closeGraph, l.pos+1)
	case '.':
		if !l.has(l.pos + 1) {
			return false
		}
		if l.at(l.pos+1) == '.' && l.line > l.ended.Line && !l.lines {
			if ok, known := l.scanDots(); ok || !known {
				return ok
			}
		}
		if l.at(l.pos+1)-'0' > 9 {
			return l.finish(dot, l.pos+1)
		}
		return l.scanNumber()
	case '^':
		if !l.has(l.pos + 1) {
			return false
		}
		if l.at(l.pos+1) == '^' {
			return l.finish(carets, l.pos+2)
		}
	case '+', '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return l.scanNumber()
	default:
		if class[c]&letter != 0 || c >= 0x80 {
			return l.scanName()
		}
	}
	return l.scanSymbol()
}

// scanReified reads << or <<(. Two signs before a scheme and :// are none: there an
// IRI has one < too many.
func (l *lexer) scanReified() bool {
	i := l.pos + 2
	if !l.has(i) {
		return false
	}
	if l.at(i) == '(' {
		return l.finish(openTriple, i+1)
	}
	for class[l.at(i)]&nameInside != 0 {
		i++
	}
	if !l.has(i + 2) {
		return false
	}
	if l.at(i) == ':' && l.at(i+1) == '/' && l.at(i+2) == '/' {
		return l.unclosedIRI(l.pos + 1)
	}
	return l.finish(openReified, l.pos+2)
}

// has says that the byte at index i is in the window, or that the text ends before it.
func (l *lexer) has(i int) bool { return i < len(l.buf) || l.eof }

// at is the byte at index i, or 0 behind the end of the text.
func (l *lexer) at(i int) byte {
	if i < len(l.buf) {
		return l.buf[i]
	}
	return 0
}

// scanSymbol reads characters that begin nothing in the grammar: => of N3 as well as
// a stray & or a byte that is not UTF-8.
func (l *lexer) scanSymbol() bool {
	end := l.pos
	for {
		if !l.has(end) {
			return false
		}
		c := l.at(end)
		if end-l.pos >= 64 || end >= len(l.buf) || c <= ' ' || bytes.IndexByte([]byte(`<"'_@:.,;[](){}#`), c) >= 0 && end > l.pos ||
			class[c]&nameInside != 0 && end > l.pos {
			break
		}
		end++
	}
	if end == l.pos {
		end++ // a control character
	}
	if !l.has(end) {
		return false // whether it stands alone is told by what is behind it
	}
	return l.wrong(symbolToken, end, fault.SyntaxSymbol, "these characters begin nothing that can stand here")
}
