package reconcile_test

import (
	"context"
	"testing"

	"laundromat/internal/testkit/entities"
	"laundromat/records/reconcile"
)

// completeness is the share of the true pairs of a table that are candidates, and how many candidates a record has.
func completeness(t testing.TB, set *entities.Set, opt reconcile.Options) (share, each float64) {
	t.Helper()
	e := reconcile.New(plan(t, "id: id"), opt)
	defer e.Close()
	e.Input("a.csv")
	for _, r := range recordsOf(set, 0) {
		if err := e.Add(r); err != nil {
			t.Fatal(err)
		}
	}
	found, right := 0, 0
	err := e.Candidates(context.Background(), func(a, b string) {
		found++
		if set.Pairs[[2]string{a, b}] || set.Pairs[[2]string{b, a}] {
			right++
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return float64(right) / float64(len(set.Pairs)), float64(found) / float64(len(set.Rows[0]))
}

// Few and many records have other keys, and in a small memory the index is made in several pieces. Hardly a pair may be
// missing in any of them.
func TestHardlyAPairIsNoCandidate(t *testing.T) {
	set := entities.Persons(4000, 31, 1)
	for name, opt := range map[string]reconcile.Options{
		"few": {}, "many": reconcile.OfMany(1000), "in a small memory": {Memory: 1 << 20},
	} {
		if share, each := completeness(t, set, opt); share < .985 || each > 9 {
			t.Errorf("%s: %.4f of the pairs are candidates, and each record has %.1f", name, share, each)
		}
	}
}

func TestCandidatesDoNotDependOnMemory(t *testing.T) {
	set := entities.Persons(2000, 32, 1)
	want, wantEach := completeness(t, set, reconcile.Options{Workers: 1})
	for _, workers := range []int{1, 2, 5} {
		share, each := completeness(t, set, reconcile.Options{Memory: 1 << 18, Workers: workers})
		if share != want || each != wantEach {
			t.Errorf("%d workers: %.5f of the pairs, %.5f of each; want %.5f, %.5f", workers, share, each, want, wantEach)
		}
	}
}

// BenchmarkCandidates finds the candidates of 200,000 persons.
func BenchmarkCandidates(b *testing.B) {
	set := entities.Persons(125_000, 33, 1)
	b.ResetTimer()
	for range b.N {
		share, each := completeness(b, set, reconcile.Options{Memory: 128 << 20})
		b.ReportMetric(share, "complete")
		b.ReportMetric(each, "pairs/record")
	}
}
