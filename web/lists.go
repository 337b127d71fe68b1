package web

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"laundromat/internal/spelling"
	"laundromat/seedlist"
	"laundromat/seedlist/views"
)

// SeedPage is one page of a list; Next is the cursor of the next, "" at the end.
type SeedPage struct {
	Seeds []seedlist.Seed `json:"seeds"`
	Next  string          `json:"next,omitempty"`
	// AsOf says up to which change the list is complete.
	AsOf *views.AsOf `json:"as_of,omitempty"`
	// LookedAt is how many rows were looked at, where that ended the page before it was full.
	LookedAt int    `json:"looked_at,omitempty"`
	Note     string `json:"note,omitempty"`
	// Damaged are sentences about records that can't be read, which the list goes on behind.
	Damaged []string `json:"damaged,omitempty"`
}

// ViewFilter are the filters that views alone know.
type ViewFilter struct {
	Encoding  string `query:"encoding" json:"encoding,omitempty" doc:"only documents in this encoding"`
	Catalog   string `query:"catalog" json:"catalog,omitempty" doc:"only seeds that the catalog of this hash names"`
	Publisher string `query:"publisher" json:"publisher,omitempty" doc:"only documents of this publisher, as a catalog names it"`
	Licence   string `query:"licence" json:"licence,omitempty" doc:"only documents under this licence, as a catalog names it"`
	Recipe    string `query:"recipe" json:"recipe,omitempty" doc:"only documents that the recipe of this name was found for"`
	// Score is a part of the score, as [quality.Parts] has it.
	Score string `query:"score" json:"score,omitempty" enum:"reach,reach!,syntax,syntax!,terms,terms!,honesty,honesty!" doc:"only documents that count in full for this part of the score, or with ! lose something in it"`
	TermFilter
}

type listRequest struct {
	SeedFilter
	ViewFilter
	TurnFilter
	Files  string `query:"files" enum:"true,false" doc:"false: without clean files, which are no documents; a state that is asked for says that itself"`
	Sort   string `query:"sort" doc:"added, size, statements, dropped or processed; a - before it: the largest first"`
	Cursor string `query:"cursor" doc:"what the page before gave as next"`
	Limit  int    `query:"limit" minimum:"1" maximum:"1000" doc:"seeds of a page; 100 if absent"`
	Accept string `header:"Accept" doc:"application/x-ndjson: the whole list, a seed a line"`
}

// limit is how many seeds a page has.
func (r *listRequest) limit() int {
	if r.Limit == 0 {
		return 100
	}
	return r.Limit
}

// where is what the views are asked for.
func (r *listRequest) where() map[views.Facet]string {
	where := r.TermFilter.where()
	for f, value := range map[views.Facet]string{
		views.State: r.State, views.Format: r.Format, views.Encoding: r.Encoding, views.Host: strings.ToLower(r.Host),
		views.Source: r.Source, views.Catalog: r.Catalog, views.Error: r.Error, views.Notice: r.Notice, views.Parent: r.Parent,
		views.Washer: r.Washer, views.Product: r.Product, views.HTTPStatus: r.HTTPStatus, views.Publisher: r.Publisher,
		views.Licence: r.Licence, views.Judged: r.Score, views.Recipe: r.Recipe,
	} {
		if value != "" {
			where[f] = value
		}
	}
	return where
}

func (r *listRequest) relative() *bool {
	if r.Relative == "" {
		return nil
	}
	is := r.Relative == "true"
	return &is
}

// leavesFiles says that clean files are left out.
func (r *listRequest) leavesFiles() bool { return r.Files == "false" && r.State == "" }

// onlyViewed says that the seed list itself can't answer.
func (r *listRequest) onlyViewed() bool {
	return r.ViewFilter != ViewFilter{} || r.Turn != "" || r.Sort != "" && r.Sort != "added"
}

// isOfTerms says that what statements use is all that views alone know of what is asked.
func (r *listRequest) isOfTerms() bool {
	return r.TermFilter.IsSet() && r.ViewFilter == ViewFilter{TermFilter: r.TermFilter} &&
		(r.Sort == "" || r.Sort == "added") && r.Turn == ""
}

