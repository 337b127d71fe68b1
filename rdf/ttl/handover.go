package ttl

// handOver looks whether the statement that begins with start proves the text to be
// Turtle or TriG. If so, syntax says which, and the lexer stands before it; else
// nothing has changed, but the window may have moved.
func (l *lines) handOver(start *token) bool {
	if l.mender.unended {
		l.buf = l.buf[:len(l.buf)-1] // the line end that was lent
	}
	back := l.lexer.mark()
	at := mark{
		offset: start.from, line: start.pos.Line, lineStart: l.lineStart,
		extra:   start.from - l.lineStart - start.pos.Column + 1,
		afterCR: -1, keep: -1,
	}
	l.lexer.reset(at)
	l.keep = start.from
	l.lexer.lines = false
	if found, ok := l.proves(); ok {
		l.syntax = found
		l.lexer.reset(at)
		return true
	}
	l.lexer.lines = true
	l.lexer.reset(back)
	if l.mender.unended {
		l.buf = append(l.buf, '\n')
	}
	return false
}

// proves looks at the statement that comes for what only Turtle and TriG have: a
// directive, a graph, or a statement that goes on over the line end.
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
	for l.tok.pos.Line == line && l.tok.kind != endOfText && l.tok.kind != stopped {
		switch k := l.tok.kind; k {
		case openProperties, openList, openReified, openTriple, openNotes:
			depth++
		case closeProperties, closeList, closeReified, closeTriple, closeNotes:
			depth--
		case openGraph:
			// only a label may stand before it: a name, or []
			return TriG, tokens == 1 || tokens == 2 && last == closeProperties
		case brokenToken, unclosedToken, symbolToken, closeGraph:
			return 0, false
		default:
			if tokens == 1 && depth == 0 && !k.isVerb() {
				return 0, false
			}
		}
		last = l.tok.kind
		tokens++
		l.next()
	}
	if tokens == 1 && l.tok.kind == openGraph && depth == 0 {
		return TriG, true // the { stands on a line of its own
	}
	return Turtle, depth > 0 || tokens > 3 && (last == semicolon || last == comma)
}
