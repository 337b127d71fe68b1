package quadpattern_test

import (
	"context"
	"errors"
	"testing"

	"laundromat/rdf/quadpattern"
)

func TestATermIsFoundAsAWashWritesIt(t *testing.T) {
	for _, one := range []struct {
		given quadpattern.Given
		want  string
	}{
		{quadpattern.Given{Subject: "http://a.example/x"}, "<http://a.example/x>"},
		{quadpattern.Given{Subject: "<HTTP://a.example/x>"}, "<HTTP://a.example/x>"},
		{quadpattern.Given{Predicate: "a"}, "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"},
		{quadpattern.Given{Predicate: "foaf:name"}, "<http://xmlns.com/foaf/0.1/name>"},
		{quadpattern.Given{Predicate: "<foaf:name>"}, "<foaf:name>"},
		{quadpattern.Given{Object: "urn:isbn:1"}, "<urn:isbn:1>"},
		{quadpattern.Given{Object: `"Bonn"@DE`}, `"Bonn"@de`},
		{quadpattern.Given{Object: `"01"^^xsd:integer`}, `"1"^^<http://www.w3.org/2001/XMLSchema#integer>`},
		{quadpattern.Given{Object: `"x"^^<http://www.w3.org/2001/XMLSchema#string>`}, `"x"`},
		{quadpattern.Given{Object: `"\u0041 b"`}, `"A b"`},
		{quadpattern.Given{Object: `<<( <urn:a> <urn:b> "c d" )>>`}, `<<( <urn:a> <urn:b> "c d" )>>`},
		{quadpattern.Given{Graph: "http://g.example/"}, "<http://g.example/>"},
	} {
		p, err := quadpattern.Parse(context.Background(), one.given)
		got := string(p.Subject) + string(p.Predicate) + string(p.Object) + string(p.Graph)
		if err != nil || got != one.want {
			t.Errorf("%+v: %s, %v; want %s", one.given, got, err, one.want)
		}
	}
}

func TestAWrongTermIsRefusedWithItsPlace(t *testing.T) {
	for _, one := range []struct {
		given  quadpattern.Given
		place  string
		column int
	}{
		{quadpattern.Given{Subject: "Bonn"}, "subject", 1},
		{quadpattern.Given{Subject: `"Bonn"`}, "subject", 1},
		{quadpattern.Given{Subject: "_:b0"}, "subject", 0},
		{quadpattern.Given{Subject: "http://a.example/a b"}, "subject", 19},
		{quadpattern.Given{Predicate: "<http://a.example/"}, "predicate", 18},
		{quadpattern.Given{Predicate: "<urn:a> <urn:b>"}, "predicate", 0},
		{quadpattern.Given{Object: `"open`}, "object", 1},
		{quadpattern.Given{Object: `"a" <urn:g>`}, "object", 0},
		{quadpattern.Given{Object: `"a"@en_US`}, "object", 4},
		{quadpattern.Given{Object: "\"a\nb\""}, "object", 3},
		{quadpattern.Given{Predicate: "dc:title"}, "predicate", 1},
		{quadpattern.Given{Object: `"1"^^integer`}, "object", 0},
		{quadpattern.Given{Graph: "/relative"}, "graph", 1},
		{quadpattern.Given{Graph: "<relative>"}, "graph", 1},
	} {
		_, err := quadpattern.Parse(context.Background(), one.given)
		var wrong *quadpattern.TermError
		if !errors.As(err, &wrong) || wrong.Place != one.place || wrong.Column != one.column {
			t.Errorf("%+v: %v; want %s, column %d", one.given, err, one.place, one.column)
		}
	}
}

func TestALineMatchesByItsTermsAlone(t *testing.T) {
	const line = `<urn:s> <urn:p> "a <urn:o> \" b" <urn:g> .`
	for _, one := range []struct {
		given quadpattern.Given
		line  string
		want  bool
	}{
		{quadpattern.Given{}, line, true},
		{quadpattern.Given{Subject: "urn:s", Predicate: "urn:p", Graph: "urn:g"}, line, true},
		{quadpattern.Given{Object: `"a <urn:o> \" b"`}, line, true},
		{quadpattern.Given{Object: "urn:o"}, line, false},
		{quadpattern.Given{Graph: "urn:o"}, line, false},
		{quadpattern.Given{Predicate: "urn:s"}, line, false},
		{quadpattern.Given{Graph: "default"}, line, false},
		{quadpattern.Given{Graph: "default"}, `<urn:s> <urn:p> "a <urn:g>" .`, true},
		{quadpattern.Given{Graph: "urn:g"}, `<urn:s> <urn:p> <urn:g> .`, false},
		{quadpattern.Given{Graph: "urn:g"}, `<urn:s> <urn:p> "x"^^<urn:g> .`, false},
		{quadpattern.Given{Object: "urn:o"}, `<urn:s> <urn:p> <urn:o> <urn:g> .`, true},
		{quadpattern.Given{Graph: "urn:g"}, `_:a <urn:p> _:b <urn:g> .`, true},
		{quadpattern.Given{Graph: "urn:g"}, `<urn:s> <urn:p> <<( <urn:s> <urn:p> "x y" )>> <urn:g> .`, true},
	} {
		p, err := quadpattern.Parse(context.Background(), one.given)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Matches([]byte(one.line)); got != one.want {
			t.Errorf("%+v in %s: %v", one.given, one.line, got)
		}
	}
}