// isQuick says that the seed list has an index for what is asked: views need not be asked.
func (r *listRequest) isQuick() bool {
	return !r.onlyViewed() && r.Format == "" && r.Host == "" && r.Source == "" && r.Error == "" && r.Notice == "" &&
		r.Product == "" && r.Washer == "" && r.HTTPStatus == "" &&
		r.Relative == "" && !r.leavesFiles()
}

// reply is what a list is answered with: a page, or the whole as lines.
type reply = huma.StreamResponse

const (
	typeJSON   = "application/json"
	typeNDJSON = "application/x-ndjson"
)

func (a *api) list(ctx context.Context, r *listRequest) (*reply, error) {
	message := cmp.Or(a.strangeValue(ctx, &r.SeedFilter), r.TermFilter.strange(), strangeSort(r.Sort), r.TurnFilter.strange(r.Sort))
	if message != "" {
		return nil, huma.Error422UnprocessableEntity(message)
	}
	next := func(cursor string) (SeedPage, error) {
		asked := *r
		asked.Cursor = cursor
		return a.page(ctx, &asked)
	}
	return listReply(r.Accept, r.Limit, r.Cursor, next, ofSeeds)
}

// page is one page of a list, from the views where they are the quicker, else from the seed list.
func (a *api) page(ctx context.Context, r *listRequest) (page SeedPage, err error) {
	canView := a.Views != nil && !a.Views.AsOf().Building
	onlyViewed := r.onlyViewed()
	if a.Views == nil && r.isOfTerms() {
		if page, err = termPage(ctx, a, r); err == nil {
			err = a.fillOutcomes(ctx, page.Seeds)
		}
		return page, err
	}
	if onlyViewed && !canView {
		return page, a.notViewed()
	}
	if canView && r.Washer != "" {
		// The views know versions, not releases.
		switch builds := washersMeant(ctx, a.Views, r.Washer); {
		case len(builds) == 1:
			r.Washer = builds[0]
		case len(builds) > 1 && onlyViewed:
			return page, huma.Error422UnprocessableEntity("several versions are meant by the washer " + r.Washer + ": name one of " +
				strings.Join(builds, ", "))
		case len(builds) > 1:
			canView = false
		}
	}
	if onlyViewed || canView && (!r.isQuick() || a.PreferViews && r.State != "") {
		if page, err = a.viewedPage(ctx, r); err != nil {
			return page, problem(err)
		}
	} else if page, err = a.listedPage(ctx, r); err != nil {
		return page, err
	}
	if page.Seeds == nil {
		page.Seeds = []seedlist.Seed{}
	}
	return page, a.fillOutcomes(ctx, page.Seeds)
}

// listedPage is a page of the seed list itself.
func (a *api) listedPage(ctx context.Context, r *listRequest) (page SeedPage, err error) {
	revision, err := a.Seeds.Revision(ctx)
	if err != nil {
		return page, problem(err)
	}
	var damaged damages
	page.AsOf = &views.AsOf{Revision: revision}
	page.Seeds, page.Next, err = a.listed(ctx, &r.SeedFilter, r.Cursor, r.limit(), damaged.tell)
	page.Damaged = damaged
	if r.leavesFiles() {
		page.Seeds = slices.DeleteFunc(page.Seeds, func(s seedlist.Seed) bool { return s.Status == seedlist.Cleaned })
	}
	return page, err
}

// strangeSort says that there is no such order; "" if there is.
func strangeSort(name string) string {
	wanted := strings.TrimPrefix(name, "-")
	if wanted == "" || slices.Contains(views.Sorts(), wanted) {
		return ""
	}
	message := "there is no order " + wanted
	if near := spelling.Nearest(wanted, views.Sorts()...); near != "" {
		message += "; did you mean " + near + "?"
	}
	return message
}

// notViewed says why a list can't be answered now, and what to do.
func (a *api) notViewed() error {
	if a.Views == nil {
		return huma.Error503ServiceUnavailable(
			`lists in an order, and those of an encoding, a catalog, a publisher, a licence or a recipe, are kept by a daemon: start "laundromat serve"`)
	}
	return huma.ErrorWithHeaders(
		huma.Error503ServiceUnavailable(fmt.Sprintf("the lists are being made anew and hold %d seeds so far: try again soon",
			a.Views.AsOf().Seeds)),
		http.Header{"Retry-After": {"5"}})
}

