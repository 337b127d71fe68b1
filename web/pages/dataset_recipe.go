package pages

import (
	"context"

	"laundromat/seedlist"
)

// againForm is what the forms need by which a document is washed again.
type againForm struct {
	Recipe     *recipeUsed // that it was washed by; nil for none
	MayOperate bool
}

// recipeUsed is the recipe that a document was washed by.
type recipeUsed struct {
	Name    string
	IsGone  bool // no recipe has that name any more
	IsOlder bool // another form of it is in force
}

// recipeOf says by which recipe a document was washed; nil for none.
func (s recipeSite) recipeOf(ctx context.Context, document *seedlist.Seed) (*recipeUsed, error) {
	used := document.Recipe
	if used == nil {
		return nil, nil
	}
	now, err := s.kept().FormInForce(ctx, used.Name)
	if err != nil {
		return nil, err
	}
	return &recipeUsed{Name: used.Name, IsGone: now == "", IsOlder: now != "" && now != used.SHA256}, nil
}
