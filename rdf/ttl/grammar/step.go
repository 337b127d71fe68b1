package grammar

import "laundromat/rdf/ttl/lex"

// Missing is a term that is not there, or is none. The reader's repairs give it; no token is of this kind.
const Missing = lex.Symbol + 1

// Act is what a token does.
type Act uint8

// The acts. Those before [Settled] are none, or may not be what they seem.
const (
	Refused Act = iota // the token may not be here
	OpenGraph
	CloseGraph
	EndAll // the } that ends a statement and its graph

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
	PassTilde
	TakeReifier

	Open  // a bracket
	Close // its end
)

// Settled is the first act that is what it seems.
const Settled = BeginDirective

// need is what a state must be for a row to hold: in one of some frames, and all else that is asked.
type need uint16

const (
	inStatement  need = 1 << Statement
	inProperties need = 1 << Properties
	inReified    need = 1 << Reified
	inTriple     need = 1 << Triple
	inNotes      need = 1 << Notes
	frames       need = 1<<8 - 1

	inGraph need = 1 << (2 + iota)
	outside      // of graphs
	ready
	labels
)

// row says what tokens do where something is expected. What no row says is refused.
type row struct {
	at    Expect
	kinds []lex.Kind
	act   Act
	need  need
	opens Frame // for Open: which, and as what
	as    Role
}

var (
	nodes      = []lex.Kind{lex.IRI, lex.Name, lex.Label, lex.Formula, Missing}
	verbs      = []lex.Kind{lex.IRI, lex.Name, lex.A, lex.Arrow, lex.Formula, Missing}
	objects    = append(nodes, lex.Integer, lex.Decimal, lex.Double, lex.Boolean)
	directives = []lex.Kind{lex.Prefix, lex.Base, lex.SPARQLPrefix, lex.SPARQLBase, lex.Version, lex.SPARQLVersion}
)

func of(k ...lex.Kind) []lex.Kind { return k }

// rows are the grammar.
var rows = []row{
	// trigDoc ::= (directive | block)*
	// block   ::= triplesOrGraph | wrappedGraph | triples2 | 'GRAPH' labelOrSubject wrappedGraph
	{at: Block, kinds: nodes, act: TakeSubject},
	{at: Block, kinds: of(lex.OpenProperties), act: Open, opens: Properties, as: AsSubject},
	{at: Block, kinds: of(lex.OpenList), act: Open, opens: List, as: AsSubject},
	{at: Block, kinds: of(lex.OpenReified), act: Open, opens: Reified, as: AsSubject},
	{at: Block, kinds: directives, act: BeginDirective},
	{at: Block, kinds: of(lex.Graph), act: BeginGraph, need: outside},
	{at: Block, kinds: of(lex.OpenGraph), act: OpenGraph, need: outside},
	{at: Block, kinds: of(lex.CloseGraph), act: CloseGraph, need: inGraph},
	{at: GraphLabel, kinds: nodes, act: TakeLabel},
	{at: GraphLabel, kinds: of(lex.OpenProperties), act: Open, opens: Anon, as: AsLabel},
	{at: GraphOpen, kinds: of(lex.OpenGraph), act: OpenGraph},

	{at: Prefix, kinds: of(lex.Name, Missing), act: TakePrefix},
	{at: Namespace, kinds: of(lex.IRI, Missing), act: TakeNamespace},
	{at: BaseIRI, kinds: of(lex.IRI, Missing), act: TakeBase},
	{at: Version, kinds: of(lex.String, lex.Decimal, Missing), act: TakeVersion},
	{at: DirectiveEnd, kinds: of(lex.Dot), act: EndDirective}, // which those without @ should not have

	// predicateObjectList ::= verb objectList (';' (verb objectList)?)*
	{at: FirstVerb, kinds: verbs, act: TakePredicate},
	{at: FirstVerb, kinds: of(lex.CloseProperties), act: Close, need: inProperties},
	{at: FirstVerb, kinds: of(lex.Dot), act: EndStatement, need: inStatement | ready},
	{at: FirstVerb, kinds: of(lex.CloseGraph), act: EndAll, need: inStatement | ready | inGraph},
	{at: FirstVerb, kinds: of(lex.OpenGraph), act: OpenGraph, need: labels | outside},
	{at: NextVerb, kinds: verbs, act: TakePredicate},
	{at: NextVerb, kinds: of(lex.Semicolon), act: PassSemicolon},

	// objectList ::= object annotation (',' object annotation)*
	{at: Object, kinds: objects, act: TakeObject},
	{at: Object, kinds: of(lex.String), act: TakeString},
	{at: Object, kinds: of(lex.OpenProperties), act: Open, opens: Properties},
	{at: Object, kinds: of(lex.OpenList), act: Open, opens: List},
	{at: Object, kinds: of(lex.OpenReified), act: Open, opens: Reified},
	{at: Object, kinds: of(lex.OpenTriple), act: Open, opens: Triple},
	{at: Tag, kinds: of(lex.Language), act: TakeLanguage},
	{at: Tag, kinds: of(lex.Carets), act: TakeCarets},
	{at: LateCarets, kinds: of(lex.Carets), act: TakeCarets},
	{at: LateTag, kinds: of(lex.Language), act: TakeLanguage},
	{at: Datatype, kinds: of(lex.IRI, lex.Name, Missing), act: TakeDatatype},
	{at: End, kinds: of(lex.Comma), act: PassComma},
	{at: End, kinds: of(lex.Semicolon), act: PassSemicolon},
	{at: End, kinds: of(lex.Tilde), act: PassTilde},
	{at: End, kinds: of(lex.OpenNotes), act: Open, opens: Notes, as: AsNotes},
	{at: Member, kinds: of(lex.CloseList), act: Close},
	{at: AnonEnd, kinds: of(lex.CloseProperties), act: Close},
	{at: Reifier, kinds: nodes, act: TakeReifier},
	{at: Reifier, kinds: of(lex.OpenProperties), act: Open, opens: Anon, as: AsReifier},

	// rtSubject ::= iri | BlankNode | reifiedTriple
	// rtObject  ::= iri | BlankNode | literal | tripleTerm | reifiedTriple
	// ttSubject ::= iri | BlankNode
	// ttObject  ::= iri | BlankNode | literal | tripleTerm
	{at: TripleSubject, kinds: nodes, act: TakeSubject},
	{at: TripleSubject, kinds: of(lex.OpenProperties), act: Open, opens: Anon, as: AsSubject},
	{at: TripleSubject, kinds: of(lex.OpenReified), act: Open, opens: Reified, as: AsSubject, need: inReified},
	{at: TripleVerb, kinds: verbs, act: TakePredicate},
	{at: TripleObject, kinds: objects, act: TakeObject},
	{at: TripleObject, kinds: of(lex.String), act: TakeString},
	{at: TripleObject, kinds: of(lex.OpenProperties), act: Open, opens: Anon},
	{at: TripleObject, kinds: of(lex.OpenTriple), act: Open, opens: Triple},
	{at: TripleObject, kinds: of(lex.OpenReified), act: Open, opens: Reified, need: inReified},
	{at: TripleEnd, kinds: of(lex.Tilde), act: PassTilde, need: inReified},
	{at: TripleEnd, kinds: of(lex.CloseReified), act: Close, need: inReified},
	{at: TripleEnd, kinds: of(lex.CloseTriple), act: Close, need: inTriple},
}

