package repair

import (
	"laundromat/rdf/ttl/grammar"
	"laundromat/rdf/ttl/lex"
)

// way is one reading of the tokens up to some place.
type way struct {
	state  grammar.State
	top    int32 // the innermost that is open, in search.nodes; -1 if nothing is
	cost   Damage
	edit   int32 // its last edit, in search.edits; -1 if there is none
	said   int32 // its last statement, in search.said; -1 if there is none
	doubt  int32 // its last doubt, in search.doubts; -1 if there is none
	last   int16 // the token of its last edit
	ended  int16 // the token behind which a statement ended first after that; -1 if none did
	graph  int32 // the { of the graph that is open
	barred bool  // by a switch
}

// node is something open. Terms and brackets are known by numbers: that of their token and one, 0 if they are put
// in. Those that were read before have negative ones.
type node struct {
	below                      int32
	frame                      grammar.Frame
	role                       grammar.Role
	subject, predicate, opener int32
	level                      int32
	shape                      uint32 // tells the frames and roles from here to the bottom
}

const (
	lost         int32 = 0
	knownGraph   int32 = -2
	defaultGraph int32 = -1 << 20
)

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

// says is a statement that a way reads, by its object.
type says struct {
	before                            int32
	object, subject, predicate, graph int32
}

// doubt is what another way says against one that is hardly better.
type doubt struct {
	before int32
	at     int     // the token where they lead to the same
	unsure []int32 // the objects of statements that the other does not read
	losses []Loss  // what is open, and is not the same
}

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
		f, role := grammar.Opens(w.state, k)
		if role == grammar.AsSubject && w.state.In == grammar.Outside {
			w.top = s.push(-1, node{frame: grammar.Statement})
		}
		w.top = s.push(w.top, node{frame: f, role: role, subject: id, opener: id})
		w.state = w.state.Enter(f)
		return w, true
	case grammar.Close:
		n, around := s.nodes[w.top], grammar.Outside
		if w.top = n.below; w.top >= 0 {
			around = s.nodes[w.top].frame
		}
		if w.state = w.state.Leave(n.role, around); n.role == grammar.AsSubject {
			s.own(&w).subject = n.opener
		} else if n.role == grammar.AsObject {
			s.say(&w, n.opener)
		}
		return w, true
	case grammar.TakeSubject:
		if w.state.In == grammar.Outside {
			w.top = s.push(-1, node{frame: grammar.Statement})
		}
		s.own(&w).subject = id
	case grammar.TakePredicate:
		s.own(&w).predicate = id
	case grammar.TakeObject, grammar.TakeString:
		s.say(&w, id)
	case grammar.OpenGraph:
		w.graph, w.top = id, -1
	case grammar.CloseGraph:
		w.graph = defaultGraph
	case grammar.EndStatement, grammar.EndAll:
		if w.top = -1; w.ended < 0 {
			w.ended = int16(s.index)
		}
		if act == grammar.EndAll {
			w.graph = defaultGraph
		}
	}
	w.state.Follow(act, k)
	return w, true
}

// say notes the statement whose object was read.
func (s *search) say(w *way, object int32) {
	n := &s.nodes[w.top]
	s.said = append(s.said, says{before: w.said, object: object, subject: n.subject, predicate: n.predicate, graph: w.graph})
	w.said = int32(len(s.said) - 1)
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
		s.compare(&better, &worse, i)
		*other = better
		return
	}
	s.at[i] = append(s.at[i], w)
}

// same says that two ways lead to the same state.
func (s *search) same(a, b *way) bool {
	return a.state == b.state && (a.top < 0) == (b.top < 0) && (a.top < 0 || s.nodes[a.top].shape == s.nodes[b.top].shape)
}

// compare adds a doubt to a way if another that leads to the token i is nearly as good. What that does not read is not
// sure.
func (s *search) compare(better, worse *way, i int) {
	if worse.cost >= better.cost+near || worse.edit == better.edit || !s.Rules.Holds(OtherReading) {
		return
	}
	d := doubt{before: better.doubt, at: i}
	shared := better.said // what both have said, since they were one
	for other := worse.said; shared != other; {
		if shared > other {
			shared = s.said[shared].before
		} else {
			other = s.said[other].before
		}
	}
	for at := better.said; at != shared; at = s.said[at].before {
		if !s.reads(worse.said, shared, s.said[at]) {
			d.unsure = append(d.unsure, s.said[at].object)
		}
	}
	if better.graph != worse.graph {
		d.losses = append(d.losses, Loss{Graph: true})
	}
	other := worse.top
	for top := better.top; top >= 0 && top != other; top = s.nodes[top].below {
		n, o := &s.nodes[top], node{subject: lost, predicate: lost, opener: lost}
		for other >= 0 && s.nodes[other].level > n.level {
			other = s.nodes[other].below
		}
		if other >= 0 && s.nodes[other].level == n.level {
			o, other = s.nodes[other], s.nodes[other].below
		}
		l := Loss{Level: int(n.level), Subject: n.subject != o.subject, Predicate: n.predicate != o.predicate && n.frame.HasPairs(),
			Self: n.opener != o.opener}
		if l.Subject || l.Predicate || l.Self {
			d.losses = append(d.losses, l)
		}
	}
	s.doubts = append(s.doubts, d)
	better.doubt = int32(len(s.doubts) - 1)
}

// reads says that a statement is among those from the last one back to those that are shared.
func (s *search) reads(last, shared int32, q says) bool {
	for at := last; at != shared; at = s.said[at].before {
		if o := s.said[at]; o.object == q.object {
			return o.subject == q.subject && o.predicate == q.predicate && o.graph == q.graph
		}
	}
	return false
}
