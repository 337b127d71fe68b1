package fault

// Codes of findings in literals, language tags and blank nodes, and in the bytes
// of single terms.
const (
	LiteralNonCanonical Code = "literal/non-canonical"
	LiteralIllTyped     Code = "literal/ill-typed"
	LiteralOutOfRange   Code = "literal/out-of-range"
	LiteralNoLanguage   Code = "literal/no-language"
	LiteralPlace        Code = "literal/place"

	LanguageCase       Code = "language/case"
	LanguageIllFormed  Code = "language/ill-formed"
	LanguageUnderscore Code = "language/underscore"
	LanguageSpace      Code = "language/space"
	LanguageInvalid    Code = "language/invalid"

	BlankNodePlace Code = "blank-node/place"

	EncodingMixedBytes   Code = "encoding/mixed-bytes"
	EncodingInvalidBytes Code = "encoding/invalid-bytes"
)

var literalCodes = []Info{
	{LiteralNonCanonical, Note, "a value that is not written in its canonical form",
		"The value is right, but XML Schema knows one preferred way to write it, and this is another (01 for 1, 1.50 for 1.5, +00:00 for Z). It was written in that one form, so that equal values are equal text. Nothing is wrong.",
		"Nothing to mend. Whoever wants the values as they stand can wash with --literals keep."},
	{LiteralIllTyped, Warning, "a value that its datatype does not allow",
		"The text of the literal does not belong to its datatype: a date that does not exist, letters in a number, a number out of the type's range, white space around the value. Such literals are legal RDF without a value, and are kept as they are.",
		"Mend the value, or give it the datatype that it has (xsd:string if none)."},
	{LiteralOutOfRange, Warning, "a number that its datatype can't hold",
		"The number is so large that a float or double holds infinity in its place, or so small that it holds zero. It is kept as it is written, since the canonical form would be another number.",
		"Use xsd:decimal or xsd:integer, which have no bounds."},
	{LiteralNoLanguage, Warning, "a text in a language that is not named",
		"The datatype rdf:langString or rdf:dirLangString says that the text is in some language, but there is no language tag. The literal is kept as it is.",
		"Write the language tag (\"…\"@en), or leave the datatype out."},
	{LiteralPlace, Drop, "a literal where only a node may stand",
		"A literal stands as the subject, the predicate or the graph name of a statement. RDF allows it as the object only.",
		"Turn the statement round, or give the thing that is meant an IRI."},

	{LanguageCase, Note, "a language tag in capital letters",
		"Language tags are the same in small and capital letters. Clean data has them in small letters. Nothing is wrong.",
		"Nothing to mend."},
	{LanguageIllFormed, Warning, "a language tag that is not built as BCP 47 says",
		"The tag is not made of subtags in the order and lengths that BCP 47 (RFC 5646) lays down, as in en, en-gb, zh-hans-cn. It is kept, in small letters.",
		"Use a tag of the IANA language subtag registry; for private ones begin with x-."},
	{LanguageUnderscore, Repair, "an underscore in a language tag",
		"Locales of operating systems have underscores (en_US); language tags have hyphens. Each underscore was written as a hyphen.",
		"Write en-US for en_US."},
	{LanguageSpace, Repair, "white space around a language tag",
		"There were spaces before or behind the language tag; they were cut off.",
		"Trim the values that language tags are made from."},
	{LanguageInvalid, Drop, "a language tag that can't be written",
		"The tag holds characters, or hyphens in places, that no RDF syntax can express. Nobody can tell which language was meant.",
		"Use a tag of the IANA language subtag registry, or leave it out."},

	{BlankNodePlace, Drop, "a blank node as a predicate",
		"RDF allows only IRIs as predicates.",
		"Give the property an IRI."},

	{EncodingMixedBytes, Repair, "a word in another encoding than the document",
		"The document is in UTF-8, but single bytes of this term are not. Each stands in a word and is a letter in windows-1252, so they were read as such (the byte E9 as é).",
		"Convert all data that goes into the document to UTF-8."},
	{EncodingInvalidBytes, Drop, "bytes that are no text",
		"The term holds bytes that are not UTF-8, and that are no letters of a word in windows-1252 either. Nobody can tell which characters were meant.",
		"Convert all data that goes into the document to UTF-8, and don't cut text between the bytes of a character."},
}
