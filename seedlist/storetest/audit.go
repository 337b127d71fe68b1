package storetest

import (
	"maps"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/seedlist"
)

// Audit holds the counts of a list against a scan of its seeds, and asks the list what
// is wrong within, if it can know. Nothing may be at work on it.
func Audit(t testing.TB, list seedlist.List) {
	t.Helper()
	if l, ok := list.(interface{ Audit() []string }); ok {
		for _, wrong := range l.Audit() {
			t.Error(wrong)
		}
	}
	want := scan(t, list)
	got := Must[seedlist.Counts](t)(list.Counts(t.Context()))
	want.Waiting, want.Unchanged = got.Waiting, got.Unchanged // no record holds these
	isSame := got.Seeds == want.Seeds && got.Relative == want.Relative && got.Fragments == want.Fragments &&
		got.Bytes == want.Bytes && got.Clean == want.Clean && got.Statements == want.Statements && maps.Equal(got.Products, want.Products)
	if !isSame || !maps.Equal(got.States, want.States) || !maps.Equal(got.Formats, want.Formats) ||
		!maps.Equal(got.Errors, want.Errors) || !maps.Equal(got.Notices, want.Notices) {
		t.Errorf("the counts are\n%+v, a scan finds\n%+v", got, want)
	}
}

// scan counts what the records say.
func scan(t testing.TB, list seedlist.List) seedlist.Counts {
	t.Helper()
	c := seedlist.Counts{
		States: map[seedlist.State]int64{}, Formats: map[string]int64{},
		Errors: map[fault.Code]int64{}, Notices: map[fault.Code]seedlist.Found{}, Products: map[string]seedlist.ProductCount{},
	}
	for _, state := range seedlist.States() {
		c.States[state] = 0
	}
	for cursor, more := "", true; more; {
		page, next, err := list.List(t.Context(), seedlist.Filter{Cursor: cursor, Limit: 1000})
		if err != nil {
			t.Fatal(err)
		}
		for i := range page {
			count(&c, &page[i])
		}
		cursor, more = next, next != ""
	}
	if of, isThere := c.Products[seedlist.ProductStatements]; isThere {
		of.OfStatements(&c)
		c.Products[seedlist.ProductStatements] = of
	}
	return c
}

func count(c *seedlist.Counts, s *seedlist.Seed) {
	c.Seeds++
	c.States[s.Status]++
	if s.Relative {
		c.Relative++
	} else if strings.Contains(s.URI, "#") {
		c.Fragments++
	}
	if s.Status == seedlist.Cleaned {
		c.Clean.Files++
		c.Clean.Bytes += s.Content.NumberOfBytes
		if s.Content.NumberOfLines != nil {
			c.Clean.Lines += *s.Content.NumberOfLines
		}
		return
	}
	if s.Status == seedlist.Parsed || s.IsServed() {
		c.Washed++
		if !s.Status.IsFinal() {
			c.Refreshed++
		}
	}
	of := s.Served()
	for _, name := range of.Syntaxes() {
		c.Formats[name]++
	}
	if s.Error != nil {
		c.Errors[s.Error.Code]++
	}
	for code, n := range of.Notices {
		found := c.Notices[code]
		c.Notices[code] = seedlist.Found{Seeds: found.Seeds + 1, Times: found.Times + n}
	}
	countProducts(c, s)
	if use := s.Recipe; use != nil {
		if c.Recipes == nil {
			c.Recipes = map[string]map[string]int64{}
		}
		if c.Recipes[use.Name] == nil {
			c.Recipes[use.Name] = map[string]int64{}
		}
		c.Recipes[use.Name][use.SHA256]++
	}
	if s.Content != nil {
		c.Bytes += s.Content.NumberOfBytes
	}
	if n := of.Statements; n != nil {
		c.Statements.Read += n.Read
		c.Statements.Kept += n.Kept
		c.Statements.Repaired += n.Repaired
		c.Statements.Dropped += n.Dropped
		c.Statements.Duplicates += n.Duplicates
		c.Statements.Written += n.Written
	}
}

// countProducts counts what a record says of products: files that are served, and why none came.
func countProducts(c *seedlist.Counts, s *seedlist.Seed) {
	names := map[string]bool{}
	if s.ServedClean() != "" {
		names[seedlist.ProductStatements] = true
	}
	for _, p := range s.Products {
		names[p.Name] = true
	}
	for name := range names {
		of, p := c.Products[name], s.Product(name)
		isServed := name == seedlist.ProductStatements && s.ServedClean() != "" ||
			name != seedlist.ProductStatements && p.SHA256 != ""
		if isServed {
			of.Seeds++
		}
		if isServed && name != seedlist.ProductStatements {
			of.Bytes += *p.Bytes
			of.Written += *p.Written
		}
		if sums := s.Records; name == seedlist.ProductRecords && sums != nil {
			of.Read += sums.Read
			of.Kept += sums.Kept
			of.Repaired += sums.Repaired
			of.Dropped += sums.Dropped
		}
		if sums := s.Articles; name == seedlist.ProductArticles && sums != nil {
			of.Read += sums.Read
			of.Kept += sums.Kept
			of.Empty += sums.Empty
			of.Repeated += sums.Repeated
		}
		switch {
		case p != nil && p.None:
			of.None++
		case p != nil && p.Error != nil, isServed && s.Error != nil:
			of.Errors++
		}
		c.Products[name] = of
	}
}
