package bolt_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/seedlist"
	"laundromat/seedlist/storetest"
)

func TestNothingOver64KiBIsStored(t *testing.T) {
	store := open(t, seedlist.Options{})
	long := strings.Repeat("é\x01<", 100<<10)
	claims := map[string]string{}
	headers := map[string][]string{"content-type": {"text/turtle; x=" + long}, "etag": {`"e"`}}
	notices := map[fault.Code]int64{}
	for i := range 2000 {
		claims[fmt.Sprint("claim", i)] = long[:100]
		headers[fmt.Sprint("a-", i)] = []string{long[:3000], "b"}
		notices[fault.Code(fmt.Sprint("iri/code-", i))] = 1
	}
	if _, err := store.Add(t.Context(), []seedlist.NewSeed{{URI: "http://example.org/" + strings.Repeat("a", 8000), Title: long,
		Source: long, Claims: claims}}); err != nil {
		t.Fatal(err)
	}
	c := storetest.Claim(t, store, seedlist.Downloading)
	var chain []seedlist.Exchange
	for range 10 {
		chain = append(chain, seedlist.Exchange{URI: c.Seed.URI, Status: 302, Headers: maps.Clone(headers), Error: long})
	}
	if err := store.GiveBack(t.Context(), c, seedlist.Return{
		Error: &seedlist.Error{Message: long}, Attempt: seedlist.Attempt{SourceText: long, Traceback: "first" + long + "last",
			Counts: map[string]int64{"a": 1}},
	}); err != nil {
		t.Fatal(err)
	}
	c = storetest.Claim(t, store, seedlist.Downloading)
	storetest.Complete(t, store, c, seedlist.Outcome{Next: seedlist.Filed, Update: func(r *seedlist.Record) { r.HTTP = chain[:3] }})
	s := storetest.Seed(t, store, c.Seed.Hash)
	if len(s.HTTP) != 3 || s.HTTP[2].Headers["content-type"] == nil || s.HTTP[2].Headers["etag"] == nil {
		t.Errorf("what decides how a reply is read went first: %d replies", len(s.HTTP))
	}
	if len(chain[0].Headers) != 2002 || len(chain[0].Error) != len(long) {
		t.Error("the caller's own headers were cut")
	}
	storetest.Complete(t, store, storetest.Claim(t, store, seedlist.Unarchiving), seedlist.Outcome{
		Next: seedlist.Depleted, Update: func(r *seedlist.Record) { r.HTTP, r.Notices = chain, notices },
		Children: []seedlist.Child{{Name: long, Content: *storetest.ContentOf("a"), Archive: seedlist.Archive{Format: "zip"}},
			{Name: strings.Repeat("\xff", 70<<10), Content: *storetest.ContentOf("b")}},
	})
	if largest := store.LargestValue(); largest > 64<<10 {
		t.Errorf("a value of %d bytes", largest)
	}
	attempts := storetest.Must[[]seedlist.Attempt](t)(store.Attempts(t.Context(), c.Seed.Hash))
	if trace := attempts[0].Traceback; !strings.HasPrefix(trace, "first") || !strings.HasSuffix(trace, "last") {
		t.Errorf("of a stack both ends matter: %d bytes", len(trace))
	}
	storetest.Audit(t, store)
}

func TestAFullDiskIsNotTheSeedsFault(t *testing.T) {
	store := open(t, seedlist.Options{})
	hash := storetest.Add(t, store, "http://example.org/")[0]
	c := storetest.Claim(t, store, seedlist.Downloading)
	store.LimitSize(1)
	var seeds []seedlist.NewSeed
	for i := range 5000 {
		seeds = append(seeds, seedlist.NewSeed{URI: fmt.Sprintf("http://h.example/%d", i), Title: strings.Repeat("t", 900)})
	}
	_, err := store.Add(t.Context(), seeds)
	if fault.KindOf(err) != fault.Local || fault.CodeOf(err) != fault.LocalDisk {
		t.Fatalf("%v", err)
	}
	store.LimitSize(0)
	storetest.Audit(t, store)
	storetest.Complete(t, store, c, seedlist.Outcome{Next: seedlist.Filed})
	storetest.WantState(t, store, hash, seedlist.Filed)
	if _, err := store.Add(t.Context(), seeds); err != nil {
		t.Fatal(err)
	}
	storetest.Audit(t, store)
}
