package format_test

import (
	"context"
	"strings"
	"testing"

	"laundromat/rdf/format"
)

// A guess whose first part can't be read is given up for the next that can.
func TestGuessThatFailsIsGivenUpForTheNext(t *testing.T) {
	for _, test := range []struct {
		name  string
		first format.Format
		sure  float64
		in    string
		want  format.Format
	}{
		{"Turtle taken for JSON-LD", format.JSONLD, 0.5, "[ <http://e/p> 1 ] <http://e/p> 2 .\n", format.Turtle},
		{"RDF/JSON taken for JSON-LD", format.JSONLD, 0.6, `{"http://e/s": {"http://e/p": [{"value": "o", "type": "literal"}]}}`,
			format.JSONLD},
		{"TriX taken for RDFa is nothing lost", format.RDFa, 0.5, `<TriX xmlns="http://www.w3.org/2004/03/trix/trix-1/"><graph/></TriX>`,
			format.RDFa},
		{"RDF/JSON taken for TriG", format.TriG, 0.5, `{"http://e/s": {"http://e/p": [{"value": "o", "type": "literal"}]}}`,
			format.RDFJSON},
		{"a sure guess is not tried", format.RDFXML, 0.95,
			`<TriX xmlns="http://www.w3.org/2004/03/trix/trix-1/"><graph><triple><uri>http://e/s</uri><uri>http://e/p</uri><uri>http://e/o</uri></triple></graph></TriX>`,
			format.RDFXML},
		{"what no format reads stays", format.NTriples, 0.3, "<http://e/s> <http://e/p> \"never closed .\n", format.NTriples},
	} {
		guess := format.Guessed{Format: test.first, Confidence: test.sure,
			Evidence: []format.Evidence{{From: "content", Value: string(test.first), Confidence: test.sure}}}
		got := guess.Try(context.Background(), []byte(test.in), true)
		if got.Format != test.want {
			t.Errorf("%s: %s, want %s", test.name, got.Format, test.want)
		}
		last := got.Evidence[len(got.Evidence)-1]
		if told := last.From == "trial"; told != (got.Format != test.first) || told && (!strings.Contains(last.Value, string(test.first)) ||
			got.Confidence != last.Confidence) {
			t.Errorf("%s: %+v", test.name, got)
		}
		if len(guess.Evidence) != 1 {
			t.Errorf("%s: the guess that was tried is changed", test.name)
		}
	}
}
