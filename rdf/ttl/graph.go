package ttl

import (
	"bytes"
	"slices"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/ttl/lex"
	"laundromat/rdf/ttl/terms"
)

// graphKeyword reads 'GRAPH' labelOrSubject '{'.
func (r *turtle) graphKeyword() {
	column := r.column()
	r.Next()
	r.spare.Clear()
	switch k := r.Tok.Kind; {
	case k == lex.IRI || k == lex.Name || k == lex.Label:
		if !r.Take(&r.spare) {
			r.To.Notice(r.Problem)
		}
		r.Next()
	case k == lex.OpenProperties:
		r.anonymous++
		r.spare.SetNode(r.anonymous, r.Tok.Pos)
		r.Next()
		if r.Tok.Kind != lex.CloseProperties {
			r.recover(r.unexpected("the ] of a graph's label"), false)
			return
		}
		r.Next()
	default:
		r.recover(r.unexpected("the label of a graph"), false)
		return
	}
	if r.Tok.Kind == lex.Dot && r.dotBeforeGraph() {
		r.spare.Repaired = true
	}
	if r.Tok.Kind != lex.OpenGraph {
		if r.Tok.Kind.BeginsSubject() && r.nextBrace() == lex.CloseGraph && r.unopened < 0 {
			if r.inGraph {
				r.stray("the graph before is not closed; it was taken to end here")
			}
			r.enterUnopened(&r.spare, column, r.Tok.Pos)
			return
		}
		r.justLeft = false // that graph is over, whatever brace comes
		if r.Tok.Kind.BeginsSubject() && (r.inGraph || r.graphs > 0 && (r.nextBrace() == lex.OpenGraph || r.unopened >= 0)) {
			r.spare.Dead = fault.SyntaxUnclosedGraph // nothing shows up to where it goes
			r.beginGraph(&r.spare, column)
			r.open, r.unsure, r.graphChecked = true, true, true
		}
		r.recover(r.unexpected("the { of a graph"), false)
		return
	}
	r.enterGraph(&r.spare, column)
}

// dotBeforeGraph skips the current dot, after the label of a graph, if the { of the graph is next.
func (r *turtle) dotBeforeGraph() bool {
	m := r.Mark()
	pos := r.Tok
	if r.Next(); r.Tok.Kind != lex.OpenGraph {
		r.Reset(m)
		return false
	}
	r.Keep = m.Keep
	r.To.Notice(r.Notice(fault.SyntaxStray, fault.Repair, pos.Pos, "this dot stands between the label of a graph and its {; it was ignored"))
	return true
}

// enterUnopened begins a graph whose { is missing, at pos.
func (r *turtle) enterUnopened(label *terms.Held, column int64, pos fault.Pos) {
	label.Repaired = true
	r.Repair(fault.SyntaxStray, pos, "the { of this graph is missing")
	r.beginGraph(label, column)
	r.Tell()
	r.state = expectStatement
}

