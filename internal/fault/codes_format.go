package fault

// Codes of the format of a document as a whole.
const (
	FormatUnknown Code = "format/unknown"
	FormatNotRDF  Code = "format/not-rdf"
	FormatEmpty   Code = "format/empty"

	FormatNamedGraph Code = "format/named-graph"
	FormatTripleTerm Code = "format/triple-term"
)

var formatCodes = []Info{
	{FormatUnknown, 0, "a name of no known format",
		"The name, media type or extension that was given for the format of the document is none that Laundromat reads.",
		"Give one of HTML, JSON-LD, N-Quads, N-Triples, RDF/XML, RDF/JSON, RDFa, TriG, TriX, Turtle, or a media type or extension of these."},
	{FormatNotRDF, 0, "the document isn't RDF",
		"By its content the document isn't RDF, so it is not read: a page without data in it, a table, a picture, plain text. The message says what.",
		"Publish the data in an RDF format, and link to that. If it is RDF, name the format: --format, or the Content-Type header together with well-formed first lines."},
	{FormatEmpty, Note, "no statements",
		"The document was read to its end, and there is no statement or record in it, nor anything that was meant as one.",
		"Check that the data was written completely. If there is none to publish, nothing is wrong."},
	{FormatNamedGraph, Drop, "a statement in a named graph, and an output without graphs",
		"The output was asked for as N-Triples or Turtle (a name that ends in .nt or .ttl), which can't say in which graph a statement is. Without its graph it would say something else, so it is left out.",
		"Nothing to mend in the data. Write N-Quads or TriG: name the output .nq or .trig."},
	{FormatTripleTerm, Drop, "a statement about a statement, and an output without triple terms",
		"The output was asked for as JSON-LD (a name that ends in .jsonld), which has no triple terms: JSON-LD 1.1 can't say that the object of a statement is a statement. So it is left out.",
		"Nothing to mend in the data. Write another format: name the output .nq, .ttl or .trig."},
}
