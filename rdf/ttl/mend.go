package ttl

import (
	"bytes"

	"laundromat/internal/fault"
	"laundromat/rdf"
)

// mender reads a single line with the lexer of Turtle, which knows the repairs.
type mender struct {
	terms

	subject, predicate, object, graph, spare held
	quad                                     rdf.Quad
	levels                                   []*level
	onlySubject                              bool // the line ends behind its first term
}

// level is a triple term of the line: the object of the quad, or of the level before.
type level struct {
	subject, predicate, object held
	triple                     rdf.Triple
}

func newMender(t *terms) *mender {
	m := &mender{}
	m.terms = newTerms(newLineLexer(t.maxToken), t.to)
	m.baseIRI = t.baseIRI
	return m
}

// mend reads the line at pos, which is whole, and goes to the next. True means that
// another reader is to go on from pos instead; l.syntax says which.
func (l *lines) mend() bool {
	l.extra = 0
	l.skipIndent()
	length := bytes.IndexAny(l.buf[l.pos:], "\r\n")
	if length > l.maxToken {
		l.longLine()
		return false
	}
	if l.mender == nil {
		l.mender = newMender(&l.terms)
	}
	l.lookAhead(length)
	m, end := l.mender, l.pos+length
	lineEnd := l.base + int64(end)
	m.beginLine(l.buf[l.pos:end:end], l.offset(), l.line, l.lineStart)
	last := l.unended && l.eof && end == len(l.buf)-1
	m.next()
	broken := l.broken
	for first := true; m.tok.kind != endOfText; first = false {
		start := m.tok
		n, ok := m.statement(l, first, last)
		if l.sinkErr != nil {
			return false
		}
		if broken = !ok && m.onlySubject; !ok {
			m.withdraw(m.told)
			if l.handsOver && l.handOver(&start) {
				return true
			}
			m.buf = l.buf[m.base-l.base : lineEnd-l.base : lineEnd-l.base] // the window may have moved
			if l.str.open && l.str.swallows && first {
				l.swallowLine(&n, m.buf, int(m.base-l.base))
			} else {
				l.loses(n, m.buf)
			}
			if !m.toWhole() {
				break
			}
			continue
		}
		if l.str.swallows {
			l.closeString()
		}
		m.next()
	}
	l.broken, l.holed = broken, false
	m.tellMarks(m.to.Notice)
	l.pos = l.endLine(l.buf, int(lineEnd-l.base))
	return false
}

// nextLine is what is known of the line behind one that does not end with a dot.
type nextLine struct {
	dotted  bool // it ends with one
	onlyDot bool // it is one
}

// lookAhead looks at the line behind the present one, which is so long, if that does not end with a dot.
func (l *lines) lookAhead(length int) {
	l.behind = nextLine{}
	if line := bytes.TrimRight(l.buf[l.pos:l.pos+length], " \t"); len(line) == 0 || line[len(line)-1] == '.' {
		return
	}
	for {
		from := l.pos + length + 1
		if l.buf[from-1] == '\r' && from < len(l.buf) && l.buf[from] == '\n' {
			from++
		}
		n := bytes.IndexAny(l.buf[from:], "\r\n")
		if n < 0 && !l.eof && l.err == nil && len(l.buf)-from <= l.maxToken {
			l.refill()
			continue // the window may have moved even where nothing came
		}
		if n < 0 {
			n = len(l.buf) - from
		}
		if n > l.maxToken {
			return // it is lost, and its end need not be at hand
		}
		line := bytes.Trim(l.buf[from:from+n], " \t")
		l.behind = nextLine{dotted: len(line) > 0 && line[len(line)-1] == '.', onlyDot: string(line) == "."}
		return
	}
}

// toWhole goes to a statement behind a faulty one, where the line end between them is lost: it stands behind a
// dot, is whole, and ends the line.
func (m *mender) toWhole() bool {
	for m.tok.kind != endOfText {
		if m.tok.kind != dot {
			m.next()
			continue
		}
		m.next()
		back := m.mark()
		whole := isWholeLine(m.lexer)
		if m.reset(back); whole {
			return true
		}
	}
	return false
}

