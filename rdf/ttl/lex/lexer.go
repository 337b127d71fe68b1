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
	"cmp"

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
	// Formulae says that the text is N3: braces hold formulae.
	Formulae bool

	Pos       int   // index in buf of the next byte
	Line      int64 // from 1
	LineStart int64 // offset where the line begins
	Extra     int64 // bytes of this line, so far, that are not the first of a character

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
	// skipText is the string whose beginning was given up, and which is passed over.
	skipText openText
	// short says that the token was looked at up to the end of the window, behind which it may go on.
	short bool
	whole *window // while Narrow hides the rest of it
	// noLong is where no """ (0) and no ''' (1) ends a string that begins there, as the last search without success
	// has found. Without it many openings before escaped quotes would cost the square of their number.
	noLong [2]stretch
	// unclosed is how many bytes were gone over, so far, behind braces of N3 that have no end.
	unclosed int
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

// FarthestBack is how far behind what is read the place Back may be, in bytes. The window holds the text from there on.
const FarthestBack = 64 << 10

// New makes a lexer of the text in w. A token longer than maxToken bytes is lost.
func New(w *window, maxToken int) *Lexer {
	return &Lexer{window: w, MaxToken: maxToken, Line: 1, Keep: -1, Back: -1, Marked: -1}
}

// Narrow lets the text seem to end at an offset in the window. Nothing more is read until Widen.
func (l *Lexer) Narrow(to int64) {
	l.whole = l.window
	l.window = &window{EOF: true, Buf: l.Buf[: to-l.Base : to-l.Base], Base: l.Base}
}

// Widen shows the whole window again.
func (l *Lexer) Widen() { l.window, l.whole = cmp.Or(l.whole, l.window), nil }

// Offset is that of the next byte in the text.
func (l *Lexer) Offset() int64 { return l.Base + int64(l.Pos) }

// Place is the position of the next byte.
func (l *Lexer) Place() fault.Pos { return l.PlaceOf(l.Spot()) }

// Bytes returns the text of t, which must be in the window.
func (l *Lexer) Bytes(t *Token) []byte { return l.Buf[t.From-l.Base : t.To-l.Base] }

// tooFar says that the parser looks ahead over more than may be held: a very long
// comment, most likely. It then sees the end of the text there.
func (l *Lexer) tooFar() bool {
	return l.Keep >= 0 && l.Offset()-l.Keep > l.farAhead()+int64(l.MaxToken)+2*slack
}

// farAhead is how far ahead of Keep the parser looks, in bytes.
func (l *Lexer) farAhead() int64 { return min(2*int64(l.MaxToken), 2<<20) }

// Beyond says that the current token begins further ahead than the parser may look. That is less than
// tooFar allows, so it is the same however much the window holds.
func (l *Lexer) Beyond() bool { return l.Keep >= 0 && l.Tok.From-l.Keep > l.farAhead() }

// Refill makes the window hold more; false at the end of the text, where it may have moved for all that.
func (l *Lexer) Refill() bool {
	if l.tooFar() {
		return false
	}
	from, at := max(l.Pos-slack, 0), l.Offset()
	if l.Keep >= 0 {
		from, at = min(from, max(int(l.Keep-l.Base)-slack, 0)), l.Keep // the parser only looks ahead
	}
	if l.Back >= 0 && at-l.Back <= min(2*int64(l.MaxToken), FarthestBack) {
		from = min(from, max(int(l.Back-l.Base), 0))
	}
	end := l.Base + int64(len(l.Buf))
	l.Pos -= l.more(from)
	return l.Base+int64(len(l.Buf)) > end
}

// Spot is a place between two tokens.
type Spot struct{ offset, line, lineStart, extra int64 }

// Spot is the current place, for Return.
func (l *Lexer) Spot() Spot { return Spot{l.Offset(), l.Line, l.LineStart, l.Extra} }

// Return goes back to s, which must be in the window.
func (l *Lexer) Return(s Spot) {
	l.Pos, l.Line, l.LineStart, l.Extra = int(s.offset-l.Base), s.line, s.lineStart, s.extra
}

// PlaceOf is the position of s.
func (l *Lexer) PlaceOf(s Spot) fault.Pos {
	return fault.Pos{Line: s.line, Column: s.offset - s.lineStart - s.extra + 1, Offset: s.offset}
}

