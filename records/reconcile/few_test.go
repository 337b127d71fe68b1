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
		{"another of a line of articles", "id|title|model\n1|Quill laser printer P1006|CB411A\n2|Nuvo road atlas 255W|N718-20\n" +
			"3|Orbis lamp, oak|L40-77\n4|Harlan desk fan|F300-2\n5|Tessel kettle steel|K17-05",
			"id|name\nx|Quill laser printer P1005 CB410A\ny|Nuvo road atlas 255W N71820\n" +
				"z|Orbis oak lamp L4077\nv|Harlan fan F3002\nw|Tessel steel kettle K1705", "2-y 3-z 4-v 5-w"},
		{"articles that each shop numbers", "id|title|article\n1|Quill laser printer, white|AX-0112\n2|Nuvo road atlas|AX-0417\n" +
			"3|Orbis lamp, oak|AX-0633", "id|name|number\nx|Quill laser printer white|778B20\ny|Nuvo road atlas|812B33\n" +
			"z|Orbis oak lamp|951B07", "1-x 2-y 3-z"},
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

// In a table of a few records of one table, those that share an address and differ in a name are no match, and a
// person's answer makes none of strangers.
func TestFewRecordsThatContradictEachOtherStayApart(t *testing.T) {
	const couple = "id|given|surname|street|town|phone|born\n1|Anna|Keller|4 Mill Road|Bath|01225 555 010|1961-04-12\n" +
		"2|Peter|Keller|4 Mill Road|Bath|01225 555 010|1958-11-02\n3|Ingrid|Sorensen|48 Fjord Street|Oslo|555-0105|1971-02-03\n" +
		"4|Ingrid|Sørensen|48 Fjord St|Oslo|5550105|1971-02-03\n5|Kwame|Mensah|15 Palm Avenue|Accra|555-0106|1978-01-25\n" +
		"6|Kwame|Mensa|15 Palm Ave|Accra|555-0106|1978-01-25\n7|Tomasz|Zieliński|5 Rynek|Kraków|555-0108|1990-12-08\n" +
		"8|Claire|Dubois|17 Rue Pasteur|Lyon|555-0111|1972-02-29\n9|Hiroshi|Tanaka|8 Sakura Dori|Nagoya|555-0110|1969-11-30\n" +
		"10|Lucia|Ferrari|22 Via Roma|Turin|555-0107|1983-07-19"
	undated := strings.NewReplacer("|born", "", "|1961-04-12", "", "|1958-11-02", "", "|1971-02-03", "", "|1978-01-25", "",
		"|1990-12-08", "",
		"|1972-02-29", "", "|1969-11-30", "", "|1983-07-19", "").Replace(couple)
	for _, test := range []struct {
		name, table string
		answers     []reconcile.Answer
	}{
		{"a couple", couple, nil},
		{"a couple without dates", undated, nil},
		{"a wrong answer", couple, []reconcile.Answer{{A: "7", B: "8", Same: true}}},
	} {
		e, _ := reconciled(t, "id: id", reconcile.Options{Answers: test.answers}, rowsOf(test.table))
		want := map[[2]string]bool{{"3", "4"}: true, {"5", "6"}: true}
		if len(test.answers) > 0 {
			want[[2]string{"7", "8"}] = true
		}
		got := map[[2]string]bool{}
		for p := range pairsOf(t, e) {
			got[[2]string{min(p[0], p[1]), max(p[0], p[1])}] = true
		}
		if !maps.Equal(got, want) {
			t.Errorf("%s: %v, want %v", test.name, got, want)
		}
	}
}
