package daemon_test

import (
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"

	"laundromat/internal/files"
	"laundromat/seedlist"
	"laundromat/seedlist/seedfile"
	"laundromat/states/daemon"
	"laundromat/states/kind"
)

var anyFence = regexp.MustCompile(`"fence":\d+,?|"fences":\{[^}]*\},?`)

// fileOf is what is stored of a seed under a name of [seedfile.Find]; "" where there is nothing.
func (w *world) fileOf(seed seedlist.Seed, what string) string {
	w.t.Helper()
	n, err := seedfile.Find(&seed, what, 0)
	if err != nil {
		return ""
	}
	f, err := w.files.Open(n.Key, n.Suffix)
	if err != nil {
		w.t.Fatal(err)
	}
	defer f.Close()
	raw, err := io.ReadAll(files.Sequential(f))
	if err != nil {
		w.t.Fatal(err)
	}
	return string(raw)
}

// TestTheSameBytesMakeProductsOnce: the products of a document, their schemas and notices are those of another URI with
// the same bytes, where no URI is in them. All is as if each had been read.
func TestTheSameBytesMakeProductsOnce(t *testing.T) {
	const csv, json, xml = "text/csv", "application/json", "application/xml"
	broken := "a,b,c\n1,2,3\n4,5\n6,\xff7,8\n9,\"10,11\n"
	for _, c := range []struct {
		name, body  string
		first, then string // paths
		kind, kind2 string // media types
		products    string
		isShared    bool
	}{
		{"CSV", people, "/1/a.csv", "/2/b.csv", csv, csv, "", true},
		{"CSV with faults", broken, "/1/a.csv", "/2/b.csv", csv, csv, "", true},
		{"CSV without a name", people, "/1/", "/2/", csv, csv, "", true},
		{"CSV without rows", "a,b\n", "/1/a.csv", "/2/b.csv", csv, csv, "", true},
		{"large CSV", "n,t\n" + strings.Repeat("1,x\n22,yy\n", 60_000), "/1/a.csv", "/2/b.csv", csv, csv, "", true},
		{"packed CSV", packed(t, people, "gzip"), "/1/a.csv.gz", "/2/b.csv.gz", "application/gzip", "application/gzip", "", true},
		{"TSV", strings.ReplaceAll(people, ",", "\t"), "/1/a.tsv", "/2/b.tsv", "text/tab-separated-values", "text/tab-separated-values", "",
			true},
		{"workbook", workbook(t), "/1/a.xlsx", "/2/b.xlsx", "", "", "", true},
		{"JSON", `[{"a":1,"b":"x"},{"a":2,"b":"/y"}]`, "/1/a.json", "/2/b.json", json, json, "", true},
		{"broken JSON", `[{"a":1,"b":"x"},{"a":2,"b":"y}]`, "/1/a.json", "/2/b.json", json, json, "", true},
		{"JSON lines", `{"a":1}` + "\n" + `{"a":2}` + "\n", "/1/a.jsonl", "/2/b.jsonl", "", "", "", true},
		{"YAML", "- a: 1\n  b: x\n- a: 2\n  b: y\n", "/1/a.yaml", "/2/b.yaml", "", "", "", true},
		{"XML", "<all><one id='1'><n>x</n></one><one id='2'><n>y</n></one></all>", "/1/a.xml", "/2/b.xml", xml, xml, "", true},
		{"table of a page, no article", pageOfPeople, "/1/a.html", "/2/b.html", "text/html", "text/html", "records", true},
		{"lines of RDF", nt("a"), "/1/a.nt", "/2/b.nt", "application/n-triples", "application/n-triples", "", true},
		{"page", pageOfPeople, "/1/a.html", "/2/b.html", "text/html", "text/html", "", false},
		{"text", downText, "/1/a.txt", "/2/b.txt", "text/plain", "text/plain", "", false},
		{"feed", feedOfOne, "/1/a.rss", "/2/b.rss", "application/rss+xml", "application/rss+xml", "", false},
		{"other type", people, "/1/a.csv", "/2/b.csv", csv, "text/plain", "", false},
		{"other extension", people, "/1/a.csv", "/2/b.tsv", csv, csv, "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			both, alone := newWorld(t, seedlist.Options{}), newWorld(t, seedlist.Options{})
			for _, w := range []*world{both, alone} {
				if w.opt.Products = kind.Products(); c.products != "" {
					w.opt.Products = strings.Fields(c.products)
				}
				w.serve(c.first, c.kind, c.body)
				w.serve(c.then, c.kind2, c.body)
			}
			both.add(c.first)
			both.run()
			both.add(c.then)
			both.run()
			alone.add(c.then)
			alone.run()
			source, is, want := both.seed(c.first), both.seed(c.then), alone.seed(c.then)
			if is.Status != seedlist.Parsed || (is.WashedFrom == source.Hash) != c.isShared || want.WashedFrom != "" {
				t.Fatalf("%s, washed from %q: %+v", is.Status, is.WashedFrom, is.Record)
			}
			// The two servers have other ports, and each claim its fence.
			norm := func(w *world, text string) string {
				return anyFence.ReplaceAllString(strings.ReplaceAll(text, w.http.URL, "http://site"), "")
			}
			if !c.isShared {
				return
			}
			if *is.BaseUsed || *is.BlankNodes {
				t.Errorf("base used %v, blank nodes %v", *is.BaseUsed, *is.BlankNodes)
			}
			if got, want := norm(both, told(t, is)), norm(alone, told(t, want)); got != want {
				t.Errorf("the record is\n%s\nalone\n%s", got, want)
			}
			for _, what := range append(kind.Products(), seedfile.Schema, seedfile.Notices) {
				if got, want := both.fileOf(is, what), alone.fileOf(want, what); got != want {
					t.Errorf("%s: %d bytes, %d alone", what, len(got), len(want))
				}
			}
			if c.name != "lines of RDF" && both.fileOf(is, kind.Records) == "" {
				t.Error("no records")
			}
			mine, others := both.attempts(is.Hash), alone.attempts(want.Hash)
			if got, want := fmt.Sprint(mine[len(mine)-1].Counts, mine[len(mine)-1].InsertCount), fmt.Sprint(others[len(others)-1].Counts,
				others[len(others)-1].InsertCount); got != want {
				t.Errorf("counts %s, alone %s", got, want)
			}
			both.wholeStore()
		})
	}
}

