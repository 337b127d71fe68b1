package ttl

import "laundromat/internal/fault"

// token is what the lexer found: a terminal of the grammar, or a fault.
type token struct {
	kind tokenKind
	// escaped says that an IRI, name or string holds a backslash; forbidden that an
	// IRI holds a character that the grammar forbids there.
	escaped, forbidden bool
	// quote is 1 or 3, the number of quotation marks on each side of a string.
	quote int8
	// colon is where the colon stands in a prefixed name, from its start; in a
	// language tag, where the -- of its direction stands, 0 if it has none.
	colon int
	// from and to are offsets in the text.
	from, to int64
	pos      fault.Pos
	// code and message say what is wrong with a token of kind broken or unclosed.
	code    fault.Code
	message string
}

type tokenKind uint8

const (
	endOfText tokenKind = iota
	stopped             // the text can't be read further; window.err says why
	iriToken
	nameToken  // prefixed name
	labelToken // blank node label
	stringToken
	languageToken // also @prefix and @base: their meaning depends on the place
	integerToken
	decimalToken
	doubleToken
	booleanToken
	aToken
	prefixToken // @prefix
	baseToken   // @base
	sparqlPrefix
	sparqlBase
	graphToken
	dot
	comma
	semicolon
	openProperties  // [
	closeProperties // ]
	openList        // (
	closeList       // )
	openGraph       // {
	closeGraph      // }
	openReified     // <<
	closeReified    // >>
	openTriple      // <<(
	closeTriple     // )>>
	openNotes       // {|
	closeNotes      // |}
	tilde           // ~
	versionToken    // @version
	sparqlVersion   // VERSION
	carets          // ^^
	brokenToken     // stands where a term stands, and its end is known
	unclosedToken   // a string or IRI whose end is not known
	symbolToken     // a character, or a few, that begin nothing
)

// beginsSubject says that a statement can begin with k.
func (k tokenKind) beginsSubject() bool {
	switch k {
	case iriToken, nameToken, labelToken, openProperties, openList, openReified:
		return true
	}
	return false
}

func (k tokenKind) isVerb() bool { return k == iriToken || k == nameToken || k == aToken }

func (k tokenKind) isLiteral() bool {
	switch k {
	case stringToken, integerToken, decimalToken, doubleToken, booleanToken:
		return true
	}
	return false
}

// beginsObject says that an object, or a member of a list, can begin with k.
func (k tokenKind) beginsObject() bool { return k.beginsSubject() || k.isLiteral() }

// isTerm says that k stands where a term stands, be it sound or not.
func (k tokenKind) isTerm() bool {
	switch k {
	case iriToken, nameToken, labelToken, aToken, brokenToken:
		return true
	}
	return k.isLiteral()
}

func (k tokenKind) isDirective() bool {
	switch k {
	case prefixToken, baseToken, sparqlPrefix, sparqlBase, versionToken, sparqlVersion:
		return true
	}
	return false
}

// opens says that k is a bracket that another one closes, but for that of a graph.
func (k tokenKind) opens() bool {
	switch k {
	case openProperties, openList, openReified, openTriple, openNotes:
		return true
	}
	return false
}

func (k tokenKind) closes() bool {
	switch k {
	case closeProperties, closeList, closeReified, closeTriple, closeNotes:
		return true
	}
	return false
}

// followsObject says that k may stand behind a whole object.
func (k tokenKind) followsObject() bool {
	switch k {
	case dot, comma, semicolon, tilde, openNotes:
		return true
	}
	return false
}

// String names k in messages.
func (k tokenKind) String() string { return kindNames[k] }

var kindNames = [...]string{
	endOfText: "the end of the text", stopped: "the end of what can be read",
	iriToken: "an IRI", nameToken: "a prefixed name", labelToken: "a blank node",
	stringToken: "a string", languageToken: "a language tag",
	integerToken: "a number", decimalToken: "a number", doubleToken: "a number", booleanToken: "a truth value",
	aToken: "the keyword a", prefixToken: "@prefix", baseToken: "@base", sparqlPrefix: "PREFIX", sparqlBase: "BASE",
	graphToken: "the keyword GRAPH", dot: "a dot", comma: "a comma", semicolon: "a semicolon",
	openProperties: "[", closeProperties: "]", openList: "(", closeList: ")", openGraph: "{", closeGraph: "}",
	openReified: "<<", closeReified: ">>", openTriple: "<<(", closeTriple: ")>>", openNotes: "{|", closeNotes: "|}",
	tilde: "a tilde", versionToken: "@version", sparqlVersion: "VERSION",
	carets: "^^", brokenToken: "this word", unclosedToken: "something unclosed", symbolToken: "this",
}
