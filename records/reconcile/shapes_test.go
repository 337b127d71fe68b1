package reconcile_test

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"laundromat/internal/testkit/entities"
	"laundromat/records/reconcile"
)

var shapes = flag.Int("shapes", 0, "of so many sets of each shape of two shops, print the figures, as a table in Markdown")

// TestTheShapesOfPublishedSets merges tables as long, and with as many partners, as sets that studies use.
func TestTheShapesOfPublishedSets(t *testing.T) {
	if *shapes == 0 {
		t.Skip("it takes minutes: go test ./records/reconcile -run Shapes -shapes 1 -v")
	}
	var out strings.Builder
	fmt.Fprint(&out, "\n| tables | records | partners | merged | precision | expected | recall | F1 |\n|---|--:|--:|--:|--:|--:|--:|--:|")
	for i := range *shapes {
		seed := uint64(700_000 + 1000*i)
		for _, c := range []struct {
			name string
			set  *entities.Set
		}{
			{"products, nearly all in both (as Abt–Buy)", entities.Products(1050, 31, 42, seed+1, 1.2)},
			{"software, most of few in many (as Amazon–Google)", entities.Software(1300, 63, 1926, seed+2, 1)},
			{"products, a few in many (as Walmart–Amazon)", entities.Products(960, 1594, 21114, seed+3, 1)},
			{"papers, most in both (as DBLP–ACM)", entities.Papers(2200, 416, 94, seed+4, .6)},
		} {
			e, result := reconciled(t, "id: id", reconcile.Options{}, recordsOf(c.set, 0), recordsOf(c.set, 1))
			p, r, f := score(pairsOf(t, e), c.set.Pairs)
			e.Close()
			fmt.Fprintf(&out, "\n| %s | %d × %d | %d | %d | %.3f | %.3f | %.3f | %.3f |", c.name, len(c.set.Rows[0]), len(c.set.Rows[1]),
				len(c.set.Pairs), result.Pairs, p, result.Precision, r, f)
			t.Log(out.String())
		}
	}
}

// TestTheShapeOfLives merges one table of persons of the past, of whom each has some ten records.
func TestTheShapeOfLives(t *testing.T) {
	if *shapes == 0 {
		t.Skip("it takes minutes: go test ./records/reconcile -run Shape -shapes 1 -v")
	}
	set := entities.Lives(700, 800_010, 1)
	e, result := reconciled(t, "id: id", reconcile.Options{}, recordsOf(set, 0))
	p, r, f := score(pairsOf(t, e), set.Pairs)
	t.Logf("%d records: precision %.3f (expected %.3f), recall %.3f, F1 %.3f", len(set.Rows[0]), p, result.Precision, r, f)
}
