package ttl

// handOver looks whether the statement that begins with start proves the text to be
// Turtle or TriG. If so, syntax says which, and the lexer stands before it; else
// nothing has changed, but the window may have moved.
func (l *lines) handOver(start *token) bool {
	if l.unended {
		l.buf = l.buf[:len(l.buf)-1] // the line end that was lent
	}
	back, marked := l.lexer.mark(), l.marked
	at := l.markBefore(start)
	l.lexer.reset(at)
	l.keep = start.from
	l.lexer.lines = false
	if found, ok := l.proves(); ok {
		l.syntax = found
		l.lexer.reset(at)
		return true
	}
	l.lexer.lines = true
	l.marks, l.marked = l.marks[:0], marked
	l.lexer.reset(back)
	if l.unended {
		l.buf = append(l.buf, '\n')
	}
	return false
}

// proves looks at the statement that comes for what only Turtle and TriG have: a
// directive, a graph, a statement that goes on over the line end; or, where the text is
// called Turtle or TriG, a statement on one line that is none of N-Triples.
func (l *lines) proves() (Syntax, bool) {
	l.next()
	first, line := l.tok.kind, l.tok.pos.Line
	switch first {
	case prefixToken, baseToken, versionToken:
		return Turtle, true
	case sparqlPrefix, sparqlBase:
		l.next()
		return Turtle, (l.tok.kind == nameToken || l.tok.kind == iriToken) && l.tok.pos.Line == line
	case openGraph:
		return TriG, true
	case graphToken:
		l.next()
		if k := l.tok.kind; k == openProperties {
			l.next()
		}
		l.next()
		return TriG, l.tok.kind == openGraph
	}
	if !first.beginsSubject() {
		return 0, false
	}
	depth, tokens, last := 0, 0, first
	dotted := false // a dot stands in an open bracket: that is no Turtle either
	long := false   // the last token is a string in three quotes
	var whole oneLine
	for l.tok.pos.Line == line && l.tok.kind != endOfText && l.tok.kind != stopped {
		whole.take(l.tok.kind, depth)
		switch k := l.tok.kind; {
		case k.opens():
			depth++
		case k.closes():
			depth--
		case k == openGraph:
			// only a label may stand before it: a name, or []
			return TriG, tokens == 1 || tokens == 2 && last == closeProperties
		case k == brokenToken, k == unclosedToken, k == symbolToken, k == closeGraph:
			return 0, false
		case k == dot:
			dotted = dotted || depth > 0
			fallthrough
		default:
			if tokens == 1 && depth == 0 && !k.isVerb() {
				return 0, false
			}
		}
		last = l.tok.kind
		long = l.tok.quote == 3
		tokens++
		l.next()
	}
	if long && l.tok.pos.Line > line && endsLong(l.lexer, &whole, depth) {
		return Turtle, true
	}
	if tokens == 1 && l.tok.kind == openGraph && depth == 0 {
		return TriG, true // the { stands on a line of its own
	}
	if last == semicolon || last == comma {
		// where a whole line follows, the sign only stands for a dot
		return Turtle, (depth > 0 || tokens > 3) && !isWholeLine(l.lexer)
	}
	if l.called && whole.isTurtle() {
		return Turtle, true
	}
	return Turtle, depth > 0 && !dotted && !isWholeLine(l.lexer)
}

// endsLong looks whether the statement whose object is a string in three quotes over several lines,
// the last token, ends soundly with the line it is on. It moves on.
func endsLong(l *lexer, whole *oneLine, depth int) bool {
	for line := l.tok.pos.Line; l.tok.pos.Line == line && l.tok.kind != endOfText && l.tok.kind != stopped; l.next() {
		whole.take(l.tok.kind, depth)
	}
	whole.turtle = true // N-Triples has no such string
	return depth == 0 && whole.isTurtle()
}

// oneLine goes over the tokens of a line, whether they are one sound statement of Turtle that is
// none of N-Triples. Of what stands in brackets it asks that the tokens are sound.
type oneLine struct {
	at      place // what comes next
	last    tokenKind
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
func (o *oneLine) take(k tokenKind, depth int) {
	switch k {
	case openProperties, openList, openReified, openNotes, comma, semicolon, aToken, integerToken, decimalToken, doubleToken, booleanToken, tilde:
		o.turtle = true
	case nameToken: // no prefix is declared: that would have proved it
		o.unsound = true
	}
	switch {
	case k.closes() && depth == 1 && o.at != behindObject: // what the bracket began is whole
		o.told = o.told || k == closeProperties && o.at == atSubject
		o.at++
	case depth > 0:
	case k.opens():
		o.unsound = o.unsound || (k == openNotes) != (o.at == behindObject) || o.at == atVerb
	case o.last == carets:
		o.unsound = o.unsound || k != iriToken
	case o.at == atSubject && (k == iriToken || k == labelToken), o.at == atVerb && (k == iriToken || k == aToken),
		o.at == atObject && (k.isLiteral() || k == iriToken || k == labelToken):
		o.at++
	case o.at == behindObject && k == comma:
		o.at = atObject
	case k == semicolon && (o.at == behindObject || o.at == atVerb && o.told): // also several, or one before the dot
		o.at = atVerb
	case k == dot && (o.at == behindObject || o.at == atVerb && o.told):
		o.at = behindDot
	case o.at == behindObject && (k == tilde || (k == languageToken || k == carets) && o.last == stringToken ||
		(k == labelToken || k == iriToken) && o.last == tilde):
	default:
		o.unsound = true
	}
	o.told = o.told || o.at == behindObject
	o.last = k
}

// isTurtle says so once the line is over.
func (o *oneLine) isTurtle() bool { return o.at == behindDot && o.turtle && !o.unsound }

// isWholeLine looks whether a statement of N-Triples or N-Quads, and nothing else, stands on
// the line that begins with the present token. It moves on.
func isWholeLine(l *lexer) bool {
	line := l.tok.pos.Line
	part := func() bool {
		k := l.tok.kind
		l.next()
		return (k == iriToken || k == labelToken) && l.tok.pos.Line == line
	}
	if !part() || l.tok.kind != iriToken || !part() {
		return false
	}
	if l.tok.kind == stringToken {
		if l.next(); l.tok.kind == languageToken {
			l.next()
		} else if l.tok.kind == carets {
			l.next()
			l.next()
		}
	} else if !part() {
		return false
	}
	if l.tok.kind != dot && !part() || l.tok.kind != dot {
		return false
	}
	l.next()
	return l.tok.pos.Line != line || l.tok.kind == endOfText
}
