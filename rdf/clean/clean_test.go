package clean_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/clean"
	"laundromat/rdf/rdftest"
)

// washed is what came out of a chain.
type washed struct {
	lines   []string
	notices []fault.Notice
	tally   clean.Tally
}

func wash(t testing.TB, options clean.Options, quads ...rdf.Quad) washed {
	t.Helper()
	var w washed
	first, tally := clean.Chain(options, clean.EachLine(
		func(line []byte) error { w.lines = append(w.lines, string(line)); return nil }),

		func(n fault.Notice) { w.notices = append(w.notices, n) })

	for i := range quads {
		q := quads[i]
		if err := first.Quad(&q); err != nil {
			t.Fatal(err)
		}
	}
	tally.Close()
	w.tally = *tally
	return w
}

// found writes the notices as "severity code", in order.
func (w washed) found() string {
	var all []string
	for _, n := range w.notices {
		all = append(all, n.Severity.String()+" "+string(n.Code))
	}
	return strings.Join(all, ", ")
}

func iri(value string) rdf.Term   { return rdf.Term{Kind: rdf.IRI, Value: []byte(value)} }
func blank(label string) rdf.Term { return rdf.Term{Kind: rdf.BlankNode, Value: []byte(label)} }
func anonymous(n uint64) rdf.Term { return rdf.Term{Kind: rdf.BlankNode, Anonymous: n} }
func text(value, datatype string) rdf.Term {
	return rdf.Term{Kind: rdf.Literal, Value: []byte(value), Datatype: []byte(datatype)}
}
func tagged(value, tag string) rdf.Term {
	return rdf.Term{Kind: rdf.Literal, Value: []byte(value), Language: []byte(tag)}
}
func quad(terms ...rdf.Term) (q rdf.Quad) {
	for i, t := range terms {
		*[]*rdf.Term{&q.Subject, &q.Predicate, &q.Object, &q.Graph}[i] = t
	}
	return q
}

// of makes a statement about an object.
func of(object rdf.Term) rdf.Quad { return quad(iri("http://e/s"), iri("http://e/p"), object) }

func object(line string) string {
	return strings.TrimSuffix(strings.TrimPrefix(line, "<http://e/s> <http://e/p> "), " .")
}

// examples has a case for each kind of repair that the chain makes.
var examples = []struct {
	code   fault.Code
	object rdf.Term
	want   string
}{
	{fault.IRISpace, iri("http://e/a b  c"), "<http://e/a%20b%20%20c>"},
	{fault.IRITrimmed, iri(" \thttp://e/a\r\n"), "<http://e/a>"},
	{fault.IRICharacter, iri("http://e/\"<{|}>\\^`"), "<http://e/%22%3C%7B%7C%7D%3E%5C%5E%60>"},
	{fault.IRIBracket, iri("http://[::1]/a[0]?b[]=c"), "<http://[::1]/a%5B0%5D?b%5B%5D=c>"},
	{fault.IRIFragment, iri("http://e/a#b#c#d"), "<http://e/a#b%23c%23d>"},
	{fault.IRIPrivateUse, iri("http://e/\uE000?\uE000#\uE000"), "<http://e/%EE%80%80?\uE000#%EE%80%80>"},
	{fault.LanguageUnderscore, tagged("colour", "en_US"), `"colour"@en-us`},
	{fault.LanguageSpace, tagged("colour", " en\t"), `"colour"@en`},
	{fault.LiteralMisspeltDatatype, text("7", rdf.XSD+"Integer"), `"7"^^<` + rdf.XSD + `integer>`},
	{fault.EncodingMixedBytes, text("caf\xE9 \xC9l\xE8ve é", ""), `"café Élève é"`},
}

func TestEachRepairIsToldAndMade(t *testing.T) {
	shown := map[fault.Code]bool{}
	for _, c := range examples {
		shown[c.code] = true
		w := wash(t, clean.Options{ReadStray: rdftest.ReadLatin}, of(c.object))
		if len(w.lines) != 1 || object(w.lines[0]) != c.want || w.found() != "repair "+string(c.code) {
			t.Errorf("%s: got %q, %s", c.code, w.lines, w.found())
		}
		if w.tally.Repaired != 1 || w.tally.Read != 1 || w.tally.Kept != 0 {
			t.Errorf("%s: tally %+v", c.code, w.tally)
		}
	}
	for code := range shown {
		if _, listed := fault.RepairOf(code); !listed {
			t.Errorf("%s stands in no row of the table of repairs", code)
		}
	}
	if len(shown) != 10 {
		t.Errorf("%d kinds of repair are shown", len(shown))
	}
}

