package ttl

import (
	"laundromat/internal/fault"
	"laundromat/rdf"
)

// directive reads
//
//	prefixID     ::= '@prefix' PNAME_NS IRIREF '.'
//	base         ::= '@base' IRIREF '.'
//	sparqlPrefix ::= "PREFIX" PNAME_NS IRIREF
//	sparqlBase   ::= "BASE" IRIREF
func (r *turtle) directive() {
	kind, pos := r.tok.kind, r.tok.pos
	r.withdraw(r.told)
	repairs := r.seen()
	if (kind == prefixToken || kind == baseToken) && r.tok.forbidden {
		r.repair(fault.SyntaxDirective, pos, "a directive with @ is written in lower case")
	}
	if r.inGraph {
		r.repair(fault.SyntaxDirective, pos, "a directive can't stand within a graph; it was obeyed")
	}
	r.next()
	var ns *namespace
	if kind == prefixToken || kind == sparqlPrefix {
		if ns = r.prefix(); ns == nil {
			r.recover(r.brokenDirective("the prefix and its colon"), false)
			return
		}
	}
	if r.tok.kind != iriToken {
		r.recover(r.brokenDirective("an IRI"), false)
		return
	}
	text := r.bytes(&r.tok)
	from, to := withoutWhite(text[1 : len(text)-1])
	whole := absolute(text[1+from : 1+to])
	sound := r.takeNamed(&r.spare, "a base or a namespace")
	switch {
	case ns != nil && sound:
		*ns = namespace{prefix: ns.prefix, iri: append(ns.iri[:0], r.spare.Value...), endsInHost: rdf.EndsWithHost(r.spare.Value)}
	case ns != nil:
		*ns = namespace{prefix: ns.prefix, dead: r.spare.dead}
	case sound:
		r.baseIRI.set(r.spare.Value)
		if whole {
			r.baseIRI.isFile, r.baseIRI.used = false, nil
		}
	}
	if !sound && r.spare.dead != fault.IRINoBase {
		// without a base, each statement that needs it will tell
		n := r.problem
		n.Lost = 1
		r.to.Notice(n)
	}
	// what is declared by a directive that had to be repaired is repaired where it is used
	repaired := r.spare.repaired || r.seen() > repairs
	r.next()
	repaired = r.endDirective(kind) || repaired
	switch {
	case !sound:
	case ns != nil:
		ns.repaired = repaired
	default:
		r.baseIRI.repaired = repaired
	}
	r.tell()
}

// version reads
//
//	version          ::= '@version' VersionSpecifier '.'
//	sparqlVersion    ::= "VERSION" VersionSpecifier
//	VersionSpecifier ::= STRING_LITERAL_QUOTE | STRING_LITERAL_SINGLE_QUOTE
//
// A version changes nothing: all that RDF 1.2 knows is read anyway.
func (r *turtle) version() {
	kind := r.tok.kind
	r.withdraw(r.told)
	if kind == versionToken && r.tok.forbidden {
		r.repair(fault.SyntaxDirective, r.tok.pos, "a directive with @ is written in lower case")
	}
	if r.inGraph {
		r.repair(fault.SyntaxDirective, r.tok.pos, "a directive can't stand within a graph; it was obeyed")
	}
	if r.next(); !r.takeVersion() {
		r.recover(r.brokenDirective("a version in quotation marks"), false)
		return
	}
	r.next()
	r.endDirective(kind)
	r.tell()
}

// charset passes the rule of style sheets that tells an encoding, which package encoding has
// heard. False means that it is none: nothing is passed.
func (r *turtle) charset() bool {
	m, pos := r.mark(), r.tok.pos
	r.next()
	if r.tok.kind != stringToken {
		r.reset(m)
		return false
	}
	r.withdraw(r.told)
	r.to.Notice(r.notice(fault.SyntaxDirective, fault.Repair, pos, "@charset is a directive of style sheets; it was ignored"))
	r.next()
	if r.tok.kind == semicolon || r.tok.kind == dot {
		r.next()
	}
	return true
}

// endDirective looks for the dot that only the directives with @ have. True means that
// it had to be supplied; one too many changes nothing in what is declared.
func (r *turtle) endDirective(kind tokenKind) (supplied bool) {
	wanted := kind == prefixToken || kind == baseToken || kind == versionToken
	switch {
	case r.tok.kind == dot && !wanted:
		r.repair(fault.SyntaxDirective, r.tok.pos, "directives without @ have no dot at the end; it was ignored")
		r.next()
	case r.tok.kind == dot:
		r.next()
	case wanted && (r.tok.pos.Line > r.ended.Line || r.tok.kind == endOfText):
		r.repair(fault.SyntaxMissingDot, r.ended, "the dot at the end of this directive is missing")
		return true
	case wanted && r.tok.kind == semicolon && r.endsDirective():
		r.repair(fault.SyntaxDirective, r.tok.pos, "this semicolon stands for the dot of the directive")
		r.next()
		return true
	case wanted:
		r.tell()
		r.recover(r.unexpected("the dot of a directive"), false)
	}
	return false
}

// endsDirective says that a directive or a statement begins behind the present token.
func (r *turtle) endsDirective() bool {
	m := r.mark()
	r.next()
	begins := r.beginsStatement(false)
	r.reset(m)
	return begins
}

// prefix reads PNAME_NS, and gives the place for its namespace, which has none yet.
// Nil if there is no prefix.
func (r *turtle) prefix() *namespace {
	text := r.bytes(&r.tok)
	switch {
	case r.tok.kind == nameToken && r.tok.colon == len(text)-1:
		text = text[:r.tok.colon]
	case r.tok.kind == brokenToken && r.tok.code == fault.SyntaxWord:
		if r.nextKind() != iriToken {
			return nil
		}
		r.repair(fault.SyntaxDirective, r.tok.pos, "the colon after the prefix is missing")
		text = r.bytes(&r.tok)
	default:
		return nil
	}
	ns := r.prefixes[string(text)]
	if ns == nil {
		ns = &namespace{prefix: string(text)}
		r.prefixes[ns.prefix] = ns
	}
	*ns = namespace{prefix: ns.prefix, iri: ns.iri[:0], dead: fault.SyntaxDirective}
	r.next()
	return ns
}

func (r *turtle) brokenDirective(wanted string) fault.Notice {
	return r.notice(fault.SyntaxDirective, fault.Drop, r.tok.pos, "%s stands where this directive needs %s", r.tok.kind, wanted)
}
