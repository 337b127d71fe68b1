package ttl

import "strings"

// walker follows the grammar over tokens without making terms of them: so the reader
// can try where a broken statement may go on, before it goes on there.
type walker struct {
	r       *turtle
	frames  int         // frames of the reader that are still open
	own     []walkFrame // those opened since
	state   state
	inGraph bool
	// may says that the statement may end here, since it has a predicate and an object
	// or a subject that needs none.
	may bool
	// label says that the subject may be the label of a graph.
	label bool

	ends  int       // statements that ended
	after int       // predicates with objects behind the last of these ends
	pairs int       // predicates with objects, in all
	wait  tokenKind // the next token of a directive; endOfText for none

	// limit is how many tokens are enough, 0 for maxWalk. skip says that the walk begins behind the
	// present token, skipLine that it begins behind its line.
	limit          int
	skip, skipLine bool
}

type walkFrame struct {
	kind   frameKind
	role   role
	braced bool // see frame
}

// verdict is how far a walk came.
type verdict struct {
	tokens int
	full   bool // over the end of the statement and well into the next, or very far
	ended  bool // over the end of the statement, or to the end of the text
	pairs  int
	// depth is the number of frames that are open where a fault was found; 0 if none was.
	depth int
	// closes says that the fault was a bracket or brace that closes what is not open.
	closes bool
	to     int64 // the offset where the walk ended
	// unknown says that the walk ended where no more may be looked at, and not at a fault.
	unknown bool
}

// sound says that what follows makes sense.
func (v *verdict) sound() bool { return v.full || v.ended }

// maxWalk is how many tokens a walk goes at most: enough for what follows to be no
// accident.
const maxWalk = 64

// walk follows the grammar from the present token on, which is present again afterwards.
func (r *turtle) walk(w walker) (v verdict) {
	m := r.mark()
	defer r.reset(m)
	w.r = r
	if w.skip {
		r.skipLine = w.skipLine
		r.next()
	}
	for v.tokens < maxWalk && (w.limit == 0 || v.tokens < w.limit) {
		if r.beyond() {
			v.ended, v.unknown = w.ends > 0, true
			break
		}
		if r.tok.kind == endOfText || r.tok.kind == stopped {
			v.ended = w.ends > 0 || w.state == expectStatement || w.state == expectEnd && w.depth() == 1
			v.full = v.ended
			break
		}
		if !r.spend(r.tok.to-r.tok.from) || !w.step() {
			v.ended, v.depth, v.unknown = w.ends > 0, w.depth(), r.exhausted()
			v.closes = r.tok.kind.closes() || r.tok.kind == closeGraph
			break
		}
		v.tokens, v.to = v.tokens+1, r.tok.to
		if w.ends > 0 && w.after > 0 {
			v.ended, v.full = true, true
			break
		}
		r.next()
	}
	v.pairs = w.pairs
	v.full = v.full || v.tokens == maxWalk
	return v
}

// spend takes what a look at n more bytes costs from what the text read so far allows.
// False means that too much was looked at already.
func (r *turtle) spend(n int64) bool {
	r.looked += n + 8
	return !r.exhausted()
}

// exhausted says that no more may be looked at ahead.
func (r *turtle) exhausted() bool { return r.looked > allowance+32*r.reached }

// allowance is how many bytes may be looked at ahead where nothing was read yet.
const allowance = 256 << 10

func (w *walker) depth() int { return w.frames + len(w.own) }

func (w *walker) top() frameKind {
	if n := len(w.own); n > 0 {
		return w.own[n-1].kind
	}
	return w.r.stack[w.frames-1].kind
}

// isBraced says that a } may close the bracket on top.
func (w *walker) isBraced() bool {
	if n := len(w.own); n > 0 {
		return w.own[n-1].braced
	}
	return w.frames > 0 && w.r.stack[w.frames-1].braced
}

func (w *walker) push(kind frameKind, as role) {
	w.own = append(w.own, walkFrame{kind: kind, role: as})
	switch kind {
	case listFrame:
		w.state = expectMember
	case reifiedFrame, tripleFrame:
		w.state = expectTripleSubject
	default:
		w.state = expectVerb
	}
}

