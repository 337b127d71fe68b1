package ttl

import (
	"laundromat/rdf"
	"laundromat/rdf/ttl/lex"
)

// foresee looks at the text after the first fault for the habits of the document, where it has shown few so far. It
// learns which words are predicates and which are subjects and objects, and where lines begin with them. It does so
// once.
func (r *turtle) foresee() {
	if r.foreseen || r.habits.seen >= fewSeen {
		return
	}
	r.foreseen = true
	m, inGraph := r.Mark(), r.inGraph
	s := sight{turtle: r}
	for range maxForesight {
		if k := r.Tok.Kind; k == lex.EndOfText || k == lex.Stopped || r.Beyond() || !r.spend(r.Tok.To-r.Tok.From) {
			break
		}
		s.see()
		r.Next()
	}
	r.inGraph = inGraph
	r.Reset(m)
}

const (
	// fewSeen is how many predicates with objects show the habits of a document.
	fewSeen = 32
	// maxForesight is how many tokens are looked at.
	maxForesight = 1 << 10
)

// sight is what was seen of the statement that is looked at.
type sight struct {
	*turtle
	wait  wait
	depth int // brackets that are open
	lists int // of them, and of those that are in them

	start         int64 // the column where the statement began, 0 if that did not begin a line; -1 if it is not known
	subject, verb []byte
	object        []byte // empty if it is no IRI
	column        int64  // of verb
	noun          bool   // subject is an IRI
}

// wait is what a sight waits for.
type wait uint8

const (
	forSign    wait = iota // a sign after which more is known
	forSubject             // the beginning of a statement
	forVerb
	forObject
	forEnd     // what ends an object shows that what is before that is a predicate
	forItem    // an object after a comma
	forItemEnd // what ends that
)

// see takes the current token.
func (s *sight) see() {
	k, wait := s.Tok.Kind, s.wait
	s.wait = forSign
	if wait == forEnd && (k.FollowsObject() || k.Closes() || k == lex.CloseGraph || k == lex.Carets || k == lex.Language) {
		s.learn()
	}
	if wait == forItemEnd && (k.FollowsObject() || k.Closes() || k == lex.CloseGraph) {
		s.habits.learnNoun(s.object)
	}
	switch {
	case k == lex.Dot:
		s.depth, s.lists, s.wait, s.start = 0, 0, forSubject, -1
	case k == lex.OpenGraph, k == lex.CloseGraph:
		s.inGraph = k == lex.OpenGraph
		s.depth, s.lists, s.wait, s.start = 0, 0, forSubject, -1
	case k == lex.Semicolon && s.lists == 0:
		s.wait = forVerb
		s.noun = false
	case k == lex.Comma:
		s.object = s.object[:0]
		s.wait = forItem
	case wait == forItem && (k == lex.IRI || k == lex.Name):
		s.object = append(s.object[:0], s.roughIRI()...)
		s.wait = forItemEnd
	case s.lists > 0 && (k == lex.IRI || k == lex.Name):
		s.habits.learnNoun(s.roughIRI())
	case wait == forObject && k.Opens():
		s.object = s.object[:0]
		s.learn()
		s.open(k)
	case wait == forObject && k.BeginsObject():
		s.object = s.object[:0]
		if k == lex.IRI || k == lex.Name {
			s.object = append(s.object, s.roughIRI()...)
		}
		s.wait = forEnd
	case k == lex.OpenList, k == lex.OpenProperties:
		s.open(k)
	case k == lex.CloseList:
		s.lists = max(s.lists-1, 0)
	case k == lex.CloseProperties:
		s.depth = max(s.depth-1, 0)
	case wait == forSubject && (k == lex.IRI || k == lex.Name || k == lex.Label):
		s.start, s.noun = s.turtle.column(), k != lex.Label
		s.subject = append(s.subject[:0], s.roughIRI()...)
		s.wait = forVerb
	case wait == forVerb && k.IsVerb():
		s.verb, s.column = append(s.verb[:0], rdf.Type...), s.turtle.column()
		if k != lex.A {
			s.verb = append(s.verb[:0], s.roughIRI()...)
		}
		s.wait = forObject
	}
}

// open notes that the bracket k begins, if it is one.
func (s *sight) open(k lex.Kind) {
	switch {
	case k == lex.OpenList:
		s.lists++
	case k == lex.OpenProperties && s.lists == 0:
		s.depth++
		s.wait, s.noun = forVerb, false
	}
}

// learn notes the predicate that was seen with an object.
func (s *sight) learn() {
	h := s.habits
	if len(s.verb) == 0 {
		return
	}
	h.learnVerb(s.verb)
	h.learnNoun(s.object)
	switch place := s.kindOfPlace(); {
	case s.depth > 0 || s.start < 0:
	case s.noun && len(s.subject) > 0:
		h.learnNoun(s.subject)
		h.learnSpace(s.subject)
		h.starts[place].add(s.start)
		s.noun = false
	case s.column > 0 && s.start > 0:
		h.deeper[place].add(s.column)
	}
}
