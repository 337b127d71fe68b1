package web

import (
	"fmt"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"laundromat/internal/files"
	"laundromat/seedlist/seedfile"
)

// changeFiles are the files of what the last wash of a seed changed, by their names here.
var changeFiles = map[string]files.Suffix{
	"removed.nq.gz":  files.Removed,
	"added.nq.gz":    files.Added,
	"renamed.tsv.gz": files.Renamed,
}

// changes returns the handler that sends one of these files.
func (a *api) changes(suffix files.Suffix) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		seed, ok := a.seedOf(w, r)
		if !ok {
			return
		}
		switch {
		case seed.Changes == nil && seed.ServedClean() == "" && len(seed.Products) > 0:
			writeProblem(w, huma.Error404NotFound(fmt.Sprintf(
				"the seed %s has no statements, whose changes these would be; diff compares versions of its records or articles", seed.Hash)))
			return
		case seed.Changes == nil:
			writeProblem(w, huma.Error404NotFound(fmt.Sprintf("the seed %s has no changes: it was not washed twice", seed.Hash)))
			return
		case seed.Changes.Error != "":
			writeProblem(w, huma.Error404NotFound(fmt.Sprintf("what changed of the seed %s is not known: %s", seed.Hash,
				seed.Changes.Error)))
			return
		}
		a.send(w, r, &seed, seedfile.Key(&seed, suffix), suffix)
	}
}
