package fault

// Codes of faults in the syntax of N-Triples, N-Quads, Turtle and TriG, and of
// those that other formats share with them.
const (
	SyntaxUnexpected       Code = "syntax/unexpected-token"
	SyntaxSymbol           Code = "syntax/unknown-symbol"
	SyntaxWord             Code = "syntax/unknown-word"
	SyntaxName             Code = "syntax/malformed-name"
	SyntaxNumber           Code = "syntax/malformed-number"
	SyntaxUnclosedString   Code = "syntax/unclosed-string"
	SyntaxUnclosedIRI      Code = "syntax/unclosed-iri"
	SyntaxUnclosedBracket  Code = "syntax/unclosed-bracket"
	SyntaxUnclosedGraph    Code = "syntax/unclosed-graph"
	SyntaxUnfinished       Code = "syntax/unfinished"
	SyntaxIncomplete       Code = "syntax/incomplete-statement"
	SyntaxMisplacedTerm    Code = "syntax/misplaced-term"
	SyntaxUndeclaredPrefix Code = "syntax/undeclared-prefix"
	SyntaxDirective        Code = "syntax/directive"
	SyntaxMissingDot       Code = "syntax/missing-dot"
	SyntaxStray            Code = "syntax/stray-punctuation"
	SyntaxUnseen           Code = "syntax/unseen-mark"
	SyntaxZeroBytes        Code = "syntax/zero-bytes"
	SyntaxEscape           Code = "syntax/unknown-escape"
	SyntaxNumericEscape    Code = "syntax/numeric-escape"
	SyntaxSurrogates       Code = "syntax/surrogate-pair"
	SyntaxFormula          Code = "syntax/formula"
	SyntaxBareIRI          Code = "syntax/iri-without-brackets"
	SyntaxGraphInTriples   Code = "syntax/graph-in-triples"
	SyntaxTurtleInLine     Code = "syntax/turtle-in-line-format"
	SyntaxSharedLine       Code = "syntax/shared-line"
	IRIRelativeInLine      Code = "iri/relative-in-line-format"
	SyntaxVersion          Code = "syntax/unknown-version"
	LanguageTag            Code = "language/malformed-tag"
	LanguageDirection      Code = "language/direction"
	BlankNodeLabel         Code = "blank-node/malformed-label"
)

