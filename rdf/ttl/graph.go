package ttl

import (
	"laundromat/internal/fault"
	"laundromat/rdf"
)

// graphKeyword reads 'GRAPH' labelOrSubject '{'.
func (r *turtle) graphKeyword() {
	r.next()
	r.spare.clear()
	switch k := r.tok.kind; {
	case k == iriToken || k == nameToken || k == labelToken:
		if !r.take(&r.spare) {
			r.to.Notice(r.problem)
		}
		r.next()
	case k == openProperties:
		r.anonymous++
		r.spare.anonymous(r.anonymous, r.tok.pos)
		r.next()
		if r.tok.kind != closeProperties {
			r.recover(r.unexpected("the ] of a graph's label"), false)
			return
		}
		r.next()
	default:
		r.recover(r.unexpected("the label of a graph"), false)
		return
	}
	if r.tok.kind != openGraph {
		r.recover(r.unexpected("the { of a graph"), false)
		return
	}
	r.enterGraph(&r.spare)
}

// labelledGraph makes the subject that was read the label of a graph.
func (r *turtle) labelledGraph(f *frame) {
	if !f.label {
		n := r.notice(fault.SyntaxMisplacedTerm, fault.Drop, f.pos, "this can't be the label of a graph")
		r.to.Notice(n)
		f.subject.dead = n.Code
	}
	r.depth = 0
	r.enterGraph(&f.subject)
}

// enterGraph begins the graph with a label; without one, the default graph of TriG.
// The present token is its {.
func (r *turtle) enterGraph(label *held) {
	if r.inGraph {
		r.stray("the graph before is not closed; it was taken to end here")
	}
	r.graph.clear()
	r.graph.buf = append(r.graph.buf[:0], label.Value...)
	r.graph.Term = label.Term
	if label.Kind != rdf.NoTerm && label.Anonymous == 0 {
		r.graph.Value = r.graph.buf
	}
	r.graph.repaired = label.repaired
	r.graphDead = label.dead
	r.inGraph = true
	switch {
	case r.trig:
	case r.adapts:
		r.trig = true
	case label.Kind == rdf.NoTerm && label.dead == "":
		// most likely a formula of N3, which states nothing
		r.to.Notice(r.notice(fault.SyntaxFormula, fault.Drop, r.tok.pos, "Turtle has no { }; what stands in it is lost"))
		r.graphDead = fault.SyntaxFormula
	case label.dead == "":
		r.graph.repaired = true
		r.repair(fault.SyntaxGraphInTriples, r.tok.pos, "a named graph in a format that has none was kept")
	}
	r.tell()
	r.state = expectStatement
	r.next()
}

// enterLost begins a graph whose label was lost: its statements are counted, and
// none is kept.
func (r *turtle) enterLost(code fault.Code) {
	r.graph.clear()
	r.graphDead = code
	r.inGraph = true
	r.state = expectStatement
	r.next()
}

func (r *turtle) leaveGraph() {
	r.inGraph = false
	r.graphDead = ""
	r.graph.clear()
}
