package repair

import (
	"laundromat/rdf/ttl/grammar"
	"laundromat/rdf/ttl/lex"
)

// way is one reading of the tokens up to some place.
type way struct {
	state grammar.State
	top   int32 // the innermost that is open, in search.nodes; -1 if nothing is
	cost  Damage
	edit  int32 // its last edit, in search.edits; -1 if there is none
	said  int32 // its last statement, in search.said; -1 if there is none
	last  int16 // the token of its last edit
	ended int16 // the token behind which a statement ended first after that; -1 if none did
	// object is the object that was read, held says that there is one. With spoilt, the next term is lost.
	object       int32
	held, spoilt bool
	barred       bool // by a switch
	graph        int32
}

// node is something open. Terms are known by numbers: that of their token and one, a negative one if they were
// read before, and 0 if they are lost.
type node struct {
	below              int32
	frame              grammar.Frame
	role               grammar.Role
	subject, predicate int32
	opener             int32
	members            int32
	level              int32
	column             int64  // of a statement
	supposed           bool   // an edit has opened it
	shape              uint32 // tells the frames and roles from here to the bottom
}

const lost int32 = 0

// says is a statement that a way reads.
type says struct {
	before                            int32
	graph, subject, predicate, object int32
	unsure                            bool // another way did not read it
}

// changed is an edit of a way.
type changed struct {
	before   int32
	row      Row
	from, to int // tokens that are left out
	insert   [maxInsert]lex.Kind
	n        int8
	spoils   bool
	braces   bool // a graph may begin or end in what is left out
	outside  bool // it is left out between two statements
}

// maxInsert is how many signs an edit may put in.
const maxInsert = 8

func (s *search) push(below int32, n node) int32 {
	n.below, n.shape, n.level = below, uint32(n.frame)*31+uint32(n.role)+1, 0
	if below >= 0 {
		n.level = s.nodes[below].level + 1
		n.shape += s.nodes[below].shape * 131
	}
	s.nodes = append(s.nodes, n)
	return int32(len(s.nodes) - 1)
}

// own is the innermost frame of a way, to be changed: other ways that share it keep theirs.
func (s *search) own(w *way) *node {
	s.nodes = append(s.nodes, s.nodes[w.top])
	w.top = int32(len(s.nodes) - 1)
	return &s.nodes[w.top]
}

// take goes a way on over a token of kind k, with the number id. False means that the token may not be there.
func (s *search) take(w way, k lex.Kind, id int32) (way, bool) {
	act := grammar.Step(&w.state, k)
	switch act {
	case grammar.Refused:
		return w, false
	case grammar.Open:
		s.open(&w, k, id)
		return w, true
	case grammar.Close:
		s.close(&w)
		return w, true
	case grammar.TakeSubject, grammar.TakePredicate, grammar.TakeObject, grammar.TakeString, grammar.TakeReifier, grammar.TakeLabel:
		if w.spoilt || k == grammar.Missing {
			id, w.spoilt = lost, false
		}
		s.takeTerm(&w, act, id)
	case grammar.TakeDatatype:
		if k == grammar.Missing {
			w.object = lost
		}
	case grammar.PassComma, grammar.PassSemicolon, grammar.EndStatement, grammar.EndAll:
		s.commit(&w)
		w.spoilt = false
		if act == grammar.EndStatement || act == grammar.EndAll {
			w.top = -1
			if w.ended < 0 {
				w.ended = int16(s.index)
			}
		}
	case grammar.OpenGraph:
		if w.graph = lost; w.top >= 0 {
			w.graph, w.top = s.nodes[w.top].subject, -1
		} else if w.object > 0 {
			w.graph = w.object
		} else if k != grammar.Missing {
			w.graph = defaultGraph
		}
		w.object = lost
	}
	if act == grammar.EndAll || act == grammar.CloseGraph {
		w.graph = defaultGraph
	}
	w.state.Follow(act, k)
	return w, true
}

const defaultGraph int32 = -1 << 20

func (s *search) takeTerm(w *way, act grammar.Act, id int32) {
	switch {
	case act == grammar.TakeSubject && w.state.In == grammar.Outside:
		w.top = s.push(-1, node{frame: grammar.Statement, subject: id, column: s.columnAt()})
	case act == grammar.TakeSubject:
		s.own(w).subject = id
	case act == grammar.TakePredicate:
		s.own(w).predicate = id
	case act == grammar.TakeLabel:
		w.object = id
	case act != grammar.TakeReifier:
		if w.state.In == grammar.List {
			s.commit(w)
		}
		w.object, w.held = id, true
	}
}

// commit notes the statement whose object was read.
func (s *search) commit(w *way) {
	if !w.held || w.top < 0 {
		return
	}
	n := &s.nodes[w.top]
	p := n.predicate
	if n.frame == grammar.List {
		p = 1<<20 + n.members // members are told apart by their number
		n = s.own(w)
		n.members++
	}
	s.said = append(s.said, says{before: w.said, graph: w.graph, subject: n.subject, predicate: p, object: w.object})
	w.said = int32(len(s.said) - 1)
	w.held, w.object = false, lost
}

// columnAt is the column of the present token.
func (s *search) columnAt() int64 { return s.Tokens[s.index].Column }

