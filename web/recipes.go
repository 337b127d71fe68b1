package web

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"laundromat/records/spec"
	"laundromat/seedlist"
)

// recipesAPI is the part of the API that is about recipes.
type recipesAPI struct{ *api }

// ofRecipes are the operations about recipes.
func ofRecipes(a *api) []operation {
	r := recipesAPI{a}
	operations := []operation{
		get("/api/v1/recipes", r.list),
		get("/api/v1/recipes/{name}", r.show),
		get("/api/v1/recipes/{name}/records", r.table),
	}
	if a.hasWrites() {
		operations = append(operations,
			post("/api/v1/recipes", r.put),
			post("/api/v1/recipes/test", r.test),
			remove("/api/v1/recipes/{name}", r.remove))
	}
	return operations
}

// Recipe is a recipe with what it was found for.
type Recipe struct {
	Name   string    `json:"name"`
	SHA256 string    `json:"sha256"` // of its form
	Added  time.Time `json:"added,omitzero"`
	// Documents are those that it was found for, Older those of them that an older form of it was found for.
	Documents int64 `json:"documents"`
	Older     int64 `json:"older"`
	// Recipe is the form itself; absent in lists.
	Recipe json.RawMessage `json:"recipe,omitempty"`
}

// Recipes are all in their order. Removed are those that are there no more, and that documents were washed by.
type Recipes struct {
	Recipes []Recipe         `json:"recipes"`
	Removed map[string]int64 `json:"removed,omitempty"`
}

// PutRecipe is the body of a request that adds a recipe, or gives one another form or place.
type PutRecipe struct {
	Text   string `json:"text" doc:"the recipe, in YAML or JSON, with its spec and its schema put in"`
	Before string `json:"before,omitempty" doc:"the name of the recipe that it goes before; absent: at the end, or where it is"`
}

// RecipePut answers.
type RecipePut struct {
	Name    string `json:"name"`
	SHA256  string `json:"sha256"`
	Changed bool   `json:"changed"`
}

// all are the recipes of the list with what they were found for.
func (a recipesAPI) all(ctx context.Context) (all Recipes, err error) {
	listed, _, err := a.Seeds.Recipes(ctx)
	if err != nil {
		return all, problem(err)
	}
	counts, err := a.Seeds.Counts(ctx)
	if err != nil {
		return all, problem(err)
	}
	all.Recipes = []Recipe{}
	for _, r := range listed {
		one := Recipe{Name: r.Name, SHA256: r.SHA256, Added: r.Added}
		for sum, n := range counts.Recipes[r.Name] {
			if one.Documents += n; sum != r.SHA256 {
				one.Older += n
			}
		}
		all.Recipes = append(all.Recipes, one)
		delete(counts.Recipes, r.Name)
	}
	for name, forms := range counts.Recipes {
		for _, n := range forms {
			if all.Removed == nil {
				all.Removed = map[string]int64{}
			}
			all.Removed[name] += n
		}
	}
	return all, nil
}

func (a recipesAPI) list(ctx context.Context, _ *struct{}) (*raw, error) {
	all, err := a.all(ctx)
	if err != nil {
		return nil, err
	}
	return rawJSON(all)
}

type byName struct {
	Name string `path:"name" doc:"name of the recipe"`
}

func (a recipesAPI) show(ctx context.Context, r *byName) (*raw, error) {
	all, err := a.all(ctx)
	if err != nil {
		return nil, err
	}
	for _, one := range all.Recipes {
		if one.Name == r.Name {
			bodies, err := a.Seeds.RecipeForms(ctx, one.SHA256)
			if err != nil {
				return nil, problem(err)
			}
			one.Recipe = bodies[one.SHA256]
			return rawJSON(one)
		}
	}
	return nil, noRecipe(r.Name)
}

func noRecipe(name string) error { return huma.Error404NotFound("there is no recipe " + name) }

// put refuses a wrong recipe with its place, before it is kept.
func (a recipesAPI) put(ctx context.Context, r *struct{ Body PutRecipe }) (*raw, error) {
	read, err := parsedRecipe(r.Body.Text)
	if err != nil {
		return nil, err
	}
	changed, err := a.Seeds.PutRecipe(ctx, seedlist.Recipe{Name: read.Name, Body: read.Body()}, r.Body.Before)
	switch {
	case errors.Is(err, seedlist.ErrNotFound):
		return nil, noRecipe(r.Body.Before)
	case errors.Is(err, seedlist.ErrRecipesMany):
		return nil, huma.Error422UnprocessableEntity(err.Error())
	case err != nil:
		return nil, problem(err)
	}
	return rawJSON(RecipePut{Name: read.Name, SHA256: read.SHA256, Changed: changed})
}

func (a recipesAPI) remove(ctx context.Context, r *byName) (*struct{}, error) {
	err := a.Seeds.RemoveRecipe(ctx, r.Name)
	if errors.Is(err, seedlist.ErrNotFound) {
		return nil, noRecipe(r.Name)
	}
	return nil, problem(err)
}

// ask has seeds that were there already washed by the recipe that was asked for with them.
func (a recipesAPI) ask(ctx context.Context, seeds []seedlist.NewSeed, answers []seedlist.Addition) error {
	known := map[string][]string{}
	for i, answer := range answers {
		if name := seeds[i].Recipe; name != "" && !answer.New && answer.Err == nil {
			known[name] = append(known[name], answer.Hash)
		}
	}
	for name, hashes := range known {
		if _, err := a.Seeds.Set(ctx, seedlist.SeedSettings{Recipe: &name}, hashes...); err != nil {
			return problem(err)
		}
	}
	return nil
}

// olderForms counts the documents that were washed by forms which are not in force any more.
func (a recipesAPI) olderForms(ctx context.Context, counts *seedlist.Counts) (older map[string]int64, err error) {
	if len(counts.Recipes) == 0 {
		return nil, nil
	}
	listed, _, err := a.Seeds.Recipes(ctx)
	if err != nil {
		return nil, problem(err)
	}
	now := map[string]string{}
	for _, r := range listed {
		now[r.Name] = r.SHA256
	}
	for name, forms := range counts.Recipes {
		for sum, n := range forms {
			if sum != now[name] {
				if older == nil {
					older = map[string]int64{}
				}
				older[name] += n
			}
		}
	}
	return older, nil
}

// checkAny is check that takes also the name of a recipe which was removed, and by which documents were washed.
func (a recipesAPI) checkAny(ctx context.Context, name string) error {
	counts, err := a.Seeds.Counts(ctx)
	if err != nil {
		return problem(err)
	}
	if len(counts.Recipes[name]) > 0 {
		return nil
	}
	return a.check(ctx, name)
}

// check refuses the name of a recipe that is not there; "" is none.
func (a recipesAPI) check(ctx context.Context, name string) error {
	if name == "" {
		return nil
	}
	all, _, err := a.Seeds.Recipes(ctx)
	if err != nil {
		return problem(err)
	}
	names := make([]string, len(all))
	for i := range all {
		if names[i] = all[i].Name; names[i] == name {
			return nil
		}
	}
	if len(names) == 0 {
		return huma.Error422UnprocessableEntity("there is no recipe " + name + ", and no other: \"laundromat recipe add FILE\" adds one")
	}
	return huma.Error422UnprocessableEntity("there is no recipe " + name + spec.Meant(name, names...))
}