// mostLag is how long a request waits for the views to hold what was there when it came.
const mostLag = time.Second

// viewedPage is a page of the views. A seed that has changed since, so that it no longer matches, is
// left out.
func (a *api) viewedPage(ctx context.Context, r *listRequest) (page SeedPage, err error) {
	if err := a.catchUp(ctx); err != nil {
		return page, err
	}
	if r.Parent != "" {
		if _, err := a.Seeds.Record(ctx, r.Parent); err != nil {
			return page, err
		}
	}
	q := views.Query{Where: r.where(), Relative: r.relative(), NoFiles: r.leavesFiles(), Cursor: r.Cursor, Limit: r.limit()}
	if r.Sort != "" {
		q.Sort, q.Descending, _ = views.SortNamed(r.Sort)
	}
	r.TurnFilter.into(&q)
	found, err := a.Views.List(ctx, q)
	if err != nil {
		return page, err
	}
	here, err := a.Seeds.Whole(ctx, found.Numbers...)
	if err != nil {
		return page, err
	}
	if len(here) == 0 && r.Washer != "" && r.Cursor == "" {
		message, err := a.strangeWasher(ctx, r.Washer)
		if err != nil {
			return page, err
		}
		if message != "" {
			return page, huma.Error422UnprocessableEntity(message)
		}
	}
	for i := range here {
		if views.Matches(&here[i], q.Where) {
			page.Seeds = append(page.Seeds, here[i])
		}
	}
	if page.Damaged, err = a.unread(ctx, &q, found.Numbers, here); err != nil {
		return page, err
	}
	page.Next, page.AsOf = found.Next, &found.AsOf
	if found.IsCut(q.Limit) {
		page.LookedAt = found.Looked
		page.Note = fmt.Sprintf("%d rows were looked at for this page, as many as may be: there may be more at the next", found.Looked)
	}
	return page, nil
}

// catchUp waits until the views hold what has been written by now, a while at most.
func (a *api) catchUp(ctx context.Context) error {
	revision, err := a.Seeds.Revision(ctx)
	if err != nil {
		return err
	}
	waiting, cancel := context.WithTimeout(ctx, mostLag)
	defer cancel()
	if a.Views.Wait(waiting, revision) != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	return nil
}

// listReply answers with the page at a cursor, or with all from there as JSON lines. In lines, the
// limit is of the whole; 0 is none. The function parts tells the items of a page, and the cursor of the next.
func listReply[P, T any](accept string, limit int, cursor string, next func(cursor string) (P, error), parts func(P) ([]T, string)) (*reply,
	error) {
	page, err := next(cursor)
	if err != nil {
		return nil, err
	}
	if !prefersLines(accept) {
		text, err := seedlist.EncodeJSON(page)
		if err != nil {
			return nil, problem(err)
		}
		return &reply{Body: func(c huma.Context) {
			c.SetHeader("Content-Type", typeJSON)
			if _, cursor := parts(page); cursor != "" {
				c.SetHeader("Link", nextLink(c.URL(), cursor))
			}
			c.BodyWriter().Write(append(text, '\n'))
		}}, nil
	}
	return &reply{Body: func(c huma.Context) {
		c.SetHeader("Content-Type", typeNDJSON)
		encoder := json.NewEncoder(c.BodyWriter())
		encoder.SetEscapeHTML(false)
		for sent := 0; ; {
			items, cursor := parts(page)
			for i := range items {
				if limit > 0 && sent == limit {
					return
				}
				if encoder.Encode(items[i]) != nil {
					return // nobody reads any more
				}
				sent++
			}
			if cursor == "" || limit > 0 && sent == limit {
				return
			}
			if page, err = next(cursor); err != nil {
				panic(http.ErrAbortHandler) // the reader must not take what came for all
			}
		}
	}}, nil
}

// ofSeeds are the parts of a page of seeds.
func ofSeeds(page SeedPage) ([]seedlist.Seed, string) { return page.Seeds, page.Next }

