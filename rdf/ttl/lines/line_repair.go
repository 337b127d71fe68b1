package lines

import (
	"bytes"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/ttl/lex"
	"laundromat/rdf/ttl/terms"
)

// mender reads a single line with the lexer of Turtle, which knows the repairs.
type mender struct {
	terms.Reader

	subject, predicate, object, graph, spare terms.Held
	quad                                     rdf.Quad
	levels                                   []*level
	onlySubject                              bool // the line ends after its first term
	repaired                                 bool // the statement is, apart from its terms
}

// level is a triple term of the line: the object of the quad, or of the level before.
type level struct {
	subject, predicate, object terms.Held
	triple                     rdf.Triple
}

func newMender(t *terms.Reader) *mender {
	m := &mender{}
	m.Reader = terms.New(lex.NewLines(t.MaxToken), t.To)
	m.BaseIRI = t.BaseIRI
	return m
}

// mend reads the line at pos, which is whole, and goes to the next. True means that
// another reader is to go on from pos instead; l.syntax says which.
func (l *Reader) mend() bool {
	l.Extra = 0
	l.skipIndent()
	length := bytes.IndexAny(l.Buf[l.Pos:], "\r\n")
	if length > l.MaxToken {
		l.longLine()
		return false
	}
	if l.mender == nil {
		l.mender = newMender(&l.Reader)
	}
	l.lookAhead(length)
	m, end := l.mender, l.Pos+length
	lineEnd := l.Base + int64(end)
	m.BeginLine(l.Buf[l.Pos:end:end], l.Offset(), l.Line, l.LineStart)
	last := l.unended && l.EOF && end == len(l.Buf)-1
	m.Next()
	broken := l.broken
	for first := true; m.Tok.Kind != lex.EndOfText; first = false {
		start := m.Tok
		n, ok := m.statement(l, first, last)
		if l.sinkErr != nil {
			return false
		}
		if broken = !ok && m.onlySubject; !ok {
			m.Withdraw(m.Told)
			if l.handsOver && l.handOver(&start) {
				return true
			}
			m.Buf = l.Buf[m.Base-l.Base : lineEnd-l.Base : lineEnd-l.Base] // the window may have moved
			if l.str.open && l.str.swallows && first {
				l.swallowLine(&n, m.Buf, int(m.Base-l.Base))
			} else {
				l.loses(n, m.Buf)
			}
			if !m.toWhole() {
				break
			}
			continue
		}
		if l.str.swallows {
			l.closeString()
		}
		m.Next()
	}
	l.broken, l.holed = broken, false
	m.TellMarks(m.To.Notice)
	l.Pos = l.endLine(l.Buf, int(lineEnd-l.Base))
	return false
}

// nextLine is what is known of the line after one that does not end with a dot.
type nextLine struct {
	dotted  bool // it ends with one
	onlyDot bool // it is one
}

// lookAhead looks at the line after the current one, which is so long, if that does not end with a dot.
func (l *Reader) lookAhead(length int) {
	l.behind = nextLine{}
	if line := bytes.TrimRight(l.Buf[l.Pos:l.Pos+length], " \t"); len(line) == 0 || line[len(line)-1] == '.' {
		return
	}
	for {
		from := l.Pos + length + 1
		if l.Buf[from-1] == '\r' && from < len(l.Buf) && l.Buf[from] == '\n' {
			from++
		}
		n := bytes.IndexAny(l.Buf[from:], "\r\n")
		if n < 0 && !l.EOF && l.Err == nil && len(l.Buf)-from <= l.MaxToken {
			l.Refill()
			continue // the window may have moved even where nothing came
		}
		if n < 0 {
			n = len(l.Buf) - from
		}
		if n > l.MaxToken {
			return // it is lost, and its end need not be at hand
		}
		line := bytes.Trim(l.Buf[from:from+n], " \t")
		l.behind = nextLine{dotted: len(line) > 0 && line[len(line)-1] == '.', onlyDot: string(line) == "."}
		return
	}
}

// toWhole goes to a statement after a faulty one, where the line end between them is lost. It follows
// a dot, is whole, and ends the line.
func (m *mender) toWhole() bool {
	for m.Tok.Kind != lex.EndOfText {
		if m.Tok.Kind != lex.Dot {
			m.Next()
			continue
		}
		m.Next()
		back := m.Mark()
		whole := isWholeLine(m.Lexer)
		if m.Reset(back); whole {
			return true
		}
	}
	return false
}

