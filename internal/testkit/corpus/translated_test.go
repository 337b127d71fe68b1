package corpus

import (
	"bufio"
	"strings"
	"testing"
)

// TestFormatsSayWhatLinesSay writes the same lines in each format: one subject twice, a predicate that comes again,
// escapes.
func TestFormatsSayWhatLinesSay(t *testing.T) {
	lines := `<http://dbpedia.org/resource/Ba> <http://dbpedia.org/ontology/link> <http://a.example/x> .
<http://dbpedia.org/resource/Ba>	<http://dbpedia.org/ontology/link>	"a\n\"b\"\u00E9"@en	.
_:n <http://www.w3.org/2000/01/rdf-schema#label> "1"^^<http://www.w3.org/2001/XMLSchema#integer> .
`
	for format, want := range map[Format]string{
		Turtle: `dbr:Ba dbo:link <http://a.example/x> ;
    dbo:link "a\n\"b\"\u00E9"@en .
_:n rdfs:label "1"^^xsd:integer .
`,
		RDFXML: `<rdf:Description rdf:about="http://dbpedia.org/resource/Ba">
  <dbo:link rdf:resource="http://a.example/x"/>
  <dbo:link xml:lang="en">a&#xA;&#34;b&#34;é</dbo:link>
</rdf:Description>
<rdf:Description rdf:nodeID="n">
  <rdfs:label rdf:datatype="http://www.w3.org/2001/XMLSchema#integer">1</rdfs:label>
</rdf:Description>
`,
		JSONLD: `{"@id": "dbr:Ba", "dbo:link": {"@id": "http://a.example/x"}},
{"@id": "dbr:Ba", "dbo:link": {"@value": "a\n\"b\"é", "@language": "en"}},
{"@id": "_:n", "rdfs:label": {"@value": "1", "@type": "http://www.w3.org/2001/XMLSchema#integer"}}`,
	} {
		var text strings.Builder
		out := bufio.NewWriter(&text)
		translated := &translator{to: out, translation: translations[format]}
		if _, err := translated.Write([]byte(lines)); err != nil {
			t.Fatal(err)
		}
		translated.end()
		out.Flush()
		if got := text.String(); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", format, got, want)
		}
	}
}

// TestGraphsStayWithTheirStatements holds it for the formats that have graphs.
func TestGraphsStayWithTheirStatements(t *testing.T) {
	shape, err := ShapeOf("graphs")
	if err != nil {
		t.Fatal(err)
	}
	for format, begins := range map[Format]string{TriG: " {\n", JSONLD: `"@graph": {`} {
		var text strings.Builder
		if err := shape.WriteAs(&text, format, 100); err != nil {
			t.Fatal(err)
		}
		// Some statements of a graph come one after the other by chance.
		if n := strings.Count(text.String(), begins); n < 80 || n > 100 {
			t.Errorf("%s: %d graphs of 100 statements in no order", format, n)
		}
	}
}
