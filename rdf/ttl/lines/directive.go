package lines

import (
	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/ttl/grammar"
	"laundromat/rdf/ttl/lex"
	"laundromat/rdf/ttl/terms"
)

// directive reads a directive of Turtle, which lines do not have. What it declares holds, so that names with its prefix
// have their one meaning. False means that it is lost.
func (l *Reader) directive() bool {
	t := &l.tokens
	start, k := l.Tok.Pos, l.Tok.Kind
	var prefix string
	if l.Next(); k == lex.Prefix || k == lex.SPARQLPrefix {
		text := l.Bytes(&l.Tok)
		if l.Tok.Kind != lex.Name || l.Tok.Colon != len(text)-1 {
			return l.drop(fault.SyntaxDirective, l.Tok.Pos, "%s is where this directive needs the prefix and its colon", l.Tok.Kind)
		}
		prefix = string(text[:l.Tok.Colon])
		l.Prefixes[prefix] = &terms.Namespace{Prefix: prefix, Dead: fault.SyntaxDirective}
		l.Next()
	}
	switch {
	case k == lex.Version:
		if !l.TakeVersion() {
			return l.drop(fault.SyntaxDirective, l.Tok.Pos, "%s is where this directive needs a version in quotation marks", l.Tok.Kind)
		}
	case l.Tok.Kind != lex.IRI && !l.RemarkIRI():
		l.loseBase(k)
		return l.drop(fault.SyntaxDirective, l.Tok.Pos, "%s is where this directive needs an IRI", l.Tok.Kind)
	case !l.TakeNamed(&t.spare, "a base or a namespace"):
		l.loseBase(k)
		return false
	case k == lex.Base || k == lex.SPARQLBase:
		l.BaseIRI.Set(t.spare.Value)
		l.BaseIRI.Repaired = true
	default:
		l.Prefixes[prefix] = &terms.Namespace{Prefix: prefix, IRI: append([]byte(nil), t.spare.Value...),
			EndsInHost: rdf.EndsWithHost(t.spare.Value), Repaired: true}
	}
	if l.Next(); l.Tok.Kind != lex.Dot && l.Tok.Kind != lex.EndOfText {
		return l.lost(l.Unexpected("the end of the line"))
	}
	l.Repair(fault.SyntaxTurtleInLine, start, "a directive, which this format does not have; it was obeyed")
	l.Tell()
	return true
}

// lookAhead is how many lines behind one that only Turtle has show whether the lines are N-Quads.
const lookAhead = 64

// quadsFollow says that most of the statements behind the current line have four terms. Then what only Turtle and TriG
// have is a fault of N-Quads, here and further on. Directives may be between them.
func (l *Reader) quadsFollow() bool {
	quads, others := 0, 0
	for n := 0; n < lookAhead && !l.Beyond(); n++ {
		l.passRest(l.Tok.Pos.Line)
		if l.Tok.Kind == lex.EndOfText || l.Tok.Kind == lex.Stopped {
			break
		}
		switch line := l.Tok.Pos.Line; {
		case l.Tok.Kind.IsDirective():
		case l.isQuad(line):
			quads++
		default:
			others++
		}
	}
	l.stays = quads > 2*others
	return l.stays
}

// passRest goes to the first token behind a line.
func (l *Reader) passRest(line int64) {
	for isOn(l.Lexer, line) {
		l.Next()
	}
}

// isQuad says that the statement that begins with the current token is one of four terms, with its dot at the end of
// its line. The current token is one behind what was looked at then.
func (l *Reader) isQuad(line int64) bool {
	var w grammar.Walk
	for ; isOn(l.Lexer, line); l.Next() {
		k := l.Tok.Kind
		if w.Take(k) != grammar.Refused {
			continue
		}
		if w.Depth() != 1 || k != lex.IRI && k != lex.Name && k != lex.Label || w.Expect == grammar.FirstVerb {
			return false
		}
		l.Next()
		return l.Tok.Kind == lex.Dot
	}
	return false
}

// loseBase leaves the document without a base, if a directive of kind k had to name it.
func (l *Reader) loseBase(k lex.Kind) {
	if k == lex.Base || k == lex.SPARQLBase {
		l.BaseIRI.Lose()
	}
}