// statement reads one statement of the line, the first token of which is present.
// It returns false, and why, if the statement is lost.
func (m *mender) statement(l *Reader, first, last bool) (fault.Notice, bool) {
	if !first {
		m.Repair(fault.SyntaxSharedLine, m.Tok.Pos, "a second statement on the same line")
	}
	if m.Tok.Kind == lex.Dot && (!first || len(bytes.TrimSpace(m.Buf)) == 1) {
		m.Withdraw(m.Told)
		m.To.Notice(m.Notice(fault.SyntaxStray, fault.Repair, m.Tok.Pos, "this dot ends nothing; it was ignored"))
		return fault.Notice{}, true
	}
	if m.Tok.Kind == lex.SPARQLVersion && first {
		return m.version()
	}
	m.graph.Clear()
	m.repaired, m.onlySubject, m.Holes = !first, false, 0
	if n, ok := m.part(&m.subject, "a subject"); !ok {
		return n, false
	}
	m.Next()
	if n, ok := m.part(&m.predicate, "a predicate"); !ok {
		m.onlySubject = first && m.Tok.Kind == lex.EndOfText
		return n, false
	}
	m.Next()
	if n, ok := m.objectTerm(&m.object, 0); !ok {
		return n, false
	}
	if n, ok := m.graphTerm(l); !ok {
		return n, false
	}
	if n, ok := m.end(l, last); !ok {
		return n, false
	}
	if m.Holes > 0 {
		return m.HoleWithin(m.subject.Pos.Offset), false
	}
	if m.graph.Kind == rdf.NoTerm {
		if n, ok := m.isNoRest(l, first); !ok {
			return n, false
		}
		l.hasTriples = true
	}
	m.give(l)
	return fault.Notice{}, true
}

// graphTerm reads the graph, if there is one.
func (m *mender) graphTerm(l *Reader) (fault.Notice, bool) {
	switch k := m.Tok.Kind; {
	case k == lex.IRI, k == lex.Name, k == lex.Label:
		pos := m.Tok.Pos
		if n, ok := m.part(&m.graph, "a graph"); !ok {
			return n, false
		}
		if l.syntax == NTriples && !l.adapts {
			m.repaired = true
			m.Repair(fault.SyntaxGraphInTriples, pos, "a fourth term: the line was read as N-Quads")
		}
		m.Next()
	case k.IsLiteral():
		return m.Misplaced("a graph"), false
	}
	return fault.Notice{}, true
}

// end looks at the end of the statement, which is a dot or the end of the line. In the last line of a text,
// which has no line end, last is true.
func (m *mender) end(l *Reader, last bool) (fault.Notice, bool) {
	switch m.Tok.Kind {
	case lex.Dot:
		if m.Pos < len(m.Buf) && bytes.IndexByte([]byte(" \t#<_\x00"), m.Buf[m.Pos]) < 0 {
			return m.Notice(fault.SyntaxUnexpected, fault.Drop, m.Tok.Pos, "something stands right behind the dot, which may not be the end of the statement"), false
		}
	case lex.EndOfText:
		if last && (m.CutShort() || l.hasGraphs && m.graph.Kind == rdf.NoTerm) { // its graph may be cut off
			return m.Notice(fault.SyntaxUnfinished, fault.Drop, m.Ended, "the text ends in the middle of a statement"), false
		}
		if l.behind.dotted && !l.behind.onlyDot && m.CutShort() {
			return m.Notice(fault.SyntaxIncomplete, fault.Drop, m.Ended, "the line ends without a dot, maybe in the middle of its last term"), false
		}
		if m.graph.Kind == rdf.NoTerm && l.onlyQuads() {
			return m.Notice(fault.SyntaxIncomplete, fault.Drop, m.Ended, "the line ends without a dot and without a graph, which all lines before it have"), false
		}
		m.repaired = true
		m.Repair(fault.SyntaxMissingDot, m.Ended, "the dot at the end of this statement is missing")
	default:
		return m.Unexpected("the dot at the end of the line"), false
	}
	return fault.Notice{}, true
}

// isNoRest says that the statement, which has no graph, is not the rest of a broken one before it.
func (m *mender) isNoRest(l *Reader, first bool) (fault.Notice, bool) {
	if !l.broken || !first || !l.onlyQuads() {
		return fault.Notice{}, true
	}
	message := "this may be the rest of the statement on the line before, which is broken off: all others have a graph"
	if l.holed {
		message = "this may be the rest of a statement in the zero bytes before it: all others have a graph"
	}
	return m.Notice(fault.SyntaxIncomplete, fault.Drop, m.subject.Pos, "%s", message), false
}

// give gives the statement to the sink.
func (m *mender) give(l *Reader) {
	m.Tell()
	m.quad = rdf.Quad{Subject: m.subject.Term, Predicate: m.predicate.Term, Object: m.object.Term, Graph: m.graph.Term}
	m.quad.Repaired = m.repaired || m.subject.Repaired || m.predicate.Repaired || m.object.Repaired || m.graph.Repaired
	if m.graph.Kind != rdf.NoTerm {
		l.fourTerms()
	}
	if err := m.To.Quad(&m.quad); err != nil {
		l.sinkErr = &rdf.SinkError{Err: err}
	}
}

