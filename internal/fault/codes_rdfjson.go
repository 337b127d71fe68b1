package fault

// Codes of what RDF/JSON makes of JSON.
const (
	RDFJSONShape    Code = "syntax/rdfjson-shape"
	RDFJSONArray    Code = "syntax/rdfjson-array"
	RDFJSONTerm     Code = "syntax/rdfjson-term"
	RDFJSONType     Code = "syntax/rdfjson-type"
	RDFJSONValue    Code = "syntax/rdfjson-value"
	RDFJSONMember   Code = "syntax/rdfjson-member"
	RDFJSONLostPart Code = "syntax/rdfjson-lost-part"
)

var rdfjsonCodes = []Info{
	{RDFJSONShape, Drop, "a value of RDF/JSON that has another shape",
		"In RDF/JSON the value of a subject is an object whose names are predicates, and that of a predicate an array of objects. Any " +
			"other value means nothing, and is lost.",
		"Write {\"subject\": {\"predicate\": [{\"type\": \"literal\", \"value\": \"x\"}]}}."},
	{RDFJSONArray, Repair, "an object of RDF/JSON without its array",
		"The value of a predicate is an array, also of a single object. The object was read as if it were in one.",
		"Put the object into brackets."},
	{RDFJSONTerm, Drop, "an object of RDF/JSON that says no term",
		"An object lacks its value or its type, has a type other than uri, bnode and literal, has both a language and a datatype, or a " +
			"label that no blank node can have. Its statement is lost. If it is the name of a subject or predicate, each statement that " +
			"it costs is reported separately.",
		"Give each object a type, a value and, of a literal, a lang or a datatype, all of them strings."},
	{RDFJSONType, Repair, "a type of RDF/JSON in other words",
		"The type is written in other letters, is called iri or typed-literal, does not fit the label of a blank node, or is left out " +
			"where lang or datatype say that it is a literal. It was read as what is meant.",
		"Write uri, bnode or literal, and _: before the label of a blank node."},
	{RDFJSONValue, Repair, "a value of RDF/JSON that isn't a string",
		"The value of a literal is a number, true or false of JSON. Since its datatype is beside it, it was read as the string that is " +
			"written.",
		"Write the value in quotation marks."},
	{RDFJSONMember, Warning, "a member of RDF/JSON that says nothing",
		"An object has a member that RDF/JSON does not know, or a lang or datatype that is empty or does not belong to its type. It was " +
			"skipped.",
		"Remove the member."},
	{RDFJSONLostPart, Drop, "a statement of RDF/JSON that lacks a part lost before",
		"The name of the subject or predicate was lost by a fault that has a notice of its own. Each statement that it costs is reported " +
			"by one of these.",
		"Mend the fault reported before."},
}
