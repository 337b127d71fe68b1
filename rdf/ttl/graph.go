package ttl

import (
	"bytes"
	"slices"

	"laundromat/internal/fault"
	"laundromat/rdf"
)

// graphKeyword reads 'GRAPH' labelOrSubject '{'.
func (r *turtle) graphKeyword() {
	column := r.column()
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
	if r.tok.kind == dot && r.dotBeforeGraph() {
		r.spare.repaired = true
	}
	if r.tok.kind != openGraph {
		if r.tok.kind.beginsSubject() && r.nextBrace() == closeGraph && r.unopened < 0 {
			if r.inGraph {
				r.stray("the graph before is not closed; it was taken to end here")
			}
			r.enterUnopened(&r.spare, column, r.tok.pos)
			return
		}
		r.justLeft = false // that graph is over, whatever brace comes
		if r.tok.kind.beginsSubject() && (r.inGraph || r.graphs > 0 && (r.nextBrace() == openGraph || r.unopened >= 0)) {
			r.spare.dead = fault.SyntaxUnclosedGraph // nothing tells up to where it goes
			r.beginGraph(&r.spare, column)
			r.open, r.unsure, r.graphChecked = true, true, true
		}
		r.recover(r.unexpected("the { of a graph"), false)
		return
	}
	r.enterGraph(&r.spare, column)
}

// dotBeforeGraph passes over the present dot, behind the label of a graph, if the { of the graph is next.
func (r *turtle) dotBeforeGraph() bool {
	m := r.mark()
	pos := r.tok
	if r.next(); r.tok.kind != openGraph {
		r.reset(m)
		return false
	}
	r.keep = m.keep
	r.to.Notice(r.notice(fault.SyntaxStray, fault.Repair, pos.pos, "this dot stands between the label of a graph and its {; it was ignored"))
	return true
}

// enterUnopened begins a graph whose { is missing, at pos.
func (r *turtle) enterUnopened(label *held, column int64, pos fault.Pos) {
	label.repaired = true
	r.repair(fault.SyntaxStray, pos, "the { of this graph is missing")
	r.beginGraph(label, column)
	r.tell()
	r.state = expectStatement
}

// mayEndLabel says that what stands before the present token may be the label of a graph.
func (r *turtle) mayEndLabel() bool {
	i := r.ended.Offset - r.base - 1
	if i < 0 || r.tok.from-r.ended.Offset >= slack { // that may have left the window
		return false
	}
	if c := r.buf[i]; c == '>' || c == ']' {
		return true
	}
	first := nameBefore(r.buf[:i+1])
	switch text := r.buf[first : i+1]; {
	case len(text) == 0, first > 0 && r.buf[first-1] == '@': // a language tag
		return false
	case bytes.IndexByte(text, ':') >= 0:
		return true
	default:
		return len(bytes.Trim(text, "0123456789.eE-")) > 0 && string(text) != "true" && string(text) != "false"
	}
}

// nameBefore is where the name begins with which a text ends.
func nameBefore(text []byte) int {
	from := len(text)
	for from > 0 && (class[text[from-1]]&nameInside != 0 || text[from-1] >= 0x80 || text[from-1] == ':' || text[from-1] == '.') {
		from--
	}
	for from < len(text) && text[from] == '.' {
		from++ // of the statement before
	}
	return from
}

// followsLabel says that an IRI, or a name with a prefix that is declared, stands before the
// present token, where a statement may begin: the label of a graph, be it sound or not what
// follows.
func (r *turtle) followsLabel() bool {
	end := int(r.ended.Offset - r.base)
	if end <= 0 || r.tok.from-r.ended.Offset >= slack/2 { // it may have left the window
		return false
	}
	text := r.buf[max(end-slack/2, 0):end]
	from := len(text)
	if text[from-1] == '>' {
		from = bytes.LastIndexByte(text, '<')
		if from < 0 || bytes.ContainsAny(text[from:], " \t\r\n\"") || !absolute(text[from+1:len(text)-1]) {
			return false
		}
	} else {
		from = nameBefore(text)
		colon := bytes.IndexByte(text[from:], ':')
		if colon < 0 || r.prefixes[string(text[from:from+colon])] == nil {
			return false
		}
	}
	text = bytes.TrimRight(text[:from], " \t")
	if len(text) == 0 {
		return false // it may stand anywhere
	}
	switch text[len(text)-1] {
	case '.', '}', '\n', '\r':
		return true
	}
	return false
}

