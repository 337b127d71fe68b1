package daemon_test

import (
	"io"
	"testing"

	"github.com/klauspost/compress/gzip"

	"laundromat/internal/files"
	"laundromat/seedlist"
	"laundromat/seedlist/seedfile"
	"laundromat/states/daemon"
	"laundromat/states/kind"
)

// product is the content of the file of a product that is served of a seed; "" for none.
func (w *world) product(seed seedlist.Seed, name string) string {
	w.t.Helper()
	if name == kind.Statements {
		if served := seed.Served(); served.Clean != "" {
			return w.clean(served)
		}
		return ""
	}
	n, err := seedfile.Find(&seed, name, 0)
	if err != nil {
		return ""
	}
	file, err := w.files.Open(n.Key, n.Suffix)
	if err != nil {
		w.t.Fatal(err)
	}
	defer file.Close()
	unpacked, err := gzip.NewReader(files.Sequential(file))
	if err != nil {
		w.t.Fatal(err)
	}
	text, err := io.ReadAll(unpacked)
	if err != nil {
		w.t.Fatal(err)
	}
	return string(text)
}

// wholeStore fails the test where a file is missing or damaged, or is named by no record.
func (w *world) wholeStore() (sums daemon.Verified) {
	w.t.Helper()
	sums, err := daemon.Verify(w.t.Context(), w.seeds, w.files, func(d daemon.Damage) error {
		w.t.Errorf("verify: %+v", d)
		return nil
	})
	if err != nil {
		w.t.Error(err)
	}
	return sums
}

const (
	people   = "id,name,born\n1,Ada,1815\n2,Bob,1901\n3,Eve,1950\n"
	others   = "id,name,born\n4,Dan,1815\n5,Fay,1901\n6,Gus,1950\n"
	newsFeed = `<?xml version="1.0"?><rss version="2.0"><channel><title>News</title><link>http://x.example/</link>` +
		`<item><title>One</title><link>http://x.example/1</link><description>First entry of the feed.</description></item></channel></rss>`
	pageOfPeople = "<!DOCTYPE html><html lang=en><head><title>People</title></head><body><h1>People</h1><p>This page has a paragraph of " +
		"text that says who the people are, in some words.</p><table><tr><th>id</th><th>name</th></tr><tr><td>1</td><td>Ada</td></tr>" +
		"<tr><td>2</td><td>Bob</td></tr></table></body></html>"
	longLogin = "<!DOCTYPE html><html lang=en><head><title>Sign in</title></head><body><h1>Sign in</h1><p>Please sign in with your name " +
		"and your password, so that you may read what is kept here for you and for others.</p><form><input name=user></form></body></html>"
	downText = "The server is down for maintenance. Please come back later, we are working on it.\n\nThank you for your patience.\n"
)

// A page, or a text, in place of a document takes none of its products away, and gives no article of its own.
func TestAPageInPlaceOfADocumentTakesNoProductAway(t *testing.T) {
	documents := map[string]string{
		"a CSV": people, "a TSV": "id\tname\n1\tAda\n2\tBob\n", "a feed": newsFeed, "JSON": `[{"a":1,"b":"x"},{"a":2,"b":"y"}]`,
		"a page with a table": pageOfPeople, "statements": nt("one"), "YAML": "- a: 1\n  b: x\n- a: 2\n  b: y\n",
	}
	pages := map[string]string{"a login page": longLogin, "a bare login page": loginPage, "a text": downText}
	for name, document := range documents {
		for what, page := range pages {
			t.Run(what+" in place of "+name, func(t *testing.T) {
				w := newWorld(t, seedlist.Options{})
				w.opt.Products = kind.Products()
				p := w.page("/a", []byte(document))
				w.add("/a")
				w.run()
				was := w.seed("/a")
				if was.Status != seedlist.Parsed || !was.IsServed() {
					t.Fatalf("%s %+v", was.Status, was.Record)
				}
				before := map[string]string{}
				for _, product := range kind.Products() {
					before[product] = w.product(was, product)
				}
				p.set(200, []byte(page))
				for range 4 { // on one day it is not believed, however often it comes
					w.retry("/a")
					w.run()
					w.wholeStore()
				}
				is := w.seed("/a")
				for _, product := range kind.Products() {
					if got := w.product(is, product); got != before[product] {
						t.Errorf("%s: %q, want %q", product, got, before[product])
					}
				}
				for i := range is.Products {
					// Those of a day count once.
					if p := &is.Products[i]; p.Name != kind.Statements && p.SHA256 != "" &&
						(p.Good != 1 || !p.None || p.Empty != 1 || p.EmptyAt.IsZero()) {
						t.Errorf("%+v", *p)
					}
				}
				if is.Status != seedlist.Failed || is.Behind() == "" {
					t.Errorf("%s %q", is.Status, is.Behind())
				}
				// Well again, it is served as it is now, and nothing is left of the rest.
				p.set(200, []byte(document))
				w.retry("/a")
				w.run()
				w.wholeStore()
				is = w.seed("/a")
				for _, product := range kind.Products() {
					if got := w.product(is, product); got != before[product] {
						t.Errorf("well again: %s: %q, want %q", product, got, before[product])
					}
				}
				if is.Status != seedlist.Parsed || is.Behind() != "" {
					t.Errorf("well again: %s %+v", is.Status, is.Record)
				}
			})
		}
	}
}

// No file of a product is left that no record names, and none is damaged, whatever is washed again.
func TestFilesOfProductsGoWithTheRecordsThatNameThem(t *testing.T) {
	w := newWorld(t, seedlist.Options{})
	w.opt.Products = kind.Products()
	table, page := w.page("/a.csv", []byte(people)), w.page("/b.html", []byte(pageOfPeople))
	w.add("/a.csv", "/b.html")
	w.run()
	first := w.wholeStore()
	rewash := func() {
		t.Helper()
		mendings, err := daemon.NewMender(w.seeds, w.files).Again(t.Context(), seedlist.Rewash, false, w.seed("/a.csv"), w.seed("/b.html"))
		if err != nil || mendings[0].Err != nil || mendings[1].Err != nil {
			t.Fatal(mendings, err)
		}
		w.run()
		if sums := w.wholeStore(); sums.Files != first.Files {
			t.Errorf("%d files, %d at first", sums.Files, first.Files)
		}
	}
	is := w.seed("/a.csv")
	fence := is.Product(kind.Records).Fence
	rewash()
	rewash()
	is = w.seed("/a.csv")
	if is.Product(kind.Records).Fence != fence {
		t.Errorf("the same rows were written again: %+v", is.Products)
	}
	for _, body := range []string{others, people, others} {
		table.set(200, []byte(body))
		w.retry("/a.csv", "/b.html")
		w.run()
		if sums := w.wholeStore(); sums.Files != first.Files {
			t.Errorf("%d files, %d at first", sums.Files, first.Files)
		}
		rewash()
	}
	page.set(200, []byte(longLogin))
	w.retry("/b.html")
	w.run()
	w.wholeStore()
	// Damage is found, and mended by a wash.
	is = w.seed("/a.csv")
	text := w.product(is, kind.Records)
	n, err := seedfile.Find(&is, kind.Records, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.files.Remove(n.Key, n.Suffix); err != nil {
		t.Fatal(err)
	}
	if sums, faults := w.repair(); sums.Bad != 1 || sums.Marked != 1 || faults[0].File != string(files.Records) {
		t.Errorf("%+v %+v", sums, faults)
	}
	w.run()
	w.wholeStore()
	if got := w.product(w.seed("/a.csv"), kind.Records); got != text {
		t.Errorf("%q, want %q", got, text)
	}
}
