package peers_test

import (
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write docs/peers.md")

const page = "../../docs/peers.md"

// differences are the documents on which a peer says something else than ours, and
// who is right by what. A pattern matches the whole name of a document.
var differences = []struct{ peer, pattern, why string }{
	{"knakk", "turtle/turtle-syntax-(number-(0[1-9]|1[01])|datatypes-0[12]|kw-0[12])|turtle/turtle-subm-27",
		"ours, RFC 3986 §5.2.3: a relative path replaces the last segment of the base; knakk appends it"},
	{"knakk", "turtle/IRI-resolution-0[1278]",
		"ours, RFC 3986 §5.2: knakk joins base and reference as strings"},
	{"knakk", "rdfxml/rdfms-reification-required-test002",
		"ours, RDF/XML §7.2.15: knakk makes a blank node of the node below a property with rdf:ID, though it has rdf:about"},
	{"knakk", "rdfxml/rdfms-seq-representation-test002",
		"ours, RDF/XML §7.2.19 and §7.3: knakk does not reify a statement whose object is a collection"},
	{"knakk", "rdfxml/xml-canon-test002",
		"ours, RDF/XML §7.2.17 and §7.3: knakk does not reify a statement whose object is an XML literal"},
	{"knakk", "rdfxml/xmlbase-test014",
		"ours, RDF/XML §5.3: behind an element with an xml:base of its own, knakk has lost the base of the document"},
	{"knakk", "relative/.*",
		"ours, RFC 3986 §5.2: knakk joins base and reference as strings"},
	{"serdi", "turtle/IRI-resolution-0[1278]|trig/IRI-resolution-0[1278]",
		"ours, RFC 3986 §5.2.4: serdi leaves dot segments that follow a name"},
	{"serdi", "turtle/turtle-syntax-number-08|trig/trig-syntax-number-08",
		"ours, Turtle §2.5.2: serdi makes a string of an integer that a dot follows"},
	{"serdi", "absolute/175",
		"ours, Turtle §6.4: serdi leaves a numeric escape alone that follows a quote in a long string"},
	{"rapper", "ntriples/literal_(all_controls|ascii_boundaries)|nquads/literal_(all_controls|ascii_boundaries)|" +
		"turtle/LITERAL(1|2|_LONG1|_LONG2)_(ascii_boundaries|all_controls)|trig/LITERAL(1|2|_LONG1|_LONG2)_(ascii_boundaries|all_controls)",
		"ours, RDF 1.1 Concepts §3.3: a literal may hold U+0000; rapper cuts it there"},
	{"rapper", "turtle/IRI-resolution-08|trig/IRI-resolution-08",
		"ours, RFC 3986 §5.2.4: rapper takes an empty segment together with the one before it"},
	{"rapper", "rdfxml/rdfms-xmllang-test006",
		"ours, RDF/XML §7.2.11: rapper does not give xml:lang to the property attributes of the same element"},
	{"rdflib", "turtle/IRI-resolution-0[1278]|trig/IRI-resolution-0[1278]",
		"ours, RFC 3986 §5.2: rdflib leaves dot segments, and appends a query alone to the folder of the base"},
	{"rapper", "markup/(11|72)",
		"ours, XML 1.0 §3.3.3: a tab or line end that is written as a reference stays in an attribute; rapper makes a space of it"},
	{"rdflib", "lines/(4|7|39|84|175)|quads/(39|56|77)",
		"ours, N-Triples §2.4: rdflib takes the escapes of a string twice, so that \\\\u0041 becomes A"},
}

// explained is the row for a document on which a peer differs; -1 if there is none.
func explained(peer, name string) int {
	for i, d := range differences {
		if d.peer == peer && regexp.MustCompile("^(?:"+d.pattern+")$").MatchString(name) {
			return i
		}
	}
	return -1
}

// TestPageOfDifferencesIsUpToDate writes or compares docs/peers.md.
func TestPageOfDifferencesIsUpToDate(t *testing.T) {
	var b strings.Builder
	b.WriteString(`# Where other programs read something else

This page is written by a test. It compares what the readers make of a document with what other programs make of it: the
library knakk/rdf, and serdi, rapper and rdflib where they are installed. The documents are
those of the W3C's suites for RDF 1.1, of N-Triples, N-Quads, Turtle, TriG and RDF/XML, and 700
generated ones in these formats. Any difference that this table does not name fails a test,
and so does a row that no longer holds. A document that a program refuses says nothing.

    go -C bench test -v ./peers                                              # how many agree, differ, are refused
    go -C bench test ./peers -run TestPageOfDifferencesIsUpToDate -update    # writes this page

Numbers are compared by their text, with rdflib by their value, since it writes them in its own form. The
names are those of the suites' tests, as patterns; "lines" are generated N-Triples, "quads" N-Quads, "graphs" TriG, "markup"
RDF/XML, "absolute" and "relative" Turtle, without and with relative IRIs.

| program | documents | who is right, and why |
|---|---|---|
`)
	for _, d := range differences {
		patterns := strings.NewReplacer("|", "\\|").Replace(d.pattern)
		b.WriteString("| " + d.peer + " | `" + patterns + "` | " + d.why + " |\n")
	}
	if *update {
		if err := os.WriteFile(page, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(page); err != nil || string(got) != b.String() {
		t.Errorf("%s is not what the table says: go -C bench test ./peers -run TestPageOfDifferencesIsUpToDate -update (%v)", page, err)
	}
}
