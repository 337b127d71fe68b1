package web

import (
	"context"
	"time"

	"laundromat/seedlist/views"
)

// RemovedQuery says which removed documents to list.
type RemovedQuery struct {
	CompareQuery
	Cursor string `query:"cursor" doc:"what the page before gave as next"`
	Limit  int    `query:"limit" minimum:"1" maximum:"1000" doc:"documents of a page; 100 if absent"`
}

// Removed is one page of the documents that were removed, the last first.
type Removed struct {
	By        string            `json:"by,omitempty"`
	Value     string            `json:"value,omitempty"`
	Name      string            `json:"name,omitempty" doc:"the address of a catalog; of others the value"`
	Documents []RemovedDocument `json:"documents"`
	Next      string            `json:"next,omitempty"`
	// Since is the day that was asked for, or since when removed documents are known, if that is later.
	Since time.Time  `json:"since"`
	AsOf  views.AsOf `json:"as_of"`
	Note  string     `json:"note,omitempty"`
}

// RemovedDocument is a document that was removed from the list, or that a catalog, a publisher or a licence no longer
// has.
type RemovedDocument struct {
	views.Departed
	IsListed bool `json:"listed" doc:"it is still in the list, and has left the catalog, publisher or licence alone"`
}

type removedReply struct{ Body Removed }

func (a publishersAPI) removedReply(ctx context.Context, r *RemovedQuery) (*removedReply, error) {
	body, err := a.removed(ctx, r)
	if err != nil {
		return nil, err
	}
	return &removedReply{Body: body}, nil
}

// removedShown is how many documents a page has where no limit is given.
const removedShown = 100

func (a publishersAPI) removed(ctx context.Context, r *RemovedQuery) (all Removed, err error) {
	of, err := r.read(ctx, a)
	if err != nil {
		return all, err
	}
	limit := r.Limit
	if limit <= 0 {
		limit = removedShown
	}
	page, err := a.Views.Departed(ctx, views.DepartedQuery{By: of.by, Value: of.value, Since: of.since, Cursor: r.Cursor, Limit: limit})
	if err != nil {
		return all, problem(err)
	}
	all = Removed{By: r.By, Value: of.value, Name: a.nameOf(ctx, r.By, of.value), Documents: []RemovedDocument{}, Next: page.Next,
		Since: of.since, AsOf: page.AsOf}
	if page.Known.After(all.Since) {
		all.Since = page.Known
	}
	if page.AsOf.Building {
		all.Note = isBuilding
	}
	numbers := make([]uint64, len(page.Documents))
	for i := range page.Documents {
		numbers[i] = page.Documents[i].Number
	}
	here, err := a.Seeds.Numbered(ctx, numbers...)
	if err != nil {
		return all, problem(err)
	}
	isHere := map[uint64]bool{}
	for i := range here {
		isHere[here[i].Number] = true
	}
	for _, one := range page.Documents {
		all.Documents = append(all.Documents, RemovedDocument{one, isHere[one.Number]})
	}
	return all, nil
}

// Removed lists the documents that were removed since a day.
func (r *Reader) Removed(ctx context.Context, q RemovedQuery) (Removed, error) {
	return publishersAPI{r.a}.removed(ctx, &q)
}
