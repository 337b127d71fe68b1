package turtle

import (
	"bytes"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/ttl/grammar"
	"laundromat/rdf/ttl/lex"
	"laundromat/rdf/ttl/repair"
	"laundromat/rdf/ttl/terms"
)

// graph is the graph that is open, and the one before.
type graph struct {
	label terms.Held // behind the keyword GRAPH
	name  terms.Held // NoTerm for the default graph
	open  bool
	dead  fault.Code // why no statement of it can be kept
	// endless says that no } was found for it; unsure that what is in it from here on may be after it as well.
	endless, unsure bool
	column          int64 // where it begins a line; 0 if it does not
	statements      int   // in it, so far
	count           int   // graphs so far
	// left is the graph before, as long as nothing was read behind its }, which was at an offset; -1 if something was.
	left     terms.Held
	leftDead fault.Code
	leftAt   int64
	brace    brace
}

// atGraph takes what begins and ends graphs. It returns whether nothing is held back behind it.
func (r *Reader) atGraph(act grammar.Act, k lex.Kind) (settles bool) {
	switch act {
	case grammar.BeginGraph:
		r.graph.label.Clear()
		r.graph.column = r.column()
	case grammar.TakeLabel:
		switch h := &r.graph.label; {
		case k == grammar.Missing:
			r.lack(h)
		case !r.Take(h):
			n := r.Problem
			n.Lost = 1
			r.tell(n)
		}
	case grammar.CloseGraph:
		r.graph.leave(r.Tok.From)
		return true
	case grammar.OpenGraph:
		r.enterGraph(k)
		return true
	}
	return false
}

// enterGraph begins the graph whose label was read.
func (r *Reader) enterGraph(k lex.Kind) {
	label := &r.graph.label
	switch {
	case r.depth > 0:
		f := r.top()
		label.Copy(&f.subject)
		if f.subject.Anonymous != 0 {
			label.Value = nil
		}
		r.graph.column = f.column
		r.depth = 0
	case r.at.Expect != grammar.GraphOpen:
		label.Clear()
		r.graph.column = r.column()
	}
	g := &r.graph
	g.begin()
	switch {
	case r.TriG:
	case r.Adapts:
		r.TriG = true
	case label.Kind == rdf.NoTerm && label.Dead == "":
		// most likely a formula of N3, which states nothing
		r.tell(r.Notice(fault.SyntaxFormula, fault.Drop, r.Tok.Pos, "Turtle has no { }; its content is lost"))
		g.dead = fault.SyntaxFormula
	case label.Dead == "":
		g.name.Repaired = true
		r.Repair(fault.SyntaxGraphInTriples, r.Tok.Pos, "a named graph in a format that has none was kept")
	}
	skip := k == lex.OpenGraph && r.Tok.Kind == lex.OpenGraph
	switch r.nextBrace(skip) {
	case lex.OpenGraph:
		g.endless = !skip || r.confirmsBrace(lex.OpenGraph)
	case lex.EndOfText: // else it is the text that is cut short
		g.endless = endsStatement(r.Buf[r.Tok.From-r.Base:])
	default:
		g.endless = false
	}
	if g.dead == "" {
		r.Tell()
	}
}

// begin begins the graph that has the label.
func (g *graph) begin() {
	g.count++
	if g.name.Clear(); g.label.Kind != rdf.NoTerm || g.label.Dead != "" {
		g.name.Copy(&g.label)
	}
	g.dead, g.open, g.unsure, g.statements = g.label.Dead, true, false, 0
}

// endsStatement says that a text ends with a dot, and perhaps with comments behind it.
func endsStatement(text []byte) bool {
	for {
		text = bytes.TrimRight(text, " \t\r\n")
		line := text[bytes.LastIndexAny(text, "\r\n")+1:]
		comment := bytes.Index(line, []byte(" #"))
		if bytes.HasPrefix(line, []byte("#")) {
			comment = 0
		}
		if comment < 0 {
			return len(text) > 0 && text[len(text)-1] == '.'
		}
		text = text[:len(text)-len(line)+comment]
	}
}

// leave leaves the graph at its }, which is at an offset.
func (g *graph) leave(at int64) {
	if g.name.Kind != rdf.NoTerm || g.name.Dead != "" || g.left.Kind != rdf.NoTerm || g.left.Dead != "" {
		g.left, g.name = g.name, g.left
		g.name.Clear()
	}
	g.leftDead, g.leftAt = g.dead, at
	g.open, g.endless, g.dead = false, false, ""
}

// reopen goes on in the graph and the statement that were ended by the } before.
func (r *Reader) reopen(n fault.Notice) {
	g := &r.graph
	r.tell(n)
	g.name, g.left = g.left, g.name
	g.dead, g.open = g.leftDead, true
	r.depth = 1
	r.object.Clear()
	r.top().lost = false
	r.at = grammar.State{Expect: grammar.End, In: grammar.Statement, InGraph: true}
}

// doubtGraph is called where a statement begins in a graph without a }. Each but the first may be after the graph as
// well, unless it is indented deeper than the graph. Where the document has statements outside of graphs, it is lost.
func (r *Reader) doubtGraph() {
	g := &r.graph
	column := r.column()
	if !g.endless || g.name.Kind == rdf.NoTerm || g.unsure || g.dead != "" || g.statements < 1 || g.column > 0 && column > g.column ||
		!r.Rules.Holds(repair.EndlessGraph) {
		return
	}
	g.unsure = true
	if r.habits.starts[0].n == 0 {
		r.Repair(fault.SyntaxStray, r.Tok.Pos, "the } of this graph is missing; the statements up to the next one were taken as in it")
		g.name.Repaired = true
		return
	}
	r.tell(r.Notice(fault.SyntaxUnclosedGraph, fault.Drop, r.Tok.Pos, "the } of the graph is missing: whether what follows up to the "+
		"next one is in it is not known"))
	g.dead = fault.SyntaxUnclosedGraph
}

// enterUnknown begins a graph of which nothing shows which it is.
func (r *Reader) enterUnknown(n fault.Notice) {
	r.tell(n)
	g := &r.graph
	g.name.Clear()
	g.open, g.dead, g.endless = true, n.Code, false
	r.at.InGraph = true
}