// version reads versionDirective ::= "VERSION" VersionSpecifier, which must be alone on
// its line.
func (m *mender) version() (fault.Notice, bool) {
	if m.Next(); !m.TakeVersion() {
		return m.Notice(fault.SyntaxDirective, fault.Drop, m.Tok.Pos, "%s stands where this directive needs a version in quotation marks", m.Tok.Kind), false
	}
	m.Next()
	if m.Tok.Kind == lex.Dot {
		m.Repair(fault.SyntaxDirective, m.Tok.Pos, "VERSION without @ has no dot at the end; it was ignored")
		m.Next()
	}
	if m.Tok.Kind != lex.EndOfText {
		return m.Unexpected("the end of the line"), false
	}
	m.Tell()
	return fault.Notice{}, true
}

// objectTerm reads the object that begins with the current token, and goes after it.
//
//	object     ::= IRIREF | BLANK_NODE_LABEL | literal | tripleTerm
//	tripleTerm ::= '<<(' subject predicate object ')>>'
func (m *mender) objectTerm(to *terms.Held, depth int) (fault.Notice, bool) {
	if m.Tok.Kind != lex.OpenTriple {
		if n, ok := m.part(to, "an object"); !ok {
			return n, false
		}
		if m.Tok.Kind == lex.String {
			return m.tag(to)
		}
		m.Next()
		return fault.Notice{}, true
	}
	if depth == rdf.MaxTriples {
		return m.Notice(fault.LimitNesting, fault.Drop, m.Tok.Pos, "more than %d triple terms stand in one another", depth), false
	}
	if depth == len(m.levels) {
		m.levels = append(m.levels, new(level))
	}
	l, pos := m.levels[depth], m.Tok.Pos
	m.Next()
	if n, ok := m.part(&l.subject, "a subject"); !ok {
		return n, false
	}
	m.Next()
	if n, ok := m.part(&l.predicate, "a predicate"); !ok {
		return n, false
	}
	m.Next()
	if n, ok := m.objectTerm(&l.object, depth+1); !ok {
		return n, false
	}
	if m.Tok.Kind != lex.CloseTriple {
		return m.Unexpected("the )>> of a triple term"), false
	}
	m.Next()
	l.triple = rdf.Triple{Subject: l.subject.Term, Predicate: l.predicate.Term, Object: l.object.Term}
	to.Clear()
	to.Term = rdf.Term{Kind: rdf.TripleTerm, Triple: &l.triple, Pos: pos}
	to.Repaired = l.subject.Repaired || l.predicate.Repaired || l.object.Repaired
	return fault.Notice{}, true
}

// part reads the current token as a part of the statement.
func (m *mender) part(to *terms.Held, name string) (fault.Notice, bool) {
	switch k := m.Tok.Kind; {
	case k == lex.EndOfText:
		return m.Notice(fault.SyntaxIncomplete, fault.Drop, m.Ended, "the line ends where %s was expected", name), false
	case k == lex.OpenTriple:
		return m.Misplaced(name), false
	case !k.IsTerm():
		return m.Unexpected(name), false
	case k.IsLiteral() && name != "an object", k == lex.Label && name == "a predicate", k == lex.A && name != "a predicate":
		return m.Misplaced(name), false
	case name == "a predicate" && !m.TakeNamed(to, "the predicate"), name != "a predicate" && !m.Take(to):
		return m.Problem, false
	case k == lex.A, k.IsLiteral() && k != lex.String, k == lex.String && (m.Tok.Quote == 3 || m.Bytes(&m.Tok)[0] == '\''):
		to.Repaired = true
		m.Repair(fault.SyntaxTurtleInLine, m.Tok.Pos, "%s was read as Turtle reads it", k)
	}
	return fault.Notice{}, true
}

// tag reads what may follow the string of a literal, and the token after that.
func (m *mender) tag(to *terms.Held) (fault.Notice, bool) {
	m.Next()
	if k := m.Tok.Kind; k == lex.Language || k == lex.Prefix || k == lex.Base || k == lex.Version {
		m.TakeLanguage(to)
		m.Next()
	}
	if m.Tok.Kind != lex.Carets {
		return fault.Notice{}, true
	}
	both := m.Tok.Pos
	m.Next()
	if k := m.Tok.Kind; k != lex.IRI && k != lex.Name {
		return m.Misplaced("the IRI of a datatype"), false
	}
	if !m.TakeDatatype(to, &m.spare) {
		return m.Problem, false
	}
	if len(to.Language) > 0 && rdf.LanguageType(to.Datatype) == "" {
		return m.Notice(fault.SyntaxUnexpected, fault.Drop, both, terms.NotBoth), false
	}
	m.Next()
	if m.Tok.Kind == lex.Language && m.Tok.From == m.Ended.Offset && m.LacksLanguage(to) {
		m.TakeLanguage(to)
		m.Next()
	}
	return fault.Notice{}, true
}
