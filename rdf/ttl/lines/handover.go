package lines

import (
	"laundromat/rdf/ttl/grammar"
	"laundromat/rdf/ttl/lex"
)

// handOver looks whether the statement that begins with start proves the text to be Turtle or TriG. If
// so, syntax says which, and the lexer is before the statement. Else nothing has changed, but the
// window may have moved.
func (l *Reader) handOver(start *lex.Token) bool {
	if l.unended {
		l.Buf = l.Buf[:len(l.Buf)-1] // the line end that was lent
	}
	back, marks, marked := l.Mark(), len(l.Marks), l.Marked
	l.Seek(start.Pos, start.From)
	l.Keep, l.LineFormat = start.From, false
	found, isProved := l.proves()
	if isProved && !l.quadsFollow() {
		l.syntax, l.Keep = found, -1
		l.Seek(start.Pos, start.From)
		return true
	}
	l.LineFormat = true
	l.Marks, l.Marked = l.Marks[:marks], marked
	l.Reset(back)
	if l.unended {
		l.Buf = append(l.Buf, '\n')
	}
	return false
}

// proves looks at the statement that comes for what only Turtle and TriG have. That is a directive, a graph, a
// statement that goes on over the line end. Where the text is called Turtle or TriG, a statement on
// one line that is none of N-Triples is enough.
func (l *Reader) proves() (Syntax, bool) {
	l.Next()
	first, line := l.Tok.Kind, l.Tok.Pos.Line
	if !first.BeginsSubject() {
		return l.firstProves()
	}
	s := look{last: first}
	for isOn(l.Lexer, line) {
		if syntax, proved, over := s.take(l.Tok.Kind); over {
			return syntax, proved
		}
		isLong := l.Tok.Quote == 3
		l.Next()
		if end := l.Tok.Pos.Line; isLong && end > line {
			line, s.long, s.turtle = end, true, true // N-Triples has no such string
		}
	}
	if s.long {
		return Turtle, s.depth == 0 && s.isTurtle()
	}
	if s.tokens == 1 && l.Tok.Kind == lex.OpenGraph && s.depth == 0 {
		return TriG, true // the { is on a line of its own
	}
	if s.last == lex.Semicolon || s.last == lex.Comma {
		// where a whole line follows, the sign was only meant as a dot
		return Turtle, (s.depth > 0 || s.tokens > 3) && !l.wholeFollows()
	}
	if l.opt.CalledTurtle && s.isTurtle() {
		return Turtle, true
	}
	return Turtle, s.depth > 0 && !s.dotted && !l.wholeFollows()
}

// firstProves is proves for a token that begins no statement of lines. It moves on.
func (l *Reader) firstProves() (Syntax, bool) {
	line := l.Tok.Pos.Line
	switch l.Tok.Kind {
	case lex.Prefix, lex.Base, lex.Version:
		return Turtle, true
	case lex.SPARQLPrefix, lex.SPARQLBase:
		l.Next()
		return Turtle, (l.Tok.Kind == lex.Name || l.Tok.Kind == lex.IRI) && l.Tok.Pos.Line == line
	case lex.OpenGraph:
		l.Next() // else it is JSON
		return TriG, l.Tok.Kind.BeginsSubject() || l.Tok.Kind == lex.CloseGraph
	case lex.Graph:
		l.Next()
		if k := l.Tok.Kind; k == lex.OpenProperties {
			l.Next()
		}
		l.Next()
		return TriG, l.Tok.Kind == lex.OpenGraph
	}
	return 0, false
}

// isOn says that the current token is on a line.
func isOn(l *lex.Lexer, line int64) bool {
	return l.Tok.Pos.Line == line && l.Tok.Kind != lex.EndOfText && l.Tok.Kind != lex.Stopped
}

// look is a look at the tokens of a line.
type look struct {
	depth, tokens int // brackets that are open, tokens so far
	last          lex.Kind
	dotted        bool // a dot is in an open bracket: that is no Turtle either
	long          bool // a string in three quotes goes on over the line end

	walk    grammar.Walk
	ended   bool // the last token ends the statement
	turtle  bool // N-Triples lacks a sign of it
	unsound bool // it is no sound statement
}

// take takes the next token. over says that it decides: whether the text is proved to be of a syntax.
func (s *look) take(k lex.Kind) (syntax Syntax, proved, over bool) {
	s.see(k)
	switch {
	case k.Opens():
		s.depth++
	case k.Closes():
		s.depth--
	case k == lex.OpenGraph:
		// only a label may precede it: a name, or []
		return TriG, s.tokens == 1 || s.tokens == 2 && s.last == lex.CloseProperties, true
	case k == lex.Broken, k == lex.Unclosed, k == lex.Symbol, k == lex.CloseGraph:
		return 0, false, true
	case s.tokens == 1 && s.depth == 0 && !k.IsVerb():
		return 0, false, true
	case k == lex.Dot:
		s.dotted = s.dotted || s.depth > 0
	}
	s.last = k
	s.tokens++
	return 0, false, false
}

// see notes what the next token says of the statement.
func (s *look) see(k lex.Kind) {
	switch k {
	case lex.OpenProperties, lex.OpenList, lex.OpenReified, lex.OpenNotes, lex.Comma, lex.Semicolon, lex.A,
		lex.Integer, lex.Decimal, lex.Double, lex.Boolean, lex.Tilde:
		s.turtle = true
	case lex.Name: // no prefix is declared: that would have proved it
		s.unsound = true
	}
	act := s.walk.Take(k)
	s.unsound = s.unsound || s.ended || act == grammar.Refused
	s.ended = act == grammar.EndStatement
}

// isTurtle says, once the line is over, that it is one sound statement of Turtle that is none of N-Triples.
func (s *look) isTurtle() bool { return s.ended && s.turtle && !s.unsound }

// wholeFollows says that the rest of the line, from the current token on, is a statement of N-Triples or N-Quads.
func (l *Reader) wholeFollows() bool {
	line, _, _ := l.lineAt(l.Tok.From)
	return isWhole(line)
}
