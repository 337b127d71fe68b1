package grammar

import "laundromat/rdf/ttl/lex"

// Missing is a term that is not there, or is none. The reader's repairs give it; no token is of this kind.
const Missing lex.Kind = 255

// Act is what a token does.
type Act uint8

// The acts. Those before [Settled] are none, or may not be what they seem.
const (
	Refused Act = iota // the token may not be here
	OpenGraph
	CloseGraph
	EndAll // the } that ends a statement and its graph
	PassTilde

	BeginDirective
	TakePrefix
	TakeNamespace
	TakeBase
	TakeVersion
	EndDirective

	BeginGraph // the keyword GRAPH
	TakeLabel  // behind it

	TakeSubject // which begins a statement, or stands in a triple
	TakePredicate
	TakeObject
	TakeString // of a literal; its language or datatype may follow
	TakeLanguage
	TakeCarets
	TakeDatatype
	PassComma
	PassSemicolon
	EndStatement // its dot
	TakeReifier

	Open  // a bracket
	Close // its end
)

// Settled is the first act that is what it seems.
const Settled = BeginDirective

// Step is what a token of kind k does in a state.
func Step(s *State, k lex.Kind) Act {
	switch s.Expect {
	case Block:
		return inBlock(s, k)
	case FirstVerb, NextVerb:
		return atVerb(s, k)
	case Object:
		return atObject(k)
	case End:
		return behindObject(s, k)
	case Tag, LateCarets, LateTag:
		switch {
		case k == lex.Language && s.Expect != LateCarets:
			return TakeLanguage
		case k == lex.Carets && s.Expect != LateTag:
			return TakeCarets
		}
		t := s.plain(k)
		return Step(&t, k)
	case Datatype:
		return when(k == lex.IRI || k == lex.Name || k == Missing, TakeDatatype)
	case Member:
		if k == lex.CloseList {
			return Close
		}
		return atObject(k)
	case AnonEnd:
		return when(k == lex.CloseProperties, Close)
	case Reifier:
		if act := atNode(k, TakeReifier); act != Refused {
			return act
		}
		t := s.plain(k)
		return Step(&t, k)
	case TripleSubject, TripleVerb, TripleObject, TripleEnd:
		return inTriple(s, k)
	}
	return inDirective(s, k)
}

func when(is bool, act Act) Act {
	if is {
		return act
	}
	return Refused
}

// inBlock is where a directive, a statement or a graph begins.
//
//	trigDoc   ::= (directive | block)*
//	block     ::= triplesOrGraph | wrappedGraph | triples2 | 'GRAPH' labelOrSubject wrappedGraph
func inBlock(s *State, k lex.Kind) Act {
	switch k {
	case lex.IRI, lex.Name, lex.Label, Missing:
		return TakeSubject
	case lex.OpenProperties, lex.OpenList, lex.OpenReified:
		return Open
	case lex.Prefix, lex.Base, lex.SPARQLPrefix, lex.SPARQLBase, lex.Version, lex.SPARQLVersion:
		return BeginDirective
	case lex.OpenGraph:
		return when(!s.InGraph, OpenGraph)
	case lex.CloseGraph:
		return when(s.InGraph, CloseGraph)
	case lex.Graph:
		return when(!s.InGraph, BeginGraph)
	}
	return Refused
}

// inDirective is within a directive, or between GRAPH and {.
func inDirective(s *State, k lex.Kind) Act {
	switch s.Expect {
	case Prefix:
		return when(k == lex.Name || k == Missing, TakePrefix)
	case Namespace:
		return when(k == lex.IRI || k == Missing, TakeNamespace)
	case BaseIRI:
		return when(k == lex.IRI || k == Missing, TakeBase)
	case Version:
		return when(k == lex.String || k == lex.Decimal || k == Missing, TakeVersion)
	case GraphLabel:
		return atNode(k, TakeLabel)
	case GraphOpen:
		return when(k == lex.OpenGraph, OpenGraph)
	case DirectiveEnd:
		switch {
		case k == lex.Dot: // which those without @ should not have
			return EndDirective
		case !s.Dotted:
			t := s.plain(k)
			return Step(&t, k)
		}
	}
	return Refused
}

// atVerb is where a predicate begins, or the list of them ends.
func atVerb(s *State, k lex.Kind) Act {
	switch k {
	case lex.IRI, lex.Name, lex.A, Missing:
		return TakePredicate
	case lex.Semicolon:
		return when(s.Expect == NextVerb, PassSemicolon)
	case lex.CloseProperties:
		return when(s.In == Properties, Close)
	case lex.CloseNotes:
		return when(s.In == Notes && s.Expect == NextVerb, Close)
	case lex.Dot:
		return when(s.In == Statement && s.mayEnd(), EndStatement)
	case lex.CloseGraph:
		return when(s.In == Statement && s.mayEnd() && s.InGraph, EndAll)
	case lex.OpenGraph:
		return when(s.Label && !s.InGraph, OpenGraph)
	}
	return Refused
}

