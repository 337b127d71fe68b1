package fault

// Codes of faults in XML, and in what RDF/XML makes of it.
const (
	XMLUnclosedElement      Code = "syntax/xml-unclosed-element"
	XMLMismatchedEnd        Code = "syntax/xml-mismatched-end-tag"
	XMLStrayEnd             Code = "syntax/xml-stray-end-tag"
	XMLUnclosedTag          Code = "syntax/xml-unclosed-tag"
	XMLCutShort             Code = "syntax/xml-cut-short"
	XMLOutsideRoot          Code = "syntax/xml-outside-root"
	XMLSeveralRoots         Code = "syntax/xml-several-roots"
	XMLBareAmpersand        Code = "syntax/xml-bare-ampersand"
	XMLBareLess             Code = "syntax/xml-bare-less-than"
	XMLBadAttribute         Code = "syntax/xml-bad-attribute"
	XMLUnquotedValue        Code = "syntax/xml-unquoted-value"
	XMLUnclosedQuote        Code = "syntax/xml-unclosed-quote"
	XMLMissingSpace         Code = "syntax/xml-missing-space"
	XMLDuplicateAttribute   Code = "syntax/xml-duplicate-attribute"
	XMLControl              Code = "syntax/xml-control-character"
	XMLBadCharacter         Code = "syntax/xml-bad-character-reference"
	XMLUnknownEntity        Code = "syntax/xml-unknown-entity"
	XMLHTMLEntity           Code = "syntax/xml-html-entity"
	XMLNamespaceEntity      Code = "syntax/xml-namespace-entity"
	XMLExternalEntity       Code = "syntax/xml-external-entity"
	XMLBadEntity            Code = "syntax/xml-bad-entity"
	XMLBadMarkup            Code = "syntax/xml-bad-markup"
	XMLMisplacedDeclaration Code = "syntax/xml-misplaced-declaration"
	XMLComment              Code = "syntax/xml-comment"
	XMLUnclosedComment      Code = "syntax/xml-unclosed-comment"
	XMLUnopenedTag          Code = "syntax/xml-unopened-tag"
	XMLBadName              Code = "syntax/xml-bad-name"
	XMLReservedAttribute    Code = "syntax/xml-reserved-attribute"
	LimitEntities           Code = "limit/entities"

	RDFXMLNoRDF           Code = "syntax/rdfxml-no-rdf"
	RDFXMLNestedRDF       Code = "syntax/rdfxml-nested-rdf"
	XMLNamespace          Code = "syntax/xml-namespace-declaration"
	RDFXMLResourceNode    Code = "syntax/rdfxml-resource-node"
	RDFXMLNamespace       Code = "syntax/rdfxml-misspelt-namespace"
	RDFXMLNoNamespace     Code = "syntax/rdfxml-no-namespace"
	RDFXMLUnqualified     Code = "syntax/rdfxml-unqualified-attribute"
	RDFXMLMisspelt        Code = "syntax/rdfxml-misspelt-name"
	RDFXMLForbiddenName   Code = "syntax/rdfxml-forbidden-name"
	RDFXMLUnknownName     Code = "syntax/rdfxml-unknown-name"
	RDFXMLObsolete        Code = "syntax/rdfxml-obsolete"
	RDFXMLConflict        Code = "syntax/rdfxml-conflicting-attributes"
	RDFXMLBadID           Code = "syntax/rdfxml-bad-id"
	RDFXMLDuplicateID     Code = "syntax/rdfxml-duplicate-id"
	RDFXMLUnknownParse    Code = "syntax/rdfxml-unknown-parse-type"
	RDFXMLTriple          Code = "syntax/rdfxml-triple"
	RDFXMLStrayText       Code = "syntax/rdfxml-stray-text"
	RDFXMLMixedContent    Code = "syntax/rdfxml-mixed-content"
	RDFXMLNotEmpty        Code = "syntax/rdfxml-not-empty"
	RDFXMLWhiteSpace      Code = "syntax/rdfxml-white-space"
	RDFXMLSeveralNodes    Code = "syntax/rdfxml-several-nodes"
	RDFXMLMissingProperty Code = "syntax/rdfxml-missing-property"
	RDFXMLMissingNode     Code = "syntax/rdfxml-missing-node"
	RDFXMLPage            Code = "syntax/rdfxml-html-page"
	RDFXMLUnfinished      Code = "syntax/rdfxml-unfinished-statement"
	RDFXMLLostPart        Code = "syntax/rdfxml-lost-part"
)

