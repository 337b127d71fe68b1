package ttl

import (
	"bytes"

	"laundromat/internal/fault"
	"laundromat/rdf"
)

// recover passes over what follows a fault that has no known end, from the present
// token on, and tells n, which costs the statement that is being read.
//
// If what is open is known (near), reading goes on at the nearest , ; ] of the
// frame of the fault, as long as the tokens before are sound and are not so many
// that another statement may have begun among them: then a comma would join the
// wrong predicate, and a semicolon the wrong subject. Else it goes on after the
// next dot or } that is followed by what can begin a statement, or at a directive
// or graph that begins a line. Line ends alone never count.
func (r *turtle) recover(n fault.Notice, near bool) {
	from := r.tok.from
	s := search{near: near && r.depth > 0 && r.tok.kind != unclosedToken, state: r.state}
	switch r.state {
	case expectObject, expectDatatype:
		s.terms = 1
	case expectEnd:
		s.terms = 2
	}
	for {
		switch r.tok.kind {
		case endOfText, stopped:
			r.giveUp(n, from)
			return
		}
		if s.near {
			if r.resumeNear(&s, n, from) {
				return
			}
		}
		if !s.near && r.resumeFar(n, from) {
			return
		}
		tail, first := r.tail(), r.tok.from == from
		r.next()
		if tail != 0 && r.resumeBehind(tail, first && s.terms <= 2, n, from) {
			return
		}
	}
}

// tail is the last sign of a string that was not closed on its line: most often what
// ended the statement. 0 if the present token is no such string.
func (r *turtle) tail() byte {
	if r.tok.kind != unclosedToken || r.tok.quote == 0 {
		return 0
	}
	text := bytes.TrimRight(r.bytes(&r.tok), " \t")
	return text[len(text)-1]
}

// resumeBehind tries to go on behind the line of a string that was not closed: if
// that line ends in a dot and what follows is plainly a statement, or if it ends in
// a semicolon and what follows is a predicate, an object and what may follow one.
// near says that nothing else was passed over, so that the subject is known.
func (r *turtle) resumeBehind(tail byte, near bool, n fault.Notice, from int64) bool {
	switch {
	case tail == '.' && r.plainlyNew():
		r.giveUp(n, from)
		return true
	case tail == ';' && near && r.depth > 0 && r.top().hasPairs() && r.plainlyPair():
		r.resumePair(r.top(), n, from)
		return true
	}
	return false
}

// resumePair goes on with another predicate of the frame f.
func (r *turtle) resumePair(f *frame, n fault.Notice, from int64) {
	r.lostStretch(n, from)
	f.lost, f.started, f.notes = false, true, nil
	r.object.clear()
	r.withdraw(f.atPredicate)
	r.state = expectVerb
}

// plainlyPair looks ahead whether the present token, on another line, begins a
// predicate, an object and what may follow one.
func (r *turtle) plainlyPair() bool {
	if r.tok.pos.Line <= r.ended.Line || !r.tok.kind.isVerb() {
		return false
	}
	m := r.mark()
	defer r.reset(m)
	r.next()
	return r.plainlyObject()
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
	return r.tok.kind.followsObject()
}

// search is how far recover has come.
type search struct {
	near  bool
	state state // in which the fault was found
	depth int   // brackets opened since
	terms int   // since the last ; or . of the frame, that of the fault included
	tilde bool  // a reifier of the frame was passed over
}

// resumeNear tries the present token as a place to go on within the statement.
func (r *turtle) resumeNear(s *search, n fault.Notice, from int64) bool {
	f := r.top()
	switch k := r.tok.kind; {
	case k == unclosedToken, k.isDirective(), k == graphToken, k == openGraph, k == closeGraph, k == dot:
		s.near = false
	case k.opens():
		if s.depth == 0 {
			s.terms++
		}
		s.depth++
	case k.closes():
		s.depth--
		if s.depth >= 0 {
			return false
		}
		if !f.closedBy(k) || s.terms > 4 {
			s.near = false
			return false
		}
		r.lostStretch(n, from)
		r.object.clear()
		r.closeLost(s, n.Code)
		return true
	case s.depth > 0:
	case k == tilde:
		s.tilde = true
	case k == comma && f.hasPairs() && s.terms <= 3 && (s.state == expectObject || s.state == expectEnd):
		r.lostStretch(n, from)
		f.lost, f.notes = false, nil
		f.afterComma = true
		r.object.clear()
		r.withdraw(f.atObject)
		r.next()
		r.state = expectObject
		return true
	case k == semicolon && f.hasPairs() && s.terms <= 4:
		r.next()
		r.resumePair(f, n, from)
		return true
	case k == comma || k == semicolon:
		s.near = false
	case k == carets:
		s.terms--
	case k.isTerm():
		s.terms++
	}
	return false
}

