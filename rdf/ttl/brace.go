package ttl

import (
	"bytes"

	"laundromat/rdf/ttl/lex"
)

// maxBrace is how many bytes are looked at for the next { or } where one is doubtful, and nearBrace
// where one opens a graph.
const maxBrace, nearBrace = 1 << 20, 64 << 10

// nextBrace looks ahead for the next { or }; endOfText if there is none, and stopped if it
// is too far away to be found.
func (r *turtle) nextBrace() lex.Kind {
	m := r.Mark()
	defer r.Reset(m)
	return r.toBrace()
}

// standsWithin looks ahead whether the current brace is within a statement, and is none of a
// graph: what divides one follows.
func (r *turtle) standsWithin() bool {
	k := r.nextKind()
	return k == lex.Comma || k == lex.Semicolon
}

// toBrace is nextBrace, and goes there, except for braces within statements. It notes in unopened
// where the { of a graph is missing on the way.
func (r *turtle) toBrace() lex.Kind {
	from := r.Tok.From
	r.unopened = -1
	var label lex.Token     // the first of them
	terms := len(labelled)  // since the last statement ended: none is known to begin here
	var last lex.Token      // the one before
	before := lex.EndOfText // the one before that
	brackets := max(r.depth-1, 0)
	for {
		switch k := r.Tok.Kind; {
		case r.Beyond() || r.Tok.From-from > maxBrace || !r.spend(r.Tok.To-r.Tok.From):
			return lex.Stopped
		case k == lex.OpenGraph && r.standsAsObject(before, last):
			terms = len(labelled)
		case k == lex.CloseGraph && brackets > 0 && r.standsAsClosing():
			brackets--
		case k == lex.EndOfText, k == lex.Stopped, (k == lex.OpenGraph || k == lex.CloseGraph) && !r.standsWithin():
			return k
		case k == lex.Dot:
			terms, brackets = 0, 0
		case k == lex.Graph:
			terms = 0
			r.unopened = r.Tok.From // unless its { follows
		// else it is doubled
		case terms < len(labelled) && labelled[terms](r, k) && (terms != 1 || !bytes.Equal(r.Bytes(&label), r.Bytes(&r.Tok))):
			if terms == 0 {
				label = r.Tok
			}
			if terms++; terms == len(labelled) {
				r.unopened = r.Tok.From
			}
		default:
			terms = len(labelled)
		}
		switch r.Tok.Kind {
		case lex.OpenProperties, lex.OpenList:
			brackets++
		case lex.CloseProperties, lex.CloseList:
			brackets = max(brackets-1, 0)
		}
		before, last = last.Kind, r.Tok
		r.Next()
	}
}

// standsAsClosing looks ahead whether the current }, in brackets, is a mistaken ]: what ends a
// statement or another bracket follows.
func (r *turtle) standsAsClosing() bool {
	k := r.nextKind()
	return k == lex.Dot || k == lex.CloseProperties || k == lex.CloseList
}

// standsAsObject says that the current {, with two tokens before it, is where only an object
// can: it is a mistaken [.
func (r *turtle) standsAsObject(before lex.Kind, last lex.Token) bool {
	if last.Kind == lex.Comma || last.Kind == lex.OpenList {
		return true
	}
	if !last.Kind.IsVerb() || before != lex.Semicolon && before != lex.OpenProperties && !before.IsTerm() {
		return false // else it may be a label
	}
	brace := r.Tok
	r.Tok = last
	is := r.looksLikeVerb() == likely
	r.Tok = brace
	return is
}

// labelled are the terms at the beginning of a statement whose first term is the label of a graph without its {.
// The second is none of the document's predicates, and the third may be one.
var labelled = [...]func(*turtle, lex.Kind) bool{
	func(_ *turtle, k lex.Kind) bool { return k == lex.IRI || k == lex.Name || k == lex.Label },
	func(r *turtle, k lex.Kind) bool { return k.BeginsSubject() && r.looksLikeVerb() == unlikely },
	func(r *turtle, k lex.Kind) bool { return k.IsVerb() && r.looksLikeVerb() != unlikely },
	func(_ *turtle, k lex.Kind) bool { return k.BeginsObject() || k == lex.OpenTriple },
}

