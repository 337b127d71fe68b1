package ttl

import (
	"bytes"
	"cmp"
	"unicode/utf8"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/ttl/lex"
	"laundromat/rdf/ttl/terms"
)

// The predicates of lists.
var (
	firstIRI = []byte(rdf.First)
	restIRI  = []byte(rdf.Rest)
	nilIRI   = []byte(rdf.Nil)
)

// commit gives the statement whose object was read to the sink, unless it is lost.
func (r *turtle) commit() {
	f := r.top()
	if f.notes != nil {
		r.giveReifier(f)
		f.notes = nil
	}
	switch {
	case f.lost:
		r.Withdraw(f.atObject)
	case r.object.Kind == rdf.NoTerm:
	case f.subject.Dead != "":
		r.lostWith(f.subject.Dead, "subject")
	case f.predicate.Dead != "":
		r.lostWith(f.predicate.Dead, "predicate")
	default:
		if f.fresh {
			f.fresh, r.justLeft = false, false
			r.learn(f)
		}
		sure := (f.role == asObject || f.role == asNotes) && !f.afterComma && !f.odd && (f.verbs == 1 || f.inside)
		r.emit(&f.subject.Term, &f.predicate.Term, &r.object.Term, f.subject.Repaired || f.predicate.Repaired || r.object.Repaired, sure)
	}
	f.lost = false
	r.object.Clear()
}

// lostWith counts a statement that is lost with a term that it shares with an
// earlier one.
func (r *turtle) lostWith(code fault.Code, part string) {
	r.Withdraw(r.top().atObject)
	r.To.Notice(fault.Notice{Code: code, Severity: fault.Drop, Pos: r.object.Pos, Lost: 1,
		Message: "this statement is lost with its " + part + ", told of above", Excerpt: r.shown(&r.object)})
}

// shown is an excerpt for a term that has left the window.
func (r *turtle) shown(h *terms.Held) string {
	line := rdf.AppendTerm(nil, &rdf.Term{Kind: h.Kind, Anonymous: h.Anonymous, Language: h.Language, Datatype: h.Datatype, Direction: h.Direction, Triple: h.Triple,
		Value: h.Value[:min(len(h.Value), fault.MaxExcerpt)]})
	return fault.Excerpt(line)
}

// emit gives a quad of the current graph to the sink. If the quad is right even when a
// bracket that is open now is never closed, sure is true.
func (r *turtle) emit(subject, predicate, object *rdf.Term, repaired, sure bool) {
	if r.graphDead != "" {
		r.Withdraw(r.Told)
		r.To.Notice(fault.Notice{Code: r.graphDead, Severity: fault.Drop, Pos: subject.Pos, Lost: 1,
			Message: "this statement is lost with its graph, told of above", Excerpt: r.shown(&r.object)})
		return
	}
	r.Tell()
	r.quad.Subject, r.quad.Predicate, r.quad.Object, r.quad.Graph = *subject, *predicate, *object, r.graph.Term
	r.quad.Repaired = repaired || r.graph.Repaired
	if r.withheld.open > 0 {
		r.withhold(&r.quad, sure)
	} else if err := r.To.Quad(&r.quad); err != nil && r.sinkErr == nil {
		r.sinkErr = &rdf.SinkError{Err: err}
	}
}

// lose reports a fault of the statement that is being read; the first costs it.
func (r *turtle) lose(n fault.Notice) {
	f := r.top()
	if !f.lost {
		n.Lost = 1
		f.lost = true
	}
	r.To.Notice(n)
}

// unexpected is the notice that the current token may not be here.
func (r *turtle) unexpected(wanted string) fault.Notice {
	return r.Reader.Unexpected(wanted)
}

// listMember reads
//
//	collection ::= '(' object* ')'
//
// A member that is lost keeps its place in the list: the node is there, without
// rdf:first.
func (r *turtle) listMember() {
	f := r.top()
	switch k := r.Tok.Kind; {
	case k == lex.CloseList:
		r.commitMember(f)
		if f.cell != 0 {
			r.link(f, &rdf.Term{Kind: rdf.IRI, Value: nilIRI, Pos: r.Tok.Pos})
		}
		r.closeBracket()
	case k == lex.OpenProperties, k == lex.OpenList:
		r.nextCell(f)
		r.bracket(asObject)
	case k == lex.OpenReified, k == lex.OpenTriple:
		r.nextCell(f)
		r.triple(asObject)
	case k == lex.Symbol && r.isNoise():
		n := r.unexpected("a member of a list")
		n.Lost, n.Bytes = 1, r.Tok.To-r.Tok.From
		r.To.Notice(n)
		r.Next()
	case k == lex.Symbol, k == lex.Unclosed, k == lex.A,
		k == lex.Broken && (r.Tok.Code == fault.SyntaxWord || r.Tok.From == r.Ended.Offset && r.Tok.Code != fault.SyntaxUnclosedIRI):
		r.oddMember(f)
	case k == lex.Graph, k.IsDirective() && !r.isDirective():
		r.oddMember(f)
	case (k.IsVerb() || k == lex.Label) && r.startsLine() && (r.hasGraphs() && r.graphBegins() || r.standsOutside()):
		r.recover(r.unexpected("a member of a list or )"), true)
	case k.IsTerm():
		if undeclared := k == lex.Name && !r.isDeclared(); undeclared || k == lex.Broken {
			if r.doubtCount(f); undeclared {
				f.doubt = fault.SyntaxUndeclaredPrefix
			}
		}
		r.nextCell(f)
		f.unsure = k == lex.Broken && r.Tok.Code == fault.SyntaxUnclosedIRI && r.holdsName()
		r.readTerm()
	default:
		r.recover(r.unexpected("a member of a list or )"), true)
	}
}

