package fault

// Codes of findings in literals, language tags and blank nodes, and in the bytes
// of single terms.
const (
	LiteralNonCanonical Code = "literal/non-canonical"
	LiteralIllTyped     Code = "literal/ill-typed"
	LiteralOutOfRange   Code = "literal/out-of-range"
	LiteralNoLanguage   Code = "literal/no-language"
	LiteralPlace        Code = "literal/place"
	LiteralReplaced     Code = "literal/replacement-character"

	LiteralMisspeltDatatype   Code = "literal/misspelt-datatype"
	LiteralLanguageDatatype   Code = "literal/language-datatype"
	LiteralUnknownDatatype    Code = "literal/unknown-datatype"
	LiteralUnsuitableDatatype Code = "literal/unsuitable-datatype"
	LiteralLink               Code = "literal/link"

	LanguageCase       Code = "language/case"
	LanguageIllFormed  Code = "language/ill-formed"
	LanguageUnderscore Code = "language/underscore"
	LanguageSpace      Code = "language/space"
	LanguageInvalid    Code = "language/invalid"

	LanguageUnregistered Code = "language/unregistered"
	LanguageDeprecated   Code = "language/deprecated"
	LanguagePrefix       Code = "language/prefix"
	LanguageRepeated     Code = "language/repeated"
	LanguageScript       Code = "language/script"

	BlankNodePlace Code = "blank-node/place"
	BlankNodeIRI   Code = "blank-node/as-iri"

	EncodingMixedBytes   Code = "encoding/mixed-bytes"
	EncodingInvalidBytes Code = "encoding/invalid-bytes"
)

