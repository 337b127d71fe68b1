package format_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/clean"
	"laundromat/rdf/format"
)

// factsAndRules are documents of N3 behind prefixes: what stands in no formula, and how many statements hold one. The
// facts have the subjects fact-1, fact-2, …
var factsAndRules = []struct {
	about, text  string
	facts, rules int
}{
	{"a rule", ":fact-1 :p 1 .\n{ ?x :p ?y } => { ?y :q ?x } .\n:fact-2 :p 2 .\n", 2, 1},
	{"a rule read backwards", ":fact-1 :p 1 .\n{ ?x :p ?y } <= { ?y :q ?x } .\n:fact-2 :p 2 .\n", 2, 1},
	{"a rule without blanks", ":fact-1 :p 1 .\n{?x :p ?y}=>{?y :q ?x}.\n{?x :p ?y}<={?y :q ?x}.\n:fact-2 :p 2 .\n", 2, 2},
	{"a rule in words", ":fact-1 :p 1 .\n{ :d :p :z } log:implies { :d :q :z } .\n:fact-2 :p 2 .\n", 2, 1},
	{"a rule by the IRI of its predicate",
		":fact-1 :p 1 .\n{ :d :p :z } <http://www.w3.org/2000/10/swap/log#implies> { :d :q :z } .\n:fact-2 :p 2 .\n", 2, 1},
	{"a rule over many lines", ":fact-1 :p 1 .\n{\n  ?x :p ?y .\n\n  ?y :p ?z .\n}\n=>\n{\n  ?x :p ?z .\n}\n.\n:fact-2 :p 2 .\n", 2, 1},
	{"formulae within formulae", ":fact-1 :p 1 .\n{ ?x :says { ?y :says { ?z :p { } } } } => { ?x :q { ?y :q ?z } } .\n:fact-2 :p 2 .\n", 2,
		1},
	{"braces in strings, IRIs and comments",
		":fact-1 :p 1 .\n{ ?x :p \"}\", '{', \"a\\\"}\" . # }}\n <http://e/{x}> :p \"\"\"}\n } . \"\"\", '''{''' } => { ?x :q \"{\"@en } .\n:fact-2 :p 2 .\n",
		2, 1},
	{"an apostrophe in a comment", ":fact-1 :p 1 .\n{ ?x :p ?y . # isn't closed {\n } => { ?y :q ?x } .\n:fact-2 :p 2 .\n", 2, 1},
	{"a formula as an object", ":fact-1 :p 1 .\n:a :says { :b :c :d } .\n:b :says { :b :c :d . :e :f :g . } .\n:fact-2 :p 2 .\n", 2, 2},
	{"a formula among objects and predicates", ":fact-1 :says { :b :c :d } ; :p 1 ; :q 2, { :b :c :e }, 3 .\n:fact-2 :p 2 .\n", 4, 2},
	{"a formula as a subject", ":fact-1 :p 1 .\n{ :b :c :d } a log:Truth .\n{ :b :c :d } :certainty 0.5 .\n:fact-2 :p 2 .\n", 2, 2},
	{"a formula in brackets", ":fact-1 :p 1 .\n[ :says { :b :c :d } ] :p { :c :d :e } .\n:fact-2 :p 2 .\n", 2, 2},
	{"two conclusions", ":fact-1 :p 1 .\n{ ?x :p ?y } => { ?y :q ?x } , { ?y :r ?x } ; <= { ?a ?b ?c } .\n:fact-2 :p 2 .\n", 2, 3},
	{"a rule that concludes nothing",
		":fact-1 :p 1 .\n{ ?x :p ?y } => false .\n{ ?x :p ?y } => { } .\ntrue <= { ?x :p 1 } .\n{} => { :a :b :c } .\n:fact-2 :p 2 .\n", 2,
		4},
	{"quantifiers", ":fact-1 :p 1 .\n@forAll :x, :y .\n@forSome :z .\n{ @forAll :v . :x :p :v } => { :x :q :y } .\n:x :p :fact-9 .\n:fact-2 :p 2 .\n",
		2, 4},
	{"variables outside of formulae", ":fact-1 :p 1 .\n{ ?x :p 1 } => { ?x :q 1 } .\n?x :p :y .\n:s ?p :o .\n:s :p ?o .\n:fact-2 :p 2 .\n",
		2, 4},
	{"a rule without its dot",
		":fact-1 :p 1 .\n{ ?x :p ?y } => { ?y :q ?x }\n:fact-2 :p 2 .\n{ ?x :p ?y } => { ?y :q ?x }\n{ ?x :p ?y } => { ?y :q ?x } .\n", 2,
		3},
	{"a formula without its }",
		":fact-1 :p 1 .\n{ ?x :p ?y => { ?y :q ?x } .\n:fact-2 :p 2 .\n{ ?x :p ?y } => { ?y :q ?x .\n:fact-3 :p 3 .\n", 3, 2},
	{"a rule before all", "{ ?x :p ?y } => { ?y :q ?x } .\n:fact-1 :p 1 .\n:fact-2 :p 2 .\n", 2, 1},
	{"rules alone", "{ ?x :p ?y } => { ?y :q ?x } .\n{ ?x :q ?y } => { ?y :p ?x } .\n", 0, 2},
	{"a rule among lines of N-Triples",
		"<http://e/#fact-1> <http://e/#p> \"1\" .\n<http://e/#fact-2> <http://e/#p> \"2\" .\n{ ?x <http://e/#p> ?y } => { ?y <http://e/#q> ?x } .\n<http://e/#fact-3> <http://e/#p> \"3\" .\n",
		3, 1},
}