// isBlock looks ahead whether the current {, where none is expected, opens no graph. That is so in a graph, where
// another } ends the graph; or where no graph has a label so. It is so where what can't begin a statement follows,
// as in a piece of JSON or a style sheet. It is so where a document without graphs has no } for it. If a } belongs
// to it, ends is true. What is too far away to be found is there only where the beginning of a graph makes sense.
func (r *turtle) isBlock() (is, ends bool) {
	m := r.Mark()
	defer r.Reset(m)
	if r.followsKeyword() {
		return false, false
	}
	if r.isLongGraph() && !r.isDoubled() && !r.opensNext() {
		return r.isStrayInLong(m.Tok.From)
	}
	if r.hasNoGraphs() && !r.isDoubled() && (r.depth > 0 && !(r.trig && r.mayEndLabel() && !r.labelIsVerb()) && !r.opensNext() || r.depth == 0 && !r.trig && r.isNoFormula()) {
		return true, r.closesSoon()
	}
	labelled := r.mayEndLabel()
	bare := r.inGraph && !labelled && !r.startsLine()
	follows := labelled && r.hasGraphs() && r.followsLabel()
	if r.Next(); r.Beyond() {
		return true, false
	}
	if r.Tok.Kind == lex.OpenGraph { // two begin no graph
		return true, r.isTemplateMark()
	}
	if k := r.Tok.Kind; follows && (!r.inGraph || r.state == expectVerb || k == lex.CloseGraph || r.beginsStatement(false)) {
		return r.isStrayBrace(), false
	}
	if k := r.Tok.Kind; k == lex.Comma || k == lex.Semicolon || k == lex.Dot {
		return true, false // the statement goes on, or ends
	}
	begins := r.Tok.Kind == lex.CloseGraph || r.beginsStatement(false)
	if labelled && begins && r.hasGraphs() {
		return r.isStrayBrace() || r.inGraph && r.graphs < 2 && r.state != expectVerb && r.isLastGraph(), false
	}
	graph := begins && !bare && (r.hasGraphs() || labelled && r.hasSoundLabel() && r.standsInGraph())
	after := r.blockEnd(m.Tok.From, !bare && begins)
	switch ends = r.Tok.Kind == lex.CloseGraph; {
	case after == lex.Dot:
		return true, false
	case after == lex.Stopped, !ends && !r.hasGraphs():
		return !graph, false
	case !ends:
		return !labelled || r.graphs == 0 || r.inGraph && r.graphs < 2 && !begins, false
	case r.inGraph && after == lex.CloseGraph:
		r.Reset(m)
		return true, !r.holdsStatements()
	case r.inGraph:
		return !labelled || !begins, false // its } is that of the graph
	}
	return !begins, true
}

// maxDots is how many dots in a block are looked at for statements after them.
const maxDots = 4

// holdsStatements looks ahead after the first dots after the current { for statements of a graph
// that make sense. A block holds none. Then the brace is superfluous, and so is the } that seems to
// be that of the block.
func (r *turtle) holdsStatements() bool {
	m := r.Mark()
	defer r.Reset(m)
	for dots := 0; dots < maxDots; {
		switch k := r.Tok.Kind; {
		case k == lex.CloseGraph, k == lex.EndOfText, k == lex.Stopped, r.Beyond(), !r.spend(r.Tok.To - r.Tok.From):
			return false
		case k == lex.Dot:
			dots++
			if r.Next(); r.Tok.Kind.BeginsSubject() && r.standsInGraph() {
				return true
			}
			continue
		}
		r.Next()
	}
	return false
}

// maxTemplateMark is how many bytes one takes at most.
const maxTemplateMark = 1 << 10

// isTemplateMark says that two } end what begins with two {, the second of which is present: the place of something
// that was never put in. It goes there.
func (r *turtle) isTemplateMark() bool {
	from, last := r.Tok.From, int64(0)
	for r.Next(); r.Tok.Kind != lex.EndOfText && r.Tok.Kind != lex.Stopped && r.Tok.From-from <= maxTemplateMark && !r.Beyond(); r.Next() {
		switch r.Tok.Kind {
		case lex.OpenGraph:
			return false
		case lex.CloseGraph:
			if last == r.Tok.From {
				return true
			}
			if last = r.Tok.To; r.nextKind() != lex.CloseGraph {
				return false
			}
		}
	}
	return false
}

