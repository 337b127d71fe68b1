package conformance_test

// reasons says why a test fails, by the suite and its name. A failing test without a
// reason and a reason without a failing test fail the test of the page.
var reasons = map[string]string{
	"JSON-LD 1.1 toRdf/tc029": oldMode,
	"JSON-LD 1.1 toRdf/tep02": oldMode,
	"JSON-LD 1.1 toRdf/ter21": oldMode,
	"JSON-LD 1.1 toRdf/ter42": oldMode,
	"JSON-LD 1.1 toRdf/ttn01": oldMode,
	"JSON-LD 1.1 toRdf/tdi09": direction,
	"JSON-LD 1.1 toRdf/tdi10": direction,
	"JSON-LD 1.1 toRdf/tdi11": direction,
	"JSON-LD 1.1 toRdf/tdi12": direction,
	"JSON-LD 1.1 toRdf/te077": "the test gives a context beside the document, for which there is no option",

	"N-Triples 1.2/N-Triples - Bad - literal with missing language tag":               warned,
	"N-Triples 1.2/N-Triples - Bad - literal with missing language tag and direction": warned,
	"N-Triples 1.2/N-Triples - Bad - literal with bad language tag":                   warned,

	"RDFa 1.1 in html5-invalid/0280":  blankSubject,
	"RDFa 1.1 in xhtml5-invalid/0280": blankSubject,
	"RDFa 1.1 in html4/0295":          "the expected graph takes `<span/>` for an empty element, which in HTML it is not",
	"RDFa 1.1 in html5-invalid/0295":  "the expected graph keeps dot segments, those of other hosts do not",
	"RDFa 1.1 in xhtml5-invalid/0295": "the expected graph is that of the page read as HTML, but it is XML",
	"RDFa 1.1 in svg/0295":            rulesOfHTML,
	"RDFa 1.1 in xml/0295":            rulesOfHTML,
}

const (
	warned       = "the statement is kept, with a warning: no right value is known, and others may need the wrong one"
	oldMode      = "the test asks for the processing mode of JSON-LD 1.0, which is not offered"
	direction    = "not normative: RDF 1.1 has no base direction"
	blankSubject = "the expected graph has a blank node where the page itself stands"
	rulesOfHTML  = "the expected graph follows rules of HTML, and does not heed `xml:base`"
)
