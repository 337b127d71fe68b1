package pages

import (
	"context"
	"net/http"

	"laundromat/seedlist"
	"laundromat/states/recordtables"
	"laundromat/web"
)

// mergesShown is how many merges a page has, and mergedRowsShown how many records of each.
const (
	mergesShown     = 50
	mergedRowsShown = 100
)

// mergesOf is what the page of a dataset says of the merges that its records are in.
type mergesOf struct {
	N      int64
	Recipe string
	Source string
}

// mergesPage are the merges of a recipe, or those with records of a document.
type mergesPage struct {
	recordtables.MergeList
	Shown      []shownMerge
	Source, ID string
	At         string // the path of the page
	MayOperate bool
}

// shownMerge is a merge with what its records say.
type shownMerge struct {
	recordtables.Merge
	Fields []string
	Rows   []mergedRow // the first
	All    int         // how many there are
}

// mergedRow is a record of a merge.
type mergedRow struct {
	ID, Source string
	Cells      []shownCell
}

// mergesPath is where the merges of a recipe are.
func mergesPath(recipe string) string { return "/recipes/" + recipe + "/merges" }

// merges shows which records are the same.
func (s *site) merges(r *http.Request) (page, error) {
	name := r.PathValue("name")
	p := mergesPage{Source: r.FormValue("source"), ID: r.FormValue("id"), At: mergesPath(name), MayOperate: mayOperate(r)}
	var err error
	p.MergeList, err = s.read.Merges(r.Context(), name, recordtables.MergesQuery{After: r.FormValue("after"), Source: p.Source, ID: p.ID,
		Limit: mergesShown})
	if err != nil {
		return page{}, err
	}
	for i := range p.Merges {
		p.Shown = append(p.Shown, shownMergeOf(&p.Merges[i]))
	}
	return page{title: "Records of " + name + " that are the same", template: "merges.html", data: p}, nil
}

// shownMergeOf reads the records that a merge is made of out of it.
func shownMergeOf(m *recordtables.Merge) shownMerge {
	one := shownMerge{Merge: *m, All: len(m.Records)}
	rows, err := web.OriginalsOf(m.Merged)
	if err != nil { // it is not as we wrote it: what is known beside it is shown
		for _, member := range m.Records[:min(len(m.Records), mergedRowsShown)] {
			one.Rows = append(one.Rows, mergedRow{ID: member.ID, Source: member.Source})
		}
		return one
	}
	rows = rows[:min(len(rows), mergedRowsShown)]
	known := map[string]bool{}
	for _, row := range rows {
		for _, f := range row.Record.Fields {
			if !known[f.Name] && len(one.Fields) < columnsShown {
				known[f.Name] = true
				one.Fields = append(one.Fields, f.Name)
			}
		}
	}
	for _, row := range rows {
		shown := mergedRow{ID: row.Key, Source: row.Source}
		for _, member := range m.Records {
			if member.Key == row.Key && member.Table == row.Table {
				shown.ID = member.ID
			}
		}
		for _, field := range one.Fields {
			shown.Cells = append(shown.Cells, cellOf(&shownColumn{RecordColumn: web.RecordColumn{Name: field}}, row.Record.Field(field)))
		}
		one.Rows = append(one.Rows, shown)
	}
	return one
}

// judgeMerges takes what a person says of a merge.
func (s *site) judgeMerges(r *http.Request) (page, error) {
	if err := parseForm(r, mostForm); err != nil {
		return page{}, err
	}
	name := r.PathValue("name")
	if !seedlist.IsRecipeName(name) {
		return page{}, web.Nothing(r.URL.Path)
	}
	said := r.PostForm.Get
	judgement := web.MergeJudgement{Undo: said("undo"), Redo: said("redo"), Forget: [2]string{said("a"), said("b")}}
	_, err := s.read.JudgeMerges(r.Context(), name, judgement)
	return page{location: address(mergesPath(name), "source", r.PostForm.Get("source"), "id", r.PostForm.Get("id"))}, err
}

// mergesOfDataset says how many merges the records of a document are in; nil if in none.
func mergesOfDataset(ctx context.Context, read *web.Reader, document *seedlist.Seed) (*mergesOf, error) {
	n, source, err := read.MergesOf(ctx, document)
	if err != nil || n == 0 {
		return nil, err
	}
	return &mergesOf{n, document.Recipe.Name, source}, nil
}