// oddMember deals with the current token, which is no term, where a member of a list should be.
// A word alone, such as the keyword a, is a member that is lost; of more than one nothing shows how
// many members they were.
func (r *turtle) oddMember(f *frame) {
	n := r.unexpected("a member of a list")
	if f.member && r.Tok.From == r.Ended.Offset && r.Tok.Quote == 0 {
		r.recover(n, true) // of the member before
		return
	}
	quoted := r.holdsQuote()
	k := r.Tok.Kind
	word := k == lex.A || k == lex.Broken || k == lex.Symbol || k == lex.Graph || k.IsDirective()
	alone := word && r.goesOnBehind()
	r.doubtCount(f)
	switch bare := r.text.To != r.Ended.Offset; {
	case !f.member || f.lost || r.object.Kind != rdf.Literal:
	case bare && (f.flawed || quoted): // a bare value before words: a quotation mark is missing, and it is one of them
		r.lose(n)
	case !bare && k == lex.Broken && !alone:
		r.lose(r.Notice(fault.SyntaxUnclosedString, fault.Drop, r.text.Pos, "words follow this string: most likely the quotation mark that ends it stands in it, and is not escaped"))
	}
	if f.cell == 0 || alone || k == lex.Unclosed {
		r.nextCell(f)
	} else {
		r.commitMember(f)
		f.unsure = true
	}
	r.object.Clear()
	f.member = true
	if !alone {
		r.recover(n, true)
		return
	}
	r.lose(n)
	r.Next()
	if k := r.Tok.Kind; k == lex.Language || k == lex.Carets {
		r.object.Dead = n.Code
		r.state = expectTag
	} else if quoted && k == lex.String { // its quotation mark may be the end of another string
		r.object.Dead = n.Code
		r.Next()
		r.state = expectTag
	}
}

// holdsQuote looks ahead whether a quotation mark is right after the current token.
func (r *turtle) holdsQuote() bool {
	m := r.Mark()
	r.Next()
	is := r.Tok.Quote > 0 && r.Tok.From == r.Ended.Offset
	r.Reset(m)
	return is
}

// doubtCount is called before a member that is at fault: where the one before is so, too, both may be pieces of one.
func (r *turtle) doubtCount(f *frame) {
	if !f.unsure {
		f.unsure, f.doubt = f.member && f.lost, ""
	}
}

// goesOnBehind looks ahead whether the list goes on soundly after the current token.
func (r *turtle) goesOnBehind() bool {
	const enough = 3
	// as a value has one, a word may
	v := r.walk(walker{frames: r.depth, inGraph: r.inGraph, state: expectTag, skip: true, limit: enough})
	return v.tokens == enough || v.sound()
}

// holdsName says that a name with a prefix, which would be another member, may be in the current token. That is an
// IRI without its >, which ends where another token begins.
func (r *turtle) holdsName() bool {
	text := r.Bytes(&r.Tok)
	for i := bytes.IndexByte(text, ':') + 1; i > 0 && i < len(text); i++ {
		if text[i] != ':' {
			continue
		}
		for from := i; from > 0 && lex.Class[text[from-1]]&lex.NameInside != 0; from-- {
			if r.Prefixes[string(text[from-1:i])] != nil {
				return true
			}
		}
	}
	return false
}

// isNoise says that the current token is alone and is made of bytes that no text has. It was
// put between two members, and is no member.
func (r *turtle) isNoise() bool {
	controls := true
	for _, c := range r.Bytes(&r.Tok) {
		if c >= ' ' && c < 0x7F {
			return false
		}
		controls = controls && c < ' '
	}
	before, behind := r.Tok.From-r.Base-1, r.Tok.To-r.Base
	return (controls || !utf8.Valid(r.Bytes(&r.Tok))) && (before < 0 || r.Buf[before] <= ' ' || r.Buf[before] == '(') &&
		(behind >= int64(len(r.Buf)) || r.Buf[behind] <= ' ' || r.Buf[behind] == ')')
}

// nextCell makes the node for the member that begins with the current token.
func (r *turtle) nextCell(f *frame) {
	r.commitMember(f)
	r.anonymous++
	node := rdf.Term{Kind: rdf.BlankNode, Anonymous: r.anonymous, Pos: r.Tok.Pos}
	if f.cell == 0 {
		f.head = r.anonymous
	} else {
		r.link(f, &node)
	}
	f.cell = r.anonymous
	f.subject.SetNode(f.cell, r.Tok.Pos)
	f.atObject = r.Repairs()
}

// commitMember gives the rdf:first of the current node.
func (r *turtle) commitMember(f *frame) {
	if !f.member {
		return
	}
	f.member = false
	if f.lost {
		f.flawed = true
		r.Withdraw(f.atObject)
	} else if r.object.Kind != rdf.NoTerm {
		r.emit(&f.subject.Term, &rdf.Term{Kind: rdf.IRI, Value: firstIRI, Pos: r.object.Pos}, &r.object.Term, r.object.Repaired, f.role == asObject)
	}
	f.lost = false
	r.object.Clear()
}

// link gives the rdf:rest of the current node.
func (r *turtle) link(f *frame, to *rdf.Term) {
	if f.unsure {
		f.unsure = false
		r.To.Notice(fault.Notice{Code: cmp.Or(f.doubt, fault.SyntaxUnclosedString), Severity: fault.Drop, Pos: f.subject.Pos, Lost: 1,
			Message: "how many members of the list follow is not known: this node has no rdf:rest", Excerpt: r.shown(&f.subject)})
		return
	}
	r.emit(&f.subject.Term, &rdf.Term{Kind: rdf.IRI, Value: restIRI, Pos: to.Pos}, to, false, f.role == asObject)
}
