package turtle

import (
	"bytes"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/ttl/grammar"
	"laundromat/rdf/ttl/lex"
	"laundromat/rdf/ttl/terms"
)

// N3 is Turtle with formulae: statements in { } that are not said to be so. They are terms, of which RDF
// has none. So each statement with one is lost, and all others are kept.

// turnsN3 says that the { that is the current token begins a formula, and no graph. The text is N3 then, and the
// token is read anew. What it would do as a brace is act.
func (r *Reader) turnsN3(act grammar.Act) bool {
	before := bytes.TrimRight(r.Buf[:r.Tok.From-r.Base], " \t\r\n")
	if r.Formulae || r.TriG && r.graph.count > 0 || bytes.HasSuffix(before, []byte(":-")) {
		return false
	}
	m, ended, marks, marked := r.Mark(), r.Ended, len(r.Marks), r.Marked
	r.Formulae = true
	r.Formulae = r.isFormula(m.Tok.Pos, act)
	r.Reset(m)
	r.Marks, r.Marked = r.Marks[:marks], marked // what is in a formula was not looked at
	if r.Formulae {
		r.TriG = false
		r.Seek(m.Tok.Pos, m.Tok.From)
		r.Next()
		r.Ended = ended
	}
	return r.Formulae
}

// isFormula says whether the { at a place, which is looked at as N3, is that of a formula. What is behind
// its } shows it.
func (r *Reader) isFormula(at fault.Pos, act grammar.Act) bool {
	r.Seek(at, at.Offset)
	if r.Next(); r.Tok.Kind != lex.Formula || r.Beyond() {
		return false
	}
	r.Next()
	switch k := r.Tok.Kind; {
	case k == lex.Arrow:
		return string(r.Bytes(&r.Tok)) != "=" || act == grammar.OpenGraph
	case act == grammar.OpenGraph && r.at.Expect == grammar.Block && k.IsVerb():
		// Behind a graph comes a whole statement.
		if r.Next(); r.Tok.Kind.IsTerm() {
			r.Next()
			return r.endsObject()
		}
		return false
	case act == grammar.Refused && (r.endsObject() || k.Closes()):
		return r.beginsStatement(at)
	}
	return false
}

// endsObject says that the current token may follow the last object of a predicate.
func (r *Reader) endsObject() bool {
	k := r.Tok.Kind
	return k == lex.Dot || k == lex.Semicolon || k == lex.Comma
}

// beginsStatement says that a statement is behind the { at a place. Where a predicate with its object is
// there, the brace may stand for a bracket.
func (r *Reader) beginsStatement(at fault.Pos) bool {
	r.Seek(at, at.Offset+1)
	if r.Next(); r.Tok.Kind == lex.CloseGraph || r.Tok.Kind == lex.Quantifier {
		return true
	}
	if !r.Tok.Kind.BeginsSubject() {
		return false
	}
	if r.Next(); !r.Tok.Kind.IsVerb() && r.Tok.Kind != lex.Formula {
		return false
	}
	r.Next()
	return r.Tok.Kind.IsTerm() || r.Tok.Kind.Opens()
}

// takeTerm takes the current token as a term of the statement that is being read, which is lost if it is none.
func (r *Reader) takeTerm(h *terms.Held) bool { return r.tookTerm(h, r.Take(h)) }

// tookTerm is behind an attempt to take a term. A rule has two formulae, and is told once.
func (r *Reader) tookTerm(h *terms.Held, taken bool) bool {
	switch {
	case !taken:
		if r.Problem.Code != fault.SyntaxFormula || !r.top().lost {
			r.lose(r.Problem)
		}
		return false
	case h.Kind == rdf.IRI && len(r.variables) > 0 && r.variables[string(h.Value)]:
		h.Dead = fault.SyntaxFormula
		if !r.top().lost {
			r.lose(r.Notice(h.Dead, fault.Drop, h.Pos, "this IRI is the name of a variable of N3; RDF has no term for it"))
		}
		return false
	}
	return true
}

// passForeign passes what other languages have and no statement: @charset of style sheets, and quantifiers
// of N3. False means that the current token, of kind k, begins neither.
func (r *Reader) passForeign(k lex.Kind) bool {
	switch k {
	case lex.Language:
		return r.passCharset()
	case lex.Quantifier:
		return r.passQuantifier()
	}
	return false
}

// passQuantifier passes @forAll or @forSome with the names of variables behind it. Statements with these are lost.
func (r *Reader) passQuantifier() bool {
	if r.at.Expect != grammar.Block {
		return false
	}
	n := r.Notice(fault.SyntaxFormula, fault.Drop, r.Tok.Pos, "variables of N3 are named here; RDF has none")
	n.Lost = 1
	r.tell(n)
	if r.variables == nil {
		r.variables = map[string]bool{}
	}
	for {
		r.Next()
		if k := r.Tok.Kind; k != lex.IRI && k != lex.Name {
			break
		}
		if before := r.Repairs(); r.Take(&r.spare) {
			r.variables[string(r.spare.Value)] = true
		} else {
			r.Withdraw(before)
		}
		if r.Next(); r.Tok.Kind != lex.Comma {
			break
		}
	}
	if r.Tok.Kind == lex.Dot {
		r.Next()
	}
	r.settle(false)
	r.from.before = r.Ended
	return true
}