// mayEndLabel says that what is before the current token may be the label of a graph.
func (r *turtle) mayEndLabel() bool {
	i := r.Ended.Offset - r.Base - 1
	if i < 0 || r.Tok.From-r.Ended.Offset >= lex.Slack { // that may have left the window
		return false
	}
	if c := r.Buf[i]; c == '>' || c == ']' {
		return true
	}
	first := nameBefore(r.Buf[:i+1])
	switch text := r.Buf[first : i+1]; {
	case len(text) == 0, first > 0 && r.Buf[first-1] == '@': // a language tag
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
	for from > 0 && (lex.Class[text[from-1]]&lex.NameInside != 0 || text[from-1] >= 0x80 || text[from-1] == ':' || text[from-1] == '.') {
		from--
	}
	for from < len(text) && text[from] == '.' {
		from++ // of the statement before
	}
	return from
}

// followsLabel says that an IRI, or a name with a declared prefix, precedes the
// current token where a statement may begin. It is the label of a graph, whether or not what follows
// is sound.
func (r *turtle) followsLabel() bool {
	end := int(r.Ended.Offset - r.Base)
	if end <= 0 || r.Tok.From-r.Ended.Offset >= lex.Slack/2 { // it may have left the window
		return false
	}
	text := r.Buf[max(end-lex.Slack/2, 0):end]
	from := len(text)
	if text[from-1] == '>' {
		from = bytes.LastIndexByte(text, '<')
		if from < 0 || bytes.ContainsAny(text[from:], " \t\r\n\"") || !lex.Absolute(text[from+1:len(text)-1]) {
			return false
		}
	} else {
		from = nameBefore(text)
		colon := bytes.IndexByte(text[from:], ':')
		if colon < 0 || r.Prefixes[string(text[from:from+colon])] == nil {
			return false
		}
	}
	text = bytes.TrimRight(text[:from], " \t")
	if len(text) == 0 {
		return false // it may be anywhere
	}
	switch text[len(text)-1] {
	case '.', '}', '\n', '\r':
		return true
	}
	return false
}

// followsKeyword says that the keyword GRAPH and a label are before the current token.
func (r *turtle) followsKeyword() bool {
	i := int(r.Ended.Offset - r.Base)
	if i <= 0 || r.Tok.From-r.Ended.Offset >= lex.Slack/2 { // it may have left the window
		return false
	}
	text := r.Buf[max(i-lex.Slack/2, 0):i]
	if i = bytes.LastIndexAny(text, " \t\r\n>"); i == len(text)-1 { // the label is an IRI
		i = bytes.LastIndexByte(text, '<')
	}
	const keyword = "GRAPH"
	text = bytes.TrimRight(text[:max(i, 0)], " \t\r\n")
	return len(text) >= len(keyword) && bytes.EqualFold(text[len(text)-len(keyword):], []byte(keyword))
}

// mayStandUnopened looks ahead whether the statement of frame f is the label of a graph whose { is missing. A walk
// from the current token on makes sense, and the next brace is a }. In a graph, what is in the place of the
// predicate must be none of the document's predicates, nor the subject again. Another graph must have come before
// it.
func (r *turtle) mayStandUnopened(f *frame, w walker) bool {
	if f.kind != statementFrame || !f.named || !r.hasGraphs() || r.hasNoGraphs() || f.verbs > 1 || f.started || f.subject.Dead != "" {
		return false
	}
	if r.inGraph && (f.verbs == 0 || r.graphs < 2 || bytes.Equal(f.subject.Value, f.predicate.Value) ||
		r.habits.isVerb(f.predicate.Value) != unlikely || r.isIndentedInGraph(f.start)) {
		return false // then the } of the graph before is missing as well
	}
	v := r.walk(w)
	return (v.sound() || v.pairs >= enoughPairs && !v.closes) && r.nextBrace() == lex.CloseGraph
}

// longGraph is how many statements the graphs of a document hold on average, at least, for braces
// to be doubted. There a brace that might end a graph or begin another is more likely superfluous.
// Only if all around it shows that it is in its place is it believed.
const longGraph = 16

// isLongGraph says that hardly a statement in graphs is the last of one.
func (r *turtle) isLongGraph() bool {
	return r.inGraph && r.graphStatements+r.inGraphStatements >= longGraph*r.graphs && r.inGraphStatements >= longGraph
}

// maxBraces is how many closing braces in a row are looked at.
const maxBraces = 8

// closeUnclosed ends the graph where the statement that begins with the current token shows that
// its } is missing. The layout shows that the statement is in no graph, and the next brace opens
// one.
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
	m := r.Mark()
	brace := r.toBrace()
	block := false
	if brace == lex.OpenGraph {
		block, _ = r.isBlock()
	}
	r.Reset(m)
	// the } of a graph without its {
	if brace == lex.EndOfText || brace == lex.OpenGraph && !block || brace == lex.CloseGraph && r.unopened > r.Tok.From {
		r.Repair(fault.SyntaxStray, r.Tok.Pos, "the graph before is not closed; it was taken to end here")
		r.Tell()
		r.leaveGraph()
		r.graph.Repaired = true // up to the next graph
	}
}

// nextBegins looks ahead for the column in which the next statement after the current token begins
// a line. If there is none before a brace, it returns 0.
func (r *turtle) nextBegins() int64 {
	m := r.Mark()
	defer r.Reset(m)
	for ended := false; !r.Beyond() && r.Tok.From-m.Tok.From <= maxSearch && r.spend(r.Tok.To-r.Tok.From); r.Next() {
		k := r.Tok.Kind
		if k == lex.EndOfText || k == lex.Stopped || (k == lex.OpenGraph || k == lex.CloseGraph) && !r.standsWithin() {
			break
		}
		if ended && k.BeginsSubject() && r.startsLine() {
			return r.column()
		}
		ended = k == lex.Dot
	}
	return 0
}

