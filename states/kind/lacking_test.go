package kind_test

import (
	"testing"

	"laundromat/internal/digest"
	"laundromat/internal/fault"
	"laundromat/seedlist"
	"laundromat/states/kind"
)

func TestWhatWasNotAskedForIsLacking(t *testing.T) {
	washed := func(format string, products ...seedlist.Product) *seedlist.Seed {
		seed := &seedlist.Seed{Standing: seedlist.Standing{Status: seedlist.Parsed}}
		seed.Content, seed.Format, seed.Products = &digest.Content{NumberOfBytes: 1}, format, products
		return seed
	}
	failed := func(format string, stage seedlist.State, products ...seedlist.Product) *seedlist.Seed {
		seed := washed(format, products...)
		seed.Status, seed.Error = seedlist.Failed, &seedlist.Error{Stage: stage, Code: fault.FormatNotRDF}
		return seed
	}
	statements, records := seedlist.Product{Name: "statements", SHA256: "a"}, seedlist.Product{Name: "records", SHA256: "b"}
	depleted, noBytes, named := washed("CSV"), washed("CSV"), washed("CSV")
	depleted.Status, noBytes.Content, named.Document = seedlist.Depleted, nil, "some"
	old := washed("HTML")
	old.Clean = "some"
	for _, c := range []struct {
		title string
		seed  *seedlist.Seed
		lacks string // the first letters of the products
	}{
		{"a page that was washed for statements", washed("HTML", statements), "ra"},
		{"a page of a version before", old, "ra"},
		{"a page that has all", washed("HTML", statements, records, seedlist.Product{Name: "articles", None: true}), ""},
		{"a page without tables", washed("HTML", statements, seedlist.Product{Name: "records", None: true}), "a"},
		{"records that failed", washed("CSV", seedlist.Product{Name: "records", Error: &seedlist.Error{}}), ""},
		{"a table that nobody wanted", failed("CSV", seedlist.Guessing), "r"},
		{"a workbook", failed("XLSX", seedlist.Guessing), "r"},
		{"a feed", failed("RSS", seedlist.Guessing), "a"},
		{"a feed in RDF/XML", washed("RDF/XML", statements), "a"},
		{"prose", failed("text", seedlist.Guessing), "a"},
		{"RDF", washed("Turtle", statements), ""},
		{"RDF that was washed for records alone", failed("Turtle", seedlist.Guessing), "s"},
		{"a page that was washed for records alone", washed("HTML", records), "sa"},
		{"what no product is made of", failed("PDF", seedlist.Guessing), ""},
		{"what a version before did not name", failed("", seedlist.Guessing), "sra"},
		{"what could not be fetched", failed("", seedlist.Downloading), ""},
		{"an archive", depleted, ""},
		{"no bytes", noBytes, ""},
		{"a name in a document", named, ""},
		{"what is being washed", &seedlist.Seed{Standing: seedlist.Standing{Status: seedlist.Guessed}, Record: washed("CSV").Record}, ""},
	} {
		got := ""
		for _, product := range kind.Products() {
			if kind.IsLacking(c.seed, product) {
				got += product[:1]
			}
		}
		if got != c.lacks {
			t.Errorf("%s lacks %q, want %q", c.title, got, c.lacks)
		}
	}
}
