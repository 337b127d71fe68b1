// Package grammar is the grammar of Turtle and TriG (RDF 1.2) as one step from what is expected to what is
// expected next.
//
// A [State] says what may come, and in what. [Step] says what a token does there, or that it is refused. The
// reader runs it with effects. The search for a repair runs it without them, from any other state.
//
// States are named as expectations. Each has the production above it in which it stands.
package grammar

import "laundromat/rdf/ttl/lex"

// Expect is what is expected next.
type Expect uint8

// The expectations. Those of a triple are of one in << >> or <<( )>>.
const (
	// trigDoc ::= (directive | block)*, and triplesBlock ::= triples ('.' triplesBlock?)?
	Block Expect = iota

	// prefixID ::= '@prefix' PNAME_NS IRIREF '.', and sparqlPrefix ::= "PREFIX" PNAME_NS IRIREF
	Prefix
	Namespace
	// base ::= '@base' IRIREF '.', and sparqlBase ::= "BASE" IRIREF
	BaseIRI
	// version ::= '@version' VersionSpecifier '.', and sparqlVersion ::= "VERSION" VersionSpecifier
	Version
	DirectiveEnd

	// block ::= 'GRAPH' labelOrSubject wrappedGraph
	GraphLabel
	GraphOpen

	// predicateObjectList ::= verb objectList (';' (verb objectList)?)*
	FirstVerb
	NextVerb
	// objectList ::= object annotation (',' object annotation)*
	Object
	// RDFLiteral ::= String (LANG_DIR | '^^' iri)?
	Tag
	LateCarets // behind a language; the grammar has no ^^ there
	Datatype
	LateTag // behind a datatype; the grammar has no language there
	// annotation ::= (reifier | annotationBlock)*
	End
	// collection ::= '(' object* ')'
	Member

	// reifiedTriple ::= '<<' rtSubject verb rtObject reifier? '>>'
	// tripleTerm ::= '<<(' ttSubject verb ttObject ')>>'
	TripleSubject
	TripleVerb
	TripleObject
	TripleEnd
	// reifier ::= '~' (iri | BlankNode)?
	Reifier
	// ANON ::= '[' WS* ']'
	AnonEnd

	expectations // how many there are
)

// Frame is what is open.
type Frame uint8

// The frames. Outside is none at all.
const (
	Outside    Frame = iota
	Statement        // triples
	Properties       // [ ]
	List             // ( )
	Reified          // << >>
	Triple           // <<( )>>
	Notes            // {| |}
	Anon             // [ ] where it must be empty
)

// Role is what a frame is in the one around it.
type Role uint8

// The roles.
const (
	AsObject Role = iota
	AsSubject
	AsNotes
	AsReifier
	AsLabel // of a graph, behind the keyword
)

// State is what may come next.
type State struct {
	Expect Expect
	In     Frame // the innermost that is open
	// InGraph says that the { of a graph is open.
	InGraph bool
	// Ready says that the statement may end without another predicate.
	Ready bool
	// Label says that the subject may be the label of a graph.
	Label bool
	// Dotted says that the directive ends with a dot.
	Dotted bool
}

// HasPairs says that a frame holds predicates and objects.
func (f Frame) HasPairs() bool { return f == Statement || f == Properties || f == Notes }

// Closer is the sign that ends a frame.
func (f Frame) Closer() lex.Kind {
	switch f {
	case Properties, Anon:
		return lex.CloseProperties
	case List:
		return lex.CloseList
	case Reified:
		return lex.CloseReified
	case Triple:
		return lex.CloseTriple
	case Notes:
		return lex.CloseNotes
	}
	return lex.Dot
}

// Enter is the state at the beginning of a frame, which s was before.
func (s State) Enter(f Frame) State {
	t := State{In: f, InGraph: s.InGraph}
	switch f {
	case List:
		t.Expect = Member
	case Reified, Triple:
		t.Expect = TripleSubject
	case Anon:
		t.Expect = AnonEnd
	default:
		t.Expect = FirstVerb
	}
	return t
}

// Leave is the state behind a frame of a role, where around is open. It was s before the end of the frame.
func (s State) Leave(as Role, around Frame) State {
	t := State{In: around, InGraph: s.InGraph, Expect: behind(around)}
	switch as {
	case AsSubject:
		if t.Expect = FirstVerb; around == Reified || around == Triple {
			t.Expect = TripleVerb
			break
		}
		t.Ready = s.In == Reified || s.In == Properties && s.Expect != FirstVerb
		t.Label = s.In == Properties && !t.Ready
	case AsLabel:
		t.Expect = GraphOpen
	}
	return t
}

// behind is what is expected behind an object, or a member of a list.
func behind(in Frame) Expect {
	switch in {
	case List:
		return Member
	case Reified, Triple:
		return TripleEnd
	}
	return End
}
