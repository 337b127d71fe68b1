package reconcile_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/internal/testkit/entities"
	"laundromat/records"
	"laundromat/records/reconcile"
)

// twins are persons of whom some have two records, and some a twin at the same address.
func twins(n int) (all []*records.Record, twins, doubles [][2]string) {
	var base [][]string
	homes := map[string]bool{}
	for _, row := range entities.Persons(6*n, 301, 0).Rows[0] {
		if home := strings.ReplaceAll(row[7], "-", " "); !homes[home] { // no relatives, and none twice
			homes[home] = true
			base = append(base, row)
		}
	}
	header := entities.Persons(1, 301, 0).Header[0]
	add := func(id string, row []string) string {
		r := &records.Record{}
		for i, cell := range row {
			if i == 0 {
				cell = id
			}
			r.Fields = append(r.Fields, records.Field{Name: header[i], Value: records.TextOf(cell)})
		}
		all = append(all, r)
		return id
	}
	for i := range 3 * n {
		row := base[i]
		first := add(fmt.Sprint("p", i), row)
		other := append([]string(nil), row...)
		switch i % 3 {
		case 0:
			other[1] = base[3*n+i/3][1] + "x"
			twins = append(twins, [2]string{first, add(fmt.Sprint("t", i), other)})
		case 1:
			other[4] = strings.Replace(other[4], " ", "  ", 1) + "."
			doubles = append(doubles, [2]string{first, add(fmt.Sprint("d", i), other)})
		}
	}
	return all, twins, doubles
}

// In one table, too, answers are weighed: after some twins were told apart by a person, others are.
func TestAnswersWeighPairsOfTheirKindAnew(t *testing.T) {
	all, twins, doubles := twins(40)
	count := func(found map[[2]string]bool, of [][2]string) (n int) {
		for _, p := range of {
			if found[p] || found[[2]string{p[1], p[0]}] {
				n++
			}
		}
		return n
	}
	e, _ := reconciled(t, "id: id", reconcile.Options{}, all)
	before := pairsOf(t, e)
	if count(before, twins) < len(twins)/2 || count(before, doubles) < len(doubles)*9/10 {
		t.Fatalf("without answers, of %d twins %d are merged, of %d doubles %d", len(twins), count(before, twins), len(doubles),
			count(before, doubles))
	}
	var answers []reconcile.Answer
	for _, p := range twins[:8] {
		answers = append(answers, reconcile.Answer{A: p[0], B: p[1]})
	}
	e, result := reconciled(t, "id: id", reconcile.Options{Answers: answers}, all)
	after := pairsOf(t, e)
	if n := count(after, twins); n > 0 {
		t.Errorf("of %d twins, %d are merged after 8 were told apart", len(twins), n)
	}
	if n := count(after, doubles); n < len(doubles)*9/10 {
		t.Errorf("of %d doubles, only %d are merged", len(doubles), n)
	}
	if result.Precision < .9 {
		t.Errorf("expected precision %.3f", result.Precision)
	}
	// The model keeps them.
	model := kept(t, e)
	e, _ = reconciled(t, "id: id", reconcile.Options{Model: model}, all)
	if n := count(pairsOf(t, e), twins[8:]); n > 0 {
		t.Errorf("by the model, %d of the twins are merged", n)
	}
}

// A yes or no holds against whatever speaks against it: a chain, another cluster, likeness.
func TestAnswersHoldAgainstAllElse(t *testing.T) {
	table := "id|given|surname|street|town|born\n" +
		"1|Ada|Byron|1 High Street|London|1815-12-10\n2|Ada|Byron|1 High St|London|1815-12-10\n3|Ada|Byron|1 High Street|Londn|1815-12-10\n" +
		"4|Kurt|Gödel|Linden Lane|Princeton|1906-04-28\n5|Curt|Godel|Linden Ln|Princeton|1906-04-28\n" +
		"6|Emmy|Noether|Am Markt 3|Göttingen|1882-03-23\n7|Amalie Emmy|Nöther|Markt 3|Goettingen|1882-03-23\n" +
		"8|Sofja|Kowalewskaja|Strand 2|Stockholm|1850-01-15"
	for _, test := range []struct{ name, answers, together, apart string }{
		{"a no among three that are alike", "1-2:no", "", "1-2"},
		{"two noes", "1-2:no 1-3:no", "", "1-2 1-3"},
		{"a yes of two that have nothing in common", "4-8:yes", "4-8", ""},
		{"a yes, and a no of the one that was alike", "4-8:yes 4-5:no", "4-8", "4-5 5-8"},
		{"a yes against a cluster", "1-6:yes 6-7:no", "1-6", "6-7 1-7"},
		{"two yeses make three", "1-8:yes 8-4:yes", "1-8 1-4 4-8", ""},
		{"the other way round", "8-4:yes", "4-8", ""},
		{"of all three", "1-2:no 2-3:no 1-3:no", "", "1-2 2-3 1-3"},
		{"a yes of two that are alike", "6-7:yes", "6-7", ""},
		{"a yes across two clusters with a no", "1-4:yes 2-5:no", "1-4", "2-5"},
	} {
		var answers []reconcile.Answer
		for _, one := range strings.Fields(test.answers) {
			pair, same, _ := strings.Cut(one, ":")
			a, b, _ := strings.Cut(pair, "-")
			answers = append(answers, reconcile.Answer{A: a, B: b, Same: same == "yes"})
		}
		e, _ := reconciled(t, "id: id", reconcile.Options{Answers: answers}, rowsOf(table))
		found := pairsOf(t, e)
		has := func(pair string) bool {
			a, b, _ := strings.Cut(pair, "-")
			return found[[2]string{a, b}] || found[[2]string{b, a}]
		}
		for _, pair := range strings.Fields(test.together) {
			if !has(pair) {
				t.Errorf("%s: %s are apart", test.name, pair)
			}
		}
		for _, pair := range strings.Fields(test.apart) {
			if has(pair) {
				t.Errorf("%s: %s are together", test.name, pair)
			}
		}
	}
}

