package ttl

// handOver looks whether the statement that begins with start proves the text to be
// Turtle or TriG. If so, syntax says which, and the lexer stands before it; else
// nothing has changed, but the window may have moved.
func (l *lines) handOver(start *token) bool {
	if l.mender.unended {
		l.buf = l.buf[:len(l.buf)-1] // the line end that was lent
	}
	back, marked := l.lexer.mark(), l.marked
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
	l.marks, l.marked = l.marks[:0], marked
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
	dotted := false // a dot stands in an open bracket: that is no Turtle either
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
		case dot:
			dotted = dotted || depth > 0
			fallthrough
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
	if last == semicolon || last == comma {
		// where a whole line follows, the sign only stands for a dot
		return Turtle, (depth > 0 || tokens > 3) && !l.isWholeLine()
	}
	return Turtle, depth > 0 && !dotted && !l.isWholeLine()
}

// isWholeLine looks whether a statement of N-Triples or N-Quads, and nothing else, stands on
// the line that begins with the present token. It moves on.
func (l *lexer) isWholeLine() bool {
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
