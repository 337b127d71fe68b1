package web

import (
	"context"
	"errors"

	"github.com/danielgtaylor/huma/v2"

	"laundromat/records"
	"laundromat/records/dump"
	"laundromat/seedlist"
	"laundromat/states/recordtables"
)

// mergesAPI is the part of the API that is about records which were found to be the same.
type mergesAPI struct{ *api }

// ofMerges are its operations.
func ofMerges(a *api) []operation {
	m := mergesAPI{a}
	operations := []operation{get("/api/v1/recipes/{name}/merges", m.list)}
	if a.hasWrites() {
		operations = append(operations, post("/api/v1/recipes/{name}/merges", m.judge))
	}
	return operations
}

type mergesRequest struct {
	Name   string `path:"name" doc:"name of the recipe"`
	After  string `query:"after" doc:"the key before the first merge"`
	ID     string `query:"id" doc:"the merge of the record with this id alone"`
	Source string `query:"source" doc:"merges with a record of the document of this URI alone"`
	Limit  int    `query:"limit" minimum:"1" maximum:"1000" default:"100"`
}

// MergeJudgement is what a person says of merges: one of its members.
type MergeJudgement struct {
	Undo      string    `json:"undo,omitempty" doc:"the key of a merge whose records are given back: no two of them are the same"`
	Redo      string    `json:"redo,omitempty" doc:"the key of a merge that was undone: its records may be the same again"`
	Apart     [2]string `json:"apart,omitempty" doc:"the ids of two records that are not the same"`
	Same      [2]string `json:"same,omitempty" doc:"the ids of two records that are the same"`
	Forget    [2]string `json:"forget,omitempty" doc:"the ids of two records of which nothing is said any more"`
	KeepModel *bool     `json:"keep_model,omitempty" doc:"whether nothing is learned anew"`
}

// MergesJudged answers.
type MergesJudged struct {
	Recipe string `json:"recipe"`
	// Records are those that were given back.
	Records int64 `json:"records,omitempty"`
}

// merges are those of the database that the records of recipes go to.
func (a mergesAPI) merges(ctx context.Context, name string) (m recordtables.Merges, err error) {
	if !seedlist.IsRecipeName(name) {
		return m, noRecipe(name)
	}
	if a.Daemon.Merges == nil {
		return m, huma.Error404NotFound("no daemon here puts records into a database: serve --records-into names one")
	}
	_, isKnown, err := recipesAPI(a).listed(ctx, name)
	if err != nil {
		return m, err
	}
	if !isKnown {
		return m, noRecipe(name)
	}
	m, err = a.Daemon.Merges()
	return m, problem(err)
}

func (a mergesAPI) all(ctx context.Context, name string, q recordtables.MergesQuery) (list recordtables.MergeList, err error) {
	m, err := a.merges(ctx, name)
	if err != nil {
		return list, err
	}
	list, err = m.List(ctx, name, q)
	return list, problem(err)
}

func (a mergesAPI) list(ctx context.Context, r *mergesRequest) (*raw, error) {
	list, err := a.all(ctx, r.Name, recordtables.MergesQuery{After: r.After, ID: r.ID, Source: r.Source, Limit: r.Limit})
	if err != nil {
		return nil, err
	}
	return rawJSON(list)
}

func (a mergesAPI) judge(ctx context.Context, r *struct {
	Name string `path:"name" doc:"name of the recipe"`
	Body MergeJudgement
},
) (*raw, error) {
	judged, err := a.say(ctx, r.Name, r.Body)
	if err != nil {
		return nil, err
	}
	return rawJSON(judged)
}

// say does what a person says.
func (a mergesAPI) say(ctx context.Context, name string, j MergeJudgement) (MergesJudged, error) {
	m, err := a.merges(ctx, name)
	if err != nil {
		return MergesJudged{}, err
	}
	return Judge(ctx, m, name, j, WhoIn(ctx).Name)
}

