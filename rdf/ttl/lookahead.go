package ttl

import (
	"bytes"

	"laundromat/rdf/ttl/lex"
)

// beginsStatement says that the current token can begin a statement; a term must be
// followed by one that can be a predicate. If a } was the last token, afterGraph is true.
func (r *turtle) beginsStatement(afterGraph bool) bool {
	switch k := r.Tok.Kind; {
	case k == lex.EndOfText, k == lex.Graph, k == lex.OpenGraph, k == lex.OpenProperties, k == lex.OpenList, k == lex.OpenReified, k.IsDirective():
		return true
	case k == lex.CloseGraph:
		return r.inGraph && !afterGraph
	case k.BeginsSubject():
		next := r.nextKind()
		return next.IsVerb() || next == lex.OpenGraph
	}
	return false
}

// nextKind looks ahead at the token after the current one.
func (r *turtle) nextKind() lex.Kind {
	m := r.Mark()
	r.Next()
	k := r.Tok.Kind
	r.Reset(m)
	return k
}

// isDirective looks ahead whether the current token begins a whole directive.
func (r *turtle) isDirective() bool {
	m := r.Mark()
	defer r.Reset(m)
	if k := r.Tok.Kind; k == lex.Prefix || k == lex.SPARQLPrefix {
		if r.Next(); r.Tok.Kind != lex.Name {
			return false
		}
	}
	wanted := lex.IRI
	if k := r.Tok.Kind; k == lex.Version || k == lex.SPARQLVersion {
		wanted = lex.String
	}
	r.Next()
	return r.Tok.Kind == wanted
}

// isGraph looks ahead whether the current token begins a graph.
func (r *turtle) isGraph() bool {
	if !r.trig && !r.adapts {
		return false
	}
	m := r.Mark()
	defer r.Reset(m)
	if r.Tok.Kind == lex.Graph {
		r.Next()
	}
	switch r.Tok.Kind {
	case lex.IRI, lex.Name, lex.Label:
		r.Next()
		return r.Tok.Kind == lex.OpenGraph
	}
	return false
}

// plainlyNew looks ahead whether the current token, where a statement should end, begins
// another. It is on another line, and is a directive, a graph, or three terms with what
// ends an object.
func (r *turtle) plainlyNew() bool {
	before := r.Ended.Line
	if r.Tok.Pos.Line <= before {
		return false
	}
	switch k := r.Tok.Kind; {
	case k.IsDirective():
		return r.isDirective()
	case k == lex.Graph, k == lex.IRI, k == lex.Name, k == lex.Label:
		if r.isGraph() {
			return true
		}
	}
	if k := r.Tok.Kind; k != lex.IRI && k != lex.Name && k != lex.Label || r.standsAsVerb() || !r.precedesVerb() {
		return false
	}
	m := r.Mark()
	defer r.Reset(m)
	line, column := r.Tok.Pos.Line, r.Tok.Pos.Column
	if r.Next(); !r.Tok.Kind.IsVerb() {
		return false
	}
	sameLine := r.Tok.Pos.Line == line
	r.Next()
	sameLine = sameLine && r.Tok.Pos.Line == line
	if r.plainlyObject() {
		return true
	}
	// a line of three terms below a line of three terms, without dots
	f := r.top()
	return sameLine && f.start == column && f.verbs == 1 && !f.started && f.pos.Line == before && r.Ended.Line == line &&
		(r.Tok.Pos.Line > line || r.Tok.Kind == lex.EndOfText)
}

// precedesVerb looks ahead whether the term after the current one may be its predicate. The
// current one may begin a statement where the one before has not ended. The next term must not
// begin a line in the same column, as the values of a list do. Where the current one does not
// begin a line, the next must not be in its namespace. A known predicate is exempt from that, and
// so is the predicate of the open statement.
func (r *turtle) precedesVerb() bool {
	m := r.Mark()
	defer r.Reset(m)
	column := r.column()
	first := hashOf(spaceOf(r.roughIRI()))
	r.Next()
	if column > 0 {
		return r.column() != column
	}
	switch r.looksLikeVerb() {
	case likely:
		return true
	case unlikely:
		return false
	}
	second := r.roughIRI()
	return second == nil || hashOf(spaceOf(second)) != first || r.depth > 0 && bytes.Equal(second, r.stack[0].predicate.Value)
}

// plainlyObject looks whether the current token begins an object that ends as one
// does. It moves on.
func (r *turtle) plainlyObject() bool {
	switch k := r.Tok.Kind; {
	case k.Opens():
		return true
	case k == lex.String:
		if r.Next(); r.Tok.Kind == lex.Language {
			r.Next()
		} else if r.Tok.Kind == lex.Carets {
			r.Next()
			r.Next()
		}
	case k.BeginsObject():
		r.Next()
	default:
		return false
	}
	return r.Tok.Kind.FollowsObject() || r.Tok.Kind == lex.CloseGraph && r.inGraph
}

// hasGraphs says that a { may begin a graph.
func (r *turtle) hasGraphs() bool { return r.trig || r.adapts || r.inGraph }

// endsDotted says that the name or word before the current token has a dot before a declared prefix in it. Most
// likely the name ended there, and the statement with it.
func (r *turtle) endsDotted() bool {
	const longest = 256
	if r.Tok.From-r.Ended.Offset > lex.Slack-longest {
		return false // it may have left the window
	}
	end := int(r.Ended.Offset - r.Base)
	from := end
	for from > 0 && end-from < longest && (lex.Class[r.Buf[from-1]]&lex.NameInside != 0 || r.Buf[from-1] >= 0x80 || r.Buf[from-1] == '.' || r.Buf[from-1] == ':') {
		from--
	}
	for text := r.Buf[from:end]; ; {
		colon := bytes.LastIndexByte(text, ':')
		if colon < 0 {
			return false
		}
		text = text[:colon]
		if dot := bytes.LastIndexByte(text, '.'); dot >= 0 && r.Prefixes[string(text[dot+1:])] != nil {
			return true
		}
	}
}