var syntaxCodes = []Info{
	{SyntaxUnexpected, Drop, "something that the grammar does not allow there",
		"A sound word or sign is at a place where the format does not allow it, such as a second object without a comma, or a predicate where a dot was due. The statement is lost; reading goes on where the next part surely begins.",
		"Look for a missing comma, semicolon, dot or bracket before this place."},
	{SyntaxSymbol, Drop, "characters that begin nothing",
		"These characters have no meaning in the format, or not here: often they are operators of N3 (=, =>), or the rest of a value whose quotation mark is missing. The statement is lost.",
		"Put the value in quotation marks, escape what must be escaped, or publish without N3."},
	{SyntaxWord, Drop, "a word that isn't a name",
		"A bare word is where an IRI, a name with a prefix, or a value in quotation marks was expected. The statement is lost.",
		"Put quotation marks around values, < > around IRIs, and a declared prefix and a colon before names."},
	{SyntaxName, Drop, "a prefixed name with characters that it can't hold",
		"The local part of a prefixed name may not begin with - or a dot, holds ~ and other signs only after a backslash, and % only before two hexadecimal digits; a prefix may not begin or end with a dot. The statement is lost.",
		"Write the whole IRI between < and >, or escape the characters with a backslash."},
	{SyntaxNumber, Drop, "not the form of a number",
		"A number is followed by letters, or an exponent has no digits. The statement is lost.",
		"Put the value in quotation marks, with its datatype."},
	{SyntaxUnclosedString, Drop, "a string that does not end on its line, or not at all",
		"A string does not end on the line on which it begins, or a string in three quotation marks does not end at all; or a quotation mark in it seems to end it earlier. It is not known where the value ends, so the statement is lost, and in N-Triples and N-Quads the lines after it, up to the end of the string, count as one loss with it, but for those that are statements.",
		"Close the quotation mark. Write line ends in values as \\n, or use three quotation marks, and write a quotation mark in a value as \\\"."},
	{SyntaxUnclosedIRI, Drop, "the > of an IRI is missing",
		"An IRI that begins with < does not end on its line, or another < comes first. The statement is lost.",
		"Close the IRI with >, and percent-encode < and line ends in it."},
	{SyntaxUnclosedBracket, Drop, "a bracket that is not closed, or may not be",
		"A [, (, << or {| is still open where its statement ends, or where that had to be given up for another fault. The statements that needed the closed bracket are lost; those that were whole are kept.",
		"Close the bracket."},
	{SyntaxUnclosedGraph, Drop, "a graph that is not closed",
		"Another graph begins, or the text ends, before the } of a graph. The document has statements outside of graphs as well, and no indent shows which of those that follow are in this one. They are lost, but for the first; where the document has all its statements in graphs, they are kept as a repair.",
		"Close the graph with }."},
	{SyntaxUnfinished, Drop, "the text ends in the middle of a statement",
		"The last statement has no end. Most often the document was cut short on its way.",
		"Publish the whole document; compare its length with that on the server."},
	{SyntaxIncomplete, Drop, "a statement without its object or predicate",
		"A statement ends, or the next one begins, before it has a subject, a predicate and an object. Most often a value was empty where the data was made. A line of N-Triples or N-Quads without its dot, the last term of which may go on, is not whole either; nor is one without a graph where all others have one, and what then is alone on the next line. The statement is lost.",
		"Leave out statements whose value is not known."},
	{SyntaxMisplacedTerm, Drop, "a term at a place where it can't occur",
		"A literal can't be a subject, predicate or graph, a blank node can't be a predicate, a triple term <<( )>> is an object only, and the keyword a is a predicate only. The statement is lost.",
		"Exchange the terms, or give the thing an IRI."},
	{SyntaxUndeclaredPrefix, Drop, "a prefix that is not declared",
		"A prefixed name uses a prefix that the document declares nowhere before it. A prefix of the RDFa initial context (rdf, owl, foaf, …) has one plain meaning and is repaired; any other costs the statement, and so does one that people declare for two vocabularies, such as dc (the elements of Dublin Core and its terms), vcard, ical, v, cc, og and ssn.",
		"Declare the prefix before its first use."},
	{SyntaxDirective, Drop, "a directive that is not well formed",
		"A declaration of a prefix, base or version is broken. Where its meaning is plain (@PREFIX in capitals, PREFIX with a dot, a semicolon for the dot, a forgotten colon, a version that is not in quotation marks, a declaration within a graph) it is obeyed; @charset, of style sheets, is left out. Else it declares nothing, and statements that use the prefix are lost.",
		"Write @prefix p: <iri> . or PREFIX p: <iri>, outside of graphs."},
	{SyntaxMissingDot, Repair, "the dot at the end is missing",
		"A statement or directive has no dot at its end, though what follows on the next line plainly begins anew, or three terms follow a semicolon. It was read as if the dot were there.",
		"End each statement with a dot."},
	{SyntaxStray, Repair, "punctuation with nothing to it",
		"A dot, comma, semicolon, { or } is where there is nothing to open, to end or to divide, or such a sign is missing where no statement depends on it. It was ignored or supplied; no statement was changed.",
		"Remove or add the sign."},
	{SyntaxUnseen, Repair, "a mark that can't be seen",
		"A byte order mark (U+FEFF) or a space without width (U+200B) is before a word or sign, most often since files that begin with one were put together; or a space that the format does not know, such as the no-break space of copied text (U+00A0). It was ignored; no statement was changed.",
		"Save and join files as UTF-8 without a byte order mark."},
	{SyntaxZeroBytes, Repair, "zero bytes between words or lines",
		"Bytes of value zero are in the place of white space: a program that ends or fills its texts with them wrote some, or the file has a hole, blocks that were set aside and never written, as after a crash or a transfer that was cut. They were skipped, and the statements around them are kept; the lost content of a hole is unknown. Where 512 or more are within a statement, its end and the beginning of another may be lost in them, and the statement is lost.",
		"Copy or make the file again, and compare its length and checksum with the original."},
	{SyntaxEscape, Repair, "a backslash that begins no escape",
		"Only \\t \\b \\n \\r \\f \\\" \\' \\\\ and the numeric escapes \\u and \\U exist. This backslash was kept as a character of the value, as in a path or a regular expression; but \\/, as JSON writes a slash, was read as the slash.",
		"Write a backslash in a value as \\\\."},
	{SyntaxNumericEscape, Drop, "a numeric escape that names no character",
		"After \\u come four, after \\U eight hexadecimal digits, which must name a character of Unicode; halves of surrogate pairs are none. The statement is lost.",
		"Write the character itself, in UTF-8."},
	{SyntaxSurrogates, Repair, "a character written as two escapes",
		"Two \\u escapes in a row are the halves of a surrogate pair, as JSON and Java write characters beyond U+FFFF. They were read as that one character.",
		"Write the character itself, or \\U and eight digits."},
	{SyntaxFormula, Drop, "a formula of N3",
		"In N3 what is in { } without a name is a formula: statements that are not said to be so. RDF has no term for a formula or a variable, so that a statement with one, such as a rule, is lost. It counts as one. Statements within a formula are not counted.",
		"Publish data and rules in documents of their own."},
	{SyntaxBareIRI, Repair, "an IRI without its brackets",
		"An IRI is between < and >; here it is without them. Where its end is plain it was read. Where signs right after it may be of it or not, the statement is lost.",
		"Write < before the IRI and > after it."},
	{SyntaxGraphInTriples, Repair, "a graph in a format that has none",
		"A line of N-Triples has a fourth term, or a Turtle document has a named graph. It was read as N-Quads or TriG, and the graph is kept.",
		"Name the actual format: N-Quads (.nq) or TriG (.trig)."},
	{SyntaxTurtleInLine, Repair, "Turtle's way of writing in a line format",
		"N-Triples and N-Quads have only IRIs in < >, blank nodes, and strings in \" \". A number, true or false, the keyword a, or another kind of quotation marks was read as Turtle reads it. So was a name with a declared prefix. A directive was obeyed.",
		"Write the term in full, or name the format Turtle."},
	{SyntaxSharedLine, Repair, "two statements on one line",
		"In N-Triples and N-Quads each statement has a line of its own. The second one on this line was kept.",
		"Begin each statement on a new line."},
	{IRIRelativeInLine, Repair, "a relative IRI in N-Triples, N-Quads or TriX",
		"N-Triples, N-Quads and TriX have absolute IRIs only. It was resolved against the place of the document, or, where none is known, the statement is lost.",
		"Write the whole IRI with its scheme."},
	{LanguageTag, Drop, "not the form of a language tag",
		"A language tag begins with letters, and has letters and digits between hyphens. It is not known which language was meant, so the statement is lost.",
		"Write a tag of BCP 47, such as en or pt-BR, or leave out the @."},
	{LanguageDirection, Drop, "a base direction that does not exist",
		"The part after -- in a language tag is the direction in which the text is written: ltr or rtl, in small letters. Capital letters were read as small ones; with any other word the statement is lost. In RDF/XML, where an element has the direction, it was ignored.",
		"Write --ltr or --rtl, or leave the direction out."},
	{SyntaxVersion, Warning, "a version of RDF that is not known",
		"The document names a version other than 1.1, 1.2 and 1.2-basic. It was read as RDF 1.2, of which this reader knows everything.",
		"Write the version in which the document is, or leave it out."},
	{BlankNodeLabel, Repair, "a blank node label with characters that it can't hold",
		"A label of a blank node holds a colon, slash or another sign that labels can't have. It was encoded, so that the node stays the same throughout the document, and no other node becomes it. Where nothing follows _: the statement is lost; in JSON-LD the node is read as one without a name, where that is once in an item.",
		"Use letters, digits, - and _ in labels."},
}
