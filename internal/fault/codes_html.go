package fault

// Codes of findings in RDFa.
const (
	RDFaUndeclaredPrefix Code = "syntax/rdfa-undeclared-prefix"
	RDFaPrefix           Code = "syntax/rdfa-prefix"
	RDFaTerm             Code = "syntax/rdfa-term"
	RDFaName             Code = "syntax/rdfa-name"
)

var htmlCodes = []Info{
	{RDFaUndeclaredPrefix, Warning, "a prefix in RDFa that is not declared",
		"A value such as article:author uses a prefix that neither the page declares nor RDFa knows. RDFa then takes the whole for an absolute IRI, which is seldom meant; so does Laundromat.",
		"Declare the prefix: <html prefix=\"article: https://ogp.me/ns/article#\">."},
	{RDFaPrefix, Warning, "a @prefix that can't be read",
		"The value of @prefix is a list of pairs: a prefix with a colon, then an IRI. A part of it is not such a pair, or declares a prefix that can't be declared, and is passed over.",
		"Write prefix=\"one: http://example.org/one# two: http://example.org/two#\"."},
	{RDFaTerm, Warning, "a term without a vocabulary",
		"A value of @property, @typeof or @datatype is a bare word, and no @vocab says which vocabulary it is of. RDFa passes it over, and so does Laundromat.",
		"Declare the vocabulary with @vocab, or write the word with a prefix."},
	{RDFaName, Warning, "a name that RDFa can't use",
		"A value is no term, no CURIE with a known prefix and no absolute IRI, or is a blank node where one can't stand. RDFa passes it over, and so does Laundromat.",
		"Write an absolute IRI, or a CURIE whose prefix is declared."},
}
