package reconcile_test

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/internal/testkit/entities"
	"laundromat/records"
	"laundromat/records/reconcile"
)

// lines is a sink that keeps records as JSON.
type lines struct{ all []string }

func (l *lines) Record(r *records.Record) error {
	l.all = append(l.all, string(r.AppendJSON(nil)))
	return nil
}

// merged are the records that an engine writes.
func merged(t testing.TB, e *reconcile.Engine) []*records.Record {
	t.Helper()
	var all []*records.Record
	if _, err := e.Write(context.Background(), keep{&all}); err != nil {
		t.Fatal(err)
	}
	return all
}

type keep struct{ all *[]*records.Record }

func (k keep) Record(r *records.Record) error { *k.all = append(*k.all, r.Clone()); return nil }
func (k keep) Notice(fault.Notice)            {}

func texts(all []*records.Record) (out []string) {
	for _, r := range all {
		out = append(out, string(r.AppendJSON(nil)))
	}
	return out
}

// sets are one of each mode.
func sets() map[string][][]*records.Record {
	persons, papers := entities.Persons(300, 21, 1), entities.Papers(150, 60, 90, 22, 1)
	return map[string][][]*records.Record{
		"clusters": {recordsOf(persons, 0)}, "one-to-one": {recordsOf(papers, 0), recordsOf(papers, 1)},
	}
}

func TestTheOrderOfRecordsDoesNotMatter(t *testing.T) {
	for mode, inputs := range sets() {
		t.Run(mode, func(t *testing.T) {
			e, _ := reconciled(t, "id: id", reconcile.Options{Workers: 1}, inputs...)
			want := pairsOf(t, e)
			for seed := range uint64(3) {
				for _, input := range inputs {
					rand.New(rand.NewPCG(seed, 1)).Shuffle(len(input), func(i, j int) { input[i], input[j] = input[j], input[i] })
				}
				// A small memory holds the values in files, and more goroutines take them in another order.
				e, _ := reconciled(t, "id: id", reconcile.Options{Workers: 3, Memory: 1 << 20}, inputs...)
				if got := pairsOf(t, e); !maps.Equal(got, want) {
					t.Errorf("other pairs in another order: %d, not %d", len(got), len(want))
				}
			}
		})
	}
}

func TestAMergeIsUndoneAndMergedAgain(t *testing.T) {
	for mode, inputs := range sets() {
		t.Run(mode, func(t *testing.T) {
			var before []string
			for _, input := range inputs {
				before = append(before, texts(input)...)
			}
			e, result := reconciled(t, "id: id", reconcile.Options{}, inputs...)
			if result.Groups == 0 {
				t.Fatal("nothing was merged")
			}
			all := merged(t, e)
			var back lines
			again := reconcile.New(plan(t, "id: id"), reconcile.Options{})
			defer again.Close()
			u := &reconcile.Unmerger{To: func(r *records.Record) error {
				back.Record(r)
				return again.Add(r)
			}}
			for _, r := range all {
				if err := u.Record(r); err != nil {
					t.Fatal(err)
				}
			}
			if err := u.Close(); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(back.all, before) {
				t.Error("the records are not those of before")
			}
			again.SetInputs(u.Inputs)
			if _, err := again.Run(context.Background()); err != nil {
				t.Fatal(err)
			}
			// The places of the records are those in the merged table.
			if got, want := texts(merged(t, again)), texts(all); !slices.Equal(got, want) {
				t.Error("a merge of a merge is another")
			}
		})
	}
}

func TestAnswersAreObeyed(t *testing.T) {
	for mode, inputs := range sets() {
		t.Run(mode, func(t *testing.T) {
			e, _ := reconciled(t, "id: id", reconcile.Options{}, inputs...)
			var first [2]string
			for p := range pairsOf(t, e) {
				if first == [2]string{} || p[0] < first[0] {
					first = p
				}
			}
			a, b := first[0], first[1]
			other := inputs[len(inputs)-1][0].Fields[0].Value.Text
			if other == b || other == a {
				other = inputs[len(inputs)-1][1].Fields[0].Value.Text
			}
			e, _ = reconciled(t, "id: id", reconcile.Options{Answers: []reconcile.Answer{{A: a, B: b}}}, inputs...)
			if found := pairsOf(t, e); found[first] {
				t.Errorf("%v is merged, though a person said no", first)
			}
			e, _ = reconciled(t, "id: id", reconcile.Options{Answers: []reconcile.Answer{{A: a, B: other, Same: true}}}, inputs...)
			if found := pairsOf(t, e); !found[[2]string{a, other}] && !found[[2]string{other, a}] {
				t.Errorf("%q and %q are not merged, though a person said yes", a, other)
			}
		})
	}
}

// FuzzMergeThenUndoIsTheIdentity merges records of any text.
func FuzzMergeThenUndoIsTheIdentity(f *testing.F) {
	f.Add("a b|c,a b|d\na b|e", true)
	f.Add("1|x y z,2|x y z,3|\n|,1|x,1|x", false)
	f.Add("é|ÅB-123 20GB,ß|ab123,İ|2001-02-03\n", true)
	f.Fuzz(func(t *testing.T, text string, apart bool) {
		if len(text) > 400 || !bytes.Equal([]byte(text), bytes.ToValidUTF8([]byte(text), nil)) {
			t.Skip()
		}
		var before []string
		tables := strings.SplitN(text, "\n", 2)
		if !apart {
			tables = tables[:1]
		}
		e := reconcile.New(plan(t, "id: id"), reconcile.Options{Workers: 2})
		defer e.Close()
		for i, table := range tables {
			e.Input(fmt.Sprint(i))
			for k, row := range strings.Split(table, ",") {
				r := &records.Record{Fields: []records.Field{{Name: "id", Value: records.TextOf(fmt.Sprint(k))}}}
				for n, cell := range strings.Split(row, "|") {
					r.Fields = append(r.Fields, records.Field{Name: fmt.Sprint("f", n), Value: records.TextOf(cell)})
				}
				before = append(before, string(r.AppendJSON(nil)))
				if err := e.Add(r); err != nil {
					t.Fatal(err)
				}
			}
		}
		if _, err := e.Run(context.Background()); err != nil {
			t.Fatal(err)
		}
		var back lines
		u := &reconcile.Unmerger{To: back.Record}
		for _, r := range merged(t, e) {
			if err := u.Record(r); err != nil {
				t.Fatal(err)
			}
		}
		if err := u.Close(); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(back.all, before) {
			t.Errorf("%q, not %q", back.all, before)
		}
	})
}