// prefersLines says that a client asks for JSON lines by name.
func prefersLines(accept string) bool {
	for one := range strings.SplitSeq(accept, ",") {
		name, parameters, _ := strings.Cut(one, ";")
		if strings.TrimSpace(name) == typeNDJSON && !strings.Contains(strings.ReplaceAll(parameters, " ", "")+";", "q=0;") {
			return true
		}
	}
	return false
}

// nextLink is the Link header that leads to the next page (RFC 8288).
func nextLink(at url.URL, cursor string) string {
	query := at.Query()
	query.Set("cursor", cursor)
	return "<" + at.Path + "?" + query.Encode() + `>; rel="next"`
}

// CountReply is how many seeds have each value, or pair of values; the largest count first.
type CountReply struct {
	By     []string      `json:"by"`
	Counts []views.Count `json:"counts"`
	Total  int           `json:"total" doc:"of values, also of those that limit leaves out"`
	AsOf   views.AsOf    `json:"as_of"`
	Note   string        `json:"note,omitempty"`
}

type countRequest struct {
	By    string `query:"by" required:"true" doc:"a facet, or two of a pair that is counted, such as format,notice"`
	Limit int    `query:"limit" minimum:"1" maximum:"10000" default:"100"`
}

type countReply struct{ Body CountReply }

// counts answers from the views. Each count is the length of the list with those filters.
func (a *api) counts(ctx context.Context, r *countRequest) (*countReply, error) {
	var by []views.Facet
	names := strings.Split(r.By, ",")
	for _, name := range names {
		f, ok := views.FacetNamed(name)
		if !ok {
			return nil, huma.Error422UnprocessableEntity(fmt.Sprintf("nothing is counted by %s; there are %s", strconv.Quote(name),
				strings.Join(views.FacetNames(), ", ")))
		}
		by = append(by, f)
	}
	if !views.Countable(by) {
		return nil, huma.Error422UnprocessableEntity("these are not counted together; pairs that are: " + strings.Join(views.Pairs(), "; "))
	}
	if a.Views == nil {
		return nil, huma.Error503ServiceUnavailable(`counts by a value are kept by a daemon: start "laundromat serve"`)
	}
	if err := a.catchUp(ctx); err != nil {
		return nil, problem(err)
	}
	counted, err := a.Views.Count(ctx, by, r.Limit)
	if err != nil {
		return nil, problem(err)
	}
	body := CountReply{By: names, Counts: counted.Counts, Total: counted.Total, AsOf: counted.AsOf}
	if body.Counts == nil {
		body.Counts = []views.Count{}
	}
	switch {
	case counted.AsOf.Building:
		body.Note = fmt.Sprintf("the counts are being made anew, and are of %d seeds so far", counted.AsOf.Seeds)
	case counted.IsCut:
		body.Note = fmt.Sprintf("%d values were looked at, as many as may be: larger counts may be missing", counted.Total)
	}
	return &countReply{Body: body}, nil
}

// WashedReply is what was washed by spans of time, oldest first.
type WashedReply struct {
	By     string            `json:"by"`
	Washed []seedlist.Washed `json:"washed"`
}

type washedRequest struct {
	By   string    `query:"by" enum:"minute,hour,day" default:"hour"`
	From time.Time `query:"from" doc:"the first span begins here or later"`
	To   time.Time `query:"to" doc:"the last span begins before; now if absent"`
}

type washedReply struct{ Body WashedReply }

// mostSpans is how many spans of time one answer has.
const mostSpans = 10_000

func (a *api) washed(ctx context.Context, r *washedRequest) (*washedReply, error) {
	span := seedlist.Span(r.By)
	if r.To.IsZero() {
		r.To = time.Now()
	}
	if r.From.IsZero() {
		r.From = r.To.Add(-100 * span.Length())
	}
	if r.To.Sub(r.From)/span.Length() > mostSpans {
		return nil, huma.Error422UnprocessableEntity(fmt.Sprintf("at most %d spans are given at once: ask for longer ones, or for a "+
			"shorter time", mostSpans))
	}
	all, err := a.Seeds.Washed(ctx, span, r.From, r.To)
	if err != nil {
		return nil, problem(err)
	}
	if all == nil {
		all = []seedlist.Washed{}
	}
	return &washedReply{Body: WashedReply{By: r.By, Washed: all}}, nil
}