// resumeFar tries the present token as a place to go on with another statement.
func (r *turtle) resumeFar(n fault.Notice, from int64) bool {
	newLine := r.tok.pos.Line > r.ended.Line
	switch k := r.tok.kind; {
	case k == dot, k == closeGraph:
		m := r.mark()
		r.next()
		begins := r.beginsStatement(k == closeGraph)
		r.reset(m)
		if !begins {
			return false
		}
		r.next()
		r.giveUp(n, from)
		if k == closeGraph && r.inGraph {
			r.leaveGraph()
		}
		return true
	case k == openGraph:
		r.giveUp(n, from)
		r.enterLost(n.Code)
		return true
	case newLine && (k.isDirective() && r.isDirective() || r.isGraph()):
		r.giveUp(n, from)
		return true
	}
	return false
}

// beginsStatement says that the present token can begin a statement; a term must
// be followed by one that can be a predicate. afterGraph says that a } was the last.
func (r *turtle) beginsStatement(afterGraph bool) bool {
	switch k := r.tok.kind; {
	case k == endOfText, k == graphToken, k == openGraph, k == openProperties, k == openList, k == openReified, k.isDirective():
		return true
	case k == closeGraph:
		return r.inGraph && !afterGraph
	case k.beginsSubject():
		m := r.mark()
		r.next()
		next := r.tok.kind
		r.reset(m)
		return next.isVerb() || next == openGraph
	}
	return false
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
	if r.tok.pos.Line <= r.ended.Line {
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
	if k := r.tok.kind; k != iriToken && k != nameToken && k != labelToken {
		return false
	}
	m := r.mark()
	defer r.reset(m)
	if r.next(); !r.tok.kind.isVerb() {
		return false
	}
	r.next()
	return r.plainlyObject()
}

// lostStretch tells n, with the length of what was passed over.
func (r *turtle) lostStretch(n fault.Notice, from int64) {
	n.Bytes = r.tok.from - from
	r.lose(n)
}

// giveUp tells n and gives up all that is open, but for the graph.
func (r *turtle) giveUp(n fault.Notice, from int64) {
	n.Bytes = r.tok.from - from
	if r.depth == 0 {
		n.Lost = 1
		r.to.Notice(n)
	} else {
		r.lose(n)
		r.unwind()
	}
	r.object.clear()
	r.withdraw(r.told)
	r.state = expectStatement
}

// unwind closes all frames, and counts what is lost in each: the statement that
// waited for the bracket, and the rdf:rest of a list that does not go on.
func (r *turtle) unwind() {
	waited := asSubject // what the bracket above is to the frame; the top one was told of
	for ; r.depth > 0; r.depth-- {
		f := r.top()
		if waited == asObject && !f.lost {
			r.to.Notice(r.unfinished(f, "this statement is lost with the brackets in it"))
		}
		if f.kind == listFrame && f.cell != 0 {
			r.to.Notice(r.unfinished(f, "the list ends here, and its last node has no rdf:rest"))
		}
		if waited = f.role; f.kind == tripleFrame {
			waited = asNotes // its loss was that of the statement
		}
	}
}

func (r *turtle) unfinished(f *frame, message string) fault.Notice {
	return fault.Notice{Code: fault.SyntaxUnclosedBracket, Severity: fault.Drop, Pos: f.pos, Lost: 1, Message: message,
		Excerpt: r.shown(&f.subject)}
}

// end deals with what is open where the text ends.
func (r *turtle) end() {
	if r.depth > 0 {
		r.endOpen()
	}
	if r.inGraph && r.sinkErr == nil {
		r.to.Notice(r.notice(fault.SyntaxStray, fault.Repair, r.ended, "the } of the last graph is missing"))
	}
}

func (r *turtle) endOpen() {
	f := r.top()
	switch {
	case r.depth == 1 && f.kind == statementFrame && (r.state == expectEnd || r.state == expectTag) && !r.cutShort():
		if r.object.Kind != rdf.NoTerm && !f.lost {
			r.object.repaired = true
			r.repair(fault.SyntaxMissingDot, r.ended, "the dot at the end of this statement is missing")
		} else if f.notes != nil {
			r.stray("the dot at the end of this statement is missing")
		}
		r.commit()
		r.finish()
	case r.depth == 1 && f.kind == statementFrame && r.state == expectVerb && (f.started || f.complete):
		r.stray("the dot at the end of this statement is missing")
		r.finish()
	default:
		r.giveUp(r.notice(fault.SyntaxUnfinished, fault.Drop, r.ended, "the text ends in the middle of a statement"), r.tok.from)
	}
}

// cutShort says that the last term may be only the beginning of one, since the text
// ends with it: a name, a number, or a string that ^^ may have followed.
func (t *terms) cutShort() bool {
	return t.ended.Offset == t.tok.from && !t.closedLast()
}

// closedLast says that the last token, with which the text ends, tells its own end.
func (t *terms) closedLast() bool {
	i := int(t.ended.Offset-t.base) - 1
	if i < 0 || i >= len(t.buf) {
		return false
	}
	switch t.buf[i] {
	case '>', ']', ')', '}':
		return true
	}
	return false
}
