package fault

// Codes of faults in the syntax of N-Triples, N-Quads, Turtle and TriG, and of
// those that other formats share with them.
const (
	SyntaxUndeclaredPrefix Code = "syntax/undeclared-prefix"
)

var syntaxCodes = []Info{
	{SyntaxUndeclaredPrefix, Drop, "a prefix that is not declared",
		"A prefixed name uses a prefix that the document declares nowhere before it. A prefix of the RDFa initial context (rdf, owl, foaf, …) has one plain meaning and is repaired; any other costs the statement.",
		"Declare the prefix before its first use."},
}
