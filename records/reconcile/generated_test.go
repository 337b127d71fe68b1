package reconcile_test

import (
	"testing"
	"time"

	"laundromat/internal/testkit/entities"
	"laundromat/records"
	"laundromat/records/reconcile"
)

// recordsOf are the records of a table of a set.
func recordsOf(s *entities.Set, side int) (all []*records.Record) {
	for _, row := range s.Rows[side] {
		r := &records.Record{}
		for i, cell := range row {
			if cell != "" {
				r.Fields = append(r.Fields, records.Field{Name: s.Header[side][i], Value: records.TextOf(cell)})
			}
		}
		all = append(all, r)
	}
	return all
}

// TestGeneratedSetsReachTheirFigures reconciles sets whose errors are known.
func TestGeneratedSetsReachTheirFigures(t *testing.T) {
	for _, c := range []struct {
		name string
		set  *entities.Set
		f    float64
	}{
		{"persons", entities.Persons(3000, 11, 1), .98},
		{"persons, hard", entities.Persons(3000, 12, 2), .94},
		{"persons of the past", entities.Lives(150, 19, 1), .96},
		{"papers", entities.Papers(1000, 400, 600, 13, 1), .95},
		{"papers, few the same", entities.Papers(150, 500, 2000, 14, 1.5), .8},
		{"products", entities.Products(800, 300, 700, 15, 1), .8},
		{"products, few the same", entities.Products(300, 900, 2500, 16, 1.2), .6},
		{"products, few the same and none of them sure", entities.Products(300, 900, 2500, 402, 1.2), .6},
		{"products of two equal tables, none the same", entities.Products(0, 1200, 1200, 556, 1), 0},
		{"papers, none the same", entities.Papers(0, 500, 1500, 17, 1), 0},
		{"products, none the same", entities.Products(0, 800, 1500, 18, 1), 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			inputs := [][]*records.Record{recordsOf(c.set, 0)}
			if len(c.set.Rows[1]) > 0 {
				inputs = append(inputs, recordsOf(c.set, 1))
			}
			start := time.Now()
			e, result := reconciled(t, "id: id", reconcile.Options{}, inputs...)
			p, r, f := score(pairsOf(t, e), c.set.Pairs)
			t.Logf("precision %.3f (expected %.3f), recall %.3f, F1 %.3f; %d pairs of %d; %v", p, result.Precision, r, f, result.Pairs,
				len(c.set.Pairs), time.Since(start))
			if len(c.set.Pairs) == 0 {
				if most := min(len(inputs[0]), len(inputs[1])) / 50; result.Pairs > most || !result.NoMatches {
					t.Errorf("%d pairs of none are accepted, and at most %d may be; said: %v", result.Pairs, most, result.NoMatches)
				}
				return
			}
			if f < c.f {
				t.Errorf("F1 %.3f, want %.3f", f, c.f)
			}
		})
	}
}
