package web

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"laundromat/seedlist/quality"
	"laundromat/seedlist/views"
)

// TurnFilter says which documents turned in some way since a day.
type TurnFilter struct {
	Turn  string `query:"turn" json:"turn,omitempty" enum:"added,broken,mended,rewritten" doc:"only documents that came, began to fail, were mended or rewritten since a day; the last first"`
	Since string `query:"since" json:"since,omitempty" doc:"with turn: the day in UTC, as 2006-01-02; a month ago if absent"`
}

// strange says what is wrong with the filter; "" if nothing is.
func (f *TurnFilter) strange(sort string) string {
	switch {
	case f.Turn == "" && f.Since != "":
		return "since is with turn: " + strings.Join(quality.TurnNames(), ", ")
	case f.Turn != "" && !slices.Contains(quality.TurnNames(), f.Turn):
		return "there is no turn " + strconv.Quote(f.Turn) + "; there are " + strings.Join(quality.TurnNames(), ", ")
	case f.Turn != "" && sort != "":
		return "sort is not with turn, which has an order of its own"
	}
	if _, err := sinceDay(f.Since, time.Now()); err != nil {
		return err.Error()
	}
	return ""
}

// into puts the filter into what the views are asked for.
func (f *TurnFilter) into(q *views.Query) {
	if f.Turn != "" {
		q.Turn = f.Turn
		q.Since, _ = sinceDay(f.Since, time.Now()) // which was checked
	}
}

// sinceDay reads a day; a month ago where none is said.
func sinceDay(text string, now time.Time) (time.Time, error) {
	if text == "" {
		return now.UTC().AddDate(0, -1, 0).Truncate(24 * time.Hour), nil
	}
	at, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return at, Invalid("since is a day, such as 2026-10-31, not " + strconv.Quote(text))
	}
	if at.After(now) {
		return at, Invalid(text + " is yet to come")
	}
	return at, nil
}

// CompareQuery says what is compared with what it was.
type CompareQuery struct {
	By    string `query:"by" doc:"host, catalog, publisher or licence; absent: all documents"`
	Value string `query:"value" doc:"the host, the hash of the catalog, the publisher or the licence"`
	Since string `query:"since" doc:"the day in UTC, as 2006-01-02; a month ago if absent. Of days more than two months ago, their month"`
}

// Compared is what became of documents since a day.
type Compared struct {
	By    string `json:"by,omitempty"`
	Value string `json:"value,omitempty"`
	Name  string `json:"name,omitempty" doc:"the address of a catalog; of others the value"`
	views.Comparison
	// Lists are the addresses of lists of the documents that turned, by the names of the turns.
	Lists map[string]string `json:"lists"`
	Note  string            `json:"note,omitempty"`
}

type compareReply struct{ Body Compared }

func (a publishersAPI) compareReply(ctx context.Context, r *CompareQuery) (*compareReply, error) {
	body, err := a.compare(ctx, r)
	if err != nil {
		return nil, err
	}
	return &compareReply{Body: body}, nil
}

// compared is what a query asks about.
type compared struct {
	by    views.Facet
	value string
	since time.Time
}

// read reads the query, and waits for the views.
func (r *CompareQuery) read(ctx context.Context, a publishersAPI) (of compared, err error) {
	of.by = views.Host
	if (r.By == "") != (r.Value == "") {
		return of, Invalid("by and value are given together, or neither of them")
	}
	if r.By != "" {
		if of.by, err = groupNamed(r.By); err != nil {
			return of, err
		}
	}
	if of.since, err = sinceDay(r.Since, time.Now()); err != nil {
		return of, err
	}
	if of.value = r.Value; of.by == views.Host || of.by == views.Catalog {
		of.value = strings.ToLower(of.value)
	}
	return of, a.viewed(ctx)
}

// isBuilding is the note where the lists are being made anew.
const isBuilding = "the lists are being made anew, and hold a part of the documents so far"

func (a publishersAPI) compare(ctx context.Context, r *CompareQuery) (all Compared, err error) {
	of, err := r.read(ctx, a)
	if err != nil {
		return all, err
	}
	found := false
	if all.Comparison, found, err = a.Views.Compare(ctx, of.by, of.value, of.since); err != nil {
		return all, problem(err)
	}
	if !found && of.value != "" {
		return all, huma.Error404NotFound("there is no document of the " + r.By + " " + strconv.Quote(of.value))
	}
	all.By, all.Value, all.Name = r.By, of.value, a.nameOf(ctx, r.By, of.value)
	all.Lists = map[string]string{}
	day := all.Since.Format(time.DateOnly)
	for _, turn := range quality.TurnNames() {
		query := url.Values{"turn": {turn}, "since": {day}}
		if r.By != "" {
			query.Set(r.By, of.value)
		}
		all.Lists[turn] = "/api/v1/seeds?" + query.Encode()
	}
	query := url.Values{"since": {day}}
	if r.By != "" {
		query.Set("by", r.By)
		query.Set("value", of.value)
	}
	all.Lists["removed"] = "/api/v1/removed?" + query.Encode()
	if all.AsOf.Building {
		all.Note = isBuilding
	}
	return all, nil
}

// Compare says what became of documents since a day.
func (r *Reader) Compare(ctx context.Context, q CompareQuery) (Compared, error) {
	return publishersAPI{r.a}.compare(ctx, &q)
}

// CatalogName is the address of a catalog by its hash; the hash where there is none.
func CatalogName(ctx context.Context, r *Reader, hash string) string {
	return publishersAPI{r.a}.nameOf(ctx, views.Catalog.String(), hash)
}
