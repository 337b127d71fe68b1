package web

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"laundromat/internal/lean"
	"laundromat/seedlist"
	"laundromat/seedlist/search"
)

// FoundText is a text in which the words of a search are, with the document that it is of.
type FoundText struct {
	search.Hit
	// Name is what the document is called: its title, its URI as it is shown, or its place in an archive.
	Name string `json:"name"`
	URI  string `json:"uri,omitempty"`
	// Path is the page that shows the place.
	Path string `json:"path"`
}

// Searched is the answer to a search.
type Searched struct {
	Hits []FoundText `json:"hits"`
	// Count is how many texts there are; with IsMore, there are more.
	Count  int            `json:"count"`
	IsMore bool           `json:"is_more,omitempty"`
	AsOf   search.Reached `json:"as_of"`
}

type searchRequest struct {
	Q     string `query:"q" required:"true" doc:"words that must all be there; \"in quotation marks\": in this order; begin*: words that begin so"`
	Limit int    `query:"limit" minimum:"1" maximum:"100" default:"20"`
}

type searchReply struct{ Body Searched }

func ofSearch(a *api) []operation {
	return []operation{get("/api/v1/search", func(ctx context.Context, r *searchRequest) (*searchReply, error) {
		body, err := searched(ctx, a, r.Q, r.Limit)
		for i := range body.Hits {
			body.Hits[i].Path = siteIn(ctx).Path() + body.Hits[i].Path
		}
		return &searchReply{Body: body}, err
	})}
}

// defaultHits is how many hits come without a limit.
const defaultHits = 20

func searched(ctx context.Context, a *api, text string, limit int) (is Searched, err error) {
	if a.Daemon.Search == nil {
		return is, huma.Error501NotImplemented("nothing here is found by words")
	}
	index, err := a.Daemon.Search(ctx)
	switch {
	case lean.Built:
		return is, huma.Error501NotImplemented(lean.Lacks("search").Error())
	case err != nil:
		return is, problem(err)
	case index == nil:
		return is, huma.Error503ServiceUnavailable("this process has no search: its log says why, or it serves no pages")
	}
	found, err := index.Find(ctx, text, cmp.Or(limit, defaultHits))
	var misuse *search.QueryError
	switch {
	case errors.As(err, &misuse):
		return is, huma.Error422UnprocessableEntity(misuse.Error())
	case err != nil:
		return is, problem(err)
	}
	is = Searched{Hits: []FoundText{}, Count: found.Count, IsMore: found.IsMore, AsOf: found.AsOf}
	known := map[string]*seedlist.Seed{}
	for _, hit := range found.Hits {
		seed, ok := known[hit.Hash]
		if !ok {
			record, err := a.Seeds.Record(ctx, hit.Hash)
			if err != nil && !errors.Is(err, seedlist.ErrNotFound) {
				return is, problem(err)
			}
			if err == nil {
				seed = &record
			}
			known[hit.Hash] = seed
		}
		if seed == nil {
			is.Count-- // removed since the index was written
			continue
		}
		uri := seedlist.Shown(seed.URI)
		is.Hits = append(is.Hits, FoundText{
			Hit: hit, Name: cmp.Or(seedlist.ShownIn(seed.Title), uri, a.name(ctx, seed)), URI: uri, Path: pathOfHit(&hit),
		})
	}
	return is, nil
}

// pathOfHit is the page that shows the place of a hit.
func pathOfHit(h *search.Hit) string {
	path := "/seeds/" + url.PathEscape(h.Hash)
	switch h.Field {
	case search.LabelOf:
		return path + "/rows?from=" + strconv.FormatInt(h.Line, 10)
	case search.Class, search.Property:
		return path + "/statistics"
	case search.Column:
		return path + "/records"
	case search.Article:
		return path + "/articles"
	}
	return path
}

// Search finds documents by words, at most limit texts.
func (r *Reader) Search(ctx context.Context, text string, limit int) (Searched, error) {
	return searched(ctx, r.a, text, limit)
}
