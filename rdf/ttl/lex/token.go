package lex

import "laundromat/internal/fault"

// Token is what the lexer found: a terminal of the grammar, or a fault.
type Token struct {
	Kind Kind
	// Escaped says that an IRI, name or string holds a backslash; forbidden that an
	// IRI holds a character that the grammar forbids there.
	Escaped, Forbidden bool
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
	Symbol          // a character, or a few, that begin nothing
)

// BeginsSubject says that a statement can begin with k.
func (k Kind) BeginsSubject() bool {
	switch k {
	case IRI, Name, Label, OpenProperties, OpenList, OpenReified:
		return true
	}
	return false
}

// IsVerb says that k can be a predicate.
func (k Kind) IsVerb() bool { return k == IRI || k == Name || k == A }

// IsLiteral says that a literal begins with k.
func (k Kind) IsLiteral() bool {
	switch k {
	case String, Integer, Decimal, Double, Boolean:
		return true
	}
	return false
}

// IsTerm says that k is in the place of a term, whether sound or not.
func (k Kind) IsTerm() bool {
	switch k {
	case IRI, Name, Label, A, Broken:
		return true
	}
	return k.IsLiteral()
}

// IsDirective says that a directive begins with k.
func (k Kind) IsDirective() bool {
	switch k {
	case Prefix, Base, SPARQLPrefix, SPARQLBase, Version, SPARQLVersion:
		return true
	}
	return false
}

// Opens says that k is a bracket that another one closes, except for that of a graph.
func (k Kind) Opens() bool {
	switch k {
	case OpenProperties, OpenList, OpenReified, OpenTriple, OpenNotes:
		return true
	}
	return false
}

// Closes says that k is the end of what another bracket opens, except for a graph.
func (k Kind) Closes() bool {
	switch k {
	case CloseProperties, CloseList, CloseReified, CloseTriple, CloseNotes:
		return true
	}
	return false
}

// String names k in messages.
func (k Kind) String() string { return kindNames[k] }

var kindNames = [...]string{
	EndOfText: "the end of the text", Stopped: "the end of what can be read",
	IRI: "an IRI", Name: "a prefixed name", Label: "a blank node",
	String: "a string", Language: "a language tag",
	Integer: "a number", Decimal: "a number", Double: "a number", Boolean: "a truth value",
	A: "the keyword a", Prefix: "@prefix", Base: "@base", SPARQLPrefix: "PREFIX", SPARQLBase: "BASE",
	Graph: "the keyword GRAPH", Dot: "a dot", Comma: "a comma", Semicolon: "a semicolon",
	OpenProperties: "[", CloseProperties: "]", OpenList: "(", CloseList: ")", OpenGraph: "{", CloseGraph: "}",
	OpenReified: "<<", CloseReified: ">>", OpenTriple: "<<(", CloseTriple: ")>>", OpenNotes: "{|", CloseNotes: "|}",
	Tilde: "a tilde", Version: "@version", SPARQLVersion: "VERSION",
	Carets: "^^", Broken: "this word", Unclosed: "something unclosed", Symbol: "this",
}
