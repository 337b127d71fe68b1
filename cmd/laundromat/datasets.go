package main

import (
	"bufio"
	"context"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"laundromat/seedlist/views"
	"laundromat/web"
	"laundromat/web/story"
)

// datasetFlags are those of datasets.
type datasetFlags struct {
	listFlags
	terms           web.TermFilter
	order, by, find string
	since           string
}

func datasetsCommand(u *ui) *cobra.Command {
	var f datasetFlags
	c := &cobra.Command{
		Use:   "datasets",
		Short: "The washed documents, filtered and sorted; or their sums and scores by publisher",
		Long: "Datasets lists the documents that were washed. With --by it lists their hosts, catalogs, publishers or\n" +
			"licences, each with the sums of its documents and a score from 0 to 100: the worst first. A daemon keeps\n" +
			"these sums.\n\n" +
			"--class, --property, --vocabulary, --datatype, --language and --links-to list the documents whose clean\n" +
			"statements use something. A daemon keeps lists of these; without one the file of each document is read.",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if f.since != "" {
				return f.compare(c, u)
			}
			if f.by != "" {
				return f.publishers(c, u)
			}
			if f.find != "" {
				return usage("--find is with --by")
			}
			return f.datasets(c.Context(), u)
		},
	}
	f.add(c)
	c.Flags().StringVar(&f.terms.Class, "class", "", "only documents that have an instance of the class of this IRI")
	c.Flags().StringVar(&f.terms.Property, "property", "", "only documents that use the property of this IRI")
	c.Flags().StringVar(&f.terms.Vocabulary, "vocabulary", "", "only documents that use a property or class of this namespace")
	c.Flags().StringVar(&f.terms.Datatype, "datatype", "", "only documents with literals of the datatype of this IRI")
	c.Flags().StringVar(&f.terms.Language, "language", "", "only documents with literals in this language")
	c.Flags().StringVar(&f.terms.LinksTo, "links-to", "", "only documents with links from elsewhere to this host")
	c.Flags().StringVar(&f.order, "sort", "", "statements, records, articles, bytes, notices, dropped (largest first) or uri; with --by: "+
		strings.Join(web.PublisherOrders(), ", ")+" (the worst first)")
	c.Flags().StringVar(&f.by, "by", "", "sums and scores by "+strings.Join(views.Groups(), ", "))
	c.Flags().StringVar(&f.since, "since", "", "what became of all documents, or with --by of those of each, since a day such as 2026-10-31")
	c.Flags().StringVar(&f.find, "find", "", "with --by: only those whose name has this text")
	return c
}

// datasets writes the washed documents.
func (f *datasetFlags) datasets(ctx context.Context, u *ui) error {
	order := "uri"
	if f.order != "" {
		order = strings.ToLower(strings.TrimSpace(f.order))
	}
	key, ok := story.Orders[order]
	if !ok {
		return oneOf("sort", f.order, "statements", "records", "articles", "bytes", "notices", "dropped", "uri")
	}
	api, query, err := connectFiltered(ctx, u, toRead, &f.listFlags)
	if err != nil {
		return err
	}
	defer api.Close()
	maps.Copy(query, f.terms.Query())
	seeds, err := api.Datasets(ctx, query)
	if err != nil {
		return err
	}
	slices.SortStableFunc(seeds, key)
	if f.limit > 0 && f.limit < len(seeds) {
		seeds = seeds[:f.limit]
	}
	if u.json {
		out := bufio.NewWriter(u.out)
		for _, seed := range seeds {
			if err := encodeTo(out, seed); err != nil {
				return err
			}
		}
		return out.Flush()
	}
	return story.WriteDatasets(u.out, seeds)
}

// group is the facet of --by. All documents are summed up, so that nothing may narrow them.
func (f *datasetFlags) group(c *cobra.Command) (string, error) {
	for _, name := range append(slices.Clone(filterFlags), "class", "property", "vocabulary", "datatype", "language", "links-to") {
		if c.Flags().Changed(name) {
			return "", usage("--%s is not with --by and --since, which sum up all documents", name)
		}
	}
	by := strings.ToLower(strings.TrimSpace(f.by))
	if by == "license" {
		by = "licence"
	}
	if by != "" && !slices.Contains(views.Groups(), by) {
		return "", oneOf("by", f.by, views.Groups()...)
	}
	return by, nil
}

// publishersPage is how many publishers are asked for at once.
const publishersPage = 10_000

// publishers writes the sums and scores of the values of a facet.
func (f *datasetFlags) publishers(c *cobra.Command, u *ui) error {
	ctx := c.Context()
	by, err := f.group(c)
	if err != nil {
		return err
	}
	order := "score"
	if f.order != "" {
		order = strings.ToLower(strings.TrimSpace(f.order))
	}
	if !slices.Contains(web.PublisherOrders(), strings.TrimPrefix(order, "-")) {
		return oneOf("sort", f.order, web.PublisherOrders()...)
	}
	if f.limit < 0 {
		return usage("--limit is a number from 0")
	}
	api, err := connect(ctx, u, toRead)
	if err != nil {
		return err
	}
	defer api.Close()
	var all []web.Publisher
	note := ""
	for {
		limit := publishersPage
		if f.limit > 0 {
			limit = min(limit, f.limit-len(all))
		}
		query := url.Values{"by": {by}, "sort": {order}, "find": {f.find}, "limit": {strconv.Itoa(limit)}, "from": {strconv.Itoa(len(all))}}
		var page web.Publishers
		if err := api.Get(ctx, "/publishers", query, &page); err != nil {
			return err
		}
		all, note = append(all, page.Publishers...), page.Note
		if len(page.Publishers) < limit || len(all) == f.limit {
			break
		}
	}
	if note != "" {
		u.note("%s", note)
	}
	if u.json {
		return encodeLines(u.out, all)
	}
	return story.WritePublishers(u.out, by, all)
}
