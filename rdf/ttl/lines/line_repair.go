package lines

import (
	"bytes"
	"strings"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/ttl/lex"
	"laundromat/rdf/ttl/terms"
)

// tokenLine is a line that is read token by token, with the lexer of Turtle, which knows the repairs.
type tokenLine struct {
	from, to     int64    // the offsets of the line and its end
	levels       []*level // the statement, and the triple terms in it
	graph, spare terms.Held
	quad         rdf.Quad
	isFirst      bool // the statement is the first of the line
	isLast       bool // the line is the last of the text, and has no line end
	onlySubject  bool // the line ends after its first term
	repaired     bool // the statement is, apart from its terms
	named        bool // it was told that it has names with prefixes
}

// level is a statement, or a triple term that is the object of the level before.
type level struct {
	subject, predicate, object terms.Held
	triple                     rdf.Triple
}

func (v *level) isRepaired() bool {
	return v.subject.Repaired || v.predicate.Repaired || v.object.Repaired
}

// mend reads the line at pos, which is whole, up to its end, or what is before its first token. True means that
// another reader is to go on from pos instead; l.syntax says which.
func (l *Reader) mend() (over bool) {
	from := l.Offset()
	if l.skipIndent(); l.Offset() != from {
		return false
	}
	length := bytes.IndexAny(l.Buf[l.Pos:], "\r\n")
	switch {
	case length > l.MaxToken:
		l.longLine()
		return false
	case l.isInString(l.Buf[l.Pos : l.Pos+length]):
		l.Pos += length
		return false
	}
	t := &l.tokens
	t.from, t.to = from, from+int64(length)
	t.isFirst, t.isLast = true, l.unended && l.Pos+length == len(l.Buf)-1
	l.Keep = from
	l.Narrow(t.to)
	broken := l.broken
	for l.Next(); l.Tok.Kind != lex.EndOfText && l.sinkErr == nil; t.isFirst = false {
		start := l.Tok
		t.onlySubject = false
		if t.isFirst && start.Kind.IsDirective() && l.handsOver(&start) {
			return true
		}
		if l.statement() {
			broken = false
			l.Next()
			continue
		}
		broken = t.onlySubject
		l.Withdraw(l.Told)
		if l.handsOver(&start) {
			return true
		}
		l.Widen()
		l.lose(l.Problem)
		l.Narrow(t.to)
		l.toWhole()
	}
	l.Widen()
	l.Keep, l.broken = -1, broken
	l.TellMarks(l.To.Notice)
	l.Pos = int(t.to - l.Base)
	return false
}

// handsOver says that another reader goes on at the statement that begins with start. If not, nothing has changed.
func (l *Reader) handsOver(start *lex.Token) bool {
	if !l.opt.MayHandOver || l.quads > 0 || l.stays {
		return false
	}
	l.Widen()
	if l.handOver(start) {
		return true
	}
	l.Narrow(l.tokens.to)
	return false
}

// toWhole goes to a statement after a faulty one, where the line end between them is lost, or to the end of the line.
// It follows a dot, is whole, and ends the line.
func (l *Reader) toWhole() {
	for l.Tok.Kind != lex.EndOfText {
		isEnd := l.Tok.Kind == lex.Dot && isWhole(l.Buf[l.Pos:])
		if l.Next(); isEnd {
			return
		}
	}
}

// lost says why the statement is lost.
func (l *Reader) lost(n fault.Notice) bool {
	l.Problem = n
	return false
}

func (l *Reader) drop(code fault.Code, pos fault.Pos, format string, args ...any) bool {
	return l.lost(l.Notice(code, fault.Drop, pos, format, args...))
}

