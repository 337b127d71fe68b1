// Package rdf holds what every reader and every sink shares: terms, quads, IRIs, canonical lines, and
// the [Sink] that statements flow into.
//
// Data flows one way. A reader (packages ttl, rdfxml, jsonld, trix, rdfjson, rdfa, html) takes UTF-8
// text and calls a Sink for each statement and each finding. A filter is a Sink that passes what it
// gets on to another (package clean). The last writes the canonical line. Nothing here knows of files,
// seeds or the network.
package rdf

import "laundromat/internal/fault"

// Quad is one statement: a triple, whose Graph has Kind NoTerm, or a quad.
//
// Its terms are valid only until the Sink.Quad that got it returns.
type Quad struct {
	Subject, Predicate, Object, Graph Term

	// Repaired says that at least one term or the statement as a whole is not what the document says,
	// but what it surely means. A Notice of severity Repair says which. The statement then counts as
	// repaired, once.
	Repaired bool
}

// Term is an IRI, a blank node, a literal or a triple term (RDF 1.2 Concepts §3.3);
// with Kind NoTerm, none (the default graph).
type Term struct {
	Kind Kind
	// Direction is the base direction of a literal with a language, whose datatype is
	// rdf:dirLangString then.
	Direction Direction
	// Bytes says which kinds of bytes are in Value, where the reader saw it in passing.
	// It spares sinks a second look; one that changes Value and passes the term on to
	// others that may ask sets it to 0.
	Bytes Bytes

	// Value is the absolute IRI, or the lexical form of a literal. Of a blank node it is the label,
	// without "_:" and as the document spells it. All escapes of the syntax are decoded. It is UTF-8,
	// but may hold stray bytes where the document does: package clean judges them, readers pass them
	// on. A label may hold any sign, and no reader writes it in another way. Package clean alone makes
	// a name of it that can be written, and two labels never get the same.
	Value []byte

	// Datatype is the datatype IRI of a literal; empty for xsd:string. It is empty for a literal with
	// a language, unless the document also names one that [LanguageType] knows: package clean leaves
	// that out then.
	Datatype []byte
	// Language is the language tag of a literal, as the document spells it.
	Language []byte

	// Anonymous is the number of a blank node without a label (Value is empty then): 1 for
	// the first in the document, in document order. For others it is 0.
	Anonymous uint64

	// Triple is what a triple term says. It lives as long as the quad, and nobody
	// changes it: a sink to which one of its terms is not right makes another. RDF
	// has triple terms as objects only; a triple may have one as its object in turn,
	// MaxTriples deep at most.
	Triple *Triple

	// Pos is where the term begins in the text.
	Pos fault.Pos
}

// Bytes is a set of kinds of bytes.
type Bytes uint8

// The kinds of bytes, as bits.
const (
	BytesSeen Bytes = 1 << iota // all were looked at; without it the set says nothing
	BytesHigh                   // outside ASCII
	BytesSign                   // ASCII, but neither letter or digit nor one of ( ) * + , - . / : ; = ? @ _ ~
	BytesDot                    // a point
	BytesOdd                    // a control character of ASCII but LF, or one of & < ?
)

// BytesOf looks at a value.
func BytesOf(value []byte) Bytes {
	seen := BytesSeen
	for _, c := range value {
		switch {
		case c >= 0x80:
			seen |= BytesHigh
		case c == '.':
			seen |= BytesDot
		case '(' <= c && c <= '@' && c != '<' && c != '>', 'A' <= c && c <= 'Z', 'a' <= c && c <= 'z', c == '_', c == '~':
		default:
			seen |= BytesSign
		}
		if c < ' ' && c != '\n' || c == '&' || c == '<' || c == '?' || c == 0x7F {
			seen |= BytesOdd
		}
	}
	return seen
}

// Triple is a triple that a triple term names, and does not state.
type Triple struct{ Subject, Predicate, Object Term }

// MaxTriples is how many triple terms may be one in another. Readers drop
// statements that go deeper.
const MaxTriples = 128

// Direction is the base direction of a text (RDF 1.2 Concepts §3.4).
type Direction uint8

// The directions; a text without a tag for it has none.
const (
	NoDirection Direction = iota
	LeftToRight
	RightToLeft
)

// String is what is after the -- of a language tag; "" for NoDirection.
func (d Direction) String() string { return [...]string{"", "ltr", "rtl"}[d] }

// DirectionOf is the direction that name means, and whether there is such a one.
func DirectionOf(name []byte) (Direction, bool) {
	switch string(name) {
	case "ltr":
		return LeftToRight, true
	case "rtl":
		return RightToLeft, true
	}
	return NoDirection, false
}

// Kind distinguishes the terms.
type Kind uint8

// The kinds of terms (RDF 1.2 Concepts §3). NoTerm is the zero value: no term, or the default graph.
const (
	NoTerm Kind = iota
	IRI
	BlankNode
	Literal
	TripleTerm
)

// Names that readers and sinks need.
const (
	RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
	XSD = "http://www.w3.org/2001/XMLSchema#"

	Type       = RDF + "type"
	SameAs     = "http://www.w3.org/2002/07/owl#sameAs"
	Implies    = "http://www.w3.org/2000/10/swap/log#implies"
	First      = RDF + "first"
	Rest       = RDF + "rest"
	Nil        = RDF + "nil"
	Reifies    = RDF + "reifies"
	LangString = RDF + "langString"
	String     = XSD + "string"

	DirLangString = RDF + "dirLangString"
)
