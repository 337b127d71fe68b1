package statistics

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// Names of large tables are looked up together. That changes no count, however many lines come at once, not even
// where names no longer have room.
func TestManyNamesAreCountedTheSameInAnyBlocks(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	var lines []string
	for i := range 5000 {
		lines = append(lines,
			fmt.Sprintf("<http://a.example/%d> %s<http://a.example/C%d> .", i/2, typeProperty, random.IntN(5000)),
			fmt.Sprintf("<http://a.example/%d> <http://a.example/p%d> <http://h%d.example/> .", i/2, random.IntN(5000), random.IntN(5000)),
			fmt.Sprintf(`<http://a.example/%d> <http://a.example/p> "x"^^<http://a.example/T%d> <http://a.example/g%d> .`, i/3,
				random.IntN(5000), i%2),
			fmt.Sprintf(`<http://a.example/%d> <http://a.example/p%d> "x"@aa-%d .`, i/3, i%3000, random.IntN(5000)))
	}
	slices.Sort(lines)
	lines = slices.Compact(lines)
	want := asJSON(t, recount(t, lines))
	long := strings.Repeat("x", 3000)
	var longer []string
	for _, line := range lines {
		longer = append(longer, strings.NewReplacer(".example/p", ".example/p"+long, "/C", "/C"+long).Replace(line))
	}
	cut := countBy(New(), longer, 1).Statistics()
	if len(cut.LeftOut) < 2 || len(cut.ByProperty) < manyNames {
		t.Fatalf("%+v, and %d properties", cut.LeftOut, len(cut.ByProperty))
	}
	for _, n := range []int{300, len(lines)} {
		c := New()
		if got := asJSON(t, countBy(c, lines, n).Statistics()); got != want {
			t.Errorf("%d at once: other counts", n)
		}
		c.Reset()
		if got := asJSON(t, countBy(c, longer, n).Statistics()); got != asJSON(t, cut) {
			t.Errorf("%d at once, without room: other counts", n)
		}
	}
}
