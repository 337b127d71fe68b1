package grammar_test

import (
	"testing"

	"laundromat/rdf/ttl/grammar"
	"laundromat/rdf/ttl/lex"
)

// TestAWalkKnowsWhatIsOpen goes over texts, and counts what is open behind each token.
func TestAWalkKnowsWhatIsOpen(t *testing.T) {
	const i = lex.IRI
	for _, test := range []struct {
		text  string
		kinds []lex.Kind
		open  []int
	}{
		{"<s> <p> [ <q> ( 1 ) ] .", []lex.Kind{i, i, lex.OpenProperties, i, lex.OpenList, lex.Integer, lex.CloseList, lex.CloseProperties,
			lex.Dot}, []int{1, 1, 2, 2, 3, 3, 2, 1, 0}},
		{"[ <p> <o> ] .", []lex.Kind{lex.OpenProperties, i, i, lex.CloseProperties, lex.Dot}, []int{2, 2, 2, 1, 0}},
		{"<g> { <s> <p> <o> }", []lex.Kind{i, lex.OpenGraph, i, i, i, lex.CloseGraph}, []int{1, 0, 1, 1, 1, 0}},
		{"GRAPH [] { }", []lex.Kind{lex.Graph, lex.OpenProperties, lex.CloseProperties, lex.OpenGraph, lex.CloseGraph},
			[]int{0, 1, 0, 0, 0}},
		{"<< <s> <p> <o> ~ <r> >> <q> <<( <s> <p> <o> )>> .", []lex.Kind{lex.OpenReified, i, i, i, lex.Tilde, i, lex.CloseReified, i,
			lex.OpenTriple, i, i, i, lex.CloseTriple, lex.Dot}, []int{2, 2, 2, 2, 2, 2, 1, 1, 2, 2, 2, 2, 1, 0}},
		{"<s> <p> <o> {| <q> <z> |} .", []lex.Kind{i, i, i, lex.OpenNotes, i, i, lex.CloseNotes, lex.Dot}, []int{1, 1, 1, 2, 2, 2, 1, 0}},
	} {
		var w grammar.Walk
		for n, k := range test.kinds {
			if w.Take(k) == grammar.Refused {
				t.Fatalf("%s: token %d, %v, is refused", test.text, n, k)
			}
			if w.Depth() != test.open[n] {
				t.Errorf("%s: %d are open behind token %d, not %d", test.text, w.Depth(), n, test.open[n])
			}
		}
		if w.State != (grammar.State{}) {
			t.Errorf("%s ends with %+v", test.text, w.State)
		}
		before := w.State
		if w.Take(lex.CloseList) != grammar.Refused || w.State != before || w.Depth() != 0 {
			t.Errorf("%s: a refused token changes what is open", test.text)
		}
	}
}