// statement reads one statement of the line, the first token of which is present.
// It returns false, and l.Problem says why, if the statement is lost.
func (l *Reader) statement() bool {
	t := &l.tokens
	switch {
	case l.Tok.Kind == lex.SPARQLVersion && t.isFirst:
		return l.version()
	case l.Tok.Kind.IsDirective() && t.isFirst && l.Tok.Kind != lex.SPARQLVersion:
		return l.directive()
	case l.Tok.Kind == lex.Dot && (!t.isFirst || len(bytes.TrimSpace(l.Buf[t.from-l.Base:t.to-l.Base])) == 1):
		n := l.Notice(fault.SyntaxStray, fault.Repair, l.Tok.Pos, "this dot ends nothing; it was ignored")
		l.Edit(&n, l.Tok.From, l.Tok.To, "")
		l.To.Notice(n)
		return true
	case !t.isFirst:
		l.Repair(fault.SyntaxSharedLine, l.Tok.Pos, "a second statement on the same line")
		from := l.Tok.From
		for from > l.Base && (l.Buf[from-l.Base-1] == ' ' || l.Buf[from-l.Base-1] == '\t') {
			from--
		}
		l.EditLast(from, l.Tok.From, "\n")
	}
	t.graph.Clear()
	t.repaired, t.named, l.Holes = !t.isFirst, false, 0
	if !l.triple(0) || !l.graphTerm() || !l.end() {
		return false
	}
	s := t.levels[0]
	if l.Holes > 0 {
		return l.lost(l.HoleWithin(s.subject.Pos.Offset))
	}
	isQuad := t.graph.Kind != rdf.NoTerm
	if !isQuad && l.broken && t.isFirst && l.onlyQuads() {
		return l.drop(fault.SyntaxIncomplete, s.subject.Pos, "this may be the rest of a statement that is broken off before it: all "+
			"others have a graph")
	}
	l.Tell()
	t.quad = rdf.Quad{Subject: s.subject.Term, Predicate: s.predicate.Term, Object: s.object.Term, Graph: t.graph.Term}
	t.quad.Repaired = t.repaired || s.isRepaired() || t.graph.Repaired
	l.note(1, isQuad)
	l.failed(l.To.Quad(&t.quad))
	return true
}

// triple reads the subject, predicate and object of the statement, at depth 0, or of a triple term in it, and goes
// after them.
//
//	object     ::= IRIREF | BLANK_NODE_LABEL | literal | tripleTerm
//	tripleTerm ::= '<<(' subject predicate object ')>>'
func (l *Reader) triple(depth int) bool {
	t := &l.tokens
	if depth == len(t.levels) {
		t.levels = append(t.levels, new(level))
	}
	s := t.levels[depth]
	if !l.part(&s.subject, "a subject") {
		return false
	}
	l.Next()
	if !l.part(&s.predicate, "a predicate") {
		t.onlySubject = depth == 0 && t.isFirst && l.Tok.Kind == lex.EndOfText
		return false
	}
	l.Next()
	if l.Tok.Kind == lex.OpenTriple {
		return l.tripleTerm(&s.object, depth+1)
	}
	if !l.part(&s.object, "an object") {
		return false
	}
	isString := l.Tok.Kind == lex.String
	l.Next()
	return !isString || l.tag(&s.object)
}

// tripleTerm reads a triple term, which so many levels are around.
func (l *Reader) tripleTerm(to *terms.Held, depth int) bool {
	pos := l.Tok.Pos
	if depth > rdf.MaxTriples {
		return l.drop(fault.LimitNesting, pos, "more than %d triple terms are nested", rdf.MaxTriples)
	}
	l.Next()
	if !l.triple(depth) {
		return false
	}
	if l.Tok.Kind != lex.CloseTriple {
		return l.lost(l.Unexpected("the )>> of a triple term"))
	}
	l.Next()
	s := l.tokens.levels[depth]
	s.triple = rdf.Triple{Subject: s.subject.Term, Predicate: s.predicate.Term, Object: s.object.Term}
	to.Clear()
	to.Term = rdf.Term{Kind: rdf.TripleTerm, Triple: &s.triple, Pos: pos}
	to.Repaired = s.isRepaired()
	return true
}

