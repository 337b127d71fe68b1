package reconcile_test

import (
	"context"
	"encoding/csv"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"laundromat/internal/fault"
	"laundromat/rdf/rdftest"
	"laundromat/records"
	"laundromat/records/reconcile"
	"laundromat/records/spec"
)

// table reads a table with known pairs.
func table(t testing.TB, file string, comma rune) (all []*records.Record) {
	t.Helper()
	in, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	r := csv.NewReader(in)
	r.Comma, r.LazyQuotes, r.FieldsPerRecord, r.TrimLeadingSpace = comma, true, -1, true
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range rows[1:] {
		one := &records.Record{Document: file, Pos: fault.Pos{Line: int64(i + 2), Column: 1}}
		for j, cell := range row {
			if cell != "" && j < len(rows[0]) {
				one.Fields = append(one.Fields, records.Field{Name: rows[0][j], Value: records.TextOf(strings.TrimSpace(cell))})
			}
		}
		all = append(all, one)
	}
	return all
}

// plan compiles a part reconcile.
func plan(t testing.TB, text string) *reconcile.Plan {
	t.Helper()
	node, err := spec.Parse("spec.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	p, err := reconcile.Compile(node)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// reconciled runs an engine over inputs.
func reconciled(t testing.TB, part string, opt reconcile.Options, inputs ...[]*records.Record) (*reconcile.Engine, *reconcile.Result) {
	t.Helper()
	e := reconcile.New(plan(t, part), opt)
	t.Cleanup(e.Close)
	for i, input := range inputs {
		e.Input(string(rune('a'+i)) + ".csv")
		for _, r := range input {
			if err := e.Add(r.Clone()); err != nil {
				t.Fatal(err)
			}
		}
	}
	result, err := e.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return e, result
}

// pairsOf are the pairs that an engine found.
func pairsOf(t testing.TB, e *reconcile.Engine) map[[2]string]bool {
	t.Helper()
	found := map[[2]string]bool{}
	if err := e.Pairs(func(p reconcile.Pair) error {
		found[[2]string{p.A, p.B}] = true
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return found
}

// score compares pairs with the true ones, in either order.
func score(found, truth map[[2]string]bool) (precision, recall, f float64) {
	right := 0
	for p := range found {
		if truth[p] || truth[[2]string{p[1], p[0]}] {
			right++
		}
	}
	precision, recall = float64(right)/float64(max(len(found), 1)), float64(right)/float64(max(len(truth), 1))
	return precision, recall, 2 * precision * recall / max(precision+recall, 1e-9)
}

// TestGivenSetsReachTheirFigures reconciles the sets whose pairs are known.
func TestGivenSetsReachTheirFigures(t *testing.T) {
	root := rdftest.Shared(t, "records/entities")
	for _, set := range []struct {
		name         string
		files        []string
		comma        rune
		part         string
		recall, f    float64
		precisionErr float64
	}{
		{"restaurants", []string{"restaurants/rest1.csv", "restaurants/rest2.csv"}, '|', "id: id", .95, 0, 1},
		{"movies", []string{"movies/imdb.csv", "movies/tmdb.csv"}, '|', "id: id", .8, .85, .2},
		{"febrl1", []string{"febrl/dataset1.csv"}, ',', "id: rec_id", .97, .98, .05},
		{"febrl2", []string{"febrl/dataset2.csv"}, ',', "id: rec_id", .97, .98, .05},
	} {
		t.Run(set.name, func(t *testing.T) {
			var inputs [][]*records.Record
			for _, file := range set.files {
				inputs = append(inputs, table(t, filepath.Join(root, file), set.comma))
			}
			start := time.Now()
			e, result := reconciled(t, set.part, reconcile.Options{}, inputs...)
			p, r, f := score(pairsOf(t, e), truth(t, root, set.name, inputs))
			t.Logf("precision %.3f, recall %.3f, F1 %.3f; expected precision %.3f; %v; %+v", p, r, f, result.Precision, time.Since(start),
				result)
			if r < set.recall || f < set.f {
				t.Errorf("recall %.3f, F1 %.3f; want %.3f, %.3f", r, f, set.recall, set.f)
			}
			if d := result.Precision - p; d > set.precisionErr || d < -set.precisionErr {
				t.Errorf("the expected precision is %.3f, the true one %.3f", result.Precision, p)
			}
		})
	}
}

// truth is the pairs of a set that are the same.
func truth(t testing.TB, root, name string, inputs [][]*records.Record) map[[2]string]bool {
	truth := map[[2]string]bool{}
	if len(inputs) == 2 {
		for _, r := range table(t, filepath.Join(root, name, "gt.csv"), '|') {
			truth[[2]string{r.Fields[0].Value.Text, r.Fields[1].Value.Text}] = true
		}
		return truth
	}
	same := map[string][]string{}
	for _, r := range inputs[0] {
		id := r.Fields[0].Value.Text
		n := strings.Split(id, "-")[1]
		same[n] = append(same[n], id)
	}
	for _, ids := range same {
		for i, a := range ids {
			for _, b := range ids[i+1:] {
				truth[[2]string{a, b}] = true
			}
		}
	}
	return truth
}