const feedOfOne = `<rss version="2.0"><channel><title>News</title><item><title>One</title><link>/one</link>
<description>The first of all entries in this feed.</description></item></channel></rss>`

// TestAProductThatWasTakenOverStandsByItself: whatever becomes of the seed that it was taken from, it is there, and a
// store without it mends itself.
func TestAProductThatWasTakenOverStandsByItself(t *testing.T) {
	w := newWorld(t, seedlist.Options{})
	w.opt.Products = kind.Products()
	a, b := w.page("/a.csv", []byte(people)), w.page("/b.csv", []byte(others))
	w.add("/a.csv")
	w.run()
	w.add("/b.csv")
	w.run()
	want := w.fileOf(w.seed("/a.csv"), kind.Records)
	b.set(200, []byte(people))
	w.retry("/b.csv")
	w.run()
	is := w.seed("/b.csv")
	if is.WashedFrom != w.seed("/a.csv").Hash || w.fileOf(is, kind.Records) != want || len(is.Versions()) != 2 {
		t.Fatalf("washed from %q, %d versions", is.WashedFrom, len(is.Versions()))
	}
	w.wholeStore()
	same := func(when string) {
		t.Helper()
		if err := daemon.SweepOrphans(t.Context(), w.seeds, w.files); err != nil {
			t.Fatal(err)
		}
		w.wholeStore()
		if is := w.seed("/b.csv"); w.fileOf(is, kind.Records) != want || is.Status != seedlist.Parsed {
			t.Errorf("%s: %s", when, is.Status)
		}
	}
	a.set(200, []byte(others))
	w.retry("/a.csv")
	w.run()
	same("the other has other bytes")
	if answers, err := w.seeds.Remove(t.Context(), w.seed("/a.csv").Hash); err != nil || answers[0] != nil {
		t.Fatal(answers, err)
	}
	same("the other is gone")
	// Washed again, it is its own, and keeps its file.
	fence := is.Product(kind.Records).Fence
	again := func() {
		t.Helper()
		mendings, err := daemon.NewMender(w.seeds, w.files).Again(t.Context(), seedlist.Rewash, false, w.seed("/b.csv"))
		if err != nil || mendings[0].Err != nil {
			t.Fatal(mendings, err)
		}
		w.run()
	}
	again()
	same("washed again")
	if is = w.seed("/b.csv"); is.WashedFrom != "" || is.Product(kind.Records).Fence != fence {
		t.Errorf("washed from %q, %+v", is.WashedFrom, is.Products)
	}
	// A file that is damaged is not taken for what is there; one that is missing is nobody's source.
	w.page("/c.csv", []byte(people))
	w.add("/c.csv")
	w.run()
	if c := w.seed("/c.csv"); c.WashedFrom != is.Hash {
		t.Errorf("washed from %q", c.WashedFrom)
	}
	if err := w.files.Remove(files.Key(is.Hash, fence), files.Records); err != nil {
		t.Fatal(err)
	}
	again()
	same("it was missing")
	c := w.seed("/c.csv")
	if err := w.files.Remove(files.Key(c.Hash, c.Product(kind.Records).Fence), files.Schema); err != nil {
		t.Fatal(err)
	}
	is = w.seed("/b.csv")
	if err := w.files.Remove(files.Key(is.Hash, is.Product(kind.Records).Fence), files.Records); err != nil {
		t.Fatal(err)
	}
	w.page("/d.csv", []byte(people))
	w.add("/d.csv")
	w.run()
	if d := w.seed("/d.csv"); d.WashedFrom != "" || w.fileOf(d, kind.Records) != want {
		t.Errorf("washed from %q", d.WashedFrom)
	}
}

