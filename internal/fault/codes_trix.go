package fault

// Codes of what TriX makes of XML.
const (
	TriXElement   Code = "syntax/trix-element"
	TriXForeign   Code = "syntax/trix-foreign"
	TriXName      Code = "syntax/trix-name"
	TriXTerm      Code = "syntax/trix-term"
	TriXTriple    Code = "syntax/trix-triple"
	TriXStrayText Code = "syntax/trix-stray-text"
	TriXLostPart  Code = "syntax/trix-lost-part"
	TriXNamespace Code = "syntax/trix-namespace"
	TriXEmptyName Code = "syntax/trix-empty-name"
)

var trixCodes = []Info{
	{TriXElement, Drop, "an element where TriX has none",
		"In TriX graphs are in the root, triples in graphs, and terms in triples; a term at the beginning of a graph is its name. An element that is elsewhere is skipped, and the triple that contains it is lost. If it leaves open what the name of a graph is, each triple of that graph is lost.",
		"Write each triple as <triple> with three terms in it, and each graph with one name, or none, before its triples."},
	{TriXForeign, Warning, "an element or attribute that is none of TriX",
		"An element of another namespace is beside the graphs or triples, or an attribute that means nothing there. It was skipped. XML in a literal whose datatype is rdf:XMLLiteral, where TriX wants text, is read as its value.",
		"Nothing, if it is not meant as data. Write XML in a literal with its characters escaped."},
	{TriXNamespace, Repair, "elements of TriX in another namespace, or in none",
		"The elements of TriX are those of the namespace http://www.w3.org/2004/03/trix/trix-1/. This document has them in another one, or in none. By the names of its root and of the elements in it they were read as TriX. It is reported once for each namespace.",
		"Write xmlns=\"http://www.w3.org/2004/03/trix/trix-1/\" in the root element."},
	{TriXEmptyName, Repair, "a graph with an empty name",
		"The element uri at the beginning of a graph names it, and this one is empty. TriX has whole URIs, so that it names nothing. The graph was read as one without a name, which is the default graph.",
		"Leave out the empty element, or name the graph."},
	{TriXName, Repair, "a name of TriX in other letters",
		"The names of elements must be written as TriX has them, capital letters too. It was read as the name that is meant.",
		"Write TriX, graph, triple, uri, id, plainLiteral and typedLiteral so."},
	{TriXTerm, Drop, "a term of TriX that says none",
		"A typedLiteral has no datatype, the label of a blank node is empty or holds control characters, or a literal is not closed, so that nobody knows where its text ends. The triple that contains it is lost.",
		"Write the term as it is meant, and close its element."},
	{TriXTriple, Drop, "a triple that is none",
		"A triple has fewer or more than three terms, or a term that RDF does not allow in its place: a literal or a triple as the subject, anything but an IRI as the predicate.",
		"Write subject, predicate and object, in this order."},
	{TriXStrayText, Drop, "text that belongs to no term",
		"Text is outside of the terms. It may be what is left of a broken tag, so a triple that contains it is lost.",
		"Remove the text, or mend the tag before it."},
	{TriXLostPart, Drop, "a triple that lacks a part lost before",
		"A term, or the name of the graph, was lost by a fault that has a notice of its own. Each triple that it costs is reported by one of these.",
		"Mend the fault reported before."},
}
