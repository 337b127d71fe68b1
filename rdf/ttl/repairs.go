package ttl

import (
	"laundromat/internal/fault"
	"laundromat/rdf"
)

// Repairs is every kind of repair that the readers make, with an example of what is
// written and what is read. Nothing else is changed.
var Repairs = []struct {
	Code          fault.Code
	Written, Read string
}{
	{fault.IRISpace, `<http://a/b c>`, `<http://a/b%20c>`},
	{fault.IRITrimmed, `< http://a/b >`, `<http://a/b>`},
	{fault.IRICharacter, `<http://a/{b}|c>`, `<http://a/%7Bb%7D%7Cc>`},
	{fault.IRIRelativeInLine, `<b> in N-Triples`, `<http://base/b>`},
	{fault.LanguageUnderscore, `"x"@en_US`, `"x"@en-US`},
	{fault.LanguageDirection, `"x"@en--LTR`, `"x"@en--ltr`},
	{fault.BlankNodeLabel, `_:a:b`, `_:a.3A_b`},
	{fault.SyntaxMissingDot, `<s> <p> <o>, then a line end`, `<s> <p> <o> .`},
	{fault.SyntaxStray, `<s> <p> <o> . .`, `<s> <p> <o> .`},
	{fault.SyntaxDirective, `@PREFIX p: <…> .`, `@prefix p: <…> .`},
	{fault.SyntaxUndeclaredPrefix, `foaf:name, not declared`, `<http://xmlns.com/foaf/0.1/name>`},
	{fault.SyntaxEscape, `"C:\data"`, `"C:\\data"`},
	{fault.SyntaxSurrogates, `"\uD83D\uDE00"`, `"\U0001F600"`},
	{fault.SyntaxGraphInTriples, `<s> <p> <o> <g> . in N-Triples`, `<s> <p> <o> <g> .`},
	{fault.SyntaxTurtleInLine, `<s> a 'x' . in N-Triples`, `<s> <…#type> "x" .`},
	{fault.SyntaxSharedLine, `<s> <p> <o> . <s> <p> <q> .`, `two lines`},
}

// wellKnown is the namespace of a prefix that has one meaning everywhere.
func wellKnown(prefix string) (iri string, ok bool) {
	if prefix == "dct" {
		prefix = "dcterms"
	}
	iri, ok = rdf.InitialContext[prefix]
	return iri, ok
}