// standsAsGraph says that what begins in a column is no statement of the current graph, by the layout. It
// begins where graphs do, and not where others in graphs have. What does not begin a line has column 0.
func (r *turtle) standsAsGraph(column int64) bool {
	later := r.habits.later.all()
	return column > 0 && column <= r.graphColumn && len(later) > 0 && column < slices.Min(later)
}

// isIndentedInGraph says that what begins in a column is deeper than the label of the
// current graph, where statements in graphs do.
func (r *turtle) isIndentedInGraph(column int64) bool {
	return r.graphColumn > 0 && column > r.graphColumn && slices.Contains(r.habits.later.all(), column)
}

// doubtGraph is called where a statement begins in a graph. If the graph has no }, each but the first
// may be after it as well, unless it is indented deeper than the graph. Where the document has
// statements outside of graphs it is lost; else all are in the graph most likely. A graph without a
// label is no other than what is outside of graphs.
func (r *turtle) doubtGraph() {
	if !r.inGraph || !r.open || r.graph.Kind == rdf.NoTerm || r.unsure || r.inGraphStatements < 2 || r.graphDead != "" || r.graphColumn > 0 && r.column() > r.graphColumn || r.isGraph() {
		return
	}
	r.unsure = true
	if r.habits.starts[0].n == 0 {
		r.Repair(fault.SyntaxStray, r.Tok.Pos, "the } of this graph is missing; what follows up to the next one was taken as in it")
		r.graph.Repaired = true
		return
	}
	r.To.Notice(r.Notice(fault.SyntaxUnclosedGraph, fault.Drop, r.Tok.Pos, "the } of the graph is missing: whether what follows up to the next one stands in it is not known"))
	r.graphDead = fault.SyntaxUnclosedGraph
}

// staysOpen looks ahead from the current {, which begins a graph, whether another graph or the end
// of the text comes before its }.
func (r *turtle) staysOpen() bool {
	keep := r.Keep
	if keep < 0 {
		r.Keep = r.Tok.From
	}
	for more := true; more && r.Base+int64(len(r.Buf))-r.Tok.From < nearBrace; {
		more = r.Refill()
	}
	r.Keep = keep
	at := int(r.Tok.From - r.Base) // the window may have moved even where nothing came
	text := r.Buf[at+1 : min(at+nearBrace, len(r.Buf))]
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
	m, looked := r.Mark(), r.looked
	r.Next()
	brace := r.toBrace()
	open := brace == lex.OpenGraph
	if open {
		is, _ := r.isBlock()
		open = !is
	}
	// else that is the } of the next graph, the { of which is missing
	open = open || brace == lex.CloseGraph && r.unopened >= 0
	r.Reset(m)
	r.looked = looked
	return open
}

// verbIsLabel looks whether the current {, in the place of an object, begins a graph with the predicate
// as its label. The end of the statement before is then lost.
func (r *turtle) verbIsLabel(f *frame) bool {
	if f.kind != statementFrame || !f.started || f.isA || f.predicate.Dead != "" || f.afterComma || r.inGraph || !r.hasGraphs() {
		return false
	}
	is, _ := r.isBlock()
	return !is
}

// labelledGraph makes the subject that was read the label of a graph.
func (r *turtle) labelledGraph(f *frame) {
	if !f.label {
		n := r.Notice(fault.SyntaxMisplacedTerm, fault.Drop, f.pos, "this can't be the label of a graph")
		r.To.Notice(n)
		f.subject.Dead = n.Code
	}
	column := f.start
	r.depth = 0
	r.enterGraph(&f.subject, column)
}

// enterGraph begins the graph with a label; without one, the default graph of TriG.
// The current token is its {; column is where it begins, 0 if that is not the first of
// a line.
func (r *turtle) enterGraph(label *terms.Held, column int64) {
	if r.inGraph {
		r.stray("the graph before is not closed; it was taken to end here")
		if label.Dead == "" && r.graph.Kind != rdf.NoTerm && !r.standsAsGraph(column) && !r.opensSoundly() && (column == 0 || !r.opensPlainly()) {
			n := r.Notice(fault.SyntaxUnclosedGraph, fault.Drop, r.Tok.Pos, "perhaps a graph begins here, and perhaps this { is one too many: what follows up to the next } is lost")
			r.To.Notice(n)
			label.Dead = n.Code
		}
	}
	r.beginGraph(label, column)
	r.open = r.hasGraphs() && r.staysOpen()
	r.Tell()
	r.state = expectStatement
	r.Next()
}

