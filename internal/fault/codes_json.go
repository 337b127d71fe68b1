package fault

// Codes of findings in JSON, and in what JSON-LD makes of it.
const (
	JSONSyntax              Code = "syntax/json"
	JSONCutShort            Code = "syntax/json-cut-short"
	JSONComma               Code = "syntax/json-comma"
	JSONColon               Code = "syntax/json-colon"
	JSONComment             Code = "syntax/json-comment"
	JSONStray               Code = "syntax/json-stray"
	JSONSeveral             Code = "syntax/json-several-values"
	JSONQuotes              Code = "syntax/json-quotes"
	JSONBracket             Code = "syntax/json-bracket"
	JSONControl             Code = "syntax/json-control-character"
	JSONEscape              Code = "syntax/json-escape"
	JSONNumber              Code = "syntax/json-number"
	JSONDuplicateKey        Code = "syntax/json-duplicate-name"
	JSONContextNotAvailable Code = "syntax/json-context-not-available"
	JSONContextMissing      Code = "syntax/json-context-missing"
	JSONContext             Code = "syntax/json-context"
	JSONContextName         Code = "syntax/json-context-name"
	JSONVersion             Code = "syntax/json-version"
	JSONKeyword             Code = "syntax/json-keyword"
	JSONEmptyKeyword        Code = "syntax/json-empty-keyword"
	JSONUndefinedTerm       Code = "syntax/json-undefined-term"
	JSONFreeValue           Code = "syntax/json-free-value"
	JSONDirection           Code = "language/json-direction"
	JSONPrecision           Code = "literal/json-precision"
	LimitJSONValue          Code = "limit/json-value"
	LimitContexts           Code = "limit/json-contexts"
)

