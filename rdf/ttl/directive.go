package ttl

import (
	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/ttl/lex"
	"laundromat/rdf/ttl/terms"
)

// directive reads
//
//	prefixID     ::= '@prefix' PNAME_NS IRIREF '.'
//	base         ::= '@base' IRIREF '.'
//	sparqlPrefix ::= "PREFIX" PNAME_NS IRIREF
//	sparqlBase   ::= "BASE" IRIREF
func (r *turtle) directive() {
	kind, pos := r.Tok.Kind, r.Tok.Pos
	r.Withdraw(r.Told)
	repairs := r.Repairs()
	if (kind == lex.Prefix || kind == lex.Base) && r.Tok.Forbidden {
		r.Repair(fault.SyntaxDirective, pos, "a directive with @ is written in lower case")
	}
	if r.inGraph {
		r.Repair(fault.SyntaxDirective, pos, "a directive can't stand within a graph; it was obeyed")
	}
	r.Next()
	var ns *terms.Namespace
	if kind == lex.Prefix || kind == lex.SPARQLPrefix {
		if ns = r.prefix(); ns == nil {
			r.recover(r.brokenDirective("the prefix and its colon"), false)
			return
		}
	}
	if r.Tok.Kind != lex.IRI {
		r.recover(r.brokenDirective("an IRI"), false)
		return
	}
	text := r.Bytes(&r.Tok)
	from, to := lex.WithoutWhite(text[1 : len(text)-1])
	whole := lex.Absolute(text[1+from : 1+to])
	sound := r.TakeNamed(&r.spare, "a base or a namespace")
	switch {
	case ns != nil && sound:
		*ns = terms.Namespace{Prefix: ns.Prefix, IRI: append(ns.IRI[:0], r.spare.Value...), EndsInHost: rdf.EndsWithHost(r.spare.Value)}
		r.in.DeclarePrefix([]byte(ns.Prefix), ns.IRI)
	case ns != nil:
		*ns = terms.Namespace{Prefix: ns.Prefix, Dead: r.spare.Dead}
	case sound:
		r.BaseIRI.Set(r.spare.Value)
		if whole {
			r.BaseIRI.IsFile, r.BaseIRI.Used = false, nil
		}
	}
	if !sound && r.spare.Dead != fault.IRINoBase {
		// without a base, each statement that needs it will report that
		n := r.Problem
		n.Lost = 1
		r.To.Notice(n)
	}
	// what is declared by a directive that had to be repaired is repaired where it is used
	repaired := r.spare.Repaired || r.Repairs() > repairs
	r.Next()
	repaired = r.endDirective(kind) || repaired
	switch {
	case !sound:
	case ns != nil:
		ns.Repaired = repaired
	default:
		r.BaseIRI.Repaired = repaired
	}
	r.Tell()
}

// version reads
//
//	version          ::= '@version' VersionSpecifier '.'
//	sparqlVersion    ::= "VERSION" VersionSpecifier
//	VersionSpecifier ::= STRING_LITERAL_QUOTE | STRING_LITERAL_SINGLE_QUOTE
//
// A version changes nothing: all that RDF 1.2 knows is read anyway.
func (r *turtle) version() {
	kind := r.Tok.Kind
	r.Withdraw(r.Told)
	if kind == lex.Version && r.Tok.Forbidden {
		r.Repair(fault.SyntaxDirective, r.Tok.Pos, "a directive with @ is written in lower case")
	}
	if r.inGraph {
		r.Repair(fault.SyntaxDirective, r.Tok.Pos, "a directive can't stand within a graph; it was obeyed")
	}
	if r.Next(); !r.TakeVersion() {
		r.recover(r.brokenDirective("a version in quotation marks"), false)
		return
	}
	r.Next()
	r.endDirective(kind)
	r.Tell()
}

// charset passes the rule of style sheets that names an encoding, which package encoding has
// heard. False means that it is none: nothing is passed.
func (r *turtle) charset() bool {
	m, pos := r.Mark(), r.Tok.Pos
	r.Next()
	if r.Tok.Kind != lex.String {
		r.Reset(m)
		return false
	}
	r.Withdraw(r.Told)
	r.To.Notice(r.Notice(fault.SyntaxDirective, fault.Repair, pos, "@charset is a directive of style sheets; it was ignored"))
	r.Next()
	if r.Tok.Kind == lex.Semicolon || r.Tok.Kind == lex.Dot {
		r.Next()
	}
	return true
}

// endDirective looks for the dot that only the directives with @ have. True means that
// it had to be supplied; a superfluous one changes nothing in what is declared.
func (r *turtle) endDirective(kind lex.Kind) (supplied bool) {
	wanted := kind == lex.Prefix || kind == lex.Base || kind == lex.Version
	switch {
	case r.Tok.Kind == lex.Dot && !wanted:
		r.Repair(fault.SyntaxDirective, r.Tok.Pos, "directives without @ have no dot at the end; it was ignored")
		r.Next()
	case r.Tok.Kind == lex.Dot:
		r.Next()
	case wanted && (r.Tok.Pos.Line > r.Ended.Line || r.Tok.Kind == lex.EndOfText):
		r.Repair(fault.SyntaxMissingDot, r.Ended, "the dot at the end of this directive is missing")
		return true
	case wanted && r.Tok.Kind == lex.Semicolon && r.endsDirective():
		r.Repair(fault.SyntaxDirective, r.Tok.Pos, "this semicolon stands for the dot of the directive")
		r.Next()
		return true
	case wanted:
		r.Tell()
		r.recover(r.unexpected("the dot of a directive"), false)
	}
	return false
}

// endsDirective says that a directive or a statement begins after the current token.
func (r *turtle) endsDirective() bool {
	m := r.Mark()
	r.Next()
	begins := r.beginsStatement(false)
	r.Reset(m)
	return begins
}

// prefix reads PNAME_NS, and gives the place for its namespace, which has none yet.
// Nil if there is no prefix.
func (r *turtle) prefix() *terms.Namespace {
	text := r.Bytes(&r.Tok)
	switch {
	case r.Tok.Kind == lex.Name && r.Tok.Colon == len(text)-1:
		text = text[:r.Tok.Colon]
	case r.Tok.Kind == lex.Broken && r.Tok.Code == fault.SyntaxWord:
		if r.nextKind() != lex.IRI {
			return nil
		}
		r.Repair(fault.SyntaxDirective, r.Tok.Pos, "the colon after the prefix is missing")
		text = r.Bytes(&r.Tok)
	default:
		return nil
	}
	ns := r.Prefixes[string(text)]
	if ns == nil {
		ns = &terms.Namespace{Prefix: string(text)}
		r.Prefixes[ns.Prefix] = ns
	}
	*ns = terms.Namespace{Prefix: ns.Prefix, IRI: ns.IRI[:0], Dead: fault.SyntaxDirective}
	r.Next()
	return ns
}

func (r *turtle) brokenDirective(wanted string) fault.Notice {
	return r.Notice(fault.SyntaxDirective, fault.Drop, r.Tok.Pos, "%s stands where this directive needs %s", r.Tok.Kind, wanted)
}
