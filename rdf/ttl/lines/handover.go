package lines

import (
	"laundromat/rdf/ttl/lex"
)

// handOver looks whether the statement that begins with start proves the text to be Turtle or TriG. If
// so, syntax says which, and the lexer is before the statement. Else nothing has changed, but the
// window may have moved.
func (l *Reader) handOver(start *lex.Token) bool {
	if l.unended {
		l.Buf = l.Buf[:len(l.Buf)-1] // the line end that was lent
	}
	back, marked := l.Lexer.Mark(), l.Marked
	at := l.MarkBefore(start)
	l.Lexer.Reset(at)
	l.Keep = start.From
	l.Lexer.LineFormat = false
	if found, ok := l.proves(); ok {
		l.syntax = found
		l.Lexer.Reset(at)
		return true
	}
	l.Lexer.LineFormat = true
	l.Marks, l.Marked = l.Marks[:0], marked
	l.Lexer.Reset(back)
	if l.unended {
		l.Buf = append(l.Buf, '\n')
	}
	return false
}

// proves looks at the statement that comes for what only Turtle and TriG have: a directive, a graph, a
// statement that goes on over the line end. Where the text is called Turtle or TriG, a statement on
// one line that is none of N-Triples is enough.
func (l *Reader) proves() (Syntax, bool) {
	l.Next()
	first, line := l.Tok.Kind, l.Tok.Pos.Line
	switch first {
	case lex.Prefix, lex.Base, lex.Version:
		return Turtle, true
	case lex.SPARQLPrefix, lex.SPARQLBase:
		l.Next()
		return Turtle, (l.Tok.Kind == lex.Name || l.Tok.Kind == lex.IRI) && l.Tok.Pos.Line == line
	case lex.OpenGraph:
		return TriG, true
	case lex.Graph:
		l.Next()
		if k := l.Tok.Kind; k == lex.OpenProperties {
			l.Next()
		}
		l.Next()
		return TriG, l.Tok.Kind == lex.OpenGraph
	}
	if !first.BeginsSubject() {
		return 0, false
	}
	depth, tokens, last := 0, 0, first
	dotted := false // a dot is in an open bracket: that is no Turtle either
	long := false   // the last token is a string in three quotes
	var whole oneLine
	for l.Tok.Pos.Line == line && l.Tok.Kind != lex.EndOfText && l.Tok.Kind != lex.Stopped {
		whole.take(l.Tok.Kind, depth)
		switch k := l.Tok.Kind; {
		case k.Opens():
			depth++
		case k.Closes():
			depth--
		case k == lex.OpenGraph:
			// only a label may precede it: a name, or []
			return TriG, tokens == 1 || tokens == 2 && last == lex.CloseProperties
		case k == lex.Broken, k == lex.Unclosed, k == lex.Symbol, k == lex.CloseGraph:
			return 0, false
		case k == lex.Dot:
			dotted = dotted || depth > 0
			fallthrough
		default:
			if tokens == 1 && depth == 0 && !k.IsVerb() {
				return 0, false
			}
		}
		last = l.Tok.Kind
		long = l.Tok.Quote == 3
		tokens++
		l.Next()
	}
	if long && l.Tok.Pos.Line > line && endsLong(l.Lexer, &whole, depth) {
		return Turtle, true
	}
	if tokens == 1 && l.Tok.Kind == lex.OpenGraph && depth == 0 {
		return TriG, true // the { is on a line of its own
	}
	if last == lex.Semicolon || last == lex.Comma {
		// where a whole line follows, the sign was only meant as a dot
		return Turtle, (depth > 0 || tokens > 3) && !isWholeLine(l.Lexer)
	}
	if l.called && whole.isTurtle() {
		return Turtle, true
	}
	return Turtle, depth > 0 && !dotted && !isWholeLine(l.Lexer)
}

