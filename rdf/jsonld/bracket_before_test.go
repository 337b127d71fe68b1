package jsonld_test

import (
	"strings"
	"testing"

	"laundromat/rdf/jsonld"
)

// Where two brackets close on one line and the first is gone, the column of the second says nothing. What follows
// keeps its place, the context behind the nodes above all.
func TestTheFirstOfTwoBracketsOnALineMayBeGone(t *testing.T) {
	const text = `{
  "@graph": [ {
    "@id": "http://e/1",
    "name": "one",
    "by": {
      "@id": "http://e/2",
      "of": [ {
        "@id": "http://e/3",
        "name": "three"
      }, {
        "@id": "http://e/4",
        "name": "four"
      } ]
    }
  }, {
    "@id": "http://e/5",
    "name": "five",
    "in": {
      "@id": "http://e/6",
      "name": "six"
    }
  } ],
  "@context": {
    "@vocab": "http://p/",
    "of": {
      "@type": "@id"
    }
  }
}
`
	for _, indent := range []string{" ", "  ", "    ", "\t"} {
		for _, between := range []string{"", " "} {
			laid := strings.NewReplacer("  ", indent, "} ]", "}"+between+"]").Replace(text)
			sound := read(t, laid, jsonld.Options{}).Lines()
			for _, brackets := range []string{"}" + between + "],", "}" + between + "]\n"} {
				at := strings.Index(laid, brackets)
				got := read(t, laid[:at]+laid[at+1:], jsonld.Options{})
				lines := got.Lines()
				if len(lines) < len(sound) || len(got.Notices) != 1 {
					t.Errorf("indented by %q, %q without its first bracket: %d statements of %d, %v", indent, brackets, len(lines),
						len(sound), shown(got.Notices))
				}
			}
		}
	}
}
