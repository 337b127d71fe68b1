package fault

// Repairs of the syntax of N-Triples, N-Quads, Turtle and TriG.
var turtleRepairs = []Mended{
	{SyntaxMissingDot, "The dot is put at the end of a statement or directive.",
		"What follows on the next line, or behind a semicolon in its place, begins a new statement, and could not go on the old one.",
		[]Example{
			{"N-Triples", "<http://e/s> <http://e/p> <http://e/o>\n<http://e/s> <http://e/p> <http://e/q> .\n",
				"<http://e/s> <http://e/p> <http://e/o> .\n<http://e/s> <http://e/p> <http://e/q> .\n",
				"<http://e/s> <http://e/p> <http://e/q> .\n"},
			{"Turtle", "@prefix e: <http://e/> .\ne:s e:p e:o\ne:s e:p e:q .\n",
				"<http://e/s> <http://e/p> <http://e/o> .\n<http://e/s> <http://e/p> <http://e/q> .\n",
				"<http://e/s> <http://e/p> <http://e/q> .\n"},
			{"Turtle", "@prefix e: <http://e/> .\ne:s e:p e:o ;\ne:t a e:C .\n",
				"<http://e/s> <http://e/p> <http://e/o> .\n<http://e/t> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://e/C> .\n",
				"<http://e/s> <http://e/p> <http://e/o> .\n"},
		}},
	{SyntaxStray, "A dot, comma, semicolon or brace that opens, ends or divides nothing is ignored, and the last closing brace of a " +
		"document is supplied.",
		"No statement depends on it: with the sign and without, the document says the same.",
		[]Example{
			{"Turtle", "<http://e/s> <http://e/p> <http://e/o> . .\n", "<http://e/s> <http://e/p> <http://e/o> .\n",
				"<http://e/s> <http://e/p> <http://e/o> .\n"},
			{"TriG", "<http://e/g> { <http://e/s> <http://e/p> <http://e/o> .\n", "<http://e/s> <http://e/p> <http://e/o> <http://e/g> .\n",
				"<http://e/s> <http://e/p> <http://e/o> <http://e/g> .\n"},
		}},
	{SyntaxUnseen, "A byte order mark or a space without width before a word or sign is ignored, and so are a no-break space and other " +
		"spaces that the format does not know.",
		"It stands for nothing, and comes from files that were put together or from copied text.",
		[]Example{
			{"N-Triples", "<http://e/s> <http://e/p> <http://e/o> .\n\uFEFF<http://e/s> <http://e/p> <http://e/q> .\n",
				"<http://e/s> <http://e/p> <http://e/o> .\n<http://e/s> <http://e/p> <http://e/q> .\n",
				"<http://e/s> <http://e/p> <http://e/o> .\n<http://e/s> <http://e/p> <http://e/q> .\n"},
			{"Turtle", "@prefix e: <http://e/> .\n\u200Be:s e:p e:o .\n", "<http://e/s> <http://e/p> <http://e/o> .\n",
				"<http://e/s> <http://e/p> <http://e/o> .\n"},
			{"JSON-LD", "{\"@id\":\"http://e/s\",\n\u00A0\u00A0\"http://e/p\":\"x\"}", "<http://e/s> <http://e/p> \"x\" .\n",
				"<http://e/s> <http://e/p> \"x\" .\n"},
		}},
	{SyntaxZeroBytes, "Zero bytes between words or lines are passed over, as white space is; but 512 or more within a statement cost that.",
		"They stand for nothing: no format gives them a meaning, and between whole statements nothing that was written depends on them.",
		[]Example{
			{"N-Triples", "<http://e/s> <http://e/p> <http://e/o> .\n\x00\x00\x00<http://e/s> <http://e/p> <http://e/q> .\n",
				"<http://e/s> <http://e/p> <http://e/o> .\n<http://e/s> <http://e/p> <http://e/q> .\n",
				"<http://e/s> <http://e/p> <http://e/o> .\n<http://e/s> <http://e/p> <http://e/q> .\n"},
			{"Turtle", "@prefix e: <http://e/> .\n\x00\x00e:s e:p e:o .\n", "<http://e/s> <http://e/p> <http://e/o> .\n",
				"<http://e/s> <http://e/p> <http://e/o> .\n"},
		}},
	{SyntaxDirective, "A directive in another form than the grammar's is obeyed, and @charset is left out.",
		"Capital letters, a dot too many, a semicolon for the dot, a forgotten colon or the wrong quotation marks leave no doubt of what " +
			"is declared. @charset is a directive of style sheets, which declares nothing here but the encoding.",
		[]Example{
			{"Turtle", "@PREFIX e: <http://e/> .\ne:s e:p e:o .\n", "<http://e/s> <http://e/p> <http://e/o> .\n", ""},
			{"Turtle", "PREFIX e: <http://e/> .\ne:s e:p e:o .\n", "<http://e/s> <http://e/p> <http://e/o> .\n",
				"<http://e/s> <http://e/p> <http://e/o> .\n"},
			{"Turtle", "@prefix e <http://e/> .\ne:s e:p e:o .\n", "<http://e/s> <http://e/p> <http://e/o> .\n", ""},
		}},
	{SyntaxUndeclaredPrefix, "A prefix of the RDFa initial context that is not declared is read as its namespace there, but for those " +
		"that people declare for two vocabularies: cc, cnt, dc, duv, ical, og, sd, ssn, v and vcard.",
		"Names such as foaf or skos stand for one vocabulary everywhere, and the W3C keeps the list.",
		[]Example{
			{"Turtle", "<http://e/s> foaf:name \"x\" .\n", "<http://e/s> <http://xmlns.com/foaf/0.1/name> \"x\" .\n", ""},
			{"RDF/XML", rdfHead + "<rdf:Description rdf:about=\"s\"><foaf:name>x</foaf:name></rdf:Description></rdf:RDF>\n",
				"<http://e/s> <http://xmlns.com/foaf/0.1/name> \"x\" .\n", ""},
		}},
	{SyntaxEscape, "A backslash that begins no escape is kept as a backslash; before a slash it is left out.",
		"It is a character of the value: paths, regular expressions and formulas are written with it. Before a slash it is JSON's " +
			"escape, which stands for the slash alone.",
		[]Example{
			{"Turtle", `<http://e/s> <http://e/p> "C:\data" .` + "\n", `<http://e/s> <http://e/p> "C:\\data" .` + "\n", ""},
			{"Turtle", `<http://e/s> <http://e/p> "http:\/\/e\/a" .` + "\n", `<http://e/s> <http://e/p> "http://e/a" .` + "\n", ""},
			{"Turtle", `<http://e/s> <http://e/p> <http:\/\/e\/a> .` + "\n", `<http://e/s> <http://e/p> <http://e/a> .` + "\n", ""},
		}},
	{SyntaxSurrogates, "Two numeric escapes that are the halves of a surrogate pair are read as its character.",
		"Halves of a pair name no character alone; together, they are how JSON and Java write this one.",
		[]Example{{"N-Triples", `<http://e/s> <http://e/p> "\uD83D\uDE00" .` + "\n", "<http://e/s> <http://e/p> \"😀\" .\n", ""}}},
	{SyntaxBareIRI, "An IRI without < and > is read.",
		"No name may be followed by //, and white space ends the IRI.",
		[]Example{
			{"Turtle", "http://e/s <http://e/p> 1 .\n", "<http://e/s> <http://e/p> \"1\"^^<http://www.w3.org/2001/XMLSchema#integer> .\n",
				""},
		}},
	{SyntaxGraphInTriples, "A graph in a format without graphs is kept, as N-Quads or TriG have it.",
		"The statement is whole and well-formed but for the name of the format.",
		[]Example{
			{"N-Triples", "<http://e/s> <http://e/p> <http://e/o> <http://e/g> .\n",
				"<http://e/s> <http://e/p> <http://e/o> <http://e/g> .\n", ""},
			{"Turtle", "<http://e/g> { <http://e/s> <http://e/p> <http://e/o> }\n",
				"<http://e/s> <http://e/p> <http://e/o> <http://e/g> .\n", ""},
		}},
	{SyntaxTurtleInLine, "A number, true, false, the keyword a, a name with a declared prefix or a string in other quotation marks is " +
		"read in N-Triples and N-Quads as Turtle reads it, and directives are obeyed.",
		"The line formats know none of these, and Turtle, of which they are a part, gives each one meaning.",
		[]Example{{"N-Triples", "<http://e/s> <http://e/p> 5 .\n",
			"<http://e/s> <http://e/p> \"5\"^^<http://www.w3.org/2001/XMLSchema#integer> .\n", ""}}},
	{SyntaxSharedLine, "A second statement on one line is read.",
		"The dot before it ends the first one, and it is whole in itself.",
		[]Example{{"N-Triples", "<http://e/s> <http://e/p> <http://e/o> . <http://e/s> <http://e/p> <http://e/q> .\n",
			"<http://e/s> <http://e/p> <http://e/o> .\n<http://e/s> <http://e/p> <http://e/q> .\n",
			"<http://e/s> <http://e/p> <http://e/o> .\n"}}},
	{IRIRelativeInLine, "A relative IRI in N-Triples, N-Quads or TriX is resolved against the place of the document.",
		"That is what a relative IRI means in every format that has them.",
		[]Example{
			{"N-Triples", "<s> <http://e/p> <http://e/o> .\n", "<http://e/s> <http://e/p> <http://e/o> .\n", ""},
			{"TriX", "<TriX xmlns=\"http://www.w3.org/2004/03/trix/trix-1/\"><graph><triple><uri>s</uri><uri>http://e/p</uri><uri>http://e/o</uri></triple></graph></TriX>",
				"<http://e/s> <http://e/p> <http://e/o> .\n", ""},
		}},
	{LanguageDirection, "The direction in a language tag is read in small letters.",
		"There are two directions, ltr and rtl, and capital letters name no other.",
		[]Example{{"Turtle", "<http://e/s> <http://e/p> \"x\"@en--LTR .\n", "<http://e/s> <http://e/p> \"x\"@en--ltr .\n", ""}}},
	{BlankNodeLabel, "A blank node's label with characters that it can't hold is encoded: percent-encoded in an IRI; as a label 0-x and " +
		"the hexadecimal digits of its bytes.",
		"A label only tells nodes of one document apart, and no two labels become the same.",
		[]Example{{"Turtle", "_:a/b <http://e/p> \"x\" .\n", "_:0-x612f62 <http://e/p> \"x\" .\n", ""}}},
}

// rdfHead begins the examples in RDF/XML.
const rdfHead = "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns:e=\"http://e/\">\n"
