package seedlist

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"
)

// Recipes are what is made of which documents, in an order: the first that matches a document counts. The list keeps
// their bodies, and knows nothing of what is in them. None is a seed, and none is in any count.
type Recipes interface {
	// RecipesVersion rises with each change of the recipes. It is cheap to ask.
	RecipesVersion(ctx context.Context) (uint64, error)
	// Recipes are all recipes in their order, without their bodies, and their version.
	Recipes(ctx context.Context) ([]Recipe, uint64, error)
	// RecipeForms are the bodies of recipes by their SHA-256: of those that are in force, and of older ones that the
	// record of a seed still names. One that is not there is left out.
	RecipeForms(ctx context.Context, sums ...string) (map[string][]byte, error)
	// PutRecipe puts a recipe into the list, in the place of one with its name. It goes before the one that is named
	// so, or stays where it is; a new one goes to the end. The error is [ErrNotFound] where there is none of that
	// name to go before. It answers whether anything changed.
	PutRecipe(ctx context.Context, r Recipe, before string) (changed bool, err error)
	// RemoveRecipe takes a recipe out of the list; [ErrNotFound] if there is none of that name. Documents keep what
	// it made of them.
	RemoveRecipe(ctx context.Context, name string) error
}

// Recipe is a recipe as a list keeps it.
type Recipe struct {
	Name   string    `json:"name"`
	SHA256 string    `json:"sha256"` // of the body
	Added  time.Time `json:"added,omitzero"`
	// Place orders recipes. The list gives it.
	Place int64 `json:"place"`
	// Body is JSON, which says all that the recipe does.
	Body []byte `json:"-"`
}

// MostRecipe is how long the body of a recipe may be, in bytes.
const MostRecipe = 64_000

// MostRecipes is how many recipes a list may have.
const MostRecipes = 100_000

// The refusals of recipes that no list keeps.
var (
	ErrRecipeLong  = errors.New("a recipe may be no longer than 64 kB, with its spec and its schema")
	ErrRecipeName  = errors.New("the name of a recipe has 1 to 100 characters: letters, digits and \"-\", \"_\", \".\"")
	ErrRecipesMany = fmt.Errorf("a list may have no more than %d recipes", MostRecipes)
)

// Check refuses a recipe that no list keeps.
func (r *Recipe) Check() error {
	switch {
	case !IsRecipeName(r.Name):
		return ErrRecipeName
	case len(r.Body) > MostRecipe:
		return ErrRecipeLong
	case !json.Valid(r.Body):
		return errors.New("the body of a recipe is JSON")
	}
	return nil
}

// IsRecipeName says that a recipe may have such a name.
func IsRecipeName(name string) bool {
	if name == "" || len(name) > 100 || name == "." || name == ".." {
		return false
	}
	for i := range len(name) {
		switch c := name[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '-', c == '_', c == '.':
		default:
			return false
		}
	}
	return true
}

// RecipeSum is the SHA-256 of the body of a recipe.
func RecipeSum(body []byte) string {
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:])
}

// RecipeUse is the form of a recipe that a document is washed by.
type RecipeUse struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
	// Format is that which was guessed without the recipe, where the recipe says another. It is what the recipe
	// matched.
	Format string `json:"format,omitempty"`
}

// SameRecipe says that two documents are washed by the same form of a recipe, or both by none.
func (r *RecipeUse) SameRecipe(other *RecipeUse) bool {
	if r == nil || other == nil {
		return r == other
	}
	return r.SHA256 == other.SHA256
}

// Matched is the format that recipes are held against: what was guessed without any.
func (r *Record) Matched() string {
	if r.Recipe != nil && r.Recipe.Format != "" {
		return r.Recipe.Format
	}
	return r.Format
}

// SortRecipes puts recipes into their order.
func SortRecipes(all []Recipe) {
	slices.SortFunc(all, func(a, b Recipe) int { return cmp.Or(cmp.Compare(a.Place, b.Place), cmp.Compare(a.Name, b.Name)) })
}
