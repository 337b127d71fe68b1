package reconcile_test

import (
	"context"
	"slices"
	"testing"

	"laundromat/internal/testkit/entities"
	"laundromat/records/reconcile"
)

// candidatesOf are the candidates of the records of one table, in their order.
func candidatesOf(t testing.TB, set *entities.Set, opt reconcile.Options) (pairs [][2]string) {
	t.Helper()
	e := reconcile.New(plan(t, "id: id"), opt)
	defer e.Close()
	e.Input("a.csv")
	for _, r := range recordsOf(set, 0) {
		if err := e.Add(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := e.Candidates(context.Background(), func(a, b string) { pairs = append(pairs, [2]string{a, b}) }); err != nil {
		t.Fatal(err)
	}
	return pairs
}

// completeness is the share of the true pairs of a table that are candidates, and how many candidates a record has.
func completeness(t testing.TB, set *entities.Set, opt reconcile.Options) (share, each float64) {
	t.Helper()
	found, right := candidatesOf(t, set, opt), 0
	for _, p := range found {
		if set.Pairs[p] || set.Pairs[[2]string{p[1], p[0]}] {
			right++
		}
	}
	return float64(right) / float64(len(set.Pairs)), float64(len(found)) / float64(len(set.Rows[0]))
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

// In a small memory keys are counted, and records indexed, in several pieces, and what is found is held in files.
func TestCandidatesDoNotDependOnMemory(t *testing.T) {
	set := entities.Persons(2000, 32, 1)
	for name, opt := range map[string]reconcile.Options{"few": {}, "many": reconcile.OfMany(1000)} {
		opt.Workers = 1
		want := candidatesOf(t, set, opt)
		for _, workers := range []int{1, 2, 5} {
			opt.Memory, opt.Workers = 1<<18, workers
			if got := candidatesOf(t, set, opt); !slices.Equal(got, want) {
				t.Errorf("%s, %d workers: other candidates, %d and not %d", name, workers, len(got), len(want))
			}
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
