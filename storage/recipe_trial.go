package storage

import (
	"context"
	"encoding/json"

	"laundromat/seedlist"
	"laundromat/states/daemon"
	"laundromat/states/recipe"
	"laundromat/web"
)

const (
	// triedRows and triedNotices are how many are shown of what a recipe makes of a document.
	triedRows    = 20
	triedNotices = 20
	// triedBytes is how much of a document is read for that.
	triedBytes = 16 << 20
)

// tryRecipe reads a document by a recipe, and keeps nothing.
func (f *Folder) tryRecipe(ctx context.Context, seed seedlist.Seed, by *recipe.Recipe) (web.RecipeTried, error) {
	trial := daemon.RecipeTrial{Files: f.Files, Seeds: f.Seeds, Temp: f.Temp, Rows: triedRows, Notices: triedNotices, Bytes: triedBytes}
	made, err := trial.Try(ctx, seed, by)
	tried := web.RecipeTried{ReadAs: string(made.Kind), Matches: made.IsMatched, Records: made.Sums, Fields: made.Fields,
		Notices: made.Notices, Found: made.Found, Pages: made.Pages, Led: made.Led, IsCut: made.IsCut}
	for _, row := range made.Rows {
		tried.Rows = append(tried.Rows, json.RawMessage(row))
	}
	return tried, err
}
