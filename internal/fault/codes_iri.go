package fault

// Codes of findings in IRIs.
const (
	IRIRelative   Code = "iri/relative"
	IRINoBase     Code = "iri/no-base"
	IRISpace      Code = "iri/space"
	IRITrimmed    Code = "iri/trimmed"
	IRICharacter  Code = "iri/character"
	IRIBracket    Code = "iri/bracket"
	IRIFragment   Code = "iri/second-fragment"
	IRIPrivateUse Code = "iri/private-use"
	IRIForbidden  Code = "iri/forbidden"
	IRIHost       Code = "iri/host"
	IRIAuthority  Code = "iri/authority"
	IRIPercent    Code = "iri/percent-encoding"
	IRIEmpty      Code = "iri/empty"
	IRIBidi       Code = "iri/bidi"
)

var iriCodes = []Info{
	{IRIRelative, Warning, "a relative IRI, and no base but the file's own place",
		"The document uses a relative IRI, but neither it nor the place it came from names a base. The IRI was resolved against the place of the file on the machine that washes, so it means something else on every machine. It is told once a document.",
		"Name the base in the document (@base, xml:base, @context), or write absolute IRIs. Whoever washes it can give --base."},
	{IRINoBase, Drop, "a relative IRI, and nothing to resolve it against",
		"A statement holds an IRI without a scheme such as http:, or an empty one. Clean data has absolute IRIs only, and no base was known that would make this one absolute.",
		"Write the whole IRI with its scheme, or name the base of the document."},
	{IRISpace, Repair, "a space in an IRI",
		"An IRI can't hold spaces. Each was written as %20, which is what browsers send.",
		"Write %20 for a space, or choose names without spaces."},
	{IRITrimmed, Repair, "white space around an IRI",
		"There were spaces, tabs or line ends before or behind the IRI; they were cut off.",
		"Trim the values that IRIs are made from."},
	{IRICharacter, Repair, "a character that no IRI may hold",
		"One of the characters < > \" { } | \\ ^ ` stands in an IRI as it is. It was percent-encoded.",
		"Percent-encode the values that IRIs are made from. Braces are often the rest of a template that was never filled in."},
	{IRIBracket, Repair, "a square bracket outside the host of an IRI",
		"Square brackets may stand in an IRI only around an IP address in its host. Elsewhere they were percent-encoded, as %5B and %5D.",
		"Write %5B for [ and %5D for ]."},
	{IRIFragment, Repair, "a second # in an IRI",
		"The first # of an IRI begins its fragment, and a fragment can't hold another. Each further one was written as %23.",
		"Write %23 for a # that is part of the fragment, or mend the namespace that ends with # once too often."},
	{IRIPrivateUse, Repair, "a private-use character outside the query of an IRI",
		"Characters of Unicode's private-use areas may stand in an IRI only behind its question mark. Elsewhere they were percent-encoded.",
		"Percent-encode them, or use characters that have a public meaning."},
	{IRIForbidden, Drop, "a control character or noncharacter in an IRI",
		"The IRI holds a character that is no part of any name: a control character such as a tab or line end, the replacement character U+FFFD that tells of text already lost, or a code point that Unicode keeps for internal use. Nobody can tell what was meant.",
		"Find out where the character comes from, and mend the IRI at its source."},
	{IRIHost, Drop, "a character in the host of an IRI that no host may hold",
		"Spaces, quotes, brackets and the like in the host of an IRI leave open which host is meant.",
		"Mend the host name."},
	{IRIAuthority, Warning, "a host or port that can't be right",
		"The part of the IRI between // and the next / is not what its scheme asks for: an http IRI without a host, a port that is not a number, brackets without an IP address in them, or a second @. The IRI is kept as it was.",
		"Mend the host or the port. Two namespaces joined by mistake (http://http://…) are a common cause."},
	{IRIPercent, Warning, "a % that is not followed by two hexadecimal digits",
		"In an IRI a % begins a percent-encoded octet. This one does not. The IRI is kept as it was, since nobody can tell whether the % or the octet was meant.",
		"Write %25 for a % that stands for itself."},
	{IRIEmpty, Warning, "an IRI that is only a scheme",
		"Nothing follows the colon of the scheme. Such an IRI is lawful, but names nothing.",
		"Leave the statement out where the value is not known."},
	{IRIBidi, Warning, "an invisible formatting character in an IRI",
		"The IRI holds a character that only turns the direction of writing. Two IRIs that differ in it look the same and are not. It is kept as it was.",
		"Remove the character; it most often came in by copying from a page or a word processor."},
}