// statement reads one statement of the line, the first token of which is present.
// It returns false, and why, if the statement is lost.
func (m *mender) statement(l *lines, first, last bool) (fault.Notice, bool) {
	repaired := false
	if !first {
		repaired = true
		m.repair(fault.SyntaxSharedLine, m.tok.pos, "a second statement on the same line")
	}
	if m.tok.kind == dot && !first {
		m.withdraw(m.told)
		m.to.Notice(m.notice(fault.SyntaxStray, fault.Repair, m.tok.pos, "this dot ends nothing; it was ignored"))
		return fault.Notice{}, true
	}
	if m.tok.kind == sparqlVersion && first {
		return m.version()
	}
	m.graph.clear()
	m.onlySubject, m.holes = false, 0
	for _, part := range []struct {
		to   *held
		name string
	}{{&m.subject, "a subject"}, {&m.predicate, "a predicate"}} {
		if n, ok := m.part(part.to, part.name); !ok {
			m.onlySubject = first && part.to == &m.predicate && m.tok.kind == endOfText
			return n, false
		}
		m.next()
	}
	if n, ok := m.objectTerm(&m.object, 0); !ok {
		return n, false
	}
	if k := m.tok.kind; k == iriToken || k == nameToken || k == labelToken {
		pos := m.tok.pos
		if n, ok := m.part(&m.graph, "a graph"); !ok {
			return n, false
		}
		if l.syntax == NTriples && !l.adapts {
			repaired = true
			m.repair(fault.SyntaxGraphInTriples, pos, "a fourth term: the line was read as N-Quads")
		}
		m.next()
	} else if k.isLiteral() {
		return m.misplaced("a graph"), false
	}
	switch m.tok.kind {
	case dot:
		if m.pos < len(m.buf) && bytes.IndexByte([]byte(" \t#<_\x00"), m.buf[m.pos]) < 0 {
			return m.notice(fault.SyntaxUnexpected, fault.Drop, m.tok.pos, "something stands right behind the dot, which may not be the end of the statement"), false
		}
	case endOfText:
		if last && (m.cutShort() || l.hasGraphs && m.graph.Kind == rdf.NoTerm) { // its graph may be cut off
			return m.notice(fault.SyntaxUnfinished, fault.Drop, m.ended, "the text ends in the middle of a statement"), false
		}
		if l.behind.dotted && !l.behind.onlyDot && m.cutShort() {
			return m.notice(fault.SyntaxIncomplete, fault.Drop, m.ended, "the line ends without a dot, maybe in the middle of its last term"), false
		}
		if m.graph.Kind == rdf.NoTerm && l.onlyQuads() {
			return m.notice(fault.SyntaxIncomplete, fault.Drop, m.ended, "the line ends without a dot and without a graph, which all lines before it have"), false
		}
		repaired = true
		m.repair(fault.SyntaxMissingDot, m.ended, "the dot at the end of this statement is missing")
	default:
		return m.unexpected("the dot at the end of the line"), false
	}
	if m.holes > 0 {
		return m.holeWithin(m.subject.Pos.Offset), false
	}
	if m.graph.Kind == rdf.NoTerm {
		if l.broken && l.holed && first && l.onlyQuads() {
			return m.notice(fault.SyntaxIncomplete, fault.Drop, m.subject.Pos, "this may be the rest of a statement in the zero bytes before it: all others have a graph"), false
		}
		if l.broken && first && l.onlyQuads() {
			return m.notice(fault.SyntaxIncomplete, fault.Drop, m.subject.Pos, "this may be the rest of the statement on the line before, which is broken off: all others have a graph"), false
		}
		l.hasTriples = true
	}
	m.tell()
	m.quad = rdf.Quad{Subject: m.subject.Term, Predicate: m.predicate.Term, Object: m.object.Term, Graph: m.graph.Term}
	m.quad.Repaired = repaired || m.subject.repaired || m.predicate.repaired || m.object.repaired || m.graph.repaired
	if m.graph.Kind != rdf.NoTerm {
		l.fourTerms()
	}
	if err := m.to.Quad(&m.quad); err != nil {
		l.sinkErr = &rdf.SinkError{Err: err}
	}
	return fault.Notice{}, true
}

