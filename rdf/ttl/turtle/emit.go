package turtle

import (
	"cmp"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/ttl/grammar"
	"laundromat/rdf/ttl/terms"
)

// The predicates of lists and of reifiers.
var (
	firstIRI   = []byte(rdf.First)
	restIRI    = []byte(rdf.Rest)
	nilIRI     = []byte(rdf.Nil)
	reifiesIRI = []byte(rdf.Reifies)
)

// commit gives the statement whose object was read to the sink, unless it is lost.
func (r *Reader) commit() {
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
		r.lostWith(&f.subject, "subject")
	case f.predicate.Dead != "":
		r.lostWith(&f.predicate, "predicate")
	case r.plan.doubts(r.object.Pos.Offset):
		r.lostUnsure()
	default:
		if f.fresh {
			f.fresh = false
			r.learn(f)
		}
		sure := (f.role == grammar.AsObject || f.role == grammar.AsNotes) && !f.afterComma && (f.verbs == 1 || f.inside)
		r.emit(&f.subject.Term, &f.predicate.Term, &r.object.Term, f.subject.Repaired || f.predicate.Repaired || r.object.Repaired, sure)
	}
	f.lost = false
	r.object.Clear()
}

// gives says that the statement whose object was read will be given, with the repairs that wait for it.
func (r *Reader) gives() bool {
	if r.object.Kind == rdf.NoTerm {
		return false
	}
	f := r.top()
	return !f.lost && f.subject.Dead == "" && f.predicate.Dead == "" && r.graph.dead == "" &&
		!r.plan.doubts(r.object.Pos.Offset)
}

// lostWith counts a statement that is lost with a term that it shares with an earlier one.
func (r *Reader) lostWith(h *terms.Held, part string) {
	if r.plan.doubts(h.Pos.Offset) {
		r.lostUnsure()
	} else {
		r.dropObject(h.Dead, "this statement is lost with its "+part+", reported above")
	}
}

// lostUnsure counts a statement that another reading of a broken piece does not have.
func (r *Reader) lostUnsure() {
	r.dropObject(r.plan.code, "this statement is not sure: a fault near it can be read in more than one way")
}

// dropObject counts the statement with the object that was read as lost.
func (r *Reader) dropObject(code fault.Code, message string) {
	r.Withdraw(r.top().atObject)
	r.tell(fault.Notice{Code: code, Severity: fault.Drop, Pos: r.object.Pos, Lost: 1, Message: message, Excerpt: r.shown(&r.object)})
}

// shown is an excerpt for a term that has left the window.
func (r *Reader) shown(h *terms.Held) string {
	line := rdf.AppendTerm(nil, &rdf.Term{Kind: h.Kind, Anonymous: h.Anonymous, Language: h.Language, Datatype: h.Datatype,
		Direction: h.Direction, Triple: h.Triple,
		Value: h.Value[:min(len(h.Value), fault.MaxExcerpt)]})
	return fault.Excerpt(line)
}

// emit gives a quad of the current graph to the sink. If the quad is right even when a bracket that is open now is
// never closed, sure is true.
func (r *Reader) emit(subject, predicate, object *rdf.Term, repaired, sure bool) {
	if r.graph.dead != "" {
		r.Withdraw(r.Told)
		r.tell(fault.Notice{Code: r.graph.dead, Severity: fault.Drop, Pos: subject.Pos, Lost: 1,
			Message: "this statement is lost with its graph, reported above", Excerpt: r.shown(&r.object)})
		return
	}
	r.Tell()
	r.quad.Subject, r.quad.Predicate, r.quad.Object, r.quad.Graph = *subject, *predicate, *object, r.graph.name.Term
	r.quad.Repaired = repaired || r.graph.name.Repaired
	if r.held.open > 0 {
		r.withhold(&r.quad, sure)
	} else if err := r.To.Quad(&r.quad); err != nil && r.sinkErr == nil {
		r.sinkErr = &rdf.SinkError{Err: err}
	}
}

// lose reports a fault of the statement that is being read; the first costs it. The notice waits, since that may be
// read again from the last place where nothing was held back.
func (r *Reader) lose(n fault.Notice) {
	if f := r.top(); !f.lost {
		n.Lost = 1
		f.lost = true
	}
	r.losses = append(r.losses, n)
}

// tell gives a notice to the sink, behind those that wait.
func (r *Reader) tell(n fault.Notice) {
	r.tellLosses()
	r.To.Notice(n)
}

// tellLosses gives the notices of losses that wait.
func (r *Reader) tellLosses() {
	for i := range r.losses {
		r.To.Notice(r.losses[i])
	}
	r.losses = r.losses[:0]
}

// list is the state of a ( ): its first node and the current one, 0 if there is none. A member that is lost keeps
// its place: the node is there, without rdf:first.
type list struct {
	head, cell uint64
	// member says that object holds one that is not given yet; made that the current node has none, since the text is
	// read again.
	member, made bool
	// uncounted is why nothing shows how many members are between the current node and what comes.
	uncounted fault.Code
}

// nextCell makes the node for the member that begins with the current token.
func (r *Reader) nextCell(f *frame) {
	if f.list.made {
		f.list.made = false
		f.atObject = r.Repairs()
		return
	}
	r.commitMember(f)
	unsure := r.plan.code
	if !r.plan.doubts(r.Tok.From) {
		unsure = ""
	}
	f.list.uncounted = cmp.Or(unsure, f.list.uncounted)
	r.anonymous++
	node := rdf.Term{Kind: rdf.BlankNode, Anonymous: r.anonymous, Pos: r.Tok.Pos}
	if f.list.cell == 0 {
		f.list.head = r.anonymous
	} else {
		r.link(f, &node)
	}
	f.list.cell, f.list.uncounted = r.anonymous, unsure
	f.subject.SetNode(f.list.cell, r.Tok.Pos)
	f.atObject = r.Repairs()
}

// commitMember gives the rdf:first of the current node.
func (r *Reader) commitMember(f *frame) {
	if !f.list.member {
		return
	}
	f.list.member = false
	switch {
	case f.lost:
		r.Withdraw(f.atObject)
	case r.object.Kind == rdf.NoTerm:
	case f.doomed != "":
		r.lostWith(&terms.Held{Dead: f.doomed}, "list")
	case r.plan.doubts(r.object.Pos.Offset):
		r.lostUnsure()
	default:
		r.emit(&f.subject.Term, &rdf.Term{Kind: rdf.IRI, Value: firstIRI, Pos: r.object.Pos}, &r.object.Term, r.object.Repaired,
			f.role == grammar.AsObject)
	}
	f.lost = false
	r.object.Clear()
}

// link gives the rdf:rest of the current node.
func (r *Reader) link(f *frame, to *rdf.Term) {
	if f.doomed != "" {
		return
	}
	if f.list.uncounted != "" {
		r.tell(fault.Notice{Code: cmp.Or(f.list.uncounted, fault.SyntaxUnclosedString), Severity: fault.Drop, Pos: f.subject.Pos, Lost: 1,
			Message: "how many members of the list follow is not known: this node has no rdf:rest", Excerpt: r.shown(&f.subject)})
		f.list.uncounted = ""
		return
	}
	r.emit(&f.subject.Term, &rdf.Term{Kind: rdf.IRI, Value: restIRI, Pos: to.Pos}, to, false, f.role == grammar.AsObject)
}
