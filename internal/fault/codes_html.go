package fault

// Codes of findings in pages: RDFa, Microdata, scripts.
const (
	RDFaUndeclaredPrefix Code = "syntax/rdfa-undeclared-prefix"
	RDFaPrefix           Code = "syntax/rdfa-prefix"
	RDFaTerm             Code = "syntax/rdfa-term"
	RDFaName             Code = "syntax/rdfa-name"

	MicrodataItemID   Code = "syntax/microdata-itemid"
	MicrodataItemRef  Code = "syntax/microdata-itemref"
	MicrodataNoItem   Code = "syntax/microdata-no-item"
	MicrodataNoType   Code = "syntax/microdata-no-type"
	MicrodataPrefix   Code = "syntax/microdata-prefix"
	MicrodataProperty Code = "syntax/microdata-property"
	MicrodataReverse  Code = "syntax/microdata-reverse"
	MicrodataType     Code = "syntax/microdata-type"
	MicrodataValue    Code = "syntax/microdata-value"
	LimitExpansion    Code = "limit/expansion"

	MicroformatUnmapped Code = "syntax/microformat-unmapped"

	HTMLCutShort  Code = "syntax/html-cut-short"
	ScriptComment Code = "syntax/script-comment"
	ScriptMarkup  Code = "syntax/script-markup"
	ScriptMissing Code = "syntax/script-missing"
)

var htmlCodes = []Info{
	{RDFaUndeclaredPrefix, Warning, "a prefix in RDFa that is not declared",
		"A value such as article:author uses a prefix that neither the page declares nor RDFa knows. RDFa then takes the whole for an absolute IRI, which is seldom meant; so does Laundromat.",
		"Declare the prefix: <html prefix=\"article: https://ogp.me/ns/article#\">."},
	{RDFaPrefix, Warning, "a @prefix that can't be read",
		"The value of @prefix is a list of pairs: a prefix with a colon, then an IRI. A part of it is not such a pair, or declares a prefix that can't be declared, and is skipped.",
		"Write prefix=\"one: http://example.org/one# two: http://example.org/two#\"."},
	{RDFaTerm, Warning, "a term without a vocabulary",
		"A value of @property, @typeof or @datatype is a bare word, and no @vocab says which vocabulary it is of. RDFa passes it over, and so does Laundromat.",
		"Declare the vocabulary with @vocab, or write the word with a prefix."},
	{RDFaName, Warning, "a name that RDFa can't use",
		"A value isn't a term, a CURIE with a known prefix or an absolute IRI, or is a blank node where one can't occur. RDFa passes it over, and so does Laundromat.",
		"Write an absolute IRI, or a CURIE whose prefix is declared."},
	{MicrodataItemID, Warning, "an @itemid that isn't an IRI",
		"The @itemid of an item is a relative IRI, and neither the page nor where it came from gives a base to resolve it against. The item is kept as a node without a name.",
		"Write an absolute IRI in @itemid, or give the page a base element."},
	{MicrodataItemRef, Warning, "an @itemref that leads nowhere or back",
		"@itemref lists the @id of elements whose properties belong to the item too. No element has this @id; or it is part of the item already, and is taken once; or the items refer to one another in a circle, and each is read once.",
		"Take the word out of @itemref, or give the element that is meant this @id."},
	{MicrodataNoItem, Warning, "a property of no item",
		"An element has @itemprop, but there is no item around it, and no @itemref names it or an element around it. The property is skipped; if it is an item itself, that is read as if it were alone, as a repair.",
		"Put the element inside the one with @itemscope that it belongs to, or name it in the @itemref of that one. If an item is alone, take its @itemprop away."},
	{MicrodataNoType, Warning, "a property without a vocabulary",
		"The item has no @itemtype, nor has one around it, so nothing says which vocabulary the names of its properties belong to. As the rules have it, they become fragments of the IRI of the page. It is reported once for each item.",
		"Give the item an @itemtype, such as http://schema.org/Person, or write absolute IRIs in @itemprop."},
	{MicrodataPrefix, Warning, "a prefix in Microdata",
		"A name in @itemprop looks like one with a prefix, such as og:image. Microdata has no prefixes and takes it for an absolute IRI, which is seldom meant; so does Laundromat.",
		"Write the IRI in full."},
	{MicrodataProperty, Drop, "a property that has no IRI",
		"The name of a property can't be made an IRI, since there is no type around it and no base IRI to make it a fragment of; the statement is lost. An @itemprop without any name is skipped, as a warning.",
		"Give the item an @itemtype, or write absolute IRIs in @itemprop."},
	{MicrodataReverse, Warning, "a text as a subject",
		"The value of @itemprop-reverse is the subject of a statement, so it must be an item or an IRI; here it is a text. It is skipped, as the rules say.",
		"Use @itemprop-reverse on an item or a link."},
	{MicrodataType, Warning, "an @itemtype that is not heeded",
		"A value of @itemtype isn't an absolute IRI, or the element has no @itemscope, so that it isn't an item. It is skipped, as the rules say.",
		"Write absolute IRIs in @itemtype, and @itemscope beside it."},
	{MicrodataValue, Drop, "a property without a value",
		"The element has not the attribute that its value is taken from: @href of a link, @src of an image, @content of a meta element. The statement is lost; where the element has a text, that is taken instead, as a repair.",
		"Give the element the attribute, or put the property on another element."},
	{MicroformatUnmapped, Note, "a microformat without statements",
		"A page marks up an item as a microformat, such as an entry of a blog (h-entry) or a review (hreview), or a property of one. It is read, but no vocabulary here has a term for it, or it has no value. People, organizations, addresses, places and events have one: W3C's vCard ontology and icaltzd.",
		"Nothing needs to change. Describe the item in JSON-LD, Microdata or RDFa as well if its statements are wanted."},
	{LimitExpansion, Drop, "a page that says more than it holds",
		"A few words of a page stand for statements without measure: many items name the same parts of it in @itemref, patterns of RDFa are copied again and again, or one attribute lists thousands of properties. Everything past the limit is lost.",
		"Say what is shared once, as an item of its own that the others link to."},
	{HTMLCutShort, Drop, "the page is cut short",
		"A page of HTML ends within a tag, within a comment, or, without </body> or </html>, within an element that needs an end tag. Complete parts are kept; a text whose end was not found is not, since its continuation is unknown.",
		"Get the page again, whole. If it is meant so, close the comment or the element."},
	{ScriptComment, Repair, "comment marks around the data of a script",
		"The data in a script element are between marks that hide scripts from browsers of the last century: <!-- and -->, or those of a CDATA section. JSON-LD, Turtle and their like do not allow them; they were left out.",
		"Begin the script with the data, in JSON-LD with its bracket, and end it with them."},
	{ScriptMarkup, Repair, "tags in the data of a script",
		"A page is written in XML, where a < begins a tag also in a script; and the data of a script hold one that is not escaped. They are read as they are in the page, which is how a browser reads them in HTML.",
		"Write &lt; for < in the script, or put the data in a CDATA section."},
	{ScriptMissing, Drop, "a script that is not there",
		"One script of the page was asked for by its @id, but no script element of the type application/ld+json has it.",
		"Ask for an @id that a JSON-LD script of the page has."},
}