// pop closes the bracket on top.
func (w *walker) pop() {
	var f walkFrame
	if n := len(w.own); n > 0 {
		f, w.own = w.own[n-1], w.own[:n-1]
	} else {
		w.frames--
		f = walkFrame{kind: w.r.stack[w.frames].kind, role: w.r.stack[w.frames].role}
	}
	switch f.role {
	case asSubject:
		w.state, w.may = expectVerb, f.kind == propertiesFrame || f.kind == reifiedFrame
		if k := w.top(); k == reifiedFrame || k == tripleFrame {
			w.state = expectTripleVerb
		}
	case asPredicate:
		w.state = expectObject
		if k := w.top(); k == reifiedFrame || k == tripleFrame {
			w.state = expectTripleObject
		}
	case asNotes:
		w.state = expectEnd
	default:
		w.behind()
	}
}

// behind is the state behind an object.
func (w *walker) behind() {
	switch w.top() {
	case listFrame:
		w.state = expectMember
	case reifiedFrame, tripleFrame:
		w.state = expectTripleEnd
	default:
		w.state = expectEnd
	}
}

// step takes the present token; false if it can't stand here.
func (w *walker) step() bool {
	k := w.r.tok.kind
	if k == iriToken && (w.r.isRemark() || w.r.endsPage()) {
		return false
	}
	if w.wait != endOfText {
		return w.directive(k)
	}
	switch w.state {
	case expectStatement:
		return w.statement(k)
	case expectVerb:
		return w.verb(k)
	case expectObject, expectTripleObject:
		return w.object(k)
	case expectMember:
		if k == closeList {
			w.pop()
			return true
		}
		return w.object(k)
	case expectTag:
		switch {
		case k == carets:
			w.state = expectDatatype
			return true
		case k == languageToken, (k == prefixToken || k == baseToken || k == versionToken) && w.r.tok.from == w.r.ended.Offset:
			if !w.r.has(w.r.pos) || w.r.at(w.r.pos) != '^' { // else see tag
				w.behind()
			}
			return true
		}
		w.behind()
		return w.step()
	case expectDatatype:
		w.behind()
		return k == iriToken || k == nameToken
	case expectEnd:
		return w.end(k)
	case expectTripleSubject:
		w.state = expectTripleVerb
		if k == openReified {
			w.push(reifiedFrame, asSubject)
			return true
		}
		return w.term(k)
	case expectTripleVerb:
		w.state = expectTripleObject
		return k.isVerb()
	case expectTripleEnd:
		switch {
		case k == tilde && w.top() == reifiedFrame:
			return w.reifier()
		case k == closeReified && w.top() == reifiedFrame, k == closeTriple && w.top() == tripleFrame:
			w.pop()
			return true
		}
	}
	return false
}

// isEndTag says that the present IRI looks like the end tag of HTML, as in the error page
// of a server.
func (r *turtle) isEndTag() bool {
	if r.tok.kind != iriToken {
		return false
	}
	text := r.bytes(&r.tok)
	if len(text) < 4 || text[1] != '/' {
		return false
	}
	for _, c := range text[2 : len(text)-1] {
		if class[c]&(letter|digit) == 0 {
			return false
		}
	}
	return true
}

// endsPage says that the present IRI looks like what a page of HTML ends with, as the error page of
// a server does. No look ahead takes it for a term: with the tag before it and what stands behind
// it would be a statement that nobody wrote.
func (r *turtle) endsPage() bool {
	return r.isEndTag() && pageEnds[strings.ToLower(string(r.bytes(&r.tok)))]
}

var pageEnds = map[string]bool{"</body>": true, "</html>": true}

// term takes an IRI or a blank node.
func (w *walker) term(k tokenKind) bool {
	if k != openProperties {
		return k == iriToken || k == nameToken || k == labelToken
	}
	w.r.next()
	return w.r.tok.kind == closeProperties
}

// reifier goes over the term that may follow ~.
func (w *walker) reifier() bool {
	m := w.r.mark()
	w.r.next()
	if w.r.tok.kind == endOfText || !w.term(w.r.tok.kind) {
		w.r.reset(m)
	}
	return true
}

