package seedlist_test

import (
	"fmt"
	"testing"
	"time"

	"laundromat/internal/digest"
	"laundromat/internal/fault"
	"laundromat/seedlist"
)

// washes are those of one document, one after another.
type washes struct {
	t      *testing.T
	record seedlist.Record
	now    time.Time
	fence  uint64
	keep   int
}

func content(text string) *digest.Content {
	return &digest.Content{MD5: "m" + text, SHA256: "s" + text, NumberOfBytes: int64(len(text))}
}

// fetch replaces the bytes.
func (w *washes) fetch(body string) {
	w.fence++
	w.change(seedlist.Downloading, seedlist.Outcome{Next: seedlist.Filed, Update: func(r *seedlist.Record) {
		r.ForgetReading()
		r.Content, r.Fences.Dirty = content(body), w.fence
	}})
}

// parse ends a wash of what was fetched.
func (w *washes) parse(clean string, products ...seedlist.Product) {
	o := seedlist.Outcome{Next: seedlist.Parsed, Products: products}
	if clean != "" {
		o.Clean = &seedlist.Clean{Content: *content(clean)}
	}
	w.change(seedlist.Parsing, o)
}

func (w *washes) change(stage seedlist.State, o seedlist.Outcome) {
	w.t.Helper()
	w.now = w.now.Add(24 * time.Hour)
	claim := &seedlist.Claim{Stage: stage}
	if err := o.Check(claim); err != nil {
		w.t.Fatal(err)
	}
	o.Change(claim, o.Next, w.now, &seedlist.Options{KeepVersions: w.keep})(&w.record)
}

// made is a product with a file of this wash.
func (w *washes) made(name, text string) seedlist.Product {
	bytes, written := int64(len(text)), int64(1)
	return seedlist.Product{Name: name, SHA256: "s" + text, Bytes: &bytes, Written: &written, Fence: w.fence}
}

func missed(name string) seedlist.Product {
	return seedlist.Product{Name: name, Error: &seedlist.Error{Stage: seedlist.Parsing, Kind: fault.Data, Code: "format/unknown"}}
}

// none is a product of which the sound bytes hold none, as the rule decides it.
func (w *washes) none(name string) seedlist.Product {
	d := w.record.Decide(name, seedlist.Try{IsPage: true}, w.now.Add(24*time.Hour))
	return seedlist.Product{Name: name, None: true, Empty: d.Empty, EmptyAt: d.EmptyAt}
}

const statements, rows, articles = seedlist.ProductStatements, seedlist.ProductRecords, seedlist.ProductArticles