// endsLong looks whether a statement ends soundly with the line it is on. Its object is the last
// token, a string in three quotes over several lines. It moves on.
func endsLong(l *lex.Lexer, whole *oneLine, depth int) bool {
	for line := l.Tok.Pos.Line; l.Tok.Pos.Line == line && l.Tok.Kind != lex.EndOfText && l.Tok.Kind != lex.Stopped; l.Next() {
		whole.take(l.Tok.Kind, depth)
	}
	whole.turtle = true // N-Triples has no such string
	return depth == 0 && whole.isTurtle()
}

// oneLine goes over the tokens of a line, whether they are one sound statement of Turtle that is none
// of N-Triples. Of what is in brackets it asks only that the tokens are sound.
type oneLine struct {
	at      place // what comes next
	last    lex.Kind
	told    bool // a statement is whole
	turtle  bool // N-Triples lacks a sign of it
	unsound bool
}

type place uint8

const (
	atSubject place = iota
	atVerb
	atObject
	behindObject
	behindDot
)

// take takes the next token, before which so many brackets are open.
func (o *oneLine) take(k lex.Kind, depth int) {
	switch k {
	case lex.OpenProperties, lex.OpenList, lex.OpenReified, lex.OpenNotes, lex.Comma, lex.Semicolon, lex.A, lex.Integer, lex.Decimal, lex.Double, lex.Boolean, lex.Tilde:
		o.turtle = true
	case lex.Name: // no prefix is declared: that would have proved it
		o.unsound = true
	}
	switch {
	case k.Closes() && depth == 1 && o.at != behindObject: // what the bracket began is whole
		o.told = o.told || k == lex.CloseProperties && o.at == atSubject
		o.at++
	case depth > 0:
	case k.Opens():
		o.unsound = o.unsound || (k == lex.OpenNotes) != (o.at == behindObject) || o.at == atVerb
	case o.last == lex.Carets:
		o.unsound = o.unsound || k != lex.IRI
	case o.at == atSubject && (k == lex.IRI || k == lex.Label), o.at == atVerb && (k == lex.IRI || k == lex.A),
		o.at == atObject && (k.IsLiteral() || k == lex.IRI || k == lex.Label):
		o.at++
	case o.at == behindObject && k == lex.Comma:
		o.at = atObject
	// also several, or one before the dot
	case k == lex.Semicolon && (o.at == behindObject || o.at == atVerb && o.told):
		o.at = atVerb
	case k == lex.Dot && (o.at == behindObject || o.at == atVerb && o.told):
		o.at = behindDot
	case o.at == behindObject && (k == lex.Tilde || (k == lex.Language || k == lex.Carets) && o.last == lex.String ||
		(k == lex.Label || k == lex.IRI) && o.last == lex.Tilde):
	default:
		o.unsound = true
	}
	o.told = o.told || o.at == behindObject
	o.last = k
}

// isTurtle says so once the line is over.
func (o *oneLine) isTurtle() bool { return o.at == behindDot && o.turtle && !o.unsound }

// isWholeLine looks whether the line that begins with the present token is a statement of N-Triples or
// N-Quads, and nothing else. It moves on.
func isWholeLine(l *lex.Lexer) bool {
	line := l.Tok.Pos.Line
	part := func() bool {
		k := l.Tok.Kind
		l.Next()
		return (k == lex.IRI || k == lex.Label) && l.Tok.Pos.Line == line
	}
	if !part() || l.Tok.Kind != lex.IRI || !part() {
		return false
	}
	if l.Tok.Kind == lex.String {
		if l.Next(); l.Tok.Kind == lex.Language {
			l.Next()
		} else if l.Tok.Kind == lex.Carets {
			l.Next()
			l.Next()
		}
	} else if !part() {
		return false
	}
	if l.Tok.Kind != lex.Dot && !part() || l.Tok.Kind != lex.Dot {
		return false
	}
	l.Next()
	return l.Tok.Pos.Line != line || l.Tok.Kind == lex.EndOfText
}