func (w *walker) directive(k tokenKind) bool {
	wanted := w.wait
	switch w.wait = endOfText; wanted {
	case nameToken:
		w.wait = iriToken
	case iriToken, stringToken:
		w.wait = dot
	case dot:
		if k != dot {
			return w.statement(k)
		}
	}
	return k == wanted
}

func (w *walker) statement(k tokenKind) bool {
	w.may = false
	switch {
	case k == prefixToken, k == sparqlPrefix:
		w.wait = nameToken
	case k == baseToken, k == sparqlBase:
		w.wait = iriToken
	case k == versionToken, k == sparqlVersion:
		w.wait = stringToken
	case k == closeGraph && w.inGraph:
		w.inGraph = false
	case k == openGraph && !w.inGraph && w.r.hasGraphs():
		w.inGraph = true
	case k == graphToken && !w.inGraph && w.r.hasGraphs():
		w.r.next()
		ok := w.term(w.r.tok.kind)
		w.r.next()
		w.inGraph = true
		return ok && w.r.tok.kind == openGraph
	case k == iriToken, k == nameToken, k == labelToken:
		w.frames, w.own = 0, append(w.own[:0], walkFrame{kind: statementFrame})
		w.state, w.label = expectVerb, true
		return true
	case k == openProperties, k == openList, k == openReified:
		w.frames, w.own = 0, append(w.own[:0], walkFrame{kind: statementFrame})
		w.push(frameOf(k), asSubject)
		return true
	default:
		return false
	}
	return true
}

// frameOf is the kind of frame that the bracket k opens.
func frameOf(k tokenKind) frameKind {
	switch k {
	case openList:
		return listFrame
	case openReified:
		return reifiedFrame
	case openTriple:
		return tripleFrame
	case openNotes:
		return notesFrame
	}
	return propertiesFrame
}

func (w *walker) verb(k tokenKind) bool {
	label := w.label
	w.label = false
	switch {
	case k.isVerb():
		w.state = expectObject
		return true
	case k == semicolon:
		return w.may || w.top() != statementFrame
	case k == closeGraph && w.isBraced():
		w.pop()
		return true
	case k == closeProperties, k == closeNotes:
		if k == closeProperties && w.top() != propertiesFrame || k == closeNotes && w.top() != notesFrame {
			return false
		}
		w.pop()
		return true
	case k == openGraph && label && !w.inGraph && w.r.hasGraphs():
		w.state, w.inGraph = expectStatement, true
		return true
	}
	return w.may && w.endStatement(k)
}

func (w *walker) endStatement(k tokenKind) bool {
	if w.top() != statementFrame || k != dot && (k != closeGraph || !w.inGraph) {
		return false
	}
	w.state, w.ends, w.after = expectStatement, w.ends+1, 0
	if k == closeGraph {
		w.inGraph = false
	}
	return true
}

func (w *walker) object(k tokenKind) bool {
	switch {
	case k == openProperties, k == openList, k == openReified, k == openTriple:
		w.count()
		w.push(frameOf(k), asObject)
	case k == stringToken:
		w.behind()
		if w.state == expectEnd || w.state == expectMember || w.state == expectTripleEnd {
			w.state = expectTag
		}
	case k.isLiteral(), k == iriToken, k == nameToken, k == labelToken:
		w.behind()
	default:
		return false
	}
	return true
}

// count notes that a predicate has an object.
func (w *walker) count() {
	w.may = true
	w.pairs++
	w.after++
}

func (w *walker) end(k tokenKind) bool {
	switch {
	case k == comma:
		w.count()
		w.state = expectObject
	case k == semicolon:
		w.count()
		w.state = expectVerb
	case k == closeProperties && w.top() == propertiesFrame, k == closeNotes && w.top() == notesFrame, k == closeGraph && w.isBraced():
		w.count()
		w.pop()
	case k == tilde:
		return w.reifier()
	case k == openNotes:
		w.push(notesFrame, asNotes)
	default:
		w.pairs++
		w.after++
		return w.endStatement(k)
	}
	return true
}