// part reads the current token as a part of the statement.
func (l *Reader) part(to *terms.Held, name string) bool {
	k, isPredicate := l.Tok.Kind, name == "a predicate"
	switch {
	case k == lex.EndOfText:
		return l.drop(fault.SyntaxIncomplete, l.Ended, "the line ends where %s was expected", name)
	case k == lex.OpenTriple, k.IsLiteral() && name != "an object", k == lex.Label && isPredicate, k == lex.A && !isPredicate:
		return l.lost(l.Misplaced(name))
	case !k.IsTerm():
		return l.lost(l.Unexpected(name))
	case isPredicate && !l.TakeNamed(to, "the predicate"), !isPredicate && !l.Take(to):
		return false
	case k == lex.Name:
		to.Repaired = true
		if !l.tokens.named && l.NamespaceOf(l.Bytes(&l.Tok)[:l.Tok.Colon]) != nil { // else it is told by itself
			l.tokens.named = true
			l.Repair(fault.SyntaxTurtleInLine, l.Tok.Pos, "names with prefixes were read as Turtle reads them")
		}
	case k == lex.A, k.IsLiteral() && k != lex.String, k == lex.String && (l.Tok.Quote == 3 || l.Bytes(&l.Tok)[0] == '\''):
		to.Repaired = true
		l.Repair(fault.SyntaxTurtleInLine, l.Tok.Pos, "%s was read as Turtle reads it", k)
		l.editTerm(to)
	}
	return true
}

// editTerm writes the current token, which only Turtle knows, as a line has it. A string in three quotation marks may
// hold what a line can't.
func (l *Reader) editTerm(to *terms.Held) {
	switch word := string(l.Bytes(&l.Tok)); {
	case l.Tok.Kind == lex.A:
		l.EditLast(l.Tok.From, l.Tok.To, "<"+string(to.Value)+">")
	case l.Tok.Kind != lex.String:
		l.EditLast(l.Tok.From, l.Tok.To, `"`+word+`"^^<`+string(to.Datatype)+">")
	case l.Tok.Quote == 1 && !strings.Contains(word, `"`):
		l.EditAround(1, `"`, `"`)
	}
}

// tag reads what may follow the string of a literal, and goes after it.
func (l *Reader) tag(to *terms.Held) bool {
	if k := l.Tok.Kind; k == lex.Language || k == lex.Prefix || k == lex.Base || k == lex.Version {
		l.TakeLanguage(to)
		l.Next()
	}
	if l.Tok.Kind != lex.Carets {
		return true
	}
	both := l.Tok.Pos
	l.Next()
	if k := l.Tok.Kind; k != lex.IRI && k != lex.Name {
		return l.lost(l.Misplaced("the IRI of a datatype"))
	}
	if !l.TakeDatatype(to, &l.tokens.spare) {
		return false
	}
	if len(to.Language) > 0 && rdf.LanguageType(to.Datatype) == "" {
		return l.drop(fault.SyntaxUnexpected, both, terms.NotBoth)
	}
	l.Next()
	if l.Tok.Kind == lex.Language && l.Tok.From == l.Ended.Offset && l.LacksLanguage(to) {
		l.TakeLanguage(to)
		l.Next()
	}
	return true
}

// graphTerm reads the graph, if there is one.
func (l *Reader) graphTerm() bool {
	switch k := l.Tok.Kind; {
	case k == lex.IRI, k == lex.Name, k == lex.Label:
		pos := l.Tok.Pos
		if !l.part(&l.tokens.graph, "a graph") {
			return false
		}
		if l.syntax == NTriples && !l.mayBeQuads() {
			l.tokens.repaired = true
			l.Repair(fault.SyntaxGraphInTriples, pos, "a fourth term: the line was read as N-Quads")
		}
		l.Next()
	case k.IsLiteral():
		return l.lost(l.Misplaced("a graph"))
	}
	return true
}