const prefixesOfRules = "@prefix : <http://e/#> .\n@prefix log: <http://www.w3.org/2000/10/swap/log#> .\n"

// checkFacts washes a document in the way of a file with a name or header, and holds what is kept and lost.
func checkFacts(t *testing.T, text, contentType, name string, facts, rules int) {
	t.Helper()
	g := format.Guess([]byte(text), true, contentType, name).Try(t.Context(), []byte(text), true)
	w, err := washLawfully(clean.Options{}, g.Format, format.Options{Input: rdf.Input{Base: "http://base.example/"}, Guessed: true,
		ContentType: contentType, Name: name}, strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if w.proved != format.N3 || len(w.lines) != facts || int(w.tally.Dropped) != rules {
		t.Errorf("%s %s, %s: %d are kept and %d lost, not %d and %d\n%s\n%s\n%s", contentType, name, w.proved, len(w.lines),
			w.tally.Dropped, facts, rules, text, w.found(), strings.Join(w.lines, "\n"))
	}
	for _, line := range w.lines {
		if !strings.HasPrefix(line, "<http://e/#fact-") {
			t.Errorf("this isn't a fact: %s\n%s", line, text)
		}
	}
}

// What a formula or a variable stands in is lost, each statement as one; all other statements are kept, whatever the
// document is called.
func TestTheFactsOfN3AreKeptAndEachRuleIsOneDrop(t *testing.T) {
	for _, test := range factsAndRules {
		t.Run(test.about, func(t *testing.T) {
			for _, called := range [][2]string{{"", ""}, {"", "a.n3"}, {"text/n3", ""}, {"text/turtle", "a.ttl"}, {"text/plain", "a.txt"}} {
				checkFacts(t, prefixesOfRules+test.text, called[0], called[1], test.facts, test.rules)
			}
			w, err := washLawfully(clean.Options{}, format.Turtle, format.Options{Input: rdf.Input{Base: "http://base.example/"}},
				strings.NewReader(prefixesOfRules+test.text))
			if err != nil {
				t.Fatal(err)
			}
			for _, line := range w.lines {
				if !strings.HasPrefix(line, "<http://e/#fact-") && w.tally.Dropped == 0 {
					t.Errorf("as Turtle, without a loss: %s", line)
				}
			}
		})
	}
}

// Where nothing but the name says that it is N3, a brace without a name is that of a formula all the same.
func TestBracesOfADocumentThatIsCalledN3AreThoseOfFormulae(t *testing.T) {
	for _, test := range []struct {
		text         string
		facts, rules int
	}{
		{"{ :b :c :d } .\n:fact-1 :p 1 .\n", 1, 1},
		{":g = { :b :c :d } .\n:fact-1 :p 1 .\n", 1, 1},
		{":fact-1 :p 1 .\n{ :b :c :d . :e :f :g } .\n", 1, 1},
	} {
		checkFacts(t, prefixesOfRules+test.text, "", "a.n3", test.facts, test.rules)
		checkFacts(t, prefixesOfRules+test.text, "text/n3; charset=utf-8", "", test.facts, test.rules)
	}
}

// Graphs of TriG, and braces in place of brackets, are no formulae.
func TestBracesOfGraphsAreNoFormulae(t *testing.T) {
	for text, kept := range map[string]int{
		":g { :b :c :d . :e :f :g }\n":                               3 - 1,
		"{ :b :c :d . }\n:h { :b :c :e . }\n":                        2,
		"{ :b :c :d }\n:s :p :o .\n{ :b :c :e }\n":                   3,
		"GRAPH :g { :b :c :d }\n{ :b :c :e }\n:a :b :c .\n":          3,
		":g = { :b :c :d } .\n:h = { :b :c :e } .\n":                 2,
		"{ :b :c :d } .\n:g { :b :c :e } .\n":                        2,
		"{ } :g { :b :c :e }\n":                                      1,
		":a :p { :q 1 } .\n:b :p 1 .\n:c :p 2 .\n:a :r { a :B } .\n": 2,
	} {
		g := format.Guess([]byte(prefixesOfRules+text), true, "", "a.trig").Try(t.Context(), []byte(prefixesOfRules+text), true)
		w, err := washLawfully(clean.Options{}, g.Format, format.Options{Input: rdf.Input{Base: "http://base.example/"}, Guessed: true,
			Name: "a.trig"}, strings.NewReader(prefixesOfRules+text))
		if err != nil {
			t.Fatal(err)
		}
		if len(w.lines) < kept || strings.Contains(w.found(), string(fault.SyntaxFormula)) {
			t.Errorf("%s: %d are kept\n%s\n%s", g.Format, len(w.lines), text, w.found())
		}
	}
}

// Braces and arrows of other languages are no N3, and a rule among lines of N-Quads is a broken line.
func TestARuleAloneMakesNoN3(t *testing.T) {
	for text, want := range map[string]string{
		"const f = {a: 1} => { return 2 }\n":                     "",
		"try { f() } => { g(); }\n":                              "",
		"{ ?x <http://e/p> ?y } => { } .\n":                      "N3",
		"{ ?x <http://e/p> 1 } => { ( ?x ) <http://e/p> 1 } .\n": "N3",
		strings.Repeat("<http://e/s> <http://e/p> \"1\" <http://e/g> .\n", 3) +
			"{ <http://e/s> <http://e/p> ?x } => { ?x <http://e/q> 2 } .\n": "N-Quads",
	} {
		for _, name := range []string{"", "a.nq", "a.txt"} {
			if g := format.Guess([]byte(text), true, "", name).Try(t.Context(), []byte(text), true); string(g.Format) != want {
				t.Errorf("%q, %s: %s, not %s", text, name, g.Format, want)
			}
		}
	}
}

// formulaOf writes a formula of random statements.
func formulaOf(r *rand.Rand, depth int) string {
	var out strings.Builder
	out.WriteString("{")
	terms := []string{"?x", "?y", ":a", "<http://e/{x>", "\"}\"", "'{ . '", "\"\"\"} .\n{\"\"\"", "[ :p 1 ]", "( 1 2 )", "\"a\\\"}\"@en"}
	for range r.IntN(4) {
		object := terms[r.IntN(len(terms))]
		if depth < 3 && r.IntN(4) == 0 {
			object = formulaOf(r, depth+1)
		}
		fmt.Fprintf(&out, "%s%s :p%d %s .", []string{" ", "\n  ", " # } {\n "}[r.IntN(3)], terms[r.IntN(3)], r.IntN(3), object)
	}
	out.WriteString([]string{" }", "}", "\n}"}[r.IntN(3)])
	return out.String()
}

// A document that knows its facts and its rules has as many of each.
func TestFactsAndRulesOfN3AreCounted(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 3))
		var text strings.Builder
		text.WriteString(prefixesOfRules)
		facts, rules, isRule := 0, 0, false
		for range 4 + r.IntN(20) {
			switch r.IntN(3) {
			case 0:
				facts++
				fmt.Fprintf(&text, ":fact-%d :p %s .\n", facts, []string{"1", "\"{ }\"", ":o", "\"a\"@en", "<http://e/x>"}[r.IntN(5)])
			case 1:
				facts += 2
				fmt.Fprintf(&text, ":fact-%d a :C ;\n  :q %d .\n", facts, r.IntN(9))
			default:
				rules++
				switch r.IntN(4) {
				case 0:
					fmt.Fprintf(&text, ":a%d :says { :a :b %s } .\n", rules, formulaOf(r, 1))
				case 1:
					fmt.Fprintf(&text, "%s log:implies %s .\n", formulaOf(r, 0), formulaOf(r, 0))
				default:
					isRule = true
					fmt.Fprintf(&text, "%s %s %s .\n", formulaOf(r, 0), []string{"=>", "<="}[r.IntN(2)], formulaOf(r, 0))
				}
			}
		}
		if !isRule {
			rules++
			text.WriteString("{ ?x :p ?y } => { ?y :q ?x } .\n")
		}
		called := [][2]string{{"", ""}, {"", "a.n3"}, {"text/n3", ""}, {"", "a.ttl"}}[seed%4]
		checkFacts(t, text.String(), called[0], called[1], facts, rules)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}
