package web

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"laundromat/internal/digest"
	"laundromat/internal/fault"
	"laundromat/seedlist"
	"laundromat/seedlist/views"
	"laundromat/states/kind"
)

// RecipeReader answers and does what is about recipes.
type RecipeReader struct{ *Reader }

// Recipes are all recipes in their order, with what they were found for.
func (r RecipeReader) Recipes(ctx context.Context) (Recipes, error) { return recipesAPI{r.a}.all(ctx) }

// RecipeForms are the bodies of recipes by their SHA-256.
func (r RecipeReader) RecipeForms(ctx context.Context, sums ...string) (map[string][]byte, error) {
	bodies, err := r.a.Seeds.RecipeForms(ctx, sums...)
	return bodies, problem(err)
}

// FormInForce is the SHA-256 of a recipe's form; "" where there is no such recipe.
func (r RecipeReader) FormInForce(ctx context.Context, name string) (sum string, err error) {
	listed, _, err := recipesAPI{r.a}.listed(ctx, name)
	return listed.SHA256, err
}

// NoRecipe is the error of the name of a recipe that is not there.
func NoRecipe(name string) error { return noRecipe(name) }

// PutRecipe adds a recipe, or gives one another form or place.
func (r RecipeReader) PutRecipe(ctx context.Context, wanted PutRecipe) (string, error) {
	read, err := parsedRecipe(wanted.Text)
	if err != nil {
		return "", err
	}
	_, err = recipesAPI{r.a}.put(ctx, &struct{ Body PutRecipe }{wanted})
	return read.Name, err
}

// RemoveRecipe removes a recipe. Documents keep what it made of them.
func (r RecipeReader) RemoveRecipe(ctx context.Context, name string) error {
	_, err := recipesAPI{r.a}.remove(ctx, &byName{name})
	return err
}

// TryRecipe reads a document by a recipe, and keeps nothing.
func (r RecipeReader) TryRecipe(ctx context.Context, asked TestRecipe) (RecipeTried, error) {
	return recipesAPI{r.a}.try(ctx, &asked)
}

// RecipeSums are those of the documents of a recipe.
type RecipeSums struct {
	Documents int64 // that were looked at
	IsCut     bool  // there are more
	Records   digest.Records
	Served    int64 // records that are served, of all of them
	Changed   []seedlist.Seed
	// ChangedTotal are the documents that do not fit the recipe any more; Changed are the first.
	ChangedTotal int64
}

// errSumsCut ends a reading of documents.
var errSumsCut = errors.New("enough documents were looked at")

// RecipeSums adds up the documents of a recipe, no more of them than most. Of those that do not fit it any more, the
// first of shown are given.
func (r RecipeReader) RecipeSums(ctx context.Context, name string, most int64, shown int) (s RecipeSums, err error) {
	err = recipesAPI{r.a}.documents(ctx, name, func(seed *seedlist.Seed) error {
		if s.Documents == most {
			s.IsCut = true
			return errSumsCut
		}
		s.Documents++
		if seed.Records != nil {
			s.Records.Read, s.Records.Kept = s.Records.Read+seed.Records.Read, s.Records.Kept+seed.Records.Kept
			s.Records.Repaired, s.Records.Dropped = s.Records.Repaired+seed.Records.Repaired, s.Records.Dropped+seed.Records.Dropped
			s.Records.Written += seed.Records.Written
		}
		p := seed.Product(kind.Records)
		if p == nil {
			return nil
		}
		if p.Written != nil {
			s.Served += *p.Written
		}
		if p.Error != nil && p.Error.Code == fault.RecordPageChanged {
			if s.ChangedTotal++; len(s.Changed) < shown {
				s.Changed = append(s.Changed, *seed)
			}
		}
		return nil
	})
	if errors.Is(err, errSumsCut) {
		err = nil
	}
	return s, problem(err)
}

// UnreadFormat is how many documents of a format no recipe was found for, of how many there are.
type UnreadFormat struct {
	Format       string
	Without, All int64
}

// mostFormats is how many formats are looked at, alone and with recipes.
const mostFormats = 10_000

// UnreadFormats are the formats of which recipes make records, the one with most documents that none reads first. It is
// nil where that is not counted here.
func (r RecipeReader) UnreadFormats(ctx context.Context) ([]UnreadFormat, error) {
	if r.a.Views == nil || r.AsOf().Building {
		return nil, nil
	}
	all, err := r.Counts(ctx, "format", mostFormats)
	if err != nil {
		return nil, err
	}
	by, err := r.Counts(ctx, "recipe,format", mostFormats)
	if err != nil || by.Total > len(by.Counts) {
		return nil, err
	}
	read := map[string]int64{}
	for _, c := range by.Counts {
		if len(c.Values) == 2 {
			read[c.Values[1]] += c.Seeds
		}
	}
	var unread []UnreadFormat
	for _, c := range all.Counts {
		is, _ := kind.Named(c.Values[0])
		if is.Form(kind.Records) == kind.Not || is != kind.HTML && is.Form(kind.Statements) != kind.Not {
			continue // of what is RDF, statements are wanted
		}
		if without := c.Seeds - read[c.Values[0]]; without > 0 {
			unread = append(unread, UnreadFormat{c.Values[0], without, c.Seeds})
		}
	}
	slices.SortStableFunc(unread, func(a, b UnreadFormat) int { return cmp.Compare(b.Without, a.Without) })
	return unread, nil
}

// RecipeAmong counts the values of facets among the documents of a recipe.
func (r RecipeReader) RecipeAmong(ctx context.Context, name string, by []views.Facet, limit int) (views.Among, error) {
	return r.Among(ctx, ListQuery{ViewFilter: ViewFilter{Recipe: name}}, by, limit)
}

// RecipeCounts are in how many records of a recipe each field is, and how many seeds it led to.
func (r RecipeReader) RecipeCounts(ctx context.Context, name string) (fields map[string]int64, pages int64, err error) {
	counts, err := r.a.Seeds.Counts(ctx)
	return counts.RecipeFields[name], counts.RecipePages[name], problem(err)
}