func TestStrictDropsEachRepair(t *testing.T) {
	for _, c := range examples {
		w := wash(t, clean.Options{Strict: true, ReadStray: rdftest.ReadLatin}, of(c.object))
		if len(w.lines) != 0 || w.found() != "drop "+string(c.code) || w.notices[0].Lost != 1 {
			t.Errorf("%s: got %q, %+v", c.code, w.lines, w.notices)
		}
		if w.tally.Dropped != 1 || w.tally.Read != 1 {
			t.Errorf("%s: tally %+v", c.code, w.tally)
		}
	}
}

func TestStatementWithSeveralRepairsCountsOnce(t *testing.T) {
	q := quad(iri("http://e/a b"), iri("http://e/[p]"), tagged("x", "en_GB"), iri("http://e/#a#b"))
	w := wash(t, clean.Options{}, q)
	if w.tally.Repaired != 1 || w.tally.Read != 1 || len(w.notices) != 4 {
		t.Errorf("tally %+v, %s", w.tally, w.found())
	}
	w = wash(t, clean.Options{Strict: true}, q, of(iri("http://e/o")))
	if w.tally.Dropped != 1 || w.tally.Kept != 1 || len(w.notices) != 4 {
		t.Errorf("strict: tally %+v, %s", w.tally, w.found())
	}
}

// A repair that the reader made is the reader's to report; the chain only sees a notice
// and quads that are marked.
func TestStrictAccountsForTheRepairsOfReaders(t *testing.T) {
	repair := fault.Notice{Code: fault.SyntaxUndeclaredPrefix, Severity: fault.Repair}
	drop := fault.Notice{Code: fault.SyntaxUndeclaredPrefix, Severity: fault.Drop, Lost: 1}
	repaired, good := of(iri("http://e/o")), of(iri("http://e/o"))
	repaired.Repaired = true
	for name, c := range map[string]struct {
		events            []any
		notices           int
		kept, droppedHere int64
	}{
		"one repair, one statement":     {[]any{repair, repaired}, 1, 0, 1},
		"two repairs, one statement":    {[]any{repair, repair, repaired}, 2, 0, 1},
		"one repair, three statements":  {[]any{repair, repaired, repaired, repaired}, 3, 0, 3},
		"a repair of no statement":      {[]any{repair, good}, 1, 1, 0},
		"a repair at the end":           {[]any{good, repair}, 1, 1, 0},
		"a sound statement in between":  {[]any{repair, good, repaired}, 1, 1, 1},
		"repaired, and lost at the end": {[]any{repair, drop, good}, 2, 1, 1},
	} {
		var notices []fault.Notice
		first, tally := clean.Chain(clean.Options{Strict: true}, clean.EachLine(func([]byte) error { return nil }),
			func(n fault.Notice) { notices = append(notices, n) })

		for _, e := range c.events {
			switch e := e.(type) {
			case fault.Notice:
				first.Notice(e)
			case rdf.Quad:
				if err := first.Quad(&e); err != nil {
					t.Fatal(err)
				}
			}
		}
		tally.Close()
		var lost int64
		for _, n := range notices {
			lost += int64(n.Lost)
			if n.Severity != fault.Drop {
				t.Errorf("%s: strict told a %s", name, n.Severity)
			}
		}
		if len(notices) != c.notices || lost != c.droppedHere || tally.Dropped != lost || tally.Kept != c.kept || tally.Repaired != 0 {
			t.Errorf("%s: %d notices, tally %+v", name, len(notices), *tally)
		}
	}
}

func TestTermMendedOnceIsToldOnce(t *testing.T) {
	s := iri("http://e/a b")
	s.Pos = fault.Pos{Line: 3, Column: 1, Offset: 40}
	again := quad(s, iri("http://e/p"), iri("http://e/o"))
	w := wash(t, clean.Options{}, again, again, again)
	if len(w.notices) != 1 || w.tally.Repaired != 3 {
		t.Errorf("%s, tally %+v", w.found(), w.tally)
	}
	w = wash(t, clean.Options{Strict: true}, again, again)
	if w.tally.Dropped != 2 || w.tally.Read != 2 {
		t.Errorf("strict: tally %+v", w.tally)
	}
	other := again
	other.Subject.Pos.Line = 4
	if w = wash(t, clean.Options{}, again, other); len(w.notices) != 2 {
		t.Errorf("the same text at another place is another fault: %s", w.found())
	}
}

func TestLostStatementIsNotToldAsRepaired(t *testing.T) {
	w := wash(t, clean.Options{}, quad(iri("http://e/a b"), iri("relative"), iri("also-relative")))
	lost := 0
	for _, n := range w.notices {
		lost += n.Lost
		if n.Severity != fault.Drop {
			t.Errorf("got %+v", n)
		}
	}
	if len(w.notices) != 3 || lost != 1 || w.tally.Dropped != 1 || w.tally.Read != 1 {
		t.Errorf("%s, tally %+v", w.found(), w.tally)
	}
}

