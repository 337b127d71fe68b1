package web

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"laundromat/records"
	"laundromat/records/dump"
	"laundromat/seedlist"
	"laundromat/seedlist/views"
	"laundromat/states/kind"
	"laundromat/states/recordset"
	"laundromat/states/recordtables"
)

type tableRequest struct {
	Name      string `path:"name" doc:"name of the recipe"`
	As        string `query:"as" doc:"the format: jsonl (the default), csv, parquet, …"`
	Places    bool   `query:"places" doc:"also where each row comes from: _source, _line, _element, _table, _detail"`
	Accounted bool   `query:"accounted" doc:"lines of JSON that also say what can't be read, and end with sums, in place of as"`
	Schema    bool   `query:"schema" doc:"with accounted, the Table Schema of the rows first"`
}

// TableLine is a line of an accounted table: one of its members is there. The last line has the sums; without them the
// table was cut short.
type TableLine struct {
	Schema json.RawMessage         `json:"schema,omitempty"`
	Row    json.RawMessage         `json:"row,omitempty"`
	Unread *recordtables.Unread    `json:"unread,omitempty"`
	Sums   *recordtables.TableSums `json:"sums,omitempty"`
}

// table is the records of all documents of a recipe.
func (a recipesAPI) table(ctx context.Context, r *tableRequest) (*reply, error) {
	if r.As == "" {
		r.As = "jsonl"
	}
	switch {
	case !slices.Contains(dump.Formats(), r.As):
		return nil, huma.Error422UnprocessableEntity("as is one of " + strings.Join(dump.Formats(), ", "))
	case r.Schema && !r.Accounted:
		return nil, huma.Error422UnprocessableEntity("schema goes with accounted")
	}
	if err := a.checkTable(ctx, r.Name); err != nil {
		return nil, err
	}
	t := a.tableOf(r.Name, r.Places)
	if r.Accounted {
		return &reply{Body: func(c huma.Context) { writeAccounted(c, t, r.Schema) }}, nil
	}
	return &reply{Body: func(c huma.Context) { writeTable(c, t, r.As) }}, nil
}

// checkTable refuses the name of a recipe that is not there, and that no document was washed by.
func (a recipesAPI) checkTable(ctx context.Context, name string) error {
	if _, isThere, err := a.listed(ctx, name); err != nil || isThere {
		return err
	}
	counts, err := a.Seeds.Counts(ctx)
	if err != nil {
		return problem(err)
	}
	if len(counts.Recipes[name]) > 0 {
		return nil
	}
	return noRecipe(name)
}

func (a recipesAPI) tableOf(name string, places bool) *recordtables.Table {
	return &recordtables.Table{Recipe: name, Seeds: a.Seeds, Files: a.Files, Places: places,
		Name: func(ctx context.Context, seed *seedlist.Seed) string { return seedlist.Shown(a.name(ctx, seed)) },
		Documents: func(ctx context.Context, visit func(*seedlist.Seed) error) error {
			return a.documents(ctx, name, visit)
		}}
}

// documentsAtOnce is how many documents are read from the list together.
const documentsAtOnce = 100

// documents visits the documents that a recipe was found for, in the order of the list: by the views, or where there
// are none yet, by reading the whole list.
func (a recipesAPI) documents(ctx context.Context, name string, visit func(*seedlist.Seed) error) error {
	whole := func(numbers []uint64) error {
		for some := range slices.Chunk(numbers, documentsAtOnce) {
			seeds, err := a.Seeds.Whole(ctx, some...)
			if err != nil {
				return err
			}
			for i := range seeds {
				if use := seeds[i].Recipe; use == nil || use.Name != name {
					continue
				}
				if err := visit(&seeds[i]); err != nil {
					return err
				}
			}
		}
		return nil
	}
	if a.Views != nil && !a.Views.AsOf().Building {
		if err := a.catchUp(ctx); err != nil {
			return err
		}
		for q := (views.Query{Where: map[views.Facet]string{views.Recipe: name}, Limit: 1000}); ; {
			found, err := a.Views.List(ctx, q)
			if err == nil {
				err = whole(found.Numbers)
			}
			if q.Cursor = found.Next; err != nil || q.Cursor == "" {
				return err
			}
		}
	}
	for after := uint64(0); ; {
		some, err := a.Seeds.NumberedAfter(ctx, after, 1000)
		if err != nil || len(some) == 0 {
			return err
		}
		var numbers []uint64
		for i := range some {
			if use := some[i].Seed.Recipe; use != nil && use.Name == name {
				numbers = append(numbers, some[i].Number)
			}
		}
		if err := whole(numbers); err != nil {
			return err
		}
		after = some[len(some)-1].Number
	}
}

