package ttl

import "bytes"

// beginsStatement says that the present token can begin a statement; a term must
// be followed by one that can be a predicate. afterGraph says that a } was the last.
func (r *turtle) beginsStatement(afterGraph bool) bool {
	switch k := r.tok.kind; {
	case k == endOfText, k == graphToken, k == openGraph, k == openProperties, k == openList, k == openReified, k.isDirective():
		return true
	case k == closeGraph:
		return r.inGraph && !afterGraph
	case k.beginsSubject():
		next := r.nextKind()
		return next.isVerb() || next == openGraph
	}
	return false
}

// nextKind looks ahead at the token behind the present one.
func (r *turtle) nextKind() tokenKind {
	m := r.mark()
	r.next()
	k := r.tok.kind
	r.reset(m)
	return k
}

// isDirective looks ahead whether the present token begins a whole directive.
func (r *turtle) isDirective() bool {
	m := r.mark()
	defer r.reset(m)
	if k := r.tok.kind; k == prefixToken || k == sparqlPrefix {
		if r.next(); r.tok.kind != nameToken {
			return false
		}
	}
	wanted := iriToken
	if k := r.tok.kind; k == versionToken || k == sparqlVersion {
		wanted = stringToken
	}
	r.next()
	return r.tok.kind == wanted
}

// isGraph looks ahead whether the present token begins a graph.
func (r *turtle) isGraph() bool {
	if !r.trig && !r.adapts {
		return false
	}
	m := r.mark()
	defer r.reset(m)
	if r.tok.kind == graphToken {
		r.next()
	}
	switch r.tok.kind {
	case iriToken, nameToken, labelToken:
		r.next()
		return r.tok.kind == openGraph
	}
	return false
}

// plainlyNew looks ahead whether the present token, which stands where a statement
// should end, begins another: it stands on another line, and is a directive, a
// graph, or three terms with what ends an object.
func (r *turtle) plainlyNew() bool {
	before := r.ended.Line
	if r.tok.pos.Line <= before {
		return false
	}
	switch k := r.tok.kind; {
	case k.isDirective():
		return r.isDirective()
	case k == graphToken, k == iriToken, k == nameToken, k == labelToken:
		if r.isGraph() {
			return true
		}
	}
	if k := r.tok.kind; k != iriToken && k != nameToken && k != labelToken || r.standsAsVerb() || !r.precedesVerb() {
		return false
	}
	m := r.mark()
	defer r.reset(m)
	line, column := r.tok.pos.Line, r.tok.pos.Column
	if r.next(); !r.tok.kind.isVerb() {
		return false
	}
	sameLine := r.tok.pos.Line == line
	r.next()
	sameLine = sameLine && r.tok.pos.Line == line
	if r.plainlyObject() {
		return true
	}
	// a line of three terms below a line of three terms, without dots
	f := r.top()
	return sameLine && f.start == column && f.verbs == 1 && !f.started && f.pos.Line == before && r.ended.Line == line &&
		(r.tok.pos.Line > line || r.tok.kind == endOfText)
}

// precedesVerb looks ahead whether the term behind the present one, which may begin a statement
// where the one before has not ended, may be its predicate: it does not begin a line in the same
// column, as the values of a list do, and where the present one does not begin a line, it is no
// value of the namespace of that one, unless it is known as a predicate, or that of the statement
// that is being read.
func (r *turtle) precedesVerb() bool {
	m := r.mark()
	defer r.reset(m)
	column := r.column()
	first := hashOf(spaceOf(r.roughIRI()))
	r.next()
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

// plainlyObject looks whether the present token begins an object that ends as one
// does. It moves on.
func (r *turtle) plainlyObject() bool {
	switch k := r.tok.kind; {
	case k.opens():
		return true
	case k == stringToken:
		if r.next(); r.tok.kind == languageToken {
			r.next()
		} else if r.tok.kind == carets {
			r.next()
			r.next()
		}
	case k.beginsObject():
		r.next()
	default:
		return false
	}
	return r.tok.kind.followsObject() || r.tok.kind == closeGraph && r.inGraph
}

// hasGraphs says that a { may begin a graph.
func (r *turtle) hasGraphs() bool { return r.trig || r.adapts || r.inGraph }

// endsDotted says that a name or a word stands before the present token in which a dot stands before a prefix that
// is declared: most likely the name ended there, and the statement with it.
func (r *turtle) endsDotted() bool {
	const longest = 256
	if r.tok.from-r.ended.Offset > slack-longest {
		return false // it may have left the window
	}
	end := int(r.ended.Offset - r.base)
	from := end
	for from > 0 && end-from < longest && (class[r.buf[from-1]]&nameInside != 0 || r.buf[from-1] >= 0x80 || r.buf[from-1] == '.' || r.buf[from-1] == ':') {
		from--
	}
	for text := r.buf[from:end]; ; {
		colon := bytes.LastIndexByte(text, ':')
		if colon < 0 {
			return false
		}
		text = text[:colon]
		if dot := bytes.LastIndexByte(text, '.'); dot >= 0 && r.prefixes[string(text[dot+1:])] != nil {
			return true
		}
	}
}
