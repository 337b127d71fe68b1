package ttl

import (
	"bytes"
	"slices"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/ttl/lex"
)

// isStrayClose looks ahead whether the current } is superfluous. What follows must make no sense
// after a graph, or another } come before any {, so that the text is at fault here or there. Then
// it is superfluous if a predicate of the document follows. Or, on the next line, a statement
// follows in the column of those in the graph, deeper than the graph. In a long graph it is
// superfluous unless it is alone on its line, as the end of a graph is.
func (r *turtle) isStrayClose() bool {
	if !r.inGraph || r.inGraphStatements < 2 {
		return false
	}
	m, looked, first, later := r.Mark(), r.looked, r.startsLine(), r.habits.later.all()
	defer func() { r.Reset(m); r.looked = looked }() // a sound text is looked at here, too
	alone := first && m.Tok.Pos.Column <= r.graphColumn
	r.Next()
	// they are judged one by one
	for n := 0; r.Tok.Kind == lex.CloseGraph && r.column() == 0 && !r.Beyond() && n < maxBraces; n++ {
		r.Next()
	}
	k, column := r.Tok.Kind, r.column()
	if k == lex.CloseGraph || k == lex.EndOfText || k == lex.Stopped || k == lex.Graph || k.IsDirective() || r.isGraph() {
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
	case !v.sound() && column == 0 && k == lex.String && r.depth > 0 && r.object.Kind == rdf.NoTerm,
		!v.sound() && (deeper || column == 0 && r.isLongGraph()) && !k.BeginsSubject() && k != lex.OpenGraph,
		!v.sound() && v.pairs == 0 && column == 0 && r.isLongGraph():
		return true
	}
	r.Reset(m)
	switch r.Next(); {
	case r.soonBrace() != lex.CloseGraph:
		return false
	case deeper && slices.Contains(later, column):
		return true
	}
	return r.isLongGraph() && (deeper || (!first || column == 0) && !r.standsAsGraph(column))
}

// closesTooEarly looks ahead whether the current }, which ends a statement as well, is not the end of
// the graph. Nothing that may follow a graph comes after it, and the next brace is another }.
func (r *turtle) closesTooEarly() bool {
	if r.isStrayClose() {
		return true
	}
	m := r.Mark()
	defer r.Reset(m)
	r.Next()
	if r.Tok.Kind == lex.Semicolon && r.goesOnWithVerb() {
		return true
	}
	verb := r.looksLikeVerb() == likely
	w := walker{r: r, state: expectStatement}
	for n := range 3 {
		k := r.Tok.Kind
		if k == lex.EndOfText || k == lex.Stopped || k == lex.Graph || k == lex.OpenGraph || r.Beyond() || n == 0 && k == lex.CloseGraph {
			return false // two braces together: the second is too many
		}
		if k == lex.Unclosed || k == lex.Broken && r.Tok.Code == fault.SyntaxUnclosedIRI {
			return false // it may hold the { of another graph
		}
		if !w.step() {
			if n == 0 && k == lex.Broken && r.Tok.From == r.Ended.Offset {
				r.Next() // the } may stand for the @ of a language tag, or for another sign
				after := r.Tok.Kind
				return after.FollowsObject() || after == lex.CloseProperties || after == lex.CloseList
			}
			// a third term may be after the label of a graph whose { is missing
			return (n == 0 || n == 1 && (verb || !k.BeginsSubject()) || k == lex.Comma || k == lex.Semicolon || k == lex.Dot) && r.soonBrace() == lex.CloseGraph
		}
		r.Next()
	}
	return false
}

// goesOnWithVerb looks ahead whether a predicate of the statement makes sense after the current semicolon.
func (r *turtle) goesOnWithVerb() bool {
	v := r.walk(walker{state: expectVerb, inGraph: true, own: []walkFrame{{kind: statementFrame}}, skip: true})
	return v.sound() || v.pairs >= enoughPairs
}

// dividesName looks ahead whether the current } is in the middle of a name, after the first
// term of a statement. It is joined to that and to what follows, which is no label of a graph.
func (r *turtle) dividesName() bool {
	if r.Tok.From != r.Ended.Offset {
		return false
	}
	m := r.Mark()
	defer r.Reset(m)
	if r.Next(); r.Tok.From != m.Tok.To || !r.Tok.Kind.IsTerm() {
		return false
	}
	r.Next()
	return r.Tok.Kind != lex.OpenGraph
}

// closesTwice looks ahead from the current }, which ends the graph, whether another } follows with
// sound statements between. Then one of the two is superfluous, or the label of a graph is lost.
// Which graph the statements belong to is not known. Where the layout shows them to be in none,
// the second is too many.
func (r *turtle) closesTwice() bool {
	if !r.anotherCloses() {
		return false
	}
	m, looked := r.Mark(), r.looked
	defer func() { r.Reset(m); r.looked = looked }()
	r.Next()
	if column := r.column(); r.graphColumn > 0 && r.standsAsGraph(column) {
		return false
	}
	w := walker{r: r, state: expectStatement, inGraph: true}
	for statements := false; ; r.Next() {
		if k := r.Tok.Kind; k == lex.EndOfText || k == lex.Stopped || r.Beyond() || r.Tok.From-m.Tok.From > maxBrace || k.IsDirective() || !w.step() {
			return false
		}
		if !w.inGraph {
			r.Next() // what divides a statement shows that the } is within one
			k := r.Tok.Kind
			return statements && k != lex.Comma && k != lex.Semicolon && k != lex.Dot
		}
		statements = statements || w.ends > 0
	}
}

// anotherCloses says that the next brace after the current } is another one, whether in a string or not.
func (r *turtle) anotherCloses() bool {
	at := int(r.Tok.From - r.Base)
	keep := r.Keep
	if keep < 0 {
		r.Keep = r.Tok.From
	}
	defer func() { r.Keep = keep }()
	for from := at + 1; ; {
		text := r.Buf[min(from, len(r.Buf)):min(at+maxBrace, len(r.Buf))]
		if i := bytes.IndexAny(text, "{}"); i >= 0 {
			return text[i] == '}'
		}
		from += len(text)
		if from-at >= maxBrace-1 {
			return false
		}
		base := r.Base
		if !r.Refill() {
			return false
		}
		at, from = at-int(r.Base-base), from-int(r.Base-base)
	}
}
