package ttl

import (
	"strings"

	"laundromat/rdf/ttl/lex"
)

// walker follows the grammar over tokens without making terms of them. So the reader can
// try where a broken statement may go on, before it goes on there.
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

	ends  int      // statements that ended
	after int      // predicates with objects after the last of these ends
	pairs int      // predicates with objects, in all
	wait  lex.Kind // the next token of a directive; endOfText for none

	// limit is how many tokens are enough, 0 for maxWalk. The walk begins after the current token
	// with skip, after its line with skipLine.
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

// walk follows the grammar from the current token on, which is the current one again afterwards.
func (r *turtle) walk(w walker) (v verdict) {
	m := r.Mark()
	defer r.Reset(m)
	w.r = r
	if w.skip {
		r.SkipLine = w.skipLine
		r.Next()
	}
	for v.tokens < maxWalk && (w.limit == 0 || v.tokens < w.limit) {
		if r.Beyond() {
			v.ended, v.unknown = w.ends > 0, true
			break
		}
		if r.Tok.Kind == lex.EndOfText || r.Tok.Kind == lex.Stopped {
			v.ended = w.ends > 0 || w.state == expectStatement || w.state == expectEnd && w.depth() == 1
			v.full = v.ended
			break
		}
		if !r.spend(r.Tok.To-r.Tok.From) || !w.step() {
			v.ended, v.depth, v.unknown = w.ends > 0, w.depth(), r.exhausted()
			v.closes = r.Tok.Kind.Closes() || r.Tok.Kind == lex.CloseGraph
			break
		}
		v.tokens, v.to = v.tokens+1, r.Tok.To
		if w.ends > 0 && w.after > 0 {
			v.ended, v.full = true, true
			break
		}
		r.Next()
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

// behind is the state after an object.
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

// step takes the current token; false if it can't be here.
func (w *walker) step() bool {
	k := w.r.Tok.Kind
	if k == lex.IRI && (w.r.isRemark() || w.r.endsPage()) {
		return false
	}
	if w.wait != lex.EndOfText {
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
		if k == lex.CloseList {
			w.pop()
			return true
		}
		return w.object(k)
	case expectTag:
		switch {
		case k == lex.Carets:
			w.state = expectDatatype
			return true
		case k == lex.Language, (k == lex.Prefix || k == lex.Base || k == lex.Version) && w.r.Tok.From == w.r.Ended.Offset:
			if !w.r.Has(w.r.Pos) || w.r.At(w.r.Pos) != '^' { // else see tag
				w.behind()
			}
			return true
		}
		w.behind()
		return w.step()
	case expectDatatype:
		w.behind()
		return k == lex.IRI || k == lex.Name
	case expectEnd:
		return w.end(k)
	case expectTripleSubject:
		w.state = expectTripleVerb
		if k == lex.OpenReified {
			w.push(reifiedFrame, asSubject)
			return true
		}
		return w.term(k)
	case expectTripleVerb:
		w.state = expectTripleObject
		return k.IsVerb()
	case expectTripleEnd:
		switch {
		case k == lex.Tilde && w.top() == reifiedFrame:
			return w.reifier()
		case k == lex.CloseReified && w.top() == reifiedFrame, k == lex.CloseTriple && w.top() == tripleFrame:
			w.pop()
			return true
		}
	}
	return false
}

// isEndTag says that the present IRI looks like the end tag of HTML, as in the error page
// of a server.
func (r *turtle) isEndTag() bool {
	if r.Tok.Kind != lex.IRI {
		return false
	}
	text := r.Bytes(&r.Tok)
	if len(text) < 4 || text[1] != '/' {
		return false
	}
	for _, c := range text[2 : len(text)-1] {
		if lex.Class[c]&(lex.Letter|lex.Digit) == 0 {
			return false
		}
	}
	return true
}

// endsPage says that the present IRI looks like what a page of HTML ends with, as the error page of
// a server does. No look ahead takes it for a term: with the tag before it and what is after
// it would be a statement that nobody wrote.
func (r *turtle) endsPage() bool {
	return r.isEndTag() && pageEnds[strings.ToLower(string(r.Bytes(&r.Tok)))]
}

var pageEnds = map[string]bool{"</body>": true, "</html>": true}

// term takes an IRI or a blank node.
func (w *walker) term(k lex.Kind) bool {
	if k != lex.OpenProperties {
		return k == lex.IRI || k == lex.Name || k == lex.Label
	}
	w.r.Next()
	return w.r.Tok.Kind == lex.CloseProperties
}

// reifier goes over the term that may follow ~.
func (w *walker) reifier() bool {
	m := w.r.Mark()
	w.r.Next()
	if w.r.Tok.Kind == lex.EndOfText || !w.term(w.r.Tok.Kind) {
		w.r.Reset(m)
	}
	return true
}

func (w *walker) directive(k lex.Kind) bool {
	wanted := w.wait
	switch w.wait = lex.EndOfText; wanted {
	case lex.Name:
		w.wait = lex.IRI
	case lex.IRI, lex.String:
		w.wait = lex.Dot
	case lex.Dot:
		if k != lex.Dot {
			return w.statement(k)
		}
	}
	return k == wanted
}

func (w *walker) statement(k lex.Kind) bool {
	w.may = false
	switch {
	case k == lex.Prefix, k == lex.SPARQLPrefix:
		w.wait = lex.Name
	case k == lex.Base, k == lex.SPARQLBase:
		w.wait = lex.IRI
	case k == lex.Version, k == lex.SPARQLVersion:
		w.wait = lex.String
	case k == lex.CloseGraph && w.inGraph:
		w.inGraph = false
	case k == lex.OpenGraph && !w.inGraph && w.r.hasGraphs():
		w.inGraph = true
	case k == lex.Graph && !w.inGraph && w.r.hasGraphs():
		w.r.Next()
		ok := w.term(w.r.Tok.Kind)
		w.r.Next()
		w.inGraph = true
		return ok && w.r.Tok.Kind == lex.OpenGraph
	case k == lex.IRI, k == lex.Name, k == lex.Label:
		w.frames, w.own = 0, append(w.own[:0], walkFrame{kind: statementFrame})
		w.state, w.label = expectVerb, true
		return true
	case k == lex.OpenProperties, k == lex.OpenList, k == lex.OpenReified:
		w.frames, w.own = 0, append(w.own[:0], walkFrame{kind: statementFrame})
		w.push(frameOf(k), asSubject)
		return true
	default:
		return false
	}
	return true
}

// frameOf is the kind of frame that the bracket k opens.
func frameOf(k lex.Kind) frameKind {
	switch k {
	case lex.OpenList:
		return listFrame
	case lex.OpenReified:
		return reifiedFrame
	case lex.OpenTriple:
		return tripleFrame
	case lex.OpenNotes:
		return notesFrame
	}
	return propertiesFrame
}

func (w *walker) verb(k lex.Kind) bool {
	label := w.label
	w.label = false
	switch {
	case k.IsVerb():
		w.state = expectObject
		return true
	case k == lex.Semicolon:
		return w.may || w.top() != statementFrame
	case k == lex.CloseGraph && w.isBraced():
		w.pop()
		return true
	case k == lex.CloseProperties, k == lex.CloseNotes:
		if k == lex.CloseProperties && w.top() != propertiesFrame || k == lex.CloseNotes && w.top() != notesFrame {
			return false
		}
		w.pop()
		return true
	case k == lex.OpenGraph && label && !w.inGraph && w.r.hasGraphs():
		w.state, w.inGraph = expectStatement, true
		return true
	}
	return w.may && w.endStatement(k)
}

func (w *walker) endStatement(k lex.Kind) bool {
	if w.top() != statementFrame || k != lex.Dot && (k != lex.CloseGraph || !w.inGraph) {
		return false
	}
	w.state, w.ends, w.after = expectStatement, w.ends+1, 0
	if k == lex.CloseGraph {
		w.inGraph = false
	}
	return true
}

func (w *walker) object(k lex.Kind) bool {
	switch {
	case k == lex.OpenProperties, k == lex.OpenList, k == lex.OpenReified, k == lex.OpenTriple:
		w.count()
		w.push(frameOf(k), asObject)
	case k == lex.String:
		w.behind()
		if w.state == expectEnd || w.state == expectMember || w.state == expectTripleEnd {
			w.state = expectTag
		}
	case k.IsLiteral(), k == lex.IRI, k == lex.Name, k == lex.Label:
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

func (w *walker) end(k lex.Kind) bool {
	switch {
	case k == lex.Comma:
		w.count()
		w.state = expectObject
	case k == lex.Semicolon:
		w.count()
		w.state = expectVerb
	case k == lex.CloseProperties && w.top() == propertiesFrame, k == lex.CloseNotes && w.top() == notesFrame, k == lex.CloseGraph && w.isBraced():
		w.count()
		w.pop()
	case k == lex.Tilde:
		return w.reifier()
	case k == lex.OpenNotes:
		w.push(notesFrame, asNotes)
	default:
		w.pairs++
		w.after++
		return w.endStatement(k)
	}
	return true
}
