package conformance_test

// reasons says why a test fails, by the suite and its name. A failing test without a
// reason and a reason without a failing test fail the test of the page.
var reasons = map[string]string{
	"RDFa 1.1 in html4/0295":          "the expected graph takes `<div/>` for an empty element, which in HTML it is not",
	"RDFa 1.1 in html5-invalid/0295":  "the expected graph keeps dot segments, those of other hosts do not",
	"RDFa 1.1 in xhtml5-invalid/0295": "the expected graph is that of the page read as HTML, but it is XML",
	"RDFa 1.1 in svg/0295":            rulesOfHTML,
	"RDFa 1.1 in xml/0295":            rulesOfHTML,
}

const (
	rulesOfHTML = "the expected graph follows rules of HTML for elements that are none, and does not heed `xml:base`, which 0202 and 0203 demand"
)