// Judge does what a person of a name says of merges. An error is that of a reply.
func Judge(ctx context.Context, m recordtables.Merges, name string, j MergeJudgement, by string) (judged MergesJudged, err error) {
	judged.Recipe = name
	asked := 0
	for _, is := range [...]bool{
		j.Undo != "", j.Redo != "", j.Apart != [2]string{}, j.Same != [2]string{}, j.Forget != [2]string{}, j.KeepModel != nil,
	} {
		if is {
			asked++
		}
	}
	if asked != 1 {
		return judged, huma.Error422UnprocessableEntity("one of undo, redo, apart, same, forget and keep_model is wanted")
	}
	for _, two := range [...][2]string{j.Apart, j.Same, j.Forget} {
		if (two[0] == "") != (two[1] == "") {
			return judged, huma.Error422UnprocessableEntity("the ids of two records are wanted")
		}
	}
	switch {
	case j.Undo != "":
		judged.Records, err = m.Undo(ctx, name, j.Undo, by)
	case j.Redo != "":
		err = m.Redo(ctx, name, j.Redo)
	case j.Apart[0] != "":
		err = m.Say(ctx, name, recordtables.Answer{A: j.Apart[0], B: j.Apart[1], By: by})
	case j.Same[0] != "":
		err = m.Say(ctx, name, recordtables.Answer{A: j.Same[0], B: j.Same[1], Same: true, By: by})
	case j.Forget[0] != "":
		err = m.Forget(ctx, name, j.Forget[0], j.Forget[1])
	default:
		err = m.KeepModel(ctx, name, *j.KeepModel)
	}
	switch {
	case errors.Is(err, recordtables.ErrNoMerge), errors.Is(err, recordtables.ErrNoUndone), errors.Is(err, recordtables.ErrNoAnswer):
		err = huma.Error404NotFound(err.Error())
	case errors.Is(err, recordtables.ErrSameIDs):
		err = huma.Error409Conflict(err.Error())
	}
	return judged, problem(err)
}

// Merges are those of a recipe.
func (r *Reader) Merges(ctx context.Context, name string, q recordtables.MergesQuery) (recordtables.MergeList, error) {
	return mergesAPI{r.a}.all(ctx, name, q)
}

// JudgeMerges does what a person says of the merges of a recipe.
func (r *Reader) JudgeMerges(ctx context.Context, name string, j MergeJudgement) (MergesJudged, error) {
	return mergesAPI{r.a}.say(ctx, name, j)
}

// MergesOf are how many merges have a record of a document, and the source of its rows; 0 where nobody knows.
func (r *Reader) MergesOf(ctx context.Context, seed *seedlist.Seed) (n int64, source string, err error) {
	if r.a.Daemon.Merges == nil || seed.Recipe == nil || seed.Product(seedlist.ProductRecords) == nil {
		return 0, "", nil
	}
	m, err := r.a.Daemon.Merges()
	if err != nil {
		return 0, "", nil // a database that does not answer takes nothing from the page
	}
	if source, err = r.a.Daemon.SourceOf(ctx, seed); err != nil {
		return 0, "", err
	}
	if n, err = m.OfSource(ctx, seed.Recipe.Name, source); err != nil {
		return 0, "", nil // as above
	}
	return n, source, nil
}

// OriginalRow is a row that a merged record is made of.
type OriginalRow struct {
	Table, Key, Source string
	Record             *records.Record
}

// OriginalsOf are the rows that a merged record is made of, by its field _merge.
func OriginalsOf(merged []byte) (rows []OriginalRow, err error) {
	whole, err := dump.ReadJSON(merged)
	if err != nil {
		return nil, err
	}
	how, _ := whole.Get(records.MergeField)
	from, _ := how.Get(records.MergedFrom)
	for i := range from.Items {
		text := func(name string) string {
			v, _ := from.Items[i].Get(name)
			return v.Text
		}
		held, is := from.Items[i].Get(records.OriginalRecord)
		if !is || held.Kind != records.Object {
			return nil, errors.New("a record is missing in a merged one")
		}
		fields, was := dump.Originals(held.Fields)
		rows = append(rows, OriginalRow{text("in"), text("key"), text("source"), &records.Record{Fields: fields, Was: was}})
	}
	return rows, nil
}
