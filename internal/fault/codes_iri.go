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
	IRITwo        Code = "iri/two-iris"
	IRIHost       Code = "iri/host"
	IRIAuthority  Code = "iri/authority"
	IRIPercent    Code = "iri/percent-encoding"
	IRIEmpty      Code = "iri/empty"
	IRIBidi       Code = "iri/bidi"

	IRINoReference  Code = "iri/no-reference"
	IRIUnlikely     Code = "iri/unlikely-reference"
	IRINamespaceEnd Code = "iri/namespace-end"

	IRIScheme         Code = "iri/unregistered-scheme"
	IRIPrefix         Code = "iri/unresolved-prefix"
	IRIWindowsPath    Code = "iri/windows-path"
	IRISchemeSyntax   Code = "iri/scheme-syntax"
	IRICase           Code = "iri/case"
	IRIPort           Code = "iri/port"
	IRIDotSegment     Code = "iri/dot-segment"
	IRIPassword       Code = "iri/password"
	IRIPercentForm    Code = "iri/percent-form"
	IRIPercentControl Code = "iri/percent-control"
	IRIPercentTwice   Code = "iri/percent-twice"
	IRIPercentOctets  Code = "iri/percent-octets"
	IRINotNFC         Code = "iri/not-nfc"
	IRIBlank          Code = "iri/white-space"
	IRIHostName       Code = "iri/host-name"
)

