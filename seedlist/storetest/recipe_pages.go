package storetest

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"laundromat/seedlist"
)

// washedTo brings the seeds that are ready to parsing, and returns their claims.
func washedTo(t testing.TB, list seedlist.List) []seedlist.Claim {
	t.Helper()
	for _, stage := range seedlist.Stages()[:3] {
		for _, c := range Must[[]seedlist.Claim](t)(list.Claim(t.Context(), stage, "w", 100)) {
			Complete(t, list, c, Usual(c))
		}
	}
	return Must[[]seedlist.Claim](t)(list.Claim(t.Context(), seedlist.Parsing, "w", 100))
}

// leadsTo is the outcome of a page that leads to others by a recipe.
func leadsTo(c seedlist.Claim, recipe string, most int64, uris ...string) seedlist.Outcome {
	o := Usual(c)
	for i, uri := range uris {
		o.Named = append(o.Named, seedlist.NewSeed{URI: uri, Source: seedlist.RecipeSource + recipe, Recipe: recipe, Depth: 1,
			Page: &seedlist.RecipePage{Links: 1, Detail: i == 0}, Most: most})
	}
	return o
}

// aRecipeLeadsToPages that are seeds of their own, and say so. They are counted as long as they are there.
func aRecipeLeadsToPages(t *testing.T, open Opener) {
	list := open(t, seedlist.Options{})
	putRecipe(t, list, "r", `{}`, "")
	Add(t, list, "http://a.test/list", "http://a.test/known")
	claims := washedTo(t, list)
	Complete(t, list, claims[0],
		leadsTo(claims[0], "r", 10, "http://a.test/1", "http://a.test/known", "http://a.test/2", "http://a.test/2"))
	one := Must[seedlist.Seed](t)(list.Seed(t.Context(), seedlist.Key("http://a.test/1")))
	if one.Page == nil || !one.Page.Detail || one.Page.Links != 1 || one.Source != "recipe:r" || one.RecipeAsked != "r" || one.Depth != 1 ||
		one.PageOf() != "r" || one.Parent != "" {
		t.Errorf("%+v", one)
	}
	if known := Must[seedlist.Seed](t)(list.Seed(t.Context(), seedlist.Key("http://a.test/known"))); known.PageOf() != "" {
		t.Errorf("a seed that was there has become a page of a recipe: %+v", known.Page)
	}
	pages := func(want int64) {
		t.Helper()
		counts := Must[seedlist.Counts](t)(list.Counts(t.Context()))
		if counts.RecipePages["r"] != want {
			t.Errorf("%d pages of the recipe, want %d", counts.RecipePages["r"], want)
		}
		Audit(t, list)
	}
	pages(2)
	for i := range 2 {
		Must[[]error](t)(list.Remove(t.Context(), seedlist.Key(fmt.Sprintf("http://a.test/%d", i+1))))
		pages(int64(1 - i))
	}
}

// aRecipeLeadsToNoMorePagesThanItMay, however many documents lead to them at once. One whose pages have no room is
// given back, and nothing of its outcome is kept: what looks again sees how many there are.
func aRecipeLeadsToNoMorePagesThanItMay(t *testing.T, open Opener) {
	const lists, most = 8, 10
	list := open(t, seedlist.Options{})
	putRecipe(t, list, "r", `{}`, "")
	for i := range lists {
		Add(t, list, fmt.Sprintf("http://h%d.test/list", i))
	}
	claims := washedTo(t, list)
	if len(claims) != lists {
		t.Fatalf("%d claims", len(claims))
	}
	errs := make([]error, lists)
	var all sync.WaitGroup
	for i, c := range claims {
		all.Go(func() {
			var uris []string
			for n := range 4 {
				uris = append(uris, fmt.Sprintf("http://h%d.test/%d", i, n))
			}
			errs[i] = list.Complete(t.Context(), c, leadsTo(c, "r", most, uris...))
		})
		all.Go(func() { // beside others that change the list
			if _, err := list.Add(t.Context(), []seedlist.NewSeed{{URI: fmt.Sprintf("http://other.test/%d", i)}}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	done := int64(0)
	for i, err := range errs {
		seed := Must[seedlist.Seed](t)(list.Seed(t.Context(), claims[i].Seed.Hash))
		switch {
		case err == nil && seed.Status == seedlist.Parsed:
			done++
		case !errors.Is(err, seedlist.ErrLost) || seed.Status != seedlist.Guessed || seed.Statements != nil || seed.Tries != 0:
			t.Errorf("%s: %v; it is %s with %d tries", seed.URI, err, seed.Status, seed.Tries)
		}
	}
	counts := Must[seedlist.Counts](t)(list.Counts(t.Context()))
	if done != 2 || counts.RecipePages["r"] != 4*done {
		t.Errorf("%d documents led to %d pages, want 2 and 8", done, counts.RecipePages["r"])
	}
	Audit(t, list)
	again := Must[[]seedlist.Claim](t)(list.Claim(t.Context(), seedlist.Parsing, "w", 100))
	if len(again) != lists-2 {
		t.Fatalf("%d are claimed again", len(again))
	}
	Complete(t, list, again[0], leadsTo(again[0], "r", most, "http://x.test/1", "http://h0.test/list", "http://x.test/2"))
	if err := list.Complete(t.Context(), again[1], leadsTo(again[1], "r", most, "http://x.test/3")); !errors.Is(err, seedlist.ErrLost) {
		t.Errorf("one page more than there may be: %v", err)
	}
	Complete(t, list, again[2], leadsTo(again[2], "other", most, "http://x.test/3")) // each recipe has its own
	Complete(t, list, again[3], leadsTo(again[3], "r", most, "http://x.test/3", "http://x.test/1"))
	Audit(t, list)
}
