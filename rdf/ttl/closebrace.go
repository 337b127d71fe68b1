package ttl

import (
	"bytes"
	"slices"

	"laundromat/internal/fault"
	"laundromat/rdf"
)

// isStrayClose looks ahead whether the present } is one too many. What follows must make no sense
// behind a graph, or another } come before any {, so that the text is at fault here or there. Then
// it is one if a predicate of the document follows, or, on the next line, a statement where those
// in the graph stand, which is deeper than the graph; in a long graph, wherever it does not stand
// alone on a line as a graph does.
func (r *turtle) isStrayClose() bool {
	if !r.inGraph || r.inGraphStatements < 2 {
		return false
	}
	m, looked, first, later := r.mark(), r.looked, r.startsLine(), r.habits.later.all()
	defer func() { r.reset(m); r.looked = looked }() // a sound text is looked at here, too
	alone := first && m.tok.pos.Column <= r.graphColumn
	r.next()
	// they are judged one by one
	for n := 0; r.tok.kind == closeGraph && r.column() == 0 && !r.beyond() && n < maxBraces; n++ {
		r.next()
	}
	k, column := r.tok.kind, r.column()
	if k == closeGraph || k == endOfText || k == stopped || k == graphToken || k.isDirective() || r.isGraph() {
		return false
	}
	alone = alone && column > 0
	deeper := !alone && len(later) > 1 && r.graphColumn > 0 && column >= slices.Min(later) && slices.Min(later) > r.graphColumn
	v := r.walk(walker{state: expectStatement})
	switch {
	case v.unknown:
		return false
	case !v.sound() && (column == 0 || deeper) && r.looksLikeVerb() == likely:
		return true
	// which is the object
	case !v.sound() && column == 0 && k == stringToken && r.depth > 0 && r.object.Kind == rdf.NoTerm,
		!v.sound() && (deeper || column == 0 && r.isLongGraph()) && !k.beginsSubject() && k != openGraph,
		!v.sound() && v.pairs == 0 && column == 0 && r.isLongGraph():
		return true
	}
	r.reset(m)
	switch r.next(); {
	case r.soonBrace() != closeGraph:
		return false
	case deeper && slices.Contains(later, column):
		return true
	}
	return r.isLongGraph() && (deeper || (!first || column == 0) && !r.standsAsGraph(column))
}

// closesTooEarly looks ahead whether the present }, which ends a statement as well, is not the end of
// the graph: nothing that may follow one stands behind it, and the next brace is another }.
func (r *turtle) closesTooEarly() bool {
	if r.isStrayClose() {
		return true
	}
	m := r.mark()
	defer r.reset(m)
	r.next()
	if r.tok.kind == semicolon && r.goesOnWithVerb() {
		return true
	}
	verb := r.looksLikeVerb() == likely
	w := walker{r: r, state: expectStatement}
	for n := range 3 {
		k := r.tok.kind
		if k == endOfText || k == stopped || k == graphToken || k == openGraph || r.beyond() || n == 0 && k == closeGraph {
			return false // two braces together: the second is too many
		}
		if k == unclosedToken || k == brokenToken && r.tok.code == fault.SyntaxUnclosedIRI {
			return false // it may hold the { of another graph
		}
		if !w.step() {
			if n == 0 && k == brokenToken && r.tok.from == r.ended.Offset {
				r.next() // the } may stand for the @ of a language tag, or for another sign
				after := r.tok.kind
				return after.followsObject() || after == closeProperties || after == closeList
			}
			// a third term may stand behind the label of a graph whose { is missing
			return (n == 0 || n == 1 && (verb || !k.beginsSubject()) || k == comma || k == semicolon || k == dot) && r.soonBrace() == closeGraph
		}
		r.next()
	}
	return false
}

// goesOnWithVerb looks ahead whether a predicate of the statement makes sense behind the present semicolon.
func (r *turtle) goesOnWithVerb() bool {
	v := r.walk(walker{state: expectVerb, inGraph: true, own: []walkFrame{{kind: statementFrame}}, skip: true})
	return v.sound() || v.pairs >= enoughPairs
}

// dividesName looks ahead whether the present } stands in the middle of a name, behind the first
// term of a statement: it is joined to that and to what follows, which is no label of a graph.
func (r *turtle) dividesName() bool {
	if r.tok.from != r.ended.Offset {
		return false
	}
	m := r.mark()
	defer r.reset(m)
	if r.next(); r.tok.from != m.tok.to || !r.tok.kind.isTerm() {
		return false
	}
	r.next()
	return r.tok.kind != openGraph
}

// closesTwice looks ahead from the present }, which ends the graph, whether another } follows with
// sound statements between: then one of the two is too many, or the label of a graph is lost, and
// which graph the statements stand in is not known. Where the layout shows them to stand in none,
// the second is too many.
func (r *turtle) closesTwice() bool {
	if !r.anotherCloses() {
		return false
	}
	m, looked := r.mark(), r.looked
	defer func() { r.reset(m); r.looked = looked }()
	r.next()
	if column := r.column(); r.graphColumn > 0 && r.standsAsGraph(column) {
		return false
	}
	w := walker{r: r, state: expectStatement, inGraph: true}
	for statements := false; ; r.next() {
		if k := r.tok.kind; k == endOfText || k == stopped || r.beyond() || r.tok.from-m.tok.from > maxBrace || k.isDirective() || !w.step() {
			return false
		}
		if !w.inGraph {
			r.next() // what divides a statement shows that the } stands within one
			k := r.tok.kind
			return statements && k != comma && k != semicolon && k != dot
		}
		statements = statements || w.ends > 0
	}
}

// anotherCloses says that the next brace behind the present } is another one, be it in a string or not.
func (r *turtle) anotherCloses() bool {
	at := int(r.tok.from - r.base)
	keep := r.keep
	if keep < 0 {
		r.keep = r.tok.from
	}
	defer func() { r.keep = keep }()
	for from := at + 1; ; {
		text := r.buf[min(from, len(r.buf)):min(at+maxBrace, len(r.buf))]
		if i := bytes.IndexAny(text, "{}"); i >= 0 {
			return text[i] == '}'
		}
		from += len(text)
		if from-at >= maxBrace-1 {
			return false
		}
		base := r.base
		if !r.refill() {
			return false
		}
		at, from = at-int(r.base-base), from-int(r.base-base)
	}
}