// Seek puts the lexer at an offset after that of start, which is a place in the window, as if a token
// ended there.
func (l *Lexer) Seek(start fault.Pos, offset int64) {
	l.Return(Spot{offset: start.Offset, line: start.Line, lineStart: start.Offset - start.Column + 1})
	l.skipLine, l.skipText = false, openText{}
	l.passLines(int(offset - l.Base))
}

// passLines passes text up to index end, in which there may be line ends.
func (l *Lexer) passLines(end int) {
	for l.Pos < end {
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
	Tok        Token
	spot       Spot
	ended      fault.Pos
	Keep       int64
	skipLine   bool
	skipText   openText
	behindHole bool
}

// Mark is the current place, for Reset. The text from there on stays in the window until Reset.
func (l *Lexer) Mark() Mark {
	m := Mark{l.Tok, l.Spot(), l.Ended, l.Keep, l.skipLine, l.skipText, l.BehindHole}
	if l.Keep < 0 {
		l.Keep = l.Tok.From
	}
	return m
}

// Reset goes back to m.
func (l *Lexer) Reset(m Mark) {
	l.Return(m.spot)
	l.Tok, l.Ended, l.Keep, l.skipLine, l.skipText, l.BehindHole = m.Tok, m.ended, m.Keep, m.skipLine, m.skipText, m.behindHole
}

// Next reads the next token into tok. After the end of the text it gives
// endOfText again and again.
func (l *Lexer) Next() {
	if l.Pos > largeWindow {
		l.Refill() // so that the memory of a very long token is free before what it says goes on its way
	}
	l.Ended = l.Place()
	l.SkipSpace()
	for from := l.Spot(); ; {
		l.Tok = Token{From: from.offset, Pos: l.Place()}
		if l.Pos < len(l.Buf) && l.scanWithin() {
			return
		}
		l.Return(from)
		switch {
		case l.Refill(): // look at the token again, with more of it
		case l.Err != nil:
			l.finish(Stopped, l.Pos)
			return
		case l.Pos >= len(l.Buf), l.tooFar():
			l.finish(EndOfText, l.Pos)
			return
		}
	}
}

// newline notes that a line ends with the byte before index i.
func (l *Lexer) newline(i int) {
	if l.Buf[i-1] != '\n' || i < 2 || l.Buf[i-2] != '\r' {
		l.Line++
	}
	l.LineStart, l.Extra = l.Base+int64(i), 0
}

// SkipSpace goes over white space and comments, which are never held.
func (l *Lexer) SkipSpace() {
	if l.skipText.quotes > 0 {
		l.passText()
	}
	comment, noted, zeros := l.skipLine, false, int64(0)
	l.skipLine, l.BehindHole = false, false
	for more := true; more; more = l.Refill() {
		i := l.Pos
	window:
		for ; i < len(l.Buf); i++ {
			switch c := l.Buf[i]; {
			case c == '\n' || c == '\r':
				l.newline(i + 1)
				comment = false
				if l.LineFormat { // what is in each line is told
					noted, zeros = false, 0
				}
			case comment:
				if c&0xC0 == 0x80 {
					l.Extra++
				}
			case c == ' ' || c == '\t':
			case c == '#':
				comment = true
			case c == 0:
				i = l.skipZeros(i, &zeros) - 1
			case c >= 0xC2 && i+3 > len(l.Buf) && !l.EOF:
				break window
			case c >= 0xC2 && Unseen(l.Buf[i:]) > 0:
				l.Pos = i
				if at := l.Place(); !noted && at.Offset > l.Marked { // else it was met before in a look ahead
					l.Marks, l.Marked = append(l.Marks, UnseenMark{At: at}), at.Offset
				}
				noted = true
				more := Unseen(l.Buf[i:]) - 1
				l.Extra += int64(more)
				i += more
			default:
				l.Pos = i
				return
			}
		}
		l.Pos = i
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

// finish ends the token at index end, on the line on which it began.
func (l *Lexer) finish(kind Kind, end int) {
	l.Tok.Kind, l.Tok.To = kind, l.Base+int64(end)
	l.Extra += Continuations(l.Buf[l.Pos:end])
	l.Pos = end
}

// finishLines ends a token that may hold line ends at index end.
func (l *Lexer) finishLines(kind Kind, end int) {
	l.Tok.Kind, l.Tok.To = kind, l.Base+int64(end)
	l.passLines(end)
}

// wrong ends the token at index end as a faulty one.
func (l *Lexer) wrong(kind Kind, end int, code fault.Code, message string) {
	l.Tok.Code, l.Tok.Message = code, message
	l.finish(kind, end)
}

// scanWithin reads the token that begins at pos. It says false if that must be done again with more of the text. What
// is behind MaxToken is out of sight. So a token that is too long is found at the same place however much the window
// holds.
func (l *Lexer) scanWithin() bool {
	from, extra, buf, eof := l.Pos, l.Extra, l.Buf, l.EOF
	if limit := from + l.MaxToken + 1; len(buf) > limit {
		l.Buf, l.EOF = buf[:limit], true
	}
	l.short, l.skipLine, l.skipText = false, false, openText{}
	l.scan()
	l.Buf, l.EOF = buf, eof
	if l.Pos-from > l.MaxToken {
		l.tooLong(from, extra)
	}
	return !l.short
}

// at is the byte at index i, or 0 after the end of the text. Where only the window ends before it, the token is read
// again with more of the text. Then what is made of the 0 does not matter.
func (l *Lexer) at(i int) byte {
	if i < len(l.Buf) {
		return l.Buf[i]
	}
	l.short = l.short || !l.EOF
	return 0
}

// lineEnd is the index, from i on, at which the line ends.
func (l *Lexer) lineEnd(i int) int {
	if n := bytes.IndexAny(l.Buf[i:], "\r\n"); n >= 0 {
		return i + n
	}
	l.at(len(l.Buf))
	return len(l.Buf)
}

// scan reads the token that begins at pos.
func (l *Lexer) scan() {
	switch c := l.Buf[l.Pos]; {
	case Class[c]&Letter != 0, c >= 0x80, c == ':':
		l.scanName()
	case c == '"', c == '\'':
		l.scanString(c)
	case Class[c]&Digit != 0, c == '+', c == '-', c == '.' && Class[l.at(l.Pos+1)]&Digit != 0:
		l.scanNumber()
	case c == '_':
		l.scanLabel()
	case l.Formulae && l.scanN3(c):
	case c == '@':
		l.scanAt()
	case l.passOmission(c), l.passSign(c):
	case c == '<':
		l.scanIRI()
	default:
		l.scanSymbol()
	}
}

// signs are what stands for itself. Of two that begin alike the longer one is first.
var signs = [...]struct {
	text string
	kind Kind
}{
	{";", Semicolon}, {".", Dot}, {",", Comma}, {"[", OpenProperties}, {"]", CloseProperties}, {"(", OpenList},
	{")>>", CloseTriple}, {")", CloseList}, {"{|", OpenNotes}, {"{", OpenGraph}, {"|}", CloseNotes}, {"}", CloseGraph},
	{"^^", Carets}, {"<<(", OpenTriple}, {"<<", OpenReified}, {">>", CloseReified}, {"~", Tilde},
}

// passSign reads a sign that begins with c, if there is one.
func (l *Lexer) passSign(c byte) bool {
	for i := range signs {
		if s := &signs[i]; s.text[0] == c && l.repeats(s.text) {
			l.finish(s.kind, l.Pos+len(s.text))
			return true
		}
	}
	return false
}

// repeats says that text is at pos.
func (l *Lexer) repeats(text string) bool {
	for i := range len(text) {
		if l.at(l.Pos+i) != text[i] {
			return false
		}
	}
	return true
}

// scanSymbol reads characters that begin nothing in the grammar: => of N3 as well as
// a stray & or a byte that is not UTF-8.
func (l *Lexer) scanSymbol() {
	end := l.Pos + 1
	for c := l.at(end - 1); c > ' ' && end < l.Pos+64; end++ {
		c = l.at(end)
		if bytes.IndexByte([]byte(`<"'_@:.,;[](){}#`), c) >= 0 || Class[c]&NameInside != 0 || c <= ' ' {
			break
		}
	}
	l.at(end) // what is after it shows whether it is alone
	l.wrong(Symbol, end, fault.SyntaxSymbol, "these characters can't begin anything here")
}