// TestWhatIsServedHasItsSayInWhatIsTakenOver: products of equal bytes are not taken over where a reading would keep
// what is served in their place.
func TestWhatIsServedHasItsSayInWhatIsTakenOver(t *testing.T) {
	for name, c := range map[string]struct{ before, then string }{
		"no rows in place of rows":    {people, "name,age\n"},
		"a table in place of a page":  {pageOfPeople, people},
		"a page in place of a table":  {people, pageOfPeople},
		"a table in place of lines":   {nt("a"), people},
		"lines in place of a table":   {people, nt("a")},
		"a text in place of a table":  {people, downText},
		"a login in place of a table": {people, longLogin},
		"JSON in place of a table":    {people, `[{"a":1},{"a":2}]`},
		"a table in place of JSON":    {`[{"a":1},{"a":2}]`, people},
		"an empty list in its place":  {`[{"a":1},{"a":2}]`, `[]`},
		"a workbook in its place":     {people, workbook(t)},
		"a table in place of text":    {downText, people},
	} {
		t.Run(name, func(t *testing.T) {
			both, alone := newWorld(t, seedlist.Options{}), newWorld(t, seedlist.Options{})
			both.opt.Products, alone.opt.Products = kind.Products(), kind.Products()
			both.page("/first", []byte(c.then))
			both.add("/first")
			both.run()
			for _, w := range []*world{both, alone} {
				p := w.page("/then", []byte(c.before))
				w.add("/then")
				w.run()
				p.set(200, []byte(c.then))
				w.retry("/then")
				w.run()
				w.wholeStore()
			}
			is, want := both.seed("/then"), alone.seed("/then")
			if is.Status != want.Status || is.Behind() != want.Behind() {
				t.Errorf("%s %q, alone %s %q", is.Status, is.Behind(), want.Status, want.Behind())
			}
			named := func(w *world, seed *seedlist.Seed, product string) string { // without what is of the port
				return strings.NewReplacer(w.http.URL, "", seed.Hash, "").Replace(w.product(*seed, product))
			}
			for _, product := range kind.Products() {
				if got, want := named(both, &is, product), named(alone, &want, product); got != want {
					t.Errorf("%s: %q, alone %q", product, got, want)
				}
			}
		})
	}
}