// followsKeyword says that the keyword GRAPH and a label stand before the present token.
func (r *turtle) followsKeyword() bool {
	i := int(r.ended.Offset - r.base)
	if i <= 0 || r.tok.from-r.ended.Offset >= slack/2 { // it may have left the window
		return false
	}
	text := r.buf[max(i-slack/2, 0):i]
	if i = bytes.LastIndexAny(text, " \t\r\n>"); i == len(text)-1 { // the label is an IRI
		i = bytes.LastIndexByte(text, '<')
	}
	const keyword = "GRAPH"
	text = bytes.TrimRight(text[:max(i, 0)], " \t\r\n")
	return len(text) >= len(keyword) && bytes.EqualFold(text[len(text)-len(keyword):], []byte(keyword))
}

// mayStandUnopened looks ahead whether the statement of frame f is the label of a graph whose {
// is missing: a walk from the present token on makes sense, and the next brace is a }. In a graph, what stands as the
// predicate must be none of the document's, nor the subject again, and another graph must have been before it.
func (r *turtle) mayStandUnopened(f *frame, w walker) bool {
	if f.kind != statementFrame || !f.named || !r.hasGraphs() || r.hasNoGraphs() || f.verbs > 1 || f.started || f.subject.dead != "" {
		return false
	}
	if r.inGraph && (f.verbs == 0 || r.graphs < 2 || bytes.Equal(f.subject.Value, f.predicate.Value) ||
		r.habits.isVerb(f.predicate.Value) != unlikely || r.isIndentedInGraph(f.start)) {
		return false // then the } of the graph before is missing as well
	}
	v := r.walk(w)
	return (v.sound() || v.pairs >= enoughPairs && !v.closes) && r.nextBrace() == closeGraph
}

// longGraph is how many statements the graphs of a document hold on average, at least, where a
// brace that might end one or begin another is more likely one too many, unless all around it shows
// that it stands where it should.
const longGraph = 16

// isLongGraph says that hardly a statement in graphs is the last of one.
func (r *turtle) isLongGraph() bool {
	return r.inGraph && r.graphStatements+r.inGraphStatements >= longGraph*r.graphs && r.inGraphStatements >= longGraph
}

// maxBraces is how many closing braces in a row are looked at.
const maxBraces = 8

// closeUnclosed ends the graph where the statement that begins with the present token shows
// that its } is missing: the layout shows that it stands in none, and the next brace opens a graph.
func (r *turtle) closeUnclosed() {
	if r.inGraphStatements == 0 || r.graphChecked || !r.standsAsGraph(r.column()) {
		return
	}
	r.graphChecked = true
	if v := r.walk(walker{state: expectStatement}); !v.sound() && v.pairs == 0 {
		return // it may be the rest of a line
	}
	if column := r.nextBegins(); column > 0 && !r.standsAsGraph(column) {
		r.graphChecked = false
		return // only this one is indented less
	}
	m := r.mark()
	brace := r.toBrace()
	block := false
	if brace == openGraph {
		block, _ = r.isBlock()
	}
	r.reset(m)
	// the } of a graph without its {
	if brace == endOfText || brace == openGraph && !block || brace == closeGraph && r.unopened > r.tok.from {
		r.repair(fault.SyntaxStray, r.tok.pos, "the graph before is not closed; it was taken to end here")
		r.tell()
		r.leaveGraph()
		r.graph.repaired = true // up to the next graph
	}
}

// nextBegins looks ahead for the column in which the next statement behind the present token begins
// a line; 0 if there is none before a brace.
func (r *turtle) nextBegins() int64 {
	m := r.mark()
	defer r.reset(m)
	for ended := false; !r.beyond() && r.tok.from-m.tok.from <= maxSearch && r.spend(r.tok.to-r.tok.from); r.next() {
		k := r.tok.kind
		if k == endOfText || k == stopped || (k == openGraph || k == closeGraph) && !r.standsWithin() {
			break
		}
		if ended && k.beginsSubject() && r.startsLine() {
			return r.column()
		}
		ended = k == dot
	}
	return 0
}

