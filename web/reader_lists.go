package web

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"laundromat/seedlist"
	"laundromat/seedlist/views"
)

// asked is the request that a query stands for, or the error that refuses it.
func (r *Reader) asked(ctx context.Context, q ListQuery) (*listRequest, error) {
	asked := &listRequest{SeedFilter: q.SeedFilter, ViewFilter: q.ViewFilter, TurnFilter: q.TurnFilter,
		Files: q.Files, Sort: q.Sort, Cursor: q.Cursor,
		Limit: q.Limit}
	message := cmp.Or(r.a.strangeValue(ctx, &q.SeedFilter), q.TermFilter.strange(), strangeSort(q.Sort), q.TurnFilter.strange(q.Sort))
	if message == "" && q.Relative != "" && q.Relative != "true" && q.Relative != "false" {
		message = "relative is true or false"
	}
	if message == "" && q.Files != "" && q.Files != "true" && q.Files != "false" {
		message = "files is true or false"
	}
	if message == "" && (q.Limit < 0 || q.Limit > mostListed) {
		message = "limit is 1 to 1,000"
	}
	if message != "" {
		return nil, huma.Error422UnprocessableEntity(message)
	}
	return asked, nil
}

// List is one page of a list.
func (r *Reader) List(ctx context.Context, q ListQuery) (page SeedPage, err error) {
	asked, err := r.asked(ctx, q)
	if err != nil {
		return page, err
	}
	return r.a.page(ctx, asked)
}

// mostListed is how many seeds a page may have.
const mostListed = 1000

// viewed says that there are views to be asked, and waits until they hold what is there now.
func (r *Reader) viewed(ctx context.Context) error {
	if r.a.Views == nil {
		return r.a.notViewed()
	}
	return problem(r.a.catchUp(ctx))
}

// Among counts the values of facets among the seeds of a query; limit is of values of a facet. The maps in
// the answer are shared: they are not to be changed.
func (r *Reader) Among(ctx context.Context, q ListQuery, by []views.Facet, limit int) (among views.Among, err error) {
	asked, err := r.asked(ctx, q)
	if err == nil {
		err = r.viewed(ctx)
	}
	if err != nil {
		return among, err
	}
	query := views.Query{Where: asked.where(), Relative: asked.relative(), NoFiles: asked.leavesFiles()}
	if r.AsOf().Building { // at one revision they hold more and more
		among, err = r.a.Views.Among(ctx, query, by, limit)
		return among, problem(err)
	}
	name := fmt.Sprint(query.Where, q.Relative, q.Files, by, limit)
	among, err = r.among.get(name, r.AsOf().Revision, func() (views.Among, error) { return r.a.Views.Among(ctx, query, by, limit) })
	return among, problem(err)
}

// Tally counts the pairs of values of two facets in one stretch of a list. It begins at the query's
// cursor and has at most [views.MostLooked] rows. The map in the answer is shared: it is not to be changed.
func (r *Reader) Tally(ctx context.Context, q ListQuery, by [2]views.Facet) (tallied views.Tallied, err error) {
	asked, err := r.asked(ctx, q)
	if err == nil {
		err = r.viewed(ctx)
	}
	if err != nil {
		return tallied, err
	}
	query := views.Query{Where: asked.where(), Relative: asked.relative(), NoFiles: asked.leavesFiles(), Cursor: q.Cursor}
	// Nobody else asks for the middle of a list, and views that are being made stay at one revision.
	if q.Cursor != "" || r.AsOf().Building {
		tallied, err = r.a.Views.Tally(ctx, query, by)
		return tallied, problem(err)
	}
	name := fmt.Sprint(query.Where, q.Relative, q.Files, by)
	tallied, err = r.tallied.get(name, r.AsOf().Revision, func() (views.Tallied, error) { return r.a.Views.Tally(ctx, query, by) })
	return tallied, problem(err)
}

// Found is what a typed beginning leads to.
type Found struct {
	// Exact is the seed of that very URI or hash; nil if there is none.
	Exact *seedlist.Seed
	// Hosts begin with what was typed, the first of them.
	Hosts []views.Count
	// Host is the one that was typed in full, before a path. Of its seeds, in a stretch of the list, Seeds have
	// a URI that begins so; Next is the cursor of the next stretch.
	Host   string
	Seeds  []seedlist.Seed
	Looked int
	Next   string
}

const (
	mostHosts = 50  // that are named
	mostRead  = 500 // records that are read for one stretch
)

// Find looks for a URI or hash in full, and for hosts and URIs that begin with what was typed. The hosts come from
// their order. Of URIs, at most 500 records of one host are read, from the cursor on.
func (r *Reader) Find(ctx context.Context, typed, cursor string) (found Found, err error) {
	typed = strings.TrimSpace(typed)
	if typed == "" {
		return found, nil
	}
	key := typed
	if !isHash(typed) {
		key = seedlist.Key(typed)
	}
	if seed, err := r.Seed(ctx, key); err == nil {
		found.Exact = &seed
	}
	if err := r.viewed(ctx); err != nil {
		return found, err
	}
	scheme, rest, hasScheme := strings.Cut(typed, "://")
	if !hasScheme {
		rest = scheme
	}
	host, _, hasPath := strings.Cut(rest, "/")
	host = strings.ToLower(host)
	if !hasPath {
		found.Hosts, err = r.a.Views.Beginning(ctx, views.Host, host, mostHosts)
		return found, problem(err)
	}
	found.Host = host
	page, err := r.List(ctx, ListQuery{SeedFilter: SeedFilter{Host: host}, Cursor: cursor, Limit: mostRead})
	if err != nil {
		return found, err
	}
	found.Looked, found.Next = len(page.Seeds), page.Next
	for i := range page.Seeds {
		uri := seedlist.Shown(page.Seeds[i].URI) // or a password could be found letter by letter
		if _, after, ok := strings.Cut(uri, "://"); ok && !hasScheme {
			uri = after
		}
		if strings.HasPrefix(strings.ToLower(uri), strings.ToLower(typed)) {
			found.Seeds = append(found.Seeds, page.Seeds[i])
		}
	}
	return found, nil
}