var jsonCodes = []Info{
	{JSONSyntax, Drop, "not JSON",
		"At this place the text is not JSON. The member of an object or the item of an array that contains it is lost; the whole object " +
			"only where the broken member may have been its @id or another keyword, or where its members can't be told apart. The reader " +
			"goes on after it.",
		"Write the file with a JSON library rather than by putting strings together, or run it through a JSON validator."},
	{JSONCutShort, Drop, "the JSON ends too early",
		"The document ends while a string, an object or an array is still open, most often because a download or an upload was cut off. " +
			"Whole items before the end are kept where that can be done.",
		"Publish the whole file again."},
	{JSONComma, Repair, "a comma too many or too few",
		"A comma is before a closing bracket, or is missing between two objects. The meaning is clear, so the comma is skipped or put in.",
		"Write the file with a JSON library; remove the last comma of each list."},
	{JSONColon, Repair, "a missing colon",
		"The name of a member and its value are one after the other without a colon between them. The meaning is clear, so the colon is " +
			"put in.",
		"Write the file with a JSON library rather than by putting strings together."},
	{JSONComment, Repair, "a comment in JSON",
		"A comment as JavaScript or YAML have them (// or # to the end of a line, or /* */) is between names and values. JSON has no " +
			"comments. It is left out; nothing is lost with it.",
		"Remove the comments before the file is published, or write what they say as data: rdfs:comment."},
	{JSONStray, Repair, "text around a JSON value that isn't JSON",
		"Around a sound value of JSON there is other text that can't hold a statement: a semicolon, a call or an assignment of " +
			"JavaScript, a fence of Markdown, a tag of HTML, a word of prose, or a backslash at the end of a line. It is left out; " +
			"nothing is lost with it. Text that may hold a part of a node is lost, and reported as syntax/json.",
		"Publish the value alone, without what a program, a page or an editor puts around it."},
	{JSONSeveral, Repair, "several values in one document",
		"After a value another one begins. A JSON text is one value (RFC 8259, section 2); only a file of lines holds one on each line. " +
			"All values are read; nothing is lost.",
		"Put the values into one array, or write each on one line and call the file .ndjson."},
	{JSONQuotes, Repair, "a name or string without its quotation marks",
		"A name is without quotation marks, or a string in apostrophes: that is JavaScript, and not JSON. It is read as if it had them. " +
			"Where all quotation marks of a document are curly, as word processors write them, or all are doubled, they are read as " +
			"those of JSON.",
		"Write the file with a JSON library, which puts names and strings in quotation marks."},
	{JSONBracket, Drop, "a bracket or brace too many or too few",
		"A bracket or brace is missing, or closes nothing. If the rest shows clearly where it belongs, it is put in or passed over; a " +
			"node of which it is not sure where it begins or ends is lost.",
		"Write the file with a JSON library rather than by putting strings together."},
	{JSONControl, Repair, "a raw control character in a string",
		"A string holds a line end, a tab or another control character as it is. JSON wants \\n, \\t or \\u escapes there. The character " +
			"is kept as part of the string.",
		"Write the file with a JSON library, which escapes these characters."},
	{JSONEscape, Repair, "an escape that JSON does not have",
		"A string holds \\', which is JavaScript and not JSON. It is read as an apostrophe.",
		"Write an apostrophe without a backslash."},
	{JSONNumber, Repair, "NaN or Infinity as a number",
		"JSON has no such numbers, though some programs write them. They are read as the xsd:double values NaN, INF and -INF.",
		"Leave the member out, write null, or write a typed value: {\"@value\": \"NaN\", \"@type\": \"xsd:double\"}."},
	{JSONDuplicateKey, Drop, "the same name twice in one object",
		"An object holds two members of the same name. JSON-LD forbids that, and every processor keeps only the last; the earlier value " +
			"is lost. Where both values are the same nothing is lost, and it is only a warning.",
		"Put the values in one array: \"name\": [\"one\", \"two\"]."},
	{JSONContextNotAvailable, Drop, "a context that is not at hand",
		"The data names a context by its IRI, and what that says can't be known without it. Laundromat has the contexts that data names " +
			"most (its documentation lists them), and takes those that --context gives. Names that only the missing context can define " +
			"are lost; parts that are written with IRIs, or with terms that other contexts define, are read without it and count as " +
			"repaired. syntax/json-context-missing says which context it is.",
		"Put the context into the document. Whoever washes it can give a copy (--context IRI=FILE) or have it fetched (--fetch-contexts)."},
	{JSONContextMissing, Warning, "a context that the document needs",
		"A context that the document names is not at hand, or could not be fetched. This is reported once per document of each context, " +
			"with the number of statements that it cost; each of those is reported in its place, as syntax/json-context-not-available.",
		"Put the context into the document. Whoever washes it can give a copy (--context IRI=FILE) or have it fetched (--fetch-contexts)."},
	{JSONContext, Drop, "a context with a fault",
		"A context breaks a rule of JSON-LD 1.1. If the fault is in the definition of one term, the statements that need that term are " +
			"lost. After any other fault, all names that the context may define are lost. Parts that are written with IRIs, or with " +
			"terms of other contexts, are read. A term that is protected keeps the definition that it has.",
		"Mend the entry of the context that the message names; the JSON-LD Playground shows the same fault."},
	{JSONContextName, Repair, "a well-known context named by half its IRI",
		"A context that the program has is named without https://, as schema.org, or with spaces around it, so that the name is a " +
			"relative IRI, which leads to a file beside the document. The well-known context is taken.",
		"Write \"@context\": \"https://schema.org\"."},
	{JSONVersion, Repair, "a version that is a string",
		"The @version of a context is the number 1.1. The string \"1.1\" is read as that number.",
		"Write \"@version\": 1.1, without quotation marks."},
	{JSONKeyword, Drop, "a keyword used in a wrong way",
		"The value of a keyword such as @id, @type, @value or @list is of a kind that it can't have, or is beside another that excludes " +
			"it; or a name isn't a keyword and one letter away from one that is missing, such as @di. The value is lost, or the node if " +
			"it can't do without.",
		"Give the keyword a value of the kind that the message names."},
	{JSONEmptyKeyword, Repair, "a keyword that says nothing",
		"A keyword such as @id, @type or @language has null as its value, or the empty string where it should name a language, or no " +
			"datatype in its array. JSON-LD allows none of these. It is read as if the keyword were not there; a node whose @id is null " +
			"is one without a name.",
		"Leave the keyword out where there is nothing to say."},
	{JSONUndefinedTerm, Warning, "a name that the context does not define",
		"The name of a member, or a type, has no meaning in the context, or has the form of a keyword without being one. JSON-LD passes " +
			"it over together with its value, and so does Laundromat.",
		"Define the name in the context, give the context an @vocab, or write an IRI. If the member is not meant as data, nothing need " +
			"be done."},
	{JSONFreeValue, Warning, "something that means nothing in its place",
		"A string, number or list is at the top of the document or of a graph, where only nodes mean something; or a node there has a " +
			"name and nothing else; or a language or base direction is where there is no @value. JSON-LD passes it over, and so does " +
			"Laundromat.",
		"Make it a value of a property of a node, or remove it."},
	{JSONDirection, Warning, "a base direction that is left out",
		"A string has @direction. RDF 1.1 has no place for it, so the literal is written without, unless --rdf-direction says how; and " +
			"none of the ways that it knows has a place for the direction of what isn't text.",
		"Nothing, if the direction follows from the text. Else mark it with Unicode's directional characters. Whoever washes the data " +
			"can write directions with --rdf-direction i18n-datatype, compound-literal or dir-lang-string."},
	{JSONPrecision, Warning, "a number with more digits than are kept",
		"JSON-LD makes an xsd:double of a number that is not whole or is very large, and a double holds some 16 digits. The others " +
			"are lost.",
		"Write the number as a string with a type: {\"@value\": \"0.1234567890123456789\", \"@type\": \"xsd:decimal\"}."},
	{LimitJSONValue, Drop, "an item of JSON-LD that is too large to be held",
		"The items of an array, of @graph or of a file of lines are read one by one, but each must be held whole, and this one would " +
			"take more memory than --memory allows. It is lost; the others are not.",
		"Let the nodes follow one another in @graph instead of nesting them. Whoever washes the document can raise --memory."},
	{LimitContexts, Drop, "contexts without end",
		"Contexts include one another more deeply, or define more terms, than a reader follows. Real data is never like that; the node " +
			"that has the context is lost.",
		"Break the circle, or put what is needed into one context."},
}
