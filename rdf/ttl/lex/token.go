package lex

import "laundromat/internal/fault"

// Token is what the lexer found: a terminal of the grammar, or a fault.
type Token struct {
	Kind Kind
	// Escaped says that an IRI, name or string holds a backslash; forbidden that an
	// IRI holds a character that the grammar forbids there.
	Escaped, Forbidden bool
	// Bare says that an IRI stands without its < and >.
	Bare bool
	// Quote is 1 or 3, the number of quotation marks on each side of a string.
	Quote int8
	// Colon is the index of the colon in a prefixed name. In a language tag it is that of the --
	// before its direction, 0 if it has none.
	Colon int
	// From and to are offsets in the text.
	From, To int64
	Pos      fault.Pos
	// Code and message say what is wrong with a token of kind broken or unclosed, or with an IRI that is lost.
	Code    fault.Code
	Message string
}

// Kind distinguishes the tokens.
type Kind uint8

// The kinds of tokens of Turtle and TriG (RDF 1.2).
const (
	EndOfText Kind = iota
	Stopped        // the text can't be read further; Window.Err says why
	IRI
	Name  // prefixed name
	Label // blank node label
	String
	Language // also @prefix and @base: their meaning depends on the place
	Integer
	Decimal
	Double
	Boolean
	A
	Prefix // @prefix
	Base   // @base
	SPARQLPrefix
	SPARQLBase
	Graph
	Dot
	Comma
	Semicolon
	OpenProperties  // [
	CloseProperties // ]
	OpenList        // (
	CloseList       // )
	OpenGraph       // {
	CloseGraph      // }
	OpenReified     // <<
	CloseReified    // >>
	OpenTriple      // <<(
	CloseTriple     // )>>
	OpenNotes       // {|
	CloseNotes      // |}
	Tilde           // ~
	Version         // @version
	SPARQLVersion   // VERSION
	Carets          // ^^
	Broken          // in the place of a term, and its end is known
	Unclosed        // a string or IRI whose end is not known
	Formula         // { } or ?x of N3, where Formulae is set
	Arrow           // => <= = of N3
	Quantifier      // @forAll or @forSome of N3
	Symbol          // a character, or a few, that begin nothing
)

// class is what a kind of token may be, as bits.
type class uint8

const (
	subject class = 1 << iota
	verb
	literal
	term
	directive
	opens
	closes
)

// BeginsSubject says that a statement can begin with k.
func (k Kind) BeginsSubject() bool { return kinds[k].is&subject != 0 }

// IsVerb says that k can be a predicate.
func (k Kind) IsVerb() bool { return kinds[k].is&verb != 0 }

// IsLiteral says that a literal begins with k.
func (k Kind) IsLiteral() bool { return kinds[k].is&literal != 0 }

// IsTerm says that k is in the place of a term, whether sound or not.
func (k Kind) IsTerm() bool { return kinds[k].is&(term|literal) != 0 }

// IsDirective says that a directive begins with k.
func (k Kind) IsDirective() bool { return kinds[k].is&directive != 0 }

// Opens says that k is a bracket that another one closes, except for that of a graph.
func (k Kind) Opens() bool { return kinds[k].is&opens != 0 }

// Closes says that k is the end of what another bracket opens, except for a graph.
func (k Kind) Closes() bool { return kinds[k].is&closes != 0 }

// String names k in messages.
func (k Kind) String() string { return kinds[k].name }

// kinds has a row for each value of Kind, since the readers put in some of their own.
var kinds = [256]struct {
	name string
	is   class
}{
	EndOfText: {"the end of the text", 0}, Stopped: {"the end of what can be read", 0},
	IRI: {"an IRI", subject | verb | term}, Name: {"a prefixed name", subject | verb | term}, Label: {"a blank node", subject | term},
	A: {"the keyword a", verb | term}, Broken: {"this word", term}, String: {"a string", literal}, Language: {"a language tag", 0},
	Integer: {"a number", literal}, Decimal: {"a number", literal}, Double: {"a number", literal}, Boolean: {"a truth value", literal},
	Prefix: {"@prefix", directive}, Base: {"@base", directive}, Version: {"@version", directive},
	SPARQLPrefix: {"PREFIX", directive}, SPARQLBase: {"BASE", directive}, SPARQLVersion: {"VERSION", directive},
	Graph: {"the keyword GRAPH", 0}, OpenGraph: {"{", 0}, CloseGraph: {"}", 0},
	Dot: {"a dot", 0}, Comma: {"a comma", 0}, Semicolon: {"a semicolon", 0}, Tilde: {"a tilde", 0}, Carets: {"^^", 0},
	OpenProperties: {"[", subject | opens}, CloseProperties: {"]", closes}, OpenList: {"(", subject | opens}, CloseList: {")", closes},
	OpenReified: {"<<", subject | opens}, CloseReified: {">>", closes}, OpenTriple: {"<<(", opens}, CloseTriple: {")>>", closes},
	OpenNotes: {"{|", opens}, CloseNotes: {"|}", closes}, Unclosed: {"something unclosed", 0},
	Formula: {"a formula", subject | term}, Arrow: {"a sign of N3", verb | term}, Quantifier: {"a quantifier of N3", 0},
	Symbol: {"this", 0},
}
