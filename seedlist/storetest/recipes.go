package storetest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"laundromat/seedlist"
)

func putRecipe(t testing.TB, list seedlist.List, name, body, before string) bool {
	t.Helper()
	return Must[bool](t)(list.PutRecipe(t.Context(), seedlist.Recipe{Name: name, Body: []byte(body)}, before))
}

func wantRecipes(t testing.TB, list seedlist.List, want ...string) (version uint64) {
	t.Helper()
	all, version, err := list.Recipes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range all {
		got = append(got, r.Name)
	}
	if !slices.Equal(got, want) {
		t.Errorf("the recipes are %q, want %q", got, want)
	}
	if asked := Must[uint64](t)(list.RecipesVersion(t.Context())); asked != version {
		t.Errorf("the version is %d, and %d with the recipes", asked, version)
	}
	return version
}

// recipesStayInTheirOrder: each goes where it was put, or stays, and each change raises the version once.
func recipesStayInTheirOrder(t *testing.T, open Opener) {
	list := open(t, seedlist.Options{})
	if v := wantRecipes(t, list); v != 0 {
		t.Errorf("a list without recipes has their version %d", v)
	}
	steps := []struct {
		name, body, before string
		want               string
		isSame             bool
	}{
		{"b", `{"n":1}`, "", "b", false},
		{"c", `{"n":2}`, "", "b c", false},
		{"a", `{"n":3}`, "b", "a b c", false},
		{"b", `{"n":1}`, "", "a b c", true},
		{"b", `{"n":4}`, "", "a b c", false}, // another form stays where it is
		{"b", `{"n":4}`, "b", "a b c", true},
		{"b", `{"n":4}`, "c", "a b c", true},
		{"c", `{"n":2}`, "a", "c a b", false},
		{"d", `{"n":4}`, "", "c a b d", false}, // the body of another
		{"A", `{"n":5}`, "d", "c a b A d", false},
		{"a.b-c_D", `{}`, "c", "a.b-c_D c a b A d", false},
		{"c", `{"n":6}`, "d", "a.b-c_D a b A c d", false},
	}
	last := uint64(0)
	for _, step := range steps {
		if changed := putRecipe(t, list, step.name, step.body, step.before); changed == step.isSame {
			t.Errorf("%+v: changed is %v", step, changed)
		}
		if !step.isSame {
			last++
		}
		if v := wantRecipes(t, list, strings.Fields(step.want)...); v != last {
			t.Errorf("%+v: the version is %d, want %d", step, v, last)
		}
	}
	for range 40 { // more than there is room for between two places
		putRecipe(t, list, "x", `{}`, "a")
		putRecipe(t, list, "y", `{}`, "a")
		putRecipe(t, list, "x", `{}`, "a")
	}
	wantRecipes(t, list, "a.b-c_D", "y", "x", "a", "b", "A", "c", "d")
	for _, name := range []string{"y", "a.b-c_D"} {
		if err := list.RemoveRecipe(t.Context(), name); err != nil {
			t.Fatal(err)
		}
	}
	wantRecipes(t, list, "x", "a", "b", "A", "c", "d")
	Audit(t, list)
}

// recipesThatNoListKeepsAreRefused, and nothing is written.
func recipesThatNoListKeepsAreRefused(t *testing.T, open Opener) {
	list := open(t, seedlist.Options{})
	putRecipe(t, list, "there", `{}`, "")
	long := `{"a":"` + strings.Repeat("x", seedlist.MostRecipe) + `"}`
	for _, c := range []struct{ name, body, before string }{
		{"", `{}`, ""}, {"a/b", `{}`, ""}, {"ä", `{}`, ""}, {"a b", `{}`, ""}, {"..", `{}`, ""}, {"a:b", `{}`, ""},
		{strings.Repeat("n", 101), `{}`, ""},
		{"a", "", ""}, {"a", "{", ""}, {"a", long, ""}, {"a", `{}`, "nowhere"},
	} {
		changed, err := list.PutRecipe(t.Context(), seedlist.Recipe{Name: c.name, Body: []byte(c.body)}, c.before)
		if err == nil || changed || c.before != "" && !errors.Is(err, seedlist.ErrNotFound) {
			t.Errorf("%q before %q: %v, %v", c.name, c.before, changed, err)
		}
	}
	if err := list.RemoveRecipe(t.Context(), "nowhere"); !errors.Is(err, seedlist.ErrNotFound) {
		t.Errorf("removal of one that is not there: %v", err)
	}
	if v := wantRecipes(t, list, "there"); v != 1 {
		t.Errorf("refusals have raised the version to %d", v)
	}
	full := `{"a":"` + strings.Repeat("x", seedlist.MostRecipe-8) + `"}`
	putRecipe(t, list, "full", full, "")
	forms := Must[map[string][]byte](t)(list.RecipeForms(t.Context(), seedlist.RecipeSum([]byte(full)), "none"))
	if len(forms) != 1 || string(forms[seedlist.RecipeSum([]byte(full))]) != full {
		t.Errorf("%d forms of the longest recipe", len(forms))
	}
}