// mayEnd says that the statement has a predicate, or needs none.
func (s *State) mayEnd() bool { return s.Expect == NextVerb || s.Ready }

// atObject is where an object, or a member of a list, begins.
func atObject(k lex.Kind) Act {
	switch k {
	case lex.IRI, lex.Name, lex.Label, Missing, lex.Integer, lex.Decimal, lex.Double, lex.Boolean:
		return TakeObject
	case lex.String:
		return TakeString
	case lex.OpenProperties, lex.OpenList, lex.OpenReified, lex.OpenTriple:
		return Open
	}
	return Refused
}

// behindObject is where an object has ended.
func behindObject(s *State, k lex.Kind) Act {
	switch k {
	case lex.Comma:
		return PassComma
	case lex.Semicolon:
		return PassSemicolon
	case lex.Dot:
		return when(s.In == Statement, EndStatement)
	case lex.CloseGraph:
		return when(s.In == Statement && s.InGraph, EndAll)
	case lex.CloseProperties:
		return when(s.In == Properties, Close)
	case lex.CloseNotes:
		return when(s.In == Notes, Close)
	case lex.Tilde:
		return PassTilde
	case lex.OpenNotes:
		return Open
	}
	return Refused
}

// atNode is where an IRI or a blank node may be, the latter with or without a label.
func atNode(k lex.Kind, act Act) Act {
	switch k {
	case lex.IRI, lex.Name, lex.Label, Missing:
		return act
	case lex.OpenProperties:
		return Open
	}
	return Refused
}

// inTriple is within << >> or <<( )>>.
//
//	rtSubject ::= iri | BlankNode | reifiedTriple
//	rtObject  ::= iri | BlankNode | literal | tripleTerm | reifiedTriple
//	ttSubject ::= iri | BlankNode
//	ttObject  ::= iri | BlankNode | literal | tripleTerm
func inTriple(s *State, k lex.Kind) Act {
	switch s.Expect {
	case TripleSubject:
		if k == lex.OpenReified {
			return when(s.In == Reified, Open)
		}
		return atNode(k, TakeSubject)
	case TripleVerb:
		return when(k.IsVerb() || k == Missing, TakePredicate)
	case TripleObject:
		if k == lex.OpenList || k == lex.OpenReified && s.In != Reified {
			return Refused
		}
		return atObject(k)
	}
	switch k {
	case lex.Tilde:
		return when(s.In == Reified, PassTilde)
	case lex.CloseReified:
		return when(s.In == Reified, Close)
	case lex.CloseTriple:
		return when(s.In == Triple, Close)
	}
	return Refused
}

// following is what is expected behind an act that leads to one expectation alone, plus one.
var following = [Close + 1]Expect{
	TakePrefix: Namespace + 1, TakeNamespace: DirectiveEnd + 1, TakeBase: DirectiveEnd + 1, TakeVersion: DirectiveEnd + 1,
	BeginGraph: GraphLabel + 1, TakeLabel: GraphOpen + 1,
	TakeString: Tag + 1, TakeCarets: Datatype + 1, TakeDatatype: LateTag + 1,
	PassComma: Object + 1, PassSemicolon: NextVerb + 1, PassTilde: Reifier + 1,
}

// Follow makes s the state behind an act, of a token of kind k, that opens and closes nothing. For Open and Close see
// Enter and Leave.
func (s *State) Follow(act Act, k lex.Kind) {
	if e := following[act]; e > 0 {
		s.Expect = e - 1
	} else {
		s.follow(act, k)
	}
}

func (s *State) follow(act Act, k lex.Kind) {
	switch act {
	case TakePredicate:
		if s.Expect == TripleVerb {
			s.Expect = TripleObject
		} else {
			s.Expect, s.Ready, s.Label = Object, false, false
		}
	case TakeObject, TakeReifier:
		s.Expect = behind(s.In)
	case TakeSubject:
		if s.In == Outside {
			*s = State{Expect: FirstVerb, In: Statement, InGraph: s.InGraph, Label: true}
		} else {
			s.Expect = TripleVerb
		}
	case TakeLanguage:
		if s.Expect == Tag {
			s.Expect = LateCarets
		} else {
			s.Expect = behind(s.In)
		}
	case EndStatement, EndDirective:
		*s = State{InGraph: s.InGraph}
	case EndAll, CloseGraph:
		*s = State{}
	case OpenGraph:
		*s = State{InGraph: true}
	case BeginDirective:
		s.Dotted = k == lex.Prefix || k == lex.Base || k == lex.Version
		switch k {
		case lex.Prefix, lex.SPARQLPrefix:
			s.Expect = Prefix
		case lex.Base, lex.SPARQLBase:
			s.Expect = BaseIRI
		default:
			s.Expect = Version
		}
	}
}