var xmlCodes = []Info{
	{XMLUnclosedElement, Repair, "an element that is not closed",
		"An end tag came for an element while others were still open in it. These were taken to end there. A property element whose text " +
			"ran into that end tag is lost, since the end of its text is unknown.",
		"Write an end tag for every element, or close it in its own tag (<a/>)."},
	{XMLMismatchedEnd, Repair, "an end tag with another name than its start tag",
		"The end tag's name belongs to no open element, and only one element can be meant: the innermost, whose name differs only in " +
			"case or prefix, or which holds a text that the tag ends. It was closed.",
		"Write the name in the end tag exactly as in the start tag."},
	{XMLStrayEnd, Repair, "an end tag that closes nothing",
		"No element of that name is open. The tag was left out.",
		"Remove the end tag, or find the start tag that is missing."},
	{XMLUnclosedTag, Repair, "a tag without >",
		"The next tag begins before this one has ended with >. It was taken to end there.",
		"Write the missing >."},
	{XMLCutShort, Drop, "the document is cut short",
		"The text ends while elements are open, or inside a tag, a comment or the like. All statements that were complete were kept; the " +
			"one that was begun is lost. If only end tags are missing, no statement is known to be lost, but nobody knows what else was " +
			"to come: that counts as one, but in a page, where it is a repair.",
		"Find out why the file is not whole: an export or transfer that was broken off is the usual cause."},
	{XMLOutsideRoot, Repair, "text outside the root element",
		"Before or after the root element only comments and processing instructions may occur. The text was left out. Error messages of " +
			"a program that wrote the file often are there.",
		"Remove the text."},
	{XMLSeveralRoots, Repair, "more than one root element",
		"An XML document has one root element. The others were read as if they were in documents of their own. Files joined end to end " +
			"look like this.",
		"Put all into one rdf:RDF, or publish separate files."},
	{XMLBareAmpersand, Repair, "an & that stands for itself",
		"In XML an & begins a reference. This one does not, so it was taken for the character. Addresses with several parameters are the " +
			"usual case.",
		"Write &amp; for &."},
	{XMLBareLess, Repair, "a < that stands for itself",
		"In XML a < begins a tag. This one is in a value, or begins nothing that could be a tag, so it was taken for the character.",
		"Write &lt; for <."},
	{XMLBadAttribute, Repair, "something in a tag that isn't an attribute",
		"A tag holds a character or word that isn't an attribute, or an attribute without a value. It was left out; an attribute without " +
			"a value loses the statement it would have made.",
		"Write attributes as name=\"value\", and nothing else in a tag."},
	{XMLUnquotedValue, Repair, "an attribute's value without quotation marks",
		"The value was taken to end at the next white space or at the end of the tag.",
		"Put the value in quotation marks."},
	{XMLUnclosedQuote, Drop, "a quotation mark that is missing, or one too many",
		"The value of an attribute has no closing quotation mark: the mark that seems to close it opens the next value, or there is " +
			"none; or one that is not escaped is in the value. A value whose end is not known is never kept.",
		"Write the missing quotation mark."},
	{XMLMissingSpace, Repair, "attributes without a space before them",
		"XML wants white space before each attribute. It was read as if it were there.",
		"Write a space between attributes."},
	{XMLDuplicateAttribute, Drop, "an attribute that occurs twice in one tag",
		"Neither of two attributes of the same name can be trusted, so their statements are lost; but one was left out if both have the " +
			"same value. In a page of HTML, whose rules say so, the first counts; that is a warning.",
		"Keep one of them. Several values of a property need property elements."},
	{XMLControl, Repair, "a control character that XML forbids",
		"XML 1.0 allows of the control characters only tab and line ends, not even as references, and neither U+FFFE nor U+FFFF. The " +
			"character was kept as part of a value. The name of an element or attribute that holds one is not known, so that its " +
			"statement is lost; only out of a name of RDF, and out of an end tag, it was left. By the rules of HTML U+0000 is left out " +
			"of text, and is U+FFFD in an attribute; that is a warning.",
		"Remove the character. It often comes from copied text or a wrong encoding."},
	{XMLBadCharacter, Repair, "a faulty character reference",
		"A reference like &#38; lacks its semicolon, or two references make up one character as in UTF-16; these were read as they are " +
			"meant. One that names no character at all loses the statement.",
		"Write &#, the number of the character in Unicode, and a semicolon."},
	{XMLUnknownEntity, Drop, "an entity that is not declared",
		"A reference like &name; has no declaration in the document, and what is outside of it is never loaded. The statement that holds " +
			"it is lost.",
		"Declare the entity in the document type, or write the text itself."},
	{XMLHTMLEntity, Repair, "an entity of HTML in XML",
		"XML itself knows only &amp; &lt; &gt; &quot; and &apos;. This name is one of HTML, and was taken for its character.",
		"Write the character itself, or a reference by number such as &#160; for &nbsp;."},
	{XMLNamespaceEntity, Repair, "an entity for a namespace that is not declared",
		"A value begins with a reference such as &owl; that the document does not declare. The name is that of a prefix so widely used " +
			"(RDFa initial context) that its namespace was taken.",
		"Declare the entity in the document type, or write the whole IRI."},
	{XMLExternalEntity, Drop, "an entity whose text is elsewhere",
		"The document refers to a text in another file or on another host. Such texts are never loaded, so the statement that holds it " +
			"is lost. A parameter entity of the document type that is elsewhere, or is not declared, is skipped, with a warning.",
		"Write the text into the document itself."},
	{XMLBadEntity, Drop, "an entity that can't be expanded",
		"The entity holds itself, or ends inside a tag, or the reference to it has no semicolon and nobody knows where its name ends. " +
			"The statement that holds it is lost.",
		"Mend the declaration of the entity, or write the semicolon."},
	{XMLBadMarkup, Repair, "mark-up that XML does not know, or not here",
		"Something that looks like a declaration, a section or an instruction is malformed or is in the wrong place. It was left out, or " +
			"read as it is plainly meant.",
		"Remove it or correct it; the message says what it is."},
	{XMLMisplacedDeclaration, Repair, "an XML declaration that is not at the beginning",
		"<?xml …?> may occur only at the very beginning of a document, without so much as a space before it. It was left out. Documents " +
			"joined end to end look like this.",
		"Remove it, or the text before it."},
	{XMLComment, Warning, "a comment that holds --",
		"XML forbids two hyphens inside a comment. The comment was skipped as a whole, up to -->.",
		"Write - - or another sign inside comments."},
	{XMLUnclosedComment, Repair, "a comment that does not end",
		"No --> follows, or only that of another comment. The comment was taken to end before the first tag from which the document goes " +
			"on soundly. The rest of the same element depends on that, and counts as repaired; a text, or an XML literal, that the " +
			"comment is in is lost.",
		"Write --> where the comment ends."},
	{XMLUnopenedTag, Repair, "a tag without <",
		"Where only elements may occur there is something that would be a sound tag with < before it, and its prefix is declared. It was " +
			"read as that tag.",
		"Write the missing <."},
	{XMLBadName, Repair, "a name that XML does not allow",
		"The name of an element, an attribute, a prefix or an entity begins with a digit, a hyphen or a dot, holds a sign beyond ASCII " +
			"that no name holds (° × ’ –), or has a colon too many. It was taken as it is, with one colon; a name with two colons apart, " +
			"with nothing after its colon, with signs of ASCII that no name holds, or with invisible characters, loses the statements " +
			"that need it.",
		"Choose names of letters, digits, - _ and . that begin with a letter or _ and have one colon."},
	{XMLReservedAttribute, Warning, "an attribute that XML reserves",
		"Attributes whose names begin with xml are reserved; RDF/XML uses xml:lang and xml:base, and requires readers to ignore all others.",
		"Remove it if it was meant as a property; give that a namespace of its own."},
	{LimitEntities, Drop, "entities expand to too much",
		"The expansion of a document's entities is bounded, since a few lines can expand to more text than any memory holds. References " +
			"beyond the bound lose their statements, each of which is reported once, and default attributes theirs; of too many " +
			"declarations the rest is not known, with a warning.",
		"Write the text itself instead of entities that hold entities."},
	{RDFXMLNoRDF, Drop, "no rdf:RDF at the root",
		"The root element is not RDF/XML. If there is an rdf:RDF inside it, that was read, with a note; otherwise the document holds no " +
			"statements.",
		"Publish the rdf:RDF element as a document of its own."},
	{RDFXMLNestedRDF, Repair, "rdf:RDF inside another element",
		"rdf:RDF may only be the root. Its content was read as if it were a document of its own; a property element around it has no " +
			"value and is lost.",
		"Remove the inner rdf:RDF tags."},
	{XMLNamespace, Repair, "a declaration of a namespace that XML forbids",
		"Namespaces in XML forbids to declare the prefix xmlns, to declare xml for another namespace than its own, to declare either of " +
			"their namespaces for another prefix, and to declare a prefix for the empty namespace. Other programs refuse the whole " +
			"document. A declaration of xml or xmlns, or of an empty namespace, was skipped, so that names with such a prefix are lost; " +
			"another was taken as it is.",
		"Leave out the declaration, or name the namespace that is meant."},
	{RDFXMLResourceNode, Repair, "a node in an element with parseType=\"Resource\"",
		"An element with parseType=\"Resource\" holds properties, and makes the node that they are about itself. Here it holds a node " +
			"element, such as rdf:Seq, and nothing else, which can't be read as a property. It was read without parseType, so that this " +
			"node is the value.",
		"Leave out parseType, or the tags of the node."},
	{RDFXMLNamespace, Repair, "a misspelt namespace of RDF",
		"A prefix is declared with a namespace that differs from that of RDF only in its end or scheme, so that nothing would be RDF. " +
			"That of RDF was taken.",
		"Declare xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\", with the # at the end."},
	{RDFXMLNoNamespace, Drop, "a name without a namespace",
		"An element or attribute that names a property or type needs a namespace, since the IRI is made of both. Its statements are lost.",
		"Declare a namespace for it, as default (xmlns=\"…\") or with a prefix. Attributes always need the prefix."},
	{RDFXMLUnqualified, Warning, "an attribute of RDF without its prefix",
		"about, ID, resource, parseType and type should be written with the prefix of RDF. Old documents leave it out, and readers may " +
			"read them all the same. nodeID, datatype and the obsolete ones have no such excuse, and are repaired.",
		"Write rdf:about instead of about, and so on."},
	{RDFXMLMisspelt, Repair, "a misspelt name",
		"An attribute is one letter, its capitals or its colon away from rdf:about, rdf:resource, xml:lang or another of the syntax, or " +
			"an element from rdf:Description or from the name in its end tag, which the document uses for others. It was read as that. A " +
			"name that is too unlike to be sure of loses what needs it.",
		"Correct the name."},
	{RDFXMLForbiddenName, Drop, "a name of RDF where it may not occur",
		"Names that make up the syntax (rdf:li, rdf:about, rdf:resource, …) can't be used as types or properties, nor on any element. " +
			"Its statements are lost; an attribute on rdf:RDF is left out, which costs nothing, and rdf:resource of a member of a list " +
			"is read as rdf:about.",
		"Look up which attributes and elements may occur here in the specification of RDF/XML, section 7.2."},
	{RDFXMLUnknownName, Warning, "a name in the namespace of RDF that RDF does not define",
		"Nobody but the W3C may define names in the namespace of RDF. The statement is kept. It is most often a typing error.",
		"Correct the name, or use a namespace of your own."},
	{RDFXMLObsolete, Drop, "syntax that was taken out of RDF/XML",
		"rdf:aboutEach, rdf:aboutEachPrefix and rdf:bagID were part of RDF/XML until 2004. Their statements can't be read.",
		"State what is meant about each node by itself."},
	{RDFXMLConflict, Drop, "attributes that contradict each other",
		"An element has two attributes that each say what its node or value is, or attributes that can't occur beside rdf:parseType. The " +
			"intended meaning is unknown.",
		"Keep one of them."},
	{RDFXMLBadID, Repair, "an rdf:ID or rdf:nodeID that isn't a name",
		"The values of rdf:ID and rdf:nodeID must be XML names: they begin with a letter or _ and hold no colon, slash or space. It was " +
			"taken as it is; an empty one, or a whole IRI in rdf:ID, can't be.",
		"Use rdf:about=\"#…\" for identifiers that aren't names."},
	{RDFXMLDuplicateID, Repair, "an rdf:ID that occurs twice",
		"rdf:ID introduces a name, which can be done once for each base. The second was read like rdf:about=\"#…\", so that both " +
			"describe the same node.",
		"Use rdf:about for all but the first."},
	{RDFXMLUnknownParse, Repair, "a parseType that RDF/XML does not know",
		"Values other than Literal, Resource, Collection and Triple, exactly so written, are read like Literal, as the specification " +
			"asks: that is a warning. But one that is plainly Resource or Collection misspelt is read as that, and this is a repair; one " +
			"whose end is lost loses its statement.",
		"Correct the value."},
	{RDFXMLTriple, Drop, "a parseType=\"Triple\" that holds no triple",
		"An element with rdf:parseType=\"Triple\" holds one node element that makes exactly one statement, which is then a term of " +
			"another. It holds none, or several, or a faulty one, so the statement that it is the object of is lost. Where no " +
			"rdf:version=\"1.2\" is in force, the element is ignored, with a warning.",
		"Write one node element with one property in it, and rdf:version=\"1.2\" at the root."},
	{RDFXMLStrayText, Drop, "text that belongs to no statement",
		"Between node elements, and between property elements, only white space is allowed. The text is lost.",
		"Put the text into a property element."},
	{RDFXMLMixedContent, Drop, "mark-up in a property that does not allow it",
		"A property element holds text with elements in it, but does not say rdf:parseType=\"Literal\". It is lost as a whole.",
		"Add rdf:parseType=\"Literal\", or write the mark-up with &lt;."},
	{RDFXMLNotEmpty, Drop, "an element in a property that is empty by its attributes",
		"rdf:resource, rdf:nodeID and property attributes already say what the object is, so that the element must be empty. The element " +
			"in it was skipped.",
		"Remove the attribute, or the element."},
	{RDFXMLWhiteSpace, Repair, "white space in a property that is empty by its attributes",
		"rdf:resource, rdf:nodeID and property attributes already say what the object is, and the grammar of RDF/XML allows nothing else " +
			"in the element then, not even white space. It was skipped. Comments and processing instructions may occur there.",
		"Close the element in its own tag (<a/>)."},
	{RDFXMLSeveralNodes, Drop, "more than one node in a property",
		"A property element can hold one node element. The statements about the further ones are kept, but not the one that leads to them.",
		"Repeat the property element for each node, or say rdf:parseType=\"Collection\"."},
	{RDFXMLMissingProperty, Drop, "a node directly in a node",
		"Node elements and property elements must alternate. The statements about the inner node are kept, but how it belongs to the " +
			"outer one is not said.",
		"Put the property between them that relates the two."},
	{RDFXMLMissingNode, Drop, "a property where a node is due",
		"A property element is where only a node element is allowed: the start tag of the node that it describes is missing or broken. " +
			"Statements up to the end of that node have no known subject; each statement that this costs is reported separately.",
		"Put the property into the rdf:Description, or other node element, that it is about."},
	{RDFXMLPage, Drop, "a page of HTML inside the document",
		"A server or program wrote a page, such as an error message, into the middle of the data. It was skipped as a whole, and the " +
			"reading went on where it had been.",
		"Remove the page, and look for what should be there instead."},
	{RDFXMLUnfinished, Drop, "a property element that is not closed",
		"Another element's end tag came before its own, so that the end of its value is not known. It is lost.",
		"Write the end tag."},
	{RDFXMLLostPart, Drop, "a statement that lacks a part lost before",
		"The subject, or another part that several statements share, was lost by a fault that has a notice of its own. Each statement " +
			"that it costs is reported by one of these.",
		"Mend the fault reported before."},
}
