package reconcile_test

import (
	"maps"
	"strings"
	"testing"

	"laundromat/internal/testkit/entities"
	"laundromat/records"
	"laundromat/records/reconcile"
)

// rowsOf are records of a table whose cells are apart by bars.
func rowsOf(table string) []*records.Record {
	set := &entities.Set{}
	for i, line := range strings.Split(strings.TrimSpace(table), "\n") {
		cells := strings.Split(line, "|")
		if i == 0 {
			set.Header[0] = cells
		} else {
			set.Rows[0] = append(set.Rows[0], cells)
		}
	}
	return recordsOf(set, 0)
}

// In tables of a few records, nothing can be learned of wrong pairs. Records that have little in common are not merged
// then, and it is not said how many pairs are right.
func TestFewRecordsAreMergedOnlyWhereTheyAreAlike(t *testing.T) {
	people := "id|name|city|phone\n1|Zoé Müller|Bern|031 555 12 12\n2|Ada Lovelace|London|020 7946 0001\n" +
		"3|Grace Hopper|New York|212-555-0101\n4|Alan Turing|Wilmslow|01625 555 000\n5|Edsger Dijkstra|Nuenen|040 555 777\n" +
		"6|Barbara Liskov|Boston|617 555 222"
	for _, test := range []struct{ name, a, b, want string }{
		{"three the same and one alone", people, "id|name|town|tel\nx1|Zoe Mueller|Bern|0315551212\nx2|A. Lovelace|London|02079460001\n" +
			"x3|Hopper Grace|NYC|2125550101\nx4|Kurt Gödel|Princeton|609 555 1", "1-x1 2-x2 3-x3"},
		{"one alone", people, "id|name|town|tel\nx4|Kurt Gödel|Princeton|609 555 1", ""},
		{"none the same", people, "id|name|town|tel\nx1|Kurt Gödel|Princeton|609 555 1\nx2|Emmy Noether|Göttingen|0551 1\n" +
			"x3|Sofja Kowalewskaja|Stockholm|08 2", ""},
		{"of other things", people, "id|title|year\ny1|On computable numbers|1936\ny2|Go to considered harmful|1968\n" +
			"y3|A relational model|1970", ""},
		{"one record in each, the same", "id|name|city\n1|Ada Lovelace|London", "id|name|city\nx|Ada Lovelace|London", "1-x"},
		{"one record in each, another", "id|name|city\n1|Ada Lovelace|London", "id|name|city\nx|Kurt Gödel|Princeton", ""},
		{"all equal", people, people, "1-1 2-2 3-3 4-4 5-5 6-6"},
		{"in another order", people, "id|name|city|phone\n" +
			"b|Alan Turing|Wilmslow|01625 555 000\na|Grace Hopper|New York|212-555-0101", "3-a 4-b"},
		{"nothing in common", "id|name|born\n1|John Smith|1901\n2|Ann Lee|1950\n3|Bo Derek|1956",
			"id|name|born\nx|Mary Jones|1999\ny|Peter Brown|1872", ""},
		{"an empty table", people, "id|name|city|phone", ""},
	} {
		e, result := reconciled(t, "id: id", reconcile.Options{Workers: 1}, rowsOf(test.a), rowsOf(test.b))
		want := map[[2]string]bool{}
		for _, pair := range strings.Fields(test.want) {
			a, b, _ := strings.Cut(pair, "-")
			want[[2]string{a, b}] = true
		}
		if got := pairsOf(t, e); !maps.Equal(got, want) {
			t.Errorf("%s: %v, want %v", test.name, got, want)
		}
		if result.Groups > 0 && !result.Few {
			t.Errorf("%s: a precision of %.2f was told of %d pairs", test.name, result.Precision, result.Pairs)
		}
	}
}
