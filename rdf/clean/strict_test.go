package clean_test

import (
	"testing"

	"laundromat/internal/fault"
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

// The message of a repair that Strict turns into a drop says what would be done, not that it was.
func TestStrictSaysWhatWouldBeRead(t *testing.T) {
	for message, want := range map[string]string{
		"the datatype was read as xsd:date":              "the datatype would be read as xsd:date, but not with --strict",
		"marks were left out; the rest is read":          "marks would be left out; the rest would be read, but not with --strict",
		"characters that no IRI may hold were cut off":   "characters that no IRI may hold would be cut off, but not with --strict",
		"a comma is missing before this":                 "a comma is missing before this; it would be read as what it surely means, but not with --strict",
		"a version is written in single quotation marks": "a version is written in single quotation marks; it would be read as what it surely means, but not with --strict",
	} {
		for _, lost := range []int{0, 1} {
			var got []fault.Notice
			first, tally := clean.Chain(clean.Options{Strict: true}, func([]byte, int) error { return nil },
				func(n fault.Notice) { got = append(got, n) })
			first.Notice(fault.Notice{Code: fault.IRISpace, Severity: fault.Repair, Message: message})
			if q := of(iri("http://e/o")); lost > 0 {
				q.Repaired = true
				if err := first.Quad(&q); err != nil {
					t.Fatal(err)
				}
			}
			if tally.Close(); len(got) != 1 || got[0].Message != want || got[0].Lost != lost {
				t.Errorf("%q, %d lost: %+v", message, lost, got)
			}
		}
		first, _ := clean.Chain(clean.Options{}, func([]byte, int) error { return nil }, func(n fault.Notice) {
			if n.Message != message {
				t.Errorf("without strict: %q", n.Message)
			}
		})
		first.Notice(fault.Notice{Code: fault.IRISpace, Severity: fault.Repair, Message: message})
	}
}