// TestEachProductKeepsItsLastGoodForm says of the second wash of a document what is served of each product.
func TestEachProductKeepsItsLastGoodForm(t *testing.T) {
	for _, c := range []struct {
		name  string
		then  func(w *washes)
		wants string
	}{
		{"all come anew", func(w *washes) { w.parse("c2", w.made(rows, "r2"), w.made(articles, "a2")) },
			"statements sc2 0, records sr2 2 0, articles sa2 2 0"},
		{"the same rows keep their file", func(w *washes) { w.parse("c2", w.made(rows, "r1"), w.made(articles, "a2")) },
			"statements sc2 0, records sr1 1 0, articles sa2 2 0"},
		{"rows fail", func(w *washes) { w.parse("c2", missed(rows), w.made(articles, "a2")) },
			"statements sc2 0, records sr1 1 1 error of s1, articles sa2 2 0"},
		{"rows are none", func(w *washes) { w.parse("c2", w.none(rows), w.made(articles, "a2")) },
			"statements sc2 0, records sr1 1 1 none of s1, articles sa2 2 0"},
		{"statements are none", func(w *washes) { w.parse("", w.none(statements), w.made(rows, "r2"), w.made(articles, "a2")) },
			"statements sc1 1 none, records sr2 2 0, articles sa2 2 0"},
		{"statements fail", func(w *washes) { w.parse("", missed(statements), w.made(rows, "r2"), w.made(articles, "a2")) },
			"statements sc1 1 error, records sr2 2 0, articles sa2 2 0"},
		{"only rows come", func(w *washes) { w.parse("", missed(statements), w.made(rows, "r2"), missed(articles)) },
			"statements sc1 1 error, records sr2 2 0, articles sa1 1 1 error of s1"},
		{"rows are not asked for any more", func(w *washes) { w.parse("c2", w.made(articles, "a2")) },
			"statements sc2 0, articles sa2 2 0"},
		{"statements are not asked for any more", func(w *washes) { w.parse("", w.made(rows, "r2"), w.made(articles, "a2")) },
			"records sr2 2 0, articles sa2 2 0"},
		{"articles were none twice", func(w *washes) {
			w.parse("c2", w.made(rows, "r2"), w.none(articles))
			w.fetch("3")
			w.parse("c3", w.made(rows, "r3"), w.none(articles))
		}, "statements sc3 0, records sr3 3 0, articles sa1 1 1 none of s1"},
		{"articles were none three times", func(w *washes) {
			for n := 2; n <= 4; n++ {
				w.parse(fmt.Sprint("c", n), w.made(rows, "r4"), w.none(articles))
				if n < 4 {
					w.fetch(fmt.Sprint(n + 1))
				}
			}
		}, "statements sc4 0, records sr4 2 0, articles 0 none"},
		{"an error between breaks no file", func(w *washes) {
			w.parse("c2", missed(rows), w.made(articles, "a2"))
			w.fetch("3")
			w.parse("c3", missed(rows), missed(articles))
		}, "statements sc3 0, records sr1 1 1 error of s1, articles sa2 2 2 error of s2"},
		{"all of it fails", func(w *washes) {
			e := &seedlist.Error{Stage: seedlist.Parsing, Kind: fault.Data, Code: "format/not-rdf"}
			w.change(seedlist.Parsing, seedlist.Outcome{Next: seedlist.Failed, Update: func(r *seedlist.Record) { r.Error = e }})
		}, "statements sc1 1, records sr1 1 1 of s1, articles sa1 1 1 of s1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := &washes{t: t, now: time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)}
			w.fetch("1")
			w.parse("c1", w.made(rows, "r1"), w.made(articles, "a1"))
			w.fetch("2")
			c.then(w)
			seed := seedlist.Seed{Record: w.record}
			if got := textOf(&seed); got != c.wants {
				t.Errorf("%s\nwant %s", got, c.wants)
			}
		})
	}
}

// textOf says what is served of each product.
func textOf(seed *seedlist.Seed) (text string) {
	served := seed.Served()
	for i, p := range served.Products {
		if i > 0 {
			text += ", "
		}
		text += p.Name
		if p.SHA256 != "" {
			text += " " + p.SHA256
		}
		switch {
		case p.Name != statements && p.SHA256 != "":
			text += fmt.Sprint(" ", p.Fence, " ", p.Good)
		case p.Name == statements && seed.Good != nil:
			text += fmt.Sprint(" ", seed.Good.Version)
		default:
			text += fmt.Sprint(" ", p.Good)
		}
		if p.Error != nil {
			text += " error"
		}
		if p.None {
			text += " none"
		}
		if p.Of != nil {
			text += " of " + p.Of.Content.SHA256
		}
	}
	return text
}

// TestFilesOfOlderProductsAreKeptAsVersionsAre counts what the history names after five washes.
func TestFilesOfOlderProductsAreKeptAsVersionsAre(t *testing.T) {
	for _, c := range []struct {
		keep  int
		wants string
	}{{0, "5:r5a5 "}, {1, "4:r4a4 5:r5a5 "}, {2, "3:r3a3 4:r4a4 5:r5a5 "}, {9, "1:r1a1 2:r2a2 3:r3a3 4:r4a4 5:r5a5 "}} {
		w := &washes{t: t, now: time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC), keep: c.keep}
		for n := 1; n <= 5; n++ {
			w.fetch(fmt.Sprint(n))
			w.parse(fmt.Sprint("c", n), w.made(rows, fmt.Sprint("r", n)), w.made(articles, fmt.Sprint("a", n)))
		}
		got := ""
		for _, v := range w.record.Versions() {
			if len(v.Products) == 0 {
				continue
			}
			got += fmt.Sprint(v.Number, ":")
			for _, p := range v.Products {
				got += p.SHA256[1:]
			}
			got += " "
		}
		if got != c.wants {
			t.Errorf("of %d kept: %s, want %s", c.keep, got, c.wants)
		}
	}
}