func (r *turtle) beginGraph(label *terms.Held, column int64) {
	r.graphs++
	r.open, r.unsure = false, false
	r.graphStatements += r.inGraphStatements
	r.graphColumn, r.inGraphStatements, r.graphChecked, r.justLeft = column, 0, false, false
	r.graph.Clear()
	r.graph.Buf = append(r.graph.Buf[:0], label.Value...)
	r.graph.Term = label.Term
	if label.Kind != rdf.NoTerm && label.Anonymous == 0 {
		r.graph.Value = r.graph.Buf
	}
	r.graph.Repaired = label.Repaired
	r.graphDead = label.Dead
	r.inGraph = true
	switch {
	case r.trig:
	case r.adapts:
		r.trig = true
	case label.Kind == rdf.NoTerm && label.Dead == "":
		// most likely a formula of N3, which states nothing
		r.To.Notice(r.Notice(fault.SyntaxFormula, fault.Drop, r.Tok.Pos, "Turtle has no { }; what stands in it is lost"))
		r.graphDead = fault.SyntaxFormula
	case label.Dead == "":
		r.graph.Repaired = true
		r.Repair(fault.SyntaxGraphInTriples, r.Tok.Pos, "a named graph in a format that has none was kept")
	}
}

// enterLost begins a graph whose label was lost: its statements are counted, and
// none is kept.
func (r *turtle) enterLost(code fault.Code) {
	r.graph.Clear()
	r.graphDead = code
	r.inGraph = true
	r.state = expectStatement
	r.Next()
}

// beginUnknown begins what is after the current } and before the next one: nothing shows which graph that is.
func (r *turtle) beginUnknown() {
	r.leaveGraph()
	r.justLeft = false
	r.enterUnknown("another } follows without a {: whether what stands between is in this graph is not known")
	r.Next()
}

// enterUnknown begins a graph of which nothing shows which it is, and says so at the current token.
func (r *turtle) enterUnknown(message string) {
	r.To.Notice(r.Notice(fault.SyntaxUnclosedGraph, fault.Drop, r.Tok.Pos, "%s", message))
	r.graph.Clear()
	r.inGraph, r.graphDead = true, fault.SyntaxUnclosedGraph
	r.open, r.unsure, r.graphChecked = false, false, true
}

func (r *turtle) leaveGraph() {
	r.left, r.graph = r.graph, r.left
	r.leftDead, r.justLeft, r.leftAlone = r.graphDead, true, false
	r.inGraph = false
	r.graphDead = ""
	r.graph.Clear()
}

// reenter is called where a fault is found outside of graphs, though the next brace is a }. If that is
// in the first statement after a }, this was not the end of the graph, unless it was alone on its
// line. Else a { is lost, and with it which graph it is. With label, the statement may have begun with
// the label of one. Text was skipped from the offset from.
func (r *turtle) reenter(label bool, from int64) {
	justLeft := r.justLeft
	r.justLeft = false
	if r.inGraph || !justLeft && (r.graphs == 0 && !r.trig || !r.hasGraphs()) {
		return
	}
	switch {
	case justLeft && (r.nextBrace() != lex.CloseGraph || r.unopened > r.Tok.From),
		!justLeft && (r.Tok.Kind == lex.CloseGraph || r.soonBrace() != lex.CloseGraph || r.braceUnopened > r.Tok.From):
	case justLeft && !label && !r.leftAlone && !r.passedBrace(from):
		r.graph, r.left = r.left, r.graph
		r.graphDead, r.inGraph = r.leftDead, true
	default:
		r.enterUnknown("a } follows without a {: which graph the statements before it are in is not known")
		if label && r.depth > 0 {
			r.stack[0].subject.Dead = fault.SyntaxUnclosedGraph
		}
	}
}

// mayBeLabel says that the subject of the current statement may be the label of a graph whose { is
// missing. No statement ends with the current token, which is at fault.
func (r *turtle) mayBeLabel() bool {
	if r.depth != 1 || r.inGraph || !r.hasGraphs() || !r.Tok.Kind.IsTerm() && !r.Tok.Kind.Opens() {
		return false
	}
	f := r.top()
	return f.kind == statementFrame && f.named && f.verbs <= 1 && !f.started
}

// isDoubtfulLabel says that the subject is most likely the label of a graph whose { and } are both
// missing. The predicate is none of the document's, and the next brace opens a graph.
func (r *turtle) isDoubtfulLabel(f *frame) bool {
	return r.graphs > 0 && r.mayBeLabel() && f.subject.Dead == "" && r.habits.isVerb(f.predicate.Value) != likely && r.soonBrace() == lex.OpenGraph
}