// aFormIsKeptAfterItsRecipeChanged, also when the recipe is removed, for documents that it was found for. These are
// counted by form.
func aFormIsKeptAfterItsRecipeChanged(t *testing.T, open Opener) {
	list := open(t, seedlist.Options{})
	bodies := []string{`{"n":1}`, `{"n":2}`, `{"n":3}`}
	var sums []string
	for _, body := range bodies {
		putRecipe(t, list, "r", body, "")
		sums = append(sums, seedlist.RecipeSum([]byte(body)))
	}
	Add(t, list, "http://a.test/1", "http://a.test/2", "http://a.test/3")
	for _, stage := range seedlist.Stages()[:3] {
		for i, c := range Must[[]seedlist.Claim](t)(list.Claim(t.Context(), stage, "w", 10)) {
			o := Usual(c)
			if update := o.Update; stage == seedlist.Guessing {
				o.Update = func(r *seedlist.Record) {
					if update != nil {
						update(r)
					}
					r.Recipe = &seedlist.RecipeUse{Name: "r", SHA256: sums[min(i, 1)], Format: "CSV"}
				}
			}
			Complete(t, list, c, o)
		}
	}
	if err := list.RemoveRecipe(t.Context(), "r"); err != nil {
		t.Fatal(err)
	}
	forms := Must[map[string][]byte](t)(list.RecipeForms(t.Context(), sums...))
	for i, sum := range sums {
		if string(forms[sum]) != bodies[i] {
			t.Errorf("the form %s is %q", bodies[i], forms[sum])
		}
	}
	counts := Must[seedlist.Counts](t)(list.Counts(t.Context()))
	if got := fmt.Sprint(counts.Recipes["r"][sums[0]], counts.Recipes["r"][sums[1]]); got != "1 2" {
		t.Errorf("documents by form: %s, want 1 2", got)
	}
	Audit(t, list)
	for _, uri := range []string{"http://a.test/1", "http://a.test/2", "http://a.test/3"} {
		Must[[]error](t)(list.Remove(t.Context(), seedlist.Key(uri)))
	}
	if counts := Must[seedlist.Counts](t)(list.Counts(t.Context())); len(counts.Recipes["r"]) != 0 {
		t.Errorf("removed documents are counted: %v", counts.Recipes)
	}
	Audit(t, list)
}

// recipesAreEditedByOneAtATime: each change is seen, and raises the version.
func recipesAreEditedByOneAtATime(t *testing.T, open Opener) {
	list := open(t, seedlist.Options{})
	const goroutines, times = 6, 5
	var all sync.WaitGroup
	for i := range goroutines {
		all.Go(func() {
			for n := range times {
				if _, err := list.PutRecipe(t.Context(), seedlist.Recipe{
					Name: fmt.Sprintf("r%d-%d", i, n), Body: fmt.Appendf(nil, `{"n":%d}`, n),
				}, ""); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	recipes, version, err := list.Recipes(t.Context())
	if err != nil || len(recipes) != goroutines*times || version != goroutines*times {
		t.Errorf("%d recipes, version %d, %v", len(recipes), version, err)
	}
	for i := 1; i < len(recipes); i++ {
		if recipes[i].Place <= recipes[i-1].Place {
			t.Errorf("%s and %s have the places %d and %d", recipes[i-1].Name, recipes[i].Name, recipes[i-1].Place, recipes[i].Place)
		}
	}
}

// putRecipes puts some recipes into a list, one of them in several forms.
func putRecipes(t testing.TB, list seedlist.List) {
	t.Helper()
	for i := range 9 {
		putRecipe(t, list, fmt.Sprintf("recipe-%d", i%6), fmt.Sprintf(`{"match":{"host":"h%d.example"}}`, i), "")
	}
	putRecipe(t, list, "first", `{}`, "recipe-0")
}
