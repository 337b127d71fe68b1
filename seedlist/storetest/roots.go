package storetest

import (
	"context"
	"slices"
	"testing"

	"laundromat/seedlist"
)

// membersAreListedByTheirRoot has an archive with an archive in it, of a host and a catalog, beside a file of another.
func membersAreListedByTheirRoot(t *testing.T, open Opener) {
	store := open(t, seedlist.Options{})
	const uri, other = "http://ann:pw@H1.example:8080/a.zip", "http://h2.example/b.zip"
	addCatalog(t, store, someCatalog, seedlist.CatalogSettings{})
	claim := claimCatalog(t, store)
	list(t, store, claim, uri)
	end(t, store, claim, wholeHarvest)
	root, inner := seedlist.Key(uri), seedlist.ChildKey(seedlist.Key(uri), "inner.zip", 1)
	Deplete(t, store, Zip("inner.zip=1", "data.nt=1"))
	for range 3 {
		c, o := Claim(t, store, seedlist.Unarchiving), seedlist.Outcome{Next: seedlist.Unarchived}
		if c.Seed.Hash == inner {
			o = seedlist.Outcome{Next: seedlist.Depleted, Children: Zip("deep.nt=1")}
		}
		Complete(t, store, c, o)
	}
	Add(t, store, other)
	Deplete(t, store, Zip("x.nt=1"))
	mine := []string{root, inner, seedlist.ChildKey(root, "data.nt", 1), seedlist.ChildKey(inner, "deep.nt", 1)}
	elsewhere := []string{seedlist.Key(other), seedlist.ChildKey(seedlist.Key(other), "x.nt", 1)}

	look := func(from string, seeds ...seedlist.Seed) {
		t.Helper()
		if len(seeds) != len(mine)+len(elsewhere) {
			t.Fatalf("%s: %d seeds", from, len(seeds))
		}
		for i := range seeds {
			s := &seeds[i]
			isMine := slices.Contains(mine, s.Hash)
			host, listings := s.ListedHost(), s.ListedBy()
			if want := map[bool]string{true: "h1.example:8080", false: "h2.example"}[isMine]; host != want {
				t.Errorf("%s: %s is listed under %q, want %q", from, s.Hash, host, want)
			}
			if isMine != (len(listings) == 1) {
				t.Errorf("%s: %s is listed by %v", from, s.Hash, listings)
			}
		}
	}
	var numbers []uint64
	var numbered []seedlist.Seed
	for _, n := range Must[[]seedlist.Numbered](t)(store.NumberedAfter(t.Context(), 0, 100)) {
		numbers, numbered = append(numbers, n.Number), append(numbered, n.Seed)
	}
	look("NumberedAfter", numbered...)
	numbered = nil
	for _, n := range Must[[]seedlist.Numbered](t)(store.Numbered(t.Context(), numbers...)) {
		numbered = append(numbered, n.Seed)
	}
	look("Numbered", numbered...)
	look("Whole", Must[[]seedlist.Seed](t)(store.Whole(t.Context(), numbers...))...)

	for _, f := range []seedlist.Filter{{Host: "h1.example:8080"}, {Host: "H1.example:8080", Limit: 1}} {
		if got := hashesOf(t, store, f); !slices.Equal(got, slices.Sorted(slices.Values(mine))) {
			t.Errorf("a list by host has %q, want %q", got, mine)
		}
	}
	if got := hashesOf(t, store, seedlist.Filter{Host: "h1.example"}); len(got) > 0 {
		t.Errorf("a host of another port has %q", got)
	}
	if got := hashesOf(t, store, seedlist.Filter{Host: "h2.example", Parent: elsewhere[0]}); !slices.Equal(got, elsewhere[1:]) {
		t.Errorf("the members of an archive of a host are %q", got)
	}
	if got := hashesOf(t, store, seedlist.Filter{Host: "h2.example", Parent: root}); len(got) > 0 {
		t.Errorf("members of another archive: %q", got)
	}
}

// hashesOf are those of all pages of a list, in order.
func hashesOf(t *testing.T, store interface {
	List(context.Context, seedlist.Filter) ([]seedlist.Seed, string, error)
}, f seedlist.Filter) (all []string) {
	t.Helper()
	for {
		seeds, next, err := store.List(t.Context(), f)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range seeds {
			all = append(all, s.Hash)
		}
		if f.Cursor = next; next == "" {
			slices.Sort(all)
			return all
		}
	}
}