// standsAsGraph says that the layout shows what begins in a column, 0 if that does not begin a line, to be no
// statement of the present graph: it begins where graphs do, and not where others in graphs have.
func (r *turtle) standsAsGraph(column int64) bool {
	later := r.habits.later.all()
	return column > 0 && column <= r.graphColumn && len(later) > 0 && column < slices.Min(later)
}

// isIndentedInGraph says that what begins in a column stands deeper than the label of the present
// graph, where statements in graphs do.
func (r *turtle) isIndentedInGraph(column int64) bool {
	return r.graphColumn > 0 && column > r.graphColumn && slices.Contains(r.habits.later.all(), column)
}

// doubtGraph is called where a statement begins in a graph. If the graph has no }, each but the first
// may stand behind it as well, unless it is indented deeper than the graph. Where the document has
// statements outside of graphs it is lost; else all are in the graph most likely. A graph without a
// label is no other than what stands outside of graphs.
func (r *turtle) doubtGraph() {
	if !r.inGraph || !r.open || r.graph.Kind == rdf.NoTerm || r.unsure || r.inGraphStatements < 2 || r.graphDead != "" || r.graphColumn > 0 && r.column() > r.graphColumn || r.isGraph() {
		return
	}
	r.unsure = true
	if r.habits.starts[0].n == 0 {
		r.repair(fault.SyntaxStray, r.tok.pos, "the } of this graph is missing; what follows up to the next one was taken as in it")
		r.graph.repaired = true
		return
	}
	r.to.Notice(r.notice(fault.SyntaxUnclosedGraph, fault.Drop, r.tok.pos, "the } of the graph is missing: whether what follows up to the next one stands in it is not known"))
	r.graphDead = fault.SyntaxUnclosedGraph
}

// staysOpen looks ahead from the present {, which begins a graph, whether another graph or the end
// of the text comes before its }.
func (r *turtle) staysOpen() bool {
	keep := r.keep
	if keep < 0 {
		r.keep = r.tok.from
	}
	for more := true; more && r.base+int64(len(r.buf))-r.tok.from < nearBrace; {
		more = r.refill()
	}
	r.keep = keep
	at := int(r.tok.from - r.base) // the window may have moved even where nothing came
	text := r.buf[at+1 : min(at+nearBrace, len(r.buf))]
	end := bytes.IndexByte(text, '}')
	switch {
	case end < 0 && len(text) == nearBrace-1:
		return false // that is too far to look
	case end < 0 && bytes.IndexByte(text, '{') < 0:
		text = bytes.TrimRight(text, " \t\r\n")
		return len(text) > 0 && text[len(text)-1] == '.' // else it is the text that is cut short
	case end >= 0 && bytes.IndexByte(text[:end], '{') < 0 && !bytes.Contains(text[:end], []byte("GRAPH")):
		return false
	}
	m, looked := r.mark(), r.looked
	r.next()
	brace := r.toBrace()
	open := brace == openGraph
	if open {
		is, _ := r.isBlock()
		open = !is
	}
	open = open || brace == closeGraph && r.unopened >= 0 // that is the } of the next graph, the { of which is missing
	r.reset(m)
	r.looked = looked
	return open
}

// verbIsLabel looks whether the present {, which stands where an object should, begins a graph with the
// predicate as its label, since the end of the statement before is lost.
func (r *turtle) verbIsLabel(f *frame) bool {
	if f.kind != statementFrame || !f.started || f.isA || f.predicate.dead != "" || f.afterComma || r.inGraph || !r.hasGraphs() {
		return false
	}
	is, _ := r.isBlock()
	return !is
}

// labelledGraph makes the subject that was read the label of a graph.
func (r *turtle) labelledGraph(f *frame) {
	if !f.label {
		n := r.notice(fault.SyntaxMisplacedTerm, fault.Drop, f.pos, "this can't be the label of a graph")
		r.to.Notice(n)
		f.subject.dead = n.Code
	}
	column := f.start
	r.depth = 0
	r.enterGraph(&f.subject, column)
}

