package reconcile_test

import (
	"bytes"
	"context"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"laundromat/internal/testkit/entities"
	"laundromat/records"
	"laundromat/records/reconcile"
)

// smallSet is a small set of any kind.
func smallSet(kind uint8, seed uint64) [][]*records.Record {
	n := 20 + int(seed%90)
	hard := 1 + float64(seed%3)/2
	switch kind % 3 {
	case 0:
		return [][]*records.Record{recordsOf(entities.Persons(n, seed, hard), 0)}
	case 1:
		s := entities.Papers(n, n/2, n, seed, hard)
		return [][]*records.Record{recordsOf(s, 0), recordsOf(s, 1)}
	}
	s := entities.Products(n, n, n/3, seed, hard)
	return [][]*records.Record{recordsOf(s, 0), recordsOf(s, 1)}
}

// kept is the model of a run, as it is written and read.
func kept(t testing.TB, e *reconcile.Engine) *reconcile.Model {
	t.Helper()
	model := e.Model()
	if model == nil {
		return nil
	}
	var file bytes.Buffer
	if err := model.Write(&file); err != nil {
		t.Fatal(err)
	}
	again, err := reconcile.ReadModel(&file)
	if err != nil {
		t.Fatal(err)
	}
	return again
}

// mergedAgain merges what a run wrote, by a model.
func mergedAgain(t testing.TB, all []*records.Record, model *reconcile.Model) []*records.Record {
	t.Helper()
	again := reconcile.New(plan(t, "id: id"), reconcile.Options{Model: model})
	defer again.Close()
	u := &reconcile.Unmerger{To: again.Add}
	for _, r := range all {
		if err := u.Record(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := u.Close(); err != nil {
		t.Fatal(err)
	}
	again.SetInputs(u.Inputs)
	if _, err := again.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	return merged(t, again)
}

// FuzzAMergeOfAMergeChangesNothing merges what was merged, with the model that the first run kept.
func FuzzAMergeOfAMergeChangesNothing(f *testing.F) {
	for kind := range uint8(3) {
		for seed := range uint64(4) {
			f.Add(kind, 40+seed*17)
		}
	}
	f.Fuzz(func(t *testing.T, kind uint8, seed uint64) {
		inputs := smallSet(kind, seed)
		e, result := reconciled(t, "id: id", reconcile.Options{}, inputs...)
		if result.Groups == 0 {
			return
		}
		model := kept(t, e)
		if model == nil {
			t.Fatal("records were merged, and no model was kept")
		}
		all := merged(t, e)
		if got, want := texts(mergedAgain(t, all, model)), texts(all); !slices.Equal(got, want) {
			t.Errorf("kind %d, seed %d: a merge of a merge is another", kind, seed)
		}
	})
}

// FuzzTheOrderOfRecordsDoesNotMatter merges records in another order.
func FuzzTheOrderOfRecordsDoesNotMatter(f *testing.F) {
	for kind := range uint8(3) {
		f.Add(kind, uint64(71), uint64(3))
		f.Add(kind, uint64(111), uint64(9))
	}
	f.Fuzz(func(t *testing.T, kind uint8, seed, order uint64) {
		inputs := smallSet(kind, seed)
		e, _ := reconciled(t, "id: id", reconcile.Options{Workers: 1}, inputs...)
		want := pairsOf(t, e)
		model := kept(t, e)
		coin := rand.New(rand.NewPCG(order, 1))
		for _, input := range inputs {
			coin.Shuffle(len(input), func(i, j int) { input[i], input[j] = input[j], input[i] })
		}
		e, _ = reconciled(t, "id: id", reconcile.Options{Workers: 3, Memory: 1 << 20}, inputs...)
		if got := pairsOf(t, e); !maps.Equal(got, want) {
			t.Errorf("kind %d, seed %d: other pairs in another order: %d, not %d", kind, seed, len(got), len(want))
		}
		if again := kept(t, e); model != nil {
			var one, other bytes.Buffer
			model.Write(&one)
			again.Write(&other)
			if one.String() != other.String() {
				t.Errorf("kind %d, seed %d: another model in another order", kind, seed)
			}
		}
	})
}

// With the model of all records, a few of them are merged as they were among all, though they alone could teach
// nothing.
func TestAFewRecordsAreMergedByTheModelOfMany(t *testing.T) {
	set := entities.Papers(400, 100, 100, 51, 1)
	all := [][]*records.Record{recordsOf(set, 0), recordsOf(set, 1)}
	e, _ := reconciled(t, "id: id", reconcile.Options{}, all...)
	model, whole := kept(t, e), pairsOf(t, e)
	var few [2][]*records.Record
	chosen := map[string]bool{}
	for pair := range set.Pairs {
		if strings.HasSuffix(pair[0], "7") {
			chosen[pair[0]], chosen[pair[1]] = true, true
		}
	}
	for side := range few {
		for _, r := range all[side] {
			if id := r.Fields[0].Value.Text; chosen[id] || strings.HasSuffix(id, "55") {
				few[side] = append(few[side], r)
			}
		}
	}
	e, _ = reconciled(t, "id: id", reconcile.Options{Model: model}, few[0], few[1])
	got, missing := pairsOf(t, e), 0
	for pair := range whole {
		if chosen[pair[0]] && chosen[pair[1]] && !got[pair] {
			missing++
		}
	}
	if len(got) < 30 || missing > len(got)/20 {
		t.Errorf("%d pairs, and %d of those of all records are missing", len(got), missing)
	}
}

func TestABrokenModelIsRefused(t *testing.T) {
	e, _ := reconciled(t, "id: id", reconcile.Options{}, smallSet(1, 77)...)
	var file bytes.Buffer
	if err := kept(t, e).Write(&file); err != nil {
		t.Fatal(err)
	}
	text := file.String()
	for name, broken := range map[string]string{
		"empty":           "",
		"of another kind": "[1, 2]",
		"cut":             text[:len(text)/2],
		"an unknown key":  `{"mode": "one-to-one", "more": 1}`,
		"no mode":         `{"fields": []}`,
		"another mode":    strings.Replace(text, `"one-to-one"`, `"clusters"`, 1),
		"an unknown kind": strings.Replace(text, `"kind": "`, `"kind": "un`, 1),
		"a field less":    `{"mode":"one-to-one","fields":[],"oneToOne":` + text[strings.Index(text, `"oneToOne": `)+12:],
		"no weights":      `{"mode":"one-to-one","fields":[]}`,
		"no classes":      `{"mode":"clusters","fields":[]}`,
		"one level":       `{"mode":"clusters","fields":[{"name":"a","kind":"name"}],"clusters":[{"share":1,"levels":[[1]]},{"share":0,"levels":[[1]]}]}`,
	} {
		if _, err := reconcile.ReadModel(strings.NewReader(broken)); err == nil {
			t.Errorf("%s: a broken model was read", name)
		}
	}
}
