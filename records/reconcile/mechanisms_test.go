package reconcile_test

import (
	"flag"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"laundromat/internal/testkit/entities"
	"laundromat/rdf/rdftest"
	"laundromat/records"
	"laundromat/records/reconcile"
)

var (
	mechanisms = flag.Bool("mechanisms", false, "print what each mechanism earns, as a table in Markdown")
	otherSeeds = flag.Uint64("seeds", 0, "what is added to the seeds of the sets that are made for -mechanisms")
)

// measured is a set with its true pairs.
type measured struct {
	name   string
	part   string
	inputs [][]*records.Record
	truth  map[[2]string]bool
}

// TestWhatEachMechanismEarns merges sets without each mechanism, one of them given in each mode.
func TestWhatEachMechanismEarns(t *testing.T) {
	if !*mechanisms {
		t.Skip("it takes minutes: go test ./records/reconcile -run Mechanism -mechanisms -v")
	}
	root := rdftest.Shared(t, "records/entities")
	given := func(name, part string, comma rune, files ...string) measured {
		m := measured{name: name, part: part}
		for _, file := range files {
			m.inputs = append(m.inputs, table(t, filepath.Join(root, file), comma))
		}
		m.truth = truth(t, root, name, m.inputs)
		return m
	}
	made := func(name string, set *entities.Set) measured {
		m := measured{name, "id: id", [][]*records.Record{recordsOf(set, 0)}, set.Pairs}
		if len(set.Rows[1]) > 0 {
			m.inputs = append(m.inputs, recordsOf(set, 1))
		}
		return m
	}
	for mode, sets := range [2][]measured{
		{given("movies", "id: id", '|', "movies/imdb.csv", "movies/tmdb.csv"),
			made("products", entities.Products(500, 500, 900, 61+*otherSeeds, 1)),
			made("papers", entities.Papers(200, 500, 1200, 62+*otherSeeds, 1.5))},
		{given("febrl2", "id: rec_id", ',', "febrl/dataset2.csv"), made("persons", entities.Persons(2500, 63+*otherSeeds, 1)),
			made("persons, twice the errors", entities.Persons(2500, 64+*otherSeeds, 2))},
	} {
		var out strings.Builder
		fmt.Fprint(&out, "\n| without |")
		for _, s := range sets {
			fmt.Fprintf(&out, " %s |", s.name)
		}
		fmt.Fprintf(&out, "\n|---|%s", strings.Repeat("--:|", len(sets)))
		row := func(name string, opt reconcile.Options) {
			fmt.Fprintf(&out, "\n| %s |", name)
			for _, s := range sets {
				e, _ := reconciled(t, s.part, opt, s.inputs...)
				_, _, f := score(pairsOf(t, e), s.truth)
				e.Close()
				fmt.Fprintf(&out, " %.3f |", f)
			}
		}
		row("(nothing)", reconcile.Options{})
		for _, m := range reconcile.Mechanisms[mode] {
			row(string(m), reconcile.Without(m))
		}
		t.Log(out.String())
	}
}