// end looks at the end of the statement, which is a dot or the end of the line.
func (l *Reader) end() bool {
	t := &l.tokens
	isTriple := t.graph.Kind == rdf.NoTerm
	switch {
	case l.Tok.Kind == lex.Dot && l.Pos < len(l.Buf) && bytes.IndexByte([]byte(" \t#<_\x00"), l.Buf[l.Pos]) < 0:
		return l.drop(fault.SyntaxUnexpected, l.Tok.Pos, "something is right after the dot, which may not be the end of the statement")
	case l.Tok.Kind == lex.Dot:
		return true
	case l.Tok.Kind != lex.EndOfText:
		return l.lost(l.Unexpected("the dot at the end of the line"))
	case t.isLast && (l.CutShort() || l.quads > 0 && isTriple): // its graph may be cut off
		return l.drop(fault.SyntaxUnfinished, l.Ended, "the text ends in the middle of a statement")
	case l.CutShort() && l.dotFollows():
		return l.drop(fault.SyntaxIncomplete, l.Ended, "the line ends without a dot, maybe in the middle of its last term")
	case isTriple && l.onlyQuads():
		return l.drop(fault.SyntaxIncomplete, l.Ended, "the line ends without a dot and without a graph, which all lines before it have")
	}
	t.repaired = true
	l.Repair(fault.SyntaxMissingDot, l.Ended, "the dot at the end of this statement is missing")
	l.EditLast(l.Ended.Offset, l.Ended.Offset, " .")
	return true
}

// dotFollows says that the next line ends with a dot, and is not one. Behind a string it must go on with a tag as well:
// what may follow a string is rarely all that is lost.
func (l *Reader) dotFollows() bool {
	isString := l.Buf[l.Ended.Offset-l.Base-1] == '"'
	l.Widen()
	defer l.Narrow(l.tokens.to)
	_, next, _ := l.lineAt(l.tokens.from)
	line, _, ok := l.lineAt(next)
	line = bytes.Trim(line, " \t")
	if isString && len(line) > 0 && line[0] != '^' && line[0] != '@' {
		return false
	}
	return ok && len(line) > 1 && line[len(line)-1] == '.'
}

// lineAt returns the line at an offset, without its end, and the offset of the next one. There is none at the end of
// the text, nor where it is longer than may be held. The window may have moved.
func (l *Reader) lineAt(at int64) (line []byte, next int64, ok bool) {
	for more := true; ; more = l.Refill() {
		rest := l.Buf[min(int(at-l.Base), len(l.Buf)):]
		n := bytes.IndexAny(rest, "\r\n")
		if (n < 0 || n+1 == len(rest)) && more && len(rest) <= l.MaxToken {
			continue
		}
		if n < 0 {
			n = len(rest)
		}
		next = at + int64(n) + 1
		if n+1 < len(rest) && rest[n] == '\r' && rest[n+1] == '\n' {
			next++
		}
		return rest[:n], next, 0 < len(rest) && n <= l.MaxToken
	}
}

// version reads versionDirective ::= "VERSION" VersionSpecifier, which must be alone on
// its line.
func (l *Reader) version() bool {
	if l.Next(); !l.TakeVersion() {
		return l.drop(fault.SyntaxDirective, l.Tok.Pos, "%s is where this directive needs a version in quotation marks", l.Tok.Kind)
	}
	l.Next()
	if l.Tok.Kind == lex.Dot {
		l.Repair(fault.SyntaxDirective, l.Tok.Pos, "VERSION without @ has no dot at the end; it was ignored")
		l.EditLast(l.Tok.From, l.Tok.To, "")
		l.Next()
	}
	if l.Tok.Kind != lex.EndOfText {
		return l.lost(l.Unexpected("the end of the line"))
	}
	l.Tell()
	return true
}