// enterGraph begins the graph with a label; without one, the default graph of TriG.
// The present token is its {; column is where it begins, 0 if that is not the first of
// a line.
func (r *turtle) enterGraph(label *held, column int64) {
	if r.inGraph {
		r.stray("the graph before is not closed; it was taken to end here")
		if label.dead == "" && r.graph.Kind != rdf.NoTerm && !r.standsAsGraph(column) && !r.opensSoundly() && (column == 0 || !r.opensPlainly()) {
			n := r.notice(fault.SyntaxUnclosedGraph, fault.Drop, r.tok.pos, "perhaps a graph begins here, and perhaps this { is one too many: what follows up to the next } is lost")
			r.to.Notice(n)
			label.dead = n.Code
		}
	}
	r.beginGraph(label, column)
	r.open = r.hasGraphs() && r.staysOpen()
	r.tell()
	r.state = expectStatement
	r.next()
}

func (r *turtle) beginGraph(label *held, column int64) {
	r.graphs++
	r.open, r.unsure = false, false
	r.graphStatements += r.inGraphStatements
	r.graphColumn, r.inGraphStatements, r.graphChecked, r.justLeft = column, 0, false, false
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

// beginUnknown begins what stands behind the present } and before the next one: nothing tells which graph that is.
func (r *turtle) beginUnknown() {
	r.leaveGraph()
	r.justLeft = false
	r.enterUnknown("another } follows without a {: whether what stands between is in this graph is not known")
	r.next()
}

// enterUnknown begins a graph of which nothing tells which it is, and says so at the present token.
func (r *turtle) enterUnknown(message string) {
	r.to.Notice(r.notice(fault.SyntaxUnclosedGraph, fault.Drop, r.tok.pos, "%s", message))
	r.graph.clear()
	r.inGraph, r.graphDead = true, fault.SyntaxUnclosedGraph
	r.open, r.unsure, r.graphChecked = false, false, true
}

func (r *turtle) leaveGraph() {
	r.left, r.graph = r.graph, r.left
	r.leftDead, r.justLeft, r.leftAlone = r.graphDead, true, false
	r.inGraph = false
	r.graphDead = ""
	r.graph.clear()
}

// reenter is called where a fault is found outside of graphs, though the next brace is a }. If that is
// in the first statement behind a }, this was not the end of the graph, unless it stood alone on
// its line as one does; else a { is lost, and with it which graph it is. label says that the
// statement may have begun with the label of one; from is the offset from which on text was passed
// over.
func (r *turtle) reenter(label bool, from int64) {
	justLeft := r.justLeft
	r.justLeft = false
	if r.inGraph || !justLeft && (r.graphs == 0 && !r.trig || !r.hasGraphs()) {
		return
	}
	switch {
	case justLeft && (r.nextBrace() != closeGraph || r.unopened > r.tok.from),
		!justLeft && (r.tok.kind == closeGraph || r.soonBrace() != closeGraph || r.braceUnopened > r.tok.from):
	case justLeft && !label && !r.leftAlone && !r.passedBrace(from):
		r.graph, r.left = r.left, r.graph
		r.graphDead, r.inGraph = r.leftDead, true
	default:
		r.enterUnknown("a } follows without a {: which graph the statements before it are in is not known")
		if label && r.depth > 0 {
			r.stack[0].subject.dead = fault.SyntaxUnclosedGraph
		}
	}
}

// mayBeLabel says that the subject of the statement that is being read may be the label of a graph
// whose { is missing: no statement ends with the present token, which is at fault.
func (r *turtle) mayBeLabel() bool {
	if r.depth != 1 || r.inGraph || !r.hasGraphs() || !r.tok.kind.isTerm() && !r.tok.kind.opens() {
		return false
	}
	f := r.top()
	return f.kind == statementFrame && f.named && f.verbs <= 1 && !f.started
}

// isDoubtfulLabel says that the subject is the label of a graph whose { is missing, most likely, and that
// its } is missing as well: the predicate is none of the document's, and the next brace opens a graph.
func (r *turtle) isDoubtfulLabel(f *frame) bool {
	return r.graphs > 0 && r.mayBeLabel() && f.subject.dead == "" && r.habits.isVerb(f.predicate.Value) != likely && r.soonBrace() == openGraph
}