func TestTermsStandOnlyWhereTheyMay(t *testing.T) {
	s, p, o := iri("http://e/s"), iri("http://e/p"), iri("http://e/o")
	for want, q := range map[string]rdf.Quad{
		"drop literal/place":    quad(text("x", ""), p, o),
		"drop blank-node/place": quad(s, blank("p"), o),
		"drop iri/no-base":      quad(s, rdf.Term{}, o),
	} {
		if w := wash(t, clean.Options{}, q); w.found() != want || w.tally.Dropped != 1 {
			t.Errorf("got %s, want %s", w.found(), want)
		}
	}
	for _, q := range []rdf.Quad{quad(s, text("x", ""), o), quad(s, p, o, text("x", ""))} {
		if w := wash(t, clean.Options{}, q); w.found() != "drop literal/place" {
			t.Errorf("got %s", w.found())
		}
	}
}

func TestErrorOfTheSinkEndsTheReading(t *testing.T) {
	full := errors.New("disk full")
	first, tally := clean.Chain(clean.Options{}, clean.EachLine(func([]byte) error { return full }), nil)
	q := of(iri("http://e/o"))
	if err := first.Quad(&q); !errors.Is(err, full) {
		t.Errorf("got %v", err)
	}
	if tally.Read != 0 {
		t.Errorf("a line that was not written counts: %+v", *tally)
	}
}

func TestFiltersLeaveTheBytesOfTheReaderAlone(t *testing.T) {
	const all = "http://e/a b|EN_us|01|http://www.w3.org/2001/XMLSchema#integer|label"
	shared := []byte(all)
	part := func(n int) []byte {
		begin := 0
		for range n {
			begin += strings.IndexByte(all[begin:], '|') + 1
		}
		end := strings.IndexByte(all[begin:]+"|", '|')
		return shared[begin : begin+end : begin+end]
	}
	wash(t, clean.Options{},
		quad(rdf.Term{Kind: rdf.IRI, Value: part(0)}, iri("http://e/p"), rdf.Term{Kind: rdf.Literal, Value: part(2), Language: part(1)}),
		quad(rdf.Term{Kind: rdf.BlankNode, Value: part(4)}, iri("http://e/p"), rdf.Term{Kind: rdf.Literal, Value: part(2),
			Datatype: part(3)}))
	if string(shared) != all {
		t.Errorf("the reader's bytes are now %q", shared)
	}
}

func TestCleanStatementsPassWithoutAllocation(t *testing.T) {
	quads := []rdf.Quad{
		quad(iri("http://example.org/s"), iri("http://example.org/p"), iri("http://example.org/o#x"), iri("http://example.org/g")),
		of(text("plain", "")), of(tagged("colour", "en-gb")), of(text("12", rdf.XSD+"integer")),
		of(text("1.5E0", rdf.XSD+"double")), of(text("2024-02-29T12:00:00Z", rdf.XSD+"dateTime")),
		quad(blank("a"), iri("http://e/p"), anonymous(7)),
	}
	for _, options := range []clean.Options{{}, {KeepBlankNodes: true, JoinedDocuments: true}, {Strict: true}} {
		first, _ := clean.Chain(options, clean.EachLine(func([]byte) error { return nil }), nil)
		var q rdf.Quad
		run := func() {
			for i := range quads {
				q = quads[i]
				first.Quad(&q)
			}
		}
		run()
		if n := testing.AllocsPerRun(100, run); n != 0 {
			t.Errorf("%+v: %v allocations", options, n)
		}
	}
}

func ExampleChain() {
	first, tally := clean.Chain(clean.Options{}, clean.EachLine(
		func(line []byte) error { fmt.Printf("%s\n", clean.AppendWithKey(nil, line, "0b1")); return nil }),

		func(n fault.Notice) { fmt.Println(n.Severity, n.Code) })

	first.Quad(&rdf.Quad{
		Subject:   rdf.Term{Kind: rdf.BlankNode, Value: []byte("a")},
		Predicate: rdf.Term{Kind: rdf.IRI, Value: []byte("http://example.org/price")},
		Object:    rdf.Term{Kind: rdf.Literal, Value: []byte("1.50"), Datatype: []byte(rdf.XSD + "decimal")},
	})
	tally.Close()
	fmt.Println(tally.Read, tally.Kept)
	// Output:
	// note literal/non-canonical
	// <https://lodlaundromat.org/.well-known/genid/0b1/a> <http://example.org/price> "1.5"^^<http://www.w3.org/2001/XMLSchema#decimal> .
	// 1 1
}

// end is a sink that takes all.
type end struct{}

func (end) Quad(*rdf.Quad) error { return nil }
func (end) Notice(fault.Notice)  {}
