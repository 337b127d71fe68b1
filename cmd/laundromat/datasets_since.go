package main

import (
	"net/url"
	"strconv"

	"github.com/spf13/cobra"

	"laundromat/web"
	"laundromat/web/story"
)

// mostCompared is how many values of a facet are compared where no limit is given.
const mostCompared = 1000

// compare writes what became of documents since a day: of all, or of those of each value of a facet, the worst first.
func (f *datasetFlags) compare(c *cobra.Command, u *ui) error {
	ctx := c.Context()
	by, err := f.group(c)
	switch {
	case err != nil:
		return err
	case f.limit < 0:
		return usage("--limit is a number from 0")
	case f.order != "":
		return usage("--sort is not with --since")
	case by == "" && f.find != "":
		return usage("--find is with --by")
	}
	api, err := connect(ctx, u, toRead)
	if err != nil {
		return err
	}
	defer api.Close()
	values := []string{""}
	if by != "" {
		limit := mostCompared
		if f.limit > 0 {
			limit = min(limit, f.limit)
		}
		var page web.Publishers
		query := url.Values{"by": {by}, "find": {f.find}, "limit": {strconv.Itoa(limit)}}
		if err := api.Get(ctx, "/publishers", query, &page); err != nil {
			return err
		}
		values = nil
		for i := range page.Publishers {
			values = append(values, page.Publishers[i].Value)
		}
		if page.Total > limit {
			u.note("the %d worst of %d are compared", limit, page.Total)
		}
	}
	var all []web.Compared
	for _, value := range values {
		query := url.Values{"since": {f.since}}
		if by != "" {
			query.Set("by", by)
			query.Set("value", value)
		}
		var one web.Compared
		if err := api.Get(ctx, "/compare", query, &one); err != nil {
			return err
		}
		all = append(all, one)
	}
	if u.json {
		return encodeLines(u.out, all)
	}
	return story.WriteCompared(u.out, by, all)
}
