package reconcile_test

import (
	"flag"
	"fmt"
	"math"
	"strings"
	"testing"

	"laundromat/internal/testkit/entities"
	"laundromat/records/reconcile"
)

var told = flag.Int("told", 0, "of so many sets of each kind, print the expected precision beside the true one, as a table in Markdown")

// overlapping are two tables of 1,000 and 2,500 records, of which so many per cent of the smaller have a partner.
func overlapping(kind string, percent int, seed uint64) *entities.Set {
	common := 10 * percent
	if kind == "papers" {
		return entities.Papers(common, 1000-common, 2500-common, seed, 1.5)
	}
	return entities.Products(common, 1000-common, 2500-common, seed, 1.2)
}

// TestHowPreciseThePrecisionIs compares the precision that is expected with the true one, on sets of which few records
// to many have a partner.
func TestHowPreciseThePrecisionIs(t *testing.T) {
	if *told == 0 {
		t.Skip("it takes minutes: go test ./records/reconcile -run Precise -told 10 -v")
	}
	var out strings.Builder
	fmt.Fprint(&out, "\n| tables | with a partner | merged | expected | true | mean distance | largest | F1 |\n|---|--:|--:|--:|--:|--:|--:|--:|")
	for _, kind := range []string{"papers", "products"} {
		for _, percent := range []int{0, 2, 5, 10, 20, 30, 60} {
			var n, expected, right, distance, largest, sumF float64
			for i := range *told {
				set := overlapping(kind, percent, uint64(300_000+1000*percent+i))
				e, result := reconciled(t, "id: id", reconcile.Options{}, recordsOf(set, 0), recordsOf(set, 1))
				p, _, f := score(pairsOf(t, e), set.Pairs)
				e.Close()
				sumF += f
				if result.Pairs == 0 || result.Few {
					continue
				}
				n++
				d := math.Abs(result.Precision - p)
				expected, right, distance, largest = expected+result.Precision, right+p, distance+d, max(largest, d)
			}
			fmt.Fprintf(&out, "\n| %s | %d %% | %.0f of %d |", kind, percent, n, *told)
			if n == 0 {
				fmt.Fprint(&out, " | | | |")
			} else {
				fmt.Fprintf(&out, " %.3f | %.3f | %.3f | %.3f |", expected/n, right/n, distance/n, largest)
			}
			fmt.Fprintf(&out, " %.3f |", sumF/float64(*told))
		}
	}
	t.Log(out.String())
}