// writeTable writes a table as a file. A document whose records can't be read ends it: nobody may take what came for
// all.
func writeTable(c huma.Context, t *recordtables.Table, as string) {
	ctx := c.Context()
	t.Unread = func(u recordtables.Unread) error {
		return huma.Error500InternalServerError(fmt.Sprintf("the records of %s can't be read: %s; \"laundromat get --recipe\" gives all others",
			u.Name, u.Problem))
	}
	out := &begunWriter{to: c.BodyWriter(), begin: func() {
		c.SetHeader("Content-Type", contentTypeOfProduct(as))
		c.SetHeader("X-Content-Type-Options", "nosniff")
		c.SetHeader("Content-Disposition", `attachment; filename="`+t.Recipe+"."+kind.Records+"."+as+`"`)
	}}
	err := writeTyped(ctx, t, as, out)
	switch {
	case err == nil && !out.hasBegun:
		out.begin() // of no record, nothing is written
	case err != nil && !out.hasBegun:
		refuseIn(c, err)
	case err != nil:
		panic(http.ErrAbortHandler) // the reader must not take what came for all
	}
}

func writeTyped(ctx context.Context, t *recordtables.Table, as string, to io.Writer) (err error) {
	writing := recordset.Writing{As: as}
	if recordset.IsTyped(as) {
		if writing.Schema, err = t.Schema(ctx); err != nil {
			return err
		}
	}
	return writing.Write(to, func(out records.Sink) error {
		_, err := t.Read(ctx, out.Record)
		return err
	})
}

// refuseIn answers with a problem where nothing was written yet.
func refuseIn(c huma.Context, err error) {
	p := ProblemOf(err)
	c.SetHeader("Content-Type", "application/problem+json")
	c.SetStatus(p.Status)
	json.NewEncoder(c.BodyWriter()).Encode(huma.ErrorModel{Status: p.Status, Title: p.Title, Detail: p.Detail})
}

// writeAccounted writes a table as lines that say what became of each document.
func writeAccounted(c huma.Context, t *recordtables.Table, hasSchema bool) {
	ctx := c.Context()
	var schema []byte
	if hasSchema {
		var err error
		if schema, err = t.Schema(ctx); err != nil {
			refuseIn(c, err)
			return
		}
	}
	c.SetHeader("Content-Type", typeNDJSON)
	out := bufio.NewWriterSize(c.BodyWriter(), 64<<10)
	lines := json.NewEncoder(out)
	lines.SetEscapeHTML(false)
	if schema != nil {
		lines.Encode(TableLine{Schema: schema}) // an error is that of all that follows
	}
	t.Unread = func(u recordtables.Unread) error { return lines.Encode(TableLine{Unread: &u}) }
	sums, err := t.Read(ctx, (&rowLines{out: out}).record)
	if err == nil {
		err = errors.Join(lines.Encode(TableLine{Sums: &sums}), out.Flush())
	}
	if err != nil {
		panic(http.ErrAbortHandler) // the reader must not take what came for all
	}
}

// rowLines writes records as lines of an accounted table.
type rowLines struct {
	out  *bufio.Writer
	line []byte
}

func (w *rowLines) record(r *records.Record) error {
	w.line = append(w.line[:0], `{"row":`...)
	w.line = append(r.AppendJSON(w.line), "}\n"...)
	_, err := w.out.Write(w.line)
	return err
}