func (s *search) open(w *way, k lex.Kind, id int32) {
	f := grammar.FrameOf(w.state, k)
	role := grammar.RoleOf(w.state, f, k)
	if w.state.In == grammar.List || f == grammar.Notes {
		s.commit(w)
	}
	if role == grammar.AsSubject && w.state.In == grammar.Outside {
		w.top = s.push(-1, node{frame: grammar.Statement, column: s.columnAt()})
	}
	opener := id
	if w.spoilt {
		opener, w.spoilt = lost, false
	}
	w.top = s.push(w.top, node{frame: f, role: role, subject: id, opener: opener})
	w.state = w.state.Enter(f)
	w.held, w.object = false, lost
}

func (s *search) close(w *way) {
	s.commit(w)
	n := s.nodes[w.top]
	w.top, w.spoilt = n.below, false
	around := grammar.Outside
	if w.top >= 0 {
		around = s.nodes[w.top].frame
	}
	w.state = w.state.Leave(n.role, around)
	switch n.role {
	case grammar.AsSubject:
		s.own(w).subject = n.opener
	case grammar.AsObject:
		w.object, w.held = n.opener, true
	case grammar.AsLabel:
		w.object = n.opener
	}
}

// spoil loses the term, object or statement that is being read.
func (s *search) spoil(w *way) {
	s.spoils = true
	switch {
	case w.held:
		w.object = lost
	default:
		w.spoilt = true
	}
}

// keep notes where a way leads, to the token i. Of two that lead to the same, the better one goes on; what the other
// does not share is not sure then.
func (s *search) keep(w way, i int) {
	if i >= len(s.at) || w.cost >= s.least[i]+beyond || w.barred {
		return
	}
	if w.cost > s.limit {
		s.cut = true
		return
	}
	s.steps++
	s.least[i] = min(s.least[i], w.cost)
	for j := range s.at[i] {
		other := &s.at[i][j]
		if !s.same(&w, other) {
			continue
		}
		better, worse := *other, w
		if w.cost < other.cost {
			better, worse = w, *other
		}
		if worse.cost < better.cost+near && worse.edit != better.edit && s.Rules.Holds(OtherReading) {
			s.doubt(&better, &worse)
		}
		*other = better
		return
	}
	s.at[i] = append(s.at[i], w)
}

// same says that two ways lead to the same state.
func (s *search) same(a, b *way) bool {
	if a.state != b.state || a.held != b.held || a.spoilt != b.spoilt || (a.top < 0) != (b.top < 0) {
		return false
	}
	return a.top < 0 || s.nodes[a.top].shape == s.nodes[b.top].shape
}

// doubt marks what better says and worse does not, and what of what is open they do not share.
func (s *search) doubt(better, worse *way) {
	shared := better.said // what both have said, since they were one
	for other := worse.said; shared != other; {
		if shared > other {
			shared = s.said[shared].before
		} else {
			other = s.said[other].before
		}
	}
	s.unsure = s.unsure[:0]
	for at := better.said; at != shared; at = s.said[at].before {
		q := &s.said[at]
		if !q.unsure && q.object > 0 && !s.reads(worse, at, shared) {
			s.unsure = append(s.unsure, q.object)
		}
	}
	if (better.object != worse.object || better.held != worse.held) && !s.hasSaid(worse, better.object, shared) {
		if better.held && better.object > 0 && better.state.In != grammar.List {
			s.unsure = append(s.unsure, better.object)
		}
		better.object = lost
	}
	for _, object := range s.unsure {
		s.said = append(s.said, says{before: better.said, object: object, unsure: true})
		better.said = int32(len(s.said) - 1)
	}
	if better.graph != worse.graph {
		better.graph = lost
	}
	better.top = s.doubtOpen(better.top, worse.top)
}

// reads says that a way reads the statement at, behind those that it shares.
func (s *search) reads(w *way, at, shared int32) bool {
	q := s.said[at]
	if w.held && w.object == q.object && w.state.In == grammar.List {
		return true // it is a member, which is said with the next one
	}
	for i := w.said; i != shared; i = s.said[i].before {
		o := &s.said[i]
		if !o.unsure && o.object == q.object {
			return o.subject == q.subject && o.predicate == q.predicate && (o.graph == q.graph)
		}
	}
	return false
}

// hasSaid says that a way has given the member of a list that another holds yet.
func (s *search) hasSaid(w *way, object, shared int32) bool {
	if w.state.In != grammar.List || object <= 0 {
		return false
	}
	for i := w.said; i != shared; i = s.said[i].before {
		if o := &s.said[i]; o.object == object && !o.unsure {
			return true
		}
	}
	return false
}

// openedAt is what a term opened, among what is open from top on; -1 if nothing of that is open.
func (s *search) openedAt(top, opener int32) int32 {
	for opener != lost && top >= 0 && s.nodes[top].opener != opener {
		top = s.nodes[top].below
	}
	if opener == lost {
		return -1
	}
	return top
}

// doubtOpen is what is open from top on, without the terms that other does not share.
func (s *search) doubtOpen(top, other int32) int32 {
	if top < 0 || top == other {
		return top
	}
	n := s.nodes[top]
	if same := s.openedAt(other, n.opener); same >= 0 {
		other = same
		n.level = s.nodes[other].level
	}
	for other >= 0 && s.nodes[other].level > n.level {
		other = s.nodes[other].below
	}
	below := other
	if other >= 0 && s.nodes[other].level == n.level {
		o := &s.nodes[other]
		if below = o.below; o.frame != n.frame || o.subject != n.subject {
			n.subject = lost
		}
		if o.predicate != n.predicate || o.members != n.members {
			n.predicate = lost
		}
		if o.opener != n.opener {
			n.opener = lost
		}
	} else {
		n.subject, n.predicate, n.opener = lost, lost, lost
	}
	return s.push(s.doubtOpen(n.below, below), n)
}
