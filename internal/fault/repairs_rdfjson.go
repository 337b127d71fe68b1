package fault

// Repairs of RDF/JSON.
var rdfjsonRepairs = []Mended{
	{RDFJSONArray, "An object that is without its array is read as if it were in one.",
		"It has the members of an object, and there is one place for it.",
		[]Example{{"RDF/JSON", `{"http://e/s":{"http://e/p":{"type":"literal","value":"x"}}}`, "<http://e/s> <http://e/p> \"x\" .\n", ""}}},
	{RDFJSONType, "A type in other letters, iri, blank and typed-literal are read as uri, bnode and literal; an object with a language or a datatype and no type is a literal; a label of a blank node is one with _: and without.",
		"SPARQL and other JSON formats have these words, and each means one of the three.",
		[]Example{
			{"RDF/JSON", `{"http://e/s":{"http://e/p":[{"type":"IRI","value":"http://e/o"}]}}`,
				"<http://e/s> <http://e/p> <http://e/o> .\n", ""},
			{"RDF/JSON", `{"http://e/s":{"http://e/p":[{"lang":"en","value":"x"}]}}`, "<http://e/s> <http://e/p> \"x\"@en .\n", ""},
			{"RDF/JSON", `{"http://e/s":{"http://e/p":[{"type":"bnode","value":"x"}]}}`, "<http://e/s> <http://e/p> _:x .\n", ""},
		}},
	{RDFJSONValue, "A number, true or false beside a datatype is read as the string that is written.",
		"The datatype says what the string means.",
		[]Example{{"RDF/JSON",
			`{"http://e/s":{"http://e/p":[{"type":"literal","value":5,"datatype":"http://www.w3.org/2001/XMLSchema#integer"}]}}`,
			"<http://e/s> <http://e/p> \"5\"^^<http://www.w3.org/2001/XMLSchema#integer> .\n", ""}}},
	{RDFJSONMember, "An empty lang or datatype, or null, is read as if it were not there.",
		"Programs write nothing, or null, for what they do not have.",
		[]Example{{"RDF/JSON", `{"http://e/s":{"http://e/p":[{"type":"literal","value":"x","lang":""}]}}`,
			"<http://e/s> <http://e/p> \"x\" .\n", ""}}},
}
