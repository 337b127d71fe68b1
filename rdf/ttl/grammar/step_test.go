package grammar_test

import (
	"testing"

	"laundromat/rdf/ttl/grammar"
	"laundromat/rdf/ttl/lex"
)

// TestWhatMayComeWhere walks over statements, and asks at each token for what may not be there.
func TestWhatMayComeWhere(t *testing.T) {
	for _, test := range []struct {
		name    string
		taken   []lex.Kind
		refused []lex.Kind // behind them
		ends    grammar.Expect
	}{
		{"a triple", []lex.Kind{lex.Name, lex.A, lex.IRI}, []lex.Kind{lex.IRI, lex.CloseProperties, lex.Carets, lex.CloseGraph},
			grammar.End},
		{"a literal", []lex.Kind{lex.Name, lex.Name, lex.String}, []lex.Kind{lex.String, lex.Name}, grammar.Tag},
		{"a literal with a language", []lex.Kind{lex.Name, lex.Name, lex.String, lex.Language}, []lex.Kind{lex.Language},
			grammar.LateCarets},
		{"a literal with a datatype", []lex.Kind{lex.Name, lex.Name, lex.String, lex.Carets}, []lex.Kind{lex.Label, lex.String, lex.Dot},
			grammar.Datatype},
		{"a subject", []lex.Kind{lex.Label}, []lex.Kind{lex.Semicolon, lex.Dot, lex.Label, lex.String}, grammar.FirstVerb},
		{"a semicolon", []lex.Kind{lex.Name, lex.A, lex.Name, lex.Semicolon, lex.Semicolon}, []lex.Kind{lex.Comma, lex.String},
			grammar.NextVerb},
		{"a comma", []lex.Kind{lex.Name, lex.A, lex.Name, lex.Comma}, []lex.Kind{lex.A, lex.Dot, lex.Comma}, grammar.Object},
		{"a graph", []lex.Kind{lex.Name, lex.OpenGraph}, []lex.Kind{lex.OpenGraph, lex.Graph, lex.Dot}, grammar.Block},
		{"a directive", []lex.Kind{lex.Prefix, lex.Name, lex.IRI}, []lex.Kind{lex.Name, lex.Semicolon}, grammar.DirectiveEnd},
		{"a directive without @", []lex.Kind{lex.SPARQLBase, lex.IRI}, []lex.Kind{lex.String, lex.Semicolon}, grammar.DirectiveEnd},
		{"the keyword of a graph", []lex.Kind{lex.Graph, lex.Name}, []lex.Kind{lex.Name, lex.Dot}, grammar.GraphOpen},
	} {
		var s grammar.State
		for i, k := range test.taken {
			act := grammar.Step(&s, k)
			if act == grammar.Refused {
				t.Errorf("%s: token %d, %v, is refused", test.name, i, k)
			}
			s.Follow(act, k)
		}
		if s.Expect != test.ends {
			t.Errorf("%s: expects %d, want %d", test.name, s.Expect, test.ends)
		}
		for _, k := range test.refused {
			if grammar.Step(&s, k) != grammar.Refused {
				t.Errorf("%s: takes %v behind it", test.name, k)
			}
		}
	}
}

// TestBracketsLeadBack opens and closes each bracket where it may be.
func TestBracketsLeadBack(t *testing.T) {
	object := grammar.State{Expect: grammar.Object, In: grammar.Statement}
	for k, test := range map[lex.Kind]struct {
		frame  grammar.Frame
		begins grammar.Expect
	}{
		lex.OpenProperties: {grammar.Properties, grammar.FirstVerb}, lex.OpenList: {grammar.List, grammar.Member},
		lex.OpenReified: {grammar.Reified, grammar.TripleSubject}, lex.OpenTriple: {grammar.Triple, grammar.TripleSubject},
	} {
		if grammar.Step(&object, k) != grammar.Open {
			t.Fatalf("%v is refused", k)
		}
		f, role := grammar.Opens(object, k)
		in := object.Enter(f)
		if f != test.frame || in.Expect != test.begins || in.In != f {
			t.Errorf("%v: frame %d, %+v", k, f, in)
		}
		if out := in.Leave(role, grammar.Statement); out.Expect != grammar.End || out.In != grammar.Statement {
			t.Errorf("behind %v: %+v", k, out)
		}
	}
}
