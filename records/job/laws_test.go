package job_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"laundromat/records"
	"laundromat/records/job"
)

// read runs a job over a text.
func read(t *testing.T, spec, file, text string, strict bool) (*tally, records.Counts) {
	t.Helper()
	j, err := compile(spec, job.Options{Strict: strict})
	if err != nil {
		t.Fatal(err)
	}
	got := &tally{}
	counts, err := j.Document(context.Background(), document(file, text), got)
	if err != nil {
		t.Fatalf("%s: %v\n%s", file, err, text)
	}
	if counts.Read != counts.Kept+counts.Repaired+counts.Dropped || counts.Written != counts.Kept+counts.Repaired ||
		counts.Written != int64(len(got.lines)) {
		t.Errorf("%+v, and %d records came out of\n%s", counts, len(got.lines), text)
	}
	return got, counts
}

// dirtyTable is a table with faults of a known outcome.
func dirtyTable(random *rand.Rand) (text string, kept, repaired, dropped int64) {
	var b strings.Builder
	b.WriteString("id,name,count\n")
	for i := range 20 + random.IntN(30) {
		switch random.IntN(8) {
		case 0:
			fmt.Fprintf(&b, "%d,word,%d,\n", i, i*3)
			repaired++
		case 1:
			fmt.Fprintf(&b, "%d,word,more,%d\n", i, i*3)
			dropped++
		case 2:
			fmt.Fprintf(&b, "%d,\"two\nlines\",%d\n", i, i*3)
			kept++
		case 3:
			fmt.Fprintf(&b, "%d,short\n", i)
			kept++
		default:
			fmt.Fprintf(&b, "%d,word,%d\n", i, i*3)
			kept++
		}
	}
	return b.String(), kept, repaired, dropped
}

// TestStrictIsTheLenientReadingWithoutRepairs: for 200 tables, by each part that may lie between.
func TestStrictIsTheLenientReadingWithoutRepairs(t *testing.T) {
	specs := []string{"", "select: {id: id, name: name}", "map: {\"*\": true}",
		"schema: {fields: [{name: id, type: integer}, {name: name}, {name: count}]}",
		"select: {id: id}\nmap: {n: {from: id}}\nschema: {fields: [{name: n, type: integer}]}"}
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 1))
		text, kept, repaired, dropped := dirtyTable(random)
		spec := specs[seed%uint64(len(specs))]
		lenient, counts := read(t, spec, "a.csv", text, false)
		if strings.Contains(spec, "schema: {fields: [{name: id") {
			// A row that lacks a field of its header breaks the schema.
			short := int64(strings.Count(text, ",short\n"))
			kept, dropped = kept-short, dropped+short
		}
		if want := (records.Counts{Read: kept + repaired + dropped, Kept: kept, Repaired: repaired, Dropped: dropped, Written: kept +
			repaired}); counts != want {
			t.Errorf("seed %d, %q: %+v, want %+v\n%s", seed, spec, counts, want, text)
		}
		strict, counts := read(t, spec, "a.csv", text, true)
		want := slices.DeleteFunc(slices.Clone(lenient.lines), func(line string) bool { return strings.HasSuffix(line, " repaired") })
		if !slices.Equal(strict.lines, want) || counts.Dropped != dropped+repaired || counts.Repaired != 0 {
			t.Errorf("seed %d, %q: %+v\n%s\nwant\n%s", seed, spec, counts, strings.Join(strict.lines, "\n"), strings.Join(want, "\n"))
		}
		if slices.ContainsFunc(strict.notices, func(n string) bool { return strings.HasPrefix(n, "repair") }) {
			t.Errorf("seed %d, %q: %q", seed, spec, strict.notices)
		}
	}
}

// TestRepairsOfAWholeValueAreThoseOfItsItems: selecting the items of a list of JSON counts the same
// records repaired as reading them one by one.
func TestRepairsOfAWholeValueAreThoseOfItsItems(t *testing.T) {
	items := []string{`{"a":%d}`, `{"a":%d}`, `{"a":%d,}`, `{a:%d}`, `{'a':%d}`, `{"a":%d,"b":{"c":[1,2,],"d":'x'}}`,
		`{"a":%d, "b":{"c":True}}`, `{"b":{"c":1},"a":%d}`}
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 2))
		var all []string
		for i := range 1 + random.IntN(8) {
			all = append(all, fmt.Sprintf(items[random.IntN(len(items))], i))
		}
		text := "[" + strings.Join(all, []string{",", ", ", ",\n  "}[random.IntN(3)]) + "]"
		each, counts := read(t, "select: {a: $.a}", "a.json", text, false)
		whole, wholeCounts := read(t, `select: ["$[*]", {a: $.a}]`, "a.json", text, false)
		if !slices.Equal(each.lines, whole.lines) || counts != wholeCounts {
			t.Errorf("%s\neach  %q %+v\nwhole %q %+v", text, each.lines, counts, whole.lines, wholeCounts)
		}
		if slices.Sort(each.notices); !slices.Equal(each.notices, slices.Sorted(slices.Values(whole.notices))) {
			t.Errorf("%s\neach  %q\nwhole %q", text, each.notices, whole.notices)
		}
	}
}