// version reads versionDirective ::= "VERSION" VersionSpecifier, which must be alone on
// its line.
func (m *mender) version() (fault.Notice, bool) {
	if m.next(); !m.takeVersion() {
		return m.notice(fault.SyntaxDirective, fault.Drop, m.tok.pos, "%s stands where this directive needs a version in quotation marks", m.tok.kind), false
	}
	m.next()
	if m.tok.kind == dot {
		m.repair(fault.SyntaxDirective, m.tok.pos, "VERSION without @ has no dot at the end; it was ignored")
		m.next()
	}
	if m.tok.kind != endOfText {
		return m.unexpected("the end of the line"), false
	}
	m.tell()
	return fault.Notice{}, true
}

// objectTerm reads the object that begins with the present token, and goes behind it.
//
//	object     ::= IRIREF | BLANK_NODE_LABEL | literal | tripleTerm
//	tripleTerm ::= '<<(' subject predicate object ')>>'
func (m *mender) objectTerm(to *held, depth int) (fault.Notice, bool) {
	if m.tok.kind != openTriple {
		if n, ok := m.part(to, "an object"); !ok {
			return n, false
		}
		if m.tok.kind == stringToken {
			return m.tag(to)
		}
		m.next()
		return fault.Notice{}, true
	}
	if depth == rdf.MaxTriples {
		return m.notice(fault.LimitNesting, fault.Drop, m.tok.pos, "more than %d triple terms stand in one another", depth), false
	}
	if depth == len(m.levels) {
		m.levels = append(m.levels, new(level))
	}
	l, pos := m.levels[depth], m.tok.pos
	m.next()
	if n, ok := m.part(&l.subject, "a subject"); !ok {
		return n, false
	}
	m.next()
	if n, ok := m.part(&l.predicate, "a predicate"); !ok {
		return n, false
	}
	m.next()
	if n, ok := m.objectTerm(&l.object, depth+1); !ok {
		return n, false
	}
	if m.tok.kind != closeTriple {
		return m.unexpected("the )>> of a triple term"), false
	}
	m.next()
	l.triple = rdf.Triple{Subject: l.subject.Term, Predicate: l.predicate.Term, Object: l.object.Term}
	to.clear()
	to.Term = rdf.Term{Kind: rdf.TripleTerm, Triple: &l.triple, Pos: pos}
	to.repaired = l.subject.repaired || l.predicate.repaired || l.object.repaired
	return fault.Notice{}, true
}

// part reads the present token as a part of the statement.
func (m *mender) part(to *held, name string) (fault.Notice, bool) {
	switch k := m.tok.kind; {
	case k == endOfText:
		return m.notice(fault.SyntaxIncomplete, fault.Drop, m.ended, "the line ends where %s was expected", name), false
	case k == openTriple:
		return m.misplaced(name), false
	case !k.isTerm():
		return m.unexpected(name), false
	case k.isLiteral() && name != "an object", k == labelToken && name == "a predicate", k == aToken && name != "a predicate":
		return m.misplaced(name), false
	case name == "a predicate" && !m.takeNamed(to, "the predicate"), name != "a predicate" && !m.take(to):
		return m.problem, false
	case k == aToken, k.isLiteral() && k != stringToken, k == stringToken && (m.tok.quote == 3 || m.bytes(&m.tok)[0] == '\''):
		to.repaired = true
		m.repair(fault.SyntaxTurtleInLine, m.tok.pos, "%s was read as Turtle reads it", k)
	}
	return fault.Notice{}, true
}

// tag reads what may follow the string of a literal, and the token after that.
func (m *mender) tag(to *held) (fault.Notice, bool) {
	m.next()
	if k := m.tok.kind; k == languageToken || k == prefixToken || k == baseToken || k == versionToken {
		m.takeLanguage(to)
		m.next()
	}
	if m.tok.kind != carets {
		return fault.Notice{}, true
	}
	both := m.tok.pos
	m.next()
	if k := m.tok.kind; k != iriToken && k != nameToken {
		return m.misplaced("the IRI of a datatype"), false
	}
	if !m.takeDatatype(to, &m.spare) {
		return m.problem, false
	}
	if len(to.Language) > 0 && rdf.LanguageType(to.Datatype) == "" {
		return m.notice(fault.SyntaxUnexpected, fault.Drop, both, notBoth), false
	}
	m.next()
	if m.tok.kind == languageToken && m.tok.from == m.ended.Offset && m.lacksLanguage(to) {
		m.takeLanguage(to)
		m.next()
	}
	return fault.Notice{}, true
}
