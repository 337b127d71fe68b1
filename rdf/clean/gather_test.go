package clean_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/clean"
)

// TestStatementsThatWaitComeInOrder gives the same statements to chains that gather them and to one that does not.
func TestStatementsThatWaitComeInOrder(t *testing.T) {
	long := strings.Repeat("long text ", 500)
	quads := func() (all []rdf.Quad) {
		for i := range 40 {
			node := iri(fmt.Sprintf("http://e.org/s%d", i))
			p := iri("http://e.org/p")
			all = append(all, quad(node, p, iri("http://e.org/o")), quad(node, p, tagged(long, "en")),
				quad(node, p, text("+007", rdf.XSD+"integer")),
				quad(node, p, tagged("a", "pt-BR")), quad(node, p, iri("http://e.org/g"), iri("http://e.org/graph")))
			if i%3 == 0 {
				all = append(all, quad(blank("b"), p, blank("c")))
			}
			if i%4 == 0 {
				all = append(all, quad(node, p, iri("http://e.org/a b")), quad(node, p, iri("http://e.org/\xff")),
					quad(node, p, tagged(" a ", "en-UK")))
			}
			repaired := quad(node, p, iri("http://e.org/mended"))
			repaired.Repaired = true
			all = append(all, repaired)
		}
		return all
	}
	pass := func(options clean.Options, gathers bool) string {
		var out strings.Builder
		var told []string
		sink, tally := clean.Chain(options, func(text []byte, n int) error {
			if strings.Count(string(text), "\n") != n {
				t.Errorf("%d lines of %q", n, text)
			}
			out.Write(text)
			return nil
		}, func(n fault.Notice) { told = append(told, fmt.Sprint(n)) })
		to := sink.(rdf.GatheringSink)
		all := quads()
		for len(all) > 0 {
			n := min(len(all), 17)
			if gathers {
				to.Gather()
			}
			for i := range all[:n] {
				if err := to.Quad(&all[i]); err != nil {
					t.Fatal(err)
				}
			}
			if err := to.Release(); err != nil {
				t.Fatal(err)
			}
			all = all[n:]
		}
		tally.Close()
		return fmt.Sprint(out.String(), tally.Read, tally.Kept, tally.Repaired, tally.Dropped, tally.Keyed, strings.Join(told, "\n"))
	}
	for _, options := range []clean.Options{{}, {KeepBlankNodes: true, HasAnonymous: true}, {Strict: true},
		{Output: clean.Output{NoGraphs: true}}, {KeepLiterals: true}} {
		if with, without := pass(options, true), pass(options, false); with != without || !strings.Contains(with, "long text") {
			t.Errorf("%+v: gathered:\n%.2000s\nelse:\n%.2000s", options, with, without)
		}
	}
}

// TestErrorOfLinesThatWaitEndsTheReading holds the error back no longer than the lines.
func TestErrorOfLinesThatWaitEndsTheReading(t *testing.T) {
	full := errors.New("full")
	sink, _ := clean.Chain(clean.Options{}, func([]byte, int) error { return full }, nil)
	to := sink.(rdf.GatheringSink)
	to.Gather()
	var found []error
	for _, object := range []rdf.Term{iri("http://e.org/o"), blank("b")} { // a blank node does not wait
		q := quad(iri("http://e.org/s"), iri("http://e.org/p"), object)
		found = append(found, to.Quad(&q))
	}
	q := quad(iri("http://e.org/s"), iri("http://e.org/p"), iri("http://e.org/o"))
	found = append(found, to.Quad(&q), to.Release())
	if want := []error{nil, full, nil, full}; !slices.Equal(found, want) {
		t.Errorf("%v, want %v", found, want)
	}
}
