package format_test

import (
	"testing"

	"laundromat/rdf/format"
)

// JSON-LD whose names stand in apostrophes, or in no quotation marks, is recognised by its keywords. What only looks
// like it is not.
func TestNamesOfJSONLDMayLackQuotationMarks(t *testing.T) {
	for in, want := range map[string]format.Format{
		`{'@context': {'@vocab': 'http://e/'}, '@id': 'http://e/a', 'p': 'o'}`:            format.JSONLD,
		"[{'@id': 'http://e/a',\n  '@type': ['http://e/T']}]":                             format.JSONLD,
		`{@context: {@vocab: "http://e/"}, @id: "http://e/a"}`:                            format.JSONLD,
		"{\n  @graph: [\n    { @id: \"http://e/a\", @type: \"http://e/T\" }\n  ]\n}":      format.JSONLD,
		"{'id': 'http://e/a', 'type': 'T'}":                                               "",
		"{ <http://e/s> <http://e/p> '@id' , '@type' }":                                   format.TriG,
		"[ <http://e/p> 'x'@id ; <http://e/q> \"y\"@type ] .":                             format.Turtle,
		"{ :s :p \"a @id: b\", \"c @type: d\" . }\n@prefix : <http://e/> .\n:s :p :o .\n": format.TriG,
	} {
		if g := format.Guess([]byte(in), true, "", ""); g.Format != want {
			t.Errorf("%s\nis taken for %q, not %q", in, g.Format, want)
		}
	}
}
