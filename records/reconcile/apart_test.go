package reconcile_test

import (
	"fmt"
	"slices"
	"testing"

	"laundromat/internal/testkit/entities"
	"laundromat/records/reconcile"
)

// apartFrom says that no two of the records with these ids are the same; those of one input.
func apartFrom(in string, sets ...[]string) func(func(int64, string, string) error) error {
	return func(each func(int64, string, string) error) error {
		for i, set := range sets {
			for _, id := range set {
				if err := each(int64(i), in, id); err != nil {
					return err
				}
			}
		}
		return nil
	}
}

// No two records of a set are merged of which a person said so, whatever the order; an answer about two of them counts
// more, and so does what follows from several. Records of other sets are merged as before.
func TestNoTwoRecordsOfASetThatIsApartAreMerged(t *testing.T) {
	set := entities.Persons(300, 7, 1)
	var same []string
	for i := range 40 {
		id := fmt.Sprintf("same-%02d", i)
		same = append(same, id)
		set.Rows[0] = append(set.Rows[0], []string{id,
			"Zebulon", "Quuxley", "7", "Long Lane", "Farville", "98765", "099 123456", "1931-05-06"})
	}
	of := func(pairs map[[2]string]bool) (n int) {
		for p := range pairs {
			if slices.Contains(same, p[0]) && slices.Contains(same, p[1]) {
				n++
			}
		}
		return n
	}
	for _, test := range []struct {
		name    string
		sets    [][]string
		answers []reconcile.Answer
		want    int // pairs of the forty
	}{
		{"nothing is said", nil, nil, 40 * 39 / 2},
		{"of all", [][]string{same}, nil, 0},
		{"of halves", [][]string{same[:20], same[20:]}, nil, 20},
		{"records that are gone", [][]string{{"gone", same[0], "gone too"}}, nil, 40 * 39 / 2},
		{"an answer about two", [][]string{same}, []reconcile.Answer{{A: same[3], B: same[7], Same: true}}, 1},
		{"answers about three", [][]string{same}, []reconcile.Answer{{A: same[3], B: same[7], Same: true},
			{A: same[7], B: same[9], Same: true}}, 3},
	} {
		var before map[[2]string]bool
		for range 2 {
			opt := reconcile.Options{Apart: apartFrom("a.csv", test.sets...), Answers: test.answers}
			e, _ := reconciled(t, "id: id", opt, recordsOf(set, 0))
			got := pairsOf(t, e)
			if n := of(got); n != test.want && test.name != "of halves" || test.name == "of halves" && n > test.want {
				t.Errorf("%s: %d pairs, want %d", test.name, n, test.want)
			}
			if len(got) < 150 {
				t.Errorf("%s: only %d pairs in all", test.name, len(got))
			}
			if before != nil && len(before) != len(got) {
				t.Errorf("%s: %d pairs in another order, %d before", test.name, len(got), len(before))
			}
			before = got
			slices.Reverse(set.Rows[0])
		}
	}
}

// Of two tables, a record of the first and one of the second may be apart, though their ids are the same.
func TestTwoRecordsOfTwoTablesAreApart(t *testing.T) {
	set := entities.Papers(120, 40, 60, 3, 1)
	for _, row := range set.Rows[1] {
		row[0] = "a" + row[0][1:] // the ids of the first table
	}
	apart := func(each func(int64, string, string) error) error {
		for _, in := range [...]string{"a.csv", "b.csv"} {
			if err := each(1, in, "a5"); err != nil {
				return err
			}
		}
		return nil
	}
	for _, test := range []struct {
		options reconcile.Options
		want    bool
	}{{reconcile.Options{}, true}, {reconcile.Options{Apart: apart}, false}} {
		e, _ := reconciled(t, "id: id", test.options, recordsOf(set, 0), recordsOf(set, 1))
		if got := pairsOf(t, e); got[[2]string{"a5", "a5"}] != test.want || len(got) < 100 {
			t.Errorf("merged: %v, of %d pairs", !test.want, len(got))
		}
	}
}

// Of a merge of many records, the surest pair of each is told.
func TestOfAMergeOfManyRecordsTheSurestPairsAreTold(t *testing.T) {
	set := entities.Persons(1500, 7, 1)
	const many = 150
	for i := range many {
		set.Rows[0] = append(set.Rows[0], []string{fmt.Sprintf("same-%03d", i), "Zebulon", "Quuxley", "7", "Long Lane", "Farville", "98765",
			"099 123456", "1931-05-06"})
	}
	e, result := reconciled(t, "id: id", reconcile.Options{}, recordsOf(set, 0))
	largest, pairs := 0, 0
	if err := e.Groups(t.Context(), func(g reconcile.Group) error {
		if pairs += len(g.Pairs); len(g.IDs) <= largest {
			return nil
		}
		largest = len(g.IDs)
		named := map[string]bool{}
		for _, p := range g.Pairs {
			named[p.A], named[p.B] = true, true
		}
		if len(g.IDs) == many && (len(g.Pairs) >= many || len(named) != many) {
			t.Errorf("%d pairs name %d of %d records", len(g.Pairs), len(named), many)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if largest != many || result.Pairs < many*(many-1)/2 || pairs > result.Pairs {
		t.Errorf("the largest merge is of %d records; %d pairs, %d of them told", largest, result.Pairs, pairs)
	}
}