// isDoubled looks ahead whether another { follows the current one, as in the marks of a template.
func (r *turtle) isDoubled() bool { return r.nextKind() == lex.OpenGraph }

// hasSoundLabel says that the statement that was begun may be the label of a graph, and nothing is wrong with that.
func (r *turtle) hasSoundLabel() bool {
	return r.depth == 1 && r.state == expectVerb && r.stack[0].label && r.stack[0].verbs == 0 && r.stack[0].subject.Dead == ""
}

// standsInGraph looks ahead whether what begins with the current token makes sense as statements of a graph.
func (r *turtle) standsInGraph() bool {
	v := r.walk(walker{state: expectStatement, inGraph: true})
	return v.sound()
}

// isStrayBrace says that the { before the current token, after a possible label of a graph, is superfluous. What
// follows makes no sense in a graph, but does without the brace. There is no } for it either, but another {.
func (r *turtle) isStrayBrace() bool {
	if r.depth == 0 || r.inGraph || r.state != expectVerb && r.state != expectObject && r.state != expectEnd {
		return false
	}
	looked := r.looked
	f := r.top()
	// of a graph it ends after a few tokens
	v := r.walk(walker{frames: r.depth, state: r.state, may: f.started || f.complete})
	is := v.sound() && !r.standsInGraph() && r.nextBrace() == lex.OpenGraph && !r.isIndentedAsGraph()
	r.looked = looked
	return is
}

// isLastGraph looks ahead whether one } comes after the { before the current token, and no
// other brace after that. It is the } of the open graph.
func (r *turtle) isLastGraph() bool {
	m := r.Mark()
	defer r.Reset(m)
	for closed := false; ; r.Next() {
		switch k := r.toBrace(); {
		case k == lex.EndOfText:
			return closed
		case k == lex.Stopped, closed:
			return false
		case k == lex.CloseGraph:
			closed = true
		}
	}
}

// isIndentedAsGraph looks ahead for the next predicate that begins a line. It must be in a column
// of predicates in graphs, and in none of other predicates.
func (r *turtle) isIndentedAsGraph() bool {
	outside, inside := r.habits.pairs[0][1], r.habits.pairs[1][1]
	if inside == 0 || inside == outside {
		return false
	}
	m := r.Mark()
	defer r.Reset(m)
	for n := 0; n < maxWalk && !r.Beyond(); n++ {
		before := r.Tok.Kind
		r.Next()
		switch k := r.Tok.Kind; {
		case k == lex.EndOfText, k == lex.Stopped, k == lex.CloseGraph:
			return false
		case before == lex.Semicolon && k.IsVerb() && r.column() > 0:
			return r.column() == inside
		}
	}
	return false
}

// blockEnd goes to the } that belongs to the { before the current token, and returns which brace comes after
// it. If that is too far away, it returns stopped. Where there is no }, it is elsewhere. Unless
// statements are in the block, it does not reach past one that begins a line as those around it do. Then it
// returns a dot.
func (r *turtle) blockEnd(from int64, statements bool) lex.Kind {
	for depth, dotted := 1, false; ; r.Next() {
		k, ended := r.Tok.Kind, dotted
		dotted = k == lex.Dot
		switch {
		case !statements && ended && k.BeginsSubject() && r.beginsLikeOthers():
			return lex.Dot
		case k == lex.Stopped, k == lex.EndOfText && r.TooFar(), r.Beyond(), r.Tok.From-from > maxBrace, !r.spend(r.Tok.To - r.Tok.From):
			return lex.Stopped
		case k == lex.EndOfText:
			return k
		case k == lex.OpenGraph:
			depth++
		case k == lex.CloseGraph:
			if depth--; depth > 0 {
				continue
			}
			return r.braceBehind()
		}
	}
}

// beginsLikeOthers says that the current token begins a line in the column in which statements begin.
func (r *turtle) beginsLikeOthers() bool {
	column := r.column()
	return column > 0 && (r.beginsByLayout(column) == likely || r.hasBegun(column))
}

