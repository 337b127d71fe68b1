package clean_test

import (
	"slices"
	"strings"
	"testing"

	"laundromat/rdf"
	"laundromat/rdf/clean"
	"laundromat/rdf/rdftest"
	"laundromat/rdf/ttl"
)

// nested wraps object in n triple terms.
func nested(object rdf.Term, n int) rdf.Term {
	for range n {
		object = rdf.Term{Kind: rdf.TripleTerm, Triple: &rdf.Triple{Subject: iri("http://e/s"), Predicate: iri("http://e/p"),
			Object: object}}
	}
	return object
}

func TestFaultsInTripleTermsAreThoseOfTheStatement(t *testing.T) {
	for _, depth := range []int{1, 2, 5} {
		wrap := func(s string) string {
			return strings.Repeat("<<( <http://e/s> <http://e/p> ", depth) + s + strings.Repeat(" )>>", depth)
		}
		for _, c := range examples {
			w := wash(t, clean.Options{ReadStray: rdftest.ReadLatin}, of(nested(c.object, depth)))
			if len(w.lines) != 1 || object(w.lines[0]) != wrap(c.want) || w.found() != "repair "+string(c.code) || w.tally.Repaired != 1 {
				t.Errorf("%s in %d triple terms: got %q, %s, %+v", c.code, depth, w.lines, w.found(), w.tally)
			}
			w = wash(t, clean.Options{Strict: true, ReadStray: rdftest.ReadLatin}, of(nested(c.object, depth)))
			if len(w.lines) != 0 || w.found() != "drop "+string(c.code) || w.tally.Dropped != 1 || w.tally.Read != 1 {
				t.Errorf("%s in %d triple terms, strict: got %q, %s, %+v", c.code, depth, w.lines, w.found(), w.tally)
			}
		}
		for _, c := range []struct {
			object      rdf.Term
			want, found string
		}{
			{text("01", rdf.XSD+"integer"), `"1"^^<http://www.w3.org/2001/XMLSchema#integer>`, "note literal/non-canonical"},
			{tagged("x", "EN"), `"x"@en`, "note language/case"},
			{rdf.Term{Kind: rdf.Literal, Value: []byte("x"), Language: []byte("AR"), Direction: rdf.RightToLeft}, `"x"@ar--rtl`,
				"note language/case"},
			{text("x", rdf.DirLangString), `"x"^^<` + rdf.DirLangString + `>`, "warning literal/no-language"},
		} {
			w := wash(t, clean.Options{}, of(nested(c.object, depth)))
			if len(w.lines) != 1 || object(w.lines[0]) != wrap(c.want) || w.found() != c.found || w.tally.Kept != 1 {
				t.Errorf("%s in %d triple terms: got %q, %s, %+v", c.want, depth, w.lines, w.found(), w.tally)
			}
		}
	}
}

func TestAFaultInATripleTermCostsOneStatement(t *testing.T) {
	bad := nested(iri("relative"), 2)
	bad.Triple.Subject = iri("http://e/a b")
	q := quad(iri("also relative"), iri("http://e/p"), bad)
	w := wash(t, clean.Options{}, q, of(iri("http://e/o")))
	if w.found() != "drop iri/no-base, drop iri/space, drop iri/no-base" || w.tally.Dropped != 1 || w.tally.Kept != 1 || w.tally.Read != 2 {
		t.Errorf("%s, %+v", w.found(), w.tally)
	}
	w = wash(t, clean.Options{}, quad(nested(iri("http://e/o"), 1), iri("http://e/p"), iri("http://e/o")),
		quad(iri("http://e/s"), iri("http://e/p"), iri("http://e/o"), nested(iri("http://e/o"), 1)))
	if w.found() != "drop syntax/misplaced-term, drop syntax/misplaced-term" || w.tally.Dropped != 2 {
		t.Errorf("%s, %+v", w.found(), w.tally)
	}
}

func TestBlankNodesInTripleTermsAreRenamedAsOthers(t *testing.T) {
	const doc = "_:a <http://e/p> <<( _:a <http://e/p> <<( _:b <http://e/p> _:0-1 )>> )>> _:g .\n_:a <http://e/p> _:b ."
	w := washText(t, ttl.NQuads, clean.Options{}, doc)
	const at = "<https://lodlaundromat.org/.well-known/genid/" + key + "/"
	want := []string{
		at + "a> <http://e/p> <<( " + at + "a> <http://e/p> <<( " + at + "b> <http://e/p> " + at + "0-1> )>> )>> " + at + "g> .",
		at + "a> <http://e/p> " + at + "b> .",
	}
	if !slices.Equal(w.lines, want) {
		t.Errorf("got %q", w.lines)
	}
	w = washText(t, ttl.NQuads, clean.Options{KeepBlankNodes: true, JoinedDocuments: true, HasAnonymous: true}, doc)
	want = []string{
		"_:K_a <http://e/p> <<( _:K_a <http://e/p> <<( _:K_b <http://e/p> _:K_00-1 )>> )>> _:K_g .",
		"_:K_a <http://e/p> _:K_b .",
	}
	for i := range want {
		want[i] = strings.ReplaceAll(want[i], "K", key)
	}
	if !slices.Equal(w.lines, want) {
		t.Errorf("got %q", w.lines)
	}
}

// What a statement and a triple term about it have in common is reported once.
func TestAnnotatedTermsAreToldOnce(t *testing.T) {
	w := washText(t, ttl.Turtle, clean.Options{HasAnonymous: true}, "<s> <p> \"x\"@EN ~<r> {| <q> <{> |} .")
	if w.found() != "note language/case, repair iri/character" || w.tally.Kept != 2 || w.tally.Repaired != 1 {
		t.Errorf("%s, %+v", w.found(), w.tally)
	}
}

func TestTripleTermsPassWithoutAllocation(t *testing.T) {
	first, _ := clean.Chain(clean.Options{}, clean.EachLine(func([]byte) error { return nil }), nil)
	q := of(nested(blank("x"), 3))
	var copied rdf.Quad
	got := testing.AllocsPerRun(100, func() {
		copied = q
		first.Quad(&copied)
	})
	if got > 0 {
		t.Errorf("%v allocations", got)
	}
}