// table has the rows by what is expected, and by the kind of the token.
var table = func() (t [expectations][Missing + 1]cell) {
	for _, r := range rows {
		for _, k := range r.kinds {
			t[r.at][k] = cell{r.act, r.need, r.opens, r.as}
			if r.at == Object { // a member of a list is as any object
				t[Member][k] = t[Object][k]
			}
		}
	}
	for _, e := range [...]Expect{NextVerb, End} { // which both may end what is open
		t[e][lex.Dot] = cell{act: EndStatement, need: inStatement}
		t[e][lex.CloseGraph] = cell{act: EndAll, need: inStatement | inGraph}
		t[e][lex.CloseProperties] = cell{act: Close, need: inProperties}
		t[e][lex.CloseNotes] = cell{act: Close, need: inNotes}
	}
	return t
}()

// cell is a row without the place where it stands.
type cell struct {
	act   Act
	need  need
	opens Frame
	as    Role
}

var refused cell

// Step is what a token of kind k does in a state.
func Step(s *State, k lex.Kind) Act { return find(s, k).act }

// Opens is the frame that a token opens in a state, and what it is in the one around it.
func Opens(s State, k lex.Kind) (Frame, Role) {
	r := find(&s, k)
	return r.opens, r.as
}

// find is the row that holds. What is expected may be optional: then the token may be what follows.
func find(s *State, k lex.Kind) *cell {
	for e := s.Expect; ; {
		if r := &table[e][k]; r.act != Refused && (r.need == 0 || s.meets(r.need)) {
			return r
		}
		switch {
		case e == Tag, e == LateCarets, e == LateTag, e == Reifier:
			e = behind(s.In)
		case e == DirectiveEnd && !s.Dotted:
			e = Block
		default:
			return &refused
		}
	}
}

func (s *State) meets(n need) bool {
	return (n&frames == 0 || n&(1<<s.In) != 0) && (n&inGraph == 0 || s.InGraph) && (n&outside == 0 || !s.InGraph) &&
		(n&ready == 0 || s.Ready) && (n&labels == 0 || s.Label)
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
		return
	}
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