// opensNext looks ahead whether the current {, in a long graph, begins another graph all the
// same. Before it comes a possible label, a subject or what begins a line as graphs do. What
// follows makes sense in a graph.
func (r *turtle) opensNext() bool {
	if !r.mayEndLabel() || r.depth > 0 && (r.stack[0].subject.Dead != "" || r.state != expectVerb && !r.standsAsGraph(r.top().column)) {
		return false
	}
	return r.opensSoundly()
}

// opensNothing looks ahead whether the current {, which begins a statement outside of graphs and
// has no label, has no } and could be left out. Statements follow, and after them another graph.
// In the default graph they are either way.
func (r *turtle) opensNothing() bool {
	return r.trig && !r.inGraph && !r.startsLine() && !r.isDoubled() && r.opensSoundly() && r.braceBehind() == lex.OpenGraph
}

// braceBehind is nextBrace for what is after the current token.
func (r *turtle) braceBehind() lex.Kind {
	m := r.Mark()
	defer r.Reset(m)
	r.Next()
	return r.toBrace()
}

// hasNoGraphs says that the document, as far as it is read, has no graphs. Its format has none,
// or it has shown many statements and none of them in a graph.
func (r *turtle) hasNoGraphs() bool {
	return r.graphs == 0 && !r.inGraph && (!r.trig || r.habits.seen >= fewSeen)
}

// closesSoon looks ahead whether the } that belongs to the current { comes before another statement begins.
func (r *turtle) closesSoon() bool {
	ends, statements, _ := r.formula()
	return ends && statements == 0
}

// isNoFormula looks ahead whether the current {, which begins a statement, is superfluous. Its }
// is not in sight, or follows more statements than a formula of N3 holds, or precedes what
// divides a statement.
func (r *turtle) isNoFormula() bool {
	ends, statements, after := r.formula()
	return !ends || statements > maxFormula || after == lex.Comma || after == lex.Semicolon || after.Closes()
}

// maxFormula is how many statements are in a formula of N3, at most.
const maxFormula = 16

// formula looks ahead for the } that belongs to the current {. It returns whether that is in sight, how many
// statements begin after others before it, and which token comes after it.
func (r *turtle) formula() (ends bool, statements int, after lex.Kind) {
	m := r.Mark()
	defer r.Reset(m)
	for depth, dotted := 0, false; ; r.Next() {
		k, ended := r.Tok.Kind, dotted
		dotted = k == lex.Dot
		switch {
		case k == lex.EndOfText, k == lex.Stopped, r.Beyond(), r.Tok.From-m.Tok.From > maxSearch, statements > maxFormula, !r.spend(r.Tok.To - r.Tok.From):
			return false, statements, lex.EndOfText
		case k == lex.OpenGraph:
			depth++
		case k == lex.CloseGraph:
			if depth--; depth == 0 {
				return true, statements, r.nextKind()
			}
		case ended && k.BeginsSubject():
			statements++
		}
	}
}

// isStrayInLong is isBlock for a { at offset from in a long graph, where it begins no other
// graph. Its } is that of a block only if it comes before other statements begin, and another }
// comes for the graph.
func (r *turtle) isStrayInLong(from int64) (is, ends bool) {
	m := r.Mark()
	r.Next()
	after := r.blockEnd(from, false)
	ends = r.Tok.Kind == lex.CloseGraph && after == lex.CloseGraph
	r.Reset(m)
	return true, ends && !r.holdsStatements()
}

// opensSoundly looks ahead whether what follows the current { makes sense in a graph.
func (r *turtle) opensSoundly() bool {
	m := r.Mark()
	defer r.Reset(m)
	r.Next()
	return r.Tok.Kind == lex.CloseGraph || r.standsInGraph()
}

// passedBrace says that a { is in what was skipped from an offset on, such as a string without an end.
func (r *turtle) passedBrace(from int64) bool {
	return from < r.Base || bytes.IndexByte(r.Buf[from-r.Base:max(r.Tok.From, from)-r.Base], '{') >= 0
}

// soonBrace is nextBrace, and remembers what it found.
func (r *turtle) soonBrace() lex.Kind {
	if r.Tok.From < r.braceFrom || r.Tok.From >= r.braceTo {
		m := r.Mark()
		r.braceFrom = r.Tok.From
		r.brace, r.braceUnopened = r.toBrace(), r.unopened
		r.braceTo = r.Tok.From
		r.Reset(m)
	}
	return r.brace
}
