package reconcile_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"laundromat/records"
	"laundromat/records/reconcile"
)

// strangeTables are inputs that hardly anything can be learned from.
func strangeTables() map[string][][]*records.Record {
	record := func(fields ...string) *records.Record {
		r := &records.Record{}
		for i := 0; i < len(fields); i += 2 {
			r.Fields = append(r.Fields, records.Field{Name: fields[i], Value: records.TextOf(fields[i+1])})
		}
		return r
	}
	many := func(n int, make func(i int) *records.Record) (all []*records.Record) {
		for i := range n {
			all = append(all, make(i))
		}
		return all
	}
	id := func(i int) string { return fmt.Sprint("r", i) }
	equal := many(60, func(i int) *records.Record { return record("id", id(i), "name", "Ada Lovelace", "town", "London") })
	huge := many(6, func(i int) *records.Record {
		return record("id", id(i), "name", fmt.Sprint("name ", i/2), "text", strings.Repeat(fmt.Sprint("word", i/2, " "), 200_000))
	})
	return map[string][][]*records.Record{
		"no record":                  {nil},
		"two tables without records": {nil, nil},
		"one empty table of two":     {equal, nil},
		"one record":                 {equal[:1]},
		"one record in each of two":  {equal[:1], equal[:1]},
		"two records":                {equal[:2]},
		"all equal":                  {equal},
		"all equal in both tables":   {equal, equal},
		"huge fields":                {huge},
		"huge fields in two tables":  {huge, huge},
		"no field but the id":        {many(40, func(i int) *records.Record { return record("id", id(i)) })},
		"all values empty":           {many(40, func(i int) *records.Record { return record("id", id(i), "a", "", "b", " ") })},
		"bytes that are not UTF-8": {many(40, func(i int) *records.Record {
			return record("id", id(i), "a", fmt.Sprint("\xff\xfe caf\xe9 ", i/2))
		})},
		"each record with its fields": {many(40, func(i int) *records.Record {
			return record("id", id(i), fmt.Sprint("f", i), fmt.Sprint("v", i/2))
		})},
		"no field in common": {many(40, func(i int) *records.Record { return record("id", id(i), "a", fmt.Sprint("one ", i)) }),
			many(40, func(i int) *records.Record { return record("id", id(i), "b", fmt.Sprint("other ", i)) })},
		"signs alone":       {many(40, func(i int) *records.Record { return record("id", id(i), "a", strings.Repeat("-.", i), "b", "…") })},
		"one field of many": {many(40, func(i int) *records.Record { return record("id", id(i), "a", "x", "b", fmt.Sprint(i)) })},
		"a word in each record": {many(300, func(i int) *records.Record {
			return record("id", id(i), "a", "the same words in each record", "b", fmt.Sprint(i/2*7919))
		})},
		"400 fields": {many(12, func(i int) *records.Record {
			fields := []string{"id", id(i)}
			for f := range 400 {
				fields = append(fields, fmt.Sprint("f", f), fmt.Sprint("v", f*(i/2)))
			}
			return record(fields...)
		})},
	}
}

// The laws hold of whatever table: the order of records does not matter, a merge is undone, and a merge of what was
// merged, by the model that was kept, is the same.
func TestTheLawsHoldOfStrangeTables(t *testing.T) {
	for name, inputs := range strangeTables() {
		t.Run(name, func(t *testing.T) {
			var before []string
			for _, input := range inputs {
				before = append(before, texts(input)...)
			}
			e, result := reconciled(t, "id: id", reconcile.Options{Workers: 1}, inputs...)
			want := pairsOf(t, e)
			if result.Records != len(before) || result.Pairs != len(want) {
				t.Errorf("%d records and %d pairs, of %d and %d", result.Records, result.Pairs, len(before), len(want))
			}
			all := merged(t, e)
			var back lines
			u := &reconcile.Unmerger{To: back.Record}
			for _, r := range all {
				if err := u.Record(r); err != nil {
					t.Fatal(err)
				}
			}
			if err := u.Close(); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(back.all, before) {
				t.Error("undone, the records are not those of before")
			}
			if model := kept(t, e); model != nil && result.Groups > 0 {
				if got := texts(mergedAgain(t, all, model)); !slices.Equal(got, texts(all)) {
					t.Error("a merge of a merge is another")
				}
			}
			for i := range inputs {
				inputs[i] = slices.Clone(inputs[i])
				slices.Reverse(inputs[i])
			}
			e, _ = reconciled(t, "id: id", reconcile.Options{Workers: 3, Memory: 1 << 20}, inputs...)
			if got := pairsOf(t, e); !maps.Equal(got, want) {
				t.Errorf("other pairs in another order: %d, not %d", len(got), len(want))
			}
		})
	}
}