var iriCodes = []Info{
	{IRIRelative, Warning, "a relative IRI, and no base but the file's own place",
		"The document uses a relative IRI, but neither it nor the place it came from names a base. The IRI was resolved against the place of the file on the machine that washes, so it means something else on every machine. It is reported once per document.",
		"Name the base in the document (@base, xml:base, @context), or write absolute IRIs. Whoever washes it can give --base."},
	{IRINoBase, Drop, "a relative IRI, and nothing to resolve it against",
		"A statement holds an IRI without a scheme such as http:, or an empty one. Clean data has absolute IRIs only, and no base was known that would make this one absolute.",
		"Write the whole IRI with its scheme, or name the base of the document."},
	{IRINoReference, Warning, "text that is neither an IRI nor a relative reference",
		"The text in the place of an IRI has a colon in its first segment, and no scheme before it: a prefix that no scheme can be called (ex_1:name, 1a:b), a function call around an address (url(http://…)), quotation marks within the brackets. RFC 3986 knows no such reference. Formats that have relative references say how to resolve it all the same, so it was resolved, and names something that nobody meant. In N-Triples and N-Quads, which have none, and where no base is known, it costs the statement.",
		"Write the IRI that is meant; of a name with a prefix, without the angle brackets, where the prefix is declared."},
	{IRIUnlikely, Warning, "a relative IRI that is hardly meant as one",
		"A web address without its scheme (www.example.org, example.org/a), or without the colon after it (http//example.org), a mail address without mailto:, or a word that programs write for a missing value (null, undefined, None, N/A) is in the place of an IRI. As written, it is a relative IRI: a name in the folder of the document. The statement is kept as it was.",
		"Write http://, https:// or mailto: before the address. Leave the statement out where the value is not known."},
	{IRINamespaceEnd, Warning, "a namespace that ends with its host, so that names run into it",
		"A prefix or vocabulary is a web address without a slash or # at its end, such as http://example.org, and a name was put right after it: http://example.orgPerson, which names another host. It is reported once per document for each such namespace, at the first name that is made with it. The statements are kept as they were.",
		"End the namespace with / or #."},
	{IRISpace, Repair, "a space in an IRI",
		"An IRI can't hold spaces. Each was written as %20, which is what browsers send. In the scheme of an IRI, before ://, it costs the statement.",
		"Write %20 for a space, or choose names without spaces."},
	{IRITrimmed, Repair, "white space around an IRI",
		"There were spaces, tabs or line ends before or after the IRI; they were cut off. So were other spaces of Unicode, and marks that can't be seen, before its scheme, where no IRI can have them.",
		"Trim the values that IRIs are made from."},
	{IRICharacter, Repair, "a character that no IRI may hold",
		"One of the characters < > \" { } | \\ ^ ` is in an IRI as it is. It was percent-encoded.",
		"Percent-encode the values that IRIs are made from. Braces are often the rest of a template that was never filled in."},
	{IRIBracket, Repair, "a square bracket outside the host of an IRI",
		"Square brackets may occur in an IRI only around an IP address in its host. Elsewhere they were percent-encoded, as %5B and %5D.",
		"Write %5B for [ and %5D for ]."},
	{IRIFragment, Repair, "a second # in an IRI",
		"The first # of an IRI begins its fragment, and a fragment can't hold another. Each further one was written as %23.",
		"Write %23 for a # that is part of the fragment, or mend the namespace that ends with # once too often."},
	{IRIPrivateUse, Repair, "a private-use character outside the query of an IRI",
		"Characters of Unicode's private-use areas may occur in an IRI only after its question mark. Elsewhere they were percent-encoded.",
		"Percent-encode them, or use characters that have a public meaning."},
	{IRIForbidden, Drop, "a control character or noncharacter in an IRI",
		"The IRI holds a character that isn't a part of any name: a control character such as a tab or line end, the replacement character U+FFFD, a sign of text already lost, or a code point that Unicode keeps for internal use. Its meaning is unknown.",
		"Find out where the character comes from, and mend the IRI at its source."},
	{IRITwo, Drop, "two IRIs in the place of one",
		"Two whole IRIs are in the place of one, with a space, a comma, a bar, a word or a line end between them. Which is meant is not plain, or whether both are; one IRI with the other one in it is certainly not.",
		"Write a statement for each IRI."},
	{IRIHost, Drop, "a character in the host of an IRI that no host may hold",
		"Spaces, quotes, brackets and the like in the host of an IRI leave open which host is meant. Square brackets belong around an IPv6 address only.",
		"Mend the host name."},
	{IRIAuthority, Warning, "a host or port that can't be right",
		"The part of the IRI between // and the next / is not what its scheme asks for: an http IRI without a host, a port that isn't a number up to 65535, a second @, a label of the host that is empty, longer than 63 characters or ends with a hyphen, a number where an IPv4 address must be, or another http: in the place of the host. The IRI is kept as it was.",
		"Mend the host or the port. Two namespaces joined by mistake (http://http://…) are a common cause."},
	{IRIPercent, Warning, "a % that is not followed by two hexadecimal digits",
		"In an IRI a % begins a percent-encoded octet. This one does not. The IRI is kept as it was, since it is unknown whether the % or the octet was meant.",
		"Write %25 for a % that stands for itself."},
	{IRIEmpty, Warning, "an IRI that is only a scheme",
		"Nothing follows the colon of the scheme. Such an IRI is lawful, but names nothing.",
		"Leave the statement out where the value is not known."},
	{IRIBidi, Warning, "an invisible formatting character in an IRI",
		"The IRI holds a character that only turns the direction of writing. Two IRIs that differ in it look the same and are not. It is kept as it was.",
		"Remove the character; it most often came in by copying from a page or a word processor."},
	{IRIScheme, Warning, "an IRI with a scheme that is not registered",
		"The scheme before the first colon isn't in the list of IANA (of 2024). It may be a scheme of somebody's own, a misspelt one (htp:), or a prefix that was never replaced by its namespace (dbo:Person). The IRI is kept as it was.",
		"Declare the prefix, or mend the scheme. For names of your own take an http or https IRI under a domain that is yours, or urn:uuid: or tag:."},
	{IRIPrefix, Warning, "an IRI that begins with a prefix",
		"The part before the first colon isn't a scheme but a well-known prefix, as in foaf:name, written where a whole IRI belongs. The IRI is kept as it was, and means nothing to anyone.",
		"Write the whole IRI, or leave the angle brackets away and declare the prefix."},
	{IRIWindowsPath, Warning, "a path of a Windows machine as an IRI",
		"The IRI is a path such as C:\\data\\file, or a file: IRI made of one in a wrong way. It names nothing outside the machine it was made on.",
		"Give the thing an IRI under a domain of yours. A file of this machine is written file:///C:/data/file."},
	{IRISchemeSyntax, Warning, "an IRI that is not built as its scheme asks",
		"Each scheme has rules of its own: urn: needs the name of a namespace and a name in it (urn:isbn:…), urn:uuid: five groups of hexadecimal digits, mailto: an address, file: a path from the root. The IRI is kept as it was.",
		"Mend the IRI by the rules of its scheme."},
	{IRICase, Warning, "capital letters in the scheme or host of an IRI",
		"Scheme and host are the same in small and capital letters for those who fetch, but RDF compares IRIs letter by letter, so that HTTP://Example.org/ and http://example.org/ are two things. The IRI is kept as it was.",
		"Write scheme and host in small letters."},
	{IRIPort, Warning, "a needless port in an IRI",
		"The port is empty, begins with 0, or is the one that the scheme has anyway (http://example.org:80/). RDF compares IRIs letter by letter, so that this is another thing than the IRI without it. The IRI is kept as it was.",
		"Leave the port and its colon out, or write its number without zeros before it."},
	{IRIDotSegment, Warning, "a segment . or .. in the path of an IRI",
		"Programs that resolve IRIs take such segments out, and others leave them in, so that the same IRI becomes two. It most often comes from joining a base and a path as text. The IRI is kept as it was.",
		"Resolve the path before you write the IRI."},
	{IRIPassword, Warning, "a password in an IRI",
		"Before the host are a name and a password. Everybody who reads the data can read them; RFC 3986 advises against it. The IRI is kept as it was.",
		"Take name and password out, and change the password."},
	{IRIPercentForm, Warning, "percent-encoding that is not in its normal form",
		"Letters, digits, - . _ ~ need no percent-encoding, hexadecimal digits are written in capital letters, and hosts take other characters as they are. RDF compares IRIs letter by letter, so that %7E and ~, or %c3 and %C3, make two things of one. The IRI is kept as it was.",
		"Encode only what must be, with capital letters: %C3%A9."},
	{IRIPercentControl, Warning, "a percent-encoded control character or final space in an IRI",
		"The IRI holds an octet such as %00, %09 or %0A, or ends with %20. It is lawful, but most often the rest of a line end or of a value that was not trimmed. The IRI is kept as it was.",
		"Trim the values that IRIs are made from."},
	{IRIPercentTwice, Warning, "an IRI that was percent-encoded twice",
		"The percent signs of an encoded space or character are encoded again (%2520, %25C3%25A9). Servers decode once, and look for something else. The IRI is kept as it was.",
		"Encode each value once: %20, %C3%A9."},
	{IRINotNFC, Warning, "an IRI that is not in Unicode's normal form C",
		"A letter and its accent are written as two characters where one exists, or the like. Two such IRIs look the same and are not. RFC 3987 asks for normal form C. The IRI is kept as it was.",
		"Normalise names to NFC before IRIs are made from them."},
	{IRIPercentOctets, Warning, "percent-encoded octets that are not UTF-8",
		"The encoded bytes aren't text in UTF-8, such as %E9 alone, which is é in an older encoding. RFC 3987 has every percent-encoding of a letter stand for its UTF-8, so that programs show this IRI wrongly or not at all, and the same name encoded as UTF-8 is another thing. It isn't reported for data: IRIs. The IRI is kept as it was.",
		"Encode names as UTF-8: %C3%A9, or write é as it is."},
	{IRIBlank, Warning, "white space or an invisible character in an IRI",
		"The IRI holds a no-break space (U+00A0), another space of Unicode, a soft hyphen, or a character without width (U+200B, U+2060, U+FEFF). RFC 3987 allows them, and hardly anyone means them: two IRIs that differ in one look the same and are not. The IRI is kept as it was.",
		"Remove the character, or write %20 if a space is meant; it most often came in by copying from a page or a word processor."},
	{IRIHostName, Warning, "a host that isn't an internationalised domain name",
		"The host has characters outside ASCII, or a label that begins with xn-- and so encodes such, and by IDNA (Unicode's UTS 46) no name can be written so: it holds symbols that names can't have, mixes directions of writing, is too long when encoded, or its xn-- label decodes to nothing. It is reported too where the name would be looked up in other letters, as with Ü for ü or an ideographic full stop: RDF compares IRIs letter by letter. The IRI is kept as it was.",
		"Write the host as a browser shows it, in small letters, or in its xn-- form."},
}
