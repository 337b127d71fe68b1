package web

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"laundromat/internal/digest"
	"laundromat/internal/fault"
	"laundromat/records/spec"
	"laundromat/seedlist"
	"laundromat/states/recipe"
)

// TestRecipe is the body of a request that reads a document by a recipe, and keeps nothing.
type TestRecipe struct {
	Name     string `json:"name,omitempty" doc:"of a recipe of the list"`
	Text     string `json:"text,omitempty" doc:"in place of a name, a recipe, in YAML or JSON, with its spec and its schema put in"`
	Document string `json:"document" doc:"the URI or hash of a document whose bytes are stored"`
}

// RecipeTried is what a recipe makes of a document.
type RecipeTried struct {
	Hash   string `json:"hash"`
	Name   string `json:"name"` // of the document
	ReadAs string `json:"read_as"`
	// Matches says that the recipe would be found for the document, were there no other before it.
	Matches bool           `json:"matches"`
	Records digest.Records `json:"records"`
	// Rows are the first records; Fields say in how many of all each field is.
	Rows   []json.RawMessage `json:"rows"`
	Fields map[string]int64  `json:"fields,omitempty"`
	// Notices are the first, and Found is how many there are. Pages are the first of those that the document leads to,
	// and Led is how many there are.
	Notices []fault.Notice `json:"notices"`
	Found   int64          `json:"notices_found"`
	Pages   []string       `json:"pages,omitempty"`
	Led     int64          `json:"led_to"`
	// IsCut says that only the beginning of the document was read.
	IsCut bool `json:"is_cut,omitempty"`
	// Error is why nothing comes of it, or no more.
	Error string `json:"error,omitempty"`
}

// parsed reads a recipe, and refuses a wrong one with its place.
func parsedRecipe(text string) (*recipe.Recipe, error) {
	read, err := recipe.Parse("recipe", []byte(text), "")
	var wrong *spec.Error
	if errors.As(err, &wrong) {
		return nil, huma.Error422UnprocessableEntity(err.Error(), &huma.ErrorDetail{Message: wrong.Message, Location: "body.text"})
	}
	if err != nil {
		return nil, huma.Error422UnprocessableEntity(err.Error())
	}
	return read, nil
}

func (a recipesAPI) test(ctx context.Context, r *struct{ Body TestRecipe }) (*raw, error) {
	tried, err := a.try(ctx, &r.Body)
	if err != nil {
		return nil, err
	}
	return rawJSON(tried)
}

func (a recipesAPI) try(ctx context.Context, asked *TestRecipe) (tried RecipeTried, err error) {
	if a.TryRecipe == nil {
		return tried, huma.Error503ServiceUnavailable("no document can be read here")
	}
	if (asked.Name == "") == (asked.Text == "") {
		return tried, huma.Error422UnprocessableEntity("name a recipe, or send its text")
	}
	var by *recipe.Recipe
	if asked.Text != "" {
		by, err = parsedRecipe(asked.Text)
	} else {
		by, err = a.form(ctx, asked.Name)
	}
	if err != nil {
		return tried, err
	}
	hash := strings.TrimSpace(asked.Document)
	if hash == "" {
		return tried, huma.Error422UnprocessableEntity("document is the URI or hash of a document of the list")
	}
	if !isHash(hash) {
		hash = seedlist.Key(hash)
	}
	seed, err := a.find(ctx, hash)
	if missing := huma.StatusError(nil); errors.As(err, &missing) && missing.GetStatus() == 404 {
		return tried, huma.Error404NotFound("no document of the list is " + seedlist.Shown(strings.TrimSpace(asked.Document)))
	}
	if err != nil {
		return tried, err
	}
	tried, err = a.TryRecipe(ctx, seed, by)
	switch kind := fault.KindOf(err); {
	case kind == fault.Stopped:
		return tried, problem(err)
	case err != nil:
		tried.Error = seedlist.ShownIn(err.Error())
	}
	tried.Hash, tried.Name = seed.Hash, seedlist.Shown(a.name(ctx, &seed))
	if tried.Rows == nil {
		tried.Rows = []json.RawMessage{}
	}
	if tried.Notices == nil {
		tried.Notices = []fault.Notice{}
	}
	return tried, nil
}

// form is a recipe of the list as it is in force.
func (a recipesAPI) form(ctx context.Context, name string) (*recipe.Recipe, error) {
	one, isThere, err := a.listed(ctx, name)
	if err != nil {
		return nil, err
	}
	if !isThere {
		return nil, noRecipe(name)
	}
	bodies, err := a.Seeds.RecipeForms(ctx, one.SHA256)
	if err != nil {
		return nil, problem(err)
	}
	by, err := recipe.FromBody(name, bodies[one.SHA256])
	return by, problem(err)
}

// listed is a recipe of the list by its name.
func (a recipesAPI) listed(ctx context.Context, name string) (one seedlist.Recipe, isThere bool, err error) {
	all, _, err := a.Seeds.Recipes(ctx)
	if err != nil {
		return one, false, problem(err)
	}
	at := slices.IndexFunc(all, func(r seedlist.Recipe) bool { return r.Name == name })
	if at < 0 {
		return one, false, nil
	}
	return all[at], true, nil
}