var literalCodes = []Info{
	{LiteralNonCanonical, Note, "a value that is not written in its canonical form",
		"The value is right, but XML Schema knows one preferred way to write it, and this is another (01 for 1, 1.50 for 1.5, +00:00 for Z). It was written in that one form, so that equal values are equal text. Nothing is wrong.",
		"Nothing to mend. To get the values as they are, wash with --literals keep."},
	{LiteralIllTyped, Warning, "a value that its datatype does not allow",
		"The text of the literal does not belong to its datatype: a date that does not exist, letters in a number, a number out of the type's range, white space around the value. Such literals are legal RDF without a value, and are kept as they are.",
		"Mend the value, or give it the datatype that it has (xsd:string if none)."},
	{LiteralOutOfRange, Warning, "a number that its datatype can't hold",
		"The number is so large that a float or double holds infinity in its place, or so small that it holds zero. It is kept as it is written, since the canonical form would be another number.",
		"Use xsd:decimal or xsd:integer, which have no bounds."},
	{LiteralNoLanguage, Warning, "a text in a language that is not named",
		"The datatype rdf:langString or rdf:dirLangString says that the text is in some language, but there is no language tag. RDF knows no such literal. It is kept as it is, as others may need it; `--strict` drops it.",
		"Write the language tag (\"…\"@en), or leave the datatype out."},
	{LiteralMisspeltDatatype, Repair, "a misspelt name of a datatype",
		"The datatype does not exist, but one does whose IRI differs only in the case of letters (xsd:Integer, xsd:datetime), in https, in the sign between namespace and name, in the namespace XMLSchema-datatypes that XSD 1.1 deprecates, or in a prefix that was never resolved; and the value is one of that datatype. It was given that datatype.",
		"Write the IRI of the datatype as its specification does: http://www.w3.org/2001/XMLSchema#integer."},
	{LiteralLanguageDatatype, Repair, "rdf:langString beside a language",
		"A text has a language, and beside it the datatype rdf:langString or rdf:dirLangString. Each text with a language has that datatype, so no format names it there; in RDF/XML, RDFa and JSON-LD a datatype even takes the language away. The text was read with its language, and the datatype left out.",
		"Write the language alone: \"…\"@en, xml:lang=\"en\" without rdf:datatype."},
	{LiteralUnknownDatatype, Warning, "a datatype that its namespace does not have",
		"The datatype lies in a namespace that W3C or OGC rules, and there is no datatype of that name in it (xsd:bool, xsd:number), or it lies in the namespace of a draft of XML Schema or in XMLSchema-datatypes. No program knows what its values are. The literal is kept as it is.",
		"Use the datatype that fits: xsd:boolean, xsd:decimal, xsd:string and the others that RDF 1.1 Concepts lists."},
	{LiteralUnsuitableDatatype, Warning, "a datatype that RDF says not to use",
		"The datatype exists, but means something only inside an XML document (xsd:QName, xsd:ID, xsd:anyType and others), or is the class of all literals and no datatype (rdfs:Literal). The literal is kept as it is.",
		"Leave the datatype out, which makes a string of the value, or use one that RDF 1.1 Concepts lists."},
	{LiteralLink, Warning, "an xsd:anyURI that isn't an IRI",
		"The datatype says that the text is an IRI, and takes any text; but this one holds spaces or other characters that no IRI may hold, or a host that can't be right. The literal is kept as it is.",
		"Percent-encode the text as an IRI. If the thing it names is meant, and not its address, write it as an IRI and not as a literal."},
	{LiteralPlace, Drop, "a literal where only a node may occur",
		"A literal is the subject, the predicate or the graph name of a statement. RDF allows it as the object only.",
		"Turn the statement round, or give the thing that is meant an IRI."},
	{LiteralReplaced, Warning, "a text with U+FFFD in it",
		"The replacement character U+FFFD marks a place where a program could not read a character, so that part of the text is lost. Most often that was done before the data was published, by whoever read it in a wrong encoding; in a page it also stands for a NUL or for a reference to no character. The literal is kept as it is.",
		"Make the text anew from its source, reading that in the encoding that it is in."},

	{LanguageCase, Note, "a language tag in capital letters",
		"Language tags are the same in small and capital letters. Clean data has them in small letters. Nothing is wrong.",
		"Nothing to mend."},
	{LanguageIllFormed, Warning, "a language tag that is not built as BCP 47 says",
		"The tag is not made of subtags in the order and lengths that BCP 47 (RFC 5646) lays down, as in en, en-gb, zh-hans-cn. RDF asks for that. It is kept, in small letters; `--strict` drops it.",
		"Use a tag of the IANA language subtag registry; for private ones begin with x-."},
	{LanguageUnderscore, Repair, "an underscore in a language tag",
		"Locales of operating systems have underscores (en_US); language tags have hyphens. Each underscore was written as a hyphen.",
		"Write en-US for en_US."},
	{LanguageSpace, Repair, "white space around a language tag",
		"There were spaces before or after the language tag; they were cut off.",
		"Trim the values that language tags are made from."},
	{LanguageInvalid, Drop, "a language tag that can't be written",
		"The tag holds characters, or hyphens in places, that no RDF syntax can express. The intended language is unknown.",
		"Use a tag of the IANA language subtag registry, or leave it out."},

	{LanguageUnregistered, Warning, "a language tag with a part that is not registered",
		"The tag is built as BCP 47 says, but the IANA language subtag registry does not know one of its parts, as in english for en, eng for en, or en-uk for en-gb. Programs that choose texts by language will not find it. It is kept, in small letters.",
		"Use the subtags of the registry: the code of two letters where the language has one. Tags of your own begin with x-, or have x- before the part that is yours."},
	{LanguageDeprecated, Warning, "a language tag that is no longer to be used",
		"The registry keeps the tag or one of its parts only for old data, and most often names what takes its place (he for iw, nb for no-bok). It is kept as it is.",
		"Write what the message names."},
	{LanguagePrefix, Warning, "a part of a language tag that belongs to other languages",
		"The registry names the languages that a variant or an extended language goes with (1901 with de), and this tag is of none of them. It is kept as it is.",
		"Leave the part out, or put it after the language it belongs to."},
	{LanguageRepeated, Warning, "a part of a language tag that occurs twice",
		"BCP 47 allows each variant and each extension once in a tag. The tag is kept as it is.",
		"Leave the second one out."},
	{LanguageScript, Warning, "a script in a language tag that goes without saying",
		"Nearly all texts of this language are in this script, so the registry asks to leave it out (ru for ru-cyrl): programs that look for the shorter tag may not find the longer one. It is kept as it is.",
		"Leave the script out."},

	{BlankNodePlace, Drop, "a blank node as a predicate, a datatype or a namespace",
		"RDF allows only IRIs as predicates and datatypes, and only an IRI is a base or a namespace.",
		"Give it an IRI."},
	{BlankNodeIRI, Repair, "the label of a blank node where an IRI is due",
		"The whole text in the place of an IRI is the label of a blank node, as in <_:x> or rdf:about=\"_:x\". It was taken for that node, the same that _:x is elsewhere in the document.",
		"Write the label as the format has it: _:x without brackets in Turtle, rdf:nodeID=\"x\" in RDF/XML, <id>x</id> in TriX."},

	{EncodingMixedBytes, Repair, "a word in another encoding than the document",
		"The document is in UTF-8, but single bytes of this term are not. In the encoding of one byte a character that the notice names, most often windows-1252 (where the byte E9 is é), its words are twenty times likelier than in all others that such bytes of this document may be in, and than that the text is broken; so they were read as such.",
		"Convert all data that goes into the document to UTF-8."},
	{EncodingInvalidBytes, Drop, "bytes that aren't text",
		"The term holds bytes that are not UTF-8, and that aren't letters of a word in the single-byte encoding that others of this document are in either; or two encodings are as likely, in which they are different letters; or they may be what is left of a character that was cut. The intended characters are unknown.",
		"Convert all data that goes into the document to UTF-8, and don't cut text between the bytes of a character."},
}