// Answers that contradict each other are refused; those about records that are not there are kept and reported.
func TestAnswersThatDoNotFit(t *testing.T) {
	a := "id|name|town\n1|Ada Lovelace|London\n2|Kurt Gödel|Princeton\n3|Emmy Noether|Göttingen"
	b := "id|name|town\nx|Ada Lovelace|London\ny|Kurt Godel|Princeton\n1|Emmy Noether|Gottingen"
	for _, test := range []struct {
		name    string
		part    string
		tables  string
		answers []reconcile.Answer
		fails   string
		notices int
	}{
		{"yes and no", "id: id", a, []reconcile.Answer{{A: "1", B: "2", Same: true}, {A: "2", B: "1"}}, "both yes and no", 0},
		{"a chain of yeses, and a no", "id: id", a,
			[]reconcile.Answer{{A: "1", B: "2", Same: true}, {A: "2", B: "3", Same: true}, {A: "1", B: "3"}},
			"though others make them so", 0},
		{"two partners", "id: id", a + "+" + b, []reconcile.Answer{{A: "1", B: "x", Same: true}, {A: "1", B: "y", Same: true}}, "both", 0},
		{"the second first", "id: id", a + "+" + b, []reconcile.Answer{{A: "x", B: "1", Same: true}}, "", 0},
		{"within one of two tables", "id: id", a + "+" + b, []reconcile.Answer{{A: "2", B: "3", Same: true}}, "", 1},
		{"unknown", "id: id", a, []reconcile.Answer{{A: "1", B: "9", Same: true}}, "", 1},
		{"both unknown", "id: id", a, []reconcile.Answer{{A: "8", B: "9"}}, "", 1},
		{"one with itself", "id: id", a, []reconcile.Answer{{A: "1", B: "1", Same: true}}, "", 1},
		{"an id of both inputs", "{id: id, mode: clusters}", a + "+" + b,
			[]reconcile.Answer{{A: "1", B: "x", Same: true}}, "several inputs", 0},
		{"with their inputs", "{id: id, mode: clusters}", a + "+" + b,
			[]reconcile.Answer{{A: "1", B: "1", In: [2]string{"a.csv", "b.csv"}, Same: true}}, "", 0},
		{"with an unknown input", "{id: id, mode: clusters}", a + "+" + b,
			[]reconcile.Answer{{A: "1", B: "x", In: [2]string{"c.csv", "b.csv"}, Same: true}}, "", 1},
	} {
		var told []fault.Notice
		e := reconcile.New(plan(t, test.part), reconcile.Options{Answers: test.answers,
			Notices: func(n fault.Notice) { told = append(told, n) }})
		for i, table := range strings.Split(test.tables, "+") {
			e.Input(string(rune('a'+i)) + ".csv")
			for _, r := range rowsOf(table) {
				if err := e.Add(r); err != nil {
					t.Fatal(err)
				}
			}
		}
		_, err := e.Run(context.Background())
		e.Close()
		if (err != nil) != (test.fails != "") || err != nil && !strings.Contains(err.Error(), test.fails) {
			t.Errorf("%s: the error is %v, want %q", test.name, err, test.fails)
		}
		notices := 0
		for _, n := range told {
			if n.Code == fault.ReconcileAnswer {
				notices++
			}
		}
		if notices != test.notices {
			t.Errorf("%s: %d notices, want %d", test.name, notices, test.notices)
		}
	}
}
