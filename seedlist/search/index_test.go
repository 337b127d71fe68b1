//go:build !lean

package search

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"
)

// someDocument is one of few words, terms and labels, so that documents share them.
func someDocument(number int64, r *rand.Rand) document {
	d := document{number: number, hash: hash(uint64(number)), mark: fmt.Sprint(r.Int())}
	if r.IntN(2) == 0 {
		d.entries = append(d.entries, entry{Field: Title, Text: fmt.Sprintf("title w%d", r.IntN(4))})
	}
	for _, field := range []Field{Class, Property} {
		for _, n := range r.Perm(5)[:r.IntN(4)] {
			d.entries = append(d.entries, entry{Field: field, Text: fmt.Sprintf("http://v.example/w%d/t%d", n%3, n)})
		}
	}
	labels := r.IntN(3)
	if r.IntN(20) == 0 {
		labels = 200 // of more than one pack
	}
	for n := range labels {
		d.entries = append(d.entries, entry{Field: LabelOf, Property: "http://p.example/name", Text: fmt.Sprintf("w%d l%d", r.IntN(4), n),
			Line: int64(n + 1)})
	}
	return d
}

// However documents come, change and go, what is found is what they say now, and nothing is left of what they said.
func TestWhatIsFoundIsWhatDocumentsSayNow(t *testing.T) {
	path := filepath.Join(t.TempDir(), "search.db")
	opened, err := openIndex(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { opened.close() }()
	known := standing{Layout: layout, Revision: 1}
	if _, err := opened.clear(t.Context(), standing{}, known); err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(5, 6))
	is := map[int64]document{}
	for round := range 40 {
		var some []document
		most := 4
		if round%2 == 1 {
			most = 80 // in time another batch begins
		}
		for _, n := range r.Perm(80)[:1+r.IntN(most)] {
			number := int64(n + 1)
			_, isThere := is[number]
			d := someDocument(number, r)
			if isThere && r.IntN(3) == 0 || round == 38 {
				d = document{number: number} // gone
			}
			if d.isNew = !isThere; d.isNew && d.mark == "" {
				continue
			}
			some = append(some, d)
			if delete(is, number); d.mark != "" {
				is[number] = d
			}
		}
		if round == 20 {
			opened.close()
			if opened, err = openIndex(path); err != nil {
				t.Fatal(err)
			}
		}
		if done, err := opened.write(t.Context(), known, known, some); err != nil || !done {
			t.Fatalf("%v, %v", done, err)
		}
		compareFound(t, opened, is)
		if round%10 == 9 {
			if err := opened.compact(t.Context()); err != nil {
				t.Fatal(err)
			}
			compareFound(t, opened, is)
			if n := setting(t, opened, "freelist_count"); n != 0 {
				t.Errorf("%d pages are free in a file that was compacted", n)
			}
		}
	}
	var gone []document
	for number := range is {
		gone = append(gone, document{number: number})
	}
	if _, err := opened.write(t.Context(), known, known, gone); err != nil {
		t.Fatal(err)
	}
	compareFound(t, opened, nil)
	for _, table := range []string{"documents", "packs", "terms", "uses"} {
		var rows int
		if err := opened.(*index).reads.QueryRow("select count(*) from " + table).Scan(&rows); err != nil || rows != 0 {
			t.Errorf("%s: %d rows are left, %v", table, rows, err)
		}
	}
}

// setting is what a pragma says.
func setting(t *testing.T, in store, name string) (n int64) {
	t.Helper()
	if err := in.(*index).writes.QueryRow("pragma " + name).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// The driver applies settings in an order of its own, in which the size of pages comes too late; and what SQLite writes
// beside the file has its mode.
func TestTheFileIsAsItIsMeantToBe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "search.db")
	for range 2 { // made, and opened again
		x, err := openIndex(path)
		if err != nil {
			t.Fatal(err)
		}
		if n := setting(t, x, "page_size"); n != 16384 {
			t.Errorf("a page has %d bytes", n)
		}
		for _, end := range []string{"", "-wal", "-shm"} { // their texts are nobody else's
			if info, err := os.Stat(path + end); err != nil || info.Mode().Perm() != 0o600 && runtime.GOOS != "windows" {
				t.Errorf("%s: %v, %v", end, info.Mode(), err)
			}
		}
		x.close()
	}
}

// compareFound compares what each word finds with what documents say.
func compareFound(t *testing.T, in store, documents map[int64]document) {
	t.Helper()
	packs := map[place][]entry{}
	for _, word := range []string{"w0", "w1", "w2", "w3", "t1", "title"} {
		var want, got []string
		for _, number := range slices.Sorted(maps.Keys(documents)) {
			for _, e := range documents[number].entries {
				if slices.Contains(e.words(), word) {
					want = append(want, fmt.Sprintln(number, e.Field, e.Property, e.Text, e.Line))
				}
			}
		}
		rows, err := in.rows(t.Context(), `"`+word+`"`, 100_000)
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range rows {
			number, at := splitRow(row)
			pack := place{number, at / mostInPack * mostInPack}
			entries, isRead := packs[pack]
			if !isRead {
				if entries, err = in.entries(t.Context(), number, pack.number, pack.number+1); err != nil {
					t.Fatal(err)
				}
				packs[pack] = entries
			}
			if at%mostInPack >= len(entries) {
				t.Fatalf("%s: entry %d of document %d is not among %d", word, at, number, len(entries))
			}
			e := entries[at%mostInPack]
			got = append(got, fmt.Sprintln(number, e.Field, e.Property, e.Text, e.Line))
		}
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Fatalf("%s: found\n%s\nnot\n%s", word, got, want)
		}
		if few, err := in.rows(t.Context(), `"`+word+`"`, 3); err != nil || len(few) != min(3, len(want)) {
			t.Fatalf("%s: %d of the first 3, %v", word, len(few), err)
		}
	}
}

// What was written in a transaction that came to nothing is not believed to be there.
func TestATransactionThatFailsLeavesNoTerms(t *testing.T) {
	x, err := openIndex(filepath.Join(t.TempDir(), "search.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer x.close()
	known := standing{Layout: layout, Revision: 1, Time: time.Unix(1, 0).UTC()}
	if _, err := x.clear(t.Context(), standing{}, known); err != nil {
		t.Fatal(err)
	}
	d := document{number: 1, hash: hash(1), mark: "1", isNew: true, entries: []entry{{Field: Class, Text: "http://v.example/w0"}}}
	besideDamage := document{number: 2, hash: hash(2), mark: "1", entries: []entry{{Field: Class, Text: "http://v.example/w1"}}}
	if _, err := x.(*index).writes.Exec("insert into documents values(2, 'h', 'm', 1, 0, 1, x'')"); err != nil {
		t.Fatal(err)
	}
	if _, err := x.write(t.Context(), known, known, []document{d, besideDamage}); err == nil {
		t.Fatal("a damaged pack was read")
	}
	if _, err := x.write(t.Context(), known, known, []document{d}); err != nil {
		t.Fatal(err)
	}
	compareFound(t, x, map[int64]document{1: d})
}
