package clean_test

import (
	"testing"

	"laundromat/rdf"
	"laundromat/rdf/clean"
)

// What RDF knows no literal for is kept with a warning, since no right value is known. With Strict it
// is lost, alone and in a triple term.
func TestStrictDropsWhatIsNoLiteral(t *testing.T) {
	for _, c := range []struct {
		object rdf.Term
		code   string
	}{
		{text("x", rdf.LangString), "literal/no-language"},
		{text("x", rdf.DirLangString), "literal/no-language"},
		{tagged("x", "toolonglanguage"), "language/ill-formed"},
		{tagged("x", "en-toolonglanguage"), "language/ill-formed"},
	} {
		for _, q := range []rdf.Quad{of(c.object), of(nested(c.object, 1)), of(nested(c.object, 3))} {
			if w := wash(t, clean.Options{}, q, q); w.tally.Kept != 2 || w.notices[0].Lost != 0 || string(w.notices[0].Code) != c.code {
				t.Errorf("%s: %q, %s", line(q), w.lines, w.found())
			}
			w := wash(t, clean.Options{Strict: true}, q, of(iri("http://e/o")), q)
			if w.found() != "drop "+c.code+", drop "+c.code || w.tally.Dropped != 2 || w.tally.Kept != 1 || w.notices[1].Lost != 1 {
				t.Errorf("strict: %s: %q, %s, %+v", line(q), w.lines, w.found(), w.tally)
			}
		}
	}
}
